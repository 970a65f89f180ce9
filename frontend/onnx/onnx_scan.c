// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks the protobuf wire format by the schema, without recursion: every length must be within its
// parent, nesting is limited, and long raw_data becomes a reference.
//
//   0a 05 | 08 01 12 01 78       field 1, 5 bytes: a message of field 1 = 1 and field 2 = "x"
//
// A length keeps its original number of bytes, so a body that shrinks does not move anything: 300 (ac
// 02) becomes 72 as c8 00.
#include "frontend/onnx/onnx_file.h"
#include "frontend/onnx/onnx_wire.h"

#include <string.h>

enum {
  REFERENCE_BYTES = 72 // raw_data of this length in a skeleton is a reference; shorter is literal
};

typedef struct Level {
  const ProtobufCMessageDescriptor *type; // NULL: a field not in the schema
  size_t end;                             // in the file
  size_t length_at, body_at;              // in the skeleton
} Level;

typedef struct Scan {
  const uint8_t *in;
  size_t at;
  uint8_t *out;
  size_t out_size;
  Level level[ONNX_MAX_DEPTH];
  int depth;
  const char *why;
} Scan;

static bool refuse(Scan *s, const char *why) {
  s->why = why;
  return false;
}

// At most 10 bytes, without bits past the 64th.
static bool read_varint(Scan *s, uint64_t *value) {
  size_t end = s->level[s->depth].end;
  *value = 0;
  for (int shift = 0; shift < 70; shift += 7) {
    if (s->at == end)
      return refuse(s, "it ends within a number");
    uint8_t byte = s->in[s->at++];
    if (shift == 63 && byte > 1)
      return refuse(s, "a number has more than 64 bits");
    *value |= (uint64_t)(byte & 0x7F) << shift;
    if (byte < 0x80)
      return true;
  }
  return refuse(s, "a number has more than 64 bits");
}

static bool put(Scan *s, size_t from, size_t size) {
  if (size > ONNX_MAX_SKELETON - s->out_size)
    return refuse(s, "more than 128 MiB without its weights");
  memcpy(s->out + s->out_size, s->in + from, size);
  s->out_size += size;
  return true;
}

static bool skip(Scan *s, uint64_t size) {
  if (size > s->level[s->depth].end - s->at)
    return refuse(s, "a field extends beyond its message");
  s->at += (size_t)size;
  return true;
}

static void put_reference(Scan *s, uint64_t offset, uint64_t size) {
  uint8_t *to = s->out + s->out_size;
  memset(to, 0, REFERENCE_BYTES);
  memcpy(to, &offset, sizeof offset);
  memcpy(to + sizeof offset, &size, sizeof size);
  s->out_size += REFERENCE_BYTES;
}

// Rewrites the varint at `at` with the same number of bytes.
static void patch_length(Scan *s, size_t at, size_t end, uint64_t value) {
  for (; at < end; at++, value >>= 7)
    s->out[at] = (uint8_t)((value & 0x7F) | (at + 1 < end ? 0x80 : 0));
}

// NULL: the field is not a message, or not in the schema. Schemas before ONNX 1.14 have no defaults of functions.
static const ProtobufCMessageDescriptor *message_of(const ProtobufCMessageDescriptor *type,
                                                    unsigned number) {
  const ProtobufCFieldDescriptor *field = protobuf_c_message_descriptor_get_field(type, number);
  if (!field && type == &onnx__function_proto__descriptor && number == FUNCTION_DEFAULT)
    return &onnx__attribute_proto__descriptor;
  return field && field->type == PROTOBUF_C_TYPE_MESSAGE ? field->descriptor : NULL;
}

// Scans a field with a length; its tag is already in the skeleton.
static bool scan_length(Scan *s, unsigned number) {
  const Level *level = &s->level[s->depth];
  size_t start = s->at, length_at = s->out_size;
  uint64_t size;
  if (!read_varint(s, &size))
    return false;
  if (s->at - start > 5)
    return refuse(s, "a length has more than 5 bytes");
  if (size > level->end - s->at)
    return refuse(s, "a field extends beyond its message");
  if (!put(s, start, s->at - start))
    return false;
  const ProtobufCMessageDescriptor *message = message_of(level->type, number);
  if (message) {
    if (s->depth + 1 >= ONNX_MAX_DEPTH)
      return refuse(s, "messages are nested more than 100 deep");
    s->level[++s->depth] = (Level){message, s->at + (size_t)size, length_at, s->out_size};
    return true;
  }
  size_t body = s->at;
  s->at += (size_t)size;
  bool is_raw = level->type == &onnx__tensor_proto__descriptor && number == TENSOR_RAW_DATA;
  if (!is_raw || size < REFERENCE_BYTES)
    return put(s, body, (size_t)size);
  if (s->out_size > ONNX_MAX_SKELETON - REFERENCE_BYTES)
    return refuse(s, "more than 128 MiB without its weights");
  patch_length(s, length_at, s->out_size, REFERENCE_BYTES);
  put_reference(s, body, size);
  return true;
}

static bool scan_field(Scan *s) {
  size_t start = s->at;
  uint64_t tag, ignored;
  if (!read_varint(s, &tag))
    return false;
  if (tag >> 3 == 0 || tag > UINT32_MAX)
    return refuse(s, "a field has no number");
  switch (tag & 7) {
  case WIRE_VARINT:
    return read_varint(s, &ignored) && put(s, start, s->at - start);
  case WIRE_8_BYTES:
    return skip(s, 8) && put(s, start, s->at - start);
  case WIRE_4_BYTES:
    return skip(s, 4) && put(s, start, s->at - start);
  case WIRE_LENGTH:
    return put(s, start, s->at - start) && scan_length(s, (unsigned)(tag >> 3));
  default:
    return refuse(s, "a field is of an unknown kind");
  }
}

OnnxBytes onnx_skeleton(Arena *arena, const uint8_t *bytes, size_t size, const char **why) {
  Scan *s = ARENA_NEW(arena, Scan);
  s->in = bytes;
  s->out = arena_alloc(arena, size < ONNX_MAX_SKELETON ? size : ONNX_MAX_SKELETON);
  s->level[0] = (Level){&onnx__model_proto__descriptor, size, 0, 0};
  for (;;) {
    const Level *level = &s->level[s->depth];
    if (s->at < level->end) {
      if (!scan_field(s))
        break;
      continue;
    }
    if (s->depth == 0)
      return (OnnxBytes){s->out, s->out_size};
    patch_length(s, level->length_at, level->body_at, s->out_size - level->body_at);
    s->depth--;
  }
  *why = s->why;
  return (OnnxBytes){NULL, 0};
}

OnnxBytes onnx_bytes_in_file(const OnnxFile *file, const Onnx__TensorProto *tensor) {
  uint64_t place[2];
  if (file->is_openvino || tensor->raw_data.len != REFERENCE_BYTES) // IR has no skeleton
    return (OnnxBytes){tensor->raw_data.data, tensor->raw_data.len};
  memcpy(place, tensor->raw_data.data, sizeof place);
  return (OnnxBytes){file->bytes + place[0], (size_t)place[1]};
}
