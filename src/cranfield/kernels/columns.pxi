# Columns of ids, as tables have them: whole numbers, texts, or numbers of texts.


cdef enum:
    DIGITS = 24  # room for any whole number of 64 bits in decimal, and for reading eight bytes from its last ones


cdef class IdColumn:
    """Ids, one for each row.

    Without texts the numbers are ids themselves. Texts are bytes with the place where each begins, and one more entry
    that marks the end: row by row, or, where there are numbers as well, those that the numbers name.
    """

    cdef const int64_t[::1] kept_numbers, kept_starts
    cdef const unsigned char[::1] kept_text
    cdef Py_ssize_t rows
    cdef Py_ssize_t texts
    cdef const int64_t* numbers
    cdef const int64_t* starts
    cdef const char* text
    cdef const char* end
    # Texts that rows share, set by the one thread that reads such a column; one that is no id has no length.
    cdef Text* hashed

    def __cinit__(self, numbers=None, starts=None, text=None):
        if numbers is None and starts is None or (starts is None) != (text is None):
            raise ValueError("a column has numbers, or texts and where they begin, or both")
        if starts is not None:
            self.kept_starts, self.kept_text = starts, text
            self.texts = self.kept_starts.shape[0] - 1
            if self.texts < 0:
                raise ValueError("one more entry must mark the end of the texts")
            # Nothing is read where there is nothing, but a pointer that is NULL says that there is no such column.
            self.starts = &self.kept_starts[0]
            self.text = <const char*>&self.kept_text[0] if self.kept_text.shape[0] else <const char*>&self.texts
            self.end = self.text + self.kept_text.shape[0]
            if not lie_inside(self.starts, self.texts, self.end - self.text):
                raise ValueError("texts must lie inside the bytes, each behind the one before")
        if numbers is None:
            self.rows = self.texts
            return
        self.kept_numbers = numbers
        self.rows = self.kept_numbers.shape[0]
        self.numbers = &self.kept_numbers[0] if self.rows else <const int64_t*>&self.rows
        if starts is None:
            return
        if not all_below(self.numbers, self.rows, self.texts):
            raise ValueError("every number must be that of a text")

    def __dealloc__(self):
        free(self.hashed)

    def __len__(self):
        return self.rows

    def __getitem__(self, Py_ssize_t row):
        cdef char[DIGITS] digits
        cdef Text id
        if not 0 <= row < self.rows:
            raise IndexError(row)
        read_row(self, row, digits, &id)
        return PyBytes_FromStringAndSize(id.start, id.length)

    def edges(self):
        """Where the id of the first row is followed by another, and where that of the last row begins."""
        cdef Py_ssize_t first, last = 0
        with nogil:
            first = stretch_end(self, 0, self.rows)
            if first < self.rows:
                last = self.rows - 1
                while has_same(self, last, last - 1):
                    last -= 1
        return first, last


cdef bint lie_inside(const int64_t* starts, Py_ssize_t count, int64_t size) noexcept nogil:
    cdef Py_ssize_t at
    cdef bint rising = starts[0] >= 0 and starts[count] <= size
    for at in range(count):
        rising &= starts[at] <= starts[at + 1]
    return rising


cdef bint all_below(const int64_t* numbers, Py_ssize_t count, int64_t end) noexcept nogil:
    cdef Py_ssize_t at
    cdef bint below = True
    for at in range(count):
        below &= <uint64_t>numbers[at] < <uint64_t>end
    return below


cdef bint hash_shared(IdColumn column) noexcept nogil:
    """Read texts that rows share once, if there are fewer of them than rows; False where memory ends."""
    cdef Py_ssize_t at
    if column.hashed != NULL or column.numbers == NULL or column.starts == NULL or column.texts > column.rows:
        return True
    column.hashed = <Text*>malloc((column.texts + 1) * sizeof(Text))
    if column.hashed == NULL:
        return False
    for at in range(column.texts):
        if not read_text(column, at, &column.hashed[at]):
            column.hashed[at].length = 0
    return True


cdef inline bint read_row(IdColumn column, Py_ssize_t row, char* digits, Text* id) noexcept nogil:
    """The id of a row; False where it is empty, not UTF-8 or has a NUL. A whole number is written down where there is room."""
    cdef bint ascii
    if column.starts == NULL:
        id.start, id.length = digits, write_number(column.numbers[row], digits)
        id.hash = hash_in_buffer(digits, id.length, &ascii)
        return True
    if column.hashed != NULL:
        id[0] = column.hashed[column.numbers[row]]
        return id.length > 0
    return read_text(column, row if column.numbers == NULL else column.numbers[row], id)


cdef inline bint read_text(IdColumn column, Py_ssize_t at, Text* text) noexcept nogil:
    cdef bint ascii
    text.start, text.length = column.text + column.starts[at], column.starts[at + 1] - column.starts[at]
    text.hash = 0
    if text.length == 0:
        return False
    text.hash = hash_before(text.start, text.length, column.end, &ascii)
    return (ascii or is_utf8(text.start, text.start + text.length)) and memchr(text.start, 0, text.length) == NULL


cdef inline bint has_same(IdColumn column, Py_ssize_t one, Py_ssize_t other) noexcept nogil:
    """Whether two rows have the same id."""
    cdef int64_t start, length
    if column.numbers != NULL:
        if column.numbers[one] == column.numbers[other]:
            return True
        if column.starts == NULL:
            return False
        one, other = column.numbers[one], column.numbers[other]
    start, length = column.starts[one], column.starts[one + 1] - column.starts[one]
    return (
        length == column.starts[other + 1] - column.starts[other]
        and memcmp(column.text + start, column.text + column.starts[other], length) == 0
    )


cdef inline Py_ssize_t stretch_end(IdColumn column, Py_ssize_t row, Py_ssize_t end) noexcept nogil:
    """The first row after this one that has another id, or the end."""
    cdef Py_ssize_t at = row
    while at < end and has_same(column, row, at):
        at += 1
    return at


# Whole numbers in decimal


cdef inline int write_number(int64_t number, char* to) noexcept nogil:
    """Write a whole number as Python's `str` does; returns its length."""
    cdef uint64_t rest = <uint64_t>number
    cdef char* at = to
    if number < 0:
        rest = 0 - rest
        at[0] = c"-"
        at += 1
    if rest < 100000000ULL:
        return <int>(write_first(rest, at) - to)
    if rest < 10000000000000000ULL:
        at = write_first(rest // 100000000ULL, at)
    else:
        at = write_first(rest // 10000000000000000ULL, at)
        rest = rest % 10000000000000000ULL
        write_word(decimal(rest // 100000000ULL) | 0x3030303030303030ULL, at)
        at += 8
    write_word(decimal(rest % 100000000ULL) | 0x3030303030303030ULL, at)
    return <int>(at + 8 - to)


cdef inline char* write_first(uint64_t number, char* to) noexcept nogil:
    """Write at most eight digits, without zeros in front; returns where they end."""
    cdef uint64_t word = decimal(number)
    cdef int zeros = trailing_zeros(word | (<uint64_t>1 << 56)) >> 3
    write_word((word | 0x3030303030303030ULL) >> (8 * zeros), to)
    return to + 8 - zeros


cdef inline void write_word(uint64_t word, char* to) noexcept nogil:
    memcpy(to, &word, 8)


cdef inline uint64_t decimal(uint64_t number) noexcept nogil:
    """The eight digits of a number below 10^8, the first in the lowest byte: in halves, in pairs, one by one."""
    cdef uint64_t part = number // 10000
    cdef uint64_t word = part | ((number - 10000 * part) << 32)
    part = ((word * 10486) >> 20) & 0x0000007F0000007FULL  # 10486 / 2^20 is 1 / 100, closely enough below 10^4
    word = part | ((word - 100 * part) << 16)
    part = ((word * 103) >> 10) & 0x000F000F000F000FULL  # and 103 / 2^10 is 1 / 10 below 100
    return part | ((word - 10 * part) << 8)
