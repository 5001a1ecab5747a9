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
    /* Of samples side by side, so that no addition waits for the one before; each has its own sums, in the same order. */
    #define ABREAST 8
    typedef struct { double of[ABREAST]; } abreast;

    static inline void copy_abreast(const char *given, Py_ssize_t stride, int64_t samples, abreast *to) {
        if (samples == ABREAST && stride == sizeof(double))
            memcpy(to, given, sizeof(abreast));
        else
            for (int64_t at = 0; at < ABREAST; at++)
                to->of[at] = at < samples ? *(const double *) (given + at * stride) : 0;
    }

    static void shares_of_judges(const char *given, const Py_ssize_t *strides, int64_t samples, int64_t judges, int64_t size,
                                 abreast *share, abreast *shares, double *with_labels) {
        for (int64_t judge = 0; judge < judges; judge++, share += size, given += strides[1]) {
            abreast labels = {{0}}, divisors;
            for (int64_t k = 0; k < size; k++) {
                copy_abreast(given + k * strides[2], strides[0], samples, &share[k]);
                for (int64_t at = 0; at < ABREAST; at++)
                    labels.of[at] += share[k].of[at];
            }
            for (int64_t at = 0; at < ABREAST; at++)
                divisors.of[at] = labels.of[at] > 0 ? labels.of[at] : 1;
            for (int64_t k = 0; k < size; k++)
                for (int64_t at = 0; at < ABREAST; at++) {
                    share[k].of[at] /= divisors.of[at];
                    shares[k].of[at] += share[k].of[at];
                }
            for (int64_t at = 0; at < samples; at++)
                with_labels[at] += labels.of[at] > 0;
        }
    }

    static void agreement_of_same(const abreast *share, int64_t judges, int64_t size, const int64_t *rows, const int64_t *columns,
                                  const double *weights, int64_t cells, int64_t samples, double *same) {
        abreast sums = {{0}};
        for (int64_t judge = 0; judge < judges; judge++, share += size)
            for (int64_t cell = 0; cell < cells; cell++) {
                const double *one = share[rows[cell]].of, *other = share[columns[cell]].of;
                for (int64_t at = 0; at < ABREAST; at++)
                    sums.of[at] += one[at] * weights[cell] * other[at];
            }
        for (int64_t at = 0; at < samples; at++)
            same[at] += sums.of[at];
    }
    """
    const int ABREAST
    ctypedef struct abreast:
        pass
    void shares_of_judges(
        const char* given, const Py_ssize_t* strides, int64_t samples, int64_t judges, int64_t size, abreast* share, abreast* shares,
        double* with_labels,
    ) noexcept nogil
    void agreement_of_same(
        const abreast* share, int64_t judges, int64_t size, const int64_t* rows, const int64_t* columns, const double* weights,
        int64_t cells, int64_t samples, double* same,
    ) noexcept nogil


def count_same_judge(
    const double[:, :, :] given not None,
    const int64_t[::1] rows not None,
    const int64_t[::1] columns not None,
    const double[::1] weights not None,
    const int64_t[::1] ends not None,
    int64_t block,
    double[:, ::1] shares not None,
    double[:, ::1] same not None,
    double[::1] judges not None,
):
    """Of samples, by judge and category: the sum of shares, how far a judge's labels agree by chance, and the judges.

    Of tables of weights those that are not 0 are given, with their rows and columns, and where each table ends among
    them; a sum is made of sums over so many judges.
    """
    cdef Py_ssize_t samples = given.shape[0], many = given.shape[1], size = given.shape[2], tables = ends.shape[0]
    cdef Py_ssize_t groups = (samples + ABREAST - 1) // ABREAST, judge = 0, group, at, k, table, some
    cdef int64_t cell
    cdef abreast* share
    cdef abreast* totals
    if not (shares.shape[0] == same.shape[1] == judges.shape[0] == samples and shares.shape[1] == size):
        raise ValueError("every sample must have its sums")
    if not rows.shape[0] == columns.shape[0] == weights.shape[0] or block < 1:
        raise ValueError("every weight must have a row and a column")
    if rows.shape[0] and not (
        all_below(&rows[0], rows.shape[0], size) and all_below(&columns[0], columns.shape[0], size)
    ):
        raise ValueError("there is no such category")
    if not (samples and size and many and rows.shape[0]):
        raise ValueError("there is nothing to sum")
    if not (tables == same.shape[0] and tables and lie_inside(&ends[0], tables - 1, rows.shape[0])):
        raise ValueError("every table must have its sums, and end behind the one before")
    block = min(block, many)
    share = <abreast*>malloc((block + groups) * size * sizeof(abreast))
    if share is NULL:
        raise MemoryError()
    totals = share + block * size
    with nogil:
        memset(totals, 0, groups * size * sizeof(abreast))
        memset(&judges[0], 0, samples * sizeof(double))
        memset(&same[0, 0], 0, tables * samples * sizeof(double))
        # All samples of some judges before the next judges, since those of a judge lie side by side.
        while judge < many:
            for group in range(groups):
                at = group * ABREAST
                some = min(<Py_ssize_t>ABREAST, samples - at)
                shares_of_judges(
                    <const char*>&given[at, judge, 0], given.strides, some, min(block, many - judge), size, share,
                    totals + group * size, &judges[at],
                )
                cell = 0
                for table in range(tables):
                    agreement_of_same(
                        share, min(block, many - judge), size, &rows[0] + cell, &columns[0] + cell, &weights[0] + cell,
                        ends[table] - cell, some, &same[table, at],
                    )
                    cell = ends[table]
            judge += block
        for at in range(samples):
            for k in range(size):
                shares[at, k] = (<double*>(totals + at // ABREAST * size + k))[at % ABREAST]
    free(share)
