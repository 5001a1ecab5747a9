# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The loops, compiled: bytes in, places of judged documents out.

Whatever they are not sure to read as the plain loops do (a line of another shape, a document listed twice, ranks that
contradict scores) they do not judge: they say that it is irregular, and the plain loops read it and find the words.
"""

from cpython.buffer cimport PyBuffer_FillInfo
from cpython.bytearray cimport PyByteArray_AS_STRING, PyByteArray_Resize
from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.dict cimport PyDict_GetItemWithError, PyDict_Next
from cpython.long cimport PyLong_AsSsize_t
from cpython.ref cimport Py_INCREF, PyObject
from cpython.tuple cimport PyTuple_New, PyTuple_SET_ITEM
from cpython.unicode cimport PyUnicode_AsUTF8AndSize, PyUnicode_DecodeUTF8
from libc.math cimport INFINITY, NAN, fabs
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memchr, memcmp, memcpy, memmove, memset

include "words.pxi"
include "numbers.pxi"
include "growing.pxi"
include "texts.pxi"
include "columns.pxi"
include "numbering.pxi"
include "fields.pxi"
include "judged.pxi"
include "ranking.pxi"
include "lines.pxi"
include "runs.pxi"
include "scattered.pxi"
include "scattered_rows.pxi"
include "leading.pxi"
include "judgments.pxi"
include "grouped_judgments.pxi"
include "dictionaries.pxi"
include "tables.pxi"
include "gathering.pxi"
include "sums.pxi"
include "blocks.pxi"
include "rankings.pxi"
include "json_values.pxi"
include "noted_ids.pxi"
include "click_rows.pxi"
include "ubi_records.pxi"
include "chains.pxi"
include "distinct.pxi"
include "examination.pxi"
