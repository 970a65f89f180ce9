// RUN: %{cc} %{cflags} %s -I %S/Inputs -o %t %{libs} && %t
//
// Which results the offsets of the first operand still fit, one call a line. If they do, and sizes are numbers, the map
// of the elements must agree: no row has moved.
#include "call.h"
#include "frontend/graph/lod.h"
#include "runtime/fold.h"
#include "runtime/move.h"

typedef struct Row {
  const char *call;
  bool keeps[2]; // results
} Row;

static const Row rows[] = {
    {"identity f32[6,8]", {true}},
    {"cast f32[6,8] dtype=10", {true}},
    {"relu f32[T,8]", {true}},
    {"reshape f32[6,8] shape=[6,2,4]", {true}},
    {"reshape f32[6,8] shape=[0,-1,2]", {true}},
    {"reshape f32[6,8] shape=[-1,2,4]", {true}},
    {"reshape f32[6,8] shape=[12,4]", {false}},
    {"reshape f32[1,8] shape=[8]", {false}},
    {"reshape f32[1] shape=[]", {false}},
    {"reshape f32[0,8] shape=[0,3]", {true}},
    {"reshape f32[T,8] shape=[T,2,4]", {true}},
    {"reshape f32[T,8] shape=[2*T,4]", {false}},
    {"reshape f32[T,S] shape=[S,T]", {false}}, // where T is S it would fit, but it may not be
    {"onnx.reshape f32[6,8] shape=[6,8,1]", {true}},
    {"openvino.reshape f32[6,8] shape=[0,8,1] special_zero=1", {true}},
    {"onednn.static_reshape f32[6,8] shape=[48] special_zero=1", {false}},
    {"paddle.reshape f32[6,8] shape=[0,2,4]", {true}},
    {"paddle.reshape f32[6,8] shape=[2,3,8]", {false}},
    {"flatten f32[6,4,2]", {true}},
    {"flatten f32[6,4,2] axis=2", {false}},
    {"flatten f32[6] axis=0", {false}},
    {"squeeze f32[6,1,8]", {true}},
    {"squeeze f32[1,6,8]", {false}},
    {"unsqueeze f32[6,8] axes=[1,-1]", {true}},
    {"unsqueeze f32[6,8] axes=[0]", {false}},
    {"transpose f32[6,4,2] perm=[0,2,1]", {true}},
    {"transpose f32[6,6] perm=[1,0]", {false}},
    {"transpose f32[6,6]", {false}},
    {"transpose f32[6]", {true}},
    {"slice f32[6,8] starts=[2] ends=[5] axes=[1]", {true}},
    {"slice f32[6,8] starts=[0,7] ends=[6,0] axes=[0,-1] steps=[1,-2]", {true}},
    {"slice f32[6,8] starts=[1] ends=[6]", {false}},
    {"slice f32[6,8] starts=[5] ends=[-7] steps=[-1]", {false}},
    {"slice f32[6,8] starts=[5] ends=[-7] axes=[-2] steps=[-1]", {false}},
    {"flip f32[6,8] axes=[1]", {true}},
    {"flip f32[6,8] axes=[1,-2]", {false}},
    {"flip f32[1,8] axes=[0]", {true}},
    {"flip f32[T,S] axes=[1]", {true}},
    {"expand f32[6,1] shape=[6,4]", {true}},
    {"expand f32[6,6] shape=[6,6,6]", {false}},
    {"expand f32[1,6] shape=[4,6]", {false}},
    {"concat f32[6,8] f32[6,2] axis=1", {true}},
    {"concat f32[6,8] f32[2,8] axis=0", {false}},
    {"concat f32[6,8] f32[0,8] axis=0", {true}},
    {"stack f32[6,8] f32[6,8] axis=-1", {true}},
    {"stack f32[2,8] f32[2,8]", {false}},
    {"stack f32[2,8] f32[2,8] axis=-3", {false}},
    {"split f32[6,8] axis=1 parts=2 -> 2", {true, true}},
    {"split f32[6,8] sizes=[6,0] -> 2", {true, false}},
    {"split f32[6,8] parts=2 -> 2", {false, false}},
    {"depth_to_space f32[6,4,2,2] blocksize=2", {true}},
    {"space_to_depth f32[6,4,2,2] blocksize=2 mode=\"CRD\"", {true}},
    {"pad f32[6,8] pads=[0,1,0,2]", {true}},
    {"pad f32[6,8] pads=[1,2] axes=[-1]", {true}},
    {"pad f32[T,S] pads=[0,1,0,2]", {true}},
    {"pad f32[T,S] pads=[1,0,-1,0]", {false}},
    {"pad f32[6,8] pads=[1,0,-1,0]", {false}},
    {"pad f32[6,8] pads=[0,0,1,0]", {false}},
    {"tile f32[6,8] repeats=[1,3]", {true}},
    {"tile f32[6,8] repeats=[2,1]", {false}},
    {"roll f32[6,8] shifts=[2] axes=[1]", {true}},
    {"roll f32[6,8] shifts=[0,2] axes=[0,1]", {true}},
    {"roll f32[6,8] shifts=[2] axes=[-2]", {false}},
    {"roll f32[6,8] shifts=[8]", {false}},
    {"gather f32[6,8] indices=[7,0] axis=1", {true}},
    {"gather f32[6,8] indices=[5,4,3,2,1,0]", {false}},
    {"gather f32[6,8] indices=[0,1,2,-3,4,5]", {true}},
    {"gather f32[6,8] indices=[5,4,3,2,1,0] axis=-2", {false}},
    {"reverse_sequence f32[2,8] lengths=[3,4] time_axis=1 batch_axis=0", {true}},
    {"reverse_sequence f32[8,2] lengths=[3,4]", {false}},
};

static void fail(const char *call, const char *what) {
  printf("%s: %s\n", call, what);
  exit(1);
}

static bool is_static(const Call *c) { return c->call.symbols == 0; }

// Elements of a row; 0 for none.
static int64_t row_of(const rsh_shape *shape) {
  rsh_num volume;
  return rsh_volume(0, shape, &volume) == RSH_ok && volume.n > 0 ? volume.n / shape->dim[0].n : 0;
}

// Whether each element from operand 0 stays in its row.
static bool rows_stay(const Row *row, const Call *c, int32_t k, const rsh_shape *out) {
  enum { MOVES = 64, AXES = 1024, ELEMENTS = 1024 };
  static rsh_move move[CALL_OPERANDS + 2][MOVES];
  static rsh_axis axis[CALL_OPERANDS + 2][AXES];
  static rsh_map map[MOVES];
  static int64_t element[ELEMENTS];
  static int32_t source[ELEMENTS];
  rsh_moves list[CALL_OPERANDS + 2];
  const rsh_moves *in[CALL_OPERANDS];
  rsh_maps maps = {.map = map, .count = 1, .capacity = MOVES};
  rsh_call call = c->call;
  rsh_num volume;
  call.maps = &maps;
  for (int32_t i = 0; i < CALL_OPERANDS + 2; i++)
    list[i] = (rsh_moves){move[i], axis[i], 0, MOVES, 0, AXES, 0};
  for (int32_t i = 0; i < call.in_count; i++) {
    if (rsh_volume(0, call.in[i], &volume) != RSH_ok ||
        rsh_moves_identity(&list[i], i, volume) != RSH_ok)
      fail(row->call, "an operand has no moves");
    in[i] = &list[i];
  }
  rsh_moves *result = &list[CALL_OPERANDS];
  if (rsh_fold(&call, k, out, in, result, &list[CALL_OPERANDS + 1]) != RSH_ok ||
      rsh_map_moves(result, element, source) != RSH_ok || rsh_volume(0, out, &volume) != RSH_ok)
    fail(row->call, "cannot be folded");
  for (int64_t i = 0; i < volume.n; i++)
    if (source[i] == 0 && element[i] / row_of(call.in[0]) != i / row_of(out))
      return false;
  return true;
}

static void check(Arena *arena, const Row *row) {
  Call c;
  rsh_shape out[CALL_RESULTS];
  rsh_fault fault;
  call_read(&c, row->call);
  if (rsh_resolve(&c.call, out, &fault) != RSH_ok)
    fail(row->call, "is refused");
  for (int32_t k = 0; k < c.call.out_count; k++) {
    if (lod_is_kept(arena, &c.call, k, &out[k]) != row->keeps[k])
      fail(row->call, row->keeps[k] ? "loses the offsets" : "keeps the offsets");
    if (row->keeps[k] && is_static(&c) && !rows_stay(row, &c, k, &out[k]))
      fail(row->call, "has rows that moved");
  }
}

// Paddle's targets known only at run time: the result is not known when this is called.
static void check_targets(Arena *arena) {
  static const rsh_shape unknown = {.rank = RSH_RANK_UNKNOWN};
  rsh_shape same, other;
  Call c;
  call_read(&c, "paddle.reshape f32[6,8] shape=i32:1");
  c.at = "[6,8] [8,6]";
  call_shape(&c, &same);
  call_shape(&c, &other);
  if (!lod_is_kept(arena, &c.call, 0, &unknown))
    fail("shape is a tensor", "loses the offsets");
  call_read(&c, "paddle.reshape f32[6,8] shape=[-1,6] actual_shape=i32:1");
  if (!lod_is_kept(arena, &c.call, 0, &other))
    fail("actual_shape is a tensor", "loses the offsets");
  call_read(&c, "paddle.reshape f32[6,8] shape=i32:1");
  c.call.arg[0].in_parts = true;
  if (!lod_is_kept(arena, &c.call, 0, &same))
    fail("a list with tensors, of the same first size", "loses the offsets");
  if (lod_is_kept(arena, &c.call, 0, &unknown) || lod_is_kept(arena, &c.call, 0, &other))
    fail("a list with tensors, of another or no known first size", "keeps the offsets");
  call_read(&c, "reshape f32[6,8] shape=i64:1");
  if (lod_is_kept(arena, &c.call, 0, &unknown))
    fail("another system's target", "keeps the offsets");
}

int main(void) {
  Arena *arena = arena_new();
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    check(arena, &rows[i]);
  check_targets(arena);
  arena_free(arena);
  printf("%zu calls\n", sizeof rows / sizeof rows[0]);
  return 0;
}
