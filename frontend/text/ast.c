// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tree as text, for --dump=ast: one node a line, children indented below it. Types and
// conditions are printed on one line, as in the source, with every operator in parentheses.
#include "frontend/text/ast.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void print_string(const char *text, uint32_t length, FILE *out) {
  putc('"', out);
  for (uint32_t i = 0; i < length; i++) {
    if (text[i] == '"' || text[i] == '\\')
      fprintf(out, "\\%c", text[i]);
    else if (text[i] == '\n')
      fputs("\\n", out);
    else if (text[i] == '\t')
      fputs("\\t", out);
    else
      putc(text[i], out);
  }
  putc('"', out);
}

static void print_inline(const Expr *expr, FILE *out);

const char *operator_text(char op) {
  switch (op) {
  case '+':
    return "+";
  case '-':
    return "-";
  case '*':
    return "*";
  case '/':
    return "/";
  case '%':
    return "%";
  case OPERATOR_FLOOR:
    return "//";
  case OPERATOR_SHL:
    return "<<";
  case OPERATOR_SHR:
    return ">>";
  case '&':
    return "&";
  case '|':
    return "|";
  case '^':
    return "^";
  case '~':
    return "~";
  }
  abort(); // the grammar has no other
}

static void print_items(Expr *const *item, int count, FILE *out) {
  for (int i = 0; i < count; i++) {
    if (i)
      fputs(", ", out);
    print_inline(item[i], out);
  }
}

static void print_subscript(const Subscript *s, FILE *out) {
  if (s->kind == SUBSCRIPT_ELLIPSIS) {
    fputs("...", out);
    return;
  }
  if (s->start)
    print_inline(s->start, out);
  if (s->kind == SUBSCRIPT_INDEX)
    return;
  putc(':', out);
  if (s->stop)
    print_inline(s->stop, out);
  if (s->step) {
    putc(':', out);
    print_inline(s->step, out);
  }
}

// Prints on one line: x[2:5], ((B*S)+1), f(x, axis=1)
static void print_inline(const Expr *expr, FILE *out) {
  switch (expr->kind) {
  case EXPR_INT:
    fprintf(out, "%" PRId64, expr->integer);
    break;
  case EXPR_LARGE:
    fprintf(out, "%" PRIu64, expr->large);
    break;
  case EXPR_FLOAT:
    fputs(expr->number, out);
    break;
  case EXPR_STRING:
    print_string(expr->string.text, expr->string.length, out);
    break;
  case EXPR_NAME:
    fputs(expr->name, out);
    break;
  case EXPR_UNKNOWN:
    putc('?', out);
    break;
  case EXPR_STAR:
    putc('*', out);
    break;
  case EXPR_LIST:
    putc('[', out);
    print_items(expr->list.item, expr->list.count, out);
    putc(']', out);
    break;
  case EXPR_TUPLE:
    putc('(', out);
    print_items(expr->list.item, expr->list.count, out);
    fputs(expr->list.count == 1 ? ",)" : ")", out);
    break;
  case EXPR_NEGATE:
  case EXPR_INVERT:
    fprintf(out, "(%s", operator_text(expr->binary.op));
    print_inline(expr->binary.left, out);
    putc(')', out);
    break;
  case EXPR_BINARY:
    putc('(', out);
    print_inline(expr->binary.left, out);
    fprintf(out, " %s ", operator_text(expr->binary.op));
    print_inline(expr->binary.right, out);
    putc(')', out);
    break;
  case EXPR_CALL:
    fprintf(out, "%s(", expr->call.callee);
    for (int i = 0; i < expr->call.count; i++) {
      const Arg *arg = &expr->call.arg[i];
      fprintf(out, "%s%s%s", i ? ", " : "", arg->name ? arg->name : "", arg->name ? "=" : "");
      print_inline(arg->value, out);
    }
    putc(')', out);
    break;
  case EXPR_PIPE:
    putc('(', out);
    print_inline(expr->pipe.first, out);
    for (int i = 0; i < expr->pipe.count; i++) {
      fputs(" |> ", out);
      print_inline(expr->pipe.stage[i], out);
    }
    putc(')', out);
    break;
  case EXPR_INDEX:
    print_inline(expr->index.subject, out);
    putc('[', out);
    for (int i = 0; i < expr->index.count; i++) {
      fputs(i ? ", " : "", out);
      print_subscript(&expr->index.item[i], out);
    }
    putc(']', out);
    break;
  case EXPR_COMPARE:
    putc('(', out);
    print_inline(expr->compare.left, out);
    fprintf(out, " %s ", comparison_text(expr->compare.kind));
    print_inline(expr->compare.right, out);
    putc(')', out);
    break;
  }
}

static void print_tree(const Expr *expr, int indent, const char *label, FILE *out);

static void print_children(Expr *const *item, int count, int indent, FILE *out) {
  for (int i = 0; i < count; i++)
    print_tree(item[i], indent, "", out);
}

static void print_subscript_tree(const Subscript *s, int indent, FILE *out) {
  switch (s->kind) {
  case SUBSCRIPT_ELLIPSIS:
    fprintf(out, "%*sellipsis\n", indent, "");
    break;
  case SUBSCRIPT_INDEX:
    print_tree(s->start, indent, "at: ", out);
    break;
  case SUBSCRIPT_RANGE:
    fprintf(out, "%*srange\n", indent, "");
    if (s->start)
      print_tree(s->start, indent + 2, "start: ", out);
    if (s->stop)
      print_tree(s->stop, indent + 2, "stop: ", out);
    if (s->step)
      print_tree(s->step, indent + 2, "step: ", out);
    break;
  }
}

// The label names the node's role in its parent: `axis: int 1`.
static void print_tree(const Expr *expr, int indent, const char *label, FILE *out) {
  fprintf(out, "%*s%s", indent, "", label);
  switch (expr->kind) {
  case EXPR_INT:
    fprintf(out, "int %" PRId64 "\n", expr->integer);
    break;
  case EXPR_LARGE:
    fprintf(out, "int %" PRIu64 "\n", expr->large);
    break;
  case EXPR_FLOAT:
    fprintf(out, "float %s\n", expr->number);
    break;
  case EXPR_STRING:
    fputs("string ", out);
    print_string(expr->string.text, expr->string.length, out);
    putc('\n', out);
    break;
  case EXPR_NAME:
    fprintf(out, "name %s\n", expr->name);
    break;
  case EXPR_UNKNOWN:
    fputs("unknown\n", out);
    break;
  case EXPR_STAR:
    fputs("any rank\n", out);
    break;
  case EXPR_LIST:
  case EXPR_TUPLE:
    fputs(expr->kind == EXPR_LIST ? "list\n" : "tuple\n", out);
    print_children(expr->list.item, expr->list.count, indent + 2, out);
    break;
  case EXPR_NEGATE:
  case EXPR_INVERT:
    fputs(expr->kind == EXPR_NEGATE ? "negate\n" : "invert\n", out);
    print_tree(expr->binary.left, indent + 2, "", out);
    break;
  case EXPR_BINARY:
    fprintf(out, "binary %s\n", operator_text(expr->binary.op));
    print_tree(expr->binary.left, indent + 2, "", out);
    print_tree(expr->binary.right, indent + 2, "", out);
    break;
  case EXPR_CALL:
    fprintf(out, "call %s\n", expr->call.callee);
    for (int i = 0; i < expr->call.count; i++) {
      const Arg *arg = &expr->call.arg[i];
      if (arg->name)
        fprintf(out, "%*s%s =\n", indent + 2, "", arg->name);
      print_tree(arg->value, indent + (arg->name ? 4 : 2), "", out);
    }
    break;
  case EXPR_PIPE:
    fputs("pipe\n", out);
    print_tree(expr->pipe.first, indent + 2, "", out);
    print_children(expr->pipe.stage, expr->pipe.count, indent + 2, out);
    break;
  case EXPR_INDEX:
    fputs("index\n", out);
    print_tree(expr->index.subject, indent + 2, "", out);
    for (int i = 0; i < expr->index.count; i++)
      print_subscript_tree(&expr->index.item[i], indent + 2, out);
    break;
  case EXPR_COMPARE:
    fprintf(out, "compare %s\n", comparison_text(expr->compare.kind));
    print_tree(expr->compare.left, indent + 2, "", out);
    print_tree(expr->compare.right, indent + 2, "", out);
    break;
  }
}

static void print_type(const AstType *type, FILE *out) {
  if (type->dtype)
    fprintf(out, ": %s", type->dtype);
  if (type->has_dims) {
    putc('[', out);
    print_items(type->dim, type->dim_count, out);
    putc(']', out);
  }
  if (type->has_lod)
    fputs(" lod", out);
  if (type->layout) {
    fputs(" layout ", out);
    print_string(type->layout, (uint32_t)strlen(type->layout), out);
  }
  if (type->strides) {
    fputs(" strides ", out);
    print_inline(type->strides, out);
  }
  if (type->align)
    fprintf(out, " align %" PRId64, type->align);
  if (type->is_placed)
    fputs(" placed", out);
}

static void print_value(const char *role, const AstValue *value, FILE *out) {
  fprintf(out, "  %s %s%s", role,
          value->is_view      ? "view "
          : value->is_inplace ? "inplace "
                              : "",
          value->name);
  print_type(&value->type, out);
  putc('\n', out);
}

const char *comparison_text(ConditionKind kind) {
  static const char *const words[] = {
      [WHERE_EQ] = "==", [WHERE_NE] = "!=", [WHERE_LT] = "<", [WHERE_LE] = "<=",
      [WHERE_GT] = ">",  [WHERE_GE] = ">=", [WHERE_IN] = "in"};
  return words[kind];
}

static void print_condition(const Condition *condition, FILE *out) {
  fputs("  where ", out);
  print_inline(condition->left, out);
  fprintf(out, " %s ", comparison_text(condition->kind));
  print_inline(condition->right, out);
  putc('\n', out);
}

static void print_statement(const Statement *statement, int indent, FILE *out) {
  if (statement->target_count == 0) {
    print_tree(statement->value, indent, "do: ", out);
    return;
  }
  fprintf(out, "%*slet ", indent, "");
  for (int i = 0; i < statement->target_count; i++) {
    const struct StatementTarget *target = &statement->target[i];
    fprintf(out, "%s%s%s", i ? ", " : "", target->is_view ? "view " : "", target->name);
    print_type(&target->type, out);
  }
  putc('\n', out);
  print_tree(statement->value, indent + 2, "", out);
}

void ast_print(const Ast *ast, FILE *out) {
  for (int i = 0; i < ast->import_count; i++)
    fprintf(out, "import %s\n", ast->import[i].path);
  for (int g = 0; g < ast->graph_count; g++) {
    const AstGraph *graph = &ast->graph[g];
    fprintf(out, "graph %s\n", graph->name);
    for (int i = 0; i < graph->input_count; i++)
      print_value("input", &graph->input[i], out);
    for (int i = 0; i < graph->result_count; i++)
      print_value("result", &graph->result[i], out);
    for (int i = 0; i < graph->where_count; i++)
      print_condition(&graph->where[i], out);
    for (int i = 0; i < graph->statement_count; i++)
      print_statement(&graph->statement[i], 2, out);
  }
  for (int i = 0; i < ast->statement_count; i++)
    print_statement(&ast->statement[i], 0, out);
}

// --- Walking

static void visit_list(Expr *const *item, int count, void (*visit)(void *of, const Expr *e),
                       void *of) {
  for (int i = 0; i < count; i++)
    expr_visit(item[i], visit, of);
}

void expr_visit(const Expr *e, void (*visit)(void *of, const Expr *e), void *of) {
  if (!e)
    return;
  visit(of, e);
  switch (e->kind) {
  case EXPR_INT:
  case EXPR_LARGE:
  case EXPR_FLOAT:
  case EXPR_STRING:
  case EXPR_NAME:
  case EXPR_UNKNOWN:
  case EXPR_STAR:
    break;
  case EXPR_LIST:
  case EXPR_TUPLE:
    visit_list(e->list.item, e->list.count, visit, of);
    break;
  case EXPR_NEGATE:
  case EXPR_INVERT:
  case EXPR_BINARY:
    expr_visit(e->binary.left, visit, of);
    expr_visit(e->binary.right, visit, of);
    break;
  case EXPR_CALL:
    for (int i = 0; i < e->call.count; i++)
      expr_visit(e->call.arg[i].value, visit, of);
    break;
  case EXPR_PIPE:
    expr_visit(e->pipe.first, visit, of);
    visit_list(e->pipe.stage, e->pipe.count, visit, of);
    break;
  case EXPR_INDEX:
    expr_visit(e->index.subject, visit, of);
    for (int i = 0; i < e->index.count; i++) {
      expr_visit(e->index.item[i].start, visit, of);
      expr_visit(e->index.item[i].stop, visit, of);
      expr_visit(e->index.item[i].step, visit, of);
    }
    break;
  case EXPR_COMPARE:
    expr_visit(e->compare.left, visit, of);
    expr_visit(e->compare.right, visit, of);
    break;
  }
}
