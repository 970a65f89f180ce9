// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t
//
// The table of statuses, and those that no text can provoke: they are for callers of the runtime.
#include "runtime/rsh_runtime.h"

#include <stdio.h>
#include <string.h>

static int wrong;

static void check(bool good, const char *what, int line) {
  if (!good) {
    printf("%s:%d: %s\n", __FILE__, line, what);
    wrong = 1;
  }
}
#define CHECK(condition) check(condition, #condition, __LINE__)

// Names are stable and distinct, and texts exist; an invalid status still has both.
static void table(void) {
  for (int i = 0; i < RSH_STATUS_COUNT; i++) {
    CHECK(rsh_status_string((rsh_status)i)[0] != '\0');
    for (int k = 0; k < i; k++)
      CHECK(strcmp(rsh_status_name((rsh_status)i), rsh_status_name((rsh_status)k)) != 0);
  }
  CHECK(RSH_ok == 0 && strcmp(rsh_status_name(RSH_ok), "ok") == 0);
  CHECK(strcmp(rsh_status_name(RSH_volume_mismatch), "volume_mismatch") == 0);
  CHECK(rsh_status_name((rsh_status)10000) != NULL);
  CHECK(rsh_status_string((rsh_status)10000) != NULL);
}

typedef struct Room {
  rsh_move move[4];
  rsh_axis axis[8];
  rsh_moves moves;
} Room;

static rsh_moves *room(Room *r, int32_t moves, int32_t axes) {
  r->moves =
      (rsh_moves){.move = r->move, .axis = r->axis, .capacity = moves, .axis_capacity = axes};
  return &r->moves;
}

// f32[2,3] transposed: one move of two axes, in lists that have room for `moves` and `axes`.
static rsh_status transpose(rsh_moves *in, Room *out, int32_t moves, int32_t axes) {
  static Room work;
  rsh_shape from = {2, {{2, 0}, {3, 0}}}, to = {2, {{3, 0}, {2, 0}}};
  const rsh_shape *shapes[] = {&from};
  const rsh_moves *operands[] = {in};
  const rsh_dtype types[] = {RSH_F32};
  rsh_call call = {
      .op = RSH_OP_TRANSPOSE, .in_count = 1, .out_count = 1, .in = shapes, .in_type = types};
  return rsh_fold(&call, 0, &to, operands, room(out, moves, axes), room(&work, 4, 8));
}

// status: too_small
static void too_small(void) {
  Room in, out;
  CHECK(rsh_moves_identity(room(&in, 0, 0), 0, rsh_int(6)) == RSH_too_small);
  CHECK(rsh_moves_identity(room(&in, 1, 0), 0, rsh_int(6)) == RSH_too_small);
  CHECK(rsh_moves_identity(room(&in, 0, 0), 0, rsh_int(0)) == RSH_ok);
  CHECK(rsh_moves_identity(room(&in, 1, 1), 0, rsh_int(6)) == RSH_ok);
  CHECK(transpose(&in.moves, &out, 0, 8) == RSH_too_small);
  CHECK(transpose(&in.moves, &out, 4, 1) == RSH_too_small);
  CHECK(transpose(&in.moves, &out, 4, 8) == RSH_ok);
  CHECK(rsh_moves_copy(room(&in, 0, 8), &out.moves) == RSH_too_small);
  CHECK(rsh_moves_copy(room(&in, 4, 1), &out.moves) == RSH_too_small);
  CHECK(rsh_moves_copy(room(&in, 1, 2), &out.moves) == RSH_ok);
}

// status: null_pointer
static void null_pointer(void) {
  Room in, out;
  uint32_t x[6] = {0, 1, 2, 3, 4, 5}, y[6] = {9, 9, 9, 9, 9, 9};
  const void *sources[] = {x}, *none[] = {NULL};
  rsh_moves_identity(room(&in, 4, 8), 0, rsh_int(6));
  CHECK(transpose(&in.moves, &out, 4, 8) == RSH_ok);
  CHECK(rsh_run_moves(&out.moves, 4, none, NULL, y) == RSH_null_pointer);
  CHECK(rsh_run_moves(&out.moves, 4, sources, NULL, NULL) == RSH_null_pointer);
  CHECK(y[0] == 9 && y[5] == 9);
  CHECK(rsh_run_moves(&out.moves, 4, sources, NULL, y) == RSH_ok);
  CHECK(y[0] == 0 && y[1] == 3 && y[2] == 1 && y[3] == 4 && y[4] == 2 && y[5] == 5);
  rsh_moves_identity(room(&in, 4, 8), 0, rsh_int(0)); // no elements, no pointers
  CHECK(rsh_run_moves(&in.moves, 4, none, NULL, NULL) == RSH_ok);
}

// status: unknown_size
static void unknown_size(void) {
  rsh_poly poly[4];
  rsh_term term[8];
  rsh_symbols symbols = {.poly_capacity = 4, .term_capacity = 8, .poly = poly, .term = term};
  rsh_num n;
  Room in;
  uint32_t x[6] = {0}, y[6] = {9};
  const void *sources[] = {x};
  CHECK(rsh_symbol(&symbols, &n));
  CHECK(rsh_moves_identity(room(&in, 1, 1), 0, n) == RSH_ok);
  CHECK(rsh_run_moves(&in.moves, 4, sources, NULL, y) == RSH_unknown_size);
  CHECK(y[0] == 9);
}

int main(void) {
  table();
  unknown_size();
  too_small();
  null_pointer();
  return wrong;
}
