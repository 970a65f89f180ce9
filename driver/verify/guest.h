// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs code for another machine in an emulator: a program that calls the code (driver/verify/guest) is built with a C
// compiler and a linker, and communicates over two pipes.
#ifndef DRIVER_GUEST_H
#define DRIVER_GUEST_H

#include "codegen/emit.h"
#include "codegen/plan/names.h"
#include "driver/base/tools.h"

#include <stdint.h>
#include <sys/types.h>
#include <time.h>

enum { MOST_EMULATOR_ARGUMENTS = 16 };

typedef struct Guest {
  const char *folder, *program;
  const char *emulator;        // its path
  const char *const *argument; // arguments before the program; ends with NULL
  bool swaps;                  // its byte order differs from this machine's
  bool is_narrow;              // its pointers have 32 bits
} Guest;

// The parts of the program: the object, compiled from the plans with `options` for `triple`, the text of its C header,
// the runtime library of that machine, or NULL, and other libraries that the object may call.
typedef struct GuestParts {
  const EmitOptions *options;
  const char *triple;
  const Plan *const *plans;
  int count;
  Bytes object;
  const char *header, *runtime;
  Words libraries;
} GuestParts;

// NULL: an error was reported.
Guest *guest_build(Arena *arena, const GuestParts *parts, Diag *diag);
// The name of the emulator; NULL: none is known.
const char *guest_emulator(const EmitOptions *options, const char *triple);
void guest_free(const Guest *guest);
// The number, for line_call, of an entry point of plan `index`.
int guest_function(int index, EntryPoint entry);

// Memory of this process that is mirrored in the running program.
typedef struct Mirror {
  uint8_t *low;
  size_t bytes;
  uint64_t there;
  // Numbers of `unit` bytes, whose byte order may differ there: `count` bytes from *data, if that is in this memory.
  // NULL: all of it.
  uint8_t *const *data;
  const int64_t *count;
  int unit;
  bool is_used; // the current call has an address in it
} Mirror;

// A running program.
typedef struct Line {
  pid_t id;
  int to, from;
  bool swaps;                    // byte order differs
  uint64_t memory, buffer_there; // for mirrors, in its address space
  VEC(Mirror) mirror;
  uint8_t *text; // buffered output: `length` bytes, `capacity` allocated
  size_t length, capacity;
  time_t opened; // 0: the program is not running
} Line;

// Starts the program with a time limit of at least `seconds`, or continues with the running one if its limit suffices.
// False: it cannot be started.
bool line_open(Line *line, const Guest *guest, unsigned seconds);
// Places all mirrors in its memory, each between guards that may not be touched. False: not enough memory.
bool line_allow(Line *line);
// Removes all mirrors, so that others can be placed.
void line_forbid(Line *line);
// Calls a function of `graph` with sizes, with addresses of bytes in mirrors, and with tensors whose bytes, sizes and
// strides are in mirrors. These mirrors are copied there before the call and back after it. False: the program has
// ended; *ended is its waitpid status.
bool line_call(Line *line, int function, const Graph *graph, const Signature *signature,
               const JitArgument *argument, int64_t *status, int *ended);
// Bytes that were copied back as numbers of `unit` bytes become the first `count` of them as numbers of `wanted` bytes.
void line_reread(const Line *line, uint8_t *bytes, int64_t all, int unit, int64_t count,
                 int wanted);
// Ends the program, if it runs.
void line_close(Line *line);

#endif
