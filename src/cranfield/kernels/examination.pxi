# Sums that models of examination and attraction are learnt from, each number by the operations of the plain loop.


def sum_cells(
    const double[::1] attraction not None,
    const double[::1] examination not None,
    const int64_t[::1] pairs not None,
    const int64_t[::1] places not None,
    const double[::1] clicks not None,
    const double[::1] others not None,
    bint unseen,
    double[::1] won not None,
    double[::1] tried not None,
    double[::1] looked not None,
):
    """Add to the successes and trials of each pair and the looks at each place; False where a divisor is zero."""
    cdef Py_ssize_t at, pair, place, count = pairs.shape[0]
    cdef double attracts, examined, unclicked, looks, missed = 0, divisor
    cdef bint sound = True
    if not count == places.shape[0] == clicks.shape[0] == others.shape[0]:
        raise ValueError("every cell must have all numbers")
    if not attraction.shape[0] == won.shape[0] == tried.shape[0] or examination.shape[0] != looked.shape[0]:
        raise ValueError("there must be a sum for every parameter")
    if count == 0:
        return True
    if not all_below(&pairs[0], count, won.shape[0]) or not all_below(&places[0], count, looked.shape[0]):
        raise ValueError("there is no such pair or place")
    with nogil:
        for at in range(count):
            pair, place = pairs[at], places[at]
            attracts, examined = attraction[pair], examination[place]
            divisor = 1 - attracts * examined
            if divisor == 0:
                sound = False
                break
            unclicked = others[at] / divisor
            looks = clicks[at] + unclicked * examined * (1 - attracts)
            if unseen:
                missed = unclicked * (1 - examined)
            won[pair] += clicks[at] + attracts * missed
            tried[pair] += looks + missed
            looked[place] += looks
    return sound
