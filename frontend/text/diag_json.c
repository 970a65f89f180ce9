// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/text/diag.h"

#include "frontend/text/json_out.h"

static void put_entry(JsonOut *json, const char *file, Place place, Severity severity,
                      const char *kind, const char *message) {
  json_begin(json, NULL, '{');
  json_put_text(json, "file", file);
  json_put_int(json, "line", place.line);
  json_put_int(json, "column", place.column);
  json_put_text(json, "severity", diag_severity_name(severity));
  json_put_text(json, "kind", kind);
  json_put_text(json, "message", message);
  json_end(json, '}');
}

// A message about the whole file has line 0 and column 0.
void diag_print_json(const Diag *diag, FILE *out) {
  static const Place nowhere = {0, 0};
  JsonOut json = {.out = out};
  json_begin(&json, NULL, '{');
  json_begin(&json, "diagnostics", '[');
  for (int i = 0; i < diag->list.count; i++) {
    const Diagnostic *d = &diag->list.item[i];
    const DiagShown shown = diag_shown(diag, d);
    put_entry(&json, diag_file_text(diag, shown.file), shown.has_place ? shown.begin : nowhere,
              d->severity, d->kind, shown.message);
  }
  if (diag->errors > DIAG_LIMIT)
    put_entry(&json, diag_file_text(diag, diag->source ? diag->source->name : diag->file), nowhere,
              SEVERITY_NOTE, "note",
              arena_printf(diag->arena, "and %s",
                           arena_count(diag->arena, diag->errors - DIAG_LIMIT, "more error")));
  json_end(&json, ']');
  json_end(&json, '}');
  putc('\n', out);
}
