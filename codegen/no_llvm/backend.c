// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Without LLVM there is one target, x86-64 with Linux, of which the compiler itself knows all that C, headers and
// pictures need: the same C as that of a build with LLVM on such a machine.
#include "codegen/machine/backend.h"

#define TRIPLE "x86_64-pc-linux-gnu"

const char *backend_version(Arena *arena) {
  (void)arena;
  return "no LLVM: C only (--emit=c)";
}

const char *backend_host_triple(Arena *arena) {
  (void)arena;
  return TRIPLE;
}

const char *backend_triple(Arena *arena, const char *triple) {
  (void)arena;
  return triple;
}

const char *backend_host_cpu(Arena *arena) {
  (void)arena;
  return "generic";
}

const char *backend_host_features(Arena *arena) {
  (void)arena;
  return "";
}

const char *backend_family(Arena *arena, const EmitOptions *options, const Target *target,
                           Diag *diag) {
  (void)arena, (void)target;
  const char *asked = options->triple     ? "--target"
                      : options->cpu      ? "-mcpu"
                      : options->features ? "-mattr"
                      : options->abi      ? "-mabi"
                                          : NULL;
  if (!asked)
    return "x86-64";
  diag_error_file(diag, "no_llvm",
                  "this build of reshapec has no LLVM, so it knows only " TRIPLE
                  ": leave out %s, or use a build with LLVM",
                  asked);
  return NULL;
}

bool backend_open(Arena *arena, const EmitOptions *options, Target *target, Diag *diag) {
  (void)arena, (void)options, (void)diag;
  target->pointer = 64;
  target->is_big = false;
  return true;
}

void backend_close(Target *target) { (void)target; }

// x86-64 has all of it.
void target_find_unit(Target *target, const Plan *const *plans, int count) {
  (void)target, (void)plans, (void)count;
}

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
