# One query: what it retrieved, whether that is sound, and where its judged documents come.


ORDERS = ("document", "document-ascending", "given")
"""In which order documents of equal score come."""

cdef enum Order:
    LAST_ID_FIRST
    FIRST_ID_FIRST
    AS_GIVEN


cdef enum:
    MOST_DOCUMENTS = 0x7FFFFFFF


cdef struct Ranking:
    Text query
    Py_ssize_t count
    Py_ssize_t room
    Text* documents
    char* digits  # of documents that are whole numbers
    double* scores
    double* ranks
    bint has_ranks
    bint scores_fall  # no score is higher than the one a line before
    bint scores_drop  # each is lower: none are tied
    bint ranks_rise  # no rank is smaller than the one a line before
    uint64_t* slots  # documents by hash: the upper half of a hash next to the document's number, from 1 on; 0 is free
    uint64_t mask
    int64_t* rows  # of each judged document in the judgments; -1 for others
    uint32_t* order  # documents as they are ranked
    uint32_t* scratch


cdef void forget(Ranking* ranking) noexcept nogil:
    free(ranking.documents)
    free(ranking.digits)
    free(ranking.scores)
    free(ranking.ranks)
    free(ranking.slots)
    free(ranking.rows)
    free(ranking.order)
    free(ranking.scratch)


cdef bint make_room(Ranking* ranking) noexcept nogil:
    """Room for twice the documents; False where memory ends."""
    cdef Py_ssize_t room = 2 * ranking.room if ranking.room else 1024
    if not (
        grown(<void**>&ranking.documents, room * sizeof(Text))
        and grown(<void**>&ranking.scores, room * sizeof(double))
        and grown(<void**>&ranking.ranks, room * sizeof(double))
        and grown(<void**>&ranking.rows, room * sizeof(int64_t))
        and grown(<void**>&ranking.order, room * sizeof(uint32_t))
        and grown(<void**>&ranking.scratch, room * sizeof(uint32_t))
        and grown(<void**>&ranking.slots, at_least_twice(2 * room) * sizeof(uint64_t))
    ):
        return False
    ranking.room = room
    return True


cdef bint index(Ranking* ranking) noexcept nogil:
    """Make the documents known by their hashes; False if one comes twice."""
    cdef uint32_t number
    cdef uint64_t at, entry, tag
    ranking.mask = at_least_twice(2 * ranking.count) - 1  # three quarters stay free: most ids are not there
    memset(ranking.slots, 0, (ranking.mask + 1) * sizeof(uint64_t))
    for number in range(<uint32_t>ranking.count):
        tag = ranking.documents[number].hash
        at = tag & ranking.mask
        tag &= 0xFFFFFFFF00000000ULL
        while ranking.slots[at]:
            entry = ranking.slots[at]
            if (entry & 0xFFFFFFFF00000000ULL) == tag:
                if is_same(&ranking.documents[<uint32_t>entry - 1], &ranking.documents[number]):
                    return False
            at = (at + 1) & ranking.mask
        ranking.slots[at] = tag | (number + 1)
    return True


cdef bint is_sound(Ranking* ranking) noexcept nogil:
    """Whether each document comes once, and the rank column, if there is one, says what the scores say."""
    if not index(ranking):
        return False
    return not ranking.has_ranks or (ranking.ranks_rise and ranking.scores_fall) or ranks_agree(ranking)


cdef bint ranks_agree(Ranking* ranking) noexcept nogil:
    """Whether no document has a higher score than one of a smaller rank."""
    cdef Py_ssize_t at
    cdef uint32_t document
    cdef double lowest_before = INFINITY, lowest = INFINITY, score
    in_line_order(ranking)
    for at in range(ranking.count):
        ranking.ranks[at] = -ranking.ranks[at]
    sort(ranking, 0, ranking.count, BY_RANK)
    for at in range(ranking.count):
        document = ranking.order[at]
        score = ranking.scores[document]
        if at and ranking.ranks[document] < ranking.ranks[ranking.order[at - 1]]:
            lowest_before = lowest
        if score > lowest_before:
            return False
        lowest = min(lowest, score)
    return True


cdef enum:
    # Of each query:
    QUERY
    RETRIEVED
    TIES
    FOUND
    ID_START
    ID_LENGTH
    # Of each judged document that was found:
    ROW
    RANK
    ABOVE
    TIED
    COLUMNS


cdef tuple chunk_of(Column* columns, list unknown):
    """What a chunk gives: the columns, and the ids of queries that nobody judged."""
    return (
        handed_over(&columns[QUERY]),
        handed_over(&columns[RETRIEVED]),
        handed_over(&columns[TIES]),
        handed_over(&columns[FOUND]),
        handed_over(&columns[ROW]),
        handed_over(&columns[RANK]),
        handed_over(&columns[ABOVE]),
        handed_over(&columns[TIED]),
        unknown,
    )


cdef Outcome take(
    Ranking* ranking, Judged judged, int64_t number, Order order, bint single, int64_t where, Column* columns
) noexcept nogil:
    """Append what a query of this number gives, if it is sound, and where its id is to be found."""
    cdef int64_t found = 0, ties = 0
    cdef Outcome outcome = FINE if is_sound(ranking) else IRREGULAR
    if outcome == FINE and number >= 0:
        outcome = place(ranking, judged, number, order, single, columns, &found, &ties)
    if outcome != FINE:
        return outcome
    if not (
        append(&columns[QUERY], number)
        and append(&columns[RETRIEVED], ranking.count)
        and append(&columns[TIES], ties)
        and append(&columns[FOUND], found)
        and append(&columns[ID_START], where)
        and append(&columns[ID_LENGTH], ranking.query.length)
    ):
        return NO_MEMORY
    return FINE


cdef Outcome place(
    Ranking* ranking,
    Judged judged,
    int64_t query,
    Order order,
    bint single,
    Column* columns,
    int64_t* found,
    int64_t* ties,
) noexcept nogil:
    """Append the places of the query's judged documents, best rank first; count them, and documents that are tied."""
    cdef Py_ssize_t first = 0, end, at
    cdef bint any_judged
    cdef double score
    cdef Text document
    for at in range(ranking.count):
        ranking.rows[at] = -1
    for at in range(judged.starts[query], judged.starts[query + 1]):
        read_text(judged.documents, at, &document)
        find(ranking, &document, at)
    if ranking.scores_drop and not single:
        return place_as_given(ranking, columns, found)
    if single:
        for at in range(ranking.count):
            ranking.scores[at] = <float>ranking.scores[at]
    in_line_order(ranking)
    if not ranking.scores_fall:
        sort(ranking, 0, ranking.count, BY_SCORE)
    while first < ranking.count:
        score = ranking.scores[ranking.order[first]]
        any_judged = ranking.rows[ranking.order[first]] >= 0
        end = first + 1
        while end < ranking.count and ranking.scores[ranking.order[end]] == score:
            any_judged |= ranking.rows[ranking.order[end]] >= 0
            end += 1
        if end - first > 1:
            ties[0] += end - first
            if any_judged and order != AS_GIVEN:
                sort(ranking, first, end, BY_ID_DOWN if order == LAST_ID_FIRST else BY_ID_UP)
        if any_judged:
            for at in range(first, end):
                if ranking.rows[ranking.order[at]] >= 0:
                    found[0] += 1
                    if not add_place(columns, ranking.rows[ranking.order[at]], at + 1, first, end - first):
                        return NO_MEMORY
        first = end
    return FINE


cdef Outcome place_as_given(Ranking* ranking, Column* columns, int64_t* found) noexcept nogil:
    """Append the places of judged documents where each score is lower than the one before."""
    cdef int64_t* rows
    cdef int64_t* ranks
    cdef int64_t* above
    cdef int64_t* tied
    cdef Py_ssize_t at, count = 0
    for at in range(ROW, COLUMNS):
        if not make_room_in(&columns[at], ranking.count):
            return NO_MEMORY
    rows, ranks = columns[ROW].values + columns[ROW].count, columns[RANK].values + columns[RANK].count
    above, tied = columns[ABOVE].values + columns[ABOVE].count, columns[TIED].values + columns[TIED].count
    # Which documents are judged cannot be foreseen: written over is quicker than asked about.
    for at in range(ranking.count):
        rows[count], ranks[count] = ranking.rows[at], at + 1
        count += ranking.rows[at] >= 0
    for at in range(count):
        above[at], tied[at] = ranks[at] - 1, 1
    for at in range(ROW, COLUMNS):
        columns[at].count += count
    found[0] = count
    return FINE


cdef bint add_place(Column* columns, int64_t row, int64_t rank, int64_t above, int64_t tied) noexcept nogil:
    return (
        append(&columns[ROW], row)
        and append(&columns[RANK], rank)
        and append(&columns[ABOVE], above)
        and append(&columns[TIED], tied)
    )


cdef inline void find(Ranking* ranking, Text* judged, int64_t row) noexcept nogil:
    """Note the row of a judged document at its place in the ranking, if it was retrieved."""
    cdef uint64_t at = judged.hash & ranking.mask
    cdef uint64_t tag = judged.hash & 0xFFFFFFFF00000000ULL
    cdef uint64_t entry
    while ranking.slots[at]:
        entry = ranking.slots[at]
        if (entry & 0xFFFFFFFF00000000ULL) == tag and is_same(&ranking.documents[<uint32_t>entry - 1], judged):
            ranking.rows[<uint32_t>entry - 1] = row
            return
        at = (at + 1) & ranking.mask


# Sorting


cdef enum Key:
    BY_SCORE
    BY_RANK
    BY_ID_DOWN
    BY_ID_UP


cdef void in_line_order(Ranking* ranking) noexcept nogil:
    cdef uint32_t number
    for number in range(<uint32_t>ranking.count):
        ranking.order[number] = number


cdef void sort(Ranking* ranking, Py_ssize_t start, Py_ssize_t end, Key key) noexcept nogil:
    """Sort a part of the order, largest first; what is equal stays as it was. Merges ever longer sorted stretches."""
    cdef uint32_t* source = ranking.order
    cdef uint32_t* target = ranking.scratch
    cdef Py_ssize_t width = 1, left, right, middle, last, at, to
    while width < end - start:
        to = start
        while to < end:
            left, middle, last = to, min(to + width, end), min(to + 2 * width, end)
            right = middle
            for at in range(to, last):
                if right == last or (left < middle and not goes_first(ranking, source[right], source[left], key)):
                    target[at] = source[left]
                    left += 1
                else:
                    target[at] = source[right]
                    right += 1
            to = last
        source, target = target, source
        width *= 2
    if source != ranking.order:
        memcpy(ranking.order + start, source + start, (end - start) * sizeof(uint32_t))


cdef inline bint goes_first(Ranking* ranking, uint32_t one, uint32_t other, Key key) noexcept nogil:
    if key == BY_SCORE:
        return ranking.scores[one] > ranking.scores[other]
    if key == BY_RANK:
        return ranking.ranks[one] > ranking.ranks[other]
    if key == BY_ID_DOWN:
        return compared(&ranking.documents[one], &ranking.documents[other]) > 0
    return compared(&ranking.documents[one], &ranking.documents[other]) < 0
