# Whole numbers without repetition.


def number_keys(const int64_t[::1] keys not None):
    """Numbers for keys in the order they are met: which number each has, and the key of each number, as bytes.

    The former are 32 bits wide, the latter 64.
    """
    cdef Py_ssize_t count = keys.shape[0]
    cdef bytes numbers = PyBytes_FromStringAndSize(NULL, count * sizeof(int))
    cdef int* number = <int*><char*>numbers
    cdef KeySlots slots
    cdef Py_ssize_t done = 0
    if count > MOST_TEXTS:
        raise ValueError("there are too many keys")
    memset(&slots, 0, sizeof(slots))
    try:
        if count:
            with nogil:
                done = -1 if not make_room_for_keys(&slots, 1024) else set_key_numbers(&keys[0], count, number, &slots)
        if done < 0:
            raise MemoryError
        return numbers, PyBytes_FromStringAndSize(<char*>slots.met, slots.count * sizeof(int64_t))
    finally:
        free(slots.places)
        free(slots.met)


cdef struct KeySlots:
    int* places  # numbers of keys by hash, from 1 on; 0 is free
    uint64_t mask
    int64_t* met
    Py_ssize_t count


cdef inline uint64_t place_of_key(const KeySlots* slots, int64_t key) noexcept nogil:
    return mixed(0, <uint64_t>key) & slots.mask


cdef bint make_room_for_keys(KeySlots* slots, Py_ssize_t room) noexcept nogil:
    """Room for so many keys; False where memory ends."""
    cdef uint64_t size = at_least_twice(room), place
    cdef Py_ssize_t at
    if not (grown(<void**>&slots.places, size * sizeof(int)) and grown(<void**>&slots.met, size * sizeof(int64_t) // 2)):
        return False
    memset(slots.places, 0, size * sizeof(int))
    slots.mask = size - 1
    for at in range(slots.count):
        place = place_of_key(slots, slots.met[at])
        while slots.places[place]:
            place = (place + 1) & slots.mask
        slots.places[place] = <int>(at + 1)
    return True


cdef Py_ssize_t set_key_numbers(const int64_t* keys, Py_ssize_t count, int* numbers, KeySlots* slots) noexcept nogil:
    """Set the number of each key; -1 where memory ends."""
    cdef Py_ssize_t at
    cdef uint64_t place
    cdef int found
    for at in range(count):
        # To look ahead saves waiting for each.
        if at + 2 * AHEAD_OF_LOOKUP < count:
            prefetch(&slots.places[place_of_key(slots, keys[at + 2 * AHEAD_OF_LOOKUP])])
        if at + AHEAD_OF_LOOKUP < count:
            found = slots.places[place_of_key(slots, keys[at + AHEAD_OF_LOOKUP])]
            if found:
                prefetch(&slots.met[found - 1])
        place = place_of_key(slots, keys[at])
        while slots.places[place] and slots.met[slots.places[place] - 1] != keys[at]:
            place = (place + 1) & slots.mask
        if not slots.places[place]:
            if <uint64_t>(2 * (slots.count + 1)) > slots.mask:
                if not make_room_for_keys(slots, 2 * slots.count + 2):
                    return -1
                place = place_of_key(slots, keys[at])
                while slots.places[place]:
                    place = (place + 1) & slots.mask
            slots.met[slots.count] = keys[at]
            slots.count += 1
            slots.places[place] = <int>slots.count
        numbers[at] = slots.places[place] - 1
    return count
