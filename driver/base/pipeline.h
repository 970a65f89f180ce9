// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the steps in order, as far as a command needs them: files, dumps, messages.
#ifndef DRIVER_PIPELINE_H
#define DRIVER_PIPELINE_H

#include "driver/base/options.h"
#include "library/pipeline.h"

#include <jansson.h>

void pipeline_start(Pipeline *p, const Options *options);

// The source; NULL if it cannot be read, which is reported.
Source *pipeline_read_source(Pipeline *p);

// Runs the steps from text to plans, up to `last` at most, and prints the requested dumps. Errors
// in one graph do not hide those in another. False: an error was reported.
bool pipeline_run(Pipeline *p, Step last);

// Only the first step, text to tree; not for models. False: an error was reported.
bool pipeline_parse(Pipeline *p);

// Reads the file of --tuning, if there is one. False: reported.
bool pipeline_read_tuning(Pipeline *p);

// True if the file is a model, judged by its name: ONNX or OpenVINO IR.
bool pipeline_is_model(const Options *options);
bool pipeline_is_onnx(const Options *options);
// The model itself. NULL: reported.
const OnnxFile *pipeline_model_file(Pipeline *p);

// "x, y, z"; of many, the first.
const char *join_names(Arena *arena, const char *const *names, int count);
// "; did you mean 'x'?", or "; it has x, y, z" if none is near.
const char *hint_among(Arena *arena, const char *name, const char *const *candidates, int count);
// The names of the planned graphs.
const char **pipeline_graph_names(const Pipeline *p);
// The index of the planned graph of this name; -1: there is none, which is reported as a usage error.
int pipeline_find_graph(const Pipeline *p, const char *name);
// Keeps only the graph that the command line names, if it names one. False: there is none, reported as above.
bool pipeline_keep_graph(Pipeline *p);

// Prints JSON on standard output, and frees it.
void json_print(json_t *root);

// True if messages on standard error are colored.
bool pipeline_wants_color(const Options *options);

// Prints the diagnostics to standard error. Returns the exit status of the command if it is not EXIT_DONE, else that of
// the diagnostics.
Exit pipeline_finish(Pipeline *p, Exit of_command);
// Only returns the exit status.
Exit pipeline_status(const Pipeline *p);

#endif
