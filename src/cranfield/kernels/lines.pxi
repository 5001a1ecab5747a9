# Lines and their fields.


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


cdef struct Tag:
    # What every line of a run should end with; nothing where that is not looked at.
    const char* start
    Py_ssize_t length
    uint64_t mask  # of its first eight bytes, those that there are
    uint64_t word  # these bytes


cdef struct Line:
    const char* query_end
    const char* document
    const char* document_end
    const char* rank
    const char* score
    const char* tag
    const char* tag_end
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
    line.tag, line.tag_end = at, field_end(at)
    line.end = line.tag_end
    while is_blank(line.end[0]):
        line.end += 1
    return line.end[0] == c"\n"
