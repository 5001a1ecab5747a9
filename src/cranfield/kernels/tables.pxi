# Runs in columns of a table: rows of whole queries.


def scan_columns(
    Judged judged not None,
    IdColumn queries not None,
    IdColumn documents not None,
    const double[::1] scores not None,
    const double[::1] ranks,
    *,
    str ties,
    bint single,
):
    """What `scan` gives for lines, for rows of whole queries; None if some row is irregular. There may be no ranks."""
    cdef Order order = <Order><int>ORDERS.index(ties)
    cdef Column[COLUMNS] columns
    cdef Ranking ranking
    cdef Outcome outcome
    cdef Py_ssize_t rows = queries.rows, at
    cdef const double* rank = NULL
    if not rows == documents.rows == scores.shape[0] or (ranks is not None and ranks.shape[0] != rows):
        raise ValueError("columns must be of one length")
    if rows == 0:
        raise ValueError("there must be a row")
    if ranks is not None:
        rank = &ranks[0]
    memset(columns, 0, sizeof(columns))
    memset(&ranking, 0, sizeof(ranking))
    try:
        with nogil:
            outcome = scan_rows(judged, queries, documents, &scores[0], rank, order, single, &ranking, columns)
        if outcome == NO_MEMORY:
            raise MemoryError
        if outcome == IRREGULAR:
            return None
        unknown = [
            queries[columns[ID_START].values[at]]
            for at in range(columns[QUERY].count)
            if columns[QUERY].values[at] < 0
        ]
        return chunk_of(columns, unknown)
    finally:
        forget(&ranking)
        for at in range(COLUMNS):
            free(columns[at].values)


cdef Outcome scan_rows(
    Judged judged,
    IdColumn queries,
    IdColumn documents,
    const double* scores,
    const double* ranks,
    Order order,
    bint single,
    Ranking* ranking,
    Column* columns,
) noexcept nogil:
    cdef Py_ssize_t row = 0, at
    cdef Stretches stretches
    cdef Outcome outcome
    if not (hash_shared(queries) and hash_shared(documents)):
        return NO_MEMORY
    while row < queries.rows:
        if not find_stretches(&judged.queries, queries, row, &stretches):
            return IRREGULAR
        expect_judged(judged, stretches.numbers, stretches.count)
        for at in range(stretches.count):
            row = stretches.firsts[at]
            ranking.query = stretches.ids[at]
            outcome = read_rows(documents, scores, ranks, row, stretches.firsts[at + 1], ranking)
            if outcome == FINE:
                outcome = take(ranking, judged, stretches.numbers[at], order, single, row, columns)
            if outcome != FINE:
                return outcome
        row = stretches.firsts[stretches.count]
    return FINE


cdef Outcome read_rows(
    IdColumn documents, const double* scores, const double* ranks, Py_ssize_t row, Py_ssize_t end, Ranking* ranking
) noexcept nogil:
    """Read the rows of one query."""
    cdef Py_ssize_t count = end - row, at
    cdef bint scores_fall = True, scores_drop = True, ranks_rise = True, sound = True
    cdef double score, rank, last_score = NAN, last_rank = -INFINITY
    if count > MOST_DOCUMENTS:
        return IRREGULAR
    while ranking.room < count:
        if not make_room(ranking):
            return NO_MEMORY
        if documents.starts == NULL and not grown(<void**>&ranking.digits, ranking.room * DIGITS):
            return NO_MEMORY
    for at in range(count):
        sound &= read_row(documents, row + at, ranking.digits + at * DIGITS, &ranking.documents[at])
    for at in range(count):
        score = scores[row + at]
        sound &= score == score
        scores_fall &= not score > last_score
        scores_drop &= not score >= last_score
        ranking.scores[at] = last_score = score
    if ranks != NULL:
        for at in range(count):
            rank = ranks[row + at]
            sound &= rank == rank
            ranks_rise &= rank >= last_rank
            ranking.ranks[at] = last_rank = rank
    ranking.count, ranking.has_ranks, ranking.ranks_rise = count, ranks != NULL, ranks_rise
    ranking.scores_fall, ranking.scores_drop = scores_fall, scores_drop
    return FINE if sound else IRREGULAR
