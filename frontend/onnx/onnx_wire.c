// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fields of protobuf messages, read and written.
#include "frontend/onnx/onnx_wire.h"

#include "frontend/text/rescue.h"

#include <limits.h>
#include <string.h>

static bool read_varint(const uint8_t **at, const uint8_t *end, uint64_t *value) {
  *value = 0;
  for (int shift = 0; shift < 64 && *at < end; shift += 7) {
    uint8_t byte = *(*at)++;
    *value |= (uint64_t)(byte & 0x7F) << shift;
    if (byte < 0x80)
      return true;
  }
  return false;
}

bool wire_next(const uint8_t **at, const uint8_t *end, WireField *out) {
  uint64_t tag, size = 0;
  out->begin = *at;
  if (*at >= end || !read_varint(at, end, &tag))
    return false;
  out->number = (uint32_t)(tag >> 3);
  out->kind = (int)(tag & 7);
  out->body = *at;
  switch (out->kind) {
  case WIRE_VARINT:
    if (!read_varint(at, end, &size))
      return false;
    size = 0;
    break;
  case WIRE_8_BYTES:
    size = 8;
    break;
  case WIRE_4_BYTES:
    size = 4;
    break;
  case WIRE_LENGTH:
    if (!read_varint(at, end, &size))
      return false;
    out->body = *at;
    break;
  default:
    return false;
  }
  if (size > (uint64_t)(end - *at))
    return false;
  *at += size;
  out->end = *at;
  return true;
}

void wire_put_raw(Arena *arena, WireBytes *to, const void *bytes, size_t size) {
  int wanted = to->capacity;
  while (wanted < to->count || (size_t)(wanted - to->count) < size) {
    if (wanted > INT_MAX / 2)
      out_of_memory();
    wanted = wanted ? 2 * wanted : 64;
  }
  if (wanted > to->capacity) {
    uint8_t *grown = arena_alloc(arena, (size_t)wanted);
    if (to->count > 0)
      memcpy(grown, to->item, (size_t)to->count);
    to->item = grown;
    to->capacity = wanted;
  }
  if (size > 0)
    memcpy(to->item + to->count, bytes, size);
  to->count += (int)size;
}

void wire_put_varint(Arena *arena, WireBytes *to, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    VEC_PUSH(arena, *to, (uint8_t)(value | 0x80));
  VEC_PUSH(arena, *to, (uint8_t)value);
}

void wire_put_number(Arena *arena, WireBytes *to, uint32_t field, uint64_t value) {
  wire_put_varint(arena, to, (uint64_t)field << 3 | WIRE_VARINT);
  wire_put_varint(arena, to, value);
}

void wire_put_bytes(Arena *arena, WireBytes *to, uint32_t field, const void *bytes, size_t size) {
  wire_put_varint(arena, to, (uint64_t)field << 3 | WIRE_LENGTH);
  wire_put_varint(arena, to, size);
  wire_put_raw(arena, to, bytes, size);
}

void wire_put_text(Arena *arena, WireBytes *to, uint32_t field, const char *text) {
  wire_put_bytes(arena, to, field, text, strlen(text));
}

void wire_put_info(Arena *arena, WireBytes *to, uint32_t field, const char *name, int32_t type,
                   const WireDim *dim, int32_t rank) {
  WireBytes shape = {0}, tensor = {0}, outer = {0}, info = {0};
  for (int32_t i = 0; i < rank; i++) {
    WireBytes size = {0};
    if (dim[i].size >= 0)
      wire_put_number(arena, &size, DIM_VALUE, (uint64_t)dim[i].size);
    else if (dim[i].name)
      wire_put_text(arena, &size, DIM_NAME, dim[i].name);
    wire_put_bytes(arena, &shape, SHAPE_DIM, size.item, (size_t)size.count);
  }
  wire_put_number(arena, &tensor, TENSOR_ELEMENT, (uint64_t)type);
  wire_put_bytes(arena, &tensor, TENSOR_SHAPE, shape.item, (size_t)shape.count);
  wire_put_bytes(arena, &outer, TYPE_TENSOR, tensor.item, (size_t)tensor.count);
  wire_put_text(arena, &info, INFO_NAME, name);
  wire_put_bytes(arena, &info, INFO_TYPE, outer.item, (size_t)outer.count);
  wire_put_bytes(arena, to, field, info.item, (size_t)info.count);
}
