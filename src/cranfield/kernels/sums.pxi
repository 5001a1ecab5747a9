# Sums that are rounded once, the same that Python's `math.fsum` gives; how often two rows of sums are far apart; and how
# far a judge's labels agree with each other.


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


cdef extern from *:
    """
    #define ABREAST 8

    /* Of samples side by side, so that no addition waits for the one before; each has its own sums, in the same order. */
    static void labels_of_same(const char *given, const Py_ssize_t *strides, int64_t samples, int64_t judges, int64_t size,
                               const int64_t *rows, const int64_t *columns, const double *weights, int64_t cells, int64_t block,
                               double *share, double *shares, double *same, double *with_labels) {
        for (int64_t at = 0; at < samples; at++)
            with_labels[at] = same[at] = 0;
        for (int64_t at = 0; at < samples * size; at++)
            shares[at] = 0;
        double sums[ABREAST] = {0};
        for (int64_t judge = 0; judge < judges; judge++) {
            for (int64_t at = 0; at < samples; at++) {
                const char *own = given + at * strides[0] + judge * strides[1];
                double labels = 0;
                for (int64_t k = 0; k < size; k++)
                    labels += *(const double *) (own + k * strides[2]);
                with_labels[at] += labels > 0;
                for (int64_t k = 0; k < size; k++) {
                    share[k * ABREAST + at] = labels > 0 ? *(const double *) (own + k * strides[2]) / labels : 0;
                    shares[at * size + k] += share[k * ABREAST + at];
                }
            }
            for (int64_t cell = 0; cell < cells; cell++) {
                const double *one = share + rows[cell] * ABREAST, *other = share + columns[cell] * ABREAST;
                for (int64_t at = 0; at < ABREAST; at++)
                    sums[at] += one[at] * weights[cell] * other[at];
            }
            if ((judge + 1) % block == 0 || judge + 1 == judges)
                for (int64_t at = 0; at < samples; at++) {
                    same[at] += sums[at];
                    sums[at] = 0;
                }
        }
    }
    """
    const int ABREAST
    void labels_of_same(
        const char* given, const Py_ssize_t* strides, int64_t samples, int64_t judges, int64_t size, const int64_t* rows,
        const int64_t* columns, const double* weights, int64_t cells, int64_t block, double* share, double* shares, double* same,
        double* with_labels,
    ) noexcept nogil


def count_same_judge(
    const double[:, :, :] given not None,
    const int64_t[::1] rows not None,
    const int64_t[::1] columns not None,
    const double[::1] weights not None,
    int64_t block,
    double[:, ::1] shares not None,
    double[::1] same not None,
    double[::1] judges not None,
):
    """Of samples, by judge and category: the sum of shares, how far a judge's labels agree by chance, and the judges.

    Of the weights those that are not 0 are given, with their rows and columns; a sum is made of sums over so many judges.
    """
    cdef Py_ssize_t at = 0, samples = given.shape[0], size = given.shape[2]
    cdef double* share
    if not (shares.shape[0] == same.shape[0] == judges.shape[0] == samples and shares.shape[1] == size):
        raise ValueError("every sample must have its sums")
    if not rows.shape[0] == columns.shape[0] == weights.shape[0] or block < 1:
        raise ValueError("every weight must have a row and a column")
    if rows.shape[0] and not (
        all_below(&rows[0], rows.shape[0], size) and all_below(&columns[0], columns.shape[0], size)
    ):
        raise ValueError("there is no such category")
    if not (samples and size and given.shape[1] and rows.shape[0]):
        raise ValueError("there is nothing to sum")
    share = <double*> malloc(size * ABREAST * sizeof(double))
    if share is NULL:
        raise MemoryError()
    with nogil:
        memset(share, 0, size * ABREAST * sizeof(double))
        while at < samples:
            labels_of_same(
                <const char*> &given[at, 0, 0], given.strides, min(<int64_t> ABREAST, samples - at), given.shape[1], size, &rows[0], &columns[0],
                &weights[0], rows.shape[0], block, share, &shares[at, 0], &same[at], &judges[at],
            )
            at += ABREAST
    free(share)
