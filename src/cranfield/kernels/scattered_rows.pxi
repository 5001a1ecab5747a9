# Tables whose queries are scattered: rows sorted into parts of whole queries, and put side by side.


cdef struct Places:
    # Where the next row of each part goes.
    char** to
    Py_ssize_t* sizes


def sort_rows_into(
    list parts not None,
    Numbering queries not None,
    IdColumn ids not None,
    IdColumn documents not None,
    const double[::1] scores not None,
    const double[::1] ranks,
    *,
    bint add_new,
):
    """Append rows to parts of a run, each part with every so manieth query; False if a query is none.

    There may be no ranks. Queries without a number are left out, unless new ones are to be numbered.
    """
    cdef Py_ssize_t count = len(parts), rows = ids.rows, part, before
    cdef const int64_t* numbers
    cdef const double* rank = NULL
    cdef bytearray own
    cdef Places places
    if not rows == documents.rows == scores.shape[0] or (ranks is not None and ranks.shape[0] != rows):
        raise ValueError("columns must be of one length")
    if not count:
        raise ValueError("there must be a part")
    found = queries.numbers_of(ids, add_new=add_new)
    if found is None:
        return False
    if rows == 0:
        return True
    numbers = <const int64_t*>PyByteArray_AS_STRING(found)
    if ranks is not None:
        rank = &ranks[0]
    places.to = <char**>malloc(count * sizeof(char*))
    places.sizes = <Py_ssize_t*>malloc(count * sizeof(Py_ssize_t))
    try:
        if places.to == NULL or places.sizes == NULL:
            raise MemoryError
        with nogil:
            add_up_rows(&places, count, numbers, documents, rank != NULL)
        for part in range(count):
            own = parts[part]
            before = len(own)
            PyByteArray_Resize(own, before + places.sizes[part])
            places.to[part] = PyByteArray_AS_STRING(own) + before
        with nogil:
            write_rows(&places, count, numbers, documents, &scores[0], rank)
        for part in range(count):
            own = parts[part]
            PyByteArray_Resize(own, places.to[part] - PyByteArray_AS_STRING(own))
    finally:
        free(places.to)
        free(places.sizes)
    return True


cdef Py_ssize_t at_most(IdColumn documents, Py_ssize_t row) noexcept nogil:
    """Bytes that the text of an id takes, or a few more."""
    if documents.starts == NULL:
        return DIGITS
    if documents.numbers != NULL:
        row = documents.numbers[row]
    return documents.starts[row + 1] - documents.starts[row]


cdef void add_up_rows(
    Places* places, Py_ssize_t count, const int64_t* numbers, IdColumn documents, bint has_ranks
) noexcept nogil:
    cdef Py_ssize_t row, fixed = HEAD + (2 if has_ranks else 1) * sizeof(double)
    memset(places.sizes, 0, count * sizeof(Py_ssize_t))
    for row in range(documents.rows):
        if numbers[row] >= 0:
            places.sizes[numbers[row] % count] += fixed + at_most(documents, row)


cdef void write_rows(
    Places* places,
    Py_ssize_t count,
    const int64_t* numbers,
    IdColumn documents,
    const double* scores,
    const double* ranks,
) noexcept nogil:
    """Write rows where they go: the number of the query, the length of the document's id, the values, and the id."""
    cdef Py_ssize_t row, part
    cdef uint32_t query, length
    cdef char* to
    for row in range(documents.rows):
        if numbers[row] < 0:
            continue
        part = numbers[row] % count
        query = <uint32_t>(numbers[row] // count)
        to = places.to[part] + HEAD
        memcpy(to, &scores[row], sizeof(double))
        to += sizeof(double)
        if ranks != NULL:
            memcpy(to, &ranks[row], sizeof(double))
            to += sizeof(double)
        length = <uint32_t>write_id(documents, row, to)
        memcpy(places.to[part], &query, 4)
        memcpy(places.to[part] + 4, &length, 4)
        places.to[part] = to + length


cdef inline Py_ssize_t write_id(IdColumn documents, Py_ssize_t row, char* to) noexcept nogil:
    """The text of an id, whatever it is; returns its length."""
    cdef int64_t start
    cdef Py_ssize_t length
    if documents.starts == NULL:
        return write_number(documents.numbers[row], to)
    length = at_most(documents, row)
    start = documents.starts[row if documents.numbers == NULL else documents.numbers[row]]
    memcpy(to, documents.text + start, length)
    return length


def rows_side_by_side(
    const unsigned char[::1] part not None,
    Numbering queries not None,
    Py_ssize_t first,
    Py_ssize_t step,
    *,
    bint has_ranks,
):
    """The rows of a part, each query's together and as they came.

    Given are the number of the part's first query, and how many parts there are. What comes back are queries and
    documents as columns, and scores and ranks as bytes that hold them.
    """
    cdef const char* data = <const char*>&part[0] if part.shape[0] else NULL
    cdef const char* end = data + part.shape[0]
    cdef Column rows, bytes_
    cdef int64_t total = 0, length = 0
    cdef Py_ssize_t outcome
    memset(&rows, 0, sizeof(rows))
    memset(&bytes_, 0, sizeof(bytes_))
    try:
        with nogil:
            outcome = count_rows(data, end, has_ranks, &rows, &bytes_)
        if outcome == -2:
            raise MemoryError
        if outcome < 0 or first + (rows.count - 1) * step >= queries.known.count:
            raise ValueError("a row must lie inside its part, and have a query")
        begin_at_sums(&rows, &total)
        begin_at_sums(&bytes_, &length)
        numbers = bytearray(total * sizeof(int64_t))
        starts = bytearray((total + 1) * sizeof(int64_t))
        text = bytearray(length)
        scores = bytearray(total * sizeof(double))
        ranks = bytearray(total * sizeof(double) if has_ranks else 0)
        put_rows(data, end, has_ranks, &rows, &bytes_, numbers, starts, text, scores, ranks)
        names, begins = texts_of(queries, first, step, rows.count)
    finally:
        free(rows.values)
        free(bytes_.values)
    return (
        IdColumn(memoryview(numbers).cast("q"), memoryview(begins).cast("q"), names),
        IdColumn(None, memoryview(starts).cast("q"), text),
        scores,
        ranks if has_ranks else None,
    )


cdef Py_ssize_t count_rows(
    const char* at, const char* end, bint has_ranks, Column* rows, Column* bytes_
) noexcept nogil:
    """Count the rows of each query, and the bytes of their ids; -1 if one lies outside, -2 where memory ends."""
    cdef uint32_t query, length
    cdef Py_ssize_t fixed = (2 if has_ranks else 1) * sizeof(double)
    while at < end:
        if end - at < HEAD + fixed:
            return -1
        memcpy(&query, at, 4)
        memcpy(&length, at + 4, 4)
        if <Py_ssize_t>length > end - at - HEAD - fixed:
            return -1
        while rows.count <= query:
            if not (append(rows, 0) and append(bytes_, 0)):
                return -2
        rows.values[query] += 1
        bytes_.values[query] += length
        at += HEAD + fixed + length
    return 0


cdef void begin_at_sums(Column* counts, int64_t* total) noexcept nogil:
    """Each count becomes what came before it."""
    cdef Py_ssize_t at
    cdef int64_t own
    for at in range(counts.count):
        own = counts.values[at]
        counts.values[at] = total[0]
        total[0] += own


cdef put_rows(
    const char* at,
    const char* end,
    bint has_ranks,
    Column* rows,
    Column* bytes_,
    bytearray numbers,
    bytearray starts,
    bytearray text,
    bytearray scores,
    bytearray ranks,
):
    cdef int64_t* number = <int64_t*>PyByteArray_AS_STRING(numbers)
    cdef int64_t* start = <int64_t*>PyByteArray_AS_STRING(starts)
    cdef char* letters = PyByteArray_AS_STRING(text)
    cdef double* score = <double*>PyByteArray_AS_STRING(scores)
    cdef double* rank = <double*>PyByteArray_AS_STRING(ranks)
    cdef uint32_t query, length
    cdef int64_t row
    start[len(starts) // <Py_ssize_t>sizeof(int64_t) - 1] = len(text)
    with nogil:
        while at < end:
            memcpy(&query, at, 4)
            memcpy(&length, at + 4, 4)
            at += HEAD
            row = rows.values[query]
            rows.values[query] += 1
            number[row] = query
            start[row] = bytes_.values[query]
            memcpy(&score[row], at, sizeof(double))
            at += sizeof(double)
            if has_ranks:
                memcpy(&rank[row], at, sizeof(double))
                at += sizeof(double)
            memcpy(letters + bytes_.values[query], at, length)
            bytes_.values[query] += length
            at += length


cdef tuple texts_of(Numbering queries, Py_ssize_t first, Py_ssize_t step, Py_ssize_t count):
    """The ids of every so manieth query, and where each begins."""
    cdef bytearray begins = bytearray((count + 1) * sizeof(int64_t))
    cdef int64_t* begin = <int64_t*>PyByteArray_AS_STRING(begins)
    cdef bytearray text
    cdef char* to
    cdef Py_ssize_t at
    cdef Text* own
    for at in range(count):
        begin[at + 1] = begin[at] + queries.known.texts[first + at * step].length
    text = bytearray(begin[count])
    to = PyByteArray_AS_STRING(text)
    for at in range(count):
        own = &queries.known.texts[first + at * step]
        memcpy(to + begin[at], own.start, own.length)
    return text, begins
