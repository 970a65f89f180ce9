// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line, read: which command, which files, which options. Nothing is opened here.
#ifndef DRIVER_OPTIONS_H
#define DRIVER_OPTIONS_H

#include "codegen/emit.h"
#include "frontend/lower/lower.h"
#include "include/reshapec.h"

// How the program ends.
typedef enum Exit {
  EXIT_DONE = 0,
  EXIT_INPUT = 1,    // the input is wrong, or a file cannot be read or written
  EXIT_USAGE = 2,    // the call is wrong
  EXIT_INTERNAL = 3, // a fault of the compiler itself
} Exit;

typedef enum Command {
  COMMAND_COMPILE,
  COMMAND_CHECK,
  COMMAND_EXPLAIN,
  COMMAND_RUN,
  COMMAND_CHAINS,
  COMMAND_FMT,
  COMMAND_OPTIMIZE,
  COMMAND_VERIFY,
  COMMAND_TUNE,
  COMMAND_EXPLAIN_ERROR,
  COMMAND_LSP,
  COMMAND_COUNT
} Command;

// The steps of the pipeline, in order; those before STEP_EMIT can be dumped.
typedef enum Step {
  STEP_AST,
  STEP_GRAPH,
  STEP_MOVES,
  STEP_PLAN,
  STEP_CODE,
  STEP_LLVM,
  STEP_EMIT
} Step;

// What is printed in place of running a command.
typedef enum Print {
  PRINT_NOTHING,
  PRINT_HELP,
  PRINT_OP_HELP,
  PRINT_VERSION,
  PRINT_OPS,
  PRINT_STATUSES,
  PRINT_TARGETS,
  PRINT_COMPLETIONS
} Print;

typedef enum Shell { SHELL_BASH, SHELL_ZSH, SHELL_FISH } Shell;

typedef enum Colour { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER } Colour;

typedef enum ReportKind { REPORT_NONE, REPORT_TEXT, REPORT_JSON } ReportKind;

typedef struct Binding { // NAME=FILE of `run`
  const char *name;
  const char *path;
} Binding;

typedef struct Options {
  Arena *arena;
  Command command;
  Print print;
  Shell shell;             // PRINT_COMPLETIONS: for this one
  const char *op;          // PRINT_OP_HELP: of this one
  const char *file;        // "-": standard input; NULL where there is text
  const char *text;        // run -e: statements, in place of a file
  VEC(const char *) files; // compile, check, fmt: all of them

  const char *output; // NULL: not given
  const char *header; // NULL: none
  const char *depend_file;
  const char *depend_target; // NULL: the output
  bool depend, depend_phony;
  EmitKind emit;
  bool emit_rsh;  // text of the language instead
  bool emit_so;   // the object linked to a shared library
  bool emit_wasm; // the object linked to a module of WebAssembly
  EmitOptions code;
  ReportKind report;
  unsigned dumps; // bit 1 << Step

  const char *error;      // explain-error: its name; NULL: all of them
  bool dry_run;           // run: write nothing, and say what would be written
  int64_t jobs;           // run: of loops; 0: not given
  const char *graph;      // verify, tune: NULL when not given
  VEC(const char *) word; // run: what stands behind the file

  const char *tuning;    // file of choices; NULL: none
  bool all;              // tune: measure the whole search space
  bool verify;           // prove what is compiled
  bool is_unverified;    // -fno-verify: nobody need be told
  const char *cc;        // C compiler for that; NULL: cc
  const char *runtime;   // librsh_runtime.a of another machine, for that; NULL: none
  bool split, split_all; // chains: cut the model; all chains leave it
  bool external_data;
  bool json, dot, svg, html, sarif;
  bool cost;       // of explain
  bool machine;    // of tune
  bool check_only; // fmt: write nothing; optimize: run both models
  bool warnings_are_errors;
  Colour colour;
} Options;

// Reads the arguments. False: the call is wrong and a message was printed.
bool options_parse(Options *options, Arena *arena, int argc, char **argv);

// How an option takes its value: options.def.
typedef enum ValueKind {
  VALUE_NONE,
  VALUE_NEXT,
  VALUE_JOINED,
  VALUE_EQUALS,
  VALUE_MAYBE
} ValueKind;

// A row of the table of options.
typedef struct OptionInfo {
  const char *spelling;
  ValueKind value;
  unsigned commands; // bit 1 << Command
  const char *shown, *help;
} OptionInfo;

// The row of that number. False: there are not so many.
bool option_at(int index, OptionInfo *out);

// "out/": outputs are files in it, named after their inputs.
bool names_folder(const char *path);

// "check", "explain", "run", "chains", "fmt", "optimize", "verify", "tune", "explain-error", "lsp"; "" for compile.
const char *command_name(Command command);

// A mistake in the call: prints it and where to look, and gives EXIT_USAGE.
Exit usage_error(Command command, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Something about the input that has no place in the source: prints it and gives EXIT_INPUT.
Exit input_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

// What --help, --version, --list-ops, --list-statuses, --print-targets and --completions print.
void print_usage(FILE *out); // a line a command
void print_help(Command command, FILE *out);
void print_version(FILE *out);
void print_ops(FILE *out);
#define REARRANGE_SUMMARY "named axes reordered, split, joined, repeated or stacked, as in einops"
// Of an operator, rearrange, or a function of scripts; out: NULL to ask only. False: none is called so.
bool print_op_help(Arena *arena, const char *name, FILE *out);
// "slice(x, starts, ends, [axes], [steps])"; NULL: none is called so.
const char *op_signature(Arena *arena, const char *name);
// What has such help. Gives how many there are.
enum {
  HELP_NAMES = 1 + RSH_OP_COUNT
#define FUNCTION(id, name, fewest, most, shown, help, example) +1
#include "driver/base/functions.def"
#undef FUNCTION
};
int help_names(const char *name[HELP_NAMES]);
// "an integer or a list of integers"
const char *param_text(ParamKind kind);
void print_statuses(FILE *out);
void print_targets(FILE *out);
void print_completions(Shell shell, FILE *out);

#endif
