// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The target, and the interface to LLVM. Two folders implement these functions and those of jit.h:
//
//   codegen/llvm       objects, assembly, LLVM IR and code in memory for all targets; C
//   codegen/no_llvm    C for the targets of targets.def; an error for the rest (make LLVM=0, and the playground)
//
// A build links one of them.
#ifndef CODEGEN_BACKEND_H
#define CODEGEN_BACKEND_H

#include "codegen/machine/describe.h"
#include "codegen/machine/target.h"

// False: a message was reported ("bad_target"). LLVM is asked only about targets that are not in targets.def, since
// its start takes longer than `--emit=c` and `explain` do without it.
bool target_open(Arena *arena, const EmitOptions *options, Target *target, Diag *diag);
void target_free(Target *target);
// Determines the floating-point instructions of the target, if the plans may need them.
void target_find_unit(Target *target, const Plan *const *plans, int count);

// ---- Implemented twice

// "LLVM 19.1.7", for --version.
const char *backend_version(Arena *arena);
// The triple of this machine, and a triple in its normal form: "x86_64-linux-gnu" is "x86_64-unknown-linux-gnu".
const char *backend_host_triple(Arena *arena);
const char *backend_triple(Arena *arena, const char *triple);
// The processor of this machine, and its features: "znver5", "+sse2,+avx2".
const char *backend_host_cpu(Arena *arena);
const char *backend_host_features(Arena *arena);

// Of a target that is not in targets.def: the name of its family, "x86-64", "aarch64". NULL: there is no such
// target; reported.
const char *backend_family(Arena *arena, const Target *target, Diag *diag);
// Opens the machine, unless it is open, and fills in the size of its pointers and its byte order. False: reported.
bool backend_open(Arena *arena, const EmitOptions *options, Target *target, Diag *diag);
void backend_close(Target *target);
// Determines the floating-point instructions of an open machine.
void backend_find_unit(Target *target);

// Compiles plans for an open machine to one object, or to assembly, LLVM IR or bitcode. `passes`: see emit_code. False:
// reported.
bool backend_emit(Arena *arena, const Plan *const *plans, int count, const EmitOptions *options,
                  Target *target, EmitKind kind, bool passes, Bytes *out, Diag *diag);

// Releases the process-wide resources that this thread holds, after a jump out of its work (frontend/text/rescue.h).
void backend_abandon(void);
// Calls `failed` when LLVM or the C++ library runs out of memory. For programs only: it affects the whole process.
void backend_watch_memory(void (*failed)(void));

#endif
