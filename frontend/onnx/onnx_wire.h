// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fields of protobuf messages as stored in a file, for parsing a message and rewriting parts of it. Input
// must have been scanned before (onnx_scan.c).
//
//   12 01 78       field 2, 1 byte: "x"
#ifndef FRONTEND_ONNX_WIRE_H
#define FRONTEND_ONNX_WIRE_H

#include "frontend/text/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum { WIRE_VARINT = 0, WIRE_8_BYTES = 1, WIRE_LENGTH = 2, WIRE_4_BYTES = 5 };

enum { // fields of the messages of ONNX
  MODEL_GRAPH = 7,
  GRAPH_NODE = 1,
  GRAPH_INITIALIZER = 5,
  GRAPH_INPUT = 11,
  GRAPH_OUTPUT = 12,
  GRAPH_VALUE_INFO = 13,
  NODE_INPUT = 1,
  NODE_OUTPUT = 2,
  NODE_OPERATOR = 4,
  NODE_ATTRIBUTE = 5,
  NODE_OVERLOAD = 8,
  FUNCTION_DEFAULT = 11,
  FUNCTION_OVERLOAD = 13,
  ATTRIBUTE_NAME = 1,
  ATTRIBUTE_INT = 3,
  ATTRIBUTE_TENSOR = 5,
  ATTRIBUTE_GRAPH = 6,
  ATTRIBUTE_INTS = 8,
  ATTRIBUTE_GRAPHS = 11,
  ATTRIBUTE_TYPE = 20,
  TENSOR_DIMS = 1,
  TENSOR_TYPE = 2,
  TENSOR_NAME = 8,
  TENSOR_RAW_DATA = 9,
  INFO_NAME = 1,
  INFO_TYPE = 2,
  TYPE_TENSOR = 1,
  TENSOR_ELEMENT = 1,
  TENSOR_SHAPE = 2,
  SHAPE_DIM = 1,
  DIM_VALUE = 1,
  DIM_NAME = 2
};

typedef struct WireField {
  uint32_t number;
  int kind;
  const uint8_t *begin, *body, *end; // of its tag, of its content, of both
} WireField;

// Reads the next field before `end`; *at moves past it. False: there is none.
bool wire_next(const uint8_t **at, const uint8_t *end, WireField *out);

typedef VEC(uint8_t) WireBytes;

void wire_put_raw(Arena *arena, WireBytes *to, const void *bytes, size_t size);
void wire_put_varint(Arena *arena, WireBytes *to, uint64_t value);
// Writes fields: a number, and bytes or a message with their length.
void wire_put_number(Arena *arena, WireBytes *to, uint32_t field, uint64_t value);
void wire_put_bytes(Arena *arena, WireBytes *to, uint32_t field, const void *bytes, size_t size);
void wire_put_text(Arena *arena, WireBytes *to, uint32_t field, const char *text);

// A size of a tensor. `size` below 0: any size, named `name` unless NULL.
typedef struct WireDim {
  int64_t size;
  const char *name;
} WireDim;
// A tensor as an input or an output of a graph; `type` is ONNX's number for its type.
void wire_put_info(Arena *arena, WireBytes *to, uint32_t field, const char *name, int32_t type,
                   const WireDim *dim, int32_t rank);

#endif
