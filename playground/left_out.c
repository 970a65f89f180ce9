// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the playground leaves out of the library, each with its own library: models, which protobuf-c decodes, and JSON,
// which Jansson writes. It reads texts alone and asks for no JSON.
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
