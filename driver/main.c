// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reshapec: parses the command line, runs the command, and checks that its output was written.
#include "codegen/machine/backend.h"
#include "driver/base/commands.h"

#include "frontend/data/temporary.h"
#include "frontend/text/rescue.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

static void *json_memory(size_t size) { return memory_of(malloc(size)); }

// Without the destructors of LLVM's globals: their constructors may be what lacks memory.
static void new_failed(void) {
  rescue_jump("out of memory", true);
  fputs("reshapec: error: out of memory\n", stderr);
  fflush(stdout);
  temporary_remove_all();
  _exit(EXIT_INTERNAL);
}

// If an allocation fails, also in a library, the program ends with a message. Otherwise LLVM would abort, even in its
// static constructors, which run after this one; Jansson would silently omit parts of its output.
__attribute__((constructor(101))) static void watch_memory(void) {
  backend_watch_memory(new_failed);
  json_set_alloc_funcs(json_memory, free);
}

// A file that is opened while standard output is closed would get its descriptor and receive the printed text. Instead,
// /dev/null takes the descriptor, opened so that writes fail (reads, for standard input).
static void occupy_standard_files(void) {
  for (int fd = 0; fd <= 2; fd++)
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0)
      _exit(EXIT_INTERNAL);
}

static Exit print_and_exit(const Options *options) {
  switch (options->print) {
  case PRINT_HELP:
    print_help(options->command, stdout);
    break;
  case PRINT_OP_HELP:
    (void)print_op_help(options->arena, options->op, stdout);
    break;
  case PRINT_VERSION:
    print_version(stdout);
    break;
  case PRINT_OPS:
    print_ops(stdout);
    break;
  case PRINT_TARGETS:
    print_targets(stdout);
    break;
  case PRINT_STATUSES:
    print_statuses(stdout);
    break;
  case PRINT_COMPLETIONS:
    print_completions(options->shell, stdout);
    break;
  case PRINT_NOTHING:
    break;
  }
  return EXIT_DONE;
}

static Exit run_command(const Options *options) {
  switch (options->command) {
  case COMMAND_COMPILE:
    return command_compile(options);
  case COMMAND_CHECK:
    return command_check(options);
  case COMMAND_EXPLAIN:
    return command_explain(options);
  case COMMAND_RUN:
    return command_run(options);
  case COMMAND_CHAINS:
    return command_chains(options);
  case COMMAND_FMT:
    return command_fmt(options);
  case COMMAND_OPTIMIZE:
    return command_optimize(options);
  case COMMAND_VERIFY:
    return command_verify(options);
  case COMMAND_TUNE:
    return command_tune(options);
  case COMMAND_EXPLAIN_ERROR:
    return command_explain_error(options);
  case COMMAND_LSP:
    return command_lsp(options);
  case COMMAND_COUNT:
    break;
  }
  return EXIT_INTERNAL;
}

// Each attempt of a search has an arena of its own. glibc would return the memory of one to the system, and get it back
// for the next: a verification of 7 s takes 2 without that.
static void keep_freed_memory(void) {
#ifdef __GLIBC__
  enum { KEPT = 64 << 20 };
  mallopt(M_TRIM_THRESHOLD, KEPT);
#endif
}

int main(int argc, char **argv) {
  keep_freed_memory();
  atexit(temporary_remove_all); // for exits on lack of memory
  occupy_standard_files();
  bool is_repl = argc < 2 && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
  if (argc < 2 && !is_repl) {
    print_usage(stderr);
    fputs("try 'reshapec --help'\n", stderr);
    return EXIT_USAGE;
  }
  Arena *arena = arena_new();
  Options options;
  Exit status = EXIT_USAGE;
  if (is_repl)
    status = command_repl(arena);
  else if (options_parse(&options, arena, argc, argv))
    status = options.print != PRINT_NOTHING ? print_and_exit(&options) : run_command(&options);
  bool failed = ferror(stdout) != 0;
  const char *why = fflush(stdout) != 0 ? strerror(errno) : NULL; // unknown of an earlier failure
  if (why || failed) {
    Exit lost = input_error("cannot write to standard output%s%s", why ? ": " : "", why ? why : "");
    status = status == EXIT_DONE ? lost : status;
  }
  arena_free(arena);
  return status;
}
