// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A target as data.
#ifndef CODEGEN_DESCRIBE_H
#define CODEGEN_DESCRIBE_H

#include "codegen/machine/known.h"
#include "codegen/plan/emit_options.h"
#include "codegen/plan/strategy.h"

// The target, and the options that all functions of a module share.
typedef struct Target {
  struct LLVMOpaqueTargetMachine *machine; // LLVMTargetMachineRef; NULL: none yet
  const KnownTarget *known;                // NULL: LLVM describes the target
  const char *triple;
  const char *cpu;         // as LLVM names it, in the arena
  const char *features;    // the same
  const char *passes;      // pipeline for LLVMRunPasses,
  const char *loop_passes; // and for functions before it (optimize.c); NULL: none
  const Source *source;    // for line information; NULL: no line information
  char level;              // '0' ... '3', 's', 'z'
  bool parallel;           // emit tasks
  unsigned levels;         // x86-64 levels of --multiversion: bit 1 << level
  int version;             // the level of the current functions, or 0
  bool freestanding;       // code must not need a library,
  bool libm;               // except libm,
  bool library;            // and except memcpy and memset
  int pointer;             // bits of a pointer
  bool is_big;             // big-endian
  bool is_arm;             // 32-bit Arm with its embedded ABI
  bool is_wasm;
  bool sections; // one section per function
  bool is_fixed; // code is not position-independent
  bool divides;  // see Gen
  bool multiplies_long;
  bool keeps_loops; // LLVM keeps the emitted induction variables
  bool small;       // size counts more than speed
  bool has_loops;   // one instruction counts and branches, if nothing reads the count (Armv8.1-M)
  bool
      counts_down; // loops count down to 0, which needs no comparison; else they compare end pointers
  bool
      adds_compare; // all additions set the flags (Thumb-1); the innermost loops have no count there
  int64_t reach;    // bytes that one instruction can add to or subtract from a pointer
  bool wide;        // wide loads and stores need only the alignment of an element
  Machine can;
} Target;

// This machine, for -mcpu=native: "znver5", "+sse2,+avx2".
typedef struct Host {
  const char *cpu, *features;
} Host;

// "arm-none-eabi" with -mcpu=cortex-m4 is "thumbv7em-none-eabi".
const char *target_triple(Arena *arena, const char *triple, const char *cpu);
// Sets what the triple and the options determine. `host` NULL: -mcpu names another processor.
void target_describe(Arena *arena, const EmitOptions *options, const char *triple, const Host *host,
                     Target *target);
// Sets what the family of the processor determines: "x86-64", "aarch64".
void target_set_family(Arena *arena, Target *target, const char *family);
// The target at an x86-64 level.
Target target_version(const Target *target, int level);
// Whether a processor by its name has the instructions of Armv8.1-M.
bool cpu_is_armv81m(const char *cpu);
// The calling convention that options name, or that C compilers choose for the target; NULL: the target has only one.
const char *target_abi(const Target *target, const EmitOptions *options);
// Why the target has no such ABI; NULL: it has, `abi` is NULL, or LLVM checks it.
const char *target_wrong_abi(Arena *arena, const Target *target, const char *abi);

#endif
