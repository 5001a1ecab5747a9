# Ids of a column by number.


cdef enum:
    BLOCK = 1 << 16
    IDS_AT_ONCE = 64


cdef class Numbering:
    """Ids with the numbers they got as they came, from 0 on; their texts are kept here."""

    cdef Numbered known
    cdef char* blocks  # pieces of memory that each begin with where the one before is
    cdef Py_ssize_t used  # bytes of the last block
    cdef bint complete  # no others are to be numbered

    def __cinit__(self):
        if not make_room_for_texts(&self.known, IDS_AT_ONCE):
            raise MemoryError

    def __dealloc__(self):
        cdef char* block = self.blocks
        forget_numbered(&self.known)
        while block != NULL:
            self.blocks = (<char**>block)[0]
            free(block)
            block = self.blocks

    def __len__(self):
        return self.known.count

    def names(self):
        """All ids as strings."""
        return names(&self.known)

    def numbers_of(self, IdColumn column not None, *, bint add_new):
        """The number of each row's id, as bytes that hold integers; None if something is no id.

        An id that has no number gets the next one if there are to be new ones, and otherwise is -1.
        """
        cdef bytearray numbers = bytearray(column.rows * sizeof(int64_t))
        cdef int64_t* number = <int64_t*>PyByteArray_AS_STRING(numbers)
        cdef Outcome outcome
        if add_new and self.complete:
            raise ValueError("no others are to be numbered")
        with nogil:
            outcome = set_numbers(self, column, add_new, number) if hash_shared(column) else NO_MEMORY
        if outcome == NO_MEMORY:
            raise MemoryError
        return None if outcome == IRREGULAR else numbers


cdef void sort_by_number(
    const int64_t* numbers, Py_ssize_t rows, Py_ssize_t count, int64_t* starts, int64_t* order
) noexcept nogil:
    """Rows by number, those of one number as they come; `starts` has room for the count and one more."""
    cdef Py_ssize_t row, number
    # Counted one place further on and summed up, each is where the rows of a number begin; and then, moved on by those
    # that found their places, where the next of them goes.
    memset(starts, 0, (count + 1) * sizeof(int64_t))
    for row in range(rows):
        starts[numbers[row] + 1] += 1
    for number in range(count):
        starts[number + 1] += starts[number]
    for row in range(rows):
        order[starts[numbers[row]]] = row
        starts[numbers[row]] += 1


cdef tuple names(const Numbered* numbered):
    """All texts as strings."""
    cdef tuple strings = PyTuple_New(numbered.count)
    cdef Py_ssize_t at
    for at in range(numbered.count):
        string = PyUnicode_DecodeUTF8(numbered.texts[at].start, numbered.texts[at].length, NULL)
        Py_INCREF(string)  # which the tuple takes over
        PyTuple_SET_ITEM(strings, at, string)
    return strings


cdef bint keep_text(Numbering numbering, Text* text) noexcept nogil:
    """Copy a text to where it stays; False where memory ends."""
    cdef char* block
    if numbering.blocks == NULL or numbering.used + text.length > BLOCK:
        block = <char*>malloc(max(<size_t>BLOCK, sizeof(char*) + text.length))
        if block == NULL:
            return False
        (<char**>block)[0] = numbering.blocks
        numbering.blocks, numbering.used = block, sizeof(char*)
    memcpy(numbering.blocks + numbering.used, text.start, text.length)
    text.start = numbering.blocks + numbering.used
    numbering.used += text.length
    return True


# Stretches of rows with one id


cdef struct Stretches:
    # Several of them, since to look ids up together saves waiting for each.
    Py_ssize_t count
    Py_ssize_t firsts[IDS_AT_ONCE + 1]  # rows, and the one after the last
    Text ids[IDS_AT_ONCE]
    char digits[IDS_AT_ONCE * DIGITS]
    int64_t numbers[IDS_AT_ONCE]  # -1 for none
    bint new[IDS_AT_ONCE]  # whether they were numbered just now


cdef bint find_stretches(
    const Numbered* numbered, IdColumn column, Py_ssize_t row, Stretches* stretches
) noexcept nogil:
    """The next stretches from a row on, and the numbers of their ids; False if something is no id."""
    cdef Py_ssize_t at = 0
    cdef int64_t last = -1
    stretches.firsts[0] = row
    while at < IDS_AT_ONCE and row < column.rows:
        if not read_row(column, row, stretches.digits + at * DIGITS, &stretches.ids[at]):
            return False
        expect(numbered, &stretches.ids[at])
        row = stretch_end(column, row, column.rows)
        at += 1
        stretches.firsts[at] = row
    stretches.count = at
    for at in range(stretches.count):
        last = stretches.numbers[at] = number_after(numbered, last, &stretches.ids[at])
    return True


cdef Outcome number_stretches(
    Numbering numbering, IdColumn column, Py_ssize_t row, Stretches* stretches
) noexcept nogil:
    """The same, and new ids get their numbers."""
    cdef Py_ssize_t at
    cdef int64_t number
    if not find_stretches(&numbering.known, column, row, stretches):
        return IRREGULAR
    for at in range(stretches.count):
        number = stretches.numbers[at]
        if number < 0:  # unless it was numbered a moment ago
            number = number_of(&numbering.known, &stretches.ids[at])
        stretches.new[at] = number < 0
        if number < 0 and keep_text(numbering, &stretches.ids[at]):
            number = numbered_next(&numbering.known, &stretches.ids[at])
        if number < 0:
            return NO_MEMORY
        stretches.numbers[at] = number
    return FINE


cdef Outcome set_numbers(Numbering numbering, IdColumn column, bint add_new, int64_t* numbers) noexcept nogil:
    cdef Py_ssize_t row = 0, at
    cdef Stretches stretches
    cdef Outcome outcome
    while row < column.rows:
        if add_new:
            outcome = number_stretches(numbering, column, row, &stretches)
        else:
            outcome = FINE if find_stretches(&numbering.known, column, row, &stretches) else IRREGULAR
        if outcome != FINE:
            return outcome
        for at in range(stretches.count):
            for row in range(stretches.firsts[at], stretches.firsts[at + 1]):
                numbers[row] = stretches.numbers[at]
        row = stretches.firsts[stretches.count]
    return FINE
