// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// .gguf, versions 2 and 3, little-endian:
//
//   "GGUF", version                    4 bytes each
//   tensors, pairs                     8 bytes each: the counts
//   pairs       key, type, value       a text is its length in 8 bytes and its bytes
//   tensors     name, rank, sizes, type, offset
//   elements    at the next multiple of the pair general.alignment, or 32; offsets are relative to it
//
// The first size is that of the fastest axis, so sizes are reversed. Blocks of quantized elements are bytes: 4096
// elements of Q4_0 are u8[128, 18]. Written files contain only the one required pair.
#include "driver/script/named_format.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
  VERSION = 3,
  START = 24, // bytes before the pairs
  DEFAULT_ALIGNMENT = 32,
  MOST_ALIGNMENT = 1 << 16,
  MOST_DEPTH = 4, // arrays of arrays
  PAIR_U32 = 4,
  PAIR_TEXT = 8,
  PAIR_ARRAY = 9,
  MOST_TEXT = 65535 // of a key or name
};

typedef struct GgufType {
  uint32_t number;
  const char *name;
  uint64_t elements, bytes;
  rsh_dtype dtype;
} GgufType;

static const GgufType types[] = {
#define GGUF_TYPE(number, name, elements, bytes, dtype) {number, name, elements, bytes, dtype},
#include "driver/script/gguf_types.def"
#undef GGUF_TYPE
};
enum { TYPES = sizeof types / sizeof *types };

// ---- reading ----

// Reads the header in windows, since its length is unknown.
typedef struct Reader {
  Arena *arena;
  NamedFile *file;
  NpyError *error;
  int fd;
  uint64_t size, at;
  uint64_t alignment;
  uint64_t window, held; // offset of `bytes` in the file, and their number
  unsigned char bytes[1 << 16];
} Reader;

static bool broken(const Reader *r, const char *why) {
  return named_fail(r->error, r->file->path, "bad_file", "byte %" PRIu64 " of the header: %s",
                    r->at, why);
}

// The next n bytes, at most the size of the window. NULL: reported.
static const unsigned char *take(Reader *r, size_t n) {
  if (r->at > r->size || n > r->size - r->at)
    return broken(r, "the file ends within it"), NULL;
  if (r->at < r->window || r->at + n > r->window + r->held) {
    uint64_t left = r->size - r->at;
    r->held = left < sizeof r->bytes ? left : sizeof r->bytes;
    r->window = r->at;
    if (!file_get_at(r->fd, r->at, r->bytes, (size_t)r->held)) {
      named_fail(r->error, r->file->path, "io", "cannot be read: %s", strerror(errno));
      return NULL;
    }
  }
  const unsigned char *bytes = r->bytes + (r->at - r->window);
  r->at += n;
  return bytes;
}

static bool take_number(Reader *r, int bytes, uint64_t *n) {
  const unsigned char *from = take(r, (size_t)bytes);
  *n = from ? named_load(from, bytes) : 0;
  return from != NULL;
}

static bool skip_bytes(Reader *r, uint64_t n) {
  if (n > r->size - r->at)
    return broken(r, "the file ends within it");
  r->at += n;
  return true;
}

// Reads a key or a name.
static const char *take_text(Reader *r) {
  uint64_t length;
  if (!take_number(r, 8, &length))
    return NULL;
  if (length > MOST_TEXT)
    return broken(r, "a name of more than 65535 bytes"), NULL;
  const unsigned char *text = take(r, (size_t)length);
  if (text && memchr(text, 0, (size_t)length))
    return broken(r, "a name with a NUL in it"), NULL;
  return text ? arena_text(r->arena, (const char *)text, (size_t)length) : NULL;
}

static bool skip_text(Reader *r) {
  uint64_t length;
  return take_number(r, 8, &length) && skip_bytes(r, length);
}

static bool skip_value(Reader *r, uint64_t type, int depth);

static bool skip_array(Reader *r, int depth) {
  uint64_t type, count;
  if (!take_number(r, 4, &type) || !take_number(r, 8, &count))
    return false;
  if (depth > MOST_DEPTH)
    return broken(r, "arrays are nested more than 4 deep");
  if (count > r->size - r->at) // each entry has at least one byte
    return broken(r, "the file ends within it");
  for (uint64_t i = 0; i < count; i++)
    if (!skip_value(r, type, depth))
      return false;
  return true;
}

static bool skip_value(Reader *r, uint64_t type, int depth) {
  static const unsigned char bytes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
  if (type == PAIR_TEXT)
    return skip_text(r);
  if (type == PAIR_ARRAY)
    return skip_array(r, depth + 1);
  return type < sizeof bytes ? skip_bytes(r, bytes[type]) : broken(r, "a value of an unknown type");
}

static bool read_pair(Reader *r) {
  const char *key = take_text(r);
  uint64_t type;
  if (!key || !take_number(r, 4, &type))
    return false;
  if (strcmp(key, "general.alignment") != 0)
    return skip_value(r, type, 0);
  if (type != PAIR_U32)
    return broken(r, "general.alignment is not a 32-bit number");
  if (!take_number(r, 4, &r->alignment))
    return false;
  bool is_power = r->alignment > 0 && (r->alignment & (r->alignment - 1)) == 0;
  return (is_power && r->alignment <= MOST_ALIGNMENT) ||
         broken(r, "general.alignment is not a power of two up to 65536");
}

static const GgufType *find_type(uint64_t number) {
  for (int i = 0; i < TYPES; i++)
    if (types[i].number == number)
      return &types[i];
  return NULL;
}

// Reverses the sizes of the file, which have the fastest axis first, and adds an axis for the bytes of blocks.
static bool gguf_shape(Reader *r, NamedEntry *e, const GgufType *type, int rank,
                       const uint64_t *size, uint64_t *bytes) {
  bool is_block = type->elements > 1;
  uint64_t last = rank > 0 ? size[0] : 1;
  e->dtype = type->dtype;
  if (last % type->elements != 0)
    return named_fail(r->error, r->file->path, "bad_file",
                      "tensor '%.100s' of %s has a last axis of %" PRIu64
                      " elements, not a multiple of the block size %" PRIu64,
                      e->name, type->name, last, type->elements);
  for (int i = 0; i < rank; i++)
    e->dim[rank - 1 - i] = (int64_t)(i == 0 ? last / type->elements : size[i]);
  e->rank = rank;
  if (is_block)
    e->dim[e->rank++] = (int64_t)type->bytes;
  return named_count_bytes(e, bytes) ||
         named_fail(r->error, r->file->path, "overflow",
                    "the bytes of tensor '%.100s' do not fit 63 bits", e->name);
}

static bool read_tensor(Reader *r, NamedEntry *e) {
  uint64_t rank, size[RSH_MAX_RANK], number, bytes = 0;
  *e = (NamedEntry){.name = take_text(r), .dtype = RSH_DTYPE_NONE};
  if (!e->name || !take_number(r, 4, &rank))
    return false;
  if (rank >= RSH_MAX_RANK)
    return broken(r, arena_printf(r->arena, "a tensor of %" PRIu64 " axes, the limit is %d", rank,
                                  RSH_MAX_RANK - 1));
  for (uint64_t i = 0; i < rank; i++)
    if (!take_number(r, 8, &size[i]))
      return false;
    else if (size[i] > INT64_MAX)
      return broken(r, "a size of more than 63 bits");
  if (!take_number(r, 4, &number) || !take_number(r, 8, &e->begin))
    return false;
  const GgufType *type = find_type(number);
  e->type = type ? type->name : arena_printf(r->arena, "%" PRIu64, number);
  if (type && !gguf_shape(r, e, type, (int)rank, size, &bytes))
    return false;
  if (e->begin % r->alignment != 0)
    return named_fail(r->error, r->file->path, "bad_file",
                      "tensor '%.100s' begins at %" PRIu64 ", which is not a multiple of %" PRIu64,
                      e->name, e->begin, r->alignment);
  e->end = e->begin + bytes; // relative to the elements; below 2^64
  return true;
}

static bool place_tensors(Reader *r) {
  NamedFile *file = r->file;
  uint64_t data = named_rounded(r->at, r->alignment), room;
  data = data < r->size ? data : r->size; // tensors without elements need no padding
  room = r->size - data;
  for (int i = 0; i < file->count; i++) {
    NamedEntry *e = &file->entry[i];
    uint64_t bytes = e->end - e->begin;
    if (e->begin > room || bytes > room - e->begin)
      return named_fail(r->error, file->path, "bad_file",
                        "tensor '%.100s', %" PRIu64 " bytes from %" PRIu64
                        " on, does not lie within the file",
                        e->name, bytes, e->begin);
    e->begin += data;
    e->end += data;
  }
  return true;
}

static bool read_start(Reader *r, uint64_t *tensors, uint64_t *pairs) {
  uint64_t magic, version;
  if (r->size < START)
    return named_fail(r->error, r->file->path, "bad_file", "is shorter than the start of a header");
  if (!take_number(r, 4, &magic) || !take_number(r, 4, &version))
    return false;
  if (magic != 0x46554747)
    return named_fail(r->error, r->file->path, "bad_file",
                      "is not a .gguf file: it does not begin with GGUF");
  if (version >> 16)
    return named_fail(r->error, r->file->path, "unsupported", "is big-endian: convert it first");
  if (version != 2 && version != VERSION)
    return named_fail(r->error, r->file->path, "unsupported",
                      "has version %" PRIu64 "; only 2 and 3 are supported", version);
  if (!take_number(r, 8, tensors) || !take_number(r, 8, pairs))
    return false;
  enum { LEAST_TENSOR = 24, LEAST_PAIR = 13 }; // bytes
  if (*tensors > r->size / LEAST_TENSOR || *pairs > r->size / LEAST_PAIR)
    return broken(r, "more tensors or pairs than the file has room for");
  return true;
}

static bool read_header(Arena *arena, int fd, uint64_t size, NamedFile *file, NpyError *error) {
  uint64_t tensors = 0, pairs = 0;
  Reader *r = ARENA_NEW(arena, Reader);
  *r = (Reader){.arena = arena,
                .file = file,
                .error = error,
                .fd = fd,
                .size = size,
                .alignment = DEFAULT_ALIGNMENT};
  if (!read_start(r, &tensors, &pairs))
    return false;
  for (uint64_t i = 0; i < pairs; i++)
    if (!read_pair(r))
      return false;
  file->entry = ARENA_ARRAY(arena, NamedEntry, (size_t)tensors + 1);
  for (uint64_t i = 0; i < tensors; i++)
    if (!read_tensor(r, &file->entry[file->count++]))
      return false;
  file->header = r->at;
  return place_tensors(r);
}

// ---- writing ----

static const GgufType *type_of(const char *name, rsh_dtype dtype) {
  for (int i = 0; i < TYPES; i++)
    if (name ? strcmp(types[i].name, name) == 0 : types[i].elements == 1 && types[i].dtype == dtype)
      return &types[i];
  return NULL;
}

// True if an array has the form in which a tensor of this type is read.
static bool whole_blocks(const NamedWriter *writer, const char *name, const GgufType *type,
                         const Npy *array, NpyError *error) {
  bool is_block = type->elements > 1;
  bool fits =
      array->dtype == type->dtype &&
      (!is_block || (array->rank > 1 && array->dim[array->rank - 1] == (int64_t)type->bytes));
  if (fits)
    return true;
  if (is_block)
    return named_fail(error, writer->path, "type_mismatch",
                      "'%.100s' cannot be saved as %s: that takes u8 with a last axis of %" PRIu64
                      " bytes, a block, and at least one axis before it",
                      name, type->name, type->bytes);
  return named_fail(error, writer->path, "type_mismatch", "'%.100s' is %s, not %s: cast it first",
                    name, rsh_dtype_name(array->dtype), rsh_dtype_name(type->dtype));
}

// Writes zeros up to where the next tensor begins, even for one without elements.
static bool pad(NamedWriter *writer, NpyError *error) {
  static const unsigned char zeros[DEFAULT_ALIGNMENT];
  uint64_t at = writer->data;
  writer->data = named_rounded(at, DEFAULT_ALIGNMENT);
  return named_put(writer, at, zeros, (size_t)(writer->data - at), error);
}

static bool add_tensor(NamedWriter *writer, const char *name, const char *named, const Npy *array,
                       NpyError *error) {
  const GgufType *type = type_of(named, array->dtype);
  if (!type && named)
    return named_fail(error, writer->path, "bad_type", "such files have no type '%.50s'", named);
  if (!type)
    return named_fail(error, writer->path, "bad_type",
                      "such files have no elements of type %s: cast '%.100s' first, or name the "
                      "type of its blocks, as in save(x, path, name, \"Q4_0\")",
                      rsh_dtype_name(array->dtype), name);
  if (!whole_blocks(writer, name, type, array, error))
    return false;
  if (!pad(writer, error))
    return false;
  NamedEntry e = {.name = arena_text(writer->arena, name, strlen(name)),
                  .type = type->name,
                  .rank = array->rank,
                  .begin = writer->data};
  memcpy(e.dim, array->dim, sizeof e.dim);
  VEC_PUSH(writer->arena, writer->entry, e);
  return named_put_elements(writer, writer->data, array, error);
}

typedef VEC(unsigned char) Header;

static void put_number(NamedWriter *writer, Header *header, uint64_t n, int bytes) {
  for (int i = 0; i < bytes; i++)
    VEC_PUSH(writer->arena, *header, (unsigned char)(n >> 8 * i));
}

static void put_text(NamedWriter *writer, Header *header, const char *text) {
  put_number(writer, header, strlen(text), 8);
  for (; *text; text++)
    VEC_PUSH(writer->arena, *header, (unsigned char)*text);
}

static void put_tensor(NamedWriter *writer, Header *header, const NamedEntry *e) {
  const GgufType *type = type_of(e->type, RSH_DTYPE_NONE);
  int rank = e->rank - (type->elements > 1);
  put_text(writer, header, e->name);
  put_number(writer, header, (uint64_t)rank, 4);
  for (int i = rank - 1; i >= 0; i--)
    put_number(writer, header, (uint64_t)e->dim[i] * (i == rank - 1 ? type->elements : 1), 8);
  put_number(writer, header, type->number, 4);
  put_number(writer, header, e->begin, 8);
}

// The header is only known at the end: the elements are shifted to make room.
static bool end_file(NamedWriter *writer, NpyError *error) {
  Header header = {0};
  put_number(writer, &header, 0x46554747, 4);
  put_number(writer, &header, VERSION, 4);
  put_number(writer, &header, (uint64_t)writer->entry.count, 8);
  put_number(writer, &header, 1, 8);
  put_text(writer, &header, "general.architecture");
  put_number(writer, &header, PAIR_TEXT, 4);
  put_text(writer, &header, "reshapec");
  for (int i = 0; i < writer->entry.count; i++)
    put_tensor(writer, &header, &writer->entry.item[i]);
  while (header.count % DEFAULT_ALIGNMENT != 0)
    put_number(writer, &header, 0, 1);
  return pad(writer, error) &&
         output_shift(writer->stream, 0, writer->data, (uint64_t)header.count, error->text,
                      sizeof error->text) &&
         named_put(writer, 0, header.item, (size_t)header.count, error);
}

const NamedFormat gguf_format = {".gguf", read_header, named_map, add_tensor, end_file};
