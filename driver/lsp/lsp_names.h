// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The entities that the names of a text denote, and all occurrences of each.
#ifndef DRIVER_LSP_NAMES_H
#define DRIVER_LSP_NAMES_H

#include "frontend/text/ast.h"

typedef enum EntityKind {
  ENTITY_GRAPH,
  ENTITY_INPUT,
  ENTITY_SIZE, // a symbol
  ENTITY_VALUE,
  ENTITY_VARIABLE // of statements outside of graphs; it may be assigned again
} EntityKind;

typedef struct Entity {
  EntityKind kind;
  const char *name;
  Span span;              // of its definition
  const AstGraph *graph;  // the graph itself, or the one it is in; NULL: none
  const Statement *given; // VALUE, VARIABLE: the statement that assigns it,
  int statement;          // and its index in its list
} Entity;

typedef struct Mention {
  Span span;
  int entity;
  bool defines;
} Mention;

typedef struct Names {
  VEC(Entity) entity;
  VEC(Mention) mention; // including imported files; sorted by offset
} Names;

void names_read(Names *names, Arena *arena, const Ast *ast);
// The name at an offset, or ending there; NULL: none.
const Mention *names_at(const Names *names, uint32_t offset);
// The call whose callee is written at an offset; NULL: none.
const Expr *call_at(const Ast *ast, uint32_t offset);
// True for operators, including rearrange.
bool is_operator(const char *name);
// "a size", "an input"
const char *entity_words(EntityKind kind);

#endif
