// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes .npy. Files are untrusted: every length is checked against the file size before it is used. The
// steps: preamble, header text (npy_header.c), element type, data; then the elements are converted: rows, bytes,
// values, packing.
#include "frontend/data/npy.h"

#include "frontend/data/npy_header.h"
#include "frontend/data/npy_text.h"
#include "frontend/data/output.h"
#include "runtime/status.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  max_header = 65536,    // format 1.0 cannot express more than 65535; NumPy itself stops at 10000
  alignment = 64,        // of data in memory, and of its place in a file we write
  first_piece = 1 << 20, // first allocation if the length of the input is not known
  least_map = 1 << 20,   // smaller files are read
  max_chunk = 1 << 30,   // per call of read: Linux and macOS reject or shorten more
  growth_digits = 21,    // NumPy leaves room for the first size to grow to this many digits
};

static const unsigned char magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

// How an element type is stored: NumPy's kind letter and its size in bytes. own: NumPy has the type, so its descr
// alone identifies it.
typedef struct Stored {
  rsh_dtype type;
  char kind;
  int size;
  bool own;
} Stored;

static const Stored stored_table[] = {
    {RSH_BOOL, 'b', 1, true},        {RSH_I8, 'i', 1, true},          {RSH_I16, 'i', 2, true},
    {RSH_I32, 'i', 4, true},         {RSH_I64, 'i', 8, true},         {RSH_U8, 'u', 1, true},
    {RSH_U16, 'u', 2, true},         {RSH_U32, 'u', 4, true},         {RSH_U64, 'u', 8, true},
    {RSH_F16, 'f', 2, true},         {RSH_F32, 'f', 4, true},         {RSH_F64, 'f', 8, true},
    {RSH_C64, 'c', 8, true},         {RSH_C128, 'c', 16, true},       {RSH_BF16, 'u', 2, false},
    {RSH_F8E4M3FN, 'u', 1, false},   {RSH_F8E4M3FNUZ, 'u', 1, false}, {RSH_F8E5M2, 'u', 1, false},
    {RSH_F8E5M2FNUZ, 'u', 1, false}, {RSH_F8E8M0, 'u', 1, false},     {RSH_I4, 'i', 1, false},
    {RSH_U4, 'u', 1, false},         {RSH_F4E2M1, 'u', 1, false},     {RSH_I2, 'i', 1, false},
    {RSH_U2, 'u', 1, false},         {RSH_U1, 'u', 1, false},
};
enum { stored_count = sizeof stored_table / sizeof stored_table[0] };

// NULL: it cannot be stored.
static const Stored *stored_as(rsh_dtype type) {
  for (size_t i = 0; i < stored_count; i++)
    if (stored_table[i].type == type)
      return &stored_table[i];
  return NULL;
}

typedef struct Reader {
  const char *name; // of the file in messages
  NpyError *error;
  int fd;
  NpySource *source; // replaces fd, if not NULL
  void *from;
  int64_t left; // bytes of the file not read yet; -1: not known, as for a pipe
  NpyHeader header;
} Reader;

__attribute__((format(printf, 4, 5))) static void
report(NpyError *error, const char *name, const char *kind, const char *format, ...) {
  error->kind = kind;
  int n = snprintf(error->text, sizeof error->text, "%.200s: ", name);
  va_list args;
  va_start(args, format);
  if (n >= 0)
    vsnprintf(error->text + n, sizeof error->text - (size_t)n, format, args);
  va_end(args);
}

// An expression, so that 'return fail(...)' ends a step.
#define fail_at(...) (report(__VA_ARGS__), false)
#define fail(r, ...) fail_at((r)->error, (r)->name, __VA_ARGS__)

void *npy_memory(size_t size) {
  if (size > PTRDIFF_MAX - alignment)
    return NULL;
  size_t whole = (size + alignment - 1) / alignment * alignment; // aligned_alloc wants a multiple
  return aligned_alloc(alignment, whole > 0 ? whole : alignment);
}

// "(2, 3)", as Python writes it; ends in "..." if it does not fit.
static const char *shape_text(const int64_t *dim, int rank, char *text, size_t size) {
  size_t n = 0;
  text[n++] = '(';
  for (int i = 0; i < rank; i++) {
    if (size - n < 32) {
      n += (size_t)snprintf(text + n, size - n, "...");
      break;
    }
    n += (size_t)snprintf(text + n, size - n, "%s%lld", i ? ", " : "", (long long)dim[i]);
  }
  snprintf(text + n, size - n, "%s", rank == 1 ? ",)" : ")");
  return text;
}

// The product of the sizes. As in rsh_volume, a 0 does not hide an overflow of the others.
static bool shape_volume(const int64_t *dim, int rank, int64_t *volume) {
  int64_t product = 1;
  bool zero = false;
  for (int i = 0; i < rank; i++) {
    if (dim[i] == 0)
      zero = true;
    else if (product > INT64_MAX / dim[i])
      return false;
    else
      product *= dim[i];
  }
  *volume = zero ? 0 : product;
  return true;
}

static int element_bits(rsh_dtype type) {
  return type == RSH_STRING ? 8 * (int)sizeof(char *) : rsh_dtype_bits(type);
}

static bool is_narrow(rsh_dtype type) { return element_bits(type) < 8; }

static int64_t packed_size(rsh_dtype type, int64_t count) {
  int64_t each = 8 / rsh_dtype_bits(type);
  return count / each + (count % each != 0);
}

// --- reading ------------------------------------------------------------------------------------

// Reads `size` bytes; *got is less only at the end of the file.
static bool read_bytes(Reader *r, void *bytes, size_t size, size_t *got) {
  *got = 0;
  if (r->source && !r->source(r->from, bytes, size, got, r->error))
    return false;
  while (!r->source && *got < size) {
    size_t chunk = size - *got < max_chunk ? size - *got : max_chunk;
    ssize_t n = read(r->fd, (unsigned char *)bytes + *got, chunk);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return fail(r, "io", "cannot be read: %s", strerror(errno));
    if (n == 0)
      break;
    *got += (size_t)n;
  }
  if (r->left >= 0)
    r->left = r->left > (int64_t)*got ? r->left - (int64_t)*got : 0;
  return true;
}

// Magic number, version and length of the header:  93 'N' 'U' 'M' 'P' 'Y'  01 00  76 00
static bool read_preamble(Reader *r, size_t *header_size) {
  unsigned char bytes[12];
  size_t got, more;
  if (!read_bytes(r, bytes, 8, &got))
    return false;
  if (got == 0)
    return fail(r, "bad_file", "the file is empty");
  if (memcmp(bytes, magic, got < sizeof magic ? got : sizeof magic) != 0)
    return fail(r, "bad_file", "not a .npy file: it does not begin with \\x93NUMPY%s",
                got >= 4 && memcmp(bytes, "PK\3\4", 4) == 0 ? " (a .npz archive?)" : "");
  if (got == 8 && (bytes[6] < 1 || bytes[6] > 3 || bytes[7] != 0))
    return fail(r, "bad_file", "format version %d.%d is not supported (1.0, 2.0 and 3.0 are)",
                bytes[6], bytes[7]);
  size_t width = got == 8 && bytes[6] == 1 ? 2 : 4;
  if (!read_bytes(r, bytes + 8, got == 8 ? width : 0, &more))
    return false;
  if (got + more < 8 + width)
    return fail(r, "bad_file", "the file ends after %zu bytes, before its header", got + more);
  *header_size = 0;
  for (size_t i = width; i-- > 0;)
    *header_size = *header_size << 8 | bytes[8 + i];
  return true;
}

static bool read_header(Reader *r) {
  size_t size, got;
  if (!read_preamble(r, &size))
    return false;
  if (size > max_header)
    return fail(r, "limit", "header of %zu bytes is over the limit of %d", size, max_header);
  char *text = malloc(size + 1);
  if (!text)
    return fail(r, "no_memory", "not enough memory for a header of %zu bytes", size);
  bool good = read_bytes(r, text, size, &got);
  if (good && got < size)
    good = fail(r, "bad_file", "header of %zu bytes is cut off after %zu", size, got);
  NpyError error;
  if (good && !npy_header_parse(text, size, &r->header, &error))
    good = fail(r, error.kind, "%s", error.text);
  free(text);
  return good;
}

// Chooses the table row for reading the file.
static bool choose_type(Reader *r, rsh_dtype want, const Stored **chosen) {
  const NpyHeader *h = &r->header;
  const Stored *own = NULL, *wanted = stored_as(want);
  for (size_t i = 0; i < stored_count; i++)
    if (stored_table[i].own && stored_table[i].kind == h->kind && stored_table[i].size == h->size)
      own = &stored_table[i];
  bool raw = h->kind == 'V' || (h->kind == 'f' && h->size == 1);
  *chosen = want == RSH_DTYPE_NONE ? own : wanted;
  if (want == RSH_DTYPE_NONE && !own && raw)
    return fail(r, "bad_type", "descr '%s' does not specify an element type", h->descr);
  if (!own && !raw)
    return fail(r, "bad_type", "descr '%s' is not an element type of this compiler", h->descr);
  if (want == RSH_DTYPE_NONE)
    return true;
  if (!wanted)
    return fail(r, "type_mismatch", "descr '%s' cannot be read as %s", h->descr,
                rsh_dtype_name(want));
  if (wanted->size == h->size && (wanted->kind == h->kind || (h->kind == 'V' && !wanted->own) ||
                                  (h->kind == 'f' && want == RSH_F8E5M2)))
    return true;
  if (own)
    return fail(r, "type_mismatch", "contains %s (descr '%s'), not %s: read it as %s and cast it",
                rsh_dtype_name(own->type), h->descr, rsh_dtype_name(want),
                rsh_dtype_name(own->type));
  return fail(r, "type_mismatch", "descr '%s' cannot be read as %s", h->descr,
              rsh_dtype_name(want));
}

static bool wrong_length(Reader *r, size_t size, const char *relation, int64_t found) {
  char shape[128];
  shape_text(r->header.dim, r->header.rank, shape, sizeof shape);
  return fail(r, "bad_file", "shape %s of '%s' takes %zu bytes, but the file has %s%lld", shape,
              r->header.descr, size, relation, (long long)found);
}

// Allocates and reads size bytes. If the length of the input is unknown, the buffer grows with the data that arrives,
// because a header may claim any size.
static bool read_data(Reader *r, size_t size, unsigned char **data) {
  if (r->left >= 0 && (uint64_t)r->left != size)
    return wrong_length(r, size, "", r->left);
  size_t room = r->left >= 0 || size < first_piece ? size : first_piece;
  size_t have = 0, got;
  *data = NULL;
  for (;;) {
    unsigned char *bigger = npy_memory(room);
    if (!bigger) {
      free(*data);
      return fail(r, "no_memory", "not enough memory for %zu bytes of data", room);
    }
    if (have > 0)
      memcpy(bigger, *data, have);
    free(*data);
    *data = bigger;
    bool good = read_bytes(r, bigger + have, room - have, &got);
    have += got;
    if (good && have < room)
      good = wrong_length(r, size, "", (int64_t)have);
    if (!good) {
      free(bigger);
      return false;
    }
    if (room == size)
      break;
    room = size - room < room ? size : room * 2;
  }
  if (r->left >= 0)
    return true;
  unsigned char extra;
  bool good = read_bytes(r, &extra, 1, &got);
  if (good && got > 0)
    good = wrong_length(r, size, "more than ", (int64_t)size);
  if (!good)
    free(*data);
  return good;
}

// Maps the data in place if the array is large enough and needs no conversion.
static bool map_data(Reader *r, size_t size, Npy *out) {
  off_t at = !r->source && r->left >= 0 && size >= least_map && r->left == (int64_t)size
                 ? lseek(r->fd, 0, SEEK_CUR)
                 : -1;
  if (at < 0 || at % alignment != 0)
    return false;
  size_t bytes = (size_t)at + size;
  void *map = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, r->fd, 0);
  if (map == MAP_FAILED)
    return false;
  (void)lseek(r->fd, 0, SEEK_END); // as if it had been read
  out->map = map;
  out->map_bytes = bytes;
  out->data = (unsigned char *)map + at;
  return true;
}

// --- converting elements ------------------------------------------------------------------------

// Reverses the bytes of each part of an element: one part for most types, two for complex numbers.
void npy_swap_bytes(unsigned char *bytes, size_t size, size_t part) {
  for (size_t at = 0; at < size; at += part)
    for (size_t i = 0, j = part - 1; i < j; i++, j--) {
      unsigned char byte = bytes[at + i];
      bytes[at + i] = bytes[at + j];
      bytes[at + j] = byte;
    }
}

// One row: n elements, step elements apart in from. Constant sizes let memcpy become a single move.
static void gather_row(unsigned char *to, const unsigned char *from, int64_t n, int64_t step,
                       size_t size) {
#define GATHER(width)                                                                              \
  case width:                                                                                      \
    for (int64_t i = 0; i < n; i++)                                                                \
      memcpy(to + (size_t)i * (width), from + (size_t)(i * step) * (width), (width));              \
    break
  switch (size) {
    GATHER(1);
    GATHER(2);
    GATHER(4);
    GATHER(8);
    GATHER(16);
  }
#undef GATHER
}

// Copies an array from column-major to row-major order. It has elements.
static void to_row_major(unsigned char *to, const unsigned char *from, const int64_t *dim, int rank,
                         size_t size) {
  int64_t stride[NPY_HEADER_RANK], index[NPY_HEADER_RANK] = {0};
  int64_t volume = 1;
  for (int axis = 0; axis < rank; axis++) {
    stride[axis] = volume;
    volume *= dim[axis];
  }
  int64_t row = dim[rank - 1], offset = 0;
  for (int64_t done = 0; done < volume; done += row) {
    gather_row(to + (size_t)done * size, from + (size_t)offset * size, row, stride[rank - 1], size);
    for (int axis = rank - 2; axis >= 0; axis--) { // increment the index of the outer axes
      offset += stride[axis];
      if (++index[axis] < dim[axis])
        break;
      offset -= stride[axis] * dim[axis];
      index[axis] = 0;
    }
  }
}

// The range of a type's values, as the bytes that may hold them in a file: i4 is -8..7.
static void value_range(const Stored *s, int *low, int *high) {
  int bits = s->type == RSH_BOOL ? 1 : rsh_dtype_bits(s->type);
  *low = s->kind == 'i' ? -(1 << (bits - 1)) : 0;
  *high = s->kind == 'i' ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
}

// ml_dtypes stores a negative i4 as 0x0f, with no sign in the upper half: V1 allows both.
static bool check_values(Reader *r, const Stored *s, const unsigned char *bytes, int64_t count) {
  int low, high;
  value_range(s, &low, &high);
  bool signs_cut = r->header.kind == 'V';
  for (int64_t i = 0; i < count; i++) {
    int value = s->kind == 'i' && bytes[i] > 127 ? bytes[i] - 256 : bytes[i];
    if (value >= low && value <= (signs_cut ? high - low : high))
      continue;
    return fail(r, "bad_file", "element %lld is %d, outside %s (%d to %d)", (long long)i, value,
                rsh_dtype_name(s->type), low, high);
  }
  return true;
}

// Packs elements of one byte in place: i4 01 ff 02 becomes f1 02.
static void pack(unsigned char *bytes, int64_t count, int bits) {
  int64_t each = 8 / bits, size = count / each + (count % each != 0);
  for (int64_t b = 0; b < size; b++) {
    unsigned packed = 0;
    for (int64_t i = 0; i < each && b * each + i < count; i++)
      packed |= (bytes[b * each + i] & ((1u << bits) - 1)) << (i * bits);
    bytes[b] = (unsigned char)packed;
  }
}

static void unpack(unsigned char *to, const unsigned char *packed, int64_t count, int bits,
                   bool is_signed) {
  int64_t each = 8 / bits;
  unsigned sign = is_signed ? 1u << (bits - 1) : 0;
  for (int64_t i = 0; i < count; i++) {
    unsigned value = packed[i / each] >> (i % each * bits) & ((1u << bits) - 1);
    to[i] = (unsigned char)((value ^ sign) - sign); // sign-extends
  }
}

// The element count of the header's shape, and their bytes in the file.
static bool header_elements(Reader *r, size_t element, int64_t *count, size_t *size) {
  const NpyHeader *h = &r->header;
  if (h->rank > RSH_MAX_RANK)
    return fail(r, "rank_limit", "shape has %d sizes; at most %d are supported", h->rank,
                RSH_MAX_RANK);
  if (!shape_volume(h->dim, h->rank, count) || (uint64_t)*count > PTRDIFF_MAX / element) {
    char shape[128];
    return fail(r, "overflow", "the bytes of shape %s of '%s' do not fit 64 bits",
                shape_text(h->dim, h->rank, shape, sizeof shape), h->descr);
  }
  *size = (size_t)*count * element;
  return true;
}

static void set_shape(Npy *out, rsh_dtype type, const NpyHeader *h) {
  out->dtype = type;
  out->rank = h->rank;
  for (int i = 0; i < h->rank; i++)
    out->dim[i] = h->dim[i];
}

static bool read_text(Reader *r, rsh_dtype want, Npy *out) {
  const NpyHeader *h = &r->header;
  int64_t count;
  size_t size;
  unsigned char *data;
  char why[128];
  if (want != RSH_DTYPE_NONE && want != RSH_STRING)
    return fail(r, "type_mismatch", "contains text (descr '%s'), not %s", h->descr,
                rsh_dtype_name(want));
  if (!header_elements(r, npy_header_bytes(h), &count, &size) || !read_data(r, size, &data))
    return false;
  const char **string = npy_text_read(h, data, count, why);
  free(data);
  if (!string)
    return *why ? fail(r, "bad_file", "%s", why)
                : fail(r, "no_memory", "not enough memory for %lld strings", (long long)count);
  size_t bytes = (size_t)count * sizeof *string;
  if (h->fortran && h->rank > 1 &&
      count > 0) { // elements are in file order up to here; text keeps it
    unsigned char *rows = malloc(bytes);
    if (rows) {
      to_row_major(rows, (const unsigned char *)string, h->dim, h->rank, sizeof *string);
      memcpy(string, rows, bytes);
    }
    free(rows);
    if (!rows) {
      free(string);
      return fail(r, "no_memory", "not enough memory for %zu bytes of data", bytes);
    }
  }
  set_shape(out, RSH_STRING, h);
  out->data = string;
  out->bytes = bytes;
  return true;
}

static bool read_array(Reader *r, rsh_dtype want, Npy *out) {
  const NpyHeader *h = &r->header;
  if (!read_header(r))
    return false;
  if (npy_header_is_text(h))
    return read_text(r, want, out);
  const Stored *s;
  int64_t count;
  size_t size;
  if (!choose_type(r, want, &s) || !header_elements(r, (size_t)s->size, &count, &size))
    return false;
  size_t part = (size_t)s->size / (s->kind == 'c' ? 2 : 1);
  bool swaps = part > 1 && h->order == (NPY_HOST_IS_LITTLE ? '>' : '<');
  bool is_transposed = h->fortran && h->rank > 1 && count > 0;
  Npy mapped = {.data = NULL};
  bool is_mapped = !swaps && !is_transposed && !is_narrow(s->type) && map_data(r, size, &mapped);
  unsigned char *data = mapped.data;
  if (!is_mapped && !read_data(r, size, &data))
    return false;

  if (is_transposed) {
    unsigned char *rows = npy_memory(size);
    if (rows)
      to_row_major(rows, data, h->dim, h->rank, (size_t)s->size);
    free(data);
    if (!rows)
      return fail(r, "no_memory", "not enough memory for %zu bytes of data", size);
    data = rows;
  }
  if (swaps)
    npy_swap_bytes(data, size, part);
  if ((is_narrow(s->type) || s->type == RSH_BOOL) && !check_values(r, s, data, count)) {
    if (is_mapped)
      npy_free(&mapped);
    else
      free(data);
    return false;
  }
  if (is_narrow(s->type)) {
    pack(data, count, rsh_dtype_bits(s->type));
    size = (size_t)packed_size(s->type, count);
  }
  *out = mapped;
  set_shape(out, s->type, h);
  out->data = data;
  out->bytes = size;
  return true;
}

bool npy_read(const char *path, rsh_dtype want, Npy *out, NpyError *error) {
  bool from_stdin = strcmp(path, "-") == 0;
  Reader r = {.name = from_stdin ? "standard input" : path, .error = error, .fd = STDIN_FILENO};
  *out = (Npy){.dtype = RSH_DTYPE_NONE};
  *error = (NpyError){.kind = ""};
  if (!from_stdin)
    r.fd = open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC);
  if (r.fd < 0)
    return fail(&r, "io", "cannot be opened: %s", strerror(errno));

  struct stat status;
  bool good = fstat(r.fd, &status) == 0;
  if (!good)
    good = fail(&r, "io", "cannot be read: %s", strerror(errno));
  else if (S_ISDIR(status.st_mode))
    good = fail(&r, "io", "is a directory");
  if (good) {
    // Standard input may be a file that is already partly read.
    off_t at = S_ISREG(status.st_mode) ? lseek(r.fd, 0, SEEK_CUR) : -1;
    r.left = at < 0 ? -1 : at > status.st_size ? 0 : (int64_t)(status.st_size - at);
    good = read_array(&r, want, out);
  }
  if (!from_stdin)
    close(r.fd);
  return good;
}

bool npy_read_part(int fd, uint64_t at, uint64_t bytes, const char *name, Npy *out,
                   NpyError *error) {
  Reader r = {.name = name, .error = error, .fd = fd, .left = (int64_t)bytes};
  *out = (Npy){.dtype = RSH_DTYPE_NONE};
  *error = (NpyError){.kind = ""};
  if (lseek(fd, (off_t)at, SEEK_SET) < 0)
    return fail(&r, "io", "cannot be read: %s", strerror(errno));
  return read_array(&r, RSH_DTYPE_NONE, out);
}

bool npy_read_from(NpySource *source, void *from, uint64_t bytes, const char *name, Npy *out,
                   NpyError *error) {
  Reader r = {.name = name, .error = error, .source = source, .from = from, .left = (int64_t)bytes};
  *out = (Npy){.dtype = RSH_DTYPE_NONE};
  *error = (NpyError){.kind = ""};
  return read_array(&r, RSH_DTYPE_NONE, out);
}

bool npy_allocate(Npy *array) {
  uint64_t elements = 1, bits = (uint64_t)element_bits(array->dtype), bytes;
  for (int k = 0; k < array->rank; k++)
    if (__builtin_mul_overflow(elements, (uint64_t)array->dim[k], &elements))
      return false;
  if (__builtin_mul_overflow(elements / 8, bits, &bytes) || bytes > PTRDIFF_MAX - 256)
    return false;
  array->bytes = (size_t)(bytes + (elements % 8 * bits + 7) / 8);
  array->data = npy_memory(array->bytes);
  return array->data != NULL;
}

void npy_free(Npy *array) {
  if (array->map)
    munmap(array->map, array->map_bytes);
  else
    free(array->data);
  *array = (Npy){.dtype = RSH_DTYPE_NONE};
}

// --- writing ------------------------------------------------------------------------------------

// Everything before the data, byte for byte as numpy.save writes it. At most RSH_MAX_RANK sizes of 19 digits, so it
// is always short enough for format 1.0.
static size_t make_header(const Npy *a, const Stored *s, char *text, size_t room) {
  enum { preamble = 10 };
  char shape[RSH_MAX_RANK * 22 + 8], first[24];
  char order = s->size == 1 && s->kind != 'U' ? '|' : NPY_HOST_IS_LITTLE ? '<' : '>';
  shape_text(a->dim, a->rank, shape, sizeof shape);
  size_t n = preamble;
  n += (size_t)snprintf(text + n, room - n,
                        "{'descr': '%c%c%d', 'fortran_order': False, 'shape': %s, }", order,
                        s->kind, s->size, shape);
  if (a->rank > 0) // lets the first size be edited in place
    n += (size_t)(growth_digits - snprintf(first, sizeof first, "%lld", (long long)a->dim[0]));
  size_t size = (n + 1 + alignment) / alignment * alignment; // NumPy pads a full block by another
  size_t end = strlen(text + preamble) + preamble;
  memset(text + end, ' ', size - end);
  text[size - 1] = '\n';
  memcpy(text, magic, sizeof magic);
  text[6] = 1;
  text[7] = 0;
  text[8] = (char)((size - preamble) & 0xff);
  text[9] = (char)((size - preamble) >> 8);
  return size;
}

// Stores the strings of an array as wide as the longest.
static bool stored_strings(const Npy *a, Stored *stored, const char *name, NpyError *error) {
  int64_t wrong = 0, count = (int64_t)(a->bytes / sizeof(char *));
  int64_t width = npy_text_width(a->data, count, &wrong);
  if (width < 0)
    return fail_at(error, name, "bad_arg", "element %lld is not UTF-8", (long long)wrong);
  if (width > INT_MAX / 4)
    return fail_at(error, name, "limit", "a text has %lld characters", (long long)width);
  *stored = (Stored){RSH_STRING, 'U', (int)width, true};
  return true;
}

static bool check_array(const Npy *a, int size, int64_t *count, const char *name, NpyError *error) {
  if (a->rank < 0 || a->rank > RSH_MAX_RANK)
    return fail_at(error, name, "rank_limit", "shape has %d sizes; at most %d are supported",
                   a->rank, RSH_MAX_RANK);
  for (int i = 0; i < a->rank; i++)
    if (a->dim[i] < 0)
      return fail_at(error, name, "bad_arg", "size %lld in the shape is negative",
                     (long long)a->dim[i]);
  if (!shape_volume(a->dim, a->rank, count) || *count > PTRDIFF_MAX / size)
    return fail_at(error, name, "overflow", "the bytes of the shape do not fit 64 bits");
  int64_t bytes = is_narrow(a->dtype) ? packed_size(a->dtype, *count) : *count * size;
  if ((uint64_t)bytes != a->bytes)
    return fail_at(error, name, "bad_arg", "the shape takes %lld bytes of %s, but %zu are given",
                   (long long)bytes, rsh_dtype_name(a->dtype), a->bytes);
  return true;
}

// The elements as stored in the file, if memory has another form. NULL in *file: it has the same form, or allocation
// failed, which is an error.
static bool file_elements(const Npy *a, const Stored *s, int64_t count, OutputPart *file,
                          const char *name, NpyError *error) {
  size_t size = (size_t)s->size * (s->kind == 'U' ? sizeof(uint32_t) : 1), all;
  *file = (OutputPart){NULL, 0};
  if (count == 0 || (!is_narrow(a->dtype) && a->dtype != RSH_STRING))
    return true;
  void *bytes = __builtin_mul_overflow((size_t)count, size, &all) ? NULL : malloc(all);
  if (!bytes)
    return fail_at(error, name, "no_memory", "not enough memory for %lld elements of %zu bytes",
                   (long long)count, size);
  if (a->dtype == RSH_STRING)
    npy_text_write(a->data, count, s->size, bytes);
  else
    unpack(bytes, a->data, count, rsh_dtype_bits(a->dtype), s->kind == 'i');
  *file = (OutputPart){bytes, all};
  return true;
}

bool npy_parts(const Npy *array, const char *name, NpyParts *parts, NpyError *error) {
  const Stored *own = stored_as(array->dtype);
  Stored s = own ? *own : (Stored){.type = RSH_STRING, .size = sizeof(char *)};
  int64_t count;
  OutputPart file;
  *error = (NpyError){.kind = ""};
  if (!own && array->dtype != RSH_STRING)
    return fail_at(error, name, "bad_type", "elements of type %s cannot be written to a .npy file",
                   rsh_dtype_name(array->dtype));
  if (!check_array(array, s.size, &count, name, error) ||
      (!own && !stored_strings(array, &s, name, error)) ||
      !file_elements(array, &s, count, &file, name, error))
    return false;
  bool is_made = file.bytes || array->dtype == RSH_STRING;
  parts->made = (void *)file.bytes;
  parts->part[0] =
      (OutputPart){parts->header, make_header(array, &s, parts->header, sizeof parts->header)};
  parts->part[1] = is_made ? file : (OutputPart){array->data, array->bytes};
  return true;
}

void npy_parts_free(NpyParts *parts) { free(parts->made); }

bool npy_write(const char *path, const Npy *array, NpyError *error) {
  NpyParts parts;
  if (!npy_parts(array, strcmp(path, "-") == 0 ? "standard output" : path, &parts, error))
    return false;
  bool good = file_write_parts(path, parts.part, 2, error->text, sizeof error->text);
  if (!good)
    error->kind = "io";
  npy_parts_free(&parts);
  return good;
}
