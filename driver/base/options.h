// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses the command line: command, files, options. Opens nothing.
#ifndef DRIVER_OPTIONS_H
#define DRIVER_OPTIONS_H

#include "codegen/emit.h"
#include "frontend/lower/lower.h"
#include "include/reshapec.h"

// Exit statuses.
typedef enum Exit {
  EXIT_DONE = 0,
  EXIT_INPUT = 1,    // the input is wrong, or a file cannot be read or written
  EXIT_USAGE = 2,    // the command line is wrong
  EXIT_INTERNAL = 3, // a bug in the compiler itself
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

// Information to print instead of running a command.
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

typedef enum Color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } Color;

typedef enum ReportKind { REPORT_NONE, REPORT_TEXT, REPORT_JSON } ReportKind;

typedef struct Binding { // NAME=FILE of `run`
  const char *name;
  const char *path;
} Binding;

typedef struct Options {
  Arena *arena;
  Command command;
  Print print;
  Shell shell;             // of PRINT_COMPLETIONS
  const char *op;          // of PRINT_OP_HELP
  const char *file;        // "-": standard input; NULL if there is `text`
  const char *text;        // run -e: statements instead of a file
  VEC(const char *) files; // compile, check, fmt: all of them

  const char *output; // NULL: not given
  const char *header; // NULL: none
  const char *depend_file;
  const char *depend_target; // NULL: the output
  bool depend, depend_phony;
  EmitKind emit;
  bool emit_rsh;  // emit source text of the language instead
  bool emit_so;   // link the object to a shared library
  bool emit_wasm; // link the object to a WebAssembly module
  EmitOptions code;
  ReportKind report;
  unsigned dumps; // bit 1 << Step

  const char *error;      // explain-error: name of the error; NULL: all of them
  bool dry_run;           // run: list the outputs without writing them
  int64_t jobs;           // run: processes for loops; 0: not given
  const char *graph;      // explain, verify, tune: NULL if not given
  VEC(const char *) word; // run: the words after the file

  const char *tuning;    // tuning file; NULL: none
  bool all;              // tune: measure the whole search space
  bool verify;           // prove the compiled code
  bool is_unverified;    // -fno-verify: no remark about unverified code
  const char *cc;        // C compiler for the proof; NULL: cc
  const char *runtime;   // librsh_runtime.a of another machine, for the proof; NULL: none
  bool split, split_all; // chains: split the model; split off every chain
  bool external_data;
  bool json, dot, svg, html, sarif;
  bool cost;       // explain
  bool machine;    // tune
  bool check_only; // fmt: write nothing; optimize: run both models
  bool warnings_are_errors;
  Color color;
} Options;

// Parses the arguments. False: the command line is wrong and a message was printed.
bool options_parse(Options *options, Arena *arena, int argc, char **argv);

// How an option takes its value (options.def).
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

// Reads row `index`. False: the table is shorter.
bool option_at(int index, OptionInfo *out);

// True for "out/": outputs are files in this folder, named after their inputs.
bool names_folder(const char *path);

// "check", "explain", "run", "chains", "fmt", "optimize", "verify", "tune", "explain-error", "lsp"; "" for compile.
const char *command_name(Command command);

// Prints an error in the command line and a reference to the help, and returns EXIT_USAGE.
Exit usage_error(Command command, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Prints an error in the input that has no source location, and returns EXIT_INPUT.
Exit input_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

// The output of --help, --version, --list-ops, --list-statuses, --print-targets and --completions.
void print_usage(FILE *out); // one line per command
void print_help(Command command, FILE *out);
void print_version(FILE *out);
void print_ops(FILE *out);
// A part of a row of a table: text, on lines of at most `width` columns where words allow it.
typedef struct Cell {
  const char *text;
  int width;
} Cell;
// Prints a row, two blanks between cells, on as many lines as its longest cell needs.
void print_row(FILE *out, Cell *cell, int count);
#define REARRANGE_SUMMARY "named axes reordered, split, joined, repeated or stacked, as in einops"
// Help on an operator, rearrange, or a function of scripts; out NULL: only look it up. False: the name is unknown.
bool print_op_help(Arena *arena, const char *name, FILE *out);
// "slice(x, starts, ends, [axes], [steps])"; NULL: the name is unknown.
const char *op_signature(Arena *arena, const char *name);
// All names that have such help. Returns their number.
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
