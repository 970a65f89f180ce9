// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The hover text of a name: type, tier and cost of a value; for an operator, the output of `reshapec help`.
#include "driver/lsp/lsp.h"

#include "codegen/machine/report.h"
#include "driver/script/script.h"
#include "frontend/text/text_out.h"

#include <string.h>

typedef struct Card { // two texts: code, and prose
  const char *code, *prose;
} Card;

// "static, 602112 bytes moved: slice and transpose change the order ..."
static const char *cost_of(Arena *arena, const Plan *plan, const OutputPlan *output) {
  const char *why = output->why ? output->why : "", *colon = *why ? ": " : "";
  rsh_num bytes;
  if (output->tier == TIER_ALIAS)
    return output->source ? arena_printf(arena, "alias of %s from element %s on, 0 bytes moved%s%s",
                                         output->source->name,
                                         num_text(arena, plan->graph, output->offset), colon, why)
                          : arena_printf(arena, "alias, without elements, 0 bytes moved");
  bool is_counted = report_bytes_moved(plan->graph, output, &bytes);
  return arena_printf(arena, "%s, %s bytes moved%s%s", tier_name(output->tier),
                      is_counted ? num_text(arena, plan->graph, bytes) : "an unknown number of",
                      colon, why);
}

static Card value_card(Request *r, const Entity *entity) {
  const Shown *shown = analysis_shown(r->analysis, entity);
  const char *type = shown ? shown_type(r->arena, shown) : NULL;
  Card card = {.prose = "the compiler stopped before this value", .code = entity->name};
  if (!shown)
    return card;
  const Plan *plan;
  const OutputPlan *output = analysis_output(r->analysis, entity->graph, entity->name, &plan);
  card.code = arena_printf(r->arena, "%s: %s", entity->name, type);
  card.prose = "";
  if (output)
    card.prose = cost_of(r->arena, plan, output);
  else if ((output = analysis_output_alone(r->analysis, r->arena, entity, &plan)))
    card.prose = arena_printf(r->arena, "if it were a result: %s", cost_of(r->arena, plan, output));
  return card;
}

static Card input_card(Request *r, const Entity *entity) {
  const Shown *shown = analysis_shown(r->analysis, entity);
  const char *type = shown ? shown_type(r->arena, shown) : "?";
  return (Card){arena_printf(r->arena, "%s: %s", entity->name, type),
                arena_printf(r->arena, "input of %s", entity->graph->name)};
}

static void look_for_name(void *of, const Expr *e) {
  const char **name = of;
  if (e->kind == EXPR_NAME && *name && strcmp(e->name, *name) == 0)
    *name = NULL; // found
}

// A size, with the conditions on it.
static Card size_card(Request *r, const Entity *entity) {
  const AstGraph *graph = entity->graph;
  const char *text = "";
  for (int i = 0; i < graph->where_count; i++) {
    const char *name = entity->name;
    expr_visit(graph->where[i].left, look_for_name, &name);
    expr_visit(graph->where[i].right, look_for_name, &name);
    if (!name)
      text = arena_printf(r->arena, "%s%s%s", text, *text ? ", " : "; where ",
                          analysis_text(r->analysis, r->arena, graph->where[i].span));
  }
  return (Card){entity->name, arena_printf(r->arena, "a size known at run time%s", text)};
}

// The header of a graph, and a line per result.
static Card graph_card(Request *r, const Entity *entity) {
  const AstGraph *graph = entity->graph;
  const char *prose = "";
  for (int i = 0; i < graph->result_count; i++) {
    const Plan *plan;
    const OutputPlan *output = analysis_output(r->analysis, graph, graph->result[i].name, &plan);
    if (output)
      prose = arena_printf(r->arena, "%s%s%s: %s", prose, *prose ? "\n" : "", graph->result[i].name,
                           cost_of(r->arena, plan, output));
  }
  return (Card){analysis_header(r->analysis, r->arena, graph), prose};
}

static Card entity_card(Request *r, const Entity *entity) {
  switch (entity->kind) {
  case ENTITY_GRAPH:
    return graph_card(r, entity);
  case ENTITY_INPUT:
    return input_card(r, entity);
  case ENTITY_SIZE:
    return size_card(r, entity);
  case ENTITY_VALUE:
    return value_card(r, entity);
  case ENTITY_VARIABLE:
    break;
  }
  return (Card){entity->name, "a value of the script: its type is that of the data, when it runs"};
}

// The result of the call here, and the operator's help.
static Card operator_card(Request *r, const Expr *call) {
  Shown shown;
  TextOut text;
  FILE *out = text_out_begin(&text);
  bool is_known = analysis_result(r->analysis, call, &shown) != NULL;
  print_op_help(r->arena, call->call.callee, out);
  Card card = {.prose = text_out_end(&text, r->arena, NULL)};
  card.code =
      is_known ? arena_printf(r->arena, "%s -> %s", call->call.callee, shown_type(r->arena, &shown))
               : call->call.callee;
  return card;
}

static Card function_card(const Expr *call) {
  const ScriptFunction *function = script_function(call->call.callee);
  return function ? (Card){function->shown, function->help} : (Card){NULL, NULL};
}

static json_t *card_json(Request *r, Card card, Span span) {
  bool is_marked = r->server->client.has_markdown;
  const char *gap = *card.prose ? "\n" : "";
  const char *text =
      is_marked && *card.prose
          ? arena_printf(r->arena, "```rsh\n%s\n```\n```text\n%s%s```\n", card.code, card.prose,
                         card.prose[strlen(card.prose) - 1] == '\n' ? "" : "\n")
      : is_marked ? arena_printf(r->arena, "```rsh\n%s\n```\n", card.code)
                  : arena_printf(r->arena, "%s%s%s", card.code, gap, card.prose);
  return json_pack("{s:{s:s, s:o}, s:o}", "contents", "kind", is_marked ? "markdown" : "plaintext",
                   "value", text_json(text), "range", lines_range(&r->analysis->lines, span));
}

json_t *lsp_hover(Request *r) {
  const Analysis *a = r->analysis;
  const Mention *mention = names_at(&a->names, r->at);
  if (mention && analysis_is_own(a, mention->span))
    return card_json(r, entity_card(r, &a->names.entity.item[mention->entity]), mention->span);
  const Expr *call = call_at(a->p.ast, r->at);
  if (!call || !analysis_is_own(a, call->call.callee_span))
    return json_null();
  Card card = is_operator(call->call.callee) ? operator_card(r, call) : function_card(call);
  return card.code ? card_json(r, card, call->call.callee_span) : json_null();
}
