# TREC runs: the documents that come first.


def first_documents(bytearray buffer not None, Py_ssize_t end, *, Py_ssize_t depth, str ties, bint single):
    """What the queries of a chunk have first, or None if some line is irregular.

    The chunk is what the buffer holds up to `end`: whole lines, and whole queries. The result has a line for each
    stretch of lines with one query: its id and those of its documents, best first, with tabs between them.
    """
    cdef Order order = <Order><int>ORDERS.index(ties)
    cdef Ranking ranking
    cdef Blanks blanks
    cdef Tag any_tag
    cdef Outcome outcome = FINE
    cdef const char* data = buffer
    cdef const char* at = data
    cdef Py_ssize_t place
    cdef Text* document
    cdef bytearray found = bytearray()
    if not 0 < end <= len(buffer) - SLACK or data[end - 1] != c"\n":
        raise ValueError("the chunk must end with a line end, and the buffer have room to spare")
    memset(&ranking, 0, sizeof(ranking))
    memset(&any_tag, 0, sizeof(any_tag))
    blanks.indexed, blanks.end, blanks.next, blanks.count = data, data + end, 0, 0
    view = memoryview(buffer)  # holds the buffer in place
    try:
        while True:
            with nogil:
                outcome = find_line(&at, &blanks)
                if outcome == FINE and at < data + end:
                    outcome = read_query(&at, &blanks, &any_tag, &ranking)
                    if outcome == FINE:
                        order_first(&ranking, order, single, depth)
                elif outcome == FINE:
                    at = NULL
            if outcome == NO_MEMORY:
                raise MemoryError
            if outcome == IRREGULAR:
                return None
            if at == NULL:
                return bytes(found)
            found += PyBytes_FromStringAndSize(ranking.query.start, ranking.query.length)
            for place in range(min(depth, ranking.count)):
                document = &ranking.documents[ranking.order[place]]
                found += b"\t"
                found += PyBytes_FromStringAndSize(document.start, document.length)
            found += b"\n"
    finally:
        view.release()
        forget(&ranking)


cdef void order_first(Ranking* ranking, Order order, bint single, Py_ssize_t depth) noexcept nogil:
    """Put documents in the order of their scores, and so many of them, at least, also where scores are equal."""
    cdef Py_ssize_t first = 0, end, at
    if single:
        for at in range(ranking.count):
            ranking.scores[at] = <float>ranking.scores[at]
    in_line_order(ranking)
    if not ranking.scores_fall:
        sort(ranking, 0, ranking.count, BY_SCORE)
    if order == AS_GIVEN or (ranking.scores_drop and not single):
        return
    while first < min(depth, ranking.count):
        end = first + 1
        while end < ranking.count and ranking.scores[ranking.order[end]] == ranking.scores[ranking.order[first]]:
            end += 1
        if end - first > 1:
            sort(ranking, first, end, BY_ID_DOWN if order == LAST_ID_FIRST else BY_ID_UP)
        first = end
