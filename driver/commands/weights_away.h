// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warns if a new model refers to weight files that are missing in its folder.
#ifndef DRIVER_WEIGHTS_AWAY_H
#define DRIVER_WEIGHTS_AWAY_H

#include "driver/base/pipeline.h"
#include "frontend/data/output.h"

// The files are ONNX models made from `from`, all in one folder; other files are skipped. `what` names them:
// "'new.onnx'", "the parts".
void warn_of_weights_away(Pipeline *p, const OnnxFile *from, const OutputFile *file, int count,
                          const char *what);

#endif
