// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definition, references, highlights and symbols of a text.
#include "driver/lsp/lsp.h"

#include "frontend/text/uri.h"

enum { HIGHLIGHT_READ = 2, HIGHLIGHT_WRITE = 3 };
enum { SYMBOL_FUNCTION = 12, SYMBOL_VARIABLE = 13 };

// If a variable is assigned several times, the last assignment before the place.
static Span definition_of(const Names *names, const Mention *mention) {
  Span span = names->entity.item[mention->entity].span;
  for (int i = 0; i < names->mention.count; i++) {
    const Mention *m = &names->mention.item[i];
    bool is_before = m->span.begin < mention->span.begin || m == mention;
    if (m->entity == mention->entity && m->defines && is_before)
      span = m->span;
  }
  return span;
}

// The file of an import at the place.
static json_t *imported_file(Request *r) {
  const Analysis *a = r->analysis;
  for (int i = 0; i < a->p.ast->import_count; i++) {
    const AstImport *import = &a->p.ast->import[i];
    if (r->at < import->path_span.begin || r->at > import->path_span.end)
      continue;
    const char *path = path_plain(r->arena, source_path(r->arena, a->source, import->path));
    const Document *document = document_of_path(r->server, path);
    return json_pack("{s:s, s:{s:{s:i, s:i}, s:{s:i, s:i}}}", "uri",
                     document ? document->uri : uri_of_path(r->arena, path), "range", "start",
                     "line", 0, "character", 0, "end", "line", 0, "character", 0);
  }
  return json_null();
}

json_t *lsp_definition(Request *r) {
  const Analysis *a = r->analysis;
  const Mention *mention = names_at(&a->names, r->at);
  return mention ? location_of(r, a, definition_of(&a->names, mention)) : imported_file(r);
}

json_t *lsp_references(Request *r) {
  const Analysis *a = r->analysis;
  const Mention *mention = names_at(&a->names, r->at);
  const json_t *context = json_object_get(r->params, "context");
  bool with_definition = json_is_true(json_object_get(context, "includeDeclaration"));
  if (!mention)
    return json_null();
  json_t *all = json_array();
  for (int i = 0; i < a->names.mention.count; i++) {
    const Mention *m = &a->names.mention.item[i];
    if (m->entity == mention->entity && (with_definition || !m->defines))
      json_array_append_new(all, location_of(r, a, m->span));
  }
  return all;
}

json_t *lsp_highlight(Request *r) {
  const Analysis *a = r->analysis;
  const Mention *mention = names_at(&a->names, r->at);
  if (!mention)
    return json_null();
  json_t *all = json_array();
  for (int i = 0; i < a->names.mention.count; i++) {
    const Mention *m = &a->names.mention.item[i];
    if (m->entity == mention->entity && analysis_is_own(a, m->span))
      json_array_append_new(all, json_pack("{s:o, s:i}", "range", lines_range(&a->lines, m->span),
                                           "kind", m->defines ? HIGHLIGHT_WRITE : HIGHLIGHT_READ));
  }
  return all;
}

static json_t *symbol(Request *r, const char *name, int kind, Span whole, Span of_name) {
  const Lines *lines = &r->analysis->lines;
  return json_pack("{s:s, s:i, s:o, s:o}", "name", name, "kind", kind, "range",
                   lines_range(lines, whole), "selectionRange", lines_range(lines, of_name));
}

static void add_symbols(Request *r, const Statement *statement, int count, json_t *all) {
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < statement[i].target_count; k++)
      json_array_append_new(all, symbol(r, statement[i].target[k].name, SYMBOL_VARIABLE,
                                        statement[i].span, statement[i].target[k].span));
    add_symbols(r, statement[i].body, statement[i].body_count, all);
  }
}

static json_t *symbols_in(Request *r, const Statement *statement, int count) {
  json_t *all = json_array();
  add_symbols(r, statement, count, all);
  return all;
}

json_t *lsp_document_symbol(Request *r) {
  const Ast *ast = r->analysis->p.ast;
  json_t *all = symbols_in(r, ast->statement, ast->statement_count);
  for (int i = 0; i < ast->graph_count; i++) {
    const AstGraph *graph = &ast->graph[i];
    if (graph->is_imported)
      continue;
    json_t *one = symbol(r, graph->name, SYMBOL_FUNCTION, graph->span, graph->name_span);
    json_object_set_new(one, "detail", text_json(analysis_header(r->analysis, r->arena, graph)));
    json_object_set_new(one, "children", symbols_in(r, graph->statement, graph->statement_count));
    json_array_append_new(all, one);
  }
  return all;
}
