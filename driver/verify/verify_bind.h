// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A graph with numbers in place of its sizes, as if it were written that way: its meaning for these sizes, and whether
// it is refused. It has none of the compiler's findings about open sizes (conditions, edges, variants), since it has no
// open sizes.
//
//   graph g(x: f32[N, 4]) -> y { y = x[N/2:] }        N = 6:        graph g(x: f32[6, 4]) -> y { y = x[6/2:] }
#ifndef DRIVER_VERIFY_BIND_H
#define DRIVER_VERIFY_BIND_H

#include "driver/verify/verify_map.h"
#include "frontend/onnx/onnx_file.h"

// The sources of graphs.
typedef struct Written {
  const Ast *ast;        // NULL: a model
  const OnnxFile *model; // NULL: a text
  Source *source;        // of the text, with its imports
} Written;

typedef enum Bound {
  BOUND,   // the graph is made
  REFUSED, // with *status
  UNSAID   // a limit of the compiler, or a size that is not a parameter
} Bound;

// The graph for the symbols, sizes of inputs and shapes of open ranks in `map`.
Bound verify_bind(const Written *written, const Map *map, const Graph **bound, rsh_status *status);

#endif
