// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes as a .rsh text. For everything that is read: positions are within the text, nodes know their depth, and a
// text without errors gives a tree that can be printed.
//
// RUN: %{cc} %{cflags} %s %S/Inputs/mutate.c -o %t %{libs}
// RUN: %t %{count:20000} %S/../driver/Inputs/*.rsh %S/../grammar/*.rsh
#include "Inputs/fuzz.h"

#include "grammar/parse.h"

#include <string.h>

static void check_span(const Source *source, Span span) {
  REQUIRE(span.begin <= span.end && span.end <= source->length);
}

static int check_list(const Source *source, Expr *const *item, int count);

// The depth, counted again.
static int check_expr(const Source *source, const Expr *expr) {
  int below = 0;
#define BELOW(depth)                                                                               \
  do {                                                                                             \
    int depth_ = (depth);                                                                          \
    below = depth_ > below ? depth_ : below;                                                       \
  } while (0)
  REQUIRE(expr && expr->depth <= EXPR_MAX_DEPTH);
  check_span(source, expr->span);
  switch (expr->kind) {
  case EXPR_INT:
  case EXPR_LARGE:
  case EXPR_FLOAT:
  case EXPR_UNKNOWN:
  case EXPR_STAR:
    break;
  case EXPR_STRING:
    REQUIRE(expr->string.text && expr->string.text[expr->string.length] == '\0');
    break;
  case EXPR_NAME:
    REQUIRE(expr->name[0]);
    break;
  case EXPR_TUPLE:
  case EXPR_LIST:
    BELOW(check_list(source, expr->list.item, expr->list.count));
    break;
  case EXPR_BINARY:
    BELOW(check_expr(source, expr->binary.right));
    BELOW(check_expr(source, expr->binary.left));
    break;
  case EXPR_NEGATE:
  case EXPR_INVERT:
    REQUIRE(!expr->binary.right);
    BELOW(check_expr(source, expr->binary.left));
    break;
  case EXPR_CALL:
    check_span(source, expr->call.callee_span);
    for (int i = 0; i < expr->call.count; i++)
      BELOW(check_expr(source, expr->call.arg[i].value));
    break;
  case EXPR_PIPE:
    BELOW(check_expr(source, expr->pipe.first));
    BELOW(check_list(source, expr->pipe.stage, expr->pipe.count));
    break;
  case EXPR_INDEX:
    BELOW(check_expr(source, expr->index.subject));
    for (int i = 0; i < expr->index.count; i++) {
      const Subscript *s = &expr->index.item[i];
      check_span(source, s->span);
      REQUIRE(s->kind != SUBSCRIPT_INDEX || (s->start && !s->stop && !s->step));
      if (s->start)
        BELOW(check_expr(source, s->start));
      if (s->stop)
        BELOW(check_expr(source, s->stop));
      if (s->step)
        BELOW(check_expr(source, s->step));
    }
    break;
  case EXPR_COMPARE:
    REQUIRE(expr->compare.kind != WHERE_IN);
    BELOW(check_expr(source, expr->compare.left));
    BELOW(check_expr(source, expr->compare.right));
    break;
  }
  REQUIRE(expr->depth == below + 1);
  return expr->depth;
}

static int check_list(const Source *source, Expr *const *item, int count) {
  int deepest = 0;
  for (int i = 0; i < count; i++) {
    int depth = check_expr(source, item[i]);
    deepest = depth > deepest ? depth : deepest;
  }
  return deepest;
}

static void check_type(const Source *source, const AstType *type) {
  check_span(source, type->span);
  check_list(source, type->dim, type->dim_count);
  if (type->strides)
    check_expr(source, type->strides);
}

static void check_values(const Source *source, const AstValue *value, int count) {
  for (int i = 0; i < count; i++) {
    REQUIRE(value[i].name[0]);
    check_span(source, value[i].span);
    check_type(source, &value[i].type);
  }
}

static void check_graph(const Source *source, const AstGraph *graph) {
  REQUIRE(graph->name && graph->result_count > 0);
  check_span(source, graph->span);
  check_span(source, graph->name_span);
  check_values(source, graph->input, graph->input_count);
  check_values(source, graph->result, graph->result_count);
  for (int i = 0; i < graph->where_count; i++) {
    check_expr(source, graph->where[i].left);
    check_expr(source, graph->where[i].right);
    REQUIRE(graph->where[i].kind != WHERE_IN || graph->where[i].right->kind == EXPR_LIST);
  }
  for (int i = 0; i < graph->statement_count; i++) {
    check_span(source, graph->statement[i].span);
    check_expr(source, graph->statement[i].value);
    REQUIRE(graph->statement[i].target_count > 0);
    for (int k = 0; k < graph->statement[i].target_count; k++) {
      check_span(source, graph->statement[i].target[k].span);
      check_type(source, &graph->statement[i].target[k].type);
    }
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  Arena *arena = arena_new();
  Diag diag = {.arena = arena};
  diag.source = source_from_text(arena, "fuzz.rsh", (const char *)bytes, size);
  const Ast *ast = parse_source(arena, diag.source, &diag);
  REQUIRE(size == 0 || memcmp(bytes, diag.source->text, size) == 0);
  for (int i = 0; i < ast->graph_count; i++)
    check_graph(diag.source, &ast->graph[i]);
  for (int i = 0; i < ast->import_count; i++)
    check_span(diag.source, ast->import[i].path_span);
  for (int i = 0; i < ast->statement_count; i++) {
    check_span(diag.source, ast->statement[i].span);
    check_expr(diag.source, ast->statement[i].value);
  }

  FILE *out = fopen("/dev/null", "w");
  REQUIRE(out);
  ast_print(ast, out);
  diag_print(&diag, out, true);
  diag_print_json(&diag, out);
  fclose(out);
  for (int i = 0; i < diag.list.count; i++)
    if (diag.list.item[i].has_span)
      check_span(diag.source, diag.list.item[i].span);
  arena_free(arena);
  return 0;
}
