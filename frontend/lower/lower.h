// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// lower: tree to graph. Looks up names, binds arguments to the operator table, resolves every shape through
// the runtime, inlines calls of graphs, turns rearrange into primitive steps.
#ifndef FRONTEND_LOWER_H
#define FRONTEND_LOWER_H

#include "frontend/graph/graph.h"

typedef enum ParamKind {
  PARAM_INT,
  PARAM_BOOL,
  PARAM_TEXT,
  PARAM_DTYPE,
  PARAM_INTS,
  PARAM_DATA,
  PARAM_TARGET,
  PARAM_NAME,
  PARAM_INDICES,
  PARAM_VALUE,
  PARAM_VALUES
} ParamKind;

// One parsed entry of the arguments column of ops.def.
typedef struct Param {
  const char *name, *other; // second spelling, or NULL
  ParamKind kind;
  bool needed;   // a call without it is an error
  bool required; // of lowering: rules themselves refuse calls without a shape or special_zero
} Param;

// A graph that compiles: graph example(INPUTS) -> RESULTS { STATEMENT }. All are NULL if there is no example.
typedef struct OpExample {
  const char *inputs, *results, *statement;
  const char *follows; // whose rules it follows, if not those of ONNX's operator
} OpExample;

OpExample op_example(rsh_op op);

// Returns the number of parameters.
int params_of(Arena *arena, rsh_op op, Param param[RSH_MAX_ARGS]);

// A hint for an operator name of another system: "; write 'concat(x, y, axis=0)'", or "".
const char *hint_of_others(Arena *arena, const char *name);

// The element type that another system calls `name`: float32, uint8_t and F32 are f32, u8 and f32. NULL: none.
const char *dtype_of_others(Arena *arena, const char *name);

// All independent errors are reported; a statement with an error silently poisons its names. A graph with an
// error is left out of the module.
Module *lower_module(Arena *arena, const Ast *ast, Diag *diag);

#endif
