// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// verify --emit=c: compiles the C code to an object with the user's C compiler.
#include "driver/verify/verify_c.h"

#include "frontend/data/temporary.h"

#include <string.h>
#include <unistd.h>

const char *verify_c_compiler(const Options *options) { return options->cc ? options->cc : "cc"; }

// The command of the C compiler, with the path of its program first. False: it was reported.
static bool find_compiler(Pipeline *p, Words *words) {
  const Options *o = p->options;
  words_add(p->arena, words, verify_c_compiler(o));
  const char *program = words->count > 0 ? words->item[0] : "";
  const char *found = tool_find(p->arena, (const char *[]){program, NULL});
  if (!o->cc && !emit_is_host(&o->code))
    diag_error_file(&p->diag, "missing_tool",
                    "C code for '%s' needs a C compiler for it: name one, as in "
                    "--cc='arm-none-eabi-gcc -mcpu=cortex-m4'",
                    o->code.triple);
  else if (!found)
    diag_error_file(&p->diag, "missing_tool",
                    "the C compiler '%s' is missing: name another with --cc=", program);
  else
    words->item[0] = found;
  return p->diag.errors == 0;
}

static bool compile(Pipeline *p, const Words *compiler, const char *folder, const char *made) {
  Arena *arena = p->arena;
  const EmitOptions *code = &p->options->code;
  const char *log = folder_file(arena, folder, "log");
  char level = (char)(code->opt_level <= 3 ? '0' + code->opt_level : code->opt_level);
  Words words = {0};
  VEC_PUSH(arena, words, compiler->item[0]);
  words_add(arena, &words,
            arena_printf(arena, "-std=c99 -O%c%s", level, emit_is_host(code) ? " -fPIC" : ""));
  for (int i = 1; i < compiler->count; i++)
    VEC_PUSH(arena, words, compiler->item[i]);
  const char *const more[] = {"-c", arena_printf(arena, "%s/code.c", folder), "-o", made, NULL};
  for (int i = 0; i < 5; i++)
    VEC_PUSH(arena, words, more[i]);
  if (tool_run(words.item, log))
    return true;
  diag_error_file(&p->diag, "missing_tool", "'%s' rejects the C code: %s",
                  verify_c_compiler(p->options), tool_complaint(arena, log));
  return false;
}

// The libraries that the compiler links with, as far as it has them: C code may call them.
static void find_libraries(Pipeline *p, const Words *compiler, const char *folder, Words *out) {
  static const char *const question[] = {"-print-file-name=libm.a", "-print-file-name=libc.a",
                                         "-print-libgcc-file-name"};
  const char *log = folder_file(p->arena, folder, "library");
  for (size_t i = 0; i < sizeof question / sizeof *question; i++) {
    Words words = {0};
    for (int k = 0; k < compiler->count; k++)
      VEC_PUSH(p->arena, words, compiler->item[k]);
    VEC_PUSH(p->arena, words, question[i]);
    VEC_PUSH(p->arena, words, NULL);
    Bytes answer;
    if (!tool_run(words.item, log) || !file_read_whole(p->arena, log, &answer))
      continue;
    const char *end = memchr(answer.data, '\n', answer.size);
    const char *path =
        arena_text(p->arena, answer.data, end ? (size_t)(end - answer.data) : answer.size);
    if (*path == '/' && access(path, R_OK) == 0)
      VEC_PUSH(p->arena, *out, path);
  }
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

static bool compile_in(Pipeline *p, const char *folder, Bytes text, Bytes header, Bytes *object,
                       Words *libraries) {
  const char *name = p->options->header;
  Words compiler = {0};
  if (!find_compiler(p, &compiler))
    return false;
  if (!folder || !folder_put(p->arena, folder, "code.c", text) ||
      (name && !folder_put(p->arena, folder, path_base(name), header))) {
    diag_error_file(&p->diag, "bad_file", "cannot create a folder for the C compiler");
    return false;
  }
  const char *made = folder_file(p->arena, folder, "code.o");
  bool good = compile(p, &compiler, folder, made) && read_object(p, made, object);
  if (good && !emit_is_host(&p->options->code))
    find_libraries(p, &compiler, folder, libraries);
  return good;
}

bool verify_compile_c(Pipeline *p, Bytes text, Bytes header, Bytes *object, Words *libraries) {
  const char *folder = folder_make(p->arena);
  bool good = compile_in(p, folder, text, header, object, libraries);
  if (folder)
    temporary_remove(folder);
  return good;
}
