// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands: each takes the options and gives the exit status, everything being printed.
#ifndef DRIVER_COMMANDS_H
#define DRIVER_COMMANDS_H

#include "driver/base/options.h"
#include "frontend/data/output.h"

Exit command_compile(const Options *options);
// --emit=wasm: the object as a module (wasm.c). False: reported.
bool wasm_link(const Options *o, Bytes object, Bytes *module, Diag *diag);
// The output files of a compilation; NULL: not requested.
typedef struct OutputNames {
  const char *code, *header, *depend, *manifest;
} OutputNames;
Exit choose_names(const Options *o, OutputNames *names);
// What chains -o writes of the plans of a pipeline: code, header, make rule; and files of its own.
struct Pipeline;
typedef VEC(OutputFile) OutputFiles;
Exit compile_chains(struct Pipeline *p, const OutputNames *names, const OutputFiles *more);
// --emit=so: the object as a shared library that is called `name` (shared.c). False: reported.
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

// Carries a command out for each of the files. The exit status is the worst.
Exit each_file(const Options *options, Exit (*command)(const Options *one));

// Without a file, on a terminal: statements as they are typed.
Exit command_repl(Arena *arena);

// mapped.c: a file that is cut short while it is used ends the program with a message.
void watch_mapped_files(void);

const char *path_with_extension(Arena *arena, const char *path, const char *extension);

#endif
