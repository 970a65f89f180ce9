// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The texts of --help.
#include "driver/base/options.h"

#include <string.h>

#define USAGE                                                                                      \
  "usage: reshapec FILE [-o OUT.o] [--header OUT.h]     compile\n"                                 \
  "       reshapec FILE ... [-o DIR/]                   compile each, with a header\n"             \
  "       reshapec check FILE ... [--json | --sarif]    only report errors\n"                      \
  "       reshapec explain FILE [GRAPH] [--json]        explain each result\n"                     \
  "       reshapec run FILE [GRAPH] NAME=FILE.npy ...   compile in memory and run\n"               \
  "       reshapec run SCRIPT [ARGUMENT ...]            run a script\n"                            \
  "       reshapec                                      run statements at a prompt\n"              \
  "       reshapec chains MODEL.onnx [-o OUT.o]         find the chains of a model\n"              \
  "       reshapec fmt FILE ... [--check]               format source files\n"                     \
  "       reshapec optimize MODEL.onnx -o NEW.onnx      remove nodes of a model\n"                 \
  "       reshapec verify FILE [GRAPH] [--json]         verify the machine code\n"                 \
  "       reshapec tune FILE [GRAPH] [-o FILE]          find the fastest kernels\n"                \
  "       reshapec explain-error [NAME]                 explain a kind of error\n"                 \
  "       reshapec lsp                                  serve an editor\n"

void print_usage(FILE *out) { fputs(USAGE, out); }

// What begins and what ends the help on each command.
static const struct {
  const char *usage, *examples;
} texts[COMMAND_COUNT] = {
    [COMMAND_COMPILE] =
        {"Compiles chains of reshape and layout operators to object code.\n\n" USAGE,
         "  reshapec model.rsh -o model.o --header model.h\n"
         "  reshapec model.rsh -o arm.o -Os --target=aarch64-linux-gnu -mcpu=cortex-a53\n"
         "  reshapec model.onnx -o model.o --header model.h\n"},
    [COMMAND_CHECK] =
        {"Reports errors in files, including broken 'view' contracts. Writes nothing.\n\n"
         "usage: reshapec check FILE ... [--json | --sarif]\n",
         "  reshapec check model.rsh\n"
         "  reshapec check -Werror model.rsh\n"
         "  reshapec check --json - < model.rsh\n"},
    [COMMAND_EXPLAIN] =
        {"Shows how each result is computed (as an alias, by a copy kernel, or by a call\n"
         "of the runtime library), and why. Lists the conditions that calls must meet, and\n"
         "the loops in the order in which they run, with both strides in elements.\n\n"
         "usage: reshapec explain FILE [GRAPH] [--cost | --json | --dot | --svg | --html]\n",
         "  reshapec explain model.rsh\n"
         "  reshapec explain model.rsh split_heads --cost -mcpu=znver4\n"
         "  reshapec explain model.rsh --json | jq '.graphs[].outputs[].tier'\n"
         "  reshapec explain model.rsh --svg > model.svg\n"},
    [COMMAND_RUN] =
        {"Compiles a graph in memory and runs it on .npy files: reads parameters and\n"
         "writes results. Give a file for each parameter and for at least one result.\n"
         "GRAPH may be omitted if FILE has one graph.\n"
         "A FILE with statements outside of graphs is a script: its statements are run,\n"
         "and 'args' is the list of the arguments after it.\n"
         "With -e, the statements come from the command line. A file given for a name is\n"
         "read, or written if the statements define that name. A file without a name\n"
         "receives the value of the last statement.\n\n"
         "usage: reshapec run FILE [GRAPH] NAME=FILE.npy ...\n"
         "       reshapec run SCRIPT [ARGUMENT ...]\n"
         "       reshapec run -e STATEMENTS [NAME=FILE.npy ...] [FILE.npy ...]\n",
         "  reshapec run model.rsh x=in.npy y=out.npy\n"
         "  reshapec run model.rsh split_heads x=in.npy y=out.npy\n"
         "  reshapec run model.rsh x=- y=- < in.npy > out.npy\n"
         "  reshapec run -e 'rearrange(x, \"n h w c -> n c h w\")' x=in.npy out.npy\n"},
    [COMMAND_CHAINS] =
        {"Finds the chains of an ONNX or OpenVINO (.xml) model: the groups of operators\n"
         "that only move data, whatever the others compute. Shows how each is compiled.\n"
         "With -o it compiles all chains, one function each, and writes a .json file next\n"
         "to the object that lists the nodes that each function replaces.\n"
         "With --split it also splits the model into these chains and the parts between\n"
         "them, as ONNX files for any engine, and writes a driver in C that runs the steps\n"
         "in order. A chain of two nodes or more leaves the model if it writes fewer bytes\n"
         "than its nodes; with --split=all, every chain that compiles does.\n\n"
         "usage: reshapec chains MODEL.onnx [--json | --dot | --svg | --html]\n"
         "                                  [-o OUT.o] [--header OUT.h] [--split]\n",
         "  reshapec chains model.onnx\n"
         "  reshapec chains model.onnx --html > chains.html\n"
         "  reshapec chains model.onnx -o chains.o --header chains.h\n"
         "  reshapec chains model.onnx --split -o model/\n"},
    [COMMAND_OPTIMIZE] =
        {"Writes an ONNX model with fewer nodes: each chain of nodes that only move data\n"
         "becomes the fewest equivalent nodes, at most Reshape, Transpose and Reshape.\n"
         "Merges equal nodes, and removes unused ones. The rest of the file is unchanged.\n"
         "Reports each chain that changed. With --check it also runs both models on random\n"
         "inputs in the onnxruntime of python3, and compares their outputs.\n\n"
         "usage: reshapec optimize MODEL.onnx -o NEW.onnx [--check] [--json]\n",
         "  reshapec optimize model.onnx -o better.onnx\n"
         "  reshapec optimize model.onnx -o better.onnx --check\n"
         "  reshapec optimize model.onnx -o - > better.onnx\n"},
    [COMMAND_FMT] =
        {"Formats source files in place, or standard input to standard output. Tokens\n"
         "and comments are preserved. With --check it lists the files that would change,\n"
         "and exits with 1 if there are any.\n\n"
         "usage: reshapec fmt FILE ... [--check]\n",
         "  reshapec fmt model.rsh\n"
         "  reshapec fmt --check *.rsh\n"
         "  reshapec fmt - < model.rsh\n"},
    [COMMAND_VERIFY] =
        {"Compiles a file and runs the machine code in guarded memory, with inputs\n"
         "that encode the position of each element, at every alignment that the header\n"
         "allows. Compares the results with those of a reference interpreter, and scans\n"
         "the code for errors that runs cannot detect. Code for another machine runs under\n"
         "an emulator (qemu); C code is compiled with cc. Prints what was proved.\n\n"
         "usage: reshapec verify FILE [GRAPH] [--emit=c] [--json]\n",
         "  reshapec verify model.rsh\n"
         "  reshapec verify model.rsh split_heads -O3 -mcpu=native\n"
         "  reshapec verify model.rsh --target=thumbv7em-none-eabihf -mcpu=cortex-m4\n"
         "  reshapec verify model.rsh --emit=c --cc='gcc -Os'\n"
         "  reshapec verify model.onnx --json > certificate.json\n"},
    [COMMAND_TUNE] =
        {"Measures alternative implementations of the moves of static graphs on this\n"
         "machine: first those near the planner's choice, then those near the fastest;\n"
         "with --all, every one. Writes the fastest to a text file for --tuning; entries\n"
         "of the file for other moves and processors are kept. Results are compared byte\n"
         "by byte. With --machine it measures the parameters of the cost model instead,\n"
         "such as prefetch distances. This takes less than a minute.\n\n"
         "usage: reshapec tune FILE [GRAPH] [-o FILE.tuning] [--all] [--json]\n"
         "       reshapec tune --machine [-o FILE.tuning]\n",
         "  reshapec tune model.rsh\n"
         "  reshapec tune --machine -o model.tuning\n"
         "  reshapec model.rsh -mcpu=native --tuning=model.tuning -o model.o\n"},
    [COMMAND_EXPLAIN_ERROR] =
        {"Prints the meaning of a kind of error, an example and its correction. NAME is a\n"
         "status that functions return, its number, or the kind of a message, as in\n"
         "'check --json'. Without NAME, lists all kinds.\n\n"
         "usage: reshapec explain-error [NAME] [--json]\n",
         "  reshapec explain-error volume_mismatch\n"
         "  reshapec explain-error RSH_guard_failed\n"
         "  reshapec explain-error --json\n"},
    [COMMAND_LSP] =
        {"Serves an editor through the Language Server Protocol 3.17 on standard input and\n"
         "output: messages while you type, sizes of values, costs of results, completion,\n"
         "renaming, formatting and fixes. The editor starts it.\n\n"
         "usage: reshapec lsp\n",
         "  reshapec lsp\n"
         "  reshapec lsp -Werror\n"
         "  reshapec lsp --target=thumbv7em-none-eabi -mcpu=cortex-m4\n"},
};

// In "fmt: only list files; optimize: compare outputs", the part for a command and its length; NULL: there is none.
static const char *help_of_command(const char *help, Command command, size_t *length) {
  char label[32];
  snprintf(label, sizeof label, "%s: ", command_name(command));
  const char *own = strstr(help, label);
  if (own) {
    own += strlen(label);
    *length = strcspn(own, ";");
  }
  return own;
}

void print_help(Command command, FILE *out) {
  fprintf(out, "%s\noptions:\n", texts[command].usage);
  OptionInfo option;
  for (int i = 0; option_at(i, &option); i++) {
    // `verify` accepts two kinds of output only
    bool verifies = command == COMMAND_VERIFY && strcmp(option.spelling, "--emit") == 0;
    const char *shown = verifies ? "--emit=obj|c" : option.shown;
    const char *help = verifies ? "output to verify (default obj)" : option.help;
    size_t length = strlen(help);
    const char *own = command == COMMAND_COMPILE ? NULL : help_of_command(help, command, &length);
    bool is_wide = strlen(shown) > 30;
    if (option.commands & 1u << command)
      fprintf(out, "  %-30s%s%*s%.*s\n", shown, is_wide ? "\n" : " ", is_wide ? 33 : 0, "",
              (int)length, own ? own : help);
  }
  fprintf(out,
          "\nexamples:\n%s\nexit status: 0 success, 1 wrong input, 2 wrong command line, 3 "
          "internal error\n",
          texts[command].examples);
}
