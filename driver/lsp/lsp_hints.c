// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inlay hints: the type after each name that is assigned, and after each result without a written type.
//
//   graph g(x: u8[4, 6]) -> y {             graph g(x: u8[4, 6]) -> y: u8[6, 4] {
//       y = transpose(x)                        y: u8[6, 4] = transpose(x)
#include "driver/lsp/lsp.h"

#include <string.h>

enum { KIND_TYPE = 1 };

typedef struct Hints {
  Request *r;
  Span range;
  json_t *all;
} Hints;

static void add_hint(Hints *h, Span name, const Entity *entity) {
  const Shown *shown = entity ? analysis_shown(h->r->analysis, entity) : NULL;
  if (!shown || name.begin > h->range.end || name.end < h->range.begin)
    return;
  const char *label = arena_printf(h->r->arena, ": %s", shown_type(h->r->arena, shown));
  json_array_append_new(h->all, json_pack("{s:o, s:s, s:i}", "position",
                                          lines_position(&h->r->analysis->lines, name.end), "label",
                                          label, "kind", KIND_TYPE));
}

static bool has_type(const AstGraph *graph, uint32_t begin) {
  for (int i = 0; i < graph->result_count; i++)
    if (graph->result[i].span.begin == begin)
      return graph->result[i].type.dtype != NULL;
  return true; // not a result
}

json_t *lsp_inlay_hint(Request *r) {
  const Analysis *a = r->analysis;
  const json_t *range = json_object_get(r->params, "range");
  Hints h = {.r = r, .all = NULL};
  if (!lines_byte(&a->lines, json_object_get(range, "start"), &h.range.begin) ||
      !lines_byte(&a->lines, json_object_get(range, "end"), &h.range.end))
    return lsp_refuse(r, LSP_INVALID_PARAMS, "params.range has no start and end");
  h.all = json_array();
  for (int i = 0; i < a->names.mention.count; i++) {
    const Mention *m = &a->names.mention.item[i];
    const Entity *entity = &a->names.entity.item[m->entity];
    if (entity->kind == ENTITY_VALUE && analysis_is_own(a, m->span) &&
        (m->defines || !has_type(entity->graph, m->span.begin)))
      add_hint(&h, m->span, entity);
  }
  return h.all;
}
