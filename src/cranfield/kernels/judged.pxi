# The judgments, as the loops read them.

from array import array
from itertools import accumulate


cdef class Judged:
    """Judged queries and their documents; read by any number of threads at once.

    Documents are strings, or one text of bytes with the place where each of them begins. Queries that were numbered
    while they were read need not be numbered again.
    """

    cdef object kept  # their texts are read where they are
    cdef const int64_t[::1] kept_starts
    cdef Numbered queries
    cdef bint are_shared  # with what numbered them
    cdef const int64_t* starts
    cdef IdColumn documents

    def __cinit__(
        self,
        tuple queries not None,
        documents,
        const int64_t[::1] starts not None,
        document_starts=None,
        Numbering numbered=None,
    ):
        cdef Py_ssize_t number, count = len(queries)
        if document_starts is None:
            # Side by side they are found sooner than wherever their strings happen to be.
            together = [(<str>document).encode() for document in documents]
            document_starts = array("q", accumulate(map(len, together), initial=0))
            documents = b"".join(together)
        self.documents = IdColumn(None, document_starts, documents)
        self.kept, self.kept_starts = (queries, numbered), starts
        if len(starts) != count + 1 or starts[0] != 0 or starts[count] != self.documents.rows:
            raise ValueError("starts must be where each query's documents begin, and their end")
        self.starts = &starts[0]
        if not lie_inside(self.starts, count, self.documents.rows):
            raise ValueError("starts must not fall")
        if numbered is not None:
            if numbered.known.count != count:
                raise ValueError("these queries are not those that were numbered")
            numbered.complete = True  # else they might move
            self.queries, self.are_shared = numbered.known, True
            return
        if not make_room_for_texts(&self.queries, count):
            raise MemoryError
        for number in range(count):
            set_text(queries[number], &self.queries.texts[number])
        self.queries.count = count
        if not make_room_for_texts(&self.queries, count):
            raise MemoryError

    def __dealloc__(self):
        if not self.are_shared:
            forget_numbered(&self.queries)


cdef int set_text(str id, Text* text) except -1:
    cdef bint has_nul
    text.start = PyUnicode_AsUTF8AndSize(id, &text.length)
    text.hash = hash_of_text(text.start, text.length, &has_nul)
    return 0


cdef void expect_judged(Judged judged, const int64_t* numbers, Py_ssize_t count) noexcept nogil:
    """Have the documents fetched of queries that come next: where they begin, where their texts begin, and these."""
    cdef Py_ssize_t at
    for at in range(count):
        if numbers[at] >= 0:
            prefetch(&judged.starts[numbers[at]])
    for at in range(count):
        if numbers[at] >= 0:
            prefetch(&judged.documents.starts[judged.starts[numbers[at]]])
    for at in range(count):
        if numbers[at] >= 0:
            prefetch(judged.documents.text + judged.documents.starts[judged.starts[numbers[at]]])
