# Judgments of several groups, such as subtopics or judges: each document once, with all grades it has.


cdef struct Merged:
    # Documents of all queries, each once and of a query the last id first; grades as they came.
    Py_ssize_t count
    Text* documents
    double* largest
    int64_t* starts  # where each query's documents begin
    int64_t* rows  # of each grade: its document
    int64_t* numbers  # and which of its query's groups it is by, as they came
    int64_t* counts  # of each query: its groups
    # Of one query at a time:
    Ranking own  # its documents as they came
    uint64_t* pairs  # of documents and groups
    int64_t* places  # of its documents, the last id first
    # Of each group: the last query it was met in, from 1 on, and its number there.
    int64_t* met
    int64_t* own_numbers


cdef void forget_merged(Merged* merged) noexcept nogil:
    free(merged.documents)
    free(merged.largest)
    free(merged.starts)
    free(merged.rows)
    free(merged.numbers)
    free(merged.counts)
    forget(&merged.own)
    free(merged.pairs)
    free(merged.places)
    free(merged.met)
    free(merged.own_numbers)


cdef bint make_room_to_merge(Merged* merged, const Rows* rows) noexcept nogil:
    """Room for as many documents as rows; False where memory ends."""
    cdef size_t all_rows = rows.count + 1, queries = rows.queries.count + 1, groups = rows.groups.count + 1
    cdef size_t most = most_of_one(rows.starts, rows.queries.count) + 1
    if not (
        grown(<void**>&merged.documents, all_rows * sizeof(Text))
        and grown(<void**>&merged.largest, all_rows * sizeof(double))
        and grown(<void**>&merged.rows, all_rows * sizeof(int64_t))
        and grown(<void**>&merged.numbers, all_rows * sizeof(int64_t))
        and grown(<void**>&merged.starts, queries * sizeof(int64_t))
        and grown(<void**>&merged.counts, queries * sizeof(int64_t))
        and grown(<void**>&merged.own.documents, most * sizeof(Text))
        and grown(<void**>&merged.own.order, most * sizeof(uint32_t))
        and grown(<void**>&merged.own.scratch, most * sizeof(uint32_t))
        and grown(<void**>&merged.own.slots, at_least_twice(most) * sizeof(uint64_t))
        and grown(<void**>&merged.pairs, at_least_twice(most) * sizeof(uint64_t))
        and grown(<void**>&merged.places, most * sizeof(int64_t))
        and grown(<void**>&merged.met, groups * sizeof(int64_t))
        and grown(<void**>&merged.own_numbers, groups * sizeof(int64_t))
    ):
        return False
    memset(merged.met, 0, groups * sizeof(int64_t))
    return True


def grouped_judgments_in(bytearray buffer not None, Py_ssize_t end, *, double largest):
    """The judgments of TREC lines by what stands in their second field, or None if only the plain loops can read them.

    The result is what `judgments_in` gives of documents and their largest grades, each query's last id first, and of
    all grades: where each query's begin, with the end of the last; the document and the group of each, groups counted
    within their query as they come; the grades; and how many groups each query has.
    """
    cdef const char* data = text_in(buffer, end)
    cdef Rows rows
    cdef Merged merged
    cdef Outcome outcome
    memset(&rows, 0, sizeof(rows))
    memset(&merged, 0, sizeof(merged))
    rows.are_grouped = True
    view = memoryview(buffer)  # holds the buffer in place
    try:
        with nogil:
            outcome = read_judgments(data, data + end, True, largest, &rows)
            if outcome == FINE:
                outcome = put_together(&rows)
            if outcome == FINE:
                outcome = merge_all(&rows, &merged)
        if outcome == NO_MEMORY:
            raise MemoryError
        return None if outcome == IRREGULAR else merged_judgments(&rows, &merged)
    finally:
        view.release()
        forget_rows(&rows)
        forget_merged(&merged)


cdef Outcome merge_all(const Rows* rows, Merged* merged) noexcept nogil:
    cdef Py_ssize_t query
    if rows.count > MOST_DOCUMENTS:
        return IRREGULAR
    if not make_room_to_merge(merged, rows):
        return NO_MEMORY
    for query in range(rows.queries.count):
        merged.starts[query] = merged.count
        if not merge(rows, query, merged):
            return IRREGULAR
    merged.starts[rows.queries.count] = merged.count
    return FINE


cdef bint merge(const Rows* rows, Py_ssize_t query, Merged* merged) noexcept nogil:
    """Give each document of a query one row, and each of its grades a group; False if a group gives it two."""
    cdef int64_t begin = rows.starts[query], group, row
    cdef Py_ssize_t count = rows.starts[query + 1] - begin, at, groups = 0
    cdef Ranking* own = &merged.own
    own.count, own.mask = 0, at_least_twice(count) - 1
    memset(own.slots, 0, (own.mask + 1) * sizeof(uint64_t))
    memset(merged.pairs, 0, (own.mask + 1) * sizeof(uint64_t))
    for at in range(count):
        row = rows.order[begin + at]
        group = rows.group_numbers[row]
        if merged.met[group] != query + 1:
            merged.met[group], merged.own_numbers[group] = query + 1, groups
            groups += 1
        merged.numbers[begin + at] = merged.own_numbers[group]
        merged.rows[begin + at] = document_number(own, &rows.documents[row])
        if not is_new_pair(merged, merged.rows[begin + at], merged.numbers[begin + at]):
            return False
    merged.counts[query] = groups
    add_last_first(merged)
    for at in range(count):
        row = merged.starts[query] + merged.places[merged.rows[begin + at]]
        merged.rows[begin + at] = row
        merged.largest[row] = max(merged.largest[row], rows.grades[rows.order[begin + at]] + 0.0)  # of 0 and -0, 0
    return True


cdef inline int64_t document_number(Ranking* own, const Text* document) noexcept nogil:
    """Which of its query's documents this is, as they come."""
    cdef uint64_t at = document.hash & own.mask
    while own.slots[at]:
        if is_same(&own.documents[own.slots[at] - 1], document):
            return <int64_t>own.slots[at] - 1
        at = (at + 1) & own.mask
    own.documents[own.count] = document[0]
    own.count += 1
    own.slots[at] = own.count
    return own.count - 1


cdef inline bint is_new_pair(Merged* merged, int64_t document, int64_t group) noexcept nogil:
    """Note that a group has graded a document; False if it has before."""
    cdef uint64_t pair = (<uint64_t>document << 32 | <uint64_t>group) + 1
    cdef uint64_t at = mixed(0, pair) & merged.own.mask
    while merged.pairs[at]:
        if merged.pairs[at] == pair:
            return False
        at = (at + 1) & merged.own.mask
    merged.pairs[at] = pair
    return True


cdef void add_last_first(Merged* merged) noexcept nogil:
    """Append a query's documents, the last id first, and set to which place each of them goes."""
    cdef Ranking* own = &merged.own
    cdef Py_ssize_t at
    in_line_order(own)
    sort(own, 0, own.count, BY_ID_DOWN)
    for at in range(own.count):
        merged.places[own.order[at]] = at
        merged.documents[merged.count + at] = own.documents[own.order[at]]
        merged.largest[merged.count + at] = -INFINITY
    merged.count += own.count


cdef tuple merged_judgments(const Rows* rows, const Merged* merged):
    """What `grouped_judgments_in` gives."""
    cdef Py_ssize_t at, length = 0, queries = rows.queries.count
    for at in range(merged.count):
        length += merged.documents[at].length
    cdef bytes documents = PyBytes_FromStringAndSize(NULL, length)
    cdef bytes begins = PyBytes_FromStringAndSize(NULL, (merged.count + 1) * sizeof(int64_t))
    cdef bytes grades = PyBytes_FromStringAndSize(NULL, rows.count * sizeof(double))
    write_texts(merged.documents, merged.count, documents, <int64_t*><char*>begins)
    for at in range(rows.count):
        (<double*><char*>grades)[at] = rows.grades[rows.order[at]]
    return (
        (
            names(&rows.queries),
            PyBytes_FromStringAndSize(<char*>merged.starts, (queries + 1) * sizeof(int64_t)),
            documents,
            begins,
            PyBytes_FromStringAndSize(<char*>merged.largest, merged.count * sizeof(double)),
        ),
        (
            PyBytes_FromStringAndSize(<char*>rows.starts, (queries + 1) * sizeof(int64_t)),
            PyBytes_FromStringAndSize(<char*>merged.rows, rows.count * sizeof(int64_t)),
            PyBytes_FromStringAndSize(<char*>merged.numbers, rows.count * sizeof(int64_t)),
            grades,
            PyBytes_FromStringAndSize(<char*>merged.counts, queries * sizeof(int64_t)),
        ),
    )


cdef void write_texts(const Text* texts, Py_ssize_t count, char* to, int64_t* begins) noexcept nogil:
    """Write texts one after the other, and where each of them begins."""
    cdef Py_ssize_t at
    begins[0] = 0
    for at in range(count):
        memcpy(to + begins[at], texts[at].start, texts[at].length)
        begins[at + 1] = begins[at] + texts[at].length
