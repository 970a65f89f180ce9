// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/text/diag.h"

#include <jansson.h>

static void append_json(json_t *list, const char *file, Place place, Severity severity,
                        const char *kind, const char *message) {
  json_t *entry = json_object();
  json_object_set_new(entry, "file", json_string(file));
  json_object_set_new(entry, "line", json_integer(place.line));
  json_object_set_new(entry, "column", json_integer(place.column));
  json_object_set_new(entry, "severity", json_string(diag_severity_name(severity)));
  json_object_set_new(entry, "kind", json_string(kind));
  json_object_set_new(entry, "message", json_string(message));
  json_array_append_new(list, entry);
}

// A message about the whole file has line 0 and column 0.
void diag_print_json(const Diag *diag, FILE *out) {
  static const Place nowhere = {0, 0};
  json_t *list = json_array();
  for (int i = 0; i < diag->list.count; i++) {
    const Diagnostic *d = &diag->list.item[i];
    const DiagShown shown = diag_shown(diag, d);
    append_json(list, diag_file_text(diag, shown.file), shown.has_place ? shown.begin : nowhere, d->severity, d->kind,
                shown.message);
  }
  if (diag->errors > DIAG_LIMIT)
    append_json(list, diag_file_text(diag, diag->source ? diag->source->name : diag->file), nowhere, SEVERITY_NOTE, "note",
                arena_printf(diag->arena, "and %s",
                             arena_count(diag->arena, diag->errors - DIAG_LIMIT, "more error")));
  json_t *root = json_object();
  json_object_set_new(root, "diagnostics", list);
  json_dumpf(root, out, JSON_INDENT(2));
  putc('\n', out);
  json_decref(root);
}
