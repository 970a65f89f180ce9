// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls the compiled graphs of attention.rsh on the tensors that make_data.py wrote, and compares the
// results with NumPy's.
#include "../common/example.h"
#include "attention.h"

#include <stdlib.h>

typedef struct {
  float *qkv, *q, *k, *v, *merged;
} Tensors;

static void run_split(void *context) {
  Tensors *t = context;
  split_heads(t->qkv, t->q, t->k, t->v);
}

static void run_merge(void *context) {
  Tensors *t = context;
  merge_heads(t->q, t->merged);
}

// One call computes all three results of split_heads, so they are timed together.
static float *joined(const float *q, const float *k, const float *v) {
  float *all = example_alloc(3 * SPLIT_HEADS_Q_BYTES);
  size_t n = SPLIT_HEADS_Q_BYTES / sizeof(float);
  for (size_t i = 0; i < n; i++) {
    all[i] = q[i];
    all[n + i] = k[i];
    all[2 * n + i] = v[i];
  }
  return all;
}

int main(int argc, char **argv) {
  const char *folder = argc > 1 ? argv[1] : ".";
  Tensors t;
  t.qkv = example_load(folder, "qkv", SPLIT_HEADS_QKV_BYTES);
  t.q = example_alloc(SPLIT_HEADS_Q_BYTES);
  t.k = example_alloc(SPLIT_HEADS_K_BYTES);
  t.v = example_alloc(SPLIT_HEADS_V_BYTES);
  t.merged = example_alloc(MERGE_HEADS_Y_BYTES);
  float *q = example_load(folder, "q", SPLIT_HEADS_Q_BYTES);
  float *k = example_load(folder, "k", SPLIT_HEADS_K_BYTES);
  float *v = example_load(folder, "v", SPLIT_HEADS_V_BYTES);
  float *merged = example_load(folder, "merged", MERGE_HEADS_Y_BYTES);

  run_split(&t);
  run_merge(&t);
  float *heads = joined(t.q, t.k, t.v), *expected = joined(q, k, v);
  int wrong = example_report("q, k, v", SPLIT_HEADS_Q_IS_ALIAS, heads, expected,
                             3 * SPLIT_HEADS_Q_BYTES, run_split, &t);
  wrong += example_report("merged", MERGE_HEADS_Y_IS_ALIAS, t.merged, merged, MERGE_HEADS_Y_BYTES,
                          run_merge, &t);
  wrong += example_report("rows", TOKEN_ROWS_ROWS_IS_ALIAS, token_rows_rows(t.merged), merged,
                          TOKEN_ROWS_ROWS_BYTES, NULL, NULL);
  free(t.qkv), free(t.q), free(t.k), free(t.v), free(t.merged);
  free(q), free(k), free(v), free(merged), free(heads), free(expected);
  return wrong != 0;
}
