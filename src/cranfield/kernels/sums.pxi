# Sums that are rounded once, the same that Python's `math.fsum` gives; and how often two rows of sums are far apart.


def sum_of(const double[::1] values not None):
    """The sum of numbers, rounded once; None where twice the precision of a number does not tell how."""
    cdef double total = 0, rest = 0, size = 0, sum, part, error, bound
    cdef Py_ssize_t at
    with nogil:
        for at in range(values.shape[0]):
            # What rounding takes off a sum of two numbers is a number itself, found by undoing the sum (Knuth's TwoSum).
            sum = total + values[at]
            part = sum - total
            error = (total - (sum - part)) + (values[at] - part)
            total = sum
            rest += error
            size += fabs(error)
    # The true sum is the total and all errors. Their own sum has been rounded as often as there are numbers.
    bound = (2 * values.shape[0] + 4) * 1.1102230246251565e-16 * size
    return total + rest if total + (rest - bound) == total + (rest + bound) else None


cdef extern from *:
    """
    #include <math.h>

    /* Written so that compilers do several numbers at once. */
    static int64_t times_apart(const double *one, const double *other, double least, int64_t count) {
        int64_t times = 0;
        for (int64_t at = 0; at < count; at++)
            times += fabs(other[at] - one[at]) >= least;
        return times;
    }
    """
    int64_t times_apart(const double* one, const double* other, double least, int64_t count) noexcept nogil


def count_apart(
    const double[:, ::1] sums not None,
    Py_ssize_t one,
    const int64_t[::1] others not None,
    const double[::1] least not None,
    int64_t[::1] counts not None,
):
    """Add to each count in how many columns a row of sums and one of the others are at least so far apart."""
    cdef Py_ssize_t at, columns = sums.shape[1]
    if not others.shape[0] == least.shape[0] == counts.shape[0]:
        raise ValueError("every other row must have a distance and a count")
    if not 0 <= one < sums.shape[0] or (others.shape[0] and not all_below(&others[0], others.shape[0], sums.shape[0])):
        raise ValueError("there is no such row")
    if columns == 0:
        return
    with nogil:
        for at in range(others.shape[0]):
            counts[at] += times_apart(&sums[one, 0], &sums[others[at], 0], least[at], columns)
