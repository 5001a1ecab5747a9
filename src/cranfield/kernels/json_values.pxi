# Values of JSON in a line of text, which ends with a line end and has room behind it.


cdef enum:
    DEEPEST = 32
    MOST_NAMES = 64
    NOT_THERE = -1
    REFUSED = -2


cdef enum Kind:
    TEXT
    WHOLE_NUMBER
    OTHER_NUMBER
    IS_TRUE
    IS_FALSE
    IS_NULL
    LIST
    OBJECT


cdef struct Value:
    # A text stands without its quotes, everything else as it is; lists and objects with their brackets.
    const char* start
    Py_ssize_t length
    Kind kind
    bint escaped  # whether a text has escapes, which are still to be read


cdef inline const char* after_blanks(const char* at) noexcept nogil:
    """The first byte that is no blank of JSON; a line end is left where it is."""
    while at[0] == 32 or at[0] == c"\t" or at[0] == c"\r":
        at += 1
    return at


cdef const char* read_value(const char* at, Value* value, int depth) noexcept nogil:
    """Read the value that begins here, and return where it ends; NULL if it is none, or one that only Python reads."""
    value.start, value.escaped = at, False
    if at[0] == c'"':
        return read_string(at, value)
    if at[0] == c"[":
        return read_list(at, value, depth)
    if at[0] == c"{":
        return read_object(at, value, depth)
    if at[0] == c"-" or c"0" <= at[0] <= c"9":
        return read_json_number(at, value)
    if memcmp(at, b"true", 4) == 0:
        value.kind, value.length = IS_TRUE, 4
    elif memcmp(at, b"null", 4) == 0:
        value.kind, value.length = IS_NULL, 4
    elif memcmp(at, b"false", 5) == 0:
        value.kind, value.length = IS_FALSE, 5
    else:
        return NULL
    return at + value.length


cdef const char* read_string(const char* at, Value* value) noexcept nogil:
    at += 1
    value.kind, value.start, value.escaped = TEXT, at, False
    while at[0] != c'"':
        if <unsigned char>at[0] < 32:
            return NULL
        if at[0] == c"\\":
            value.escaped = True
            at = after_escape(at)
            if at == NULL:
                return NULL
        else:
            at += 1
    value.length = at - value.start
    return at + 1


cdef const char* after_escape(const char* at) noexcept nogil:
    cdef char sign = at[1]
    if sign == c"u":
        return at + 6 if hex_number(at + 2) >= 0 else NULL
    if (
        sign == c'"' or sign == c"\\" or sign == c"/" or sign == c"b" or sign == c"f" or sign == c"n" or sign == c"r"
        or sign == c"t"
    ):
        return at + 2
    return NULL


cdef int64_t hex_number(const char* at) noexcept nogil:
    """The number that four hexadecimal digits make; -1 if these are none."""
    cdef int64_t number = 0
    cdef int place
    cdef char sign
    for place in range(4):
        sign = at[place]
        if c"0" <= sign <= c"9":
            number = 16 * number + (sign - c"0")
        elif c"a" <= sign <= c"f":
            number = 16 * number + (sign - c"a") + 10
        elif c"A" <= sign <= c"F":
            number = 16 * number + (sign - c"A") + 10
        else:
            return -1
    return number


cdef const char* read_json_number(const char* at, Value* value) noexcept nogil:
    value.kind, value.start = WHOLE_NUMBER, at
    at += at[0] == c"-"
    if at[0] == c"0":
        at += 1
    elif c"1" <= at[0] <= c"9":
        at = after_digits(at)
    else:
        return NULL
    if at[0] == c"." and c"0" <= at[1] <= c"9":
        value.kind = OTHER_NUMBER
        at = after_digits(at + 1)
    if at[0] == c"e" or at[0] == c"E":
        value.kind = OTHER_NUMBER
        at += 1
        at += at[0] == c"+" or at[0] == c"-"
        if not c"0" <= at[0] <= c"9":
            return NULL
        at = after_digits(at)
    value.length = at - value.start
    return at if value.length < 4000 else NULL  # of more digits Python makes no number


cdef inline const char* after_digits(const char* at) noexcept nogil:
    while c"0" <= at[0] <= c"9":
        at += 1
    return at


cdef const char* read_list(const char* at, Value* value, int depth) noexcept nogil:
    cdef Value element
    value.kind, value.start = LIST, at
    at = after_blanks(at + 1)
    if depth == DEEPEST:
        return NULL
    while at[0] != c"]":
        at = read_value(at, &element, depth + 1)
        if at == NULL:
            return NULL
        at = next_of(at, c"]")
        if at == NULL:
            return NULL
    value.length = at + 1 - value.start
    return at + 1


cdef inline const char* next_of(const char* at, char close) noexcept nogil:
    """From the end of an element to the next one, or to the bracket that closes them; NULL if neither is there."""
    at = after_blanks(at)
    if at[0] == close:
        return at
    if at[0] != c",":
        return NULL
    at = after_blanks(at + 1)
    return NULL if at[0] == close else at


cdef const char* read_name(const char* at, Value* name) noexcept nogil:
    """Read a name and pass its colon, to the value; NULL where that is not there, or the name has escapes."""
    if at[0] != c'"':
        return NULL
    at = read_string(at, name)
    if at == NULL or name.escaped:
        return NULL
    at = after_blanks(at)
    return after_blanks(at + 1) if at[0] == c":" else NULL


cdef inline bint same_value(const Value* one, const Value* other) noexcept nogil:
    return one.length == other.length and memcmp(one.start, other.start, one.length) == 0


cdef bint is_among(const Value* name, const Value* others, Py_ssize_t count) noexcept nogil:
    cdef Py_ssize_t at
    for at in range(count):
        if same_value(name, &others[at]):
            return True
    return False


cdef const char* read_object(const char* at, Value* value, int depth) noexcept nogil:
    """Pass an object; NULL if a name comes twice."""
    cdef Value[MOST_NAMES] names_met
    cdef Value element
    cdef Py_ssize_t count = 0
    value.kind, value.start = OBJECT, at
    at = after_blanks(at + 1)
    if depth == DEEPEST:
        return NULL
    while at[0] != c"}":
        if count == MOST_NAMES:
            return NULL
        at = read_name(at, &names_met[count])
        if at == NULL or is_among(&names_met[count], names_met, count):
            return NULL
        count += 1
        at = read_value(at, &element, depth + 1)
        if at == NULL:
            return NULL
        at = next_of(at, c"}")
        if at == NULL:
            return NULL
    value.length = at + 1 - value.start
    return at + 1


cdef char* write_unescaped(const Value* value, char* to) noexcept nogil:
    """Write a text without its escapes, and return where it ends; NULL if that is no text, or has a NUL."""
    cdef const char* at = value.start
    cdef const char* end = at + value.length
    cdef int64_t sign, second
    while at < end:
        if at[0] != c"\\":
            to[0] = at[0]
            at += 1
            to += 1
            continue
        if at[1] != c"u":
            to[0] = unescaped_sign(at[1])
            at += 2
            to += 1
            continue
        sign = hex_number(at + 2)
        at += 6
        if 0xD800 <= sign < 0xDC00 and at[0] == c"\\" and at[1] == c"u":
            second = hex_number(at + 2)
            if 0xDC00 <= second < 0xE000:
                sign = 0x10000 + ((sign - 0xD800) << 10) + (second - 0xDC00)
                at += 6
        if sign == 0 or 0xD800 <= sign < 0xE000:
            return NULL
        to = write_utf8(sign, to)
    return to


cdef inline char unescaped_sign(char sign) noexcept nogil:
    if sign == c"b":
        return 8
    if sign == c"f":
        return 12
    if sign == c"n":
        return 10
    if sign == c"r":
        return 13
    return 9 if sign == c"t" else sign


cdef char* write_utf8(int64_t sign, char* to) noexcept nogil:
    if sign < 0x80:
        to[0] = <char>sign
        return to + 1
    if sign < 0x800:
        to[0] = <char>(0xC0 | sign >> 6)
        to[1] = <char>(0x80 | (sign & 0x3F))
        return to + 2
    if sign < 0x10000:
        to[0] = <char>(0xE0 | sign >> 12)
        to[1] = <char>(0x80 | (sign >> 6 & 0x3F))
        to[2] = <char>(0x80 | (sign & 0x3F))
        return to + 3
    to[0] = <char>(0xF0 | sign >> 18)
    to[1] = <char>(0x80 | (sign >> 12 & 0x3F))
    to[2] = <char>(0x80 | (sign >> 6 & 0x3F))
    to[3] = <char>(0x80 | (sign & 0x3F))
    return to + 4


# Objects of which some names are wanted


cdef struct Wanted:
    # Names with the part of an object that each of them is; REFUSED for those that no object may have.
    Value[MOST_NAMES] names
    int[MOST_NAMES] parts
    Py_ssize_t count


cdef struct NamesMet:
    # The names of the object before, and which part each of them is.
    Value[MOST_NAMES] names
    int[MOST_NAMES] parts
    Py_ssize_t count
    Py_ssize_t given  # how many values of the object are not null


cdef int want(Wanted* wanted, bytes name, int part) except -1:
    """Note a name, which must stay where it is."""
    cdef Value* value
    if wanted.count == MOST_NAMES:
        raise ValueError("there are too many names")
    value = &wanted.names[wanted.count]
    value.start, value.length, value.kind, value.escaped = name, len(name), TEXT, False
    wanted.parts[wanted.count] = part
    wanted.count += 1
    return 0


cdef int part_of(const Wanted* wanted, const Value* name) noexcept nogil:
    cdef Py_ssize_t at
    for at in range(wanted.count):
        if same_value(name, &wanted.names[at]):
            return wanted.parts[at]
    return NOT_THERE


cdef const char* read_parts(const Wanted* wanted, const char* at, Value* found, NamesMet* met) noexcept nogil:
    """Read the parts that an object has, and return where it ends; NULL if it is irregular, or no object."""
    cdef Value name, value
    cdef Py_ssize_t count = 0
    cdef bint as_before = True
    if at[0] != c"{":
        return NULL
    met.given = 0
    at = after_blanks(at + 1)
    while at[0] != c"}":
        at = read_name(at, &name) if count < MOST_NAMES else NULL
        if at == NULL:
            return NULL
        # Objects of one kind have the same names, as a rule: those of the one before were looked at.
        if not (as_before and count < met.count and same_value(&name, &met.names[count])):
            as_before = False
            met.parts[count] = part_of(wanted, &name)
            if met.parts[count] == REFUSED or is_among(&name, met.names, count):
                return NULL
            met.count = count + 1
        met.names[count] = name
        at = read_value(at, &value, 1)
        if at == NULL:
            return NULL
        met.given += value.kind != IS_NULL
        if met.parts[count] != NOT_THERE:
            found[met.parts[count]] = value
        count += 1
        at = next_of(at, c"}")
        if at == NULL:
            return NULL
    return at + 1


cdef const char* read_record(const Wanted* wanted, const char* at, Value* found, NamesMet* met) noexcept nogil:
    """Read the parts of an object on a line of its own, and return where the next line begins."""
    at = read_parts(wanted, after_blanks(at), found, met)
    if at == NULL:
        return NULL
    at = after_blanks(at)
    return at + 1 if at[0] == c"\n" else NULL
