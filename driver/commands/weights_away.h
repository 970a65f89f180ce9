// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A warning where a new model would look for weights in files that its folder does not have.
#ifndef DRIVER_WEIGHTS_AWAY_H
#define DRIVER_WEIGHTS_AWAY_H

#include "driver/base/pipeline.h"
#include "frontend/data/output.h"

// The files are ONNX models made of `from`, all of one folder; others of them are skipped. `what` names them:
// "'new.onnx'", "the parts".
void warn_of_weights_away(Pipeline *p, const OnnxFile *from, const OutputFile *file, int count,
                          const char *what);

#endif
