from cranfield.errors.phrases import examples, sentences, short, shown


def test_sentences_that_say_nothing_leave_no_blank():
    assert sentences("One.", "", "Two.") == "One. Two."
    assert sentences("", "") == ""


def test_a_text_is_cut_to_its_width_and_loses_its_line_end():
    assert short("abc\r\n", 3) == "abc"
    assert short("abcd", 3) == "ab…"
    assert short(None) is None


def test_a_value_is_shown_as_python_writes_it():
    assert shown("x") == "'x'"
    assert shown(1.5) == "1.5"
    assert shown(float("nan")) == "NaN"


def test_a_number_too_long_to_spell_is_described():
    assert shown(10**61) == "a whole number of more than 60 digits"
    assert shown(-(10**5000)) == "a whole number of more than 60 digits"
    assert shown([10**5000]) == "a list"


def test_a_list_that_holds_itself_is_shown():
    endless: list[object] = []
    endless.append(endless)
    assert shown(endless) == "[[...]]"


def test_examples_are_the_first_few_ids_and_tell_whether_there_are_more():
    assert examples(["a", "b", "c"]) == "a, b, c"
    assert examples(["a", "b", "c", "d"]) == "a, b, c, …"
    assert examples(["a", "b"], 1) == "a, …"
    assert examples([]) == "none"
