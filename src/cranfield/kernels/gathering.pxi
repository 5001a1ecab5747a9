# Judgments in columns of a table: rows as they come, put side by side by query.


cdef struct Graded:
    # Documents as one text, where each of them begins in it, and their grades.
    char* documents
    int64_t* begins
    double* grades


cdef class Gathering:
    """Judgments as they come from a table some rows at a time, put side by side by query at the end."""

    cdef double largest
    cdef readonly Numbering queries
    cdef Column owners  # of each stretch of rows: its query
    cdef Column firsts  # and its first row
    cdef bint scattered  # some query comes back after others
    cdef bint ended
    cdef Py_ssize_t rows
    cdef bytearray documents, begins, grades

    def __cinit__(self, *, double largest):
        self.largest, self.queries = largest, Numbering()
        self.documents, self.begins, self.grades = bytearray(), bytearray(), bytearray()

    def __dealloc__(self):
        free(self.owners.values)
        free(self.firsts.values)

    def add(self, IdColumn queries not None, IdColumn documents not None, const double[::1] grades not None):
        """Take some more rows; False if one of them is irregular, and then these are no judgments."""
        cdef Py_ssize_t count = queries.rows, before = self.rows, at
        cdef bint sound = True
        cdef Outcome outcome
        cdef Graded graded
        if not count == documents.rows == grades.shape[0]:
            raise ValueError("columns must be of one length")
        if self.ended:
            raise ValueError("these judgments have been put together")
        if count == 0:
            return True
        self.ended, self.rows = True, 0  # unless all goes well
        with nogil:
            for at in range(count):
                sound &= -self.largest <= grades[at] <= self.largest
        if not sound:
            return False
        self.grades += memoryview(grades).cast("B")
        PyByteArray_Resize(self.begins, (before + count + 1) * sizeof(int64_t))
        graded = in_place(self.documents, self.begins, self.grades)
        if before == 0:
            graded.begins[0] = 0
        PyByteArray_Resize(self.documents, graded.begins[before] + most_bytes(documents))
        graded = in_place(self.documents, self.begins, self.grades)
        with nogil:
            outcome = note_stretches(self, queries, before) if hash_shared(documents) else NO_MEMORY
            if outcome == FINE and not write_ids(documents, graded.documents, graded.begins + before):
                outcome = IRREGULAR
        if outcome == NO_MEMORY:
            raise MemoryError
        if outcome == IRREGULAR:
            return False
        self.ended, self.rows = False, before + count
        return True

    def together(self):
        """What `judgments_in` gives, or None if there is no row or a document is judged twice; nothing comes after."""
        cdef bytearray starts = bytearray((self.queries.known.count + 1) * sizeof(int64_t))
        cdef int64_t* start = <int64_t*>PyByteArray_AS_STRING(starts)
        cdef IdColumn documents
        cdef Outcome outcome
        if self.rows == 0:
            return None
        self.ended = True
        PyByteArray_Resize(self.documents, in_place(self.documents, self.begins, self.grades).begins[self.rows])
        if self.scattered:
            self.put_side_by_side(start)
        else:
            memcpy(start, self.firsts.values, self.firsts.count * sizeof(int64_t))
            start[self.firsts.count] = self.rows
        documents = IdColumn(None, memoryview(self.begins).cast("q"), self.documents)
        with nogil:
            outcome = each_once(documents, start, self.queries.known.count)
        if outcome == NO_MEMORY:
            raise MemoryError
        if outcome == IRREGULAR:
            return None
        return names(&self.queries.known), starts, self.documents, self.begins, self.grades

    cdef int put_side_by_side(self, int64_t* starts) except -1:
        """Order the rows by query, those of one query as they came, and set where each query's begin."""
        cdef bytearray documents = bytearray(len(self.documents))
        cdef bytearray begins = bytearray(len(self.begins))
        cdef bytearray grades = bytearray(len(self.grades))
        cdef Graded old = in_place(self.documents, self.begins, self.grades)
        cdef Graded new = in_place(documents, begins, grades)
        cdef int64_t* order = <int64_t*>malloc((self.owners.count + 1) * sizeof(int64_t))
        if order == NULL:
            raise MemoryError
        with nogil:
            sort_by_number(self.owners.values, self.owners.count, self.queries.known.count, starts, order)
            move_stretches(self, order, &old, &new, starts)
        free(order)
        self.documents, self.begins, self.grades = documents, begins, grades
        return 0


cdef Graded in_place(bytearray documents, bytearray begins, bytearray grades) noexcept:
    """Where they are, until one of them is resized."""
    cdef Graded graded
    graded.documents = PyByteArray_AS_STRING(documents)
    graded.begins = <int64_t*>PyByteArray_AS_STRING(begins)
    graded.grades = <double*>PyByteArray_AS_STRING(grades)
    return graded


cdef Py_ssize_t most_bytes(IdColumn column) noexcept nogil:
    """As many bytes as all ids of a column may take, and a few to spare."""
    cdef Py_ssize_t row, bytes = 0
    if column.starts == NULL:
        return column.rows * DIGITS
    if column.numbers == NULL:
        return column.starts[column.rows] - column.starts[0]
    for row in range(column.rows):
        bytes += column.starts[column.numbers[row] + 1] - column.starts[column.numbers[row]]
    return bytes


cdef bint write_ids(IdColumn column, char* text, int64_t* begins) noexcept nogil:
    """Write all ids behind the text there is, and where the next begins; False if one is empty or not UTF-8."""
    cdef Py_ssize_t row
    cdef int64_t at = begins[0]
    cdef Text id
    for row in range(column.rows):
        if column.starts == NULL:
            at += write_number(column.numbers[row], text + at)
        else:
            if not read_row(column, row, NULL, &id):
                return False
            memcpy(text + at, id.start, id.length)
            at += id.length
        begins[row + 1] = at
    return True


cdef Outcome note_stretches(Gathering gathering, IdColumn queries, Py_ssize_t before) noexcept nogil:
    """Note where stretches of rows with one query begin, and which it is; `before` are the rows there were."""
    cdef Py_ssize_t row = 0, at
    cdef Stretches stretches
    cdef Outcome outcome
    cdef int64_t last = -1
    if gathering.owners.count:
        last = gathering.owners.values[gathering.owners.count - 1]
    if not hash_shared(queries):
        return NO_MEMORY
    while row < queries.rows:
        outcome = number_stretches(gathering.queries, queries, row, &stretches)
        if outcome != FINE:
            return outcome
        for at in range(stretches.count):
            if stretches.numbers[at] == last:
                continue  # goes on from the rows before
            gathering.scattered |= not stretches.new[at]
            last = stretches.numbers[at]
            if not (append(&gathering.owners, last) and append(&gathering.firsts, before + stretches.firsts[at])):
                return NO_MEMORY
        row = stretches.firsts[stretches.count]
    return FINE


cdef inline int64_t rows_of(Gathering gathering, Py_ssize_t stretch) noexcept nogil:
    cdef Column* firsts = &gathering.firsts
    return (firsts.values[stretch + 1] if stretch + 1 < firsts.count else gathering.rows) - firsts.values[stretch]


cdef void move_stretches(
    Gathering gathering, const int64_t* order, const Graded* old, Graded* new, int64_t* starts
) noexcept nogil:
    """Copy what the stretches hold, one after the other in this order, and set where each query's rows begin."""
    cdef Py_ssize_t at, row, first, end, to = 0
    cdef int64_t length = 0, query = -1
    for at in range(gathering.owners.count):
        if gathering.owners.values[order[at]] != query:
            query += 1
            starts[query] = to
        first = gathering.firsts.values[order[at]]
        end = first + rows_of(gathering, order[at])
        memcpy(new.documents + length, old.documents + old.begins[first], old.begins[end] - old.begins[first])
        for row in range(first, end):
            new.begins[to] = length
            new.grades[to] = old.grades[row]
            length += old.begins[row + 1] - old.begins[row]
            to += 1
    new.begins[to] = length
    starts[query + 1] = to


cdef Outcome each_once(IdColumn documents, const int64_t* starts, Py_ssize_t queries) noexcept nogil:
    """Irregular if a query has a document twice."""
    cdef Py_ssize_t query, row
    cdef int64_t most = most_of_one(starts, queries)
    cdef Text* texts
    cdef int64_t* chosen
    cdef uint64_t* slots
    cdef Outcome outcome = FINE
    texts = <Text*>malloc((most + 1) * sizeof(Text))
    chosen = <int64_t*>malloc((most + 1) * sizeof(int64_t))
    slots = <uint64_t*>malloc(at_least_twice(most) * sizeof(uint64_t))
    if texts == NULL or chosen == NULL or slots == NULL:
        outcome = NO_MEMORY
    else:
        for row in range(most):
            chosen[row] = row
        for query in range(queries):
            for row in range(starts[query], starts[query + 1]):
                read_text(documents, row, &texts[row - starts[query]])
            if has_one_twice(texts, chosen, starts[query + 1] - starts[query], slots):
                outcome = IRREGULAR
                break
    free(texts)
    free(chosen)
    free(slots)
    return outcome
