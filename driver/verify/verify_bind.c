// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/verify/verify_bind.h"

#include "frontend/lower/lower.h"
#include "frontend/onnx/onnx.h"

#include <string.h>

// ---- text ----

static Expr *number(Arena *arena, const Expr *in_place_of, int64_t n) {
  Expr *e = ARENA_NEW(arena, Expr);
  *e = (Expr){.kind = EXPR_INT, .depth = 1, .span = in_place_of->span};
  e->integer = n;
  e->is_size = !in_place_of->is_data;
  return e;
}

// The symbol for a name or a `?`; -1: none.
static int symbol_of(const Graph *graph, const Expr *e) {
  for (int i = 0; i < graph->symbol.count; i++) {
    const Symbol *s = &graph->symbol.item[i];
    if (symbol_is_parameter(s) && (e->kind == EXPR_NAME ? s->name && strcmp(s->name, e->name) == 0
                                                        : s->span.begin == e->span.begin))
      return i;
  }
  return -1;
}

static Expr *bind(const Map *map, const Expr *e);

static Expr **bind_list(const Map *map, Expr *const *item, int count) {
  Expr **list = ARENA_ARRAY(map->arena, Expr *, count + 1);
  for (int i = 0; i < count; i++)
    list[i] = bind(map, item[i]);
  return list;
}

static void bind_call(const Map *map, Expr *e) {
  Arg *arg = ARENA_ARRAY(map->arena, Arg, e->call.count + 1);
  for (int i = 0; i < e->call.count; i++) {
    arg[i] = e->call.arg[i];
    arg[i].value = bind(map, arg[i].value);
  }
  e->call.arg = arg;
}

static void bind_index(const Map *map, Expr *e) {
  Subscript *item = ARENA_ARRAY(map->arena, Subscript, e->index.count + 1);
  for (int i = 0; i < e->index.count; i++) {
    item[i] = e->index.item[i];
    item[i].start = bind(map, item[i].start);
    item[i].stop = bind(map, item[i].stop);
    item[i].step = bind(map, item[i].step);
  }
  e->index.subject = bind(map, e->index.subject);
  e->index.item = item;
}

// A copy with numbers instead of symbols. The recursion is as deep as the parser allows trees to
// be.
static Expr *bind(const Map *map, const Expr *e) {
  if (!e)
    return NULL;
  Expr *copy = ARENA_NEW(map->arena, Expr);
  *copy = *e;
  switch (e->kind) {
  case EXPR_NAME:
  case EXPR_UNKNOWN: {
    int i = symbol_of(map->graph, e);
    return i < 0 ? copy : number(map->arena, e, map->symbol[i]);
  }
  case EXPR_LIST:
  case EXPR_TUPLE:
    copy->list.item = bind_list(map, e->list.item, e->list.count);
    return copy;
  case EXPR_NEGATE:
  case EXPR_INVERT:
  case EXPR_BINARY:
    copy->binary.left = bind(map, e->binary.left);
    copy->binary.right = bind(map, e->binary.right);
    return copy;
  case EXPR_CALL:
    bind_call(map, copy);
    return copy;
  case EXPR_PIPE:
    copy->pipe.first = bind(map, e->pipe.first);
    copy->pipe.stage = bind_list(map, e->pipe.stage, e->pipe.count);
    return copy;
  case EXPR_INDEX:
    bind_index(map, copy);
    return copy;
  case EXPR_COMPARE:
    copy->compare.left = bind(map, e->compare.left);
    copy->compare.right = bind(map, e->compare.right);
    return copy;
  case EXPR_INT:
  case EXPR_LARGE:
  case EXPR_FLOAT:
  case EXPR_STRING:
  case EXPR_STAR:
    return copy;
  }
  return copy;
}

static void bind_type(const Map *map, AstType *type) {
  type->dim = bind_list(map, type->dim, type->dim_count);
  type->strides = bind(map, type->strides);
}

static AstValue *bind_types(const Map *map, const AstValue *value, int count, bool are_inputs) {
  AstValue *copy = ARENA_ARRAY(map->arena, AstValue, count + 1);
  for (int i = 0; i < count; i++) {
    copy[i] = value[i];
    AstType *type = &copy[i].type;
    bind_type(map, type);
    if (!are_inputs || type->dim_count != 1 || type->dim[0]->kind != EXPR_STAR)
      continue;
    const rsh_shape *shape = &map->in_shape[i]; // open rank: use this shape
    const Expr *star = type->dim[0];
    type->dim_count = shape->rank;
    type->dim = ARENA_ARRAY(map->arena, Expr *, shape->rank + 1);
    for (int k = 0; k < shape->rank; k++)
      type->dim[k] = number(map->arena, star, shape->dim[k].n);
  }
  return copy;
}

static Statement bind_statement(const Map *map, const Statement *statement) {
  Statement copy = *statement;
  copy.value = bind(map, statement->value);
  copy.target = ARENA_ARRAY(map->arena, struct StatementTarget, copy.target_count);
  for (int i = 0; i < copy.target_count; i++) {
    copy.target[i] = statement->target[i];
    bind_type(map, &copy.target[i].type);
  }
  return copy;
}

// Conditions are omitted: the caller has checked them.
static AstGraph bind_graph(const Map *map) {
  const AstGraph *ast = map->graph->ast;
  AstGraph copy = *ast;
  copy.where_count = 0;
  copy.input = bind_types(map, ast->input, ast->input_count, true);
  copy.result = bind_types(map, ast->result, ast->result_count, false);
  copy.statement = ARENA_ARRAY(map->arena, Statement, ast->statement_count + 1);
  for (int i = 0; i < ast->statement_count; i++)
    copy.statement[i] = bind_statement(map, &ast->statement[i]);
  return copy;
}

typedef struct Called {
  const char *name;
  bool is_found;
} Called;

static void look_for_call(void *of, const Expr *e) {
  Called *called = of;
  called->is_found =
      called->is_found || (e->kind == EXPR_CALL && strcmp(e->call.callee, called->name) == 0);
}

// True if a graph calls another one: anywhere, also in a piped or indexed expression or in an argument.
static bool graph_calls(const AstGraph *graph, const char *name) {
  Called called = {.name = name};
  for (int i = 0; i < graph->statement_count; i++)
    expr_visit(graph->statement[i].value, look_for_call, &called);
  return called.is_found;
}

// The graph, and before it the graphs above it that it calls, directly or indirectly.
static Ast *needed(const Map *map, const Ast *ast) {
  Ast *some = ARENA_NEW(map->arena, Ast);
  int at = ast->graph_count - 1, count = 0;
  AstGraph *list = ARENA_ARRAY(map->arena, AstGraph, ast->graph_count + 1);
  while (at >= 0 && &ast->graph[at] != map->graph->ast)
    at--;
  list[count++] = bind_graph(map);
  for (at--; at >= 0; at--)
    for (int i = 0; i < count; i++)
      if (graph_calls(&list[i], ast->graph[at].name)) {
        list[count] = ast->graph[at];
        list[count++].is_imported = true; // only called, not compiled
        break;
      }
  some->graph = ARENA_ARRAY(map->arena, AstGraph, count);
  some->graph_count = count;
  for (int i = 0; i < count; i++)
    some->graph[i] = list[count - 1 - i];
  return some;
}

// ---- models ----

#define COPY(arena, Type, from) memcpy(ARENA_NEW((arena), Type), (from), sizeof(Type))

// The value of the symbol that has the dimension's name in the model. The symbols of dimensions without a name have
// their order; *unnamed counts those before this one.
static int64_t size_of_dim(const Map *map, const Onnx__TensorShapeProto__Dimension *dim,
                           int *unnamed, int64_t otherwise) {
  const char *name = onnx_size_name(dim);
  int skipped = name ? 0 : (*unnamed)++;
  for (int i = 0; i < map->graph->symbol.count; i++) {
    const Symbol *symbol = &map->graph->symbol.item[i];
    bool has_name = symbol->given != NULL;
    bool is_alike = symbol_is_parameter(symbol) && has_name == (name != NULL) &&
                    (!name || strcmp(symbol->given, name) == 0);
    if (is_alike && skipped-- == 0)
      return map->symbol[i];
  }
  return otherwise;
}

static Onnx__TensorShapeProto *bind_shape(const Map *map, const Onnx__TensorShapeProto *shape,
                                          const Tensor *t, int *unnamed) {
  static const Onnx__TensorShapeProto__Dimension no_dim = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__INIT;
  Onnx__TensorShapeProto *copy = ARENA_NEW(map->arena, Onnx__TensorShapeProto);
  *copy = (Onnx__TensorShapeProto)ONNX__TENSOR_SHAPE_PROTO__INIT;
  copy->n_dim = (size_t)t->rank;
  copy->dim = ARENA_ARRAY(map->arena, Onnx__TensorShapeProto__Dimension *, t->rank + 1);
  for (size_t k = 0; k < copy->n_dim; k++) {
    const Onnx__TensorShapeProto__Dimension *dim = shape ? shape->dim[k] : &no_dim;
    int64_t size = !shape                     ? t->dim[k]
                   : onnx_size_is_number(dim) ? dim->dim_value
                                              : size_of_dim(map, dim, unnamed, t->dim[k]);
    copy->dim[k] = COPY(map->arena, Onnx__TensorShapeProto__Dimension, dim);
    copy->dim[k]->value_case = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE;
    copy->dim[k]->dim_value = size;
  }
  return copy;
}

static Onnx__ValueInfoProto *bind_info(const Map *map, const Onnx__ValueInfoProto *info,
                                       const Tensor *t, int *unnamed) {
  Onnx__ValueInfoProto *copy = COPY(map->arena, Onnx__ValueInfoProto, info);
  copy->type = COPY(map->arena, Onnx__TypeProto, info->type);
  Onnx__TypeProto__Tensor *tensor = copy->type->tensor_type =
      COPY(map->arena, Onnx__TypeProto__Tensor, info->type->tensor_type);
  tensor->shape = bind_shape(map, tensor->shape, t, unnamed);
  return copy;
}

static const Tensor *input_named(const Map *map, const char *name) {
  for (int i = 0; i < map->graph->input_count; i++)
    if (name && strcmp(map->graph->value.item[i]->name, name) == 0)
      return &map->value[i];
  return NULL;
}

static const OnnxFile *bind_model(const Map *map, const OnnxFile *file) {
  OnnxFile *copy = COPY(map->arena, OnnxFile, file);
  Onnx__ModelProto *model = COPY(map->arena, Onnx__ModelProto, file->model);
  Onnx__GraphProto *graph = model->graph = COPY(map->arena, Onnx__GraphProto, file->model->graph);
  graph->input = ARENA_ARRAY(map->arena, Onnx__ValueInfoProto *, graph->n_input + 1);
  int unnamed = 0;
  for (size_t i = 0; i < graph->n_input; i++) {
    Onnx__ValueInfoProto *info = file->model->graph->input[i];
    const Tensor *t = input_named(map, info->name);
    graph->input[i] = t ? bind_info(map, info, t, &unnamed) : info;
  }
  copy->model = model;
  return copy;
}

// ---- both ----

// The first error that is a status of a call. `unsupported` is not one.
static Bound why_not_bound(const Diag *diag, rsh_status *status) {
  for (int i = 0; i < diag->list.count; i++)
    for (int k = 1; k < RSH_STATUS_COUNT && diag->list.item[i].severity == SEVERITY_ERROR; k++)
      if (k != RSH_unsupported &&
          strcmp(diag->list.item[i].kind, rsh_status_name((rsh_status)k)) == 0) {
        *status = (rsh_status)k;
        return REFUSED;
      }
  return UNEXPRESSED;
}

Bound verify_bind(const Written *written, const Map *map, const Graph **bound, rsh_status *status) {
  Diag diag = {.arena = map->arena, .file = "sizes", .source = written->source};
  const Module *module = written->ast
                             ? lower_module(map->arena, needed(map, written->ast), &diag)
                             : onnx_lower(map->arena, bind_model(map, written->model), &diag);
  if (module->graph_count != 1)
    return why_not_bound(&diag, status);
  *bound = module->graph[0];
  return BOUND;
}
