# Ids in fields of text or values of JSON, to numbers.


cdef enum:
    AHEAD_OF_LOOKUP = 12
    MOST_DIGITS_OF_ID = 18
    SLACK_OF_TEXTS = 64  # SLACK, where a number must be known beforehand


cdef struct Narrow:
    # Numbers that 32 bits hold.
    int* values
    Py_ssize_t count
    Py_ssize_t room


cdef bint append_narrow(Narrow* column, int64_t value, Py_ssize_t times) noexcept nogil:
    cdef Py_ssize_t room = max(column.count + times, 2 * column.room + 1024), at
    if column.count + times > column.room:
        if not grown(<void**>&column.values, room * sizeof(int)):
            return False
        column.room = room
    for at in range(column.count, column.count + times):
        column.values[at] = <int>value
    column.count += times
    return True


cdef bytes narrow_bytes(Narrow* column):
    return PyBytes_FromStringAndSize(<char*>column.values, column.count * sizeof(int))


cdef struct Noted:
    # Ids of one text that are to be numbered together.
    Text* texts
    Py_ssize_t count
    Py_ssize_t room
    char* scratch  # texts without their escapes or doubled quotes
    Py_ssize_t used


cdef bint begin_noting(Noted* noted, Py_ssize_t size) noexcept nogil:
    """Forget what was noted before, and have room for texts as long as all of this one; False where memory ends."""
    noted.count = noted.used = 0
    return grown(<void**>&noted.scratch, size + SLACK_OF_TEXTS)


cdef void forget_noted(Noted* noted) noexcept nogil:
    free(noted.texts)
    free(noted.scratch)


cdef bint as_text_of(Noted* noted, const Value* value, Text* text) noexcept nogil:
    """The text of an id; False if it is no id, or none that is read here."""
    cdef bint ascii
    cdef char* end
    text.start, text.length = value.start, value.length
    if value.kind == TEXT and value.escaped:
        text.start = noted.scratch + noted.used
        end = write_unescaped(value, noted.scratch + noted.used)
        if end == NULL:
            return False
        text.length = end - text.start
        noted.used += text.length
    elif value.kind == WHOLE_NUMBER:
        if value.length > MOST_DIGITS_OF_ID or (value.start[0] == c"-" and value.start[1] == c"0"):
            return False
    elif value.kind != TEXT:
        return False
    if text.length == 0:
        return False
    text.hash = hash_in_buffer(text.start, text.length, &ascii)
    return True


cdef Outcome number_id(Noted* noted, Numbering numbering, const Value* value, int64_t* number) noexcept nogil:
    """The number of an id; it is first compared with the one whose number is there already, if that is not -1."""
    cdef Text text
    cdef const Text* last
    cdef Py_ssize_t used = noted.used
    if number[0] >= 0 and value.kind == TEXT and not value.escaped:
        last = &numbering.known.texts[number[0]]
        if last.length == value.length and same_bytes(last.start, value.start, value.length):
            return FINE
    if not as_text_of(noted, value, &text):
        return IRREGULAR
    number[0] = number_of(&numbering.known, &text)
    if number[0] < 0:
        number[0] = numbered_next(&numbering.known, &text) if keep_text(numbering, &text) else -1
    noted.used = used  # a copy was kept
    return NO_MEMORY if number[0] < 0 else FINE


cdef Outcome note_id(Noted* noted, const Value* value) noexcept nogil:
    """Note an id that is to be numbered with others."""
    if noted.count == noted.room:
        if not grown(<void**>&noted.texts, (2 * noted.room + 1024) * sizeof(Text)):
            return NO_MEMORY
        noted.room = 2 * noted.room + 1024
    if not as_text_of(noted, value, &noted.texts[noted.count]):
        return IRREGULAR
    noted.count += 1
    return FINE


cdef Outcome number_noted(Noted* noted, Numbering numbering, Narrow* column) noexcept nogil:
    """The numbers of all ids that were noted. To look ahead saves waiting for each."""
    cdef Numbered* known = &numbering.known
    cdef Text* texts = noted.texts
    cdef Py_ssize_t at
    cdef int64_t number = -1
    for at in range(noted.count):
        if at + 2 * AHEAD_OF_LOOKUP < noted.count:
            expect(known, &texts[at + 2 * AHEAD_OF_LOOKUP])
        if at + AHEAD_OF_LOOKUP < noted.count:
            expect_text(known, &texts[at + AHEAD_OF_LOOKUP])
        number = number_after(known, number, &texts[at])
        if number < 0:
            number = numbered_next(known, &texts[at]) if keep_text(numbering, &texts[at]) else -1
        if number < 0 or not append_narrow(column, number, 1):
            return NO_MEMORY
    return FINE


cdef inline void expect_text(const Numbered* numbered, const Text* text) noexcept nogil:
    """Have the text fetched that a text is soon to be compared with, if its place is there already."""
    cdef uint64_t entry = numbered.slots[text.hash & numbered.mask]
    if entry:
        prefetch(&numbered.texts[<uint32_t>entry - 1])
