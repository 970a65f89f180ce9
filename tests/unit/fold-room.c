// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t
//
// Chains of calls, whose last one is folded with every amount of room for moves, axes, polynomials and functions that
// is too little, and with enough: with less, it is refused with a status that says so, or the result is the same. So is
// placing the result in memory with strides. In a walk that can make stages and more room, all are folded.
#include "Inputs/call.h"

#include "runtime/fold.h"
#include "runtime/map.h"
#include "runtime/move.h"

enum { MOVES = 64, AXES = 400, LINKS = 4, MAPS = 12, NONE = 1000, VOLUME = 600 };

static const char *const chains[][LINKS] = {
    // ---- one operator, known and symbolic ----
    {"transpose f32[2,3,4] perm=[2,0,1]"},
    {"transpose f32[2,B,S]"},
    {"transpose f32 perm=[]"},
    {"slice f32[20,10] starts=[1,2] ends=[19,9] steps=[3,2]"},
    {"slice f32[B+9,10] starts=[2,0] ends=[-1,5] steps=[1,2]"},
    {"slice f32[2*B] starts=1 ends=9223372036854775807 steps=2"},
    {"flip f32[2,B,3] axes=[0,1]"},
    {"expand f32[3,1] shape=[2,1,6]"},
    {"expand f32[B,1] shape=[4,B,S]"},
    {"concat f32[2,3] f32[2,5] f32[2,4] axis=1"},
    {"concat f32[B,3] f32[S,3] f32[2*B,3] axis=0"},
    {"stack f32[4,5] f32[4,5] f32[4,5] axis=1"},
    {"stack f32[B,5] f32[B,5] axis=-1"},
    {"split f32[B,3*C] axis=1 parts=3 -> 3"},
    {"split f32[10,2] parts=3 -> 3"},
    {"split f32[A+B+C] sizes=[A,B,C] -> 3"},
    {"depth_to_space f32[B,12,2,3] blocksize=2"},
    {"depth_to_space f32[B,4*C,H,W] blocksize=2 mode=\"CRD\""},
    {"space_to_depth f32[B,3,2*H,2*W] blocksize=2"},
    {"space_to_depth f32[1,3,4,6] blocksize=2 mode=\"CRD\""},
    {"pad f32[2,3] pads=[1,0,0,2]"},
    {"pad f32[B,H,W] pads=[0,1,2,0,2,1]"},
    {"pad f32[B] pads=[P,Q]"},
    {"pad f32[5] pads=[-2,-1]"},
    {"pad f32[3,4] pads=[2,1,2,3] mode=\"edge\""},
    {"pad f32[3,4] pads=[5,1,7,9] mode=\"reflect\""},
    {"pad f32[3,4] pads=[5,1,7,9] mode=\"wrap\""},
    {"pad f32[1,4] pads=[2,0,2,0] mode=\"reflect\""},
    {"pad f32[B,4] pads=[0,1,0,1] mode=\"edge\""},
    {"pad f32[B,4] pads=[2,0,1,0] mode=\"edge\""},
    {"pad f32[B,4] pads=[P,0,1,0] mode=\"edge\""},
    {"pad f32[B+4] pads=[-B,1] mode=\"edge\""},
    {"open pad f32[2,3] pads={?,0,0,2}"},
    {"pad f32[3] pads=[4611686018427387904,0] mode=\"edge\""},
    {"pad f32[3] pads=[0,4611686018427387904] mode=\"wrap\""},
    {"pad f32[2305843009213693952] pads=[1,0] mode=\"edge\""},
    {"pad f32[1,1,1,1,1,1,1,1,1] pads=[1,1,1,1,1,1,1,1,1,0,0,0,0,0,0,0,0,0]"},
    {"center_crop_pad f32[20,8,3] shape=[10,9] axes=[0,1]"},
    {"center_crop_pad f32[B,8] shape=[B+2,4]"},
    {"tile f32[2,3] repeats=[3,2]"},
    {"tile f32[B,3] repeats=[2,R]"},
    {"repeat f32[2,B,3] repeats=[2,3,1]"},
    {"roll f32[4,6] shifts=[1,-2] axes=[0,1]"},
    {"roll f32[4,6] shifts=7"},
    {"roll f32[B,6] shifts=[1,2] axes=[0,1]"},
    {"roll f32[B,6] shifts=[B] axes=[0]"},
    {"roll f32[B,6] shifts=1"},
    {"gather f32[4,5] indices=[0,3,1]"},
    {"gather f32[4,5] indices=[[0,1],[2,3]] axis=1"},
    {"gather f32[B,5] indices=[0,-1]"},
    {"gather f32[9] indices=[0,2,4,6,8]"},
    {"gather f32[9] indices=[8,7,6,0,1,2,4]"},
    {"reverse_sequence f32[4,3,2] lengths=[0,4,2]"},
    {"reverse_sequence f32[3,T,7] lengths=[0,1,1] time_axis=1 batch_axis=0"},
    {"flatten f32[2,B,4]"},
    {"identity f32[2,0,4]"},
    {"reshape f32[2,3] shape=[-1]"},
    // ---- functions of elements ----
    {"relu f32[2,3]"},
    {"cast f32[2,B] to=i8"},
    {"add f32[2,3] value=#[7,8,9]"},
    {"add f32[2,3] value=#[[7],[8]]"},
    {"clip f32[2,3] min=#[1,2,3] max=#[4,5,6]"},
    {"quantize f32[3,4,5] scale=#[1,2,3] axis=0"},
    {"dequantize u8[3,4,5] scale=#[1,2,3,4] axis=-2"},
    {"requantize i32[3,4] multiplier=#[1,2,3] shift=#[0,0,1] axis=0"},
    {"transpose f32[3,2]", "add f32[2,3] value=#[7,8,9]", "mul f32[2,3] value=#[[7],[8]]"},
    {"add f32[2,3] value=#[[7],[8]]", "mul f32[2,3] value=#[7,8,9]", "transpose f32[2,3]"},
    {"add f32[2,6] value=#[7,8,9,1,2,3]", "reshape f32[2,6] shape=[4,3]", "transpose f32[4,3]"},
    {"concat f32[2,3] f32[2,3] axis=0", "add f32[4,3] value=#[7,8,9]"},
    {"concat f32[2,3] f32[2,3] axis=0", "cast f32[4,3] to=u8", "relu u8[4,3]"},
    {"quantize f32[4,3] scale=#[1065353216,1065353216,1065353216] axis=1",
     "dequantize u8[4,3] scale=#[1065353216,1065353216,1065353216] axis=1"},
    {"transpose f32[B,3]", "add f32[3,B] value=#[[7],[8],[9]]"},
    // ---- bits ----
    {"bitcast u16[4,3] to=u8"},
    {"bitcast u8[4,3,2] to=u16"},
    {"bitcast u16[B] to=u1"},
    {"bitcast u16[4,3] to=u8", "transpose u8[4,3,2] perm=[1,0,2]", "bitcast u8[3,4,2] to=u16"},
    {"bitcast u16[4,3] to=u8", "transpose u8[4,3,2] perm=[2,0,1]", "bitcast u8[2,4,3] to=u1"},
    {"bitcast u8[4] to=u1", "slice u1[4,8] starts=[0,1] ends=[4,5]", "bitcast u1[4,4] to=u4"},
    {"bitcast u8[4] to=u1", "slice u1[4,8] starts=[0,0] ends=[4,8] steps=[1,2]",
     "bitcast u1[4,4] to=u4"},
    {"bitcast u8[B] to=u1", "flip u1[B,8] axes=[1]", "bitcast u1[B,8] to=u8"},
    {"bitcast u8[4] to=u1", "flip u1[4,8] axes=[1]", "bitcast u1[4,8] to=u8", "flip u8[4] axes=0"},
    {"bitcast u8[4] to=u1", "flip u1[4,8] axes=[1]", "bitcast u1[4,8] to=u8", "relu u8[4]"},
    {"bitcast u8[4] to=u1", "flip u1[4,8] axes=[1]", "bitcast u1[4,8] to=u8",
     "concat u8[4] u8[3] axis=0"},
    {"pad u16[3] pads=[1,2]", "bitcast u16[6] to=u8"},
    {"relu i16[4,3]", "bitcast i16[4,3] to=u8"},
    {"relu i16[4,3]", "bitcast i16[4,3] to=u16"},
    {"bitcast u16[1,1] to=u8", "bitcast u8[1,1,2] to=u16"},
    // ---- chains that decode addresses ----
    {"transpose f32[4,6]", "reshape f32[6,4] shape=[3,8]", "transpose f32[3,8]"},
    {"transpose f32[4,6]", "reshape f32[6,4] shape=[8,3]",
     "slice f32[8,3] starts=[1,1] ends=[8,3]"},
    {"transpose f32[4,6]", "reshape f32[6,4] shape=[24]", "slice f32[24] starts=1 ends=23 steps=5"},
    {"flip f32[4,6] axes=[1]", "reshape f32[4,6] shape=[3,8]", "flip f32[3,8] axes=[0,1]"},
    {"concat f32[4,3] f32[4,2] axis=1", "reshape f32[4,5] shape=[5,4]", "transpose f32[5,4]"},
    {"concat f32[4,3] f32[4,2] axis=1", "reshape f32[4,5] shape=[2,10]",
     "roll f32[2,10] shifts=[3] axes=[1]"},
    {"tile f32[4,3] repeats=[2,2]", "reshape f32[8,6] shape=[16,3]", "transpose f32[16,3]"},
    {"transpose f32[B,S]", "reshape f32[S,B] shape=[S*B]", "slice f32[S*B] starts=0 ends=S*B"},
    {"transpose f32[B,2,S]", "reshape f32[S,2,B] shape=[2*S,B]", "transpose f32[2*S,B]"},
    {"transpose f32[B,6]", "reshape f32[6,B] shape=[2,3*B]", "transpose f32[2,3*B]"},
    {"transpose f32[B,6]", "reshape f32[6,B] shape=[3,-1]", "transpose f32[3,2*B]"},
    {"flip f32[B,6] axes=[0]", "slice f32[B,6] starts=[0,1] ends=[B,5] steps=[1,2]",
     "flip f32[B,2] axes=[0]"},
    {"concat f32[B,3] f32[S,3] axis=0", "slice f32[B+S,3] starts=[0,1] ends=[B+S,3]"},
    {"concat f32[B] f32[S] axis=0", "slice f32[B+S] starts=B ends=B+S", "flip f32[S] axes=0"},
    {"concat f32[B] f32[S] axis=0", "flip f32[B+S] axes=0"},
    {"pad f32[B,3] pads=[1,0,1,0]", "transpose f32[B+2,3]"},
    {"pad f32[B] pads=[0,S]", "reshape f32[B+S] shape=[B+S,1]", "expand f32[B+S,1] shape=[1,4]"},
    {"stack f32[4] f32[4] axis=1", "reshape f32[4,2] shape=[8]",
     "slice f32[8] starts=1 ends=8 steps=3"},
    {"repeat f32[2,3] repeats=[3,2]", "slice f32[6,6] starts=[1,1] ends=[6,6] steps=[2,3]"},
    // ---- more of each rule ----
    {"stack f32[4] f32[4]"},
    {"space_to_depth f32[1,3,4,6] blocksize=2 mode=\"DCR\""},
    {"clip f32[2,3] max=#[4,5,6]"},
    {"dequantize u8[4,3] scale=#[1,2,3]"},
    {"dequantize u8[2,2,3] scale=#[[1,2,3],[4,5,6]]"},
    {"pad f32[2,3] pads=[-1,0,-1,4]"},
    {"pad f32[2,3] pads=[0,-3,0,4]"},
    {"pad f32[B,3] pads=[-B,0,4,0]"},
    {"pad f32[1] pads=[0,3]", "add f32[4] value=#[1,2,3,4]"},
    {"pad u8[4] pads=[0,4]", "reshape u8[8] shape=[4,2]", "bitcast u8[4,2] to=u16"},
    {"bitcast u8[4,2] to=u16", "transpose u16[4]", "bitcast u16[4] to=u8"},
    {"bitcast u8[4,2] to=u4", "slice u4[4,2,2] starts=[0,0,1] ends=[4,2,2]",
     "bitcast u4[4,2,1] to=u4"},
    {"bitcast u8[8] to=u1", "slice u1[8,8] starts=[0,2] ends=[8,6]", "bitcast u1[8,4] to=u4"},
    {"bitcast u8[8] to=u1", "slice u1[8,8] starts=[0,0] ends=[8,8] steps=[3,1]",
     "bitcast u1[3,8] to=u8"},
    {"bitcast u8[8] to=u1", "reshape u1[8,8] shape=[64]", "slice u1[64] starts=4 ends=60 steps=4",
     "bitcast u1[14] to=u1"},
    {"bitcast u8[8] to=u1", "reshape u1[8,8] shape=[8,2,4]", "transpose u1[8,2,4] perm=[1,0,2]",
     "bitcast u1[2,8,4] to=u4"},
    {"bitcast u8[8] to=u1", "reshape u1[8,8] shape=[8,2,4]", "flip u1[8,2,4] axes=[1]",
     "bitcast u1[8,2,4] to=u4"},
    {"gather f32[9] indices=[-1,0,-2,-3,4]"},
    {"transpose f32[B,6]", "reshape f32[6,B] shape=[6*B]", "slice f32[6*B] starts=B ends=3*B"},
    {"transpose f32[2*B,6]", "reshape f32[6,2*B] shape=[12*B]",
     "slice f32[12*B] starts=2*B ends=6*B"},
    {"transpose f32[B,S,2]", "reshape f32[2,S,B] shape=[2*S,B]",
     "slice f32[2*S,B] starts=0 ends=S"},
    {"transpose f32[B,S,2]", "reshape f32[2,S,B] shape=[2*S,B]", "flip f32[2*S,B] axes=[0,1]"},
    {"transpose f32[B,2,S]", "reshape f32[S,2,B] shape=[S,2*B]",
     "slice f32[S,2*B] starts=[0,B] ends=[S,2*B]"},
    {"transpose f32[B,2,S]", "reshape f32[S,2,B] shape=[S,2*B]",
     "slice f32[S,2*B] starts=[0,1] ends=[S,2*B]"},
    {"expand f32[B,1] shape=[B,4]", "flip f32[B,4] axes=[0,1]", "reshape f32[B,4] shape=[2,2*B]"},
    {"slice f32[B+3] starts=1 ends=2", "expand f32[1] shape=[B]"},
    {"concat f32[B,3] f32[B,3] axis=1", "reshape f32[B,6] shape=[3,2*B]", "transpose f32[3,2*B]"},
    {"flip f32[B+1,6] axes=[0]", "slice f32[B+1,6] starts=1 ends=B+1"},
    {"transpose f32[6,4]", "reshape f32[4,6] shape=[2,12]",
     "slice f32[2,12] starts=[0,11] ends=[2,12]"},
    {"transpose f32[6,4]", "reshape f32[4,6] shape=[24]", "slice f32[24] starts=5 ends=6"},
    {"transpose f32[5,7]", "reshape f32[7,5] shape=[35]", "slice f32[35] starts=3 ends=34 steps=7"},
    {"transpose f32[6,10]", "reshape f32[10,6] shape=[60]",
     "slice f32[60] starts=7 ends=60 steps=9"},
    {"transpose f32[6,4]", "reshape f32[4,6] shape=[3,8]",
     "gather f32[3,8] indices=[7,0,3] axis=1"},
    {"concat f32[3] f32[3] f32[3] axis=0", "reshape f32[9] shape=[3,3]", "transpose f32[3,3]"},
    {"transpose f32[3,2]", "add f32[2,3] value=#[7,8,9]", "pad f32[2,3] pads=[0,1,0,1]"},
    {"add f32[2,3] value=#[[7],[8]]", "concat f32[2,3] f32[2,3] axis=0"},
    {"add f32[2,3] value=#[7,8,9]", "flip f32[2,3] axes=[1]", "add f32[2,3] value=#[7,8,9]"},
    {"add f32[2,3] value=#[7,8,9]", "reshape f32[2,3] shape=[3,2]", "transpose f32[3,2]"},
    {"softmax f32[2,3]"},
    {"softmax f32[B]"},
    {"relu i8[4,2]", "bitcast i8[4,2] to=u16"},
    {"relu f32[2,3]", "transpose f32[2,3]"},
    {"gather u8[9] indices=[0,5]", "bitcast u8[2] to=u16"},
    {"concat u8[3] u8[5] axis=0", "reshape u8[8] shape=[4,2]", "bitcast u8[4,2] to=u16"},
    {"concat u8[2,1] u8[2,1] axis=1", "bitcast u8[2,2] to=u16"},
    {"slice u8[4,3] starts=[0,0] ends=[4,2]", "bitcast u8[4,2] to=u16"},
    {"slice u1[4,16] starts=[0,3] ends=[4,11]", "bitcast u1[4,8] to=u8",
     "reshape u8[4] shape=[2,2]"},
    {"slice u1[64] starts=3 ends=35", "reshape u1[32] shape=[4,8]", "bitcast u1[4,8] to=u8",
     "flip u8[4] axes=0"},
    {"pad f32[0] pads=[2,4]", "reshape f32[6] shape=[2,3]", "add f32[2,3] value=#[1,2,3]"},
    {"pad f32[0] pads=[2,4]", "reshape f32[6] shape=[2,3]", "transpose f32[2,3]"},
    {"open reshape f32[N] shape=[B+1,S]"},
    {"slice u8[4] starts=2 ends=2", "concat u8[0] u8[3] axis=0"},
    {"relu u8[4]", "concat u8[4] u8[3] axis=0"},
    {"open reshape f32[B] shape=[1]"},
    {"pad u8[1] pads=[0,1]", "bitcast u8[2] to=u16"},
    {"concat u8[2,2] u8[2,1] axis=1", "reshape u8[2,3] shape=[3,2]", "bitcast u8[3,2] to=u16"},
    // ---- elements in parts of one run ----
    {"slice u1[8*B+8] starts=3 ends=8*B+3", "reshape u1[8*B] shape=[B,8]", "bitcast u1[B,8] to=u8",
     "reshape u8[B] shape=[B,1]"},
    {"slice u1[64] starts=3 ends=35", "reshape u1[32] shape=[4,8]", "bitcast u1[4,8] to=u8",
     "relu u8[4]"},
    {"slice u1[64] starts=3 ends=35", "reshape u1[32] shape=[4,8]", "bitcast u1[4,8] to=u8",
     "cast u8[4] to=u8"},
    {"slice u1[64] starts=3 ends=35", "reshape u1[32] shape=[4,8]", "bitcast u1[4,8] to=u8",
     "cast u8[4] to=i8"},
};

typedef struct List {
  rsh_moves list;
  rsh_move move[MOVES];
  rsh_axis axis[AXES];
} List;

static int failures;

static rsh_moves *open_list(List *l, int32_t moves, int32_t axes) {
  l->list = (rsh_moves){l->move, l->axis, 0, moves, 0, axes, 0};
  return &l->list;
}

// Where an element of a value comes from.
typedef struct Origin {
  int32_t source, map;
  int64_t src, at;
} Origin;

// Of a value of known sizes. Moves that continue each other are joined if there is room, so lists may differ.
static void find_origins(const rsh_moves *m, Origin *out) {
  for (int32_t i = 0; i < m->count; i++) {
    const rsh_move *move = &m->move[i];
    const rsh_axis *axis = m->axis + move->first;
    int64_t index[RSH_MAX_AXES] = {0};
    Origin o = {move->source, move->map, move->src_offset.n, move->at_offset.n};
    int64_t dst = move->dst_offset.n;
    for (int32_t k = 0; k >= 0;) {
      out[dst] = o;
      for (k = move->axis_count - 1; k >= 0; k--) {
        int64_t steps = ++index[k] < axis[k].extent.n ? 1 : 1 - axis[k].extent.n;
        dst += steps * axis[k].dst.n, o.src += steps * axis[k].src.n, o.at += steps * axis[k].at.n;
        if (steps == 1)
          break;
        index[k] = 0;
      }
    }
  }
}

static bool same_lists(const rsh_moves *a, const rsh_moves *b) {
  static Origin of_a[VOLUME], of_b[VOLUME];
  memset(of_a, 0, sizeof of_a);
  memset(of_b, 0, sizeof of_b);
  find_origins(a, of_a);
  find_origins(b, of_b);
  return rsh_moves_parts(a) == rsh_moves_parts(b) && memcmp(of_a, of_b, sizeof of_a) == 0;
}

// The call that is folded, and its operands.
static Call call[LINKS];
static rsh_shape shape[LINKS][CALL_RESULTS];
static List result[LINKS], operand[CALL_OPERANDS], whole, part, work;
static const rsh_moves *in[CALL_OPERANDS];
static rsh_map map[MAPS];
static rsh_maps maps;

static void fail(const char *const *chain, int last, int32_t k, const char *what) {
  printf("%s, result %d: %s\n", chain[last], (int)k, what);
  failures++;
}

static bool is_refused(rsh_status status) {
  return status == RSH_too_small || status == RSH_overflow || status == RSH_unknown_size;
}

typedef struct Room {
  int32_t out_moves, out_axes, work_moves, work_axes, polys, terms, maps;
} Room;

static rsh_status fold_with(Room room, int last, int32_t k, List *out) {
  const Call *c = &call[last];
  rsh_call with = c->call;
  rsh_symbols symbols = c->symbols;
  symbols.poly_capacity =
      room.polys < NONE ? symbols.poly_count + room.polys : symbols.poly_capacity;
  symbols.term_capacity =
      room.terms < NONE ? symbols.term_count + room.terms : symbols.term_capacity;
  with.symbols = with.symbols != 0 ? &symbols : 0;
  maps.capacity = room.maps < MAPS ? room.maps : MAPS;
  int32_t before = maps.count;
  rsh_status status =
      rsh_fold(&with, k, &shape[last][k], in, open_list(out, room.out_moves, room.out_axes),
               open_list(&work, room.work_moves, room.work_axes));
  maps.count = before;
  return status;
}

static const Room enough = {MOVES, AXES, MOVES, AXES, NONE, NONE, MAPS};

// The same for memory whose axes are in another order, with gaps.
static rsh_status place_with(Room room, int last, int32_t k, List *out) {
  const rsh_shape *to = &shape[last][k];
  rsh_symbols symbols = call[last].symbols;
  rsh_num stride[RSH_MAX_RANK], step = rsh_int(2);
  for (int32_t i = 0; i < to->rank; i++) {
    stride[i] = step;
    if (!rsh_mul(&call[last].symbols, step, to->dim[i], &step))
      return RSH_overflow;
  }
  symbols = call[last].symbols;
  symbols.poly_capacity =
      room.polys < NONE ? symbols.poly_count + room.polys : symbols.poly_capacity;
  symbols.term_capacity =
      room.terms < NONE ? symbols.term_count + room.terms : symbols.term_capacity;
  return rsh_moves_place(&symbols, to, &whole.list, stride, rsh_int(5),
                         open_list(out, room.out_moves, room.out_axes),
                         open_list(&work, room.work_moves, room.work_axes));
}

// Whether all sizes are known, and the elements of a result are so few that each is compared.
static bool is_counted(int last, int32_t k) {
  rsh_num volume;
  return call[last].symbols.symbol_count == 0 &&
         rsh_volume(0, &shape[last][k], &volume) == RSH_ok && volume.n <= VOLUME;
}

// Whatever is said of moves is said of any: where a value is the tensor itself, and whether addresses can be decoded.
static void ask(const char *const *chain, int last, int32_t k) {
  int32_t source;
  rsh_num offset, volume;
  rsh_symbols *s = &call[last].symbols;
  bool is_known = is_counted(last, k);
  bool is_alias = rsh_moves_is_alias(s, &whole.list, &source, &offset);
  static Origin of[VOLUME];
  if (is_known && rsh_moves_parts(&whole.list) == 1) {
    rsh_volume(0, &shape[last][k], &volume);
    find_origins(&whole.list, of);
    bool is_run = true;
    for (int64_t i = 0; i < volume.n; i++)
      is_run = is_run && of[i].source == of[0].source && of[i].map == 0 &&
               of[i].src == of[0].src + i && of[0].source >= 0;
    if (is_alias != is_run && volume.n > 0)
      fail(chain, last, k, is_alias ? "no alias" : "an alias");
  }
  if (!rsh_moves_have_digits(s, &whole.list) && is_known)
    fail(chain, last, k, "known sizes without digits");
  static int64_t element[VOLUME];
  static int32_t sources[VOLUME];
  bool has_numbers = true;
  for (int32_t i = 0; i < whole.list.axis_count; i++)
    has_numbers = has_numbers && rsh_are_known(whole.axis[i].extent, whole.axis[i].dst) &&
                  rsh_is_known(whole.axis[i].src);
  for (int32_t i = 0; i < whole.list.count; i++)
    has_numbers = has_numbers && rsh_are_known(whole.move[i].src_offset, whole.move[i].dst_offset);
  if (!has_numbers && rsh_map_moves(&whole.list, element, sources) != RSH_unknown_size)
    fail(chain, last, k, "symbols in a map");
}

// A walk over a graph: operands become stages, or the lists grow, or neither.
typedef struct Walk {
  rsh_walk walk;
  int last;
  bool can_stage, is_staged[CALL_OPERANDS];
  int32_t room, most;
  List stage[CALL_OPERANDS];
  const rsh_moves *in[CALL_OPERANDS];
} Walk;

static bool make_stage(rsh_walk *walk, int32_t i) {
  Walk *w = (Walk *)walk;
  rsh_num volume;
  if (!w->can_stage || w->is_staged[i])
    return false;
  w->is_staged[i] = true;
  w->in[i] = open_list(&w->stage[i], 1, 1);
  return rsh_volume(call[w->last].call.symbols, &call[w->last].in[i], &volume) == RSH_ok &&
         rsh_moves_identity(&w->stage[i].list, 50 + i, volume) == RSH_ok;
}

static bool give_room(rsh_walk *walk) {
  Walk *w = (Walk *)walk;
  if (w->room >= w->most)
    return false;
  w->room = w->room * 2 + 1 < MOVES ? w->room * 2 + 1 : MOVES;
  part.list.capacity = work.list.capacity = w->room;
  part.list.axis_capacity = work.list.axis_capacity = w->room * 6;
  return true;
}

// With room to grow, or stages, whatever folds with enough room still does.
static void check_walk(const char *const *chain, int last, int32_t k, rsh_status full) {
  static Walk w;
  for (int how = 0; how < 32; how++) {
    memset(&w, 0, sizeof w);
    w.walk = (rsh_walk){rsh_fold_rule_of(call[last].call.op), make_stage, how & 1 ? give_room : 0};
    w.last = last;
    w.can_stage = (how & 2) != 0;
    w.room = how / 4 % 4;
    w.most = how < 16 ? MOVES : 1;
    for (int32_t i = 0; i < call[last].call.in_count; i++)
      w.in[i] = in[i];
    maps.capacity = MAPS;
    int32_t before = maps.count;
    rsh_status status = rsh_fold_staged(&call[last].call, k, &shape[last][k], w.in,
                                        open_list(&part, w.room, w.room * 6),
                                        open_list(&work, w.room, w.room * 6), &w.walk);
    maps.count = before;
    bool is_staged = false;
    for (int32_t i = 0; i < CALL_OPERANDS; i++)
      is_staged = is_staged || w.is_staged[i];
    if (status != RSH_ok && (!is_refused(status) || ((how & 3) == 3 && how < 16 && full == RSH_ok)))
      fail(chain, last, k, "not folded, in spite of stages and more room");
    if (status == RSH_ok && is_counted(last, k) && !is_staged &&
        !same_lists(&part.list, &whole.list))
      fail(chain, last, k, "another result in a walk");
  }
}

static void check_room(const char *const *chain, int last, int32_t k, bool is_known) {
  rsh_status full = fold_with(enough, last, k, &whole);
  if (full != RSH_ok && !is_refused(full))
    fail(chain, last, k, "refused with another status");
  for (int less = 0; less < 7 * 60; less++) {
    Room room = enough;
    int32_t *const of[7] = {&room.out_moves, &room.out_axes, &room.work_moves, &room.work_axes,
                            &room.polys,     &room.terms,    &room.maps};
    *of[less % 7] = less / 7;
    if (less % 7 == 6 && room.maps < maps.count)
      continue;
    rsh_status status = fold_with(room, last, k, &part);
    if (status != RSH_ok && !is_refused(status))
      fail(chain, last, k, "too little room, and another status");
    if (status == RSH_ok && is_known && !same_lists(&part.list, &whole.list))
      fail(chain, last, k, "too little room, and another result");
    status = full == RSH_ok ? place_with(room, last, k, &part) : RSH_too_small;
    if (status != RSH_ok && !is_refused(status))
      fail(chain, last, k, "too little room for a place, and another status");
  }
  if (full == RSH_ok)
    ask(chain, last, k);
  check_walk(chain, last, k, full);
}

static bool run_link(const char *const *chain, int last) {
  Call *c = &call[last];
  if (last == 0)
    call_read(c, chain[0]);
  else
    call_read_after(c, &call[last - 1], chain[last]);
  c->call.maps = &maps;
  if (rsh_resolve(&c->call, shape[last], 0) != RSH_ok) {
    fail(chain, last, 0, "not resolved");
    return false;
  }
  for (int32_t i = 0; i < c->call.in_count; i++) {
    rsh_num volume;
    in[i] = last > 0 && i == 0 ? &result[last - 1].list : open_list(&operand[i], 1, 1);
    if (rsh_volume(c->call.symbols, &c->in[i], &volume) != RSH_ok ||
        (in[i] == &operand[i].list &&
         rsh_moves_identity(&operand[i].list, 10 * last + i, volume) != RSH_ok))
      fail(chain, last, 0, "an operand without a volume");
  }
  return true;
}

static void run_chain(const char *const *chain) {
  int last = 0;
  maps = (rsh_maps){map, 1, MAPS};
  while (run_link(chain, last) && last + 1 < LINKS && chain[last + 1] != 0) {
    if (rsh_fold(&call[last].call, 0, &shape[last][0], in, open_list(&result[last], MOVES, AXES),
                 open_list(&work, MOVES, AXES)) != RSH_ok)
      fail(chain, last, 0, "not folded");
    last++;
  }
  if (rsh_fold_pieces(&call[last].call) < 1)
    fail(chain, last, 0, "no pieces");
  for (int32_t k = 0; k < call[last].call.out_count; k++)
    check_room(chain, last, k, is_counted(last, k));
}

// Tensors with strides, with every room for their axes.
static void check_strided(void) {
  static const char *const calls[] = {"identity f32[2,3,4]", "identity f32[B,3,S]",
                                      "identity f32[2,0,B]", "identity f32[1,1]", "identity f32"};
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    call_read(&call[0], calls[i]);
    const rsh_shape *of = &call[0].in[0];
    rsh_num stride[RSH_MAX_RANK], step = rsh_int(3);
    for (int32_t k = 0; k < of->rank; k++) {
      stride[k] = step;
      (void)rsh_mul(&call[0].symbols, step, of->dim[k], &step);
    }
    for (int less = 0; less < 3 * 20; less++) {
      rsh_symbols symbols = call[0].symbols;
      symbols.term_capacity = less % 3 == 2 ? symbols.term_count + less / 3 : symbols.term_capacity;
      rsh_status status = rsh_moves_strided(
          &symbols,
          open_list(&part, less % 3 == 0 ? less / 3 : MOVES, less % 3 == 1 ? less / 3 : AXES), 7,
          of, stride, rsh_int(5));
      bool has_room = less / 3 > (less % 3 == 2 ? 15 : 3);
      if (status != RSH_ok && (has_room || !is_refused(status)))
        printf("%s: strides are refused\n", calls[i]), failures++;
    }
  }
}

// Picks by tensors of indices have no moves.
static void check_picks(void) {
  static const char *const calls[] = {"gather f32[3,4] i64[2]", "gather_elements f32[3,4] i64[2,4]",
                                      "gather_nd f32[3,4] i64[5,2]"};
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    call_read(&call[0], calls[i]);
    for (int32_t k = 0; k < 2; k++)
      in[k] = open_list(&operand[k], 1, 1);
    if (rsh_resolve(&call[0].call, shape[0], 0) != RSH_ok ||
        fold_with(enough, 0, 0, &whole) != RSH_unsupported)
      printf("%s is folded\n", calls[i]), failures++;
  }
}

int main(void) {
  check_strided();
  check_picks();
  for (size_t i = 0; i < sizeof chains / sizeof chains[0]; i++)
    run_chain(chains[i]);
  printf("%zu chains, %d failures\n", sizeof chains / sizeof chains[0], failures);
  return failures != 0;
}
