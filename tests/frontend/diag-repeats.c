// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A repeated message at the same position is kept once, together with its notes; warnings can be made errors; the
// suggested name is the nearest.
//
// RUN: %{cc} %{cflags} %s -o %t %{libs}
// RUN: %t 2>&1 | FileCheck %s
#include "frontend/text/diag.h"

#include <assert.h>

int main(void) {
  Arena *arena = arena_new();
  Diag diag = {.arena = arena, .source = source_from_text(arena, "a.rsh", "one two", 7)};
  for (int i = 0; i < 2; i++) {
    diag_error(&diag, (Span){0, 3}, "kind", "first %d", 1);
    diag_note(&diag, (Span){4, 7}, "its note");
  }
  diag_error(&diag, (Span){0, 3}, "kind", "second");
  diag_error(&diag, (Span){0, 2}, "kind", "second");
  diag_warning(&diag, (Span){0, 3}, "kind", "third");
  assert(diag.errors == 3 && diag.warnings == 1);
  diag.warnings_are_errors = true;
  diag_warning(&diag, (Span){4, 7}, "kind", "fourth");
  assert(diag.errors == 4 && diag.warnings == 1);
  diag_print(&diag, stdout, false);
  // CHECK:      a.rsh:1:1: error: first 1
  // CHECK-NEXT: one two
  // CHECK-NEXT: ^~~
  // CHECK-NEXT: a.rsh:1:5: note: its note
  // CHECK-NEXT: one two
  // CHECK-NEXT: {{^    \^~~$}}
  // CHECK-NEXT: a.rsh:1:1: error: second
  // CHECK:      a.rsh:1:1: error: second
  // CHECK:      a.rsh:1:1: warning: third
  // CHECK:      a.rsh:1:5: error: fourth

  static const char *const names[] = {"reshape", "transpose", "pad"};
  assert(diag_nearest("reshpae", names, 3) == names[0]);
  assert(diag_nearest("tranpose", names, 3) == names[1]);
  assert(diag_nearest("pod", names, 3) == names[2]);
  assert(!diag_nearest("stack", names, 3) && !diag_nearest("", names, 3));
  arena_free(arena);
  return 0;
}
