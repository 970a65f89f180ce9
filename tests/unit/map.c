// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t
//
// Chains of casts: what is dropped, what shares a number, and the engine that runs them.
#include "runtime/move.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                                       \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

static rsh_map table[8];
static rsh_maps maps = {table, 1, 8};

static int32_t cast(int32_t before, rsh_dtype from, rsh_dtype to) {
  rsh_step step = {.op = RSH_OP_CAST, .from = from, .to = to, .rule = {true, RSH_ROUND_UP}};
  int32_t map = -1;
  EXPECT(rsh_map_add(&maps, before, &step, &map) == RSH_ok);
  return map;
}

static void check_chains(void) {
  int32_t f32 = cast(0, RSH_U8, RSH_F32);
  EXPECT(f32 == 1 && cast(0, RSH_U8, RSH_F32) == f32); // once
  EXPECT(cast(0, RSH_F32, RSH_F32) == 0);              // nothing
  EXPECT(cast(f32, RSH_F32, RSH_U8) == 0);             // there and back
  int32_t f64 = cast(f32, RSH_F32, RSH_F64);
  EXPECT(table[f64].before == 0 && table[f64].step.from == RSH_U8); // one cast instead of two
  EXPECT(cast(f64, RSH_F64, RSH_U8) == 0);
  int32_t i8 = cast(f32, RSH_F32, RSH_I8); // 255 becomes 127, by itself it would be -1
  EXPECT(table[i8].before == f32);
  int32_t half = cast(0, RSH_F32, RSH_F16); // loses digits
  EXPECT(cast(half, RSH_F16, RSH_F32) != 0);
  maps.capacity = maps.count;
  rsh_step step = {.op = RSH_OP_TANH, .from = RSH_F32, .to = RSH_F32};
  int32_t none = -1;
  EXPECT(rsh_map_add(&maps, 0, &step, &none) == RSH_too_small);
  maps.capacity = 8;
  EXPECT(rsh_map_add(&maps, f32, &step, &none) == RSH_ok && rsh_map_takes(&maps, none) == RSH_U8);
}

static void check_engine(void) {
  // y[i] = cast(x[2 - i]), and y[3] = 7
  rsh_axis axis = {.extent = {3, 0}, .dst = {1, 0}, .src = {-1, 0}};
  int32_t f32 = cast(0, RSH_U8, RSH_F32), i8 = cast(f32, RSH_F32, RSH_I8);
  rsh_move move[2] = {{.map = i8, .axis_count = 1, .src_offset = {2, 0}},
                      {.source = -1, .first = 1, .dst_offset = {3, 0}}};
  rsh_moves moves = {move, &axis, 2, 2, 1, 1, 0};
  const uint8_t x[3] = {1, 200, 100}, seven = 7;
  const void *sources[1] = {x}, *fills[1] = {&seven};
  int8_t y[4];
  EXPECT(rsh_run_mapped(&moves, &maps, 1, sources, fills, y) == RSH_ok);
  EXPECT(y[0] == 100 && y[1] == 127 && y[2] == 1 && y[3] == 7);
  EXPECT(rsh_run_moves(&moves, 1, sources, fills, y) == RSH_unsupported);
  float z[3];
  moves.count = 1;
  move[0].map = f32;
  EXPECT(rsh_run_mapped(&moves, &maps, 4, sources, NULL, z) == RSH_ok);
  EXPECT(z[0] == 100 && z[1] == 200 && z[2] == 1);
  rsh_step step = {.op = RSH_OP_TANH, .from = RSH_F32, .to = RSH_F32};
  EXPECT(rsh_map_add(&maps, f32, &step, &move[0].map) == RSH_ok);
  EXPECT(rsh_run_mapped(&moves, &maps, 4, sources, NULL, z) == RSH_unsupported);
}

int main(void) {
  check_chains();
  check_engine();
  return 0;
}
