// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens models and the files that hold their weights.
#include "frontend/onnx/onnx_file.h"
#include "frontend/onnx/onnx_wire.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- Decoding with a budget

typedef struct Budget {
  Arena *arena;
  size_t left;
} Budget;

static void *budget_alloc(void *data, size_t size) {
  Budget *budget = data;
  if (size > budget->left)
    return NULL;
  budget->left -= size;
  return arena_alloc(budget->arena, size);
}

static void budget_free(void *data, void *block) { // the arena frees everything at the end
  (void)data;
  (void)block;
}

// The content of the next field of this number that the schema lacks; *at moves past it.
static bool unknown_field(const ProtobufCMessage *message, unsigned number, unsigned *at,
                          OnnxBytes *out) {
  while (*at < message->n_unknown_fields) {
    const ProtobufCMessageUnknownField *field = &message->unknown_fields[(*at)++];
    size_t prefix = 0;
    if (field->tag != number || field->wire_type != PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED)
      continue;
    while (field->data[prefix++] & 0x80)
      ;
    *out = (OnnxBytes){field->data + prefix, field->len - prefix};
    return true;
  }
  return false;
}

// The place of a field in a message. NULL: the schema lacks it.
static const void *known_field(const ProtobufCMessage *message, unsigned number, size_t *count) {
  const ProtobufCFieldDescriptor *field =
      protobuf_c_message_descriptor_get_field(message->descriptor, number);
  const uint8_t *bytes = (const uint8_t *)message;
  if (field && field->label == PROTOBUF_C_LABEL_REPEATED)
    memcpy(count, bytes + field->quantifier_offset, sizeof *count);
  return field ? bytes + field->offset : NULL;
}

const char *onnx_text_field(Arena *arena, const ProtobufCMessage *message, unsigned number) {
  const char *const *known = known_field(message, number, NULL);
  const char *text = known ? *known : NULL;
  OnnxBytes bytes;
  for (unsigned at = 0; !known && unknown_field(message, number, &at, &bytes);)
    text = arena_text(arena, (const char *)bytes.data, bytes.size);
  return text ? text : "";
}

void onnx_give_texts(ProtobufCMessage *message) {
  static char nothing[1] = "";
  uint8_t *bytes = (uint8_t *)message;
  for (unsigned i = 0; i < message->descriptor->n_fields; i++) {
    const ProtobufCFieldDescriptor *field = &message->descriptor->fields[i];
    bool is_many = field->label == PROTOBUF_C_LABEL_REPEATED;
    void *at = bytes + field->offset;
    const void *quantifier = bytes + field->quantifier_offset;
    if (field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF && *(const uint32_t *)quantifier != field->id)
      continue;
    if (field->type == PROTOBUF_C_TYPE_MESSAGE) {
      size_t count = is_many ? *(const size_t *)quantifier : 1;
      ProtobufCMessage **inner = is_many ? *(ProtobufCMessage ***)at : at;
      for (size_t k = 0; k < count; k++)
        if (inner[k])
          onnx_give_texts(inner[k]);
    } else if (field->type == PROTOBUF_C_TYPE_STRING && !is_many) {
      char **text = at;
      *text = *text ? *text : nothing;
    }
  }
}

// False: a field has the wrong type, or the budget is spent.
static bool decode_function(Budget *budget, const Onnx__FunctionProto *proto, OnnxFunction *out) {
  ProtobufCAllocator allocator = {budget_alloc, budget_free, budget};
  const ProtobufCMessage *f = &proto->base;
  Onnx__AttributeProto **const *known = known_field(f, FUNCTION_DEFAULT, &out->n_attribute);
  OnnxBytes bytes;
  out->proto = proto;
  out->overload = onnx_text_field(budget->arena, f, FUNCTION_OVERLOAD);
  out->attribute =
      known ? *known : ARENA_ARRAY(budget->arena, Onnx__AttributeProto *, f->n_unknown_fields);
  for (unsigned at = 0; !known && unknown_field(f, FUNCTION_DEFAULT, &at, &bytes);) {
    Onnx__AttributeProto *made = onnx__attribute_proto__unpack(&allocator, bytes.size, bytes.data);
    if (!made)
      return false;
    onnx_give_texts(&made->base);
    out->attribute[out->n_attribute++] = made;
  }
  return true;
}

static bool decode(Arena *arena, OnnxBytes skeleton, OnnxFile *file, const char **why) {
  Budget budget = {arena, ONNX_MAX_MESSAGES};
  ProtobufCAllocator allocator = {budget_alloc, budget_free, &budget};
  Onnx__ModelProto *model = onnx__model_proto__unpack(&allocator, skeleton.size, skeleton.data);
  size_t count = model ? model->n_functions : 0;
  OnnxFunction *function = ARENA_ARRAY(arena, OnnxFunction, count);
  bool good = model != NULL;
  if (good)
    onnx_give_texts(&model->base);
  for (size_t i = 0; good && i < count; i++)
    good = decode_function(&budget, model->functions[i], &function[i]);
  if (!good)
    *why = budget.left < ONNX_MAX_MESSAGES / 4 ? "its messages need more than 256 MiB"
                                               : "a field has the wrong type";
  else if (!model->graph)
    *why = "it has no graph";
  file->model = model;
  file->function = function;
  return !*why;
}

const OnnxFile *onnx_file_parse(Arena *arena, const char *path, const uint8_t *bytes, size_t size,
                                Diag *diag) {
  const char *why = NULL;
  OnnxBytes skeleton = onnx_skeleton(arena, bytes, size, &why);
  OnnxFile *file = ARENA_NEW(arena, OnnxFile);
  *file = (OnnxFile){
      .path = path, .bytes = bytes, .size = size, .weights = ARENA_NEW(arena, OnnxWeights *)};
  if (skeleton.data && decode(arena, skeleton, file, &why))
    return file;
  diag_error_file(diag, "bad_file", "is not an ONNX model: %s", why);
  return NULL;
}

// ---- Files

static bool map_file(int fd, OnnxBytes *out, const char **why) {
  struct stat status;
  if (fstat(fd, &status) != 0)
    *why = strerror(errno);
  else if (S_ISDIR(status.st_mode))
    *why = strerror(EISDIR);
  else if (!S_ISREG(status.st_mode))
    *why = "is not a regular file";
  if (*why)
    return false;
  static const uint8_t nothing[1] = {0};
  *out = (OnnxBytes){nothing, (size_t)status.st_size};
  if (status.st_size == 0)
    return true;
  void *memory = mmap(NULL, out->size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (memory == MAP_FAILED)
    *why = strerror(errno);
  out->data = memory;
  return !*why;
}

bool onnx_file_map(const char *path, OnnxBytes *out, const char **why) {
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); // a pipe is refused, not waited for
  if (fd < 0) {
    *why = strerror(errno);
    return false;
  }
  bool good = map_file(fd, out, why);
  close(fd);
  return good;
}

const OnnxFile *onnx_file_read(Arena *arena, const char *path, bool reads_external, Diag *diag) {
  const char *why = NULL;
  OnnxBytes bytes;
  if (!onnx_file_map(path, &bytes, &why)) {
    diag_error_file(diag, "bad_file", "cannot be read: %s", why);
    return NULL;
  }
  const OnnxFile *file = onnx_file_parse(arena, path, bytes.data, bytes.size, diag);
  if (!file)
    return NULL;
  OnnxFile *opened = ARENA_NEW(arena, OnnxFile);
  *opened = *file;
  opened->reads_external = reads_external;
  return opened;
}

// ---- Weights in external files

// The contents of external_data: {"location": "weights.bin", "offset": "4096", "length": "64"}.
typedef struct External {
  const char *location;
  uint64_t offset, length;
  bool has_length;
} External;

static bool read_count(const char *text, uint64_t *out) {
  char *end = NULL;
  errno = 0;
  *out = strtoull(text, &end, 10);
  return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0 && *out <= INT64_MAX;
}

static bool read_external(const Onnx__TensorProto *tensor, External *out, const char **why) {
  *out = (External){0};
  for (size_t i = 0; i < tensor->n_external_data; i++) {
    const char *key = tensor->external_data[i]->key, *value = tensor->external_data[i]->value;
    bool good = *key;
    if (good && strcmp(key, "location") == 0)
      out->location = value;
    else if (good && strcmp(key, "offset") == 0)
      good = read_count(value, &out->offset);
    else if (good && strcmp(key, "length") == 0)
      good = out->has_length = read_count(value, &out->length);
    if (!good)
      *why = "its 'external_data' is damaged";
  }
  if (!*why && (!out->location || !*out->location))
    *why = "its 'external_data' names no file";
  return !*why;
}

// Opens a file below `folder`. No path component may be "..", a link, or the root.
static int open_below(Arena *arena, const char *folder, const char *location) {
  int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  char *rest = arena_text(arena, location, strlen(location));
  while (at >= 0 && rest) {
    char *slash = strchr(rest, '/');
    if (slash)
      *slash = '\0';
    bool is_allowed = *rest && strcmp(rest, "..") != 0;
    int flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | (slash ? O_DIRECTORY : 0);
    int next = is_allowed ? openat(at, rest, flags) : -1;
    close(at);
    at = next;
    rest = slash ? slash + 1 : NULL;
  }
  return at;
}

// Maps the whole file at a location below the model's folder, once.
static bool map_weights(Arena *arena, const OnnxFile *file, const char *location, OnnxBytes *out,
                        const char **why) {
  const char *slash = strrchr(file->path, '/');
  const char *folder =
      slash ? arena_printf(arena, "%.*s/", (int)(slash - file->path), file->path) : "";
  const char *path = arena_printf(arena, "%s%s", folder, location);
  OnnxWeights **end = file->weights;
  for (; *end; end = &(*end)->next) {
    *out = (*end)->bytes;
    if (strcmp((*end)->path, path) == 0)
      return true;
  }
  int fd = open_below(arena, *folder ? folder : ".", location);
  struct stat status;
  if (fd < 0)
    *why = arena_printf(arena,
                        "there is no file '%s' below the model's folder (links and '..' are "
                        "not followed)",
                        location);
  else if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink > 1)
    *why = arena_printf(arena, "'%s' has several names (hard links)", location);
  else if (!map_file(fd, out, why))
    *why = arena_printf(arena, "cannot read '%s': %s", location, *why);
  else {
    *end = ARENA_NEW(arena, OnnxWeights);
    **end = (OnnxWeights){.path = path, .bytes = *out};
  }
  if (fd >= 0)
    close(fd);
  return !*why;
}

static bool map_external(Arena *arena, const OnnxFile *file, const External *external,
                         OnnxBytes *out, const char **why) {
  OnnxBytes whole;
  if (!map_weights(arena, file, external->location, &whole, why))
    return false;
  uint64_t left = external->offset <= whole.size ? whole.size - external->offset : 0;
  uint64_t length = external->has_length ? external->length : left;
  if (external->offset > whole.size || length > left)
    *why = arena_printf(arena, "its data is past the end of '%s'", external->location);
  else if (length > ONNX_MAX_EXTERNAL)
    *why = "its data is larger than 1 GiB";
  else
    *out = (OnnxBytes){whole.data + external->offset, (size_t)length};
  return !*why;
}

bool onnx_raw_data(Arena *arena, const OnnxFile *file, const Onnx__TensorProto *tensor,
                   OnnxBytes *out, const char **why) {
  External external;
  *why = NULL;
  if (tensor->data_location != ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL) {
    *out = onnx_bytes_in_file(file, tensor);
    return true;
  }
  if (!file->reads_external) {
    *why = "its data is in another file; give --external-data to read it";
    return false;
  }
  return read_external(tensor, &external, why) && map_external(arena, file, &external, out, why);
}
