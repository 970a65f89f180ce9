// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tree nodes. Each node has its depth, which is limited, so that later walks over the tree may recurse.
#include "grammar/tree.h"

#include "grammar/parser.h"
#include "runtime/dtype.h"

#include <string.h>

// A new node whose deepest child has depth `below`. If the tree is too deep, reports it at `place`.
static Expr *new_expr(Parser *parser, ExprKind kind, int below, Span place, Span span) {
  if (below >= EXPR_MAX_DEPTH) {
    diag_error(parser->diag, place, "too_deep", "expression is more than %d levels deep",
               EXPR_MAX_DEPTH);
    return NULL;
  }
  Expr *expr = ARENA_NEW(parser->arena, Expr);
  expr->kind = kind;
  expr->depth = below + 1;
  expr->span = span;
  return expr;
}

static int deeper(int depth, const Expr *expr) {
  return expr && expr->depth > depth ? expr->depth : depth;
}

Expr *tree_leaf(Parser *parser, ExprKind kind, Span span) {
  return new_expr(parser, kind, 0, span, span);
}

Expr *tree_integer(Parser *parser, int64_t integer, Span span) {
  Expr *expr = tree_leaf(parser, EXPR_INT, span);
  expr->integer = integer;
  return expr;
}

Expr *tree_large(Parser *parser, uint64_t large, Span span) {
  Expr *expr = tree_leaf(parser, EXPR_LARGE, span);
  expr->large = large;
  return expr;
}

Expr *tree_float(Parser *parser, const char *number, Span span) {
  Expr *expr = tree_leaf(parser, EXPR_FLOAT, span);
  expr->number = number;
  return expr;
}

Expr *tree_string(Parser *parser, Text text, Span span) {
  Expr *expr = tree_leaf(parser, EXPR_STRING, span);
  expr->string.text = text.bytes;
  expr->string.length = text.length;
  return expr;
}

Expr *tree_name(Parser *parser, const char *name, Span span) {
  Expr *expr = tree_leaf(parser, EXPR_NAME, span);
  expr->name = name;
  return expr;
}

Expr *tree_list(Parser *parser, ExprKind kind, ExprList items, Span span) {
  int below = 0;
  for (int i = 0; i < items.count; i++)
    below = deeper(below, items.item[i]);
  Span bracket = {span.begin, span.begin + 1};
  Expr *expr = new_expr(parser, kind, below, bracket, span);
  if (expr) {
    expr->list.item = items.item;
    expr->list.count = items.count;
  }
  return expr;
}

// Without a right side, '-' is the sign and '~' the inversion.
Expr *tree_operator(Parser *parser, char op, Expr *left, Expr *right, Span op_span, Span span) {
  int below = deeper(deeper(0, left), right);
  ExprKind kind = right ? EXPR_BINARY : op == '~' ? EXPR_INVERT : EXPR_NEGATE;
  Expr *expr = new_expr(parser, kind, below, op_span, span);
  if (expr) {
    expr->binary.op = op;
    expr->binary.left = left;
    expr->binary.right = right;
    expr->binary.op_span = op_span;
  }
  return expr;
}

Expr *tree_call(Parser *parser, const char *callee, Span callee_span, ArgList args, Span span) {
  int below = 0;
  for (int i = 0; i < args.count; i++)
    below = deeper(below, args.item[i].value);
  Expr *expr = new_expr(parser, EXPR_CALL, below, callee_span, span);
  if (expr) {
    expr->call.callee = callee;
    expr->call.callee_span = callee_span;
    expr->call.arg = args.item;
    expr->call.count = args.count;
  }
  return expr;
}

Expr *tree_index(Parser *parser, Expr *subject, SubscriptList items, Span span) {
  int below = deeper(0, subject);
  for (int i = 0; i < items.count; i++) {
    const Subscript *item = &items.item[i];
    below = deeper(deeper(deeper(below, item->start), item->stop), item->step);
  }
  Span brackets = {subject->span.end, span.end};
  Expr *expr = new_expr(parser, EXPR_INDEX, below, brackets, span);
  if (expr) {
    expr->index.subject = subject;
    expr->index.item = items.item;
    expr->index.count = items.count;
  }
  return expr;
}

Expr *tree_scalar_type(Parser *parser, Expr *subject, Span end, Span span) {
  const char *name = subject->kind == EXPR_NAME ? subject->name : "";
  if (rsh_dtype_find(name, strlen(name)) == RSH_DTYPE_NONE)
    diag_error(parser->diag, end, "syntax", "expected an expression, '...' or ':' before ']'");
  return tree_index(parser, subject, (SubscriptList){0}, span);
}

// A pipe is flat: its depth is one more than that of its deepest part, for any number of stages.
Expr *tree_pipe(Parser *parser, Pipe pipe, Span span) {
  int below = deeper(0, pipe.first);
  for (int i = 0; i < pipe.stage.count; i++)
    below = deeper(below, pipe.stage.item[i]);
  Expr *expr = new_expr(parser, EXPR_PIPE, below, pipe.first->span, span);
  if (expr) {
    expr->pipe.first = pipe.first;
    expr->pipe.stage = pipe.stage.item;
    expr->pipe.count = pipe.stage.count;
  }
  return expr;
}

Expr *tree_compare(Parser *parser, ConditionKind kind, Expr *left, Expr *right, Span span) {
  Expr *expr = new_expr(parser, EXPR_COMPARE, deeper(deeper(0, left), right), span, span);
  if (expr) {
    expr->compare.kind = kind;
    expr->compare.left = left;
    expr->compare.right = right;
  }
  return expr;
}

void tree_add_arg(Parser *parser, ArgList *args, Arg arg) {
  if (!arg.name && args->count && args->item[args->count - 1].name) {
    diag_error(parser->diag, arg.value->span, "syntax", "positional argument after a named one");
    diag_note(parser->diag, args->item[args->count - 1].name_span, "'%s' is named here",
              args->item[args->count - 1].name);
    return;
  }
  VEC_PUSH(parser->arena, *args, arg);
}

// The operator after the call that arithmetic begins with: * in f() * 2 + 3. NULL: it begins with something else.
static const char *operator_after_call(const Expr *e) {
  while (e->kind == EXPR_BINARY && e->binary.left->kind == EXPR_BINARY)
    e = e->binary.left;
  bool begins = e->kind == EXPR_BINARY && e->binary.left->kind == EXPR_CALL;
  return begins ? operator_text(e->binary.op) : NULL;
}

// A stage that is no call stays in the tree: it uses names.
void tree_add_stage(Parser *parser, Pipe *pipe, Expr *stage) {
  const char *op = operator_after_call(stage);
  VEC_PUSH(parser->arena, pipe->stage, stage);
  if (stage->kind == EXPR_CALL)
    return;
  if (stage->kind == EXPR_NAME)
    diag_error(parser->diag, stage->span, "syntax", "a stage of a pipe is a call: write '%s()'",
               stage->name);
  else if (stage->kind == EXPR_INDEX)
    diag_error(parser->diag, stage->span, "syntax",
               "a stage of a pipe is a call: put what is before the '[' in parentheses");
  else if (op)
    diag_error(
        parser->diag, stage->span, "syntax",
        "a stage of a pipe is a call, and '%s' binds tighter than '|>': write '(x |> f()) %s b'",
        op, op);
  else
    diag_error(parser->diag, stage->span, "syntax", "a stage of a pipe is a call");
}

AstType tree_type(const char *dtype, Span dtype_span, const ExprList *dims, Placement placement,
                  Span span) {
  AstType type = {.dtype = dtype, .dtype_span = dtype_span, .has_dims = dims != NULL, .span = span};
  if (dims) {
    type.dim = dims->item;
    type.dim_count = dims->count;
  }
  type.layout = placement.layout;
  type.layout_span = placement.layout_span;
  type.strides = placement.strides;
  return type;
}

AstValue tree_value(const char *name, Span span, AstType type) {
  return (AstValue){.name = name, .span = span, .type = type};
}

static const char *source_words(const Parser *parser, Span span) {
  return arena_text(parser->arena, source_text(parser->source, span.begin), span.end - span.begin);
}

StatementTarget tree_target(Parser *parser, const char *name, Span span, AstType type) {
  Span memory = type.layout      ? type.layout_span
                : type.strides   ? type.strides->span
                : type.align     ? type.align_span
                : type.is_placed ? type.placed_span
                                 : (Span){0, 0};
  if (memory.end > 0)
    diag_error(
        parser->diag, memory, "syntax",
        "layout, strides, align and placed declare the memory of inputs and results; '%s' is "
        "declared by its element type and sizes",
        name);
  return (StatementTarget){.name = name, .span = span, .type = type};
}

void tree_refuse_types(Parser *parser, const Statement *statement) {
  for (int i = 0; i < statement->target_count; i++)
    if (statement->target[i].type.dtype)
      diag_error(parser->diag, statement->target[i].type.span, "syntax",
                 "types are declared in graphs: leave out ': %s' in a script",
                 source_words(parser, statement->target[i].type.span));
}
