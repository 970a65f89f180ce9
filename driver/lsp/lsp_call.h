// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The call whose brackets a place is in, by the tokens before it.
#ifndef DRIVER_LSP_CALL_H
#define DRIVER_LSP_CALL_H

#include "driver/lsp/lsp_analysis.h"

typedef struct OpenCall {
  const char *name;     // with its dots
  int position;         // commas before the place
  const char *argument; // its name, if one is written: axis of split(x, axis=|; else NULL
  bool is_piped;        // |> comes before: the first argument is there
} OpenCall;

bool call_open_at(const Analysis *a, Arena *arena, uint32_t offset, OpenCall *out);

#endif
