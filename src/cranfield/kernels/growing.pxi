# Memory that grows, and what is reported when it cannot.


cdef enum Outcome:
    FINE
    IRREGULAR
    NO_MEMORY


cdef bint grown(void** array, size_t size) noexcept nogil:
    cdef void* larger = realloc(array[0], size)
    if larger == NULL:
        return False
    array[0] = larger
    return True


cdef struct Column:
    int64_t* values
    Py_ssize_t count
    Py_ssize_t room


cdef bint make_room_in(Column* column, Py_ssize_t more) noexcept nogil:
    """Room for so many more values; False where memory ends."""
    cdef Py_ssize_t room = max(column.count + more, 2 * column.room + 64)
    if column.count + more <= column.room:
        return True
    if not grown(<void**>&column.values, room * sizeof(int64_t)):
        return False
    column.room = room
    return True


cdef inline bint append(Column* column, int64_t value) noexcept nogil:
    if not make_room_in(column, 1):
        return False
    column.values[column.count] = value
    column.count += 1
    return True


cdef class Values:
    """The numbers of a column as they lie in memory, which is theirs."""

    cdef int64_t* values
    cdef Py_ssize_t count

    def __len__(self):
        return self.count

    def __getbuffer__(self, Py_buffer* buffer, int flags):
        PyBuffer_FillInfo(buffer, self, self.values, self.count * sizeof(int64_t), 1, flags)

    def __dealloc__(self):
        free(self.values)


cdef Values handed_over(Column* column):
    """What a column holds; the column is empty afterwards."""
    cdef Values values = Values()
    if not grown(<void**>&column.values, max(column.count, 1) * sizeof(int64_t)):
        raise MemoryError
    values.values, values.count = column.values, column.count
    memset(column, 0, sizeof(Column))
    return values


cdef uint64_t at_least_twice(uint64_t count) noexcept nogil:
    """A power of two, so that half of a hash table stays free."""
    cdef uint64_t size = 16
    while size < 2 * count:
        size *= 2
    return size
