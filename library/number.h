// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of graphs in JSON.
#ifndef LIBRARY_NUMBER_H
#define LIBRARY_NUMBER_H

#include "frontend/graph/graph.h"

#include <jansson.h>

// The size of a value's elements in bytes. False: it cannot be computed.
bool value_bytes(const Graph *graph, const Value *value, rsh_num *bytes);

// A string in JSON; names in a model may be any bytes.
json_t *json_text(const char *text);

// A number if it is known, else text: "16*N".
json_t *json_num(Arena *arena, const Graph *graph, rsh_num n);

#endif
