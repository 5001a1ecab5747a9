# Runs and judgments in memory: a dictionary of numbers for each query. Ids are read where they are; nothing is made of
# them.

from collections import defaultdict


cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text) noexcept
    const char* PyUnicode_DATA(object text) noexcept
    Py_ssize_t PyUnicode_GET_LENGTH(object text) noexcept
    double PyFloat_AS_DOUBLE(object number) noexcept


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
    if not is_dictionary(run) or not run:
        return None
    memset(columns, 0, sizeof(columns))
    memset(&ranking, 0, sizeof(ranking))
    try:
        for query, retrieved in run.items():
            if not (
                is_dictionary(retrieved)
                and read_id(query, &ranking.query)
                and read_retrieved(retrieved, types, &ranking)
            ):
                return None
            number, found, tied, outcome = number_of(&judged.queries, &ranking.query), 0, 0, FINE
            if number < 0:
                unknown.append((<str>query).encode())
            elif ranking.count:
                index(&ranking)
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


cdef inline bint read_id(object key, Text* text) except -1:
    """Whether a key is text that is not empty and can be written; and where."""
    if type(key) is not str:
        return False
    if PyUnicode_IS_ASCII(key):
        text.start, text.length = PyUnicode_DATA(key), PyUnicode_GET_LENGTH(key)
    else:
        try:
            text.start = PyUnicode_AsUTF8AndSize(key, &text.length)
        except UnicodeEncodeError:  # half a surrogate pair
            return False
    text.hash = hash_of_text(text.start, text.length)
    return text.length > 0


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
    while PyDict_Next(retrieved, &place, &key, &value):
        if count == ranking.room and not make_room(ranking):
            raise MemoryError
        if not (read_id(<object>key, &ranking.documents[count]) and read_number(<object>value, types, &score)):
            return False
        fall &= not score > last
        drop &= not score >= last
        last = ranking.scores[count] = score
        count += 1
    ranking.count, ranking.scores_fall, ranking.scores_drop = count, fall, drop
    return count <= MOST_DOCUMENTS


def judgments_in_dictionary(given, *, double largest, frozenset types not None):
    """The judgments of `{query: {document: grade}}` as `judgments_in` gives them, or None if something is irregular."""
    cdef Rows rows
    cdef Outcome outcome
    if not is_dictionary(given):
        return None
    memset(&rows, 0, sizeof(rows))
    try:
        for query, judged in given.items():
            if not (is_dictionary(judged) and read_judged(query, judged, largest, types, &rows)):
                return None
        outcome = put_together(&rows) if rows.count else IRREGULAR
        if outcome == NO_MEMORY:
            raise MemoryError
        return None if outcome == IRREGULAR else together(&rows)
    finally:
        forget_rows(&rows)


cdef bint read_judged(object query, object judged, double largest, frozenset types, Rows* rows) except -1:
    """Read the documents of a query with their grades; False if something is irregular."""
    cdef Py_ssize_t place = 0
    cdef int64_t owner = -1
    cdef PyObject* key
    cdef PyObject* value
    cdef double grade = 0
    cdef Text text
    if not read_id(query, &text):
        return False
    while PyDict_Next(judged, &place, &key, &value):
        if owner < 0:  # a query without documents is none
            owner = numbered_anew(&rows.queries, &text)
        if owner < 0 or (rows.count == rows.room and not make_room_for_rows(rows, 2 * rows.room + 1024)):
            raise MemoryError
        if not (
            read_id(<object>key, &rows.documents[rows.count])
            and read_number(<object>value, types, &grade)
            and -largest <= grade <= largest
        ):
            return False
        rows.owners[rows.count], rows.grades[rows.count] = owner, grade
        rows.count += 1
    return True
