# Queries side by side, as measures read them.

ctypedef fused Number:
    double
    int64_t


def fill_lines(
    double[:, ::1] lines not None,
    const Number[::1] flat not None,
    const int64_t[::1] starts not None,
    const int64_t[::1] queries not None,
    double filler,
):
    """Write some queries of a flat array into lines of one width, and the filler behind them."""
    cdef Py_ssize_t line, at, start, count, width = lines.shape[1]
    if lines.shape[0] != queries.shape[0]:
        raise ValueError("there must be a line for each query")
    for line in range(queries.shape[0]):
        if not 0 <= queries[line] < starts.shape[0] - 1:
            raise ValueError("there is no such query")
        start = starts[queries[line]]
        count = starts[queries[line] + 1] - start
        if not (0 <= start and 0 <= count <= width and start + count <= flat.shape[0]):
            raise ValueError("a query must lie inside the array, and fit the width")
    with nogil:
        for line in range(queries.shape[0]):
            start = starts[queries[line]]
            count = starts[queries[line] + 1] - start
            for at in range(count):
                lines[line, at] = <double>flat[start + at]
            for at in range(count, width):
                lines[line, at] = filler
