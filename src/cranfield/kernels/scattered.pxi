# TREC runs whose queries are scattered over the file: lines sorted into parts of whole queries, and put side by side.


cdef enum:
    HEAD = 8  # bytes before a line: which of its part's queries it belongs to, and its length, of 32 bits each


cdef struct Lines:
    # Several of them, since to look their queries up together saves waiting for each.
    Py_ssize_t count
    const char* starts[IDS_AT_ONCE]
    const char* ends[IDS_AT_ONCE]
    Text queries[IDS_AT_ONCE]
    int64_t numbers[IDS_AT_ONCE]  # -1 for none


def sort_into(list parts not None, Numbering queries not None, bytearray buffer not None, Py_ssize_t end, *, bint add_new):
    """Append the lines of a chunk to parts of a run, each part with every so manieth query; False if one is irregular.

    Queries without a number are left out, unless new ones are to be numbered.
    """
    cdef const char* data = buffer
    cdef const char* at = data
    cdef Lines lines
    cdef Py_ssize_t line, count = len(parts)
    if not 0 < end <= len(buffer) - SLACK or data[end - 1] != c"\n":
        raise ValueError("the chunk must end with a line end, and the buffer have room to spare")
    if add_new and queries.complete:
        raise ValueError("no others are to be numbered")
    while at < data + end:
        at = next_lines(&lines, at, data + end)
        if at == NULL:
            return False
        for line in range(lines.count):
            expect(&queries.known, &lines.queries[line])
        for line in range(lines.count):
            lines.numbers[line] = number_of(&queries.known, &lines.queries[line])
            if add_new and lines.numbers[line] < 0:
                if not keep_text(queries, &lines.queries[line]):
                    raise MemoryError
                lines.numbers[line] = numbered_next(&queries.known, &lines.queries[line])
                if lines.numbers[line] < 0:
                    raise MemoryError
        for line in range(lines.count):
            if lines.numbers[line] >= 0:
                add_line(parts[lines.numbers[line] % count], lines.numbers[line] // count, &lines, line)
    return True


cdef const char* next_lines(Lines* lines, const char* at, const char* end) noexcept nogil:
    """Find the next lines, and return where they end; NULL if one of them has no query. Blank ones are left out."""
    cdef const char* field
    cdef bint ascii
    cdef Py_ssize_t count = 0
    while at < end and count < IDS_AT_ONCE:
        lines.starts[count] = at
        while is_blank(at[0]):
            at += 1
        field = at
        at = field_end(at)
        if at > field:
            lines.queries[count].start, lines.queries[count].length = field, at - field
            lines.queries[count].hash = hash_in_buffer(field, at - field, &ascii)
            at = <const char*>memchr(at, c"\n", end - at) + 1
            lines.ends[count] = at
            count += 1
        elif at[0] == c"\n":
            at += 1
        else:
            return NULL
    lines.count = count
    return at


cdef int add_line(bytearray part, uint32_t query, const Lines* lines, Py_ssize_t line) except -1:
    """Append a line to a part."""
    cdef Py_ssize_t before = len(part)
    cdef uint32_t length = <uint32_t>(lines.ends[line] - lines.starts[line])
    cdef char* to
    PyByteArray_Resize(part, before + HEAD + length)
    to = PyByteArray_AS_STRING(part) + before
    memcpy(to, &query, 4)
    memcpy(to + 4, &length, 4)
    memcpy(to + HEAD, lines.starts[line], length)
    return 0


def side_by_side(const unsigned char[::1] part not None):
    """The lines of a part, each query's together and as they came, with room to spare; and where they end there."""
    cdef bytearray text = bytearray(max(part.shape[0], HEAD) + SLACK)
    cdef const char* data = <const char*>&part[0] if part.shape[0] else NULL
    cdef char* to = PyByteArray_AS_STRING(text)
    cdef Column begins
    cdef Py_ssize_t end
    memset(&begins, 0, sizeof(begins))
    with nogil:
        end = put_side_by_side(data, data + part.shape[0], to, &begins)
    free(begins.values)
    if end == -2:
        raise MemoryError
    if end < 0:
        raise ValueError("a line must lie inside its part")
    return text, end


cdef Py_ssize_t put_side_by_side(const char* at, const char* end, char* text, Column* begins) noexcept nogil:
    """Copy lines to where their queries begin, and return where the last one ends; -1 if one lies outside, -2 where memory ends."""
    cdef const char* start = at
    cdef uint32_t query, length
    cdef int64_t before = 0, own
    while at < end:
        if not read_head(at, end, &query, &length):
            return -1
        while begins.count <= query:
            if not append(begins, 0):
                return -2
        begins.values[query] += length
        at += HEAD + length
    for query in range(<uint32_t>begins.count):
        own = begins.values[query]
        begins.values[query] = before
        before += own
    at = start
    while at < end:
        read_head(at, end, &query, &length)
        memcpy(text + begins.values[query], at + HEAD, length)
        begins.values[query] += length
        at += HEAD + length
    return before


cdef inline bint read_head(const char* at, const char* end, uint32_t* query, uint32_t* length) noexcept nogil:
    """What stands before a line; False if it does not lie inside its part."""
    if end - at < HEAD:
        return False
    memcpy(query, at, 4)
    memcpy(length, at + 4, 4)
    return <Py_ssize_t>length[0] <= end - at - HEAD
