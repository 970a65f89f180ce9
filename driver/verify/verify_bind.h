// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A graph with numbers in place of its sizes, as if it had been written so: what it means for these sizes, and
// whether it is refused. Nothing that the compiler finds out about open sizes (conditions, edges, variants) is in
// it, since there are none.
//
//   graph g(x: f32[N, 4]) -> y { y = x[N/2:] }        N = 6:        graph g(x: f32[6, 4]) -> y { y = x[6/2:] }
#ifndef DRIVER_VERIFY_BIND_H
#define DRIVER_VERIFY_BIND_H

#include "driver/verify/verify_map.h"
#include "frontend/onnx/onnx_file.h"

// What graphs are made of.
typedef struct Written {
  const Ast *ast;        // NULL: a model
  const OnnxFile *model; // NULL: a text
  Source *source;        // of the text, with what it imports
} Written;

typedef enum Bound {
  BOUND,   // here it is
  REFUSED, // as *status says
  UNSAID   // by a limit of the compiler, or of a size that no parameter has
} Bound;

// The graph that `map` has symbols, sizes of inputs and shapes of open ranks for.
Bound verify_bind(const Written *written, const Map *map, const Graph **bound, rsh_status *status);

#endif
