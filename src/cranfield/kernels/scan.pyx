# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The loops over a TREC run, compiled: lines of bytes in, places of judged documents out.

`scan` reads a chunk that holds whole queries. Whatever it is not sure to read as the plain loops do (a line of
another shape, a document listed twice, ranks that contradict scores) it does not judge: it says that the chunk is
irregular, and the plain loops read the file and find the words.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.math cimport INFINITY, NAN
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy, memmove, memset

include "words.pxi"
include "numbers.pxi"

ORDERS = ("document", "document-ascending", "given")
"""In which order documents of equal score come."""

cdef enum Order:
    LAST_ID_FIRST
    FIRST_ID_FIRST
    AS_GIVEN

cdef enum Outcome:
    FINE
    IRREGULAR
    NO_MEMORY


# The judgments, as the loops read them


cdef struct Text:
    const char* start
    Py_ssize_t length
    uint64_t hash


cdef class Judged:
    """Judged queries and their documents, hashed; read by any number of threads at once."""

    cdef object kept
    cdef Text* queries
    cdef Text* documents
    cdef int64_t* starts
    cdef int64_t* slots  # queries by hash: their numbers, from 1 on; 0 is free
    cdef uint64_t mask

    def __cinit__(self, tuple queries, tuple documents, starts):
        cdef Py_ssize_t number, count = len(queries)
        if len(starts) != count + 1 or starts[0] != 0 or starts[count] != len(documents):
            raise ValueError("starts must be where each query's documents begin, and their end")
        self.kept = queries, documents  # their texts are read where they are
        self.mask = at_least_twice(count) - 1
        self.queries = <Text*>malloc((count + 1) * sizeof(Text))
        self.documents = <Text*>malloc((len(documents) + 1) * sizeof(Text))
        self.starts = <int64_t*>malloc((count + 1) * sizeof(int64_t))
        self.slots = <int64_t*>calloc(self.mask + 1, sizeof(int64_t))
        if not (self.queries and self.documents and self.starts and self.slots):
            raise MemoryError
        for number in range(count + 1):
            self.starts[number] = starts[number]
            if number and self.starts[number] < self.starts[number - 1]:
                raise ValueError("starts must not fall")
        write_texts(documents, self.documents)
        write_texts(queries, self.queries)
        for number in range(count):
            self.enter(number)

    def __dealloc__(self):
        free(self.queries)
        free(self.documents)
        free(self.starts)
        free(self.slots)

    cdef void enter(self, Py_ssize_t number):
        cdef uint64_t at = self.queries[number].hash & self.mask
        while self.slots[at]:
            at = (at + 1) & self.mask
        self.slots[at] = number + 1

    cdef int64_t number_of(self, Text* query) noexcept nogil:
        """Where a query stands among the judged ones; -1 if nobody judged it."""
        cdef uint64_t at = query.hash & self.mask
        while self.slots[at]:
            if is_same(&self.queries[self.slots[at] - 1], query):
                return self.slots[at] - 1
            at = (at + 1) & self.mask
        return -1


cdef int write_texts(tuple ids, Text* texts) except -1:
    cdef Py_ssize_t at
    for at in range(len(ids)):
        texts[at].start = PyUnicode_AsUTF8AndSize(ids[at], &texts[at].length)
        texts[at].hash = hash_of_text(texts[at].start, texts[at].length)
    return 0


cdef inline bint is_same(Text* one, Text* other) noexcept nogil:
    return (
        one.hash == other.hash
        and one.length == other.length
        and memcmp(one.start, other.start, one.length) == 0
    )


cdef uint64_t at_least_twice(uint64_t count) noexcept nogil:
    """A power of two, so that half of a hash table stays free."""
    cdef uint64_t size = 16
    while size < 2 * count:
        size *= 2
    return size


# What is known of the query that is being read


cdef struct Ranking:
    Text query
    Py_ssize_t count
    Py_ssize_t room
    Text* documents
    double* scores
    double* ranks
    bint scores_fall  # no score is higher than the one a line before
    bint scores_drop  # each is lower: none are tied
    bint ranks_rise  # no rank is smaller than the one a line before
    uint64_t* slots  # documents by hash: the upper half of a hash beside the document's number, from 1 on; 0 is free
    uint64_t mask
    int64_t* rows  # of each judged document in the judgments; -1 for others
    uint32_t* order  # documents as they are ranked
    uint32_t* scratch


cdef void forget(Ranking* ranking) noexcept nogil:
    free(ranking.documents)
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
        and grown(<void**>&ranking.slots, at_least_twice(room) * sizeof(uint64_t))
    ):
        return False
    ranking.room = room
    return True


cdef bint grown(void** array, size_t size) noexcept nogil:
    cdef void* larger = realloc(array[0], size)
    if larger == NULL:
        return False
    array[0] = larger
    return True


# What a chunk gave


cdef struct Column:
    int64_t* values
    Py_ssize_t count
    Py_ssize_t room


cdef bint append(Column* column, int64_t value) noexcept nogil:
    if column.count == column.room:
        if not grown(<void**>&column.values, (2 * column.room + 64) * sizeof(int64_t)):
            return False
        column.room = 2 * column.room + 64
    column.values[column.count] = value
    column.count += 1
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


cdef bytes as_bytes(Column* column):
    return PyBytes_FromStringAndSize(<char*>column.values, column.count * sizeof(int64_t))


def scan(Judged judged not None, bytearray buffer not None, Py_ssize_t end, *, str ties, bint single):
    """Where the queries of a chunk put their judged documents, or None if some line is irregular.

    The chunk is what the buffer holds up to `end`: whole lines, and whole queries. The result is eight columns of
    64-bit integers as bytes, and the ids of queries that nobody judged. Of each stretch of lines with one query:
    its number among the judged ones (-1: not judged), documents retrieved, documents that share their score, judged
    documents found. Of each of these, best rank first: row, rank, documents with a higher score, and with the same.
    """
    cdef Order order = <Order><int>ORDERS.index(ties)
    cdef Column[COLUMNS] columns
    cdef Ranking ranking
    cdef Outcome outcome
    cdef Py_ssize_t at
    cdef const char* data = buffer
    if not 0 < end <= len(buffer) - SLACK or data[end - 1] != c"\n":
        raise ValueError("the chunk must end with a line end, and the buffer have room to spare")
    memset(columns, 0, sizeof(columns))
    memset(&ranking, 0, sizeof(ranking))
    view = memoryview(buffer)  # holds the buffer in place
    try:
        with nogil:
            outcome = scan_lines(judged, data, data + end, order, single, &ranking, columns)
        if outcome == NO_MEMORY:
            raise MemoryError
        if outcome == IRREGULAR:
            return None
        unknown = [
            PyBytes_FromStringAndSize(data + columns[ID_START].values[at], columns[ID_LENGTH].values[at])
            for at in range(columns[QUERY].count)
            if columns[QUERY].values[at] < 0
        ]
        return (
            as_bytes(&columns[QUERY]),
            as_bytes(&columns[RETRIEVED]),
            as_bytes(&columns[TIES]),
            as_bytes(&columns[FOUND]),
            as_bytes(&columns[ROW]),
            as_bytes(&columns[RANK]),
            as_bytes(&columns[ABOVE]),
            as_bytes(&columns[TIED]),
            unknown,
        )
    finally:
        view.release()
        forget(&ranking)
        for at in range(COLUMNS):
            free(columns[at].values)


cdef Outcome scan_lines(
    Judged judged, const char* start, const char* end, Order order, bint single, Ranking* ranking, Column* columns
) noexcept nogil:
    cdef const char* at = start
    cdef Blanks blanks
    cdef Outcome outcome
    cdef int64_t query, found, ties
    blanks.indexed, blanks.end, blanks.next, blanks.count = start, end, 0, 0
    while True:
        outcome = find_line(&at, &blanks)
        if outcome != FINE or at == end:
            return outcome
        outcome = read_query(&at, &blanks, ranking)
        if outcome == FINE:
            outcome = check(ranking)
        if outcome != FINE:
            return outcome
        query, found, ties = judged.number_of(&ranking.query), 0, 0
        if query >= 0:
            outcome = place(ranking, judged, query, order, single, columns, &found, &ties)
            if outcome != FINE:
                return outcome
        if not (
            append(&columns[QUERY], query)
            and append(&columns[RETRIEVED], ranking.count)
            and append(&columns[TIES], ties)
            and append(&columns[FOUND], found)
            and append(&columns[ID_START], ranking.query.start - start)
            and append(&columns[ID_LENGTH], ranking.query.length)
        ):
            return NO_MEMORY


# Lines and their fields


cdef enum:
    AHEAD = 64 * 64
    FIELDS = 6


cdef struct Blanks:
    # Where the next blanks are. To find them first, and then read the fields between them, is faster than to find
    # each from where the field before it ended: the processor need not wait for one field to begin with the next.
    const char* indexed  # all blanks before this are known
    const char* end
    Py_ssize_t next
    Py_ssize_t count
    const char* places[AHEAD + 64]


cdef struct Line:
    const char* query_end
    const char* document
    const char* document_end
    const char* rank
    const char* score
    const char* end


cdef void look_ahead(Blanks* blanks) noexcept nogil:
    """Find the blanks of some more bytes; those found before and not yet used stay."""
    cdef Py_ssize_t count = blanks.count - blanks.next
    cdef const char* at = blanks.indexed
    cdef const char** to = blanks.places
    cdef const char** last
    cdef uint64_t found
    memmove(to, to + blanks.next, count * sizeof(const char*))
    while at < blanks.end and count <= AHEAD - 64:
        found = blanks_of_64(at)
        if blanks.end - at < 64:
            found &= (<uint64_t>1 << (blanks.end - at)) - 1
        to = &blanks.places[count]
        count += ones_in(found)
        last = &blanks.places[count]
        while to < last:
            # Four at once, some perhaps past the last: the number of rounds can be foreseen, that of blanks not.
            to[0] = at + trailing_zeros(found | LAST_BIT)
            found &= found - 1
            to[1] = at + trailing_zeros(found | LAST_BIT)
            found &= found - 1
            to[2] = at + trailing_zeros(found | LAST_BIT)
            found &= found - 1
            to[3] = at + trailing_zeros(found | LAST_BIT)
            found &= found - 1
            to += 4
        at += 64
    blanks.indexed = at if at < blanks.end else blanks.end
    blanks.next, blanks.count = 0, count


cdef void pass_over(Blanks* blanks, const char* at) noexcept nogil:
    """Forget the blanks before a place."""
    while True:
        while blanks.next < blanks.count and blanks.places[blanks.next] < at:
            blanks.next += 1
        if blanks.next < blanks.count or blanks.indexed == blanks.end:
            return
        look_ahead(blanks)


cdef Outcome find_line(const char** place, Blanks* blanks) noexcept nogil:
    """Go to the first field of the next line that has any, or to the end."""
    cdef const char* at = place[0]
    while at < blanks.end:
        if at[0] == c"#":
            return IRREGULAR
        while is_blank(at[0]):
            at += 1
        if <unsigned char>at[0] > 32:
            break
        if at[0] != c"\n":
            return IRREGULAR
        at += 1
    pass_over(blanks, at)
    place[0] = at
    return FINE


cdef inline bint is_plain(const char* at, const char** blank) noexcept nogil:
    """Whether the line here has six fields, and nothing but one blank between them."""
    return (
        blank[5][0] == c"\n"
        and is_blank(blank[0][0])
        and is_blank(blank[1][0])
        and is_blank(blank[2][0])
        and is_blank(blank[3][0])
        and is_blank(blank[4][0])
        and blank[1] - blank[0] > 1
        and blank[2] - blank[1] > 1
        and blank[5] - blank[4] > 1
    )


cdef bint split(const char* at, Line* line) noexcept nogil:
    """Find the fields of a line with any blanks; False if there are not six of them."""
    line.query_end = field_end(at)
    at = next_field(line.query_end)
    if at == NULL:
        return False
    line.document = next_field(field_end(at))
    if line.document == NULL:
        return False
    line.document_end = field_end(line.document)
    line.rank = next_field(line.document_end)
    if line.rank == NULL:
        return False
    line.score = next_field(field_end(line.rank))
    if line.score == NULL:
        return False
    at = next_field(field_end(line.score))
    if at == NULL:
        return False
    line.end = field_end(at)
    while is_blank(line.end[0]):
        line.end += 1
    return line.end[0] == c"\n"


cdef Outcome read_query(const char** place, Blanks* blanks, Ranking* ranking) noexcept nogil:
    """Read the lines of the query that stands here, up to a line of another one or to the end."""
    cdef const char* at = place[0]
    cdef const char* query = at
    cdef const char** blank
    cdef Line line
    cdef uint64_t query_word, query_mask
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
    ranking.count, ranking.ranks_rise = count, ranks_rise
    ranking.scores_fall, ranking.scores_drop = scores_fall, scores_drop
    return FINE if count <= 0x7FFFFFFF else IRREGULAR


cdef Outcome check(Ranking* ranking) noexcept nogil:
    """Whether each document comes once, and the rank column says what the scores say."""
    cdef uint32_t number
    cdef uint64_t at, entry, tag
    ranking.mask = at_least_twice(ranking.count) - 1
    memset(ranking.slots, 0, (ranking.mask + 1) * sizeof(uint64_t))
    for number in range(<uint32_t>ranking.count):
        tag = ranking.documents[number].hash
        at = tag & ranking.mask
        tag &= 0xFFFFFFFF00000000ULL
        while ranking.slots[at]:
            entry = ranking.slots[at]
            if (entry & 0xFFFFFFFF00000000ULL) == tag:
                if is_same(&ranking.documents[<uint32_t>entry - 1], &ranking.documents[number]):
                    return IRREGULAR
            at = (at + 1) & ranking.mask
        ranking.slots[at] = tag | (number + 1)
    if ranking.ranks_rise and ranking.scores_fall:
        return FINE
    return FINE if ranks_agree(ranking) else IRREGULAR


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
    for at in range(ranking.count):
        ranking.rows[at] = -1
    for at in range(judged.starts[query], judged.starts[query + 1]):
        find(ranking, &judged.documents[at], at)
    if ranking.scores_drop and not single:
        for at in range(ranking.count):
            if ranking.rows[at] >= 0:
                found[0] += 1
                if not add_place(columns, ranking.rows[at], at + 1, at, 1):
                    return NO_MEMORY
        return FINE
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


cdef inline Py_ssize_t compared(Text* one, Text* other) noexcept nogil:
    """Positive if the first id comes later; UTF-8 has the order of the code points by which Python compares."""
    cdef int difference = memcmp(one.start, other.start, min(one.length, other.length))
    return difference if difference else one.length - other.length


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


def gather(bytearray buffer not None, Py_ssize_t end, dict lines not None):
    """Append to each query's lines what a chunk has of them; queries without an entry are passed by."""
    cdef const char* data = buffer
    cdef const char* at = data
    cdef const char* line
    cdef const char* field
    cdef const char* query = NULL
    cdef Py_ssize_t length = 0
    cdef bytearray own = None
    if not 0 < end <= len(buffer) - SLACK or data[end - 1] != c"\n":
        raise ValueError("the chunk must end with a line end, and the buffer have room to spare")
    while at < data + end:
        line = at
        while is_blank(at[0]):
            at += 1
        field = at
        at = field_end(at)
        if at > field:
            if query == NULL or at - field != length or memcmp(query, field, length) != 0:
                query, length = field, at - field
                own = lines.get(PyBytes_FromStringAndSize(query, length))
            while at[0] != c"\n":
                at += 1
            if own is not None:
                own += PyBytes_FromStringAndSize(line, at + 1 - line)
        else:
            while at[0] != c"\n":
                at += 1
        at += 1


def number_in(bytes field not None):
    """The number that a field holds, or None; for tests."""
    cdef bytes padded = field + b"\n" + bytes(SLACK)
    cdef const char* start = padded
    cdef const char* end
    cdef double value
    with nogil:
        end = number(start, &value)
    return value if end == start + len(field) else None
