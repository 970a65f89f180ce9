// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes as an ONNX model. Whatever is read gives a graph that can be printed, or messages; chains that
// are graphs, or say why not; and an optimized model, which is one itself and can be optimized again.
//
// RUN: %{python} -B %S/../model/Inputs/models.py %t.seeds
// RUN: %{cc} %{cflags} %s %S/Inputs/mutate.c -o %t %{libs}
// RUN: %t %{count:10000} %t.seeds/*
//
// What libFuzzer found in two million executions, made from those seeds alone:
//
// RUN: rm -rf %t.corpus && mkdir %t.corpus && tar -xzf %S/Inputs/onnx-corpus.tar.gz -C %t.corpus
// RUN: %t 0 %t.corpus/*
//
// With libFuzzer, from the seeds and the corpus that the test leaves in build/tests/fuzz/Output/onnx.c.tmp.*:
//
//   clang -fsanitize=fuzzer,address,undefined -D_POSIX_C_SOURCE=200809L -I. -Ibuild -isystem build
//     tests/fuzz/onnx.c frontend/*.c frontend/*/*.c build/frontend/onnx/onnx.pb-c.c runtime/*.c -lprotobuf-c -ljansson -lm
//     -o onnx-fuzz
//   ./onnx-fuzz -max_len=4096 corpus seeds
//   ./onnx-fuzz -max_len=4096 -set_cover_merge=1 smaller seeds corpus
//   tar -C smaller --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -cf - . | gzip -9n
#include "frontend/onnx/onnx.h"
#include "frontend/onnx/onnx_optimize.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#define REQUIRE(condition) ((condition) ? (void)0 : abort())

static void check_chains(Arena *arena, const OnnxFile *file, FILE *out) {
  Diag diag = {.arena = arena, .file = "fuzz.onnx"};
  const Chains *chains = onnx_chains(arena, file, true, &diag);
  REQUIRE((chains == NULL) == (diag.errors > 0));
  for (int i = 0; chains && i < chains->chain.count; i++) {
    const Chain *chain = &chains->chain.item[i];
    REQUIRE(chain->moved.count > 0 && (chain->graph != NULL) == (chain->why == NULL));
    if (chain->graph)
      graph_print(chain->graph, out);
  }
}

// The parts in a row.
static OnnxBytes whole(Arena *arena, const Optimized *made) {
  OnnxBytes all = {NULL, 0};
  for (int i = 0; i < made->part.count; i++)
    all.size += made->part.item[i].size;
  uint8_t *to = arena_alloc(arena, all.size + 1);
  all.data = to;
  for (int i = 0; i < made->part.count; i++) {
    memcpy(to, made->part.item[i].bytes, made->part.item[i].size);
    to += made->part.item[i].size;
  }
  return all;
}

static void check_optimized(Arena *arena, const OnnxFile *file, int rounds) {
  Diag diag = {.arena = arena, .file = "fuzz.onnx"};
  const Optimized *made = onnx_optimize(arena, file, &diag);
  REQUIRE((made == NULL) == (diag.errors > 0));
  if (!made || rounds == 0)
    return;
  REQUIRE(made->nodes_after <= made->nodes_before);
  OnnxBytes bytes = whole(arena, made->last);
  const OnnxFile *again = onnx_file_parse(arena, "again.onnx", bytes.data, bytes.size, &diag);
  REQUIRE(again && again->model->graph->n_node <= (size_t)made->nodes_after);
  REQUIRE(again->model->graph->n_output == file->model->graph->n_output);
  check_optimized(arena, again, rounds - 1);
  REQUIRE(diag.errors == 0);
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
    check_optimized(arena, file, 1);
  }
  diag_print(&diag, out, false);
  fclose(out);
  arena_free(arena);
  return 0;
}
