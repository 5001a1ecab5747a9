from cranfield import errors


def test_an_open_quote_is_shown_where_it_opens():
    finding = errors.delimited_text.open_quote("a.csv", 4, 'q1,"d1,2\n')
    assert str(finding).startswith("a.csv, line 4: a quote opens here and is never closed")
    assert finding.text == 'q1,"d1,2'


def test_a_quote_that_closes_on_another_line_names_that_line():
    assert "closes on line 6," in errors.delimited_text.text_after_quote(None, 4, 6, 'q1,"d1').message
    assert "closes in the middle of a field" in errors.delimited_text.text_after_quote(None, 4, 4, 'q1,"d1"x').message


def test_signs_that_nobody_sees_are_made_visible():
    assert errors.delimited_text.stray_return(None, 1, "a\rb\n").text == "a␍b"
    assert errors.delimited_text.nul_in_text(None, 1, "a\0b\n").text == "a␀b"


def test_limits_are_told_in_mebibytes():
    assert "16 MiB" in errors.delimited_text.line_too_long("a.run", 1).message
    assert "512 MiB" in errors.delimited_text.json_too_large("a.json").message
