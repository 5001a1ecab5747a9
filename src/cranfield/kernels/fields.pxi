# Fields of lines, those of each column numbered by themselves.


def numbers_of_fields(bytes data not None, bytes delimiter not None, list columns not None):
    """The numbers of the fields of each column, as bytes that hold integers; None if a line is irregular.

    Regular lines have a field for each column and something that is no blank, in UTF-8, without quotes, CR and NUL.
    """
    cdef Py_ssize_t width = len(columns), rows = data.count(b"\n") + (not data.endswith(b"\n")), row, column
    cdef const char* at = data
    cdef const char* end = at + len(data)
    cdef const char* start
    cdef unsigned char separator, sign
    cdef bint is_blank_line
    cdef int64_t number
    cdef list numbers = [bytearray(rows * sizeof(int64_t)) for _ in columns]
    if len(delimiter) != 1 or not columns or not all(isinstance(numbering, Numbering) for numbering in columns):
        raise ValueError("lines have fields between signs, and each column numbers its own")
    if any((<Numbering>numbering).complete for numbering in columns):
        raise ValueError("no others are to be numbered")
    separator = delimiter[0]
    for row in range(rows):
        is_blank_line = True
        for column in range(width):
            start = at
            while at < end and at[0] != separator and at[0] != c"\n":
                sign = at[0]
                if sign == c'"' or sign == c"\r" or sign == 0:
                    return None
                is_blank_line &= sign <= 32
                at += 1
            if (at < end and at[0] == separator) != (column + 1 < width):
                return None
            number = number_of_field(<Numbering>columns[column], start, at - start, end, numbers[column], row)
            if number < 0:
                return None
            at += 1
        if is_blank_line:
            return None
    return numbers


cdef int64_t number_of_field(
    Numbering numbering, const char* start, Py_ssize_t length, const char* end, bytearray numbers, Py_ssize_t row
) except -2:
    """Set the number of a field, which is new or not; -1 if it is not UTF-8."""
    cdef int64_t* number = <int64_t*>PyByteArray_AS_STRING(numbers) + row
    cdef Text text
    cdef const Text* above
    cdef bint ascii = True
    if row:
        above = &numbering.known.texts[number[-1]]
        if above.length == length and memcmp(above.start, start, length) == 0:
            number[0] = number[-1]
            return number[0]
    text.start, text.length = start, length
    text.hash = hash_before(start, length, end, &ascii) if length else 0
    if not ascii and not is_utf8(start, start + length):
        return -1
    number[0] = number_of(&numbering.known, &text)
    if number[0] < 0 and keep_text(numbering, &text):
        number[0] = numbered_next(&numbering.known, &text)
    if number[0] < 0:
        raise MemoryError
    return number[0]
