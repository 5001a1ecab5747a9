# TREC runs: chunks of whole queries.


def scan(
    Judged judged not None, bytearray buffer not None, Py_ssize_t end, *, str ties, bint single, bytes tag=None
):
    """Where the queries of a chunk put their judged documents, or None if some line is irregular.

    A line with another tag than the one given is irregular as well.

    The chunk is what the buffer holds up to `end`: whole lines, and whole queries. The result is eight columns of
    64-bit integers as bytes, and the ids of queries that nobody judged. Of each stretch of lines with one query:
    its number among the judged ones (-1: not judged), documents retrieved, documents that share their score, judged
    documents found. Of each of these, best rank first: row, rank, documents with a higher score, and with the same.
    """
    cdef Order order = <Order><int>ORDERS.index(ties)
    cdef Column[COLUMNS] columns
    cdef Ranking ranking
    cdef Outcome outcome
    cdef Tag own
    cdef Py_ssize_t at
    cdef const char* data = buffer
    if not 0 < end <= len(buffer) - SLACK or data[end - 1] != c"\n":
        raise ValueError("the chunk must end with a line end, and the buffer have room to spare")
    memset(&own, 0, sizeof(own))
    if tag:
        own.start, own.length = tag, len(tag)
        own.mask = ~<uint64_t>0 >> (64 - 8 * min(own.length, 8))
        own.word = last_bytes(own.start, min(own.length, 8), min(own.length, 8))
    memset(columns, 0, sizeof(columns))
    memset(&ranking, 0, sizeof(ranking))
    view = memoryview(buffer)  # holds the buffer in place
    try:
        with nogil:
            outcome = scan_lines(judged, data, data + end, order, single, &own, &ranking, columns)
        if outcome == NO_MEMORY:
            raise MemoryError
        if outcome == IRREGULAR:
            return None
        unknown = [
            PyBytes_FromStringAndSize(data + columns[ID_START].values[at], columns[ID_LENGTH].values[at])
            for at in range(columns[QUERY].count)
            if columns[QUERY].values[at] < 0
        ]
        return chunk_of(columns, unknown)
    finally:
        view.release()
        forget(&ranking)
        for at in range(COLUMNS):
            free(columns[at].values)


cdef Outcome scan_lines(
    Judged judged,
    const char* start,
    const char* end,
    Order order,
    bint single,
    const Tag* tag,
    Ranking* ranking,
    Column* columns,
) noexcept nogil:
    cdef const char* at = start
    cdef Blanks blanks
    cdef Outcome outcome
    cdef int64_t query = -1
    blanks.indexed, blanks.end, blanks.next, blanks.count = start, end, 0, 0
    while True:
        outcome = find_line(&at, &blanks)
        if outcome != FINE or at == end:
            return outcome
        outcome = read_query(&at, &blanks, tag, ranking)
        if outcome == FINE:
            query = number_after(&judged.queries, query, &ranking.query)
            outcome = take(ranking, judged, query, order, single, ranking.query.start - start, columns)
        if outcome != FINE:
            return outcome


cdef Outcome read_query(const char** place, Blanks* blanks, const Tag* tag, Ranking* ranking) noexcept nogil:
    """Read the lines of the query that stands here, up to a line of another one or to the end.

    Where a tag is given, a line with another one is irregular.
    """
    cdef const char* at = place[0]
    cdef const char* query = at
    cdef const char** blank
    cdef Line line
    cdef uint64_t query_word, query_mask, tag_word = tag.word, tag_mask = tag.mask
    cdef Py_ssize_t tag_length = tag.length
    cdef Py_ssize_t query_length = field_end(at) - at, count = 0
    cdef bint ascii, plain, scores_fall = True, scores_drop = True, ranks_rise = True
    cdef double score, rank, last_score = NAN, last_rank = -INFINITY
    ranking.query.start, ranking.query.length = query, query_length
    ranking.query.hash = hash_in_buffer(query, query_length, &ascii)
    if not (ascii or is_utf8(query, query + query_length)):
        return IRREGULAR
    query_mask = ~<uint64_t>0 >> (64 - 8 * min(query_length, 8))
    query_word = load(query) & query_mask
    while at < blanks.end:
        if blanks.next + FIELDS > blanks.count:
            look_ahead(blanks)
        blank = &blanks.places[blanks.next]
        plain = blanks.next + FIELDS <= blanks.count and is_plain(at, blank)
        if plain:
            line.query_end, line.document, line.document_end = blank[0], blank[1] + 1, blank[2]
            line.rank, line.score, line.end = blank[2] + 1, blank[3] + 1, blank[5]
            line.tag, line.tag_end = blank[4] + 1, blank[5]
        elif not split(at, &line):
            return IRREGULAR
        if (
            line.query_end - at != query_length
            or (load(at) & query_mask) != query_word
            or (query_length > 8 and memcmp(at, query, query_length) != 0)
        ):
            break
        if count == ranking.room and not make_room(ranking):
            return NO_MEMORY
        ranking.documents[count].start = line.document
        ranking.documents[count].length = line.document_end - line.document
        ranking.documents[count].hash = hash_in_buffer(line.document, line.document_end - line.document, &ascii)
        if not (ascii or is_utf8(line.document, line.document_end)):
            return IRREGULAR
        if number(line.rank, &rank) == NULL or number(line.score, &score) == NULL:
            return IRREGULAR
        if tag_length and (
            line.tag_end - line.tag != tag_length
            or (load(line.tag) & tag_mask) != tag_word
            or (tag_length > 8 and memcmp(line.tag, tag.start, tag_length) != 0)
        ):
            return IRREGULAR
        scores_fall &= not score > last_score
        scores_drop &= not score >= last_score
        ranks_rise &= rank >= last_rank
        last_score, last_rank = score, rank
        ranking.scores[count] = score
        ranking.ranks[count] = rank
        count += 1
        at = line.end + 1
        if plain:
            blanks.next += FIELDS
        if not plain or <unsigned char>at[0] <= 32 or at[0] == c"#":
            if find_line(&at, blanks) != FINE:
                return IRREGULAR
    place[0] = at
    ranking.count, ranking.has_ranks, ranking.ranks_rise = count, True, ranks_rise
    ranking.scores_fall, ranking.scores_drop = scores_fall, scores_drop
    return FINE if count <= MOST_DOCUMENTS else IRREGULAR


# Queries within a chunk


def cut(bytearray buffer not None, Py_ssize_t end):
    """Where the last query begins of the whole lines before `end`; 0 if all are one query's."""
    cdef const char* data = buffer
    cdef const char* line
    cdef Py_ssize_t start, after = -1, last = 0, length, last_length = 0
    if not 0 <= end <= len(buffer) - SLACK:
        raise ValueError("the buffer must have room to spare")
    while end > 0 and data[end - 1] != c"\n":
        end -= 1
    while end > 0:
        start = end - 1
        while start > 0 and data[start - 1] != c"\n":
            start -= 1
        line = data + start
        while is_blank(line[0]):
            line += 1
        length = field_end(line) - line
        if length and after < 0:
            last, last_length = line - data, length
        elif length and not (length == last_length and memcmp(line, data + last, length) == 0):
            return after
        if length:
            after = start
        end = start
    return 0
