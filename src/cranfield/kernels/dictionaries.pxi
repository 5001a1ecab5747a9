# Runs and judgments in memory: a dictionary of numbers for each query. Ids are read where they are; nothing is made of
# them, but of whole numbers their digits.

from collections import defaultdict


cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text) noexcept
    const char* PyUnicode_DATA(object text) noexcept
    Py_ssize_t PyUnicode_GET_LENGTH(object text) noexcept
    double PyFloat_AS_DOUBLE(object number) noexcept
    long long PyLong_AsLongLongAndOverflow(object number, int* overflow) except? -1


def scan_dictionary(Judged judged not None, run, *, str ties, bint single, frozenset types not None):
    """Where `{query: {document: score}}` puts the judged documents, or None if something is irregular.

    Scores are floats, or of one of the types. The result is as that of `scan`.
    """
    cdef Order order = <Order><int>ORDERS.index(ties)
    cdef Column[COLUMNS] columns
    cdef Ranking ranking
    cdef Outcome outcome
    cdef Py_ssize_t at
    cdef int64_t number, found, tied
    cdef list unknown = []
    cdef char[DIGITS] digits
    if not is_dictionary(run) or not run or not are_of_one_type(run):
        return None
    memset(columns, 0, sizeof(columns))
    memset(&ranking, 0, sizeof(ranking))
    try:
        for query, retrieved in run.items():
            if not (
                is_dictionary(retrieved)
                and read_id(query, digits, &ranking.query)
                and read_retrieved(retrieved, types, &ranking)
                and index(&ranking)
            ):
                return None
            number, found, tied, outcome = number_of(&judged.queries, &ranking.query), 0, 0, FINE
            if number < 0:
                unknown.append(ranking.query.start[: ranking.query.length])
            elif ranking.count:
                outcome = place(&ranking, judged, number, order, single, columns, &found, &tied)
            if outcome != FINE or not (
                append(&columns[QUERY], number)
                and append(&columns[RETRIEVED], ranking.count)
                and append(&columns[TIES], tied)
                and append(&columns[FOUND], found)
            ):
                raise MemoryError
        return chunk_of(columns, unknown)
    finally:
        forget(&ranking)
        for at in range(COLUMNS):
            free(columns[at].values)


cdef inline bint is_dictionary(object given) noexcept:
    """Whether what is given is kept as a dictionary, and walked over as one."""
    return type(given) is dict or type(given) is defaultdict


cdef bint are_of_one_type(object given) noexcept:
    """Whether all keys are texts, or all are numbers: of both, some might be the same id."""
    cdef Py_ssize_t place = 0
    cdef PyObject* key
    cdef PyObject* first = NULL
    while PyDict_Next(given, &place, &key, NULL):
        if first == NULL:
            first = key
        if type(<object>key) is not type(<object>first):
            return False
    return True


cdef inline bint read_id(object key, char* digits, Text* text) except -1:
    """Whether a key is text that can be an id; and where. Or a whole number, written down there."""
    cdef int overflow = 0
    cdef long long number
    cdef bint ascii, has_nul
    if type(key) is int:
        number = PyLong_AsLongLongAndOverflow(key, &overflow)
        if overflow:
            return False
        text.start, text.length = digits, write_number(number, digits)
        text.hash = hash_in_buffer(digits, text.length, &ascii)
        return True
    if type(key) is not str:
        return False
    if PyUnicode_IS_ASCII(key):
        text.start, text.length = PyUnicode_DATA(key), PyUnicode_GET_LENGTH(key)
    else:
        try:
            text.start = PyUnicode_AsUTF8AndSize(key, &text.length)
        except UnicodeEncodeError:  # half a surrogate pair
            return False
    text.hash = hash_of_text(text.start, text.length, &has_nul)
    return text.length > 0 and not has_nul


cdef inline bint read_kept_id(object key, list kept, Text* text) except -1:
    """The same, of an id that is needed for longer: numbers are kept as texts."""
    cdef char[DIGITS] digits
    cdef bytes written
    if not read_id(key, digits, text):
        return False
    if text.start == digits:
        written = digits[: text.length]
        kept.append(written)
        text.start = written
    return True


cdef inline bint read_number(object value, frozenset types, double* number) except -1:
    """Whether a value is a number; and which."""
    if type(value) is float:
        number[0] = PyFloat_AS_DOUBLE(value)
    elif type(value) not in types:
        return False
    else:
        try:
            number[0] = float(value)
        except OverflowError:  # a whole number of hundreds of digits
            return False
    return number[0] == number[0]


cdef bint read_retrieved(object retrieved, frozenset types, Ranking* ranking) except -1:
    """Read the documents of a query with their scores; False if something is irregular."""
    cdef Py_ssize_t count = 0, place = 0
    cdef PyObject* key
    cdef PyObject* value
    cdef double score = 0, last = NAN
    cdef bint fall = True, drop = True
    if len(retrieved) > MOST_DOCUMENTS:
        return False
    while ranking.room < len(retrieved) or ranking.digits == NULL:
        if not (make_room(ranking) and grown(<void**>&ranking.digits, ranking.room * DIGITS)):
            raise MemoryError
    while PyDict_Next(retrieved, &place, &key, &value):
        if not (
            read_id(<object>key, ranking.digits + count * DIGITS, &ranking.documents[count])
            and read_number(<object>value, types, &score)
        ):
            return False
        fall &= not score > last
        drop &= not score >= last
        last = ranking.scores[count] = score
        count += 1
    ranking.count, ranking.scores_fall, ranking.scores_drop = count, fall, drop
    return True


def judgments_in_dictionary(given, *, double largest, frozenset types not None):
    """The judgments of `{query: {document: grade}}` as `judgments_in` gives them, or None if something is irregular."""
    cdef Rows rows
    cdef Outcome outcome
    cdef list kept = []  # texts are read where they are, so those of numbers must stay
    if not is_dictionary(given) or not are_of_one_type(given):
        return None
    memset(&rows, 0, sizeof(rows))
    try:
        for query, judged in given.items():
            if not (is_dictionary(judged) and read_judged(query, judged, largest, types, kept, &rows)):
                return None
        outcome = put_together(&rows) if rows.count else IRREGULAR
        if outcome == FINE:
            outcome = each_is_once(&rows)
        if outcome == NO_MEMORY:
            raise MemoryError
        return None if outcome == IRREGULAR else together(&rows)
    finally:
        forget_rows(&rows)


cdef bint read_judged(
    object query, object judged, double largest, frozenset types, list kept, Rows* rows
) except -1:
    """Read the documents of a query with their grades; False if something is irregular."""
    cdef Py_ssize_t place = 0
    cdef int64_t owner = -1
    cdef PyObject* key
    cdef PyObject* value
    cdef double grade = 0
    cdef Text text
    if not read_kept_id(query, kept, &text):
        return False
    while PyDict_Next(judged, &place, &key, &value):
        if owner < 0:  # a query without documents is none
            owner = numbered_next(&rows.queries, &text)
        if owner < 0 or (rows.count == rows.room and not make_room_for_rows(rows, 2 * rows.room + 1024)):
            raise MemoryError
        if not (
            read_kept_id(<object>key, kept, &rows.documents[rows.count])
            and read_number(<object>value, types, &grade)
            and -largest <= grade <= largest
        ):
            return False
        rows.owners[rows.count], rows.grades[rows.count] = owner, grade
        rows.count += 1
    return True
