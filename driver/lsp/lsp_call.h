// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the call whose parentheses enclose an offset, from the tokens before it.
#ifndef DRIVER_LSP_CALL_H
#define DRIVER_LSP_CALL_H

#include "driver/lsp/lsp_analysis.h"

typedef struct OpenCall {
  const char *name;     // including dots
  int position;         // commas before the offset
  const char *argument; // name of the argument, if written: axis of split(x, axis=|; else NULL
  bool is_piped;        // after |>: the first argument is already given
} OpenCall;

bool call_open_at(const Analysis *a, Arena *arena, uint32_t offset, OpenCall *out);

#endif
