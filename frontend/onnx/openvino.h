// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenVINO IR (model.xml, version 11, with the weights in model.bin next to it), converted to the messages
// of an ONNX model, so that lowering, chains and reports are the same for both.
//
//   <layer id="3" name="r" type="Transpose">   ->   node "r": Transpose(x), perm=[0, 2, 1]
//
// Only layers equivalent to an operator of onnx_ops.def are translated. Any other layer is kept as a node of
// the domain "openvino", with the types of its outputs.
#ifndef FRONTEND_OPENVINO_H
#define FRONTEND_OPENVINO_H

#include "frontend/onnx/onnx_file.h"

// NULL: an error was reported, with the line of the file.
const OnnxFile *openvino_file_read(Arena *arena, const char *path, Diag *diag);
// The same, of a file in memory. `bin`: the weights; NULL: they are in the .bin file next to `path`.
const OnnxFile *openvino_file_parse(Arena *arena, const char *path, Source *source,
                                    const OnnxBytes *bin, Diag *diag);

#endif
