# The judgments, as the loops read them.

from array import array
from itertools import accumulate


cdef class Judged:
    """Judged queries and their documents, hashed; read by any number of threads at once.

    Documents are strings, or one text of bytes with the place where each of them begins.
    """

    cdef object kept
    cdef Numbered queries
    cdef Text* documents
    cdef int64_t* starts

    def __cinit__(self, tuple queries not None, documents, starts, document_starts=None):
        cdef Py_ssize_t number, count = len(queries)
        cdef Py_ssize_t rows = len(documents) if document_starts is None else len(document_starts) - 1
        cdef Text query
        if len(starts) != count + 1 or starts[0] != 0 or starts[count] != rows:
            raise ValueError("starts must be where each query's documents begin, and their end")
        self.documents = <Text*>malloc((rows + 1) * sizeof(Text))
        self.starts = <int64_t*>malloc((count + 1) * sizeof(int64_t))
        if not (self.documents and self.starts and make_room_for_texts(&self.queries, count)):
            raise MemoryError
        for number in range(count + 1):
            self.starts[number] = starts[number]
            if number and self.starts[number] < self.starts[number - 1]:
                raise ValueError("starts must not fall")
        if document_starts is None:
            # Side by side they are found sooner than wherever their strings happen to be.
            together = [(<str>document).encode() for document in documents]
            document_starts = array("q", accumulate(map(len, together), initial=0))
            documents = b"".join(together)
        self.kept = queries, documents  # their texts are read where they are
        set_texts(documents, document_starts, self.documents)
        for number in range(count):
            set_text(queries[number], &query)
            numbered_anew(&self.queries, &query)

    def __dealloc__(self):
        forget_numbered(&self.queries)
        free(self.documents)
        free(self.starts)


cdef int set_text(str id, Text* text) except -1:
    text.start = PyUnicode_AsUTF8AndSize(id, &text.length)
    text.hash = hash_of_text(text.start, text.length)
    return 0


cdef int set_texts(bytes together, const int64_t[::1] starts, Text* texts) except -1:
    """Texts that stand one after the other."""
    cdef const char* data = together
    cdef Py_ssize_t at
    if starts[0] < 0 or starts[len(starts) - 1] > len(together):
        raise ValueError("a text lies outside the bytes")
    for at in range(len(starts) - 1):
        if starts[at + 1] < starts[at]:
            raise ValueError("starts must not fall")
        texts[at].start, texts[at].length = data + starts[at], starts[at + 1] - starts[at]
        texts[at].hash = hash_of_text(texts[at].start, texts[at].length)
    return 0
