// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers of the grammar's actions: growing lists, and one function for each kind of tree node.
// A function that returns an Expr returns NULL, after a message, if the tree would become deeper
// than EXPR_MAX_DEPTH; the caller then starts recovery.
#ifndef GRAMMAR_TREE_H
#define GRAMMAR_TREE_H

#include "frontend/text/ast.h"

typedef struct Parser Parser;
typedef struct StatementTarget StatementTarget;

typedef VEC(Expr *) ExprList;
typedef VEC(Arg) ArgList;
typedef VEC(Subscript) SubscriptList;
typedef VEC(AstValue) ValueList;
typedef VEC(Condition) ConditionList;
typedef VEC(StatementTarget) TargetList;
typedef VEC(Statement) StatementList;

typedef struct Text {
  const char *bytes;
  uint32_t length;
} Text;

typedef struct Pipe { // first |> stage |> stage, while more stages may follow
  Expr *first;
  ExprList stage;
} Pipe;

typedef struct Placement { // the memory layout of a tensor, written after its type
  const char *layout;
  Span layout_span;
  Expr *strides;
} Placement;

Expr *tree_integer(Parser *parser, int64_t integer, Span span);
Expr *tree_large(Parser *parser, uint64_t large, Span span);
Expr *tree_float(Parser *parser, const char *number, Span span);
Expr *tree_string(Parser *parser, Text text, Span span);
Expr *tree_name(Parser *parser, const char *name, Span span);
Expr *tree_leaf(Parser *parser, ExprKind kind, Span span);
Expr *tree_list(Parser *parser, ExprKind kind, ExprList items, Span span);
Expr *tree_operator(Parser *parser, char op, Expr *left, Expr *right, Span op_span, Span span);
Expr *tree_call(Parser *parser, const char *callee, Span callee_span, ArgList args, Span span);
Expr *tree_index(Parser *parser, Expr *subject, SubscriptList items, Span span);
Expr *tree_scalar_type(Parser *parser, Expr *subject, Span end, Span span); // f32[]
Expr *tree_compare(Parser *parser, ConditionKind kind, Expr *left, Expr *right, Span span);
Expr *tree_pipe(Parser *parser, Pipe pipe, Span span);

// reports a positional argument after a named one
void tree_add_arg(Parser *parser, ArgList *args, Arg arg);
// reports a stage that is not a call
void tree_add_stage(Parser *parser, Pipe *pipe, Expr *stage);
AstType tree_type(const char *dtype, Span dtype_span, const ExprList *dims, Placement placement,
                  Span span);
// reports a declaration of memory
StatementTarget tree_target(Parser *parser, const char *name, Span span, AstType type);
// reports a type before the '=' of a script's statement
void tree_refuse_types(Parser *parser, const Statement *statement);
AstValue tree_value(const char *name, Span span, AstType type);

#endif
