// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Properties of every model that can be read, from ONNX or OpenVINO IR: its graphs can be printed, or have messages;
// its chains are graphs, or say why not.
#ifndef TESTS_FUZZ_MODEL_H
#define TESTS_FUZZ_MODEL_H

#include "fuzz.h"

#include "frontend/onnx/onnx.h"
#include "frontend/onnx/onnx_survey.h"

static inline void check_model(Arena *arena, const OnnxFile *file, Diag *diag, FILE *out) {
  Module *module = onnx_lower(arena, file, diag);
  REQUIRE((module->graph_count == 0) == (diag->errors > 0));
  for (int i = 0; i < module->graph_count; i++)
    graph_print(module->graph[i], out);

  Diag others = {.arena = arena, .file = diag->file};
  const Chains *chains = onnx_chains(arena, file, true, &others);
  REQUIRE((chains == NULL) == (others.errors > 0));
  for (int i = 0; chains && i < chains->chain.count; i++) {
    const Chain *chain = &chains->chain.item[i];
    REQUIRE(chain->moved.count > 0 && (chain->graph != NULL) == (chain->why == NULL));
    if (chain->graph)
      graph_print(chain->graph, out);
  }
}

#endif
