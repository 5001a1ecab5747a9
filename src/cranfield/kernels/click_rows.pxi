# Rows of click logs, from lines of delimited text or of JSON to numbers of ids.


cdef enum:
    ID_ROLES = 4
    MOST_DIGITS = 9  # of a position, or a rank
    ROOM_FOR_NUMBER = 64


cdef enum:
    # What a field is, in the order in which places are given.
    OF_SESSION
    OF_QUERY
    OF_IMPRESSION
    OF_DOCUMENT
    OF_CLICKED
    OF_POSITION
    OF_PROPENSITY
    OF_DOCUMENTS
    OF_CLICKS
    PARTS


PARTS_OF_CLICKS = (
    "session", "query", "impression", "document", "clicked", "position", "propensity", "documents", "clicks"
)
"""What a field of a click log may be."""


cdef struct Shown:
    # What was read of one text.
    Narrow[ID_ROLES] numbers  # of sessions, queries, impressions and documents
    Narrow lines
    Narrow positions
    Narrow clicked
    Column propensities
    Noted documents


cdef class ClickRows:
    """What the rows of a click log show, with ids as the numbers they get in the order they are met."""

    cdef Numbering sessions, queries, impressions, documents
    cdef Shown shown
    cdef bint clicks_are_ranks
    cdef double least_propensity
    cdef int64_t before  # impressions with lists of documents
    cdef bint are_lists
    cdef int width
    cdef int[PARTS] places
    cdef bint[MOST_NAMES] wanted  # whether a field is some part
    cdef list names  # of records: those of parts, and those that no record may have
    cdef Wanted wanted_names

    def __cinit__(
        self,
        *,
        Numbering sessions not None,
        Numbering queries not None,
        Numbering impressions not None,
        Numbering documents not None,
        places=None,
        names=None,
        refused=(),
        int width=0,
        bint clicks_are_ranks=False,
        double least_propensity=0,
        int64_t before=0,
    ):
        """Fields stand at places of lines that have so many; or values have names, in records without some others."""
        cdef int part
        self.sessions, self.queries, self.impressions, self.documents = sessions, queries, impressions, documents
        self.clicks_are_ranks, self.before, self.width = clicks_are_ranks, before, width
        self.least_propensity = least_propensity
        self.names = []
        for part, name in enumerate(PARTS_OF_CLICKS):
            self.places[part] = (places or {}).get(name, NOT_THERE)
            if names is not None and name in names:
                self.places[part] = part
                self.names.append(names[name])
                want(&self.wanted_names, names[name], part)
            if names is None and NOT_THERE < self.places[part] < MOST_NAMES:
                self.wanted[self.places[part]] = True
        if width > MOST_NAMES:
            raise ValueError("there are too many fields")
        for name in refused:
            self.names.append(name)
            want(&self.wanted_names, name, REFUSED)
        self.are_lists = self.places[OF_DOCUMENTS] != NOT_THERE
        if (self.places[OF_CLICKS if self.are_lists else OF_CLICKED]) == NOT_THERE:
            raise ValueError("clicks must be somewhere")
        if not self.are_lists and self.places[OF_DOCUMENT] == NOT_THERE:
            raise ValueError("documents must be somewhere")

    def __dealloc__(self):
        cdef int role
        for role in range(ID_ROLES):
            free(self.shown.numbers[role].values)
        free(self.shown.lines.values)
        free(self.shown.positions.values)
        free(self.shown.clicked.values)
        free(self.shown.propensities.values)
        forget_noted(&self.shown.documents)

    def read(self, bytearray buffer not None, Py_ssize_t end, int64_t first_line, *, bytes delimiter=None):
        """What the lines of a text show, or None if one is irregular; lines of records have no delimiter.

        That is the number of impressions with lists, and, as bytes, a column each: numbers of sessions, queries,
        impressions and documents, lines, positions, whether it was clicked (all 32 bits), and propensities.
        """
        cdef const char* data = text_in(buffer, end)
        cdef Outcome outcome
        cdef char sign = 0
        cdef int64_t before = self.before
        if delimiter is not None:
            sign = delimiter[0]
        view = memoryview(buffer)  # holds the buffer in place
        try:
            with nogil:
                outcome = begin_text(&self.shown, end)
                if outcome == FINE and not is_sound_text(data, data + end):
                    outcome = IRREGULAR
                if outcome == FINE:
                    outcome = read_click_lines(self, data, data + end, sign, first_line)
                if outcome == FINE:
                    outcome = number_noted(
                        &self.shown.documents, self.documents, &self.shown.numbers[OF_DOCUMENT]
                    )
        finally:
            view.release()
        if outcome == NO_MEMORY:
            raise MemoryError
        if outcome == IRREGULAR:
            return None
        return (
            self.before - before,
            narrow_bytes(&self.shown.numbers[OF_SESSION]),
            narrow_bytes(&self.shown.numbers[OF_QUERY]),
            narrow_bytes(&self.shown.numbers[OF_IMPRESSION]),
            narrow_bytes(&self.shown.numbers[OF_DOCUMENT]),
            narrow_bytes(&self.shown.lines),
            narrow_bytes(&self.shown.positions),
            narrow_bytes(&self.shown.clicked),
            PyBytes_FromStringAndSize(
                <char*>self.shown.propensities.values, self.shown.propensities.count * sizeof(double)
            ),
        )


cdef Outcome begin_text(Shown* shown, Py_ssize_t size) noexcept nogil:
    """Forget what was read before, and have room for texts as long as all of this one."""
    cdef int role
    for role in range(ID_ROLES):
        shown.numbers[role].count = 0
    shown.lines.count = shown.positions.count = shown.clicked.count = shown.propensities.count = 0
    return FINE if begin_noting(&shown.documents, size) else NO_MEMORY


cdef bint is_sound_text(const char* at, const char* end) noexcept nogil:
    """Whether a text is UTF-8 without a NUL."""
    cdef uint64_t seen = 0
    cdef const char* place = at
    if memchr(at, 0, end - at) != NULL:
        return False
    while place + 8 <= end:
        seen |= load(place)
        place += 8
    while place < end:
        seen |= <unsigned char>place[0]
        place += 1
    return not (seen & 0x8080808080808080ULL) or is_utf8(at, end)


cdef Outcome read_click_lines(
    ClickRows rows, const char* at, const char* end, char delimiter, int64_t line
) noexcept nogil:
    cdef Value[PARTS] found
    cdef NamesMet met
    cdef Outcome outcome
    met.count = 0
    while at < end:
        if at[0] == c"\n" or (at[0] == c"\r" and at[1] == c"\n"):
            at += 1 + (at[0] == c"\r")
            line += 1
            continue
        if delimiter:
            at = read_fields(rows, at, delimiter, found)
        else:
            at = read_values(rows, at, found, &met)
        if at == NULL:
            return IRREGULAR
        outcome = take_list(rows, found, line) if rows.are_lists else take_result(rows, found, line)
        if outcome != FINE:
            return outcome
        line += 1
    return FINE


# Lines of delimited text


cdef const char* read_fields(ClickRows rows, const char* at, char delimiter, Value* found) noexcept nogil:
    """Read the fields of a line, and return where the next one begins; NULL if it is irregular."""
    cdef const char* line = at
    cdef int place = 0, part
    cdef Value field
    cdef bint blank = True
    while True:
        at = read_field_of(rows, at, delimiter, &field)
        if at == NULL:
            return NULL
        if place == rows.width:
            return NULL
        if rows.wanted[place]:
            for part in range(PARTS):
                if rows.places[part] == place:
                    found[part] = field
        place += 1
        if at[0] == delimiter:
            at += 1
            continue
        break
    # A line of nothing but blanks is none.
    if place != rows.width:
        return NULL
    while blank and line < at:
        blank = is_blank(line[0])
        line += 1
    return NULL if blank else at + 1 + (at[0] == c"\r")


cdef inline const char* read_field_of(ClickRows rows, const char* at, char delimiter, Value* field) noexcept nogil:
    """Read a field, and return where it ends: at the delimiter or the line's end."""
    field.kind, field.escaped = TEXT, False
    if at[0] == c'"':
        return read_quoted(rows, at + 1, delimiter, field)
    field.start = at
    while at[0] != delimiter and at[0] != c"\n" and at[0] != c"\r":
        at += 1
    field.length = at - field.start
    return NULL if at[0] == c"\r" and at[1] != c"\n" else at


cdef const char* read_quoted(ClickRows rows, const char* at, char delimiter, Value* field) noexcept nogil:
    cdef Noted* noted = &rows.shown.documents
    cdef char* to = noted.scratch + noted.used
    cdef bint doubled = False
    field.start = at
    while True:
        if at[0] == c"\n" or at[0] == c"\r":
            return NULL
        if at[0] == c'"':
            if at[1] != c'"':
                break
            doubled = True
            at += 1
        to[0] = at[0]
        to += 1
        at += 1
    field.length = at - field.start
    if doubled:
        field.start = noted.scratch + noted.used
        field.length = to - field.start
        to[0] = c"\n"  # where whatever reads this field stops
        noted.used += field.length + 1
    at += 1
    if at[0] == delimiter or at[0] == c"\n" or (at[0] == c"\r" and at[1] == c"\n"):
        return at
    return NULL


# Lines of JSON


cdef const char* read_values(ClickRows rows, const char* at, Value* found, NamesMet* met) noexcept nogil:
    """Read the values of a record, and return where the next line begins; NULL if it is irregular."""
    cdef int part
    for part in range(PARTS):
        found[part].start = NULL
    at = read_record(&rows.wanted_names, at, found, met)
    for part in range(PARTS):
        if rows.places[part] != NOT_THERE and found[part].start == NULL:
            return NULL
    return at


# What a line says


cdef Outcome number_in_column(
    ClickRows rows, Numbering numbering, const Value* value, Narrow* column, int64_t* number
) noexcept nogil:
    """The number of an id; the last one of its column is the first to be compared."""
    number[0] = column.values[column.count - 1] if column.count else -1
    return number_id(&rows.shown.documents, numbering, value, number)


cdef Outcome take_ids(ClickRows rows, Value* found, Py_ssize_t times) noexcept nogil:
    """The session, the query and the impression of some results."""
    cdef Outcome outcome = FINE
    cdef int64_t number
    if rows.places[OF_SESSION] != NOT_THERE:
        outcome = number_in_column(rows, rows.sessions, &found[OF_SESSION], &rows.shown.numbers[OF_SESSION], &number)
        if outcome == FINE and not append_narrow(&rows.shown.numbers[OF_SESSION], number, times):
            outcome = NO_MEMORY
    if outcome == FINE and rows.places[OF_QUERY] != NOT_THERE:
        outcome = number_in_column(rows, rows.queries, &found[OF_QUERY], &rows.shown.numbers[OF_QUERY], &number)
        if outcome == FINE and not append_narrow(&rows.shown.numbers[OF_QUERY], number, times):
            outcome = NO_MEMORY
    if outcome == FINE and rows.are_lists:
        if not append_narrow(&rows.shown.numbers[OF_IMPRESSION], rows.before, times):
            outcome = NO_MEMORY
        rows.before += 1
    elif outcome == FINE and rows.places[OF_IMPRESSION] != NOT_THERE:
        outcome = number_in_column(rows, rows.impressions, &found[OF_IMPRESSION], &rows.shown.numbers[OF_IMPRESSION], &number)
        if outcome == FINE and not append_narrow(&rows.shown.numbers[OF_IMPRESSION], number, times):
            outcome = NO_MEMORY
    return outcome


cdef Outcome take_result(ClickRows rows, Value* found, int64_t line) noexcept nogil:
    """A row of a result."""
    cdef Outcome outcome = take_ids(rows, found, 1)
    cdef int64_t flag, position
    if outcome == FINE:
        outcome = note_id(&rows.shown.documents, &found[OF_DOCUMENT])
    if outcome != FINE:
        return outcome
    flag = flag_of(&found[OF_CLICKED])
    if flag < 0:
        return IRREGULAR
    if not append_narrow(&rows.shown.clicked, flag, 1) or not append_narrow(&rows.shown.lines, line, 1):
        return NO_MEMORY
    if rows.places[OF_POSITION] != NOT_THERE:
        position = whole_number_of(&found[OF_POSITION])
        if position < 0:
            return IRREGULAR
        if not append_narrow(&rows.shown.positions, position, 1):
            return NO_MEMORY
    if rows.places[OF_PROPENSITY] != NOT_THERE:
        return take_propensity(rows, &found[OF_PROPENSITY])
    return FINE


cdef int flag_of(const Value* value) noexcept nogil:
    """Whether something was clicked; -1 where that is neither yes nor no."""
    cdef const char* at = value.start
    if value.kind == IS_TRUE or value.kind == IS_FALSE:
        return value.kind == IS_TRUE
    if value.length == 1 and (value.kind == TEXT or value.kind == WHOLE_NUMBER):
        return at[0] - c"0" if at[0] == c"0" or at[0] == c"1" else -1
    if value.kind != TEXT:
        return -1
    if value.length == 2 and memcmp(at, b"no", 2) == 0:
        return 0
    if value.length == 3 and memcmp(at, b"yes", 3) == 0:
        return 1
    if value.length == 4:
        return 1 if memcmp(at, b"true", 4) == 0 or memcmp(at, b"True", 4) == 0 or memcmp(at, b"TRUE", 4) == 0 else -1
    if value.length == 5:
        return 0 if memcmp(at, b"false", 5) == 0 or memcmp(at, b"False", 5) == 0 or memcmp(at, b"FALSE", 5) == 0 else -1
    return -1


cdef int64_t whole_number_of(const Value* value) noexcept nogil:
    """A whole number of few digits; -1 for everything else."""
    cdef int64_t number = 0
    cdef Py_ssize_t at
    if value.kind > WHOLE_NUMBER or not 0 < value.length <= MOST_DIGITS:
        return -1
    for at in range(value.length):
        if not c"0" <= value.start[at] <= c"9":
            return -1
        number = 10 * number + (value.start[at] - c"0")
    return number


cdef Outcome take_propensity(ClickRows rows, const Value* value) noexcept nogil:
    cdef char[ROOM_FOR_NUMBER + SLACK_OF_TEXTS] text
    cdef const char* end
    cdef double propensity = 0
    cdef int64_t bits
    if value.kind > OTHER_NUMBER or value.escaped or not 0 < value.length < ROOM_FOR_NUMBER:
        return IRREGULAR
    memset(text, c"\n", sizeof(text))
    memcpy(text, value.start, value.length)
    end = number(text, &propensity)
    if end != text + value.length or not rows.least_propensity <= propensity <= 1:
        return IRREGULAR
    memcpy(&bits, &propensity, sizeof(bits))
    return FINE if append(&rows.shown.propensities, bits) else NO_MEMORY


# Lists in a field


cdef struct Elements:
    # What is left of a list.
    const char* at
    const char* end
    bint in_json
    char separator


cdef bint begin_list(const Value* value, Elements* elements) noexcept nogil:
    """Go to the first element of a list; False if this is none, or one that is not read here."""
    cdef const char* at = value.start
    cdef const char* end = at + value.length
    if value.kind == LIST:
        elements.at, elements.end, elements.in_json = after_blanks(at + 1), end, True
        return True
    if value.kind != TEXT or value.escaped:
        return False
    while at < end and is_space(at[0]):
        at += 1
    while at < end and is_space(end[-1]):
        end -= 1
    elements.at, elements.end, elements.in_json, elements.separator = at, end, False, 32
    if at == end:
        return True
    if at[0] == c"[":
        return begin_json_list(at, end, elements)
    return choose_separator(elements)


cdef bint begin_json_list(const char* at, const char* end, Elements* elements) noexcept nogil:
    cdef Value value
    if memchr(at, c"\n", end - at) != NULL or read_list(at, &value, 1) != end:
        return False
    elements.at, elements.in_json = after_blanks(at + 1), True
    return True


cdef bint choose_separator(Elements* elements) noexcept nogil:
    """What separates the ids of a list: the first of some signs that is there."""
    cdef Py_ssize_t size = elements.end - elements.at, place
    cdef const char* signs = b"|;, "
    for place in range(size):
        if <unsigned char>elements.at[place] >= 0x80:  # there are blanks beyond ASCII
            return False
    for place in range(4):
        elements.separator = signs[place]
        if memchr(elements.at, elements.separator, size) != NULL:
            break
    return True


cdef inline bint is_space(char at) noexcept nogil:
    """What Python strips of a text, of ASCII."""
    return at == 32 or 9 <= at <= 13 or 28 <= at <= 31


cdef int next_element(Elements* elements, Value* value) noexcept nogil:
    """Read the next element: 1, or 0 at the end, or -1 where it is irregular."""
    cdef const char* end
    if elements.in_json:
        if elements.at[0] == c"]":
            return 0
        elements.at = next_of(read_value(elements.at, value, 2), c"]")
        return 1
    while elements.at < elements.end:
        value.start, value.kind, value.escaped = elements.at, TEXT, False
        end = <const char*>memchr(elements.at, elements.separator, elements.end - elements.at)
        if end == NULL:
            end = elements.end
        elements.at = end + 1
        while value.start < end and is_space(value.start[0]):
            value.start += 1
        while value.start < end and is_space(end[-1]):
            end -= 1
        value.length = end - value.start
        if value.length:
            return 1
    return 0


cdef Outcome take_list(ClickRows rows, Value* found, int64_t line) noexcept nogil:
    """A row of an impression."""
    cdef Elements elements
    cdef Value value
    cdef Outcome outcome
    cdef Py_ssize_t first = rows.shown.documents.count, count
    cdef int more
    if not begin_list(&found[OF_DOCUMENTS], &elements):
        return IRREGULAR
    more = next_element(&elements, &value)
    while more == 1:
        outcome = note_id(&rows.shown.documents, &value)
        if outcome != FINE:
            return outcome
        more = next_element(&elements, &value)
    count = rows.shown.documents.count - first
    if more < 0 or count == 0:
        return IRREGULAR
    outcome = take_ids(rows, found, count)
    if outcome != FINE:
        return outcome
    if not append_narrow(&rows.shown.lines, line, count) or not append_narrow(&rows.shown.clicked, 0, count):
        return NO_MEMORY
    if not take_clicks(rows, &found[OF_CLICKS], first, count):
        return IRREGULAR
    if rows.places[OF_PROPENSITY] == NOT_THERE:
        return FINE
    if not begin_list(&found[OF_PROPENSITY], &elements):
        return IRREGULAR
    more = next_element(&elements, &value)
    while more == 1:
        outcome = take_propensity(rows, &value)
        if outcome != FINE:
            return outcome
        count -= 1
        more = next_element(&elements, &value)
    return IRREGULAR if more < 0 or count else FINE


cdef bint take_clicks(ClickRows rows, const Value* clicks, Py_ssize_t first, Py_ssize_t count) noexcept nogil:
    """Which documents of an impression were clicked; False where that is irregular."""
    cdef Elements elements
    cdef Value value
    cdef Py_ssize_t number = 0
    cdef bint flagged = not rows.clicks_are_ranks, all_flags = True, has_zero = False
    cdef int* clicked = rows.shown.clicked.values + first
    cdef int more
    if not begin_list(clicks, &elements):
        return False
    more = next_element(&elements, &value)
    while more == 1:
        number += 1
        flagged &= value.kind == WHOLE_NUMBER or value.kind == IS_TRUE or value.kind == IS_FALSE or is_flag(&value)
        all_flags &= is_flag(&value)
        has_zero |= value.kind != TEXT and is_flag(&value) and not flag_of(&value)
        more = next_element(&elements, &value)
    if more < 0 or not begin_list(clicks, &elements):
        return False
    if flagged and all_flags and number == count:
        for number in range(count):
            next_element(&elements, &value)
            clicked[number] = flag_of(&value)
        return True
    if flagged and number > 1 and (all_flags or (number == count and has_zero)):
        return False
    more = next_element(&elements, &value)
    while more == 1:
        if not take_click(rows, &value, first, count):
            return False
        more = next_element(&elements, &value)
    return more == 0


cdef bint is_flag(const Value* value) noexcept nogil:
    return (value.kind != TEXT or value.length == 1) and flag_of(value) >= 0


cdef bint take_click(ClickRows rows, const Value* click, Py_ssize_t first, Py_ssize_t count) noexcept nogil:
    """A click on a document, or on a rank; False if it is neither."""
    cdef int* clicked = rows.shown.clicked.values + first
    cdef Text* documents = rows.shown.documents.texts + first
    cdef Text text
    cdef int64_t rank
    cdef Py_ssize_t at
    if not as_text_of(&rows.shown.documents, click, &text):
        return False
    if not rows.clicks_are_ranks:
        for at in range(count - 1, -1, -1):
            if is_same(&documents[at], &text):
                clicked[at] = True
                return True
    rank = whole_number_of(click)
    if 1 <= rank <= count:
        clicked[rank - 1] = True
        return True
    return False


def comes_again(const int[::1] groups not None, const int[::1] codes not None, Py_ssize_t count):
    """Whether a code comes twice in one group; codes are below the count, and groups from 0 on stand together."""
    cdef Py_ssize_t at
    cdef bint again = False
    cdef int* last
    if groups.shape[0] != codes.shape[0]:
        raise ValueError("every code must have a group")
    for at in range(codes.shape[0]):
        if not 0 <= codes[at] < count:
            raise ValueError("codes must be below their count")
    last = <int*>malloc((count + 1) * sizeof(int))
    if last == NULL:
        raise MemoryError
    memset(last, -1, (count + 1) * sizeof(int))
    with nogil:
        for at in range(codes.shape[0]):
            if last[codes[at]] == groups[at]:
                again = True
                break
            last[codes[at]] = groups[at]
    free(last)
    return again
