# Judgments: rows as they come, put side by side by query.


cdef struct Rows:
    Numbered queries
    Numbered groups  # what stands in the second field, where that is wanted
    bint are_grouped
    int64_t* group_numbers
    Py_ssize_t count
    Py_ssize_t room
    int64_t* owners  # the query of each row
    Text* documents
    double* grades
    int64_t* order  # rows by query, those of one query as they came
    int64_t* starts  # where each query's rows begin in that order


cdef void forget_rows(Rows* rows) noexcept nogil:
    forget_numbered(&rows.queries)
    forget_numbered(&rows.groups)
    free(rows.group_numbers)
    free(rows.owners)
    free(rows.documents)
    free(rows.grades)
    free(rows.order)
    free(rows.starts)


cdef bint make_room_for_rows(Rows* rows, Py_ssize_t room) noexcept nogil:
    if not (
        grown(<void**>&rows.owners, (room + 1) * sizeof(int64_t))
        and grown(<void**>&rows.documents, (room + 1) * sizeof(Text))
        and grown(<void**>&rows.grades, (room + 1) * sizeof(double))
        and grown(<void**>&rows.group_numbers, (room + 1) * sizeof(int64_t) if rows.are_grouped else 1)
    ):
        return False
    rows.room = room
    return True


cdef const char* text_in(bytearray buffer, Py_ssize_t end) except NULL:
    """Where a text begins that ends there."""
    cdef const char* data = buffer
    if not 0 < end <= len(buffer) - SLACK or data[end - 1] != c"\n":
        raise ValueError("the text must end with a line end, and the buffer have room to spare")
    return data


def judgments_in(bytearray buffer not None, Py_ssize_t end, *, int fields, double largest):
    """The judgments of TREC lines, or None if some line is irregular or a document is judged twice.

    Lines have four fields (query, iteration, document, grade) or three (query, document, grade); grades go up to the
    largest. The result: queries as they come; where each one's rows begin, and the end of the last; all documents as
    one text; where each begins in it; grades. All but the queries are bytes that hold 64-bit numbers, or text.
    """
    cdef const char* data = text_in(buffer, end)
    cdef Rows rows
    cdef Outcome outcome
    if fields not in (3, 4):
        raise ValueError("lines have three or four fields")
    memset(&rows, 0, sizeof(rows))
    view = memoryview(buffer)  # holds the buffer in place
    try:
        with nogil:
            outcome = read_judgments(data, data + end, fields == 4, largest, &rows)
            if outcome == FINE:
                outcome = put_together(&rows)
            if outcome == FINE:
                outcome = each_is_once(&rows)
        if outcome == NO_MEMORY:
            raise MemoryError
        return None if outcome == IRREGULAR else together(&rows)
    finally:
        view.release()
        forget_rows(&rows)


cdef inline bint read_field(const char* start, const char* end, Text* id) noexcept nogil:
    """The id in a field; False if it is not UTF-8."""
    cdef bint ascii
    id.start, id.length = start, end - start
    id.hash = hash_in_buffer(start, id.length, &ascii)
    return ascii or is_utf8(start, end)


cdef inline int64_t numbered(Numbered* known, const Text* text) noexcept nogil:
    """The number of a text, which gets the next one if it has none; -1 where memory ends."""
    cdef int64_t number = number_of(known, text) if known.count else -1
    return numbered_next(known, text) if number < 0 else number


cdef Outcome read_judgments(
    const char* at, const char* end, bint has_iteration, double largest, Rows* rows
) noexcept nogil:
    cdef const char* field
    cdef Text query, group
    cdef Text* document
    cdef int64_t owner = -1
    cdef double grade
    query.start, query.length = NULL, 0
    while at < end:
        if at[0] == c"#":
            return IRREGULAR
        while is_blank(at[0]):
            at += 1
        if at[0] == c"\n":
            at += 1
            continue
        if rows.count == rows.room and not make_room_for_rows(rows, 2 * rows.room + 1024):
            return NO_MEMORY
        document = &rows.documents[rows.count]
        field = field_end(at)
        if owner < 0 or field - at != query.length or memcmp(at, query.start, query.length) != 0:
            if field == at:
                return IRREGULAR
            if not read_field(at, field, &query):
                return IRREGULAR
            owner = numbered(&rows.queries, &query)
            if owner < 0:
                return NO_MEMORY
        at = next_field(field)
        if at != NULL and has_iteration:
            field = field_end(at)
            if rows.are_grouped:
                if not read_field(at, field, &group):
                    return IRREGULAR
                rows.group_numbers[rows.count] = numbered(&rows.groups, &group)
                if rows.group_numbers[rows.count] < 0:
                    return NO_MEMORY
            at = next_field(field)
        if at == NULL:
            return IRREGULAR
        field = field_end(at)
        if not read_field(at, field, document):
            return IRREGULAR
        at = next_field(field)
        if at == NULL:
            return IRREGULAR
        at = number(at, &grade)
        if at == NULL or not -largest <= grade <= largest:
            return IRREGULAR
        while is_blank(at[0]):
            at += 1
        if at[0] != c"\n":
            return IRREGULAR
        at += 1
        rows.owners[rows.count] = owner
        rows.grades[rows.count] = grade
        rows.count += 1
    return FINE if rows.count else IRREGULAR


cdef Outcome put_together(Rows* rows) noexcept nogil:
    """Order the rows by query, those of one query as they came."""
    if not (
        grown(<void**>&rows.starts, (rows.queries.count + 1) * sizeof(int64_t))
        and grown(<void**>&rows.order, (rows.count + 1) * sizeof(int64_t))
    ):
        return NO_MEMORY
    sort_by_number(rows.owners, rows.count, rows.queries.count, rows.starts, rows.order)
    # Each start was moved on to where the next query's rows begin.
    memmove(rows.starts + 1, rows.starts, rows.queries.count * sizeof(int64_t))
    rows.starts[0] = 0
    return FINE


cdef int64_t most_of_one(const int64_t* starts, Py_ssize_t count) noexcept nogil:
    """The most rows that a query has."""
    cdef Py_ssize_t query
    cdef int64_t most = 0
    for query in range(count):
        most = max(most, starts[query + 1] - starts[query])
    return most


cdef Outcome each_is_once(Rows* rows) noexcept nogil:
    """Irregular if a query has a document twice."""
    cdef Py_ssize_t query
    cdef int64_t begin
    cdef Outcome outcome = FINE
    cdef uint64_t* slots = <uint64_t*>malloc(
        at_least_twice(most_of_one(rows.starts, rows.queries.count)) * sizeof(uint64_t)
    )
    if slots == NULL:
        return NO_MEMORY
    for query in range(rows.queries.count):
        begin = rows.starts[query]
        if has_one_twice(rows.documents, rows.order + begin, rows.starts[query + 1] - begin, slots):
            outcome = IRREGULAR
            break
    free(slots)
    return outcome


cdef bint has_one_twice(Text* texts, int64_t* chosen, Py_ssize_t count, uint64_t* slots) noexcept nogil:
    """Whether some of the chosen texts are the same; the slots have room for twice as many."""
    cdef uint64_t mask = at_least_twice(count) - 1, at
    cdef Py_ssize_t number
    memset(slots, 0, (mask + 1) * sizeof(uint64_t))
    for number in range(count):
        at = texts[chosen[number]].hash & mask
        while slots[at]:
            if is_same(&texts[chosen[slots[at] - 1]], &texts[chosen[number]]):
                return True
            at = (at + 1) & mask
        slots[at] = number + 1
    return False


cdef tuple together(Rows* rows):
    """What `judgments_in` gives."""
    cdef Py_ssize_t row, length = 0
    for row in range(rows.count):
        length += rows.documents[row].length
    cdef bytes documents = PyBytes_FromStringAndSize(NULL, length)
    cdef bytes begins = PyBytes_FromStringAndSize(NULL, (rows.count + 1) * sizeof(int64_t))
    cdef bytes grades = PyBytes_FromStringAndSize(NULL, rows.count * sizeof(double))
    write_in_order(rows, documents, <int64_t*><char*>begins, <double*><char*>grades)
    starts = PyBytes_FromStringAndSize(<char*>rows.starts, (rows.queries.count + 1) * sizeof(int64_t))
    return names(&rows.queries), starts, documents, begins, grades


cdef void write_in_order(Rows* rows, char* documents, int64_t* begins, double* grades) noexcept nogil:
    cdef Py_ssize_t at
    cdef int64_t length = 0
    cdef Text* document
    for at in range(rows.count):
        document = &rows.documents[rows.order[at]]
        memcpy(documents + length, document.start, document.length)
        begins[at] = length
        length += document.length
        grades[at] = rows.grades[rows.order[at]]
    begins[rows.count] = length
