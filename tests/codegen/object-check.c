// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && %{cc} %{cflags} %s -o check %{libs}
// RUN: printf 'extern int other; int own = 1; int g(void) { return other + own; }' > a.c && %{cc} -c a.c && ./check 2>&1 | FileCheck %s --check-prefix=DATA
// RUN: printf 'static int own; int g(void) { return own++; }' > a.c && %{cc} -c a.c && ./check 2>&1 | FileCheck %s --check-prefix=BSS
// RUN: printf 'float tanhf(float); float g(float x) { return tanhf(x); }' > a.c && %{cc} -c a.c && ./check 2>&1 | FileCheck %s --check-prefix=LIBM
// RUN: printf 'const int own = 1; int g(void) { return own; }' > a.c && %{cc} -c a.c && ./check 2>&1 | FileCheck %s --check-prefix=GOOD
//
// What an object may depend on, judged by its symbols and sections: for a machine without an operating system, and for
// one where it may call libm.
// DATA: freestanding: unsupported: code for 'm' would need 'other' from a library
// DATA: freestanding: unsupported: code for 'm' would have writable data in section '.data'
// DATA: hosted: unsupported: code for 'm' would need 'other' from a library
// DATA-NOT: writable
// BSS: freestanding: unsupported: {{.*}} in section '.bss'
// BSS: hosted: good
// LIBM: freestanding: unsupported: code for 'm' would need 'tanhf' from a library
// LIBM: hosted: good
// GOOD: freestanding: good
// GOOD: hosted: good
#include "codegen/llvm/llvm_module.h"

#include <stdio.h>

static void check(const char *what, Target target) {
  Arena *arena = arena_new();
  Diag diag = {.arena = arena};
  char *message;
  LLVMMemoryBufferRef object;
  if (LLVMCreateMemoryBufferWithContentsOfFile("a.o", &object, &message))
    return;
  LLVMContextRef context = LLVMContextCreate();
  if (object_check(arena, object, context, "a.c", &target, NULL, 0, &diag))
    printf("%s: good\n", what);
  for (int i = 0; i < diag.list.count; i++)
    printf("%s: %s: %s\n", what, diag.list.item[i].kind, diag.list.item[i].message);
  LLVMDisposeMemoryBuffer(object);
  LLVMContextDispose(context);
  arena_free(arena);
}

int main(void) {
  char machine[] = "m";
  check("freestanding", (Target){.triple = machine, .freestanding = true});
  check("hosted", (Target){.triple = machine, .libm = true});
  return 0;
}
