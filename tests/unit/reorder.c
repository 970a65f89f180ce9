// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t
//
// The nodes that rearrange all elements of a tensor (onnx_reorder.h). Each chain is read twice: with symbols, for which
// nodes are asked, and with numbers for them, for which the nodes must give the elements in the order of the chain.
// With too little room for polynomials there are no nodes, or nodes that do the same.
#include "Inputs/call.h"

#include "frontend/onnx/onnx_reorder.h"
#include "runtime/map.h"
#include "runtime/move.h"

enum { LINKS = 4, MOVES = 64, AXES = 400, VOLUME = 1 << 17, TEXT = 200 };

typedef struct Row {
  int nodes;         // -1: a target cannot express it; -2: it is not a reorder
  const char *given; // sizes that are never 0
  const char *chain[LINKS];
} Row;

static const Row rows[] = {
    // ---- a target alone
    {0, "", {"identity f32[2,3]"}},
    {1, "", {"reshape f32[2,3] shape=[3,2]"}},
    {1, "", {"reshape f32[2,3] shape=[6]"}},
    {1, "", {"reshape f32[B,3,4] shape=[B,12]"}},   // 0, 12
    {-1, "", {"reshape f32[B,S,4] shape=[B,4*S]"}}, // -1 beside a 0 that may copy no element
    {1, "B", {"reshape f32[B,S,4] shape=[B,4*S]"}}, // 0, -1
    {1, "2*B", {"reshape f32[B,S,4] shape=[B,4*S]"}},
    {1, "S", {"reshape f32[B,S,4] shape=[4*B,S]"}},
    {-1, "", {"reshape f32[2*B,3*S] shape=[3*B,2*S]"}},
    {1, "", {"reshape f32[2*B,3] shape=[B,6]"}},
    // ---- a Transpose, with a Reshape before it, after it, or both
    {1, "", {"transpose f32[2,3,4] perm=[2,0,1]"}},
    {1, "", {"transpose f32[B,3,S] perm=[2,0,1]"}},
    {1, "", {"transpose f32[1,B,1,S] perm=[2,3,1,0]"}},
    {2, "", {"reshape f32[2,6,12] shape=[2,6,3,4]", "transpose f32[2,6,3,4] perm=[0,2,1,3]"}},
    {2, "", {"transpose f32[2,3,6,4] perm=[0,2,1,3]", "reshape f32[2,6,3,4] shape=[2,6,12]"}},
    {3,
     "",
     {"reshape f32[4,6] shape=[2,2,6]", "transpose f32[2,2,6] perm=[1,2,0]",
      "reshape f32[2,6,2] shape=[4,6]"}},
    {3, "", {"depth_to_space f32[1,12,2,3] blocksize=2"}},
    {3, "", {"space_to_depth f32[2,3,4,6] blocksize=2"}},
    {3, "", {"depth_to_space f32[B,12,2,3] blocksize=2 mode=\"CRD\""}},
    {-1, "", {"depth_to_space f32[B,12,H,W] blocksize=2"}},
    {1, "", {"transpose f32[2,3]", "transpose f32[3,2]", "transpose f32[2,3]"}},
    {0, "", {"transpose f32[2,B]", "transpose f32[B,2]"}},
    {1, "", {"transpose f32[4,1,6] perm=[2,1,0]", "reshape f32[6,1,4] shape=[6,4,1]"}},
    {2, "", {"transpose f32[4,6]", "reshape f32[6,4] shape=[3,8]"}},
    {3, "", {"transpose f32[4,6]", "reshape f32[6,4] shape=[3,8]", "transpose f32[3,8]"}},
    {3,
     "",
     {"transpose f32[4,6]", "reshape f32[6,4] shape=[2,3,4]", "transpose f32[2,3,4] perm=[1,0,2]",
      "reshape f32[3,2,4] shape=[3,8]"}},
    {2, "", {"reshape f32[2*B,6] shape=[2,B,6]", "transpose f32[2,B,6] perm=[1,0,2]"}},
    {-1, "", {"transpose f32[B,2,S]", "reshape f32[S,2,B] shape=[S,2*B]"}},
    {2, "S", {"transpose f32[B,2,S]", "reshape f32[S,2,B] shape=[S,2*B]"}},
    {-1, "", {"transpose f32[B,2,S]", "reshape f32[S,2,B] shape=[2*S,B]", "transpose f32[2*S,B]"}},
    {2, "B", {"transpose f32[B,C,S] perm=[0,2,1]", "reshape f32[B,S,C] shape=[B,C*S]"}},
    {1, "", {"reshape f32[6,1,4] shape=[1,6,4]", "transpose f32[1,6,4] perm=[2,1,0]"}},
    {2,
     "",
     {"reshape f32[6,1,4] shape=[6,4]", "transpose f32[6,4]", "reshape f32[4,6] shape=[1,4,6,1]"}},
    {-2,
     "",
     {"transpose f32[3,5]", "reshape f32[5,3] shape=[15]", "reshape f32[15] shape=[3,5]",
      "transpose f32[3,5]"}},
    // 17 digits: more than a tensor has axes
    {-1,
     "",
     {"reshape f32[131072] shape=[2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,4]",
      "transpose f32[2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,4]",
      "reshape f32[4,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2] shape=[2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,4]",
      "transpose f32[2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,4] "
      "perm=[1,0,2,3,4,5,6,7,8,9,10,11,12,13,14,15]"}},
    {3,
     "",
     {"reshape f32[65536] shape=[2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2]",
      "transpose f32[2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2]",
      "reshape f32[2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2] shape=[65536]"}},
    // sizes of 1 on one side only, as many sizes as digits, and others
    {2, "", {"transpose f32[4,6]", "reshape f32[6,4] shape=[6,1,4]"}},
    {2, "", {"reshape f32[4,1,6] shape=[4,6]", "transpose f32[4,6]"}},
    {2, "", {"reshape f32[6,4] shape=[4,6]", "transpose f32[4,6]"}},
    {1,
     "",
     {"reshape f32[4,1,6] shape=[4,6,1]", "transpose f32[4,6,1] perm=[1,0,2]",
      "reshape f32[6,4,1] shape=[1,6,4]"}},
    {2, "", {"reshape f32[24] shape=[4,6]", "transpose f32[4,6]"}},
    {-1, "", {"transpose f32[2*B,3*S]", "reshape f32[3*S,2*B] shape=[2*S,3*B]"}},
    {2, "", {"transpose f32[B,S,6] perm=[2,0,1]", "reshape f32[6,B,S] shape=[2,3,B,S]"}},
    {3, "", {"reshape f32[6*B] shape=[6,B]", "transpose f32[6,B]", "reshape f32[B,6] shape=[6*B]"}},
    {-1, "", {"reshape f32[4*B,C] shape=[C,4*B]", "transpose f32[C,4*B]"}},
    // ---- not a reorder
    {-2, "", {"flip f32[6] axes=0"}},
    {-2, "", {"roll f32[6] shifts=1"}},
    {-2, "", {"relu f32[6]"}},
    {-2, "", {"pad f32[6] pads=[-6,6]"}}, // none of its elements
    {-2, "", {"expand f32[2,1] shape=[2,3]"}},
    {-2, "", {"slice f32[6,4] starts=[0,0] ends=[6,2]"}},
    {-2, "", {"gather f32[6] indices=[0,2,4]"}},
};

typedef struct List {
  rsh_moves list;
  rsh_move move[MOVES];
  rsh_axis axis[AXES];
} List;

static int failures;
static List result[LINKS], work;
static Call call[LINKS];
static rsh_map map[4];

static rsh_moves *open_list(List *l) {
  l->list = (rsh_moves){l->move, l->axis, 0, MOVES, 0, AXES, 0};
  return &l->list;
}

static void fail(const Row *row, const char *what) {
  printf("%s ...: %s\n", row->chain[0], what);
  failures++;
}

// Symbols become numbers: A is 2, B is 3, and so on.
static const char *with_numbers(const char *text, char out[TEXT]) {
  char *to = out;
  for (const char *at = text; *at; at++) {
    bool is_symbol = *at >= 'A' && *at <= 'Z' && (at == text || strchr("[,*=", at[-1]) != NULL);
    to += is_symbol ? sprintf(to, "%d", *at - 'A' + 2) : sprintf(to, "%c", *at);
  }
  return out;
}

// Folds the chain; returns the number of its last call.
static int fold(const Row *row, bool is_known, rsh_shape *to) {
  char text[TEXT];
  rsh_maps maps = {map, 1, 4};
  for (int k = 0;; k++) {
    const char *link = is_known ? with_numbers(row->chain[k], text) : row->chain[k];
    List whole;
    rsh_num volume;
    if (k == 0)
      call_read(&call[k], link);
    else
      call_read_after(&call[k], &call[k - 1], link);
    call[k].call.maps = &maps;
    const rsh_moves *in = k > 0 ? &result[k - 1].list : open_list(&whole);
    if (rsh_resolve(&call[k].call, to, 0) != RSH_ok ||
        rsh_volume(call[k].call.symbols, &call[k].in[0], &volume) != RSH_ok ||
        (k == 0 && rsh_moves_identity(&whole.list, 0, volume) != RSH_ok) ||
        rsh_fold(&call[k].call, 0, to, &in, open_list(&result[k]), open_list(&work)) != RSH_ok) {
      printf("%s: not folded\n", link);
      exit(1);
    }
    if (k + 1 == LINKS || row->chain[k + 1] == NULL)
      return k;
  }
}

// ---- what nodes do, in numbers

typedef struct Tensor {
  int32_t rank;
  int64_t dim[RSH_MAX_RANK], volume;
  int32_t item[VOLUME];
} Tensor;

static Tensor tensor_of(const rsh_shape *shape) {
  Tensor t = {.rank = shape->rank, .volume = 1};
  for (int32_t i = 0; i < t.rank; i++)
    t.volume *= t.dim[i] = shape->dim[i].n;
  for (int32_t i = 0; i < t.volume && i < VOLUME; i++)
    t.item[i] = i;
  return t;
}

// Reshape of ONNX with allowzero=0.
static bool reshape(Tensor *t, const ReorderStep *step) {
  int64_t dim[RSH_MAX_RANK], known = 1;
  int32_t open = -1;
  for (int32_t i = 0; i < step->count; i++) {
    dim[i] = step->list[i] != 0 ? step->list[i] : i < t->rank ? t->dim[i] : -2;
    known *= dim[i] == -1 ? 1 : dim[i];
    if (dim[i] < -1 || (dim[i] == -1 && open >= 0))
      return false;
    open = dim[i] == -1 ? i : open;
  }
  if (open >= 0)
    dim[open] = t->volume / known;
  if ((open >= 0 ? known * dim[open] : known) != t->volume)
    return false;
  t->rank = step->count;
  memcpy(t->dim, dim, sizeof dim);
  return true;
}

static bool transpose(Tensor *t, const ReorderStep *step) {
  static Tensor from;
  int64_t stride[RSH_MAX_RANK], index[RSH_MAX_RANK] = {0}, inner = 1;
  from = *t;
  if (step->count != t->rank)
    return false;
  for (int32_t i = t->rank - 1; i >= 0; i--) {
    stride[i] = inner;
    inner *= from.dim[i];
  }
  for (int32_t i = 0; i < t->rank; i++)
    t->dim[i] = from.dim[step->list[i]];
  for (int64_t at = 0; at < t->volume; at++) {
    int64_t place = 0;
    for (int32_t i = 0; i < t->rank; i++)
      place += index[i] * stride[step->list[i]];
    t->item[at] = from.item[place];
    for (int32_t i = t->rank - 1; i >= 0 && ++index[i] == t->dim[i]; i--)
      index[i] = 0;
  }
  return true;
}

static bool steps_give(const Reorder *steps, const rsh_shape *from, const Tensor *wanted) {
  static Tensor t;
  t = tensor_of(from);
  for (int i = 0; i < steps->count; i++)
    if (!(steps->step[i].is_transpose ? transpose : reshape)(&t, &steps->step[i]))
      return false;
  return t.rank == wanted->rank &&
         memcmp(t.dim, wanted->dim, sizeof *t.dim * (size_t)t.rank) == 0 &&
         memcmp(t.item, wanted->item, sizeof *t.item * (size_t)t.volume) == 0;
}

// ----

static void run(const Row *row) {
  static Tensor wanted;
  static int32_t source[VOLUME];
  static int64_t element[VOLUME];
  rsh_shape from, to;
  int last = fold(row, true, &to);
  from = call[0].in[0];
  wanted = tensor_of(&to);
  if (wanted.volume > VOLUME)
    printf("%s: too large\n", row->chain[0]), exit(1);
  if (row->nodes >= -1 && rsh_map_moves(&result[last].list, element, source) != RSH_ok)
    fail(row, "no map");
  for (int64_t i = 0; row->nodes >= -1 && i < wanted.volume; i++)
    wanted.item[i] = (int32_t)element[i];

  last = fold(row, false, &to);
  Call *c = &call[last];
  Reorder full = {0}, some;
  Arena *arena = arena_new();
  ReorderSizes positive = {0};
  if (*row->given) {
    c->at = row->given;
    VEC_PUSH(arena, positive, call_number(c));
  }
  rsh_symbols *s = &c->symbols;
  if (reorder_is(s, &result[last].list) != (row->nodes >= -1))
    fail(row, row->nodes < -1 ? "is a reorder" : "is not a reorder");
  bool found = row->nodes >= -1 &&
               reorder_steps(s, &result[last].list, &call[0].in[0], &to, &positive, &full);
  if (found != (row->nodes >= 0) || (found && full.count != row->nodes))
    printf("%s ...: %d nodes, expected %d\n", row->chain[0], found ? full.count : -1, row->nodes),
        failures++;
  if (found && !steps_give(&full, &from, &wanted))
    fail(row, "other elements");
  for (int less = 0; row->nodes >= 0 && s->symbol_count > 0 && less < 2 * 60; less++) {
    rsh_symbols scarce = call[last].symbols;
    scarce.poly_capacity = less % 2 ? scarce.poly_capacity : scarce.poly_count + less / 2;
    scarce.term_capacity = less % 2 ? scarce.term_count + less / 2 : scarce.term_capacity;
    (void)reorder_is(&scarce, &result[last].list);
    if (reorder_steps(&scarce, &result[last].list, &call[0].in[0], &to, &positive, &some) &&
        !steps_give(&some, &from, &wanted))
      fail(row, "other elements with too little room");
  }
  arena_free(arena);
}

int main(void) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    run(&rows[i]);
  printf("%zu chains, %d failures\n", sizeof rows / sizeof *rows, failures);
  return failures != 0;
}
