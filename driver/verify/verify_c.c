// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// verify --emit=c: compiles the C code to an object with the user's C compiler.
#include "driver/verify/verify_c.h"

#include "driver/base/tools.h"
#include "frontend/data/temporary.h"

#include <string.h>

const char *verify_c_compiler(const Options *options) { return options->cc ? options->cc : "cc"; }

static bool compile(Pipeline *p, const char *folder, const char *made) {
  Arena *arena = p->arena;
  const EmitOptions *code = &p->options->code;
  const char *log = folder_file(arena, folder, "log");
  char level = (char)(code->opt_level <= 3 ? '0' + code->opt_level : code->opt_level);
  Words given = {0}, words = {0};
  words_add(arena, &given, verify_c_compiler(p->options));
  const char *program = given.count > 0 ? given.item[0] : "";
  const char *found = tool_find(arena, (const char *[]){program, NULL});
  if (!found) {
    diag_error_file(&p->diag, "missing_tool",
                    "the C compiler '%s' is missing: name another with --cc=", program);
    return false;
  }
  VEC_PUSH(arena, words, found);
  words_add(arena, &words, arena_printf(arena, "-std=c99 -O%c -fPIC", level));
  for (int i = 1; i < given.count; i++)
    VEC_PUSH(arena, words, given.item[i]);
  const char *const more[] = {"-c", arena_printf(arena, "%s/code.c", folder), "-o", made, NULL};
  for (int i = 0; i < 5; i++)
    VEC_PUSH(arena, words, more[i]);
  if (tool_run(words.item, log))
    return true;
  diag_error_file(&p->diag, "missing_tool", "'%s' rejects the C code: %s",
                  verify_c_compiler(p->options), tool_complaint(arena, log));
  return false;
}

static bool read_object(Pipeline *p, const char *path, Bytes *object) {
  const char *why;
  const Source *source = source_read(p->arena, path, &why);
  if (source)
    *object = (Bytes){source->text, source->length};
  else
    diag_error_file(&p->diag, "bad_file", "cannot read the object of the C compiler: %s", why);
  return source != NULL;
}

static bool compile_in(Pipeline *p, const char *folder, Bytes text, Bytes header, Bytes *object) {
  const char *name = p->options->header;
  if (!folder || !folder_put(p->arena, folder, "code.c", text) ||
      (name && !folder_put(p->arena, folder, path_base(name), header))) {
    diag_error_file(&p->diag, "bad_file", "cannot create a folder for the C compiler");
    return false;
  }
  const char *made = folder_file(p->arena, folder, "code.o");
  return compile(p, folder, made) && read_object(p, made, object);
}

bool verify_compile_c(Pipeline *p, Bytes text, Bytes header, Bytes *object) {
  if (!emit_is_host(&p->options->code)) {
    diag_error_file(
        &p->diag, "unsupported",
        "C code can only be verified for this machine: leave out --target=%s, or --emit=c",
        p->options->code.triple);
    return false;
  }
  const char *folder = folder_make(p->arena);
  bool good = compile_in(p, folder, text, header, object);
  if (folder)
    temporary_remove(folder);
  return good;
}
