// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Without LLVM, the targets are the rows of targets.def. They have everything that C, headers and pictures need. The
// default target is x86-64 Linux on any machine.
#include "codegen/machine/backend.h"

#include "codegen/machine/known.h"

const char *backend_version(Arena *arena) {
  (void)arena;
  return "no LLVM: C only (--emit=c)";
}

const char *backend_host_triple(Arena *arena) {
  (void)arena;
  return known_host;
}

const char *backend_triple(Arena *arena, const char *triple) {
  (void)arena;
  return known_triple(triple);
}

const char *backend_host_cpu(Arena *arena) {
  (void)arena;
  return "generic";
}

const char *backend_host_features(Arena *arena) {
  (void)arena;
  return "";
}

const char *backend_family(Arena *arena, const Target *target, Diag *diag) {
  (void)arena, (void)target;
  diag_error_file(diag, "no_llvm",
                  "this build of reshapec has no LLVM, so it knows only the targets of 'reshapec "
                  "--print-targets', with their options");
  return NULL;
}

bool backend_open(Arena *arena, const EmitOptions *options, Target *target, Diag *diag) {
  (void)arena, (void)options, (void)target, (void)diag;
  return true; // a row of targets.def
}

void backend_close(Target *target) { (void)target; }

void backend_find_unit(Target *target) { (void)target; }

bool backend_emit(Arena *arena, const Plan *const *plans, int count, const EmitOptions *options,
                  Target *target, EmitKind kind, bool passes, Bytes *out, Diag *diag) {
  (void)arena, (void)plans, (void)count, (void)options, (void)target, (void)kind, (void)passes,
      (void)out;
  diag_error_file(diag, "no_llvm",
                  "this build of reshapec has no LLVM, so it emits only C: write --emit=c, or use "
                  "a build with LLVM");
  return false;
}

void backend_abandon(void) {}

void backend_watch_memory(void (*failed)(void)) { (void)failed; }
