// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From plans to bytes: LLVM IR, assembly, objects, bitcode, the C header, and code in memory.
#ifndef CODEGEN_EMIT_H
#define CODEGEN_EMIT_H

#include "codegen/plan.h"
#include "codegen/report.h"

// Bytes that a graph may take of the machine; below 0: any.
typedef struct Limit {
  int64_t stack, text;
} Limit;

typedef struct EmitOptions {
  const char *triple;   // NULL: the host
  const char *cpu;      // NULL: generic; "native": this machine
  const char *features; // NULL: none
  const char *abi;      // NULL: the target's own
  int opt_level;        // 0..3; 's' and 'z' for size
  bool freestanding;    // as on targets without an operating system: code may need no library,
  bool libm;            // but this one
  bool scan;            // elements may decide nothing but elements: the code is read for that
  bool debug;           // describe lines of the source
  Limit limit;          // of objects
  ObjectReport *report; // of an object: where it goes, or NULL
  unsigned levels;    // of x86-64 that functions are made for, chosen when they run: bit 1 << level
  bool parallel;      // functions that do a part of the work are made, too
  bool hook;          // and by the header, rsh_parallel_for of the program does them
  const char *header; // what C code includes; NULL: it stands alone
} EmitOptions;

typedef enum EmitKind { EMIT_OBJECT, EMIT_ASM, EMIT_LLVM_IR, EMIT_BITCODE, EMIT_C } EmitKind;

typedef struct Bytes {
  const char *data; // in the arena
  size_t size;
} Bytes;

// Compiles all plans into one module. `passes` false gives LLVM_IR before optimisation
// (--dump=llvm). The module is verified before and after the passes, an object is read back. False: a message
// was reported.
bool emit_code(Arena *arena, const Plan *const *plans, int count, const EmitOptions *options,
               EmitKind kind, bool passes, Bytes *out, Diag *diag);

// The C header of all plans; `guard_name` is the header's base name, from which the include guard
// is made. `options` as the object was made with.
Bytes emit_header(Arena *arena, const Plan *const *plans, int count, const Source *source,
                  const char *guard_name, int pointer_bytes, const EmitOptions *options);
// Of the target, whose code is then known to be good.
int emit_pointer_bytes(Arena *arena, const EmitOptions *options);
// The processor that code is made for: "x86_64 znver4", "aarch64 generic".
const char *emit_processor(Arena *arena, const EmitOptions *options);

// Code in memory (ORC LLJIT).
typedef struct Jit Jit;
Jit *jit_new(Arena *arena, const Plan *const *plans, int count, const EmitOptions *options,
             Diag *diag);
// The same of an object that emit_code made of them for this machine.
Jit *jit_load(Arena *arena, const Plan *const *plans, int count, const EmitOptions *options,
              Bytes object, Diag *diag);
// The function of a graph, to be called through jit_call; NULL when there is none of that name.
void *jit_find(Jit *jit, const char *graph_name);
// The same of NAME_shape.
void *jit_find_shape(Jit *jit, const char *graph_name);
// The same of NAME_tasks, which returns their number in place of a status, and of NAME_task (codegen/signature.h),
// where the object has them.
void *jit_find_task_count(Jit *jit, const char *graph_name);
void *jit_find_task(Jit *jit, const char *graph_name);
// Of an object with several versions: where its functions keep the level of x86-64 that they were chosen for, 1 to 4,
// or 0 before the first call. NULL: there is none.
int32_t *jit_find_level(Jit *jit);
// One argument, for the parameter of the same place in Plan.signature.
typedef union JitArgument {
  int64_t size;
  const void *input;
  void *output;
} JitArgument;
// Calls it. RSH_ok where the function returns nothing.
rsh_status jit_call(void *function, const JitArgument *arguments);
void jit_free(Jit *jit);

#endif
