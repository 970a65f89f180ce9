// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reshapec fmt: writes texts in the standard layout. A file is replaced atomically, and only if it changes.
#include "driver/base/commands.h"
#include "driver/base/pipeline.h"
#include "frontend/data/output.h"
#include "grammar/format.h"

#include <string.h>

static Exit write_text(const char *path, const char *text, size_t length) {
  char error[512];
  bool good = file_write_whole(path, text, length, error, sizeof error);
  return good ? EXIT_DONE : input_error("%s", error);
}

static Exit format_file(const Options *options) {
  if (pipeline_is_model(options))
    return usage_error(COMMAND_FMT, "'%s' is a model, not a source file", options->file);
  Pipeline p;
  pipeline_start(&p, options);
  size_t length = 0;
  Source *source = pipeline_read_source(&p);
  const char *text = source ? format_source(p.arena, source, &length, &p.diag) : NULL;
  Exit status = pipeline_finish(&p, EXIT_DONE);
  if (!text)
    return status;
  bool same = length == source->length && memcmp(text, source->text, length) == 0;
  bool is_stream = strcmp(options->file, "-") == 0;
  if (options->check_only) {
    if (!same)
      puts(source->name);
    return same ? EXIT_DONE : EXIT_INPUT;
  }
  return same && !is_stream ? EXIT_DONE : write_text(options->file, text, length);
}

Exit command_fmt(const Options *options) { return each_file(options, format_file); }
