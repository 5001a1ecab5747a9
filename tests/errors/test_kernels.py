from cranfield import errors


def test_unknown_loops_come_with_those_that_there_are():
    error = errors.kernels.unknown_kernels("CRANFIELD_KERNELS", "fast")
    assert isinstance(error, errors.UsageError)
    assert str(error).startswith("CRANFIELD_KERNELS is 'fast'; it may be 'plain' or 'compiled'.")


def test_missing_compiled_loops_come_with_the_reason():
    assert "not installed: no compiler" in str(errors.kernels.no_compiled_kernels("CRANFIELD_KERNELS", "no compiler"))
