// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signature help: finds the call and the argument at the cursor.
#include "driver/lsp/lsp_call.h"

#include "driver/lsp/lsp.h"
#include "driver/script/script.h"
#include "grammar/parser.h"

#include <string.h>

static int kind_at(const Analysis *a, int i) { return i >= 0 ? a->word.item[i].kind : 0; }

// The previous token that is not an end of line.
static int previous(const Analysis *a, int i) {
  do
    i--;
  while (i >= 0 && kind_at(a, i) == RS_EOL);
  return i;
}

static void read_callee(const Analysis *a, Arena *arena, int bracket, OpenCall *out) {
  int first = bracket - 1;
  while (kind_at(a, first - 1) == '.' && rs_is_name(kind_at(a, first - 2)))
    first -= 2;
  Span span = span_join(a->word.item[first].span, a->word.item[bracket - 1].span);
  out->name = analysis_text(a, arena, span);
  out->is_piped = kind_at(a, previous(a, first)) == RS_THEN;
}

bool call_open_at(const Analysis *a, Arena *arena, uint32_t offset, OpenCall *out) {
  *out = (OpenCall){.name = NULL};
  int depth = 0;
  for (int i = analysis_word_before(a, offset); i >= 0; i--) {
    int kind = a->word.item[i].kind;
    bool is_first = depth == 0 && out->position == 0;
    if (kind == RS_GRAPH || kind == '{' || kind == '}' || kind == RS_ARROW)
      return false;
    if (kind == ')' || kind == ']') {
      depth++;
    } else if (kind == '(' && depth == 0) {
      if (!rs_is_name(kind_at(a, i - 1)))
        return false; // a tuple
      read_callee(a, arena, i, out);
      return kind_at(a, i - 2) != RS_GRAPH;
    } else if (kind == '[' && depth == 0) {
      *out = (OpenCall){.name = NULL}; // a list in an argument: its commas do not count
    } else if (kind == '(' || kind == '[') {
      depth--;
    } else if (kind == ',' && depth == 0) {
      out->position++;
    } else if (kind == '=' && is_first && rs_is_name(kind_at(a, i - 1))) {
      out->argument = analysis_text(a, arena, a->word.item[i - 1].span);
    }
  }
  return false;
}

// ---- signatures

typedef struct Parts {
  const char *label;
  json_t *parameters;
  int count, more; // more: the parameter that repeats, or -1
} Parts;

// Parameters are the parts between the parentheses, split at commas that are not nested.
static Parts label_parts(const char *label) {
  Parts s = {.label = label, .parameters = json_array(), .more = -1};
  const char *at = strchr(label, '(');
  while (at && (*at == '(' || *at == ',')) {
    const char *begin = at + 1 + (at[1] == ' ');
    int depth = 0;
    for (at = begin; *at && (depth > 0 || (*at != ',' && *at != ')')); at++)
      depth += (*at == '[' || *at == '(') - (*at == ']' || *at == ')');
    if (at == begin)
      break;
    if (at - begin == 3 && memcmp(begin, "...", 3) == 0)
      s.more = s.count;
    json_array_append_new(
        s.parameters, json_pack("{s:[i, i]}", "label", (int)(begin - label), (int)(at - label)));
    s.count++;
  }
  return s;
}

// True if parameter i has this name: "axis" of "[axis]", "x" of "x: f32[2]".
static bool is_called(const Parts *s, int i, const char *name) {
  const json_t *label = json_object_get(json_array_get(s->parameters, (size_t)i), "label");
  const char *at = s->label + json_integer_value(json_array_get(label, 0));
  at += *at == '[';
  size_t length = strlen(name);
  return strncmp(at, name, length) == 0 && strchr("],:=)", at[length]);
}

static int active_parameter(const Parts *s, const OpenCall *open) {
  for (int i = 0; open->argument && i < s->count; i++)
    if (is_called(s, i, open->argument))
      return i;
  int position = open->position + open->is_piped;
  if (s->more >= 0 && position > s->more)
    position = s->more;
  return position;
}

json_t *lsp_signature_help(Request *r) {
  OpenCall open;
  const Ast *ast = r->analysis->p.ast;
  if (!call_open_at(r->analysis, r->arena, r->at, &open))
    return json_null();
  const char *label = op_signature(r->arena, open.name), *prose = NULL;
  for (int op = 0; op < RSH_OP_COUNT; op++)
    if (strcmp(rsh_op_name((rsh_op)op), open.name) == 0)
      prose = rsh_op_summary((rsh_op)op);
  for (int i = 0; i < ast->graph_count && !label; i++)
    if (strcmp(ast->graph[i].name, open.name) == 0)
      label = analysis_header(r->analysis, r->arena, &ast->graph[i]) + strlen("graph ");
  const ScriptFunction *function = label ? NULL : script_function(open.name);
  if (function) {
    label = function->shown;
    prose = function->help;
  }
  if (!label)
    return json_null();
  Parts s = label_parts(label);
  json_t *one = json_pack("{s:o, s:o}", "label", text_json(label), "parameters", s.parameters);
  if (prose)
    json_object_set_new(one, "documentation", json_string(prose));
  return json_pack("{s:[o], s:i, s:i}", "signatures", one, "activeSignature", 0, "activeParameter",
                   active_parameter(&s, &open));
}
