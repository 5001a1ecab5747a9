# Whole rankings, every document of them: read from lines of TREC runs, put side by side, and written as such lines.

from cpython.list cimport PyList_New, PyList_SET_ITEM
from libc.math cimport isnan
from libc.string cimport strlen


cdef extern from "Python.h":
    enum: Py_DTSF_ADD_DOT_0
    char* PyOS_double_to_string(double value, char format, int precision, int flags, int* kind) except NULL
    void PyMem_Free(void* memory)


cdef enum:
    LONGEST_NUMBER = 32  # of a double as Python writes it, and the blanks around


def run_columns(bytes data not None, Py_ssize_t lines):
    """The columns of a run's lines, or None if some line is irregular: queries, documents, scores, ranks and the tag.

    Scores and ranks are bytes of doubles. Irregular are lines that do not have six fields between single blanks,
    numbers that are none, and tags that differ.
    """
    cdef Py_ssize_t length = len(data)
    cdef char* text = <char*>malloc(length + 1 + SLACK)
    if text == NULL:
        raise MemoryError
    try:
        memcpy(text, <const char*>data, length)
        if not length or text[length - 1] != c"\n":
            text[length] = c"\n"
            length += 1
        memset(text + length, 0, SLACK)
        return _columns_of(text, text + length, lines)
    except UnicodeDecodeError:
        return None
    finally:
        free(text)


cdef object _columns_of(const char* at, const char* end, Py_ssize_t lines):
    cdef list queries = PyList_New(lines)
    cdef list documents = PyList_New(lines)
    cdef bytearray scores = bytearray(8 * lines)
    cdef bytearray ranks = bytearray(8 * lines)
    cdef double* score = <double*>PyByteArray_AS_STRING(scores)
    cdef double* rank = <double*>PyByteArray_AS_STRING(ranks)
    cdef const char* query = NULL
    cdef const char* tag = NULL
    cdef const char** blank
    cdef Py_ssize_t count = 0, query_length = 0, tag_length = 0
    cdef Blanks blanks
    cdef bint is_sound = True
    cdef object name = None
    cdef object document
    blanks.indexed, blanks.end, blanks.next, blanks.count = at, end, 0, 0
    while at < end:
        if blanks.next + FIELDS > blanks.count:
            look_ahead(&blanks)
        blank = &blanks.places[blanks.next]
        is_sound = (
            count < lines
            and <unsigned char>at[0] > 32
            and at[0] != c"#"
            and blanks.next + FIELDS <= blanks.count
            and is_plain(at, blank)
            and blank[3] - blank[2] > 1
            and blank[4] - blank[3] > 1
            and number(blank[2] + 1, &rank[count]) == blank[3]
            and number(blank[3] + 1, &score[count]) == blank[4]
            and not isnan(rank[count])
            and not isnan(score[count])
        )
        if not is_sound:
            break
        if tag == NULL:
            tag, tag_length = blank[4] + 1, blank[5] - blank[4] - 1
        elif blank[5] - blank[4] - 1 != tag_length or memcmp(tag, blank[4] + 1, tag_length) != 0:
            is_sound = False
            break
        if blank[0] - at != query_length or query == NULL or memcmp(query, at, query_length) != 0:
            query, query_length = at, blank[0] - at
            name = PyUnicode_DecodeUTF8(query, query_length, NULL)
        document = PyUnicode_DecodeUTF8(blank[1] + 1, blank[2] - blank[1] - 1, NULL)
        Py_INCREF(name)
        PyList_SET_ITEM(queries, count, name)
        Py_INCREF(document)
        PyList_SET_ITEM(documents, count, document)
        count += 1
        blanks.next += FIELDS
        at = blank[5] + 1
    if not is_sound or count < lines:
        return None
    return queries, documents, scores, ranks, tag[:tag_length] if tag != NULL else b""


def numbers_in(documents not None, dict places not None, int64_t[::1] numbers not None):
    """Write the number of each document among all; those that are new get the next ones."""
    cdef Py_ssize_t at = 0
    cdef PyObject* found
    for document in documents:
        found = PyDict_GetItemWithError(places, document)
        if found == NULL:
            numbers[at] = len(places)
            places[document] = numbers[at]
        else:
            numbers[at] = PyLong_AsSsize_t(<object>found)
        at += 1


def run_lines(str query not None, documents not None, const double[::1] scores not None, str tag not None):
    """The lines of a ranking, best first, as a TREC run has them; scores are written as Python writes them."""
    cdef bytes before = f"{query} Q0 ".encode(), after = f" {tag}\n".encode()
    cdef Py_ssize_t room = 0, at = 0, length
    cdef const char* text
    cdef char* written
    cdef char* start
    cdef char* to
    cdef char[DIGITS] digits
    cdef Py_ssize_t around = len(before) + len(after) + DIGITS + LONGEST_NUMBER
    for document in documents:
        PyUnicode_AsUTF8AndSize(document, &length)
        room += length + around
    start = to = <char*>malloc(room + 1)
    if start == NULL:
        raise MemoryError
    try:
        for document in documents:
            text = PyUnicode_AsUTF8AndSize(document, &length)
            to = _put(to, before, len(before))
            to = _put(to, text, length)
            to[0] = c" "
            to = _put(to + 1, digits, write_number(at + 1, digits))
            to[0] = c" "
            written = PyOS_double_to_string(scores[at], c"r", 0, Py_DTSF_ADD_DOT_0, NULL)
            to = _put(to + 1, written, strlen(written))
            PyMem_Free(written)
            to = _put(to, after, len(after))
            at += 1
        return PyUnicode_DecodeUTF8(start, to - start, NULL)
    finally:
        free(start)


cdef inline char* _put(char* to, const char* text, Py_ssize_t length) noexcept:
    memcpy(to, text, length)
    return to + length


def largest_in_rows(const double[:, ::1] values not None, double[:, ::1] largest not None):
    """Write the largest numbers of each row, as many as there is room for, in ascending order; none may be NaN."""
    cdef Py_ssize_t row, column, at, room = largest.shape[1]
    cdef double value
    cdef double* own
    with nogil:
        for row in range(values.shape[0]):
            own = &largest[row, 0]
            for at in range(room):
                own[at] = -INFINITY
            for column in range(values.shape[1]):
                value = values[row, column]
                if value <= own[0]:
                    continue
                at = 0
                while at + 1 < room and own[at + 1] < value:
                    own[at] = own[at + 1]
                    at += 1
                own[at] = value


def weighted_sums(const double[:, ::1] weights not None, const double[:, ::1] rows not None, double[:, ::1] sums not None):
    """Write, for each row of weights, the sum of weighted rows: added in their order, each product rounded."""
    cdef Py_ssize_t at, row, column, width = rows.shape[1]
    cdef double weight
    cdef double* own
    cdef const double* other
    with nogil:
        for at in range(weights.shape[0]):
            own = &sums[at, 0]
            weight, other = weights[at, 0], &rows[0, 0]
            for column in range(width):
                own[column] = weight * other[column]
            for row in range(1, rows.shape[0]):
                weight, other = weights[at, row], &rows[row, 0]
                for column in range(width):
                    own[column] += weight * other[column]
