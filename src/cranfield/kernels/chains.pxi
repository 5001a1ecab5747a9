# What people who read from the top are expected to have seen: the sums that DBN and CCM are learnt from.
#
# Every number comes of the same operations in the same order as in `click_models/chain.py`, so it has the same bits.
# Where those would divide by zero nothing is said, and they do it.

cdef extern from *:
    """
    #include <stdint.h>
    #include <stdlib.h>
    #include <string.h>

    enum { TILE = 128 };

    typedef struct {
        int64_t depth, count;
        const int32_t *pair;       /* depth x count, as all that is by rank */
        const uint8_t *click, *shown;
        const int32_t *last;       /* of each impression: the rank of its lowest click, or -1 */
        const double *weight;
        const double *attraction, *satisfaction;
        double none, other, relevant;  /* DBN goes on with the first, CCM with all three */
        double *looked;            /* depth + 1 x count: the probability that each result was looked at */
        double *looks, *clicks;    /* sums by pair: of looks; of satisfaction (DBN), or of attraction (CCM) */
        double sums[6];            /* of all else: successes and trials, one after the other */
    } Chain;

    /* The probability to go on after a click. */
    static inline double after_click_of(const Chain *chain, int is_dbn, int32_t pair) {
        if (is_dbn)
            return chain->none * (1 - chain->satisfaction[pair]);
        double attraction = chain->attraction[pair];
        return chain->other * (1 - attraction) + chain->relevant * attraction;
    }

    static inline double within(double value) {
        value = value < 1e-12 ? 1e-12 : value;
        return value > 1 - 1e-12 ? 1 - 1e-12 : value;
    }

    /* Down to the last click everything was looked at; below it, the fewer clicks one would miss, the more likely.
       Some impressions at once, so that what is computed of them stays in the cache. 0 where a divisor is. */
    static int follow(const Chain *chain, int is_dbn, int64_t first, int64_t wide, double *silent) {
        int64_t depth = chain->depth, count = chain->count;
        double goes_on[TILE], tires = 1 - chain->none;
        int sound = 1;
        for (int64_t at = 0; at < wide; at++)
            silent[depth * TILE + at] = chain->looked[first + at] = 1;
        for (int64_t rank = depth - 1; rank >= 0; rank--) {
            const int32_t *pair = chain->pair + rank * count + first;
            const uint8_t *shown = chain->shown + rank * count + first;
            double *here = silent + rank * TILE, *below = here + TILE;
            for (int64_t at = 0; at < wide; at++)
                here[at] = shown[at] ? chain->attraction[pair[at]] : 0;
            for (int64_t at = 0; at < wide; at++)
                here[at] = (1 - here[at]) * (tires + chain->none * below[at]);
        }
        for (int64_t rank = 0; rank < depth; rank++) {
            const int32_t *pair = chain->pair + rank * count + first;
            const uint8_t *click = chain->click + rank * count + first;
            const int32_t *last = chain->last + first;
            const double *here = chain->looked + rank * count + first, *unclicked = silent + (rank + 1) * TILE;
            double *below = chain->looked + (rank + 1) * count + first;
            for (int64_t at = 0; at < wide; at++)
                goes_on[at] = chain->none;
            for (int64_t at = 0; at < wide; at++)
                if (click[at]) {
                    goes_on[at] = after_click_of(chain, is_dbn, pair[at]);
                    sound &= !is_dbn || 1 - goes_on[at] != 0;
                }
            for (int64_t at = 0; at < wide; at++) {
                double unseen = goes_on[at] * unclicked[at], either = 1 - goes_on[at] + unseen;
                sound &= either != 0;
                below[at] = rank < last[at] ? 1.0 : here[at] * unseen / either;
            }
        }
        return sound;
    }

    /* Rank by rank: sums of looks, and of going on where another result follows. */
    static void sum_dbn(Chain *chain, int64_t rank) {
        int64_t count = chain->count, row = rank * count;
        const int32_t *pair = chain->pair + row;
        const uint8_t *shown = chain->shown + row, *click = chain->click + row;
        const uint8_t *followed = rank + 1 < chain->depth ? shown + count : NULL;
        const double *here = chain->looked + row, *below = here + count, *weight = chain->weight;
        double goes = chain->sums[0], tried = chain->sums[1];
        for (int64_t at = 0; at < count; at++) {
            if (!shown[at])
                continue;
            chain->looks[pair[at]] += here[at] * weight[at];
            if (!followed || !followed[at])
                continue;
            double unsatisfied = here[at];
            if (click[at]) {
                double after_click = after_click_of(chain, 1, pair[at]);
                double satisfied = (1 - below[at]) * chain->satisfaction[pair[at]] / (1 - after_click);
                chain->clicks[pair[at]] += satisfied * weight[at];
                unsatisfied = 1 - satisfied;
            }
            goes += below[at] * weight[at];
            tried += unsatisfied * weight[at];
        }
        chain->sums[0] = goes, chain->sums[1] = tried;
    }

    static void sum_ccm(Chain *chain, int64_t rank) {
        int64_t count = chain->count, row = rank * count;
        const int32_t *pair = chain->pair + row;
        const uint8_t *shown = chain->shown + row, *click = chain->click + row;
        const uint8_t *followed = rank + 1 < chain->depth ? shown + count : NULL;
        const double *here = chain->looked + row, *below = here + count, *weight = chain->weight;
        double goes = chain->sums[0], tried = chain->sums[1];
        for (int64_t at = 0; at < count; at++) {
            if (!shown[at])
                continue;
            int goes_on = followed && followed[at];
            if (!click[at]) {
                chain->looks[pair[at]] += here[at] * weight[at];
                if (goes_on) {
                    goes += below[at] * weight[at];
                    tried += here[at] * weight[at];
                }
                continue;
            }
            chain->looks[pair[at]] += (here[at] + goes_on) * weight[at];
            if (!goes_on) {
                chain->clicks[pair[at]] += weight[at];
                continue;
            }
            double attraction = chain->attraction[pair[at]], next = below[at];
            double stays = within(after_click_of(chain, 0, pair[at]));
            double went_on = next * attraction * chain->relevant / stays;
            double relevant = went_on + (1 - next) * attraction * (1 - chain->relevant) / (1 - stays);
            chain->clicks[pair[at]] += (1 + relevant) * weight[at];
            chain->sums[2] += (next - went_on) * weight[at];
            chain->sums[3] += (1 - relevant) * weight[at];
            chain->sums[4] += went_on * weight[at];
            chain->sums[5] += relevant * weight[at];
        }
        chain->sums[0] = goes, chain->sums[1] = tried;
    }

    static int follow_all(Chain *chain, int is_dbn) {
        double *silent = malloc((chain->depth + 1) * TILE * sizeof(double));
        int sound = 1;
        if (!silent)
            return -1;
        memset(chain->sums, 0, sizeof(chain->sums));
        for (int64_t first = 0; sound && first < chain->count; first += TILE)
            sound = follow(chain, is_dbn, first, chain->count - first < TILE ? chain->count - first : TILE, silent);
        free(silent);
        for (int64_t rank = 0; sound && rank < chain->depth; rank++)
            if (is_dbn)
                sum_dbn(chain, rank);
            else
                sum_ccm(chain, rank);
        return sound;
    }
    """
    ctypedef struct Chain:
        int64_t depth, count
        const int* pair
        const unsigned char* click
        const unsigned char* shown
        const int* last
        const double* weight
        const double* attraction
        const double* satisfaction
        double none, other, relevant
        double* looked
        double* looks
        double* clicks
        double* sums

    int follow_all(Chain* chain, bint is_dbn) noexcept nogil


cdef class ChainChunk:
    """Some impressions of people who read from the top, by rank."""

    cdef const int[:, ::1] pair
    cdef const unsigned char[:, ::1] click, shown
    cdef const int[::1] last
    cdef const double[::1] weight
    cdef Py_ssize_t pairs

    def __cinit__(
        self,
        const int[:, ::1] pair not None,
        const unsigned char[:, ::1] click not None,
        const unsigned char[:, ::1] shown not None,
        const int[::1] last not None,
        const double[::1] weight not None,
        Py_ssize_t pairs,
    ):
        cdef Py_ssize_t rank, at
        cdef bint fit = click.shape[0] == shown.shape[0] == pair.shape[0]
        if not (fit and click.shape[1] == shown.shape[1] == pair.shape[1]):
            raise ValueError("all must have a place for each rank of each impression")
        if last.shape[0] != pair.shape[1] or weight.shape[0] != pair.shape[1] or not pair.shape[0] * pair.shape[1]:
            raise ValueError("there must be a number for each impression")
        for rank in range(pair.shape[0]):
            for at in range(pair.shape[1]):
                if not 0 <= pair[rank, at] < pairs:
                    raise ValueError("there is no such pair")
        self.pair, self.click, self.shown, self.last, self.weight = pair, click, shown, last, weight
        self.pairs = pairs

    def sums(
        self,
        const double[::1] attraction not None,
        const double[::1] satisfaction,
        tuple goes_on not None,
        double[:, ::1] looked not None,
        double[::1] looks not None,
        double[::1] clicks not None,
    ):
        """Add to sums by pair, and return those of all else, as successes and trials in turn; None where a divisor is 0.

        With satisfaction this is DBN, which goes on with one probability; clicks then are those that satisfied.
        Otherwise it is CCM, which goes on with three: after none, another, and a relevant result. Looks are computed in
        a room with a place for every rank of every impression, and one more for each impression.
        """
        cdef Chain chain
        cdef int sound
        cdef bint is_dbn = satisfaction is not None
        if min(attraction.shape[0], looks.shape[0], clicks.shape[0]) < self.pairs:
            raise ValueError("every pair must have a value")
        if is_dbn and satisfaction.shape[0] < self.pairs:
            raise ValueError("every pair must have a satisfaction")
        if len(goes_on) != (1 if is_dbn else 3):
            raise ValueError("DBN has one continuation, and CCM has three")
        if looked.shape[0] != self.pair.shape[0] + 1 or looked.shape[1] != self.pair.shape[1]:
            raise ValueError("there must be room for one rank more than there are")
        chain.none, chain.other, chain.relevant = (*goes_on, 0.0, 0.0) if is_dbn else goes_on
        chain.depth, chain.count = self.pair.shape[0], self.pair.shape[1]
        chain.pair, chain.last, chain.weight = &self.pair[0, 0], &self.last[0], &self.weight[0]
        chain.click, chain.shown = &self.click[0, 0], &self.shown[0, 0]
        chain.attraction = &attraction[0]
        chain.satisfaction = &satisfaction[0] if is_dbn else NULL
        chain.looked, chain.looks, chain.clicks = &looked[0, 0], &looks[0], &clicks[0]
        with nogil:
            sound = follow_all(&chain, is_dbn)
        if sound < 0:
            raise MemoryError
        return [chain.sums[at] for at in range(2 if is_dbn else 6)] if sound else None
