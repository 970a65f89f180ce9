// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ONNX models as graphs. Computations that determine shapes are evaluated here (onnx_sizes.c); data
// movement is lowered through the same binding and rules as source text.
#ifndef FRONTEND_ONNX_H
#define FRONTEND_ONNX_H

#include "frontend/graph/graph.h"
#include "frontend/onnx/onnx_file.h"

// The model as one graph, named after the file. Messages name the part of the model: `diag->source` is
// set to its parts. Operators that outputs do not need are ignored.
Module *onnx_lower(Arena *arena, const OnnxFile *file, Diag *diag);

#endif
