// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stubs for parts of the library that the playground does not use, which need other libraries: models (protobuf-c) and
// JSON (Jansson).
#include "frontend/onnx/onnx.h"
#include "library/explain.h"

const OnnxFile *onnx_file_parse(Arena *arena, const char *path, const uint8_t *bytes, size_t size,
                                Diag *diag) {
  (void)arena, (void)path, (void)bytes, (void)size;
  diag_error_file(diag, "unsupported", "the playground reads texts, not models");
  return NULL;
}

Module *onnx_lower(Arena *arena, const OnnxFile *file, Diag *diag) {
  (void)file, (void)diag;
  return ARENA_NEW(arena, Module);
}

void explain_json(const Pipeline *p, const EmitOptions *code, FILE *out) {
  (void)p, (void)code;
  fputs("{}\n", out);
}
