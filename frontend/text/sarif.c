// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// diag_print_sarif. It writes the parts of the standard (OASIS SARIF 2.1.0) that a reader of
// results needs:
//
//   run: tool.driver.rules        section 3.19.23   one per kind, in order of first use
//   result: level, message        section 3.27
//   location: physicalLocation    section 3.28      file and region; of a model only the file
#include "frontend/text/sarif.h"

#include "frontend/text/uri.h"
#include "runtime/status.h"

#include <jansson.h>
#include <string.h>

static const char schema[] =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

static json_t *region_of(const DiagShown *shown) {
  return json_pack("{s:i, s:i, s:i, s:i}", "startLine", (int)shown->begin.line, "startColumn",
                   (int)shown->begin.column, "endLine", (int)shown->end.line, "endColumn",
                   (int)shown->end.column);
}

static json_t *location_of(Arena *arena, const DiagShown *shown) {
  json_t *physical = json_pack("{s:{s:s}}", "artifactLocation", "uri", uri_of_path(arena, shown->file));
  if (shown->has_place)
    json_object_set_new(physical, "region", region_of(shown));
  return json_pack("{s:o}", "physicalLocation", physical);
}

// The text of --list-statuses for this kind, if it names a status.
static const char *description_of(const char *kind) {
  for (int s = 0; s < RSH_STATUS_COUNT; s++)
    if (strcmp(rsh_status_name((rsh_status)s), kind) == 0)
      return rsh_status_string((rsh_status)s);
  return NULL;
}

// The index of the rule of this kind; adds the rule if it is new.
static int rule_of(json_t *rules, const char *kind) {
  int count = (int)json_array_size(rules);
  for (int i = 0; i < count; i++)
    if (strcmp(json_string_value(json_object_get(json_array_get(rules, (size_t)i), "id")), kind) ==
        0)
      return i;
  json_t *rule = json_pack("{s:s}", "id", kind);
  const char *description = description_of(kind);
  if (description)
    json_object_set_new(rule, "shortDescription", json_pack("{s:s}", "text", description));
  json_array_append_new(rules, rule);
  return count;
}

static json_t *result_of(Arena *arena, const Diagnostic *d, const DiagShown *shown, int rule) {
  return json_pack("{s:s, s:i, s:s, s:{s:s}, s:[o]}", "ruleId", d->kind, "ruleIndex", rule, "level",
                   d->severity == SEVERITY_ERROR ? "error" : "warning", "message", "text",
                   shown->message, "locations", location_of(arena, shown));
}

// Adds a note to the preceding result.
static void add_note(Arena *arena, json_t *results, const DiagShown *shown) {
  json_t *result = json_array_get(results, json_array_size(results) - 1);
  json_t *location = location_of(arena, shown);
  json_object_set_new(location, "message", json_pack("{s:s}", "text", shown->message));
  json_t *related = json_object_get(result, "relatedLocations");
  if (related)
    json_array_append_new(related, location);
  else
    json_object_set_new(result, "relatedLocations", json_pack("[o]", location));
}

void diag_print_sarif(const Diag *diag, const char *version, FILE *out) {
  json_t *rules = json_array(), *results = json_array();
  for (int i = 0; i < diag->list.count; i++) {
    const Diagnostic *d = &diag->list.item[i];
    DiagShown shown = diag_shown(diag, d);
    if (d->severity != SEVERITY_NOTE)
      json_array_append_new(results, result_of(diag->arena, d, &shown, rule_of(rules, d->kind)));
    else if (json_array_size(results) > 0)
      add_note(diag->arena, results, &shown);
  }
  json_t *run = json_pack("{s:{s:{s:s, s:s, s:o}}, s:s, s:o}", "tool", "driver", "name", "reshapec",
                          "version", version, "rules", rules, "columnKind", "unicodeCodePoints",
                          "results", results);
  if (diag->errors > DIAG_LIMIT) {
    const char *more = arena_printf(
        diag->arena, "and %s", arena_count(diag->arena, diag->errors - DIAG_LIMIT, "more error"));
    json_object_set_new(run, "invocations",
                        json_pack("[{s:b, s:[{s:s, s:{s:s}}]}]", "executionSuccessful", true,
                                  "toolExecutionNotifications", "level", "note", "message", "text",
                                  more));
  }
  json_t *root = json_pack("{s:s, s:s, s:[o]}", "$schema", schema, "version", "2.1.0", "runs", run);
  json_dumpf(root, out, JSON_INDENT(2));
  putc('\n', out);
  json_decref(root);
}
