# Many bytes at a time: where blanks are, what a field's hash is, whether it is UTF-8.
#
# `load` reads 8 bytes and `blanks_of_64` as many as it says, wherever a line ends. Whatever is read this way lies in a
# buffer with at least SLACK bytes after its last line.

cdef extern from *:
    """
    #include <float.h>
    #include <stdint.h>
    #include <string.h>

    /* Where one of these does not hold, this module is not built and the plain loops serve. */
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
    #error "needs the first byte of a word to be its lowest"
    #elif defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0
    #error "needs arithmetic in double precision to round once"
    #endif

    /* What gcc and clang have names for. CRANFIELD_STANDARD_C, which a test builds with, goes the way of other compilers. */
    #if defined(__SIZEOF_INT128__) && !defined(CRANFIELD_STANDARD_C)
    static inline int trailing_zeros(uint64_t word) { return __builtin_ctzll(word); }
    static inline int leading_zeros(uint64_t word) { return __builtin_clzll(word); }

    /* gcc leaves out functions that only prefetch, as if they did nothing, unless there is something it cannot see. */
    static inline void prefetch(const void *at) {
        __builtin_prefetch(at);
        __asm__ volatile("");
    }

    static inline uint64_t multiply(uint64_t a, uint64_t b, uint64_t *high) {
        unsigned __int128 product = (unsigned __int128)a * b;
        *high = (uint64_t)(product >> 64);
        return (uint64_t)product;
    }
    #else
    #if defined(_MSC_VER) && defined(_M_X64)
    #include <intrin.h>
    static inline int trailing_zeros(uint64_t word) {
        unsigned long place;
        _BitScanForward64(&place, word);
        return (int)place;
    }
    static inline int leading_zeros(uint64_t word) {
        unsigned long place;
        _BitScanReverse64(&place, word);
        return 63 - (int)place;
    }
    static inline void prefetch(const void *at) { _mm_prefetch((const char *)at, _MM_HINT_T0); }
    static inline uint64_t multiply(uint64_t a, uint64_t b, uint64_t *high) { return _umul128(a, b, high); }
    #else
    static inline int leading_zeros(uint64_t word) {
        int zeros = 0;
        for (int half = 32; half; half /= 2)
            if (!(word >> (64 - half))) {
                zeros += half;
                word <<= half;
            }
        return zeros;
    }
    static inline int trailing_zeros(uint64_t word) { return 63 - leading_zeros(word & (0 - word)); }
    static inline void prefetch(const void *at) { (void)at; }

    /* Halves of 32 bits, whose products and what they carry fit into 64. */
    static inline uint64_t multiply(uint64_t a, uint64_t b, uint64_t *high) {
        uint64_t low_a = (uint32_t)a, low_b = (uint32_t)b, high_a = a >> 32, high_b = b >> 32;
        uint64_t low = low_a * low_b, one = high_a * low_b, other = low_a * high_b;
        uint64_t middle = (low >> 32) + (uint32_t)one + (uint32_t)other;
        *high = high_a * high_b + (one >> 32) + (other >> 32) + (middle >> 32);
        return (middle << 32) | (uint32_t)low;
    }
    #endif
    #endif

    static inline uint64_t load(const char *at) {
        uint64_t word;
        memcpy(&word, at, 8);
        return word;
    }

    /* The last bytes of a text, as many as are wanted and at most 8, the first of them lowest; nothing else is read. */
    static inline uint64_t last_bytes(const char *text, size_t length, size_t wanted) {
        if (length >= 8)
            return load(text + length - 8) >> (64 - 8 * wanted);
        if (length >= 4) {
            uint32_t first, last;
            memcpy(&first, text, 4);
            memcpy(&last, text + length - 4, 4);
            return first | (uint64_t)last << (8 * (length - 4));
        }
        uint64_t word = 0;
        for (size_t at = 0; at < length; at++)
            word |= (uint64_t)(unsigned char)text[at] << (8 * at);
        return word;
    }

    static inline int same_bytes(const char *one, const char *other, size_t length) {
        size_t at = 0;
        for (; at + 8 <= length; at += 8)
            if (load(one + at) != load(other + at))
                return 0;
        return at == length || last_bytes(one, length, length - at) == last_bytes(other, length, length - at);
    }

    /* A bit for each of 64 bytes: set for blanks and control characters, which are the bytes up to 32. */
    #if defined(__SSE2__) || defined(_M_X64)
    #include <emmintrin.h>
    static inline uint64_t blanks_of_64(const char *at) {
        const __m128i blank = _mm_set1_epi8(32);
        uint64_t found = 0;
        for (int part = 0; part < 4; part++) {
            __m128i bytes = _mm_loadu_si128((const __m128i *)(at + 16 * part));
            uint64_t bits = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(bytes, blank), bytes));
            found |= bits << (16 * part);
        }
        return found;
    }
    #else
    static inline uint64_t blanks_of_64(const char *at) {
        uint64_t found = 0;
        for (int part = 0; part < 8; part++) {
            uint64_t word = load(at + 8 * part);
            uint64_t others = ((word & 0x7f7f7f7f7f7f7f7fULL) + 0x5f5f5f5f5f5f5f5fULL) | word;
            uint64_t highest = ~others & 0x8080808080808080ULL;
            found |= ((highest >> 7) * 0x0102040810204080ULL >> 56) << (8 * part);
        }
        return found;
    }
    #endif

    #define LAST_BIT (UINT64_C(1) << 63)

    static inline int ones_in(uint64_t word) {
        word -= (word >> 1) & 0x5555555555555555ULL;
        word = (word & 0x3333333333333333ULL) + ((word >> 2) & 0x3333333333333333ULL);
        return (int)((((word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fULL) * 0x0101010101010101ULL) >> 56);
    }
    """
    uint64_t load(const char* at) noexcept nogil
    uint64_t last_bytes(const char* text, size_t length, size_t wanted) noexcept nogil
    bint same_bytes(const char* one, const char* other, size_t length) noexcept nogil
    uint64_t blanks_of_64(const char* at) noexcept nogil
    uint64_t multiply(uint64_t a, uint64_t b, uint64_t* high) noexcept nogil
    int trailing_zeros(uint64_t word) noexcept nogil
    int leading_zeros(uint64_t word) noexcept nogil
    void prefetch(const void* at) noexcept nogil
    uint64_t LAST_BIT
    int ones_in(uint64_t word) noexcept nogil


SLACK = 64
"""Bytes that must follow the last line of a buffer."""


cdef inline uint64_t blanks_in(uint64_t word) noexcept nogil:
    """The high bit of the first byte that is a blank or a control character; bits above it mean nothing."""
    return (word - 0x2121212121212121ULL) & ~word & 0x8080808080808080ULL


cdef inline bint is_blank(char at) noexcept nogil:
    """What splits fields of a line, as `bytes.split` has it."""
    return at == 32 or (9 <= at <= 13 and at != 10)


cdef inline const char* field_end(const char* at) noexcept nogil:
    """The first byte from here on that is a blank or a control character; a newline is one."""
    cdef uint64_t found
    while True:
        found = blanks_in(load(at))
        if found:
            return at + (trailing_zeros(found) >> 3)
        at += 8


cdef inline const char* next_field(const char* at) noexcept nogil:
    """From the end of a field to the start of the next one on its line; NULL if there is none."""
    while is_blank(at[0]):
        at += 1
        if <unsigned char>at[0] > 32:
            return at
    return NULL


cdef inline uint64_t mixed(uint64_t hash, uint64_t word) noexcept nogil:
    cdef uint64_t low, high
    low = multiply(hash ^ word ^ 0xA0761D6478BD642FULL, 0xE7037ED1A0B428DBULL, &high)
    return low ^ high


cdef inline uint64_t hash_in_buffer(const char* at, Py_ssize_t length, bint* ascii) noexcept nogil:
    """The hash of some bytes in a buffer, and whether all are ASCII."""
    cdef uint64_t word, seen = 0, hash = 0
    while length > 8:
        word = load(at)
        seen |= word
        hash = mixed(hash, word)
        at += 8
        length -= 8
    word = load(at) & (~<uint64_t>0 >> (64 - 8 * length))
    ascii[0] = not ((seen | word) & 0x8080808080808080ULL)
    return mixed(hash, word)


cdef inline uint64_t hash_of_text(const char* text, Py_ssize_t length, bint* has_nul) noexcept nogil:
    """The same hash of a text that nothing need follow, and whether one of its bytes is 0."""
    cdef uint64_t word, zeros = 0, hash = 0
    cdef Py_ssize_t at = 0
    while length - at > 8:
        word = load(text + at)
        zeros |= zeros_in(word)
        hash = mixed(hash, word)
        at += 8
    word = last_bytes(text, length, length - at) if length else 0
    # Above the last bytes stand zeros that are not the text's own.
    zeros |= zeros_in(word | ((~<uint64_t>0 << (8 * (length - at) - 1)) << 1)) if length else 0
    has_nul[0] = zeros != 0
    return mixed(hash, word)


cdef inline uint64_t zeros_in(uint64_t word) noexcept nogil:
    """Not 0 if one of eight bytes is."""
    return (word - 0x0101010101010101ULL) & ~word & 0x8080808080808080ULL


cdef inline uint64_t hash_before(const char* at, Py_ssize_t length, const char* end, bint* ascii) noexcept nogil:
    """The same hash of a text in bytes that end soon after it, and whether all of it is ASCII."""
    cdef Py_ssize_t passed
    cdef bint has_nul
    if end - at >= length + 8:
        return hash_in_buffer(at, length, ascii)
    ascii[0] = True
    for passed in range(length):
        ascii[0] &= <unsigned char>at[passed] < 0x80
    return hash_of_text(at, length, &has_nul)


cdef bint is_utf8(const char* text, const char* end) noexcept nogil:
    """Whether Python decodes these bytes: no overlong forms, no surrogates, nothing beyond U+10FFFF."""
    cdef unsigned char first, second, lowest, highest
    cdef int more
    while text < end:
        first = text[0]
        text += 1
        if first < 0x80:
            continue
        lowest, highest = 0x80, 0xBF
        if 0xC2 <= first <= 0xDF:
            more = 1
        elif 0xE0 <= first <= 0xEF:
            more = 2
            if first == 0xE0:
                lowest = 0xA0
            elif first == 0xED:
                highest = 0x9F
        elif 0xF0 <= first <= 0xF4:
            more = 3
            if first == 0xF0:
                lowest = 0x90
            elif first == 0xF4:
                highest = 0x8F
        else:
            return False
        if end - text < more:
            return False
        second = text[0]
        if not lowest <= second <= highest:
            return False
        text += 1
        for _ in range(more - 1):
            if (<unsigned char>text[0] & 0xC0) != 0x80:
                return False
            text += 1
    return True
