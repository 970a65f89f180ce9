// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stubs for parts of the library that the playground does not use, which need other libraries: models (protobuf-c,
// Expat) and JSON (Jansson).
#include "frontend/onnx/onnx.h"
#include "frontend/onnx/openvino.h"
#include "library/explain.h"

static const OnnxFile *no_model(Diag *diag) {
  diag_error_file(diag, "unsupported", "the playground reads texts, not models");
  return NULL;
}

const OnnxFile *onnx_file_parse(Arena *arena, const char *path, const uint8_t *bytes, size_t size,
                                Diag *diag) {
  (void)arena, (void)path, (void)bytes, (void)size;
  return no_model(diag);
}

const OnnxFile *openvino_file_parse(Arena *arena, const char *path, Source *source,
                                    const OnnxBytes *bin, Diag *diag) {
  (void)arena, (void)path, (void)source, (void)bin;
  return no_model(diag);
}

Module *onnx_lower(Arena *arena, const OnnxFile *file, Diag *diag) {
  (void)file, (void)diag;
  return ARENA_NEW(arena, Module);
}

void explain_json(const Pipeline *p, const EmitOptions *code, FILE *out) {
  (void)p, (void)code;
  fputs("{}\n", out);
}
