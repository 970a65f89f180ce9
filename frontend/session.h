// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// session: a graph that grows statement by statement, for scripts. Its inputs are arrays that are there, so
// all sizes are numbers. What has to be computed at some point is cut out of it as a graph of its own:
//
//   x = load("x.npy")        an input
//   y = transpose(x)         a node
//   z = y[:2]                a node
//   save(z, "z.npy")         the cut for z: x, transpose, slice; one kernel
#ifndef FRONTEND_SESSION_H
#define FRONTEND_SESSION_H

#include "frontend/graph/graph.h"

typedef struct Session Session;

Session *session_new(Arena *arena, Diag *diag);
void session_free(Session *session);

// Lowers graphs, which can be called from then on; one of a name that an earlier call added takes its place.
// NULL for one that has an error, which is reported.
void session_add_graphs(Session *session, const Ast *ast);
// The names that tensors have, in order of their first use.
int session_names(const Session *session, const char **name, int room);
// Whether an operator or a graph has this name; all such names, for "did you mean" and completion.
bool session_can_call(const Session *session, const char *name);
int session_callables(const Session *session, const char **name, int room);
// The graph of this name that a session has; NULL: none.
const Graph *session_graph(const Session *session, const char *name);

// An input. `name` is what messages call it.
Value *session_input(Session *session, const char *name, rsh_dtype dtype, const rsh_shape *shape,
                     Span span);
// A name for a value, in place of what had it before. NULL for the value: the name is free again.
void session_name(Session *session, const char *name, Value *value, Span span);
Value *session_find(const Session *session, const char *name); // NULL: no tensor has it

// Carries out a statement with names of tensors on its left. False: it was reported, and no name has
// changed.
bool session_statement(Session *session, const Statement *statement);
// The tensor that an expression is. NULL: reported.
Value *session_value(Session *session, const Expr *e);
// All results of an expression, as many as `wanted` where it can be told how many. NULL: reported.
Value **session_values(Session *session, const Expr *e, int wanted, int *count);
// The number that an integer expression is. False: reported.
bool session_int(Session *session, const Expr *e, int64_t *n);

// A graph of its own whose outputs are these values, and what of the session each of its inputs is.
// A value may stand in the list once.
Graph *session_cut(Session *session, Value *const *value, int count, Value *const **inputs);

// What has been made since a mark can be forgotten, where no name stands for any of it. False: some name does, and all stays.
typedef struct SessionMark {
  int values, nodes, fills;
} SessionMark;
SessionMark session_mark(const Session *session);
bool session_rewind(Session *session, SessionMark mark);

#endif
