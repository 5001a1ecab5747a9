# Ids as bytes where they stand, with their hashes.


cdef struct Text:
    const char* start
    Py_ssize_t length
    uint64_t hash


cdef inline bint is_same(const Text* one, const Text* other) noexcept nogil:
    return (
        one.hash == other.hash
        and one.length == other.length
        and same_bytes(one.start, other.start, one.length)
    )


cdef inline Py_ssize_t compared(Text* one, Text* other) noexcept nogil:
    """Positive if the first id comes later; UTF-8 has the order of the code points by which Python compares."""
    cdef int difference = memcmp(one.start, other.start, min(one.length, other.length))
    return difference if difference else one.length - other.length


cdef enum:
    MOST_TEXTS = 0x7FFFFFFF
    AHEAD_IN_SLOTS = 16


cdef struct Numbered:
    # Texts with the numbers they got as they came, from 0 on.
    Text* texts
    Py_ssize_t count
    Py_ssize_t room
    uint64_t* slots  # texts by hash: the upper half of a hash next to the text's number, from 1 on; 0 is free
    uint64_t mask


cdef void forget_numbered(Numbered* numbered) noexcept nogil:
    free(numbered.texts)
    free(numbered.slots)


cdef bint make_room_for_texts(Numbered* numbered, Py_ssize_t room) noexcept nogil:
    """Room for so many texts, each found by its hash; False where memory ends."""
    cdef uint64_t size = at_least_twice(room)
    cdef Py_ssize_t number
    if room > MOST_TEXTS or not (
        grown(<void**>&numbered.texts, (room + 1) * sizeof(Text))
        and grown(<void**>&numbered.slots, size * sizeof(uint64_t))
    ):
        return False
    numbered.room, numbered.mask = room, size - 1
    memset(numbered.slots, 0, size * sizeof(uint64_t))
    for number in range(numbered.count):
        if number + AHEAD_IN_SLOTS < numbered.count:
            expect(numbered, &numbered.texts[number + AHEAD_IN_SLOTS])
        set_slot(numbered, number)
    return True


cdef inline void expect(const Numbered* numbered, const Text* text) noexcept nogil:
    """Have the place fetched where a text is soon to be looked up."""
    prefetch(&numbered.slots[text.hash & numbered.mask])


cdef inline void set_slot(Numbered* numbered, int64_t number) noexcept nogil:
    cdef uint64_t hash = numbered.texts[number].hash
    cdef uint64_t at = hash & numbered.mask
    while numbered.slots[at]:
        at = (at + 1) & numbered.mask
    numbered.slots[at] = (hash & 0xFFFFFFFF00000000ULL) | <uint64_t>(number + 1)


cdef int64_t number_of(const Numbered* numbered, const Text* text) noexcept nogil:
    """The number a text has; -1 if it has none."""
    cdef uint64_t at = text.hash & numbered.mask
    cdef uint64_t tag = text.hash & 0xFFFFFFFF00000000ULL
    cdef uint64_t entry
    while numbered.slots[at]:
        entry = numbered.slots[at]
        if (entry & 0xFFFFFFFF00000000ULL) == tag and is_same(&numbered.texts[<uint32_t>entry - 1], text):
            return <uint32_t>entry - 1
        at = (at + 1) & numbered.mask
    return -1


cdef int64_t number_after(const Numbered* numbered, int64_t before, const Text* text) noexcept nogil:
    """The same, sooner found if it is the one after a number; -1 is before the first."""
    if before + 1 < numbered.count and is_same(&numbered.texts[before + 1], text):
        return before + 1
    return number_of(numbered, text)


cdef int64_t numbered_next(Numbered* numbered, const Text* text) noexcept nogil:
    """The number of a text that has none yet; -1 where memory ends."""
    if numbered.count == numbered.room and not make_room_for_texts(numbered, 2 * numbered.room + 64):
        return -1
    numbered.texts[numbered.count] = text[0]
    set_slot(numbered, numbered.count)
    numbered.count += 1
    return numbered.count - 1
