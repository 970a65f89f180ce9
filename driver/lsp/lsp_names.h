// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the names of a text mean, and where each is written.
#ifndef DRIVER_LSP_NAMES_H
#define DRIVER_LSP_NAMES_H

#include "frontend/text/ast.h"

typedef enum EntityKind {
  ENTITY_GRAPH,
  ENTITY_INPUT,
  ENTITY_SIZE, // a symbol
  ENTITY_VALUE,
  ENTITY_VARIABLE // of statements outside of graphs; it may be given again
} EntityKind;

typedef struct Entity {
  EntityKind kind;
  const char *name;
  Span span;              // where it is introduced
  const AstGraph *graph;  // it itself, or that it is in; NULL: none
  const Statement *given; // VALUE, VARIABLE: by this statement,
  int statement;          // which is that of the list that it is in
} Entity;

typedef struct Mention {
  Span span;
  int entity;
  bool defines;
} Mention;

typedef struct Names {
  VEC(Entity) entity;
  VEC(Mention) mention; // of imported files, too; in order of their places
} Names;

void names_read(Names *names, Arena *arena, const Ast *ast);
// What is written there, or ends there; NULL: nothing with a name.
const Mention *names_at(const Names *names, uint32_t offset);
// The call whose name is written there; NULL: none.
const Expr *call_at(const Ast *ast, uint32_t offset);
// The operator, rearrange included, or NULL.
bool is_operator(const char *name);
// "a size", "an input"
const char *entity_words(EntityKind kind);

#endif
