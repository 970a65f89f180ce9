// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --emit=wasm: links a WebAssembly object to a standalone module, which engines load directly. It exports its
// functions, its memory, and __heap_base, where the caller's part of the memory begins:
//
//   graph turned(x: u8[2, 3]) -> y { ... }
//
//     const {turned, memory, __heap_base} = (await WebAssembly.instantiate(bytes)).instance.exports;
//     new Uint8Array(memory.buffer).set(x, __heap_base.value);
//     turned(__heap_base.value, __heap_base.value + 6);
#include "driver/base/commands.h"
#include "driver/base/tools.h"

bool wasm_link(const Options *o, Bytes object, Bytes *module, Diag *diag) {
  static const char *const linkers[] = {"wasm-ld-19", "wasm-ld-22", "wasm-ld", NULL};
  Arena *arena = o->arena;
  const char *linker = tool_find(arena, linkers), *folder = linker ? folder_make(arena) : NULL;
  if (!linker) {
    diag_error_file(diag, "bad_target", "--emit=wasm needs 'wasm-ld', the linker of LLVM");
    return false;
  }
  if (!folder || !folder_put(arena, folder, "object.o", object)) {
    diag_error_file(diag, "bad_target", "--emit=wasm needs a folder for files: set TMPDIR");
    return false;
  }
  const char *from = arena_printf(arena, "%s/object.o", folder);
  const char *to = folder_file(arena, folder, "module.wasm"),
             *log = folder_file(arena, folder, "log");
  const char *command[] = {linker,
                           "--no-entry",
                           "--export-dynamic",
                           "--export=__heap_base",
                           "--gc-sections",
                           "-o",
                           to,
                           from,
                           o->runtime,
                           NULL};
  if (tool_run(command, log) && file_read_whole(arena, to, module))
    return true;
  diag_error_file(diag, "bad_target", "cannot link the module: %s", tool_complaint(arena, log));
  return false;
}
