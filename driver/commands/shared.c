// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --emit=so: the C compiler of the target machine links the object to a shared library. Programs load it with dlopen(),
// or ctypes of Python:
//
//   graph turned(x: u8[2, 3]) -> y { ... }
//
//     turned = ctypes.CDLL("./turned.so").turned
#include "driver/base/commands.h"
#include "driver/base/pipeline.h"
#include "driver/base/tools.h"
#include "frontend/data/temporary.h"

#include <string.h>
#include <unistd.h>

// The path of librsh_runtime.a: in the folder of this program (build tree) or in ../lib (installed); NULL: not found.
static const char *find_runtime(Arena *arena) {
  static const char *const places[] = {"librsh_runtime.a", "../lib/librsh_runtime.a"};
  char self[4096];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  while (length > 0 && self[length - 1] != '/')
    length--;
  for (size_t i = 0; i < sizeof places / sizeof *places && length > 0; i++) {
    const char *path = arena_printf(arena, "%.*s%s", (int)length, self, places[i]);
    if (access(path, R_OK) == 0)
      return path;
  }
  return NULL;
}

// The compiler named by --cc, or that of this machine. Its first word becomes the path of the program. False: reported.
static bool find_linker(const Options *o, Words *words, Diag *diag) {
  static const char *const drivers[] = {"cc", "gcc", "clang", NULL};
  if (o->cc)
    words_add(o->arena, words, o->cc);
  const char *program = words->count > 0 ? words->item[0] : NULL;
  const char *found = tool_find(o->arena, o->cc ? (const char *[]){program, NULL} : drivers);
  if (!o->cc && !emit_is_host(&o->code))
    diag_error_file(
        diag, "missing_tool",
        "--emit=so links with a C compiler: name one for '%s', as in --cc=aarch64-linux-gnu-gcc",
        o->code.triple);
  else if (!found)
    diag_error_file(diag, "missing_tool",
                    "--emit=so links with a C compiler, but there is no %s: name one with --cc=",
                    o->cc ? arena_printf(o->arena, "'%s'", program) : "cc, gcc or clang");
  else if (words->count > 0)
    words->item[0] = found;
  else
    VEC_PUSH(o->arena, *words, found);
  return diag->errors == 0;
}

static bool link_in(const Pipeline *p, const char *folder, const char *soname, Words words,
                    Bytes object, Bytes *library, Diag *diag) {
  const Options *o = p->options;
  Arena *arena = p->arena;
  if (!folder || !folder_put(arena, folder, "object.o", object)) {
    diag_error_file(diag, "bad_file", "cannot create a folder for the linker: set TMPDIR");
    return false;
  }
  bool is_dynamic = false;
  for (int i = 0; i < p->plan.count; i++)
    is_dynamic = is_dynamic || p->plan.item[i]->tape;
  const char *to = folder_file(arena, folder, "library.so"),
             *log = folder_file(arena, folder, "log");
  const char *const fixed[] = {"-shared",
                               "-Wl,-z,defs",
                               "-Wl,--exclude-libs,ALL",
                               "-Xlinker", // takes a name with a comma, unlike -Wl
                               arena_printf(arena, "-soname=%s", soname),
                               "-o",
                               to,
                               arena_printf(arena, "%s/object.o", folder)};
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
    VEC_PUSH(arena, words, fixed[i]);
  const char *runtime = o->runtime               ? o->runtime
                        : emit_is_host(&o->code) ? find_runtime(arena)
                                                 : NULL;
  if (is_dynamic)
    VEC_PUSH(arena, words, runtime ? runtime : "-l:librsh_runtime.a");
  VEC_PUSH(arena, words, "-lm");
  VEC_PUSH(arena, words, NULL);
  if (tool_run(words.item, log) && file_read_whole(arena, to, library))
    return true;
  diag_error_file(diag, "missing_tool", "'%s' cannot link the library: %s%s", words.item[0],
                  tool_complaint(arena, log),
                  is_dynamic && !runtime
                      ? "; --runtime names the runtime library, which dynamic graphs call"
                      : "");
  return false;
}

bool shared_link(Pipeline *p, const char *name, Bytes object, Bytes *library) {
  Words words = {0};
  if (!find_linker(p->options, &words, &p->diag))
    return false;
  const char *folder = folder_make(p->arena);
  const char *soname = strcmp(name, "-") == 0 ? "kernels.so" : path_base(name);
  bool good = link_in(p, folder, soname, words, object, library, &p->diag);
  if (folder)
    temporary_remove(folder);
  return good;
}
