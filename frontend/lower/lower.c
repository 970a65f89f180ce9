// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules, graphs, statements, results and names. Graphs are lowered one after another; each has its own names,
// and may call those above it.
#include "frontend/lower/lower_internal.h"

#include <string.h>

// --- Statements

// y = x, and y = rearrange(x, ...) without effect: gives a value that already has a name a second one.
static Value *value_to_name(Lower *l, Value *value, const Statement *statement) {
  if (!value->name && value->node)
    return value;
  Value *named = apply_identity(l, value, statement->value->span);
  if (named && statement->value->kind == EXPR_NAME)
    place_rename(named, value);
  return named;
}

void lower_statement(Lower *l, const Statement *statement) {
  l->wanted = statement->target_count;
  Values values = lower_values(l, statement->value);
  if (values.count > 0 && values.count != statement->target_count) {
    lower_error(l, statement->target[0].span, "arity", "%d name%s for %d result%s",
                statement->target_count, statement->target_count == 1 ? "" : "s", values.count,
                values.count == 1 ? "" : "s");
    diag_note(l->diag, statement->value->span, "this gives %d result%s", values.count,
              values.count == 1 ? "" : "s");
    values.count = 0;
  }
  if (values.count == 0 && l->is_session) // names keep their values
    return;
  for (int i = 0; i < statement->target_count; i++) {
    const struct StatementTarget *target = &statement->target[i];
    bool is_dropped = strcmp(target->name, "_") == 0;
    Value *computed = values.count > 0 ? check_value_type(l, target, values.item[i]) : NULL;
    if (is_dropped && !target->is_view)
      continue;
    Name *name = is_dropped ? NULL : name_add(l, target->name, target->span);
    if (!name && !is_dropped)
      continue;
    if (name)
      name->kind = NAME_VALUE;
    if (!computed)
      continue;
    Value *value = value_to_name(l, computed, statement);
    if (!value)
      continue;
    value->name = target->name;
    value->span = target->span;
    if (target->is_view) { // otherwise, a called graph may require it
      value->is_view = true;
      value->view_span = target->view_span;
    }
    if (name)
      name->value = value;
  }
}

static void warn_unused(Lower *l) {
  for (const Name *name = l->names; name; name = name->hh.next)
    if (!l->failed && name->kind == NAME_VALUE && !name->used && name->text[0] != '_')
      diag_warning(l->diag, name->span, "unused_value",
                   "value '%s' is never used; begin its name with '_' if this is intended",
                   name->text);
}

// --- Results

static void lower_result(Lower *l, const AstValue *result, Output *output) {
  output->name = result->name;
  output->span = result->span;
  Name *name = name_find(l, result->name);
  if (!name || name->kind == NAME_SYMBOL) {
    lower_error(l, result->span, "undefined_result",
                "result '%s' is never assigned: write '%s = ...'", result->name, result->name);
    return;
  }
  if (name->kind == NAME_INPUT) {
    lower_error(l, result->span, "redefined", "result '%s' has the name of an input", result->name);
    diag_note(l->diag, name->span, "the input is declared here");
    return;
  }
  name->used = true;
  Value *value = name->value;
  if (!value) // poisoned
    return;
  const Span *given_away = place_given_away(value);
  if (given_away) {
    lower_error(l, result->span, "inplace_reuse",
                "result '%s' is read after 'inplace' overwrote it", result->name);
    diag_note(l->diag, *given_away, "'inplace' overwrites it here");
  }
  value = check_result_type(l, result, value, output) ? layout_result(l, result, value) : NULL;
  if (!value)
    return;
  if (result->is_view) {
    value->is_view = true;
    value->view_span = result->view_span;
  }
  if (result->type.is_placed)
    lower_error(l, result->type.placed_span, "not_placed",
                "only an input can be placed in a result");
  output->align = lower_align(l, &result->type, value->dtype);
  output->is_inplace = result->is_inplace;
  output->inplace_span = result->inplace_span;
  output->value = value;
}

static void lower_results(Lower *l, const AstGraph *ast) {
  Graph *graph = l->graph;
  graph->output_count = ast->result_count;
  graph->output = ARENA_ARRAY(l->arena, Output, ast->result_count);
  Name *seen = NULL; // results by name: one value cannot be two results
  for (int i = 0; i < ast->result_count; i++) {
    const AstValue *result = &ast->result[i];
    Name *first;
    HASH_FIND_STR(seen, result->name, first);
    if (first) {
      lower_error(l, result->span, "redefined", "two results have the name '%s'", result->name);
      diag_note(l->diag, first->span, "the first is here");
      continue;
    }
    first = ARENA_NEW(l->arena, Name);
    first->text = result->name;
    first->span = result->span;
    HASH_ADD_KEYPTR(hh, seen, first->text, strlen(first->text), first);
    lower_result(l, result, &graph->output[i]);
  }
  HASH_CLEAR(hh, seen);
}

// If an input has any rank, all tensors are DLTensors, which have their own strides.
static void refuse_strides(Lower *l, const AstType *type, const char *name) {
  if (type->strides)
    lower_error(l, type->strides->span, "bad_strides",
                "in a graph with an input of any rank, the strides of '%s' come from its DLTensor: "
                "leave them out",
                name);
}

static void check_strides(Lower *l, const AstGraph *ast) {
  for (int i = 0; i < ast->input_count && graph_takes_tensors(l->graph); i++)
    refuse_strides(l, &ast->input[i].type, ast->input[i].name);
  for (int i = 0; i < ast->result_count && graph_takes_tensors(l->graph); i++)
    refuse_strides(l, &ast->result[i].type, ast->result[i].name);
}

// --- Graphs

// Storage for polynomials; a graph whose sizes are all numbers needs none until a size is data.
static bool has_symbols(const AstGraph *ast) {
  for (int i = 0; i < ast->input_count; i++)
    for (int k = 0; k < ast->input[i].type.dim_count; k++)
      if (ast->input[i].type.dim[k]->kind != EXPR_INT)
        return true;
  return false;
}

static void lower_input(Lower *l, const AstValue *input) {
  Name *name = name_add(l, input->name, input->span);
  rsh_shape shape = {0};
  rsh_dtype dtype = RSH_DTYPE_NONE;
  rsh_num elements; // bytes are counted where memory is used: a reshape without a copy needs none
  if (name)
    name->kind = NAME_INPUT;
  if (!lower_input_type(l, &input->type, &dtype, &shape) || !name)
    return;
  if (rsh_volume(l->graph->symbols, &shape, &elements) == RSH_overflow) {
    Problem p = {0};
    problem_set(l, &p, input->type.span, "overflow", "'%s' has %s", input->name,
                overflow_text(l->arena, l->graph, &shape));
    VEC_PUSH(l->arena, l->after_where, p);
    return;
  }
  Value *stored = layout_input(l, input, dtype, &shape);
  name->value = stored && lod_declare(l, input, stored) ? stored : NULL;
}

// The first pass only checks that sizes of inputs are not negative, in their original form: conditions checked
// later, like `where`, imply none of these checks. False: this was that pass, or a layout divides a size, which has
// other atoms from the next pass on.
static bool lower_inputs(Lower *l, const AstGraph *ast) {
  l->stage = GUARD_SIZE;
  for (int i = 0; i < ast->input_count; i++)
    lower_input(l, &ast->input[i]);
  l->graph->input_count = l->graph->value.count;
  if (!l->known->checks_sizes)
    return !l->again;
  l->known->checks_sizes = l->again;
  l->known->sizes_are_checked = !l->again;
  l->again = true;
  return false;
}

static void lower_body(Lower *l, const AstGraph *ast) {
  layout_names(l);
  l->stage = GUARD_WHERE;
  lower_where(l, ast);
  for (int i = 0; i < l->after_where.count; i++)
    problem_report(l, &l->after_where.item[i]);
  l->stage = 0;
  for (int i = 0; i < ast->statement_count && !l->again; i++)
    lower_statement(l, &ast->statement[i]);
  if (!l->again) {
    lower_results(l, ast);
    check_strides(l, ast);
  }
  warn_unused(l);
}

// Starts a pass from the beginning, with the facts known so far.
static void lower_pass(Lower *l, const AstGraph *ast) {
  l->graph->name = ast->name;
  l->graph->span = ast->name_span;
  l->graph->ast = ast;
  known_apply(l);
  if (lower_inputs(l, ast))
    lower_body(l, ast);
  HASH_CLEAR(hh, l->names);
}

static void ast_pass(Lower *l, const void *ast) { lower_pass(l, ast); }

static bool has_found_guards(const Graph *graph) {
  for (int i = 0; i < graph->guard.count; i++)
    if (graph->guard.item[i].node >= 0)
      return true;
  return false;
}

// One more pass, with only the conditions in the text. All errors have already been reported.
static Graph *lower_plain(Arena *arena, Library *library, const Origin *origin, bool has_symbols,
                          Diag *diag) {
  Known known;
  const Library before = *library;
  const DiagMark mark = diag_mark(diag);
  known_start(arena, &known, has_symbols);
  known.checks_sizes = has_symbols && origin->checks_sizes;
  known.finds_nothing = true;
  Graph *graph = lower_known(arena, library, origin, diag, &known);
  diag_rewind(diag, mark);
  *library = before;
  return graph;
}

Graph *lower_origin(Arena *arena, Library *library, const Origin *origin, bool has_symbols,
                    Diag *diag) {
  Known known;
  known_start(arena, &known, has_symbols);
  known.checks_sizes = has_symbols && origin->checks_sizes;
  Graph *graph = lower_known(arena, library, origin, diag, &known);
  if (!graph)
    return NULL;
  Graph *plain = has_found_guards(graph) || graph_has_edges(graph)
                     ? lower_plain(arena, library, origin, has_symbols, diag)
                     : NULL;
  if (plain && graph_is_dynamic(graph))
    return plain;
  graph->plain = plain;
  lower_variants(arena, library, origin, diag, &known, graph);
  return graph;
}

// --- Modules

static ParamKind param_kind(const char *text, size_t length) {
  static const char *const kinds[] = {"int",    "bool", "text",    "dtype", "ints",  "data",
                                      "target", "name", "indices", "value", "values"};
  for (int i = 0; i <= PARAM_VALUES; i++)
    if (strlen(kinds[i]) == length && memcmp(kinds[i], text, length) == 0)
      return (ParamKind)i;
  abort(); // a kind in ops.def that is missing in its legend
}

// Parses "shape|output_shape:target special_zero:bool!".
int params_of(Arena *arena, rsh_op op, Param all[RSH_MAX_ARGS]) {
  const char *at = rsh_op_arguments(op);
  int count = 0;
  while (*at) {
    Param *param = &all[count++];
    *param = (Param){0};
    size_t length = strcspn(at, "|:");
    param->name = arena_text(arena, at, length);
    at += length;
    if (*at == '|') {
      length = strcspn(++at, ":");
      param->other = arena_text(arena, at, length);
      at += length;
    }
    length = strcspn(++at, " !");
    param->kind = param_kind(at, length);
    at += length;
    param->needed = *at == '!';
    param->required = param->needed && param->kind != PARAM_TARGET && param->kind != PARAM_BOOL;
    at += strcspn(at, " ");
    at += strspn(at, " ");
  }
  return count;
}

static OpEntry *ops_by_name(Arena *arena) {
  OpEntry *ops = NULL;
  for (int i = 0; i < RSH_OP_COUNT; i++) {
    OpEntry *entry = ARENA_NEW(arena, OpEntry);
    entry->op = (rsh_op)i;
    entry->name = rsh_op_name(entry->op);
    entry->param_count = params_of(arena, entry->op, entry->param);
    HASH_ADD_KEYPTR(hh, ops, entry->name, strlen(entry->name), entry);
  }
  return ops;
}

static Callee *callee_find(const Library *library, const char *name) {
  Callee *callee;
  HASH_FIND_STR(library->callees, name, callee);
  return callee;
}

// Adds the names of all graphs before any is lowered, to distinguish a call of a later graph from an unknown
// name. The first graph with a name gets it.
static void add_callees(Arena *arena, Library *library, const Ast *ast) {
  for (int i = 0; i < ast->graph_count; i++) {
    const AstGraph *graph = &ast->graph[i];
    if (callee_find(library, graph->name))
      continue;
    Callee *callee = ARENA_NEW(arena, Callee);
    callee->name = graph->name;
    callee->ast = graph;
    HASH_ADD_KEYPTR(hh, library->callees, callee->name, strlen(callee->name), callee);
  }
}

void library_start(Arena *arena, Library *library) {
  *library = (Library){.ops = ops_by_name(arena), .suggestions = 50};
}

void library_free(Library *library) {
  HASH_CLEAR(hh, library->callees);
  HASH_CLEAR(hh, library->ops);
}

void library_add(Arena *arena, Library *library, const Ast *ast, Module *module, Diag *diag) {
  add_callees(arena, library, ast);
  for (int i = 0; i < ast->graph_count; i++) {
    const AstGraph *of = &ast->graph[i];
    Callee *callee = callee_find(library, of->name);
    bool is_first = callee->ast == of;
    if (is_first) {
      callee->state = CALLEE_SELF;
    } else {
      diag_error(diag, of->name_span, "redefined", "graph '%s' is already defined", of->name);
      diag_note(diag, callee->ast->name_span, "the first is here");
    }
    Graph *graph =
        lower_origin(arena, library, &(Origin){.pass = ast_pass, .of = of, .checks_sizes = true},
                     has_symbols(of), diag);
    if (!is_first)
      continue;
    callee->state = graph ? CALLEE_READY : CALLEE_FAILED;
    callee->graph = graph;
    if (graph && !of->is_imported)
      module->graph[module->graph_count++] = graph;
    if (!graph && library->broken && module->broken && !of->is_imported)
      module->broken[module->broken_count++] = library->broken;
  }
}

Module *lower_module(Arena *arena, const Ast *ast, Diag *diag) {
  Library library;
  library_start(arena, &library);
  Module *module = ARENA_NEW(arena, Module);
  module->graph = ARENA_ARRAY(arena, Graph *, ast->graph_count);
  module->broken = ARENA_ARRAY(arena, const Graph *, ast->graph_count);
  library_add(arena, &library, ast, module, diag);
  library_free(&library);
  return module;
}
