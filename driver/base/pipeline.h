// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps in a row, as far as a command needs them: files, dumps, messages.
#ifndef DRIVER_PIPELINE_H
#define DRIVER_PIPELINE_H

#include "driver/base/options.h"
#include "library/pipeline.h"

void pipeline_start(Pipeline *p, const Options *options);

// The text; NULL when it cannot be read, which is reported.
Source *pipeline_read_source(Pipeline *p);

// Runs the steps from the text to the plans, and not past `last`; prints the dumps that were asked
// for. Mistakes of one graph do not keep those of another from being found. False: one was
// reported.
bool pipeline_run(Pipeline *p, Step last);

// The first step alone, of what is no model: text to tree. False: a mistake was reported.
bool pipeline_parse(Pipeline *p);

// The file of --tuning, if there is one. False: reported.
bool pipeline_read_tuning(Pipeline *p);

// Whether the file is a model, by its name: of ONNX, or OpenVINO IR.
bool pipeline_is_model(const Options *options);
bool pipeline_is_onnx(const Options *options);
// The model itself. NULL: reported.
const OnnxFile *pipeline_model_file(Pipeline *p);

// Whether messages on standard error are coloured.
bool pipeline_wants_colour(const Options *options);

// Prints the diagnostics to standard error and gives the exit status that they mean.
Exit pipeline_finish(Pipeline *p);
// The exit status alone.
Exit pipeline_status(const Pipeline *p);

#endif
