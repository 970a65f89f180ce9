// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fields of protobuf messages as they stand in a file, to take a message apart and write parts of it again.
// What is read has been scanned before (onnx_scan.c).
//
//   12 01 78       field 2, 1 byte: "x"
#ifndef FRONTEND_ONNX_WIRE_H
#define FRONTEND_ONNX_WIRE_H

#include "frontend/text/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum { WIRE_VARINT = 0, WIRE_8_BYTES = 1, WIRE_LENGTH = 2, WIRE_4_BYTES = 5 };

typedef struct WireField {
  uint32_t number;
  int kind;
  const uint8_t *begin, *body, *end; // of its tag, of what it holds, of both
} WireField;

// The next field before `end`; *at goes behind it. False: there is none.
bool wire_next(const uint8_t **at, const uint8_t *end, WireField *out);

typedef VEC(uint8_t) WireBytes;

void wire_put_raw(Arena *arena, WireBytes *to, const void *bytes, size_t size);
void wire_put_varint(Arena *arena, WireBytes *to, uint64_t value);
// Fields: a number, and bytes or a message with their length.
void wire_put_number(Arena *arena, WireBytes *to, uint32_t field, uint64_t value);
void wire_put_bytes(Arena *arena, WireBytes *to, uint32_t field, const void *bytes, size_t size);
void wire_put_text(Arena *arena, WireBytes *to, uint32_t field, const char *text);

#endif
