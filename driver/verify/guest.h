// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code of another machine, run on this one: a program that calls it (driver/verify/guest) is made with a C compiler and a
// linker, and an emulator runs it at the other end of two pipes.
#ifndef DRIVER_GUEST_H
#define DRIVER_GUEST_H

#include "codegen/emit.h"

#include <stdint.h>
#include <sys/types.h>

enum { MOST_EMULATOR_ARGUMENTS = 16 };

typedef struct Guest {
  const char *folder, *program;
  const char *emulator;        // with its folder
  const char *const *argument; // what it is told before the program, and NULL
  bool swaps;                  // its order of bytes is another one than here
  bool is_narrow;              // its pointers have 32 bits
} Guest;

// What the program is made of: the object, made of the plans with `options` for `triple`, the text of its C header, and the runtime
// library of that machine, or NULL.
typedef struct GuestParts {
  const EmitOptions *options;
  const char *triple;
  const Plan *const *plans;
  int count;
  Bytes object;
  const char *header, *runtime;
} GuestParts;

// NULL: a message was reported.
Guest *guest_build(Arena *arena, const GuestParts *parts, Diag *diag);
// The name of the emulator; NULL: none is known.
const char *guest_emulator(const EmitOptions *options, const char *triple);
void guest_free(const Guest *guest);
// The function of plan `index`, or the one that gives its sizes alone, for line_call.
int guest_function(int index, bool is_shape);

// Memory here that the running program has a copy of.
typedef struct Mirror {
  uint8_t *low;
  size_t bytes;
  uint64_t there;
  // Numbers of `unit` bytes, whose order may be another one there: `count` bytes from *data on, where that is in
  // this memory. NULL: all of it.
  uint8_t *const *data;
  const int64_t *count;
  int unit;
} Mirror;

// A program that runs.
typedef struct Line {
  pid_t id;
  int to, from;
  bool swaps;                  // the order of bytes
  uint64_t memory, room_there; // for mirrors, there
  VEC(Mirror) mirror;
  uint8_t *text; // that is to be sent: `said` bytes, in `room` of them
  size_t said, room;
} Line;

// Starts it; it ends after `seconds` at the latest. False: that cannot be done.
bool line_open(Line *line, const Guest *guest, unsigned seconds);
// Gives all mirrors a place there, with as much around each as there is that may not be touched. False: there is
// not enough memory.
bool line_allow(Line *line);
// Calls a function: with sizes, and with addresses of bytes in mirrors. Mirrors are brought there before and back
// after it. False: the program has ended, with the status of waitpid in *ended.
bool line_call(Line *line, int function, const Signature *signature, const JitArgument *argument,
               int64_t *status, int *ended);
// Ends the program.
void line_close(Line *line);

#endif
