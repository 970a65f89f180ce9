// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes as an ONNX model. Anything that can be read gives a graph that can be printed, or messages; chains that are
// graphs, or say why not; an optimized model, which is valid and can be optimized again; and steps that only read
// earlier results, with parts that are models.
//
// RUN: %{python} -B %S/../model/Inputs/models.py %t.seeds
// RUN: %{cc} %{cflags} %s %S/Inputs/mutate.c -o %t %{libs}
// RUN: %t %{count:10000} %t.seeds/*
//
// What libFuzzer found in two million executions, starting only with those seeds:
//
// RUN: rm -rf %t.corpus && mkdir %t.corpus && tar -xzf %S/Inputs/onnx-corpus.tar.gz -C %t.corpus
// RUN: %t 0 %t.corpus/*
//
// `make fuzz ONLY=onnx` continues from these seeds and the corpus; a smaller corpus is made by
//
//   build/fuzz/work/targets/onnx -max_len=4096 -set_cover_merge=1 smaller seeds corpus
//   tar -C smaller --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -cf - . | gzip -9n
#include "Inputs/model.h"

#include "frontend/onnx/onnx_optimize.h"
#include "frontend/onnx/onnx_split.h"

#include <string.h>

// The parts in sequence.
static OnnxBytes whole(Arena *arena, const OutputPart *part, int count) {
  OnnxBytes all = {NULL, 0};
  for (int i = 0; i < count; i++)
    all.size += part[i].size;
  uint8_t *to = arena_alloc(arena, all.size + 1);
  all.data = to;
  for (int i = 0; i < count; i++) {
    memcpy(to, part[i].bytes, part[i].size);
    to += part[i].size;
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
  OnnxBytes bytes = whole(arena, made->last->part.item, made->last->part.count);
  const OnnxFile *again = onnx_file_parse(arena, "again.onnx", bytes.data, bytes.size, &diag);
  REQUIRE(again && again->model->graph->n_node <= (size_t)made->nodes_after);
  REQUIRE(again->model->graph->n_output == file->model->graph->n_output);
  check_optimized(arena, again, rounds - 1);
  REQUIRE(diag.errors == 0);
}

// Chains without a graph stay in the model.
static const Chains *settled_chains(Split *split, Diag *diag) {
  for (;;) {
    const Chains *chains = onnx_split_chains(split, diag);
    bool settled = true;
    for (int i = 0; i < chains->chain.count; i++)
      if (!chains->chain.item[i].graph) {
        onnx_split_keep(split, &chains->chain.item[i]);
        settled = false;
      }
    if (settled)
      return chains;
  }
}

static void check_split(Arena *arena, const OnnxFile *file) {
  Diag diag = {.arena = arena, .file = "fuzz.onnx"};
  Split *split = onnx_split(arena, file, &diag);
  REQUIRE((split == NULL) == (diag.errors > 0));
  if (!split)
    return;
  const SplitSteps *steps = onnx_split_steps(split, settled_chains(split, &diag));
  bool *given = ARENA_ARRAY(arena, bool, steps->tensor.count + 1);
  for (int i = 0; i < steps->input_count; i++)
    given[i] = true;
  for (int i = 0; i < steps->step.count; i++) {
    const SplitStep *step = &steps->step.item[i];
    for (int k = 0; k < step->in.count; k++)
      REQUIRE(given[step->in.item[k]]);
    for (int k = 0; k < step->out.count; k++) {
      REQUIRE(!given[step->out.item[k]]);
      given[step->out.item[k]] = true;
    }
    if (step->chain != NO_CHAIN)
      continue;
    OnnxBytes bytes = whole(arena, step->part.item, step->part.count);
    const OnnxFile *part = onnx_file_parse(arena, "part.onnx", bytes.data, bytes.size, &diag);
    REQUIRE(part && part->model->graph->n_node >= (size_t)step->nodes);
    REQUIRE(part->model->graph->n_output == (size_t)step->out.count);
  }
  for (int i = 0; i < steps->output.count; i++)
    REQUIRE(given[steps->output.item[i]]);
  onnx_split_end(split);
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
    check_split(arena, file);
  }
  diag_print(&diag, out, false);
  fclose(out);
  arena_free(arena);
  return 0;
}
