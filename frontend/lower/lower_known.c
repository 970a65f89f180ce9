// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes of a graph: it is lowered again until a pass finds nothing new about its sizes.
#include "frontend/lower/lower_internal.h"

// Grows with every pass but the last.
static int learned(const Known *known) {
  return known->guard.count + known->edge_count + !known->checks_sizes;
}

static Graph *refuse_endless(const Graph *graph, Diag *diag) {
  diag_error(diag, graph->span, "internal",
             "the sizes of '%s' cannot be computed: the computation does not end", graph->name);
  return NULL;
}

Graph *lower_known(Arena *arena, Library *library, const Origin *origin, Diag *diag, Known *known) {
  const Library before = *library;
  const DiagMark mark = diag_mark(diag);
  Lower l;
  int known_before;
  do {
    diag_rewind(diag, mark);
    *library = before;
    library->broken = NULL;
    known_before = learned(known);
    l = (Lower){.arena = arena,
                .diag = diag,
                .library = library,
                .graph = ARENA_NEW(arena, Graph),
                .known = known};
    origin->pass(&l, origin->of);
  } while (l.again && learned(known) > known_before);
  if (l.again)
    return refuse_endless(l.graph, diag);
  counts_add(&l);
  library->broken = l.failed ? l.graph : NULL;
  return l.failed ? NULL : l.graph;
}

void known_start(Arena *arena, Known *known, bool has_symbols) {
  *known = (Known){0};
  if (has_symbols)
    facts_init(&known->facts, arena);
  for (int i = 0; i < RSH_MAX_SYMBOLS; i++)
    known->bound[i] = VARIANT_ANY;
}
