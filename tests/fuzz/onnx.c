// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes as an ONNX model. Whatever is read gives a graph that can be printed, or messages; and chains
// that are graphs, or say why not.
//
// RUN: %{python} -B %S/../model/Inputs/models.py %t.seeds
// RUN: %{cc} %{cflags} %s %S/Inputs/mutate.c -o %t %{libs}
// RUN: %t 10000 %t.seeds/*
//
// With libFuzzer, from the seeds that the test leaves in build/tests/fuzz/Output/onnx.c.tmp.seeds:
//
//   clang -fsanitize=fuzzer,address,undefined -D_POSIX_C_SOURCE=200809L -I. -Ibuild -isystem build
//     tests/fuzz/onnx.c frontend/*.c build/frontend/onnx.pb-c.c runtime/*.c -lprotobuf-c -ljansson -lm
//     -o onnx-fuzz
//   ./onnx-fuzz -max_len=4096 corpus seeds
#include "frontend/onnx.h"
#include "frontend/onnx_survey.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#define REQUIRE(condition) ((condition) ? (void)0 : abort())

static void check_chains(Arena *arena, const OnnxFile *file, FILE *out) {
  Diag diag = {.arena = arena, .file = "fuzz.onnx"};
  const Chains *chains = onnx_chains(arena, file, &diag);
  REQUIRE((chains == NULL) == (diag.errors > 0));
  for (int i = 0; chains && i < chains->chain.count; i++) {
    const Chain *chain = &chains->chain.item[i];
    REQUIRE(chain->moved.count > 0 && (chain->graph != NULL) == (chain->why == NULL));
    if (chain->graph)
      graph_print(chain->graph, out);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  Arena *arena = arena_new();
  Diag diag = {.arena = arena, .file = "fuzz.onnx"};
  FILE *out = fopen("/dev/null", "w");
  REQUIRE(out);
  const OnnxFile *file = onnx_file_parse(arena, "fuzz.onnx", bytes, size, &diag);
  REQUIRE((file == NULL) == (diag.errors > 0));
  if (file) {
    Module *module = onnx_lower(arena, file, &diag);
    REQUIRE((module->graph_count == 0) == (diag.errors > 0));
    for (int i = 0; i < module->graph_count; i++)
      graph_print(module->graph[i], out);
    check_chains(arena, file, out);
  }
  diag_print(&diag, out, false);
  fclose(out);
  arena_free(arena);
  return 0;
}
