// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes of a program that are computed from others but are not polynomials in them. Graphs without such sizes do not
// link this file.
#include "runtime/program_internal.h"

// Loads one size, as graph_edges() describes it (frontend/graph/graph.h).
static rsh_status load_edge(Program *p, int32_t i) {
  const int64_t *of = rsh_program_size_words(p, i), *word = p->tape + of[2];
  rsh_edge_kind kind = (rsh_edge_kind)(RSH_SIZE_EDGE - of[1]);
  int64_t at, size, least;
  if (!rsh_program_number(p, &word, &at) || !rsh_program_number(p, &word, &size) ||
      !rsh_program_number(p, &word, &least))
    return RSH_overflow;
  rsh_status status = rsh_edge(kind, at, size, least, &at);
  rsh_program_set_size(p, i, at);
  return status;
}

// Loads the edges among the first `count` sizes.
static rsh_status load_edges(Program *p, int32_t count) {
  rsh_status status = RSH_ok;
  for (int32_t i = 0; i < count && status == RSH_ok; i++)
    if (rsh_program_size_words(p, i)[1] <= RSH_SIZE_EDGE)
      status = load_edge(p, i);
  return status;
}

const rsh_program_check rsh_program_edges = {load_edges};
