// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The weight files of a model: whether an output would replace one, and a warning if a new model refers to some that
// are missing in its folder.
#ifndef DRIVER_WEIGHTS_AWAY_H
#define DRIVER_WEIGHTS_AWAY_H

#include "driver/base/pipeline.h"
#include "frontend/data/output.h"

// The files are ONNX models made from `from`, all in one folder; other files are skipped. `what` names them:
// "'new.onnx'", "the parts".
void warn_of_weights_away(Pipeline *p, const OnnxFile *from, const OutputFile *file, int count,
                          const char *what);

// Whether `path` is a weight file of the model, which need not have been read.
bool has_weights_in(Arena *arena, const OnnxFile *model, const char *path);

#endif
