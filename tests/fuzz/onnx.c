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
// `make fuzz ONLY=onnx` goes on from these seeds and the corpus; a smaller corpus is made by
//
//   build/fuzz/work/targets/onnx -max_len=4096 -set_cover_merge=1 smaller seeds corpus
//   tar -C smaller --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -cf - . | gzip -9n
#include "Inputs/model.h"

#include "frontend/onnx/onnx_optimize.h"

#include <string.h>

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
    check_model(arena, file, &diag, out);
    check_optimized(arena, file, 1);
  }
  diag_print(&diag, out, false);
  fclose(out);
  arena_free(arena);
  return 0;
}
