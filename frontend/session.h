// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// session: a graph that grows statement by statement, for scripts. Its inputs are existing arrays, so all sizes are
// numbers. When values must be computed, the statements that they need are extracted as a separate graph:
//
//   x = load("x.npy")        an input
//   y = transpose(x)         a node
//   z = y[:2]                a node
//   save(z, "z.npy")         the subgraph of z: x, transpose, slice; one kernel
#ifndef FRONTEND_SESSION_H
#define FRONTEND_SESSION_H

#include "frontend/graph/graph.h"

typedef struct Session Session;

Session *session_new(Arena *arena, Diag *diag);
void session_free(Session *session);

// Lowers graphs and makes them callable. A graph replaces an earlier one of the same name. A graph with an error, which
// is reported, is entered as NULL.
void session_add_graphs(Session *session, const Ast *ast);
// The names of tensors, in order of first use.
int session_names(const Session *session, const char **name, int room);
// Returns whether an operator or a graph has this name; lists all such names, for "did you mean" and completion.
bool session_can_call(const Session *session, const char *name);
int session_callables(const Session *session, const char **name, int room);
// The session's graph of this name, or NULL.
const Graph *session_graph(const Session *session, const char *name);

// Adds an input. Messages call it `name`.
Value *session_input(Session *session, const char *name, rsh_dtype dtype, const rsh_shape *shape,
                     Span span);
// Names a value and takes the name from its previous holder. A NULL value frees the name.
void session_name(Session *session, const char *name, Value *value, Span span);
Value *session_find(const Session *session, const char *name); // NULL: no tensor has it

// Executes a statement; the names on its left are tensors. False: an error was reported, and no name changed.
bool session_statement(Session *session, const Statement *statement);
// Lowers an expression to its tensor. NULL: an error was reported.
Value *session_value(Session *session, const Expr *e);
// All results of an expression; `wanted` of them if the operator lets the caller choose. NULL: an error was reported.
Value **session_values(Session *session, const Expr *e, int wanted, int *count);
// Evaluates an integer expression. False: an error was reported.
bool session_int(Session *session, const Expr *e, int64_t *n);

// A separate graph whose outputs are these values, and the session's value for each of its inputs. A value may appear
// in the list once.
Graph *session_subgraph(Session *session, Value *const *value, int count, Value *const **inputs);

// Everything created since a mark can be discarded if no name refers to it. False: a name does, and everything stays.
typedef struct SessionMark {
  int values, nodes, fills, tables;
} SessionMark;
SessionMark session_mark(const Session *session);
bool session_rewind(Session *session, SessionMark mark);

#endif
