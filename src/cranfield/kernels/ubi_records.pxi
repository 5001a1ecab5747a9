# Queries and events of OpenSearch UBI, from lines of JSON to numbers of ids.


cdef enum:
    # What a value of a record is, in the order of their names.
    UBI_QUERY
    UBI_ACTION
    UBI_TEXT
    UBI_SESSION
    UBI_CLIENT
    UBI_RESPONSE
    UBI_HITS
    UBI_OBJECTS
    UBI_OBJECTS_TOO
    UBI_ATTRIBUTES
    UBI_OF_SESSION
    UBI_OF_OBJECT
    UBI_OF_ORDINAL
    UBI_OF_INDEX
    UBI_INDEX
    UBI_CREATE
    UBI_PARTS


cdef enum:
    # What stands within others.
    IN_SESSION = 0
    IN_OBJECT = 1
    IN_POSITION = 2
    IN_ATTRIBUTES = 3
    IN_ID = 0
    IN_ORDINAL = 0
    IN_INDEX = 1


cdef enum:
    IS_IMPRESSION
    IS_CLICK


NAMES_OF_UBI = (
    (
        b"query_id", b"action_name", b"user_query", b"session_id", b"client_id", b"query_response_id",
        b"query_response_hit_ids", b"query_response_object_ids", b"query_response_objects_ids",
        b"event_attributes", b"event_attributes.session_id", b"event_attributes.object.object_id",
        b"event_attributes.position.ordinal", b"event_attributes.position.index", b"index", b"create",
    ),
    (b"session_id", b"object", b"position"),
    (b"object_id",),
    (b"ordinal", b"index"),
)
"""What records are read for, what their attributes, and what an object and a position within these."""


cdef struct Asked:
    # What was read of one text.
    Narrow queries  # their ids
    Narrow texts
    Narrow sessions
    Narrow lines
    Narrow lengths  # of their lists of documents
    Narrow documents
    Narrow events  # the ids of their queries
    Narrow objects
    Narrow positions
    Narrow clicked
    Narrow followed  # ids of queries with events that have a session
    Narrow sessions_of_events
    Narrow numbers_of_objects
    Noted listed
    Noted noted_objects
    int64_t met  # events, of whatever action
    int64_t unnamed  # records without a query's id
    int64_t first_unnamed
    int64_t records
    uint64_t names  # a bit for each that some record has
    int64_t query  # the last ones, which often come again
    int64_t session
    int64_t action


cdef struct UbiNames:
    # Names of records and of what is within them, as they were met.
    NamesMet of_record
    NamesMet of_attributes
    NamesMet of_object
    NamesMet of_position


cdef class UbiRecords:
    """Queries with what they showed, and events, with ids as the numbers they get in the order they are met."""

    cdef Numbering queries, texts, sessions, documents, actions
    cdef Asked asked
    cdef Wanted of_record, of_attributes, of_object, of_position, of_actions
    cdef list names

    def __cinit__(
        self,
        *,
        Numbering queries not None,
        Numbering texts not None,
        Numbering sessions not None,
        Numbering documents not None,
        Numbering actions not None,
        clicks,
        refused=(),
    ):
        """Some actions are clicks; records that have some names are not read."""
        self.queries, self.texts, self.sessions = queries, texts, sessions
        self.documents, self.actions = documents, actions
        self.asked.query = self.asked.session = self.asked.action = -1
        self.names = [*refused, *clicks]
        of_record, of_attributes, of_object, of_position = NAMES_OF_UBI
        want_all(&self.of_record, of_record)
        want_all(&self.of_attributes, of_attributes)
        want_all(&self.of_object, of_object)
        want_all(&self.of_position, of_position)
        for name in refused:
            want(&self.of_record, name, REFUSED)
        want(&self.of_actions, b"impression", IS_IMPRESSION)
        for name in clicks:
            want(&self.of_actions, name, IS_CLICK)

    def __dealloc__(self):
        cdef Narrow** columns = [
            &self.asked.queries, &self.asked.texts, &self.asked.sessions, &self.asked.lines, &self.asked.lengths,
            &self.asked.documents, &self.asked.events, &self.asked.objects, &self.asked.positions,
            &self.asked.clicked, &self.asked.followed, &self.asked.sessions_of_events,
            &self.asked.numbers_of_objects,
        ]
        cdef int at
        for at in range(13):
            free(columns[at].values)
        forget_noted(&self.asked.listed)
        forget_noted(&self.asked.noted_objects)

    def read(self, bytearray buffer not None, Py_ssize_t end, int64_t first_line):
        """What the lines of a text hold, or None if one is irregular or none shows that this is OpenSearch UBI.

        That is the number of events, that of records without a query's id and the line of the first of these, and, as
        bytes of 32 bits each, columns. Of queries: ids, texts, sessions (-1 for none), lines, how many documents each
        lists, and all of these. Of events that are clicks or impressions: ids of queries, documents (-1 for none),
        positions (-1 for none), and whether they are clicks. Of events that have a session: ids of queries, sessions.
        """
        cdef const char* data = text_in(buffer, end)
        cdef Asked* asked = &self.asked
        cdef Outcome outcome
        view = memoryview(buffer)  # holds the buffer in place
        try:
            with nogil:
                outcome = begin_records(asked, end)
                if outcome == FINE and not is_sound_text(data, data + end):
                    outcome = IRREGULAR
                if outcome == FINE:
                    outcome = read_ubi_lines(self, data, data + end, first_line)
                if outcome == FINE:
                    outcome = number_documents(self)
        finally:
            view.release()
        if outcome == NO_MEMORY:
            raise MemoryError
        if outcome == IRREGULAR or (asked.records and not are_of_ubi(asked.names)):
            return None
        return (
            asked.met,
            asked.unnamed,
            asked.first_unnamed,
            narrow_bytes(&asked.queries),
            narrow_bytes(&asked.texts),
            narrow_bytes(&asked.sessions),
            narrow_bytes(&asked.lines),
            narrow_bytes(&asked.lengths),
            narrow_bytes(&asked.documents),
            narrow_bytes(&asked.events),
            narrow_bytes(&asked.objects),
            narrow_bytes(&asked.positions),
            narrow_bytes(&asked.clicked),
            narrow_bytes(&asked.followed),
            narrow_bytes(&asked.sessions_of_events),
        )


cdef int want_all(Wanted* wanted, tuple names) except -1:
    """Note names as the parts in the order of which they stand."""
    cdef int part
    for part in range(len(names)):
        want(wanted, names[part], part)
    return 0


cdef Outcome begin_records(Asked* asked, Py_ssize_t size) noexcept nogil:
    """Forget what was read before, and have room for texts as long as all of this one."""
    asked.queries.count = asked.texts.count = asked.sessions.count = asked.lines.count = asked.lengths.count = 0
    asked.documents.count = asked.events.count = asked.objects.count = asked.positions.count = asked.clicked.count = 0
    asked.followed.count = asked.sessions_of_events.count = asked.numbers_of_objects.count = 0
    asked.met = asked.unnamed = asked.first_unnamed = asked.records = 0
    asked.names = 0
    return FINE if begin_noting(&asked.listed, size) and begin_noting(&asked.noted_objects, size) else NO_MEMORY


cdef bint are_of_ubi(uint64_t names) noexcept nogil:
    """Whether names that records have are those of queries or events."""
    cdef uint64_t one = 1
    cdef uint64_t asked = one << UBI_QUERY | one << UBI_TEXT | one << UBI_RESPONSE
    return (
        names & (one << UBI_ACTION | one << UBI_HITS | one << UBI_OBJECTS | one << UBI_OBJECTS_TOO) != 0
        or names & asked == asked
    )


cdef Outcome read_ubi_lines(UbiRecords ubi, const char* at, const char* end, int64_t line) noexcept nogil:
    cdef Value[UBI_PARTS] found
    cdef UbiNames met
    cdef Outcome outcome
    cdef int part
    met.of_record.count = met.of_attributes.count = met.of_object.count = met.of_position.count = 0
    while at < end:
        if at[0] == c"\n" or (at[0] == c"\r" and at[1] == c"\n"):
            at += 1 + (at[0] == c"\r")
            line += 1
            continue
        for part in range(UBI_PARTS):
            found[part].start = NULL
        at = read_record(&ubi.of_record, at, found, &met.of_record)
        if at == NULL:
            return IRREGULAR
        ubi.asked.records += 1
        for part in range(UBI_PARTS):
            ubi.asked.names |= <uint64_t>(found[part].start != NULL) << part
        outcome = take_record(ubi, found, &met, line)
        if outcome != FINE:
            return outcome
        line += 1
    return FINE


cdef inline Value* given(Value* found, int part) noexcept nogil:
    """A part; NULL where it is not there, or null."""
    return &found[part] if found[part].start != NULL and found[part].kind != IS_NULL else NULL


cdef Outcome take_record(UbiRecords ubi, Value* found, UbiNames* met, int64_t line) noexcept nogil:
    cdef Asked* asked = &ubi.asked
    cdef Outcome outcome
    if given(found, UBI_QUERY) == NULL:
        # Lines of a bulk request say where records go, and nothing else.
        if met.of_record.given > (given(found, UBI_INDEX) != NULL) + (given(found, UBI_CREATE) != NULL):
            if asked.unnamed == 0:
                asked.first_unnamed = line
            asked.unnamed += 1
        return FINE
    outcome = number_id(&asked.listed, ubi.queries, &found[UBI_QUERY], &asked.query)
    if outcome != FINE:
        return outcome
    if given(found, UBI_ACTION) != NULL:
        return take_event(ubi, found, met)
    return take_query(ubi, found, line)


cdef Outcome take_query(UbiRecords ubi, Value* found, int64_t line) noexcept nogil:
    """A query with what it showed."""
    cdef Asked* asked = &ubi.asked
    cdef Value* text = given(found, UBI_TEXT)
    cdef Value* sessions[2]
    cdef Py_ssize_t first = asked.listed.count
    cdef int64_t number = asked.texts.values[asked.texts.count - 1] if asked.texts.count else -1
    cdef Outcome outcome
    sessions[0], sessions[1] = given(found, UBI_SESSION), given(found, UBI_CLIENT)
    if text == NULL or is_nothing(text):
        text = &found[UBI_QUERY]
    outcome = number_id(&asked.listed, ubi.texts, text, &number)
    if outcome == FINE and not append_narrow(&asked.texts, number, 1):
        outcome = NO_MEMORY
    if outcome == FINE:
        outcome = number_session(ubi, sessions, 2, &number)
    if outcome == FINE and not append_narrow(&asked.sessions, number, 1):
        outcome = NO_MEMORY
    if outcome == FINE:
        outcome = note_list(&asked.listed, results_in(found))
    if outcome != FINE:
        return outcome
    if not (
        append_narrow(&asked.queries, asked.query, 1)
        and append_narrow(&asked.lines, line, 1)
        and append_narrow(&asked.lengths, asked.listed.count - first, 1)
    ):
        return NO_MEMORY
    return FINE


cdef Value* results_in(Value* found) noexcept nogil:
    """The list of results, by the first name that has one; NULL where there is none."""
    cdef Value* results = given(found, UBI_HITS)
    if results == NULL:
        results = given(found, UBI_OBJECTS)
    return given(found, UBI_OBJECTS_TOO) if results == NULL else results


cdef Outcome note_list(Noted* noted, const Value* results) noexcept nogil:
    cdef Elements elements
    cdef Value value
    cdef Outcome outcome
    cdef int more
    if results == NULL:
        return FINE
    if not begin_list(results, &elements):
        return IRREGULAR
    more = next_element(&elements, &value)
    while more == 1:
        outcome = note_id(noted, &value)
        if outcome != FINE:
            return outcome
        more = next_element(&elements, &value)
    return FINE if more == 0 else IRREGULAR


cdef inline bint is_nothing(const Value* value) noexcept nogil:
    """Whether Python takes an id for nothing, and the next one is asked for instead."""
    if value.kind == WHOLE_NUMBER:
        return value.length == 1 and value.start[0] == c"0"
    return value.kind == TEXT and value.length == 0


cdef Outcome number_session(UbiRecords ubi, Value** places, int count, int64_t* number) noexcept nogil:
    """The session that the first of some places has that is not empty, else that of the last; -1 if it has none."""
    cdef Outcome outcome
    cdef int at = 0
    while at < count - 1 and (places[at] == NULL or is_nothing(places[at])):
        at += 1
    number[0] = -1
    if places[at] == NULL:
        return FINE
    outcome = number_id(&ubi.asked.listed, ubi.sessions, places[at], &ubi.asked.session)
    number[0] = ubi.asked.session
    return outcome


cdef Outcome take_event(UbiRecords ubi, Value* found, UbiNames* met) noexcept nogil:
    cdef Value[IN_ATTRIBUTES] within
    cdef Value* sessions[3]
    cdef Outcome outcome
    cdef int64_t session
    cdef int kind
    if not read_within(&ubi.of_attributes, given(found, UBI_ATTRIBUTES), within, IN_ATTRIBUTES, &met.of_attributes):
        return IRREGULAR
    outcome = number_id(&ubi.asked.listed, ubi.actions, &found[UBI_ACTION], &ubi.asked.action)
    if outcome != FINE:
        return outcome
    ubi.asked.met += 1
    kind = kind_of_action(ubi, ubi.asked.action)
    sessions[0], sessions[2] = given(found, UBI_SESSION), given(found, UBI_CLIENT)
    sessions[1] = either(given(found, UBI_OF_SESSION), given(within, IN_SESSION))
    outcome = number_session(ubi, sessions, 3, &session)
    if outcome == FINE and session >= 0:
        outcome = take_session(&ubi.asked, session)
    if outcome != FINE or kind == NOT_THERE:
        return outcome
    return take_action(ubi, found, within, met, kind)


cdef inline Value* either(Value* one, Value* other) noexcept nogil:
    return other if one == NULL else one


cdef int kind_of_action(UbiRecords ubi, int64_t action) noexcept nogil:
    """Whether an event is an impression or a click, by its action; NOT_THERE if it counts as neither."""
    cdef Value name
    name.start, name.length = ubi.actions.known.texts[action].start, ubi.actions.known.texts[action].length
    return part_of(&ubi.of_actions, &name)


cdef bint read_within(const Wanted* wanted, Value* whole, Value* found, int parts, NamesMet* met) noexcept nogil:
    """Read the parts of what should be an object, and else has none; False if it is irregular."""
    cdef int part
    for part in range(parts):
        found[part].start = NULL
    return whole == NULL or whole.kind != OBJECT or read_parts(wanted, whole.start, found, met) != NULL


cdef Outcome take_session(Asked* asked, int64_t session) noexcept nogil:
    """Note the session of an event, unless it is noted for the same query already."""
    cdef Py_ssize_t last = asked.followed.count - 1
    if last >= 0 and asked.followed.values[last] == asked.query and asked.sessions_of_events.values[last] == session:
        return FINE
    if append_narrow(&asked.followed, asked.query, 1) and append_narrow(&asked.sessions_of_events, session, 1):
        return FINE
    return NO_MEMORY


cdef Outcome take_action(UbiRecords ubi, Value* found, Value* within, UbiNames* met, int kind) noexcept nogil:
    """A click or an impression: the document, and its position."""
    cdef Asked* asked = &ubi.asked
    cdef Value[1] objects
    cdef Value[2] positions
    cdef Value* document
    cdef Value* place
    cdef int64_t position = -1
    cdef Outcome outcome = FINE
    if not (
        read_within(&ubi.of_object, given(within, IN_OBJECT), objects, 1, &met.of_object)
        and read_within(&ubi.of_position, given(within, IN_POSITION), positions, 2, &met.of_position)
    ):
        return IRREGULAR
    document = either(given(found, UBI_OF_OBJECT), given(objects, IN_ID))
    place = either(given(found, UBI_OF_ORDINAL), given(positions, IN_ORDINAL))
    if place == NULL:
        place = either(given(found, UBI_OF_INDEX), given(positions, IN_INDEX))
    if place != NULL:
        position = position_of(place)
        if position < 0:
            return IRREGULAR
    if document != NULL:
        outcome = note_id(&asked.noted_objects, document)
    if outcome != FINE:
        return outcome
    if not (
        append_narrow(&asked.events, asked.query, 1)
        and append_narrow(&asked.objects, -1 if document == NULL else asked.noted_objects.count - 1, 1)
        and append_narrow(&asked.positions, position, 1)
        and append_narrow(&asked.clicked, kind == IS_CLICK, 1)
    ):
        return NO_MEMORY
    return FINE


cdef int64_t position_of(const Value* value) noexcept nogil:
    """A position, also one with a point and a zero behind it; -1 for everything else."""
    cdef Value whole = value[0]
    if whole.kind <= OTHER_NUMBER and whole.length > 2 and memcmp(whole.start + whole.length - 2, b".0", 2) == 0:
        whole.kind, whole.length = TEXT, whole.length - 2
    return whole_number_of(&whole)


cdef Outcome number_documents(UbiRecords ubi) noexcept nogil:
    """The numbers of all documents of a text, those listed and those of events."""
    cdef Asked* asked = &ubi.asked
    cdef Outcome outcome = number_noted(&asked.listed, ubi.documents, &asked.documents)
    cdef Py_ssize_t at
    if outcome == FINE:
        outcome = number_noted(&asked.noted_objects, ubi.documents, &asked.numbers_of_objects)
    if outcome == FINE:
        for at in range(asked.objects.count):
            if asked.objects.values[at] >= 0:
                asked.objects.values[at] = asked.numbers_of_objects.values[asked.objects.values[at]]
    return outcome


# What is put together


def renumbered(Numbering ours not None, Numbering theirs not None, const int[::1] numbers not None):
    """The numbers that ids have elsewhere, where new ones get the next in the order they are met; as bytes of 32 bits."""
    cdef Py_ssize_t count = numbers.shape[0], known = ours.known.count
    cdef bytes found = PyBytes_FromStringAndSize(NULL, count * sizeof(int))
    cdef int* number = <int*><char*>found
    cdef int* met
    cdef Outcome outcome
    if theirs.complete:
        raise ValueError("no others are to be numbered")
    require_below(numbers, known)
    met = <int*>malloc((known + 1) * sizeof(int))
    if met == NULL:
        raise MemoryError
    memset(met, -1, (known + 1) * sizeof(int))
    try:
        with nogil:
            outcome = set_renumbered(ours, theirs, numbers, met, number)
    finally:
        free(met)
    if outcome == NO_MEMORY:
        raise MemoryError
    return found


cdef Outcome set_renumbered(
    Numbering ours, Numbering theirs, const int[::1] numbers, int* met, int* found
) noexcept nogil:
    cdef Py_ssize_t at
    cdef int64_t number
    cdef Text text
    for at in range(numbers.shape[0]):
        if met[numbers[at]] < 0:
            text = ours.known.texts[numbers[at]]
            number = number_of(&theirs.known, &text)
            if number < 0:
                number = numbered_next(&theirs.known, &text) if keep_text(theirs, &text) else -1
            if number < 0:
                return NO_MEMORY
            met[numbers[at]] = <int>number
        found[at] = met[numbers[at]]
    return FINE


cdef int require_below(const int[::1] numbers, Py_ssize_t count) except -1:
    cdef Py_ssize_t at
    for at in range(numbers.shape[0]):
        if not 0 <= numbers[at] < count:
            raise ValueError("numbers must be below their count")
    return 0


def mark_clicked(
    const int64_t[::1] starts not None,
    const int[::1] documents not None,
    const int[::1] lists not None,
    const int[::1] clicks not None,
):
    """Which documents of several lists were clicked, and which clicks are on one of their list, as bytes 0 and 1."""
    cdef bytearray clicked = bytearray(documents.shape[0])
    cdef bytearray listed = bytearray(clicks.shape[0])
    cdef char* is_clicked = PyByteArray_AS_STRING(clicked)
    cdef char* is_listed = PyByteArray_AS_STRING(listed)
    cdef Py_ssize_t click, at
    if starts.shape[0] == 0 or starts[starts.shape[0] - 1] > documents.shape[0] or starts[0] < 0:
        raise ValueError("lists must end within the documents")
    for at in range(1, starts.shape[0]):
        if starts[at] < starts[at - 1]:
            raise ValueError("lists must follow each other")
    if lists.shape[0] != clicks.shape[0]:
        raise ValueError("every click must have a list")
    require_below(lists, starts.shape[0] - 1)
    with nogil:
        for click in range(clicks.shape[0]):
            for at in range(starts[lists[click]], starts[lists[click] + 1]):
                if documents[at] == clicks[click]:
                    is_clicked[at] = is_listed[click] = 1
    return clicked, listed
