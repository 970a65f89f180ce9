// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instantiates a graph: replaces its sizes in the source with numbers. This defines its semantics for these sizes, and
// whether it is refused, independent of the compiler's analysis of open sizes (conditions, edges, variants).
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
  BOUND,      // the graph was instantiated
  REFUSED,    // with *status
  UNEXPRESSED // a limit of the compiler, or a size that is not a parameter
} Bound;

// The graph for the symbols, sizes of inputs and shapes of open ranks in `map`.
Bound verify_bind(const Written *written, const Map *map, const Graph **bound, rsh_status *status);

#endif
