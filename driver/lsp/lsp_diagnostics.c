// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiler messages as LSP diagnostics. Errors in an imported file are reported at its import:
//
//   import "heads.rsh"     heads.rsh:3:9: no operator or graph is called 'transpos'; did you mean 'transpose'?
#include "driver/lsp/lsp.h"

#include "frontend/text/uri.h"

#include <string.h>

enum { SEVERITY_OF_LSP_ERROR = 1, SEVERITY_OF_LSP_WARNING, SEVERITY_OF_LSP_INFORMATION };
enum { TAG_UNNECESSARY = 1 };

// The import in the text that leads to an offset in another file: sources are listed in the order of imports.
static Span import_span(const Analysis *a, uint32_t offset) {
  const Ast *ast = a->p.ast;
  Span span = ast->import_count > 0 ? ast->import[0].span : (Span){0, 0};
  for (int i = 0; i < ast->import_count; i++) {
    const char *path = path_plain(a->arena, source_path(a->arena, a->source, ast->import[i].path));
    for (const Source *source = a->source->next; source && source->begin <= offset;
         source = source->next)
      if (strcmp(path, source->name) == 0)
        span = ast->import[i].span;
  }
  return span;
}

// The span in the text itself that a diagnostic belongs to: its own, or that of the import that leads to it.
static Span diagnostic_span(const Analysis *a, const Diagnostic *d) {
  if (!d->has_span)
    return (Span){0, 0};
  return analysis_is_own(a, d->span) ? d->span : import_span(a, d->span.begin);
}

static json_t *diagnostic_of(Request *r, const Diagnostic *d, int severity) {
  const Analysis *a = r->analysis;
  DiagShown shown = diag_shown(&a->p.diag, d);
  const char *message = shown.message;
  if (d->has_span && !analysis_is_own(a, d->span)) {
    const char *slash = strrchr(shown.file, '/');
    message = arena_printf(r->arena, "%s:%u:%u: %s", slash ? slash + 1 : shown.file,
                           (unsigned)shown.begin.line, (unsigned)shown.begin.column, message);
  }
  json_t *all = json_pack("{s:o, s:i, s:s, s:s, s:o}", "range",
                          lines_range(&a->lines, diagnostic_span(a, d)), "severity", severity,
                          "code", d->kind, "source", "reshapec", "message", text_json(message));
  if (strcmp(d->kind, "unused_value") == 0 && r->server->client.has_tags)
    json_object_set_new(all, "tags", json_pack("[i]", TAG_UNNECESSARY));
  return all;
}

static void add_related(Request *r, json_t *diagnostic, const Diagnostic *d) {
  json_t *all = json_object_get(diagnostic, "relatedInformation");
  if (!all) {
    all = json_array();
    json_object_set_new(diagnostic, "relatedInformation", all);
  }
  json_array_append_new(all,
                        json_pack("{s:o, s:s}", "location", location_of(r, r->analysis, d->span),
                                  "message", diag_shown(&r->analysis->p.diag, d).message));
}

static json_t *diagnostics_of(Request *r) {
  const Diag *diag = &r->analysis->p.diag;
  json_t *all = json_array(), *last = NULL;
  for (int i = 0; i < diag->list.count; i++) {
    const Diagnostic *d = &diag->list.item[i];
    bool is_note = d->severity == SEVERITY_NOTE;
    if (is_note && last && d->has_span && r->server->client.has_related) {
      add_related(r, last, d);
      continue;
    }
    int severity = is_note                           ? SEVERITY_OF_LSP_INFORMATION
                   : d->severity == SEVERITY_WARNING ? SEVERITY_OF_LSP_WARNING
                                                     : SEVERITY_OF_LSP_ERROR;
    json_t *one = diagnostic_of(r, d, severity);
    json_array_append_new(all, one);
    last = is_note ? last : one;
  }
  if (diag->errors > DIAG_LIMIT) {
    const char *more = arena_printf(r->arena, "and %s",
                                    arena_count(r->arena, diag->errors - DIAG_LIMIT, "more error"));
    Diagnostic d = {.severity = SEVERITY_NOTE, .kind = "note", .message = more};
    json_array_append_new(all, diagnostic_of(r, &d, SEVERITY_OF_LSP_INFORMATION));
  }
  return all;
}

void diagnostics_send(Server *server) {
  for (Document *d = server->documents; d && server->state == LSP_RUNNING; d = d->hh.next) {
    if (d->is_told)
      continue;
    Request r = {.server = server, .arena = arena_new(), .document = d};
    r.analysis = document_analysis(server, d);
    diagnostics_publish(server, d->uri, &d->version, diagnostics_of(&r));
    d->is_told = true;
    arena_free(r.arena);
  }
}
