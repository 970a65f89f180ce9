// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tree that the parser builds: only the text's structure and positions. Name lookup and computation
// happen in lowering (lower.h).
#ifndef FRONTEND_AST_H
#define FRONTEND_AST_H

#include "frontend/text/diag.h"

typedef struct Expr Expr;

typedef enum ExprKind {
  EXPR_INT,     // 42
  EXPR_LARGE,   // 2^63 to 2^64 - 1: an element, never a size
  EXPR_FLOAT,   // 1.5, 2e-3
  EXPR_STRING,  // "n h w c -> n c h w"
  EXPR_NAME,    // x, B, true, None, f32
  EXPR_UNKNOWN, // ? (in types only)
  EXPR_STAR,    // * (in types only: any rank)
  EXPR_LIST,    // [2, -1, B*S], possibly nested
  EXPR_TUPLE,   // (2, 3), as Python writes lists; never of one entry without a comma
  EXPR_NEGATE,  // -a
  EXPR_INVERT,  // ~a
  EXPR_BINARY,  // a + b, - * / // % & | ^ << >>
  EXPR_CALL,    // reshape(x, [2], allowzero=1), onnx.reshape(...), split_heads(x)
  EXPR_PIPE,    // first |> call |> call: each call takes the value before it as its first argument
  EXPR_INDEX,   // x[2:5, ::-1, ...]
  EXPR_COMPARE, // shape(x) == [2, 3] (as an argument only)
} ExprKind;

enum { OPERATOR_FLOOR = 'f', OPERATOR_SHL = 'l', OPERATOR_SHR = 'r' }; // // << >>

typedef struct Arg {
  const char *name; // NULL when positional
  Span name_span;
  Expr *value;
} Arg;

typedef enum ConditionKind {
  WHERE_EQ,
  WHERE_NE,
  WHERE_LT,
  WHERE_LE,
  WHERE_GT,
  WHERE_GE,
  WHERE_IN
} ConditionKind;

typedef enum SubscriptKind { SUBSCRIPT_RANGE, SUBSCRIPT_INDEX, SUBSCRIPT_ELLIPSIS } SubscriptKind;

typedef struct Subscript {
  SubscriptKind kind;
  Expr *start, *stop, *step; // RANGE: each may be NULL; INDEX: only start
  Span span;
} Subscript;

struct Expr {
  ExprKind kind;
  int depth;    // of the tree below, 1 for a leaf; the parser rejects more than EXPR_MAX_DEPTH
  bool is_data; // an entry that a model computes: it is not a size, so 0 and -1 have their meaning
  Span span;
  union {
    struct {
      int64_t integer; // INT
      bool is_size;    // it replaces the name of a size, so 0 and -1 have no special meaning
    };
    uint64_t large;     // LARGE
    const char *number; // FLOAT: as written
    struct {
      const char *text;
      uint32_t length;
    } string;         // STRING: escapes \" \\ \n \t undone
    const char *name; // NAME
    struct {
      Expr **item;
      int count;
      int entries; // of values of scripts: those of lists in it counted
    } list;        // LIST, TUPLE
    struct {
      char op;
      Expr *left, *right;
      Span op_span;
    } binary; // NEGATE and INVERT (only left), BINARY
    struct {
      const char *callee;
      Span callee_span;
      Arg *arg;
      int count;
    } call; // CALL; callee with its dots
    struct {
      Expr *first;
      Expr **stage;
      int count;
    } pipe; // PIPE: stages are CALLs (INDEX on one is not a stage)
    struct {
      Expr *subject;
      Subscript *item;
      int count;
    } index; // INDEX
    struct {
      ConditionKind kind; // not WHERE_IN
      Expr *left, *right;
    } compare; // COMPARE
  };
};

static inline bool expr_is_list(const Expr *e) {
  return e->kind == EXPR_LIST || e->kind == EXPR_TUPLE;
}

enum { EXPR_MAX_DEPTH = 256 };

typedef struct AstType {
  const char *dtype; // "f32"; NULL when no type was written
  Span dtype_span;
  bool has_dims; // false: a scalar without brackets
  Expr **dim;    // INT, NAME, UNKNOWN, STAR or an integer expression
  int dim_count;
  Span span;
  bool has_lod; // `lod`: sequence offsets over the first axis accompany it
  Span lod_span;
  const char *layout;
  Span layout_span; // text after `layout`, or NULL
  Expr *strides;    // list after `strides`, or NULL
  int64_t align;    // number after `align`, or 0
  Span align_span;
  bool is_placed; // `placed`: an input resides in the memory of a result
  Span placed_span;
} AstType;

typedef struct AstValue { // an input or a result of a graph
  const char *name;
  Span span; // of the name
  bool is_view;
  Span view_span;
  bool is_inplace; // of a result: it may share the memory of its input
  Span inplace_span;
  AstType type;
} AstValue;

typedef struct Condition { // one entry after `where`
  ConditionKind kind;
  Expr *left, *right; // IN: right is a LIST
  Span span;
} Condition;

// a, b: f32[2, 3] = expr; outside graphs also without names: save(x, "x.npy")
typedef struct Statement {
  struct StatementTarget {
    const char *name;
    Span span;
    bool is_view;
    Span view_span;
    AstType type; // without dtype: not declared
  } *target;
  int target_count;
  Expr *value;
  Span span;
  bool is_loop; // for target in value { body }, outside graphs
  struct Statement *body;
  int body_count;
} Statement;

typedef struct AstGraph {
  const char *name;
  Span name_span, span; // span: the whole definition
  AstValue *input;
  int input_count;
  AstValue *result;
  int result_count;
  Condition *where;
  int where_count;
  Statement *statement;
  int statement_count;
  bool is_imported; // from another file: only callable
} AstGraph;

typedef struct AstImport { // import "heads.rsh"
  const char *path;
  Span path_span, span;
} AstImport;

// Each list is in source order.
typedef struct Ast {
  AstGraph *graph; // graphs of imported files come first
  int graph_count;
  AstImport *import;
  int import_count;
  Statement *statement; // outside graphs: what `run` executes
  int statement_count;
} Ast;

// "==", "<" ...; "in"
const char *comparison_text(ConditionKind kind);
const char *operator_text(char op); // "+", "//"

// Calls `visit` for an expression and all within it, outermost first, in source order. NULL is allowed.
void expr_visit(const Expr *e, void (*visit)(void *of, const Expr *e), void *of);

// The tree as indented text, one node per line, for --dump=ast. Stable, without addresses.
void ast_print(const Ast *ast, FILE *out);

#endif
