# Sums that are rounded once, the same that Python's `math.fsum` gives.


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
