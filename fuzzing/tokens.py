"""What readers stumble over: odd numbers, odd characters, names of columns."""

from __future__ import annotations

NUMBERS = (
    *("0", "1", "-1", "2", "3", "007", "+1", "-0", "0.5", ".5", "5.", "1e3", "1E-3", "0.30000000000000004"),
    *("1e400", "-1e400", "1e-400", "1e308", "1.7976931348623157e308", "5e-324", "1e100", "1e101", "-1e100"),
    *("9007199254740993", "2147483648", "4294967296", "9223372036854775808", "-9223372036854775809", "9" * 400),
    *("9" * 5000, "0." + "3" * 400, "1" + "0" * 309, "1e99999999999", "1e-99999999999"),
    *("nan", "NaN", "-nan", "inf", "-inf", "Infinity", "NA", "null", "None", "true", "False"),
    *("0x10", "1_0", "1,5", "1e", "--1", "1.2.3", ".", "-", "+", "e5", "１", "½", "٣", "1 ", " 1", "1\x00", "1%", "−1"),
)
CHARACTERS = (
    *('"', "'", '""', '"""', "\\", '\\"', "\r", "\n", "\r\n", "\t", " ", "  ", "\x00", "\x0b", "\x0c", "\x1c", "\x85"),
    *(
        "\ufeff",
        "\u2028",
        "\u2029",
        "\u200b",
        "\u202e",
        "\xa0",
        "\u3000",
        "é",
        "e\u0301",
        "ß",
        "İ",
        "中",
        "😀",
        "\uffff",
    ),
    *(",", ";", "|", ":", "=", "#", "# ", "//", "{", "}", "[", "]", "[[", "]]", "(", ")", "@", "%", "<", ">", "&", "$"),
    *("{}", "[]", "{0}", "%s", "%d", "{:>99999999}", "<script>", "../..", "-", "--", "_", "*", "?", "~", "^", "`"),
)
WORDS = (
    *("query", "query_id", "qid", "topic", "document", "doc_id", "docid", "docno", "pid", "item_id", "user_id", "user"),
    *("grade", "relevance", "rel", "label", "rating", "score", "rank", "position", "judge", "rater", "iteration"),
    *("subtopic", "subgroup", "stratum", "weight", "session", "session_id", "clicked", "clicks", "documents"),
    *("impression", "propensity", "text", "title", "_id", "id", "intent", "attribute", "genre", "count", "Q0", "all"),
    *("action_name", "query_response_hit_ids", "event_attributes", "object", "client_id", "user_query"),
)
BYTES = (
    *(b"\x00", b"\xff", b"\xfe\xff", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xc0\xaf", b"\xe9", b"\x80"),
    *(
        b"\x1f\x8b",
        b"BZh",
        b"\xfd7zXZ\x00",
        b"\x28\xb5\x2f\xfd",
        b"PAR1",
        b"ARROW1",
        b"\xff\xff\xff\xff",
        b"PK\x03\x04",
    ),
)
JSON_VALUES = (
    *("null", "true", "false", '""', "[]", "{}", "[[]]", "[{}]", '{"": 0}', '"\\ud800"', '"\\u0000"', '"\\u2028"'),
    *("NaN", "Infinity", "-Infinity", "-0", "-0.0", "1e400", "1e-400", "9" * 400, "9" * 5000, "1.0", "0.1", "01", "1."),
    *('{"a": 1, "a": 2}', "[" * 100 + "]" * 100, "[" * 5000, '{"a":' * 5000, "'a'", '"1"', '"nan"', "[1, [2, [3]]]"),
)

TOKENS = (*NUMBERS, *CHARACTERS, *WORDS)
