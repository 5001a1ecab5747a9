# Decimal numbers as the nearest double, the same that Python's `float` gives.
#
# Up to 19 digits fit a 64-bit integer. With few digits and a small power of ten, one multiplication or division
# rounds once and is right (Clinger, doi:10.1145/93542.93557). Otherwise the integer is multiplied with 128 bits of
# the power of five, which settles almost every case (Lemire, doi:10.1002/spe.2984). The rest Python decides.

cdef enum:
    LOWEST_POWER = -342
    HIGHEST_POWER = 308

cdef uint64_t[2 * (HIGHEST_POWER - LOWEST_POWER + 1)] FIVES
cdef uint64_t[9] TENS = [1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000]
cdef double[23] EXACT_TENS = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
]


def _write_fives():
    """The first 128 bits of every power of five; rounded up where that makes products of small numbers exact."""
    for power in range(LOWEST_POWER, HIGHEST_POWER + 1):
        five = 5 ** abs(power)
        if power >= 0:
            surplus = five.bit_length() - 128
            first = five >> surplus if surplus > 0 else five << -surplus
        else:
            first = (1 << (five.bit_length() + 127)) // five + (power >= -27)
        FIVES[2 * (power - LOWEST_POWER)] = first >> 64
        FIVES[2 * (power - LOWEST_POWER) + 1] = first & 0xFFFFFFFFFFFFFFFF


_write_fives()


cdef inline const char* number(const char* at, double* value) noexcept nogil:
    """Read the number that is a whole field, and return the field's end; NULL if the field is no number.

    The most frequent shape is read here: at most seven digits, perhaps a point and at most seven more.
    """
    cdef const char* start = at
    cdef const char* part
    cdef uint64_t word, digits = 0
    cdef int more = 0
    at += at[0] == c"-"
    part = at
    while <unsigned char>(at[0] - c"0") < 10:
        digits = 10 * digits + <unsigned char>(at[0] - c"0")
        at += 1
    if at - part > 7:
        return any_number(start, value)
    if at[0] == c".":
        at += 1
        word = load(at) ^ 0x3030303030303030ULL
        more = digits_in(word)
        digits = digits * TENS[more] + first_digits(word, more)
        at += more
        value[0] = <double><int64_t>digits / EXACT_TENS[more]
    else:
        value[0] = <double><int64_t>digits
    if <unsigned char>at[0] > 32 or more == 8 or (digits == 0 and at - part < 2):  # the last: perhaps no digit at all
        return any_number(start, value)
    if start[0] == c"-":
        value[0] = -value[0]
    return at


cdef const char* any_number(const char* at, double* value) noexcept nogil:
    """As `number`, whatever the number's shape."""
    cdef const char* start = at
    cdef const char* part
    cdef uint64_t digits = 0
    cdef Py_ssize_t count
    cdef int64_t power = 0
    cdef bint negative = at[0] == c"-"
    if negative or at[0] == c"+":
        at += 1
    part = at
    at = read_digits(at, &digits)
    count = at - part
    if at[0] == c".":
        part = at + 1
        at = read_digits(part, &digits)
        power = part - at
        count += at - part
    if not 1 <= count <= 19:
        return long_number(start, value)
    if at[0] == c"e" or at[0] == c"E":
        at = read_exponent(at + 1, &power)
    if <unsigned char>at[0] > 32 or not nearest(digits, power, value):
        return long_number(start, value)
    if negative:
        value[0] = -value[0]
    return at


cdef inline int digits_in(uint64_t word) noexcept nogil:
    """How many digits a word begins with, each byte less `0`."""
    cdef uint64_t others = ((word + 0x7676767676767676ULL) | word) & 0x8080808080808080ULL
    return trailing_zeros(others) >> 3 if others else 8


cdef inline uint64_t first_digits(uint64_t word, int count) noexcept nogil:
    """The number that the first digits of a word make; shifted up, it has zeros in front, which count nothing."""
    # Two shifts, since one by 64 is none.
    return eight_digits(word << (32 - 4 * count) << (32 - 4 * count))


cdef inline const char* read_digits(const char* at, uint64_t* digits) noexcept nogil:
    """Append the digits that start here to an integer, eight at a time; returns where they end."""
    cdef uint64_t word
    cdef int count = 8
    while count == 8:
        word = load(at) ^ 0x3030303030303030ULL
        count = digits_in(word)
        digits[0] = digits[0] * TENS[count] + first_digits(word, count)
        at += count
    return at


cdef inline uint64_t eight_digits(uint64_t word) noexcept nogil:
    """The number that eight digits make, the first in the lowest byte: pairs, then pairs of pairs, then all."""
    word = word * 10 + (word >> 8)
    return (
        (word & 0x000000FF000000FFULL) * 0x000F424000000064ULL
        + ((word >> 16) & 0x000000FF000000FFULL) * 0x0000271000000001ULL
    ) >> 32


cdef inline const char* read_exponent(const char* at, int64_t* power) noexcept nogil:
    """Add an exponent that follows its `e`; where there is none, the result points at the `e`, which ends no number."""
    cdef const char* before = at - 1
    cdef const char* first
    cdef int64_t exponent = 0
    cdef bint negative = at[0] == c"-"
    if negative or at[0] == c"+":
        at += 1
    first = at
    while c"0" <= at[0] <= c"9":
        if exponent < 1000000:  # far beyond any double already
            exponent = exponent * 10 + (at[0] - c"0")
        at += 1
    if at == first:
        return before
    power[0] += -exponent if negative else exponent
    return at


cdef bint nearest(uint64_t digits, int64_t power, double* value) noexcept nogil:
    """The double nearest to digits × 10^power; False where 128 bits do not tell."""
    if digits <= 9007199254740992ULL and -22 <= power <= 22:
        if power < 0:
            value[0] = <double>digits / EXACT_TENS[-power]
        else:
            value[0] = <double>digits * EXACT_TENS[power]
        return True
    return nearest_by_product(digits, power, value)


cdef bint nearest_by_product(uint64_t digits, int64_t power, double* value) noexcept nogil:
    cdef uint64_t low, high, carried, more, bits
    cdef int shift, upper
    cdef int64_t exponent
    value[0] = 0
    if digits == 0 or power < LOWEST_POWER:
        return True
    if power > HIGHEST_POWER:
        value[0] = INFINITY
        return True
    shift = leading_zeros(digits)
    digits <<= shift
    low = multiply(digits, FIVES[2 * (power - LOWEST_POWER)], &high)
    if (high & 0x1FF) == 0x1FF:
        # Only where all bits below the last that counts are set can the second half of the power matter.
        multiply(digits, FIVES[2 * (power - LOWEST_POWER) + 1], &more)
        carried = low + more
        high += carried < low
        low = carried
    if low == 0xFFFFFFFFFFFFFFFFULL and not -27 <= power <= 55:
        return False
    upper = high >> 63
    bits = high >> (upper + 9)
    exponent = ((217706 * power) >> 16) + 63 + upper - shift + 1023
    if exponent <= 0:
        if exponent <= -63:
            return True
        bits >>= 1 - exponent
        bits = (bits + (bits & 1)) >> 1
        value[0] = as_double(bits)  # a carry into the exponent's bits is the smallest normal number, as it should be
        return True
    if low <= 1 and -4 <= power <= 23 and (bits & 3) == 1 and bits << (upper + 9) == high:
        bits &= ~<uint64_t>1  # exactly between two doubles: the even one
    bits = (bits + (bits & 1)) >> 1
    if bits == 1ULL << 53:
        bits >>= 1
        exponent += 1
    if exponent >= 2047:
        value[0] = INFINITY
    else:
        value[0] = as_double((bits & 0xFFFFFFFFFFFFFULL) | (<uint64_t>exponent << 52))
    return True


cdef inline double as_double(uint64_t bits) noexcept nogil:
    cdef double value
    memcpy(&value, &bits, 8)
    return value


cdef const char* long_number(const char* start, double* value) noexcept nogil:
    """A number of more than 19 digits, or whatever else Python takes for one; returns as `number`."""
    cdef const char* end = field_end(start)
    cdef const char* at = start
    cdef uint64_t digits = 0
    cdef int64_t power = 0
    cdef int taken = 0
    cdef bint dropped = False, after_point = False, negative = at[0] == c"-"
    cdef double above
    if negative or at[0] == c"+":
        at += 1
    while c"0" <= at[0] <= c"9" or (at[0] == c"." and not after_point):
        if at[0] == c".":
            after_point = True
        elif taken < 19:
            digits = digits * 10 + (at[0] - c"0")
            taken += digits > 0
            power -= after_point
        else:
            dropped = True
            power += not after_point
        at += 1
    if dropped and (at[0] == c"e" or at[0] == c"E"):
        at = read_exponent(at + 1, &power)
    # The number lies between its first 19 digits and the next integer: where both round alike, so does it.
    if dropped and at == end and nearest(digits, power, value) and nearest(digits + 1, power, &above):
        if value[0] == above:
            if negative:
                value[0] = -value[0]
            return end
    return end if number_by_python(start, end - start, value) else NULL


cdef bint number_by_python(const char* text, Py_ssize_t length, double* value) noexcept with gil:
    """What `float` makes of a field; NaN, and digits with _ between them, are no numbers in a file."""
    field = PyBytes_FromStringAndSize(text, length)
    try:
        value[0] = float(field)
    except ValueError:
        return False
    return value[0] == value[0] and b"_" not in field


def number_in(bytes field not None):
    """The number that a field holds, or None; for tests."""
    cdef bytes padded = field + b"\n" + bytes(SLACK)
    cdef const char* start = padded
    cdef const char* end
    cdef double value
    with nogil:
        end = number(start, &value)
    return value if end == start + len(field) else None
