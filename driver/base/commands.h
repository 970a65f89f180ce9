// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands. Each takes the options, prints everything and returns the exit status.
#ifndef DRIVER_COMMANDS_H
#define DRIVER_COMMANDS_H

#include "driver/base/options.h"
#include "frontend/data/output.h"

Exit command_compile(const Options *options);
// --emit=wasm: links the object to a module (wasm.c). False: reported.
bool wasm_link(const Options *o, Bytes object, Bytes *module, Diag *diag);
// The names of the output files of a compilation; NULL: not requested.
typedef struct OutputNames {
  const char *code, *header, *depend, *manifest;
} OutputNames;
Exit choose_names(const Options *o, OutputNames *names);
// Writes the outputs of `chains -o` for the plans of a pipeline: code, header, make rule, and files
// specific to the command.
struct Pipeline;
typedef VEC(OutputFile) OutputFiles;
Exit compile_chains(struct Pipeline *p, const OutputNames *names, const OutputFiles *more);
// Refuses an output that would replace a file that was read: the input, its imports or weights.
Exit check_replaces_none(const struct Pipeline *p, const char *path);
// --emit=so: links the object to a shared library named `name` (shared.c). False: reported.
bool shared_link(struct Pipeline *p, const char *name, Bytes object, Bytes *library);
Exit command_check(const Options *options);
Exit command_explain(const Options *options);
Exit command_run(const Options *options);
Exit command_chains(const Options *options);
Exit command_fmt(const Options *options);
Exit command_optimize(const Options *options);
Exit command_verify(const Options *options);
Exit command_tune(const Options *options);
Exit command_explain_error(const Options *options);
Exit command_lsp(const Options *options);

// Runs the command on each file. Returns the worst exit status.
Exit each_file(const Options *options, Exit (*command)(const Options *one));

// Without a file, on a terminal: runs statements as they are typed.
Exit command_repl(Arena *arena);

// mapped.c: if a file is truncated while it is mapped, the program ends with a message.
void watch_mapped_files(void);

const char *path_with_extension(Arena *arena, const char *path, const char *extension);

#endif
