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


cdef struct Numbered:
    # Texts with the numbers they got as they came, from 0 on.
    Text* texts
    Py_ssize_t count
    Py_ssize_t room
    int64_t* slots  # texts by hash: their numbers, from 1 on; 0 is free
    uint64_t mask


cdef void forget_numbered(Numbered* numbered) noexcept nogil:
    free(numbered.texts)
    free(numbered.slots)


cdef bint make_room_for_texts(Numbered* numbered, Py_ssize_t room) noexcept nogil:
    """Room for so many texts, each found by its hash; False where memory ends."""
    cdef uint64_t size = at_least_twice(room), at
    cdef Py_ssize_t number
    if not (
        grown(<void**>&numbered.texts, (room + 1) * sizeof(Text))
        and grown(<void**>&numbered.slots, size * sizeof(int64_t))
    ):
        return False
    numbered.room, numbered.mask = room, size - 1
    memset(numbered.slots, 0, size * sizeof(int64_t))
    for number in range(numbered.count):
        at = numbered.texts[number].hash & numbered.mask
        while numbered.slots[at]:
            at = (at + 1) & numbered.mask
        numbered.slots[at] = number + 1
    return True


cdef int64_t number_of(const Numbered* numbered, const Text* text) noexcept nogil:
    """The number a text has; -1 if it has none."""
    cdef uint64_t at = text.hash & numbered.mask
    while numbered.slots[at]:
        if is_same(&numbered.texts[numbered.slots[at] - 1], text):
            return numbered.slots[at] - 1
        at = (at + 1) & numbered.mask
    return -1


cdef int64_t numbered_anew(Numbered* numbered, const Text* text) noexcept nogil:
    """The number of a text that has none yet; -1 where memory ends."""
    cdef uint64_t at
    if numbered.count == numbered.room and not make_room_for_texts(numbered, 2 * numbered.room + 64):
        return -1
    numbered.texts[numbered.count] = text[0]
    numbered.count += 1
    at = text.hash & numbered.mask
    while numbered.slots[at]:
        at = (at + 1) & numbered.mask
    numbered.slots[at] = numbered.count
    return numbered.count - 1
