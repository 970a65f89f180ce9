// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t
//
// Lists of moves that are built by hand: which moves are joined, which lists are an alias or have digits, and what is
// refused, up to the ends of 64 bits.
#include "runtime/moves.h"

#undef NDEBUG
#include <assert.h>
#include <stdlib.h>

enum { MANY = 70000, FEW = 100 };

static rsh_move move[MANY + 1], other_move[MANY + 1];
static rsh_axis axis[MANY + 1], other_axis[MANY + 1];
static rsh_moves list, work;
static rsh_poly poly[20];
static rsh_term term[100];
static rsh_symbols symbols;

static void clear(void) {
  list = (rsh_moves){move, axis, 0, MANY + 1, 0, MANY + 1, 0};
  work = (rsh_moves){other_move, other_axis, 0, MANY + 1, 0, MANY + 1, 0};
}

static rsh_move *add(int32_t source, int64_t dst, int64_t src) {
  Calc c = {0, RSH_ok};
  const rsh_move like = {.source = source, .src_offset = rsh_int(src)};
  rsh_move *added = rsh_moves_push(&c, &list, &like, rsh_int(dst));
  assert(c.status == RSH_ok);
  return added;
}

static void add_axis(int64_t extent, int64_t dst, int64_t src) {
  Calc c = {0, RSH_ok};
  rsh_moves_push_axis(&c, &list,
                      (rsh_axis){rsh_int(extent), rsh_int(dst), rsh_int(src), rsh_int(0)});
  assert(c.status == RSH_ok);
}

// The number of moves that are left.
static int32_t joined(rsh_symbols *s) {
  Calc c = {s, RSH_ok};
  rsh_moves_join(&c, &list, &work);
  assert(c.status == RSH_ok);
  return list.count;
}

static bool is_axis(int32_t k, int64_t extent, int64_t dst, int64_t src) {
  return rsh_is(axis[k].extent, extent) && rsh_is(axis[k].dst, dst) && rsh_is(axis[k].src, src);
}

static void test_joined(void) {
  clear(); // one follows the other
  add(0, 0, 0), add_axis(6, 1, 1);
  add(0, 6, 6), add_axis(4, 1, 1);
  assert(joined(0) == 1 && list.axis_count == 1 && is_axis(0, 10, 1, 1));
  clear(); // a row of 2, then 3 rows
  add(0, 0, 0), add_axis(2, 1, 1);
  add(0, 10, 20), add_axis(3, 10, 20), add_axis(2, 1, 1);
  assert(joined(0) == 1 && list.axis_count == 2 && is_axis(0, 4, 10, 20) && is_axis(1, 2, 1, 1));
  clear(); // 3 rows, then one
  add(0, 0, 0), add_axis(3, 10, 20), add_axis(2, 1, 1);
  add(0, 30, 60), add_axis(2, 1, 1);
  assert(joined(0) == 1 && list.axis_count == 2 && is_axis(0, 4, 10, 20));
  clear(); // rows grow
  add(0, 0, 0), add_axis(3, 10, 20), add_axis(2, 1, 1);
  add(0, 2, 2), add_axis(3, 10, 20), add_axis(5, 1, 1);
  assert(joined(0) == 1 && list.axis_count == 2 && is_axis(0, 3, 10, 20) && is_axis(1, 7, 1, 1));
}

static void test_not_joined(void) {
  clear(); // another function
  add(0, 0, 0)->map = 1, add_axis(6, 1, 1);
  add(0, 6, 6)->map = 2, add_axis(4, 1, 1);
  assert(joined(0) == 2);
  clear(); // other entries of a table
  add(0, 0, 0), add_axis(6, 1, 1);
  add(0, 6, 6)->at_offset = rsh_int(5), add_axis(4, 1, 1);
  assert(joined(0) == 2);
  clear(); // its end does not fit
  add(0, 0, 0), add_axis(3, 1, INT64_MAX / 2);
  add(0, 3, 0), add_axis(2, 1, INT64_MAX / 2);
  assert(joined(0) == 2);
  clear(); // the same place
  add(0, 0, 0), add_axis(6, 1, 1);
  add(0, 0, 6), add_axis(6, 1, 1);
  assert(joined(0) == 2);
  clear(); // a distance that does not fit
  Calc c = {0, RSH_ok};
  add(0, 0, INT64_MIN), add_axis(6, 1, 1);
  add(0, 6, INT64_MAX), add_axis(6, 1, 1);
  rsh_moves_join(&c, &list, &work);
  assert(c.status == RSH_overflow);
}

// Moves without order or with little room: all stay, and known places are in order.
static void test_many(void) {
  rsh_num n;
  symbols = (rsh_symbols){.poly_capacity = 20, .term_capacity = 100, .poly = poly, .term = term};
  assert(rsh_symbol(&symbols, &n));
  for (int how = 0; how < 3; how++) {
    clear();
    work.capacity = how == 1 ? FEW - 1 : FEW;
    for (int i = 0; i < FEW; i++)
      add(i, 10 * (FEW - i), 0);
    if (how == 2)
      list.move[0].dst_offset = list.move[1].dst_offset = n;
    assert(joined(&symbols) == FEW);
    for (int i = 0; how < 2 && i < FEW; i++)
      assert(rsh_is(list.move[i].dst_offset, 10 * (i + 1)) && list.move[i].source == FEW - 1 - i);
  }
  clear(); // in a very long list, only neighbors are compared
  for (int i = 0; i < MANY; i++)
    add(i / 2, i, i % 2);
  assert(joined(0) == MANY / 2 && list.axis_count == MANY / 2 && is_axis(0, 2, 1, 1));
}

static bool is_alias(int64_t offset) {
  int32_t source;
  rsh_num shift;
  return rsh_moves_is_alias(0, &list, &source, &shift) && source == 3 && rsh_is(shift, offset);
}

static void test_alias(void) {
  clear();
  add(3, 0, 7), add_axis(5, 1, 1);
  add(3, 5, 12), add_axis(4, 1, 1);
  assert(is_alias(7));
  list.move[1].src_offset = rsh_int(13);
  assert(!is_alias(7));
  list.move[1].src_offset = rsh_int(12);
  list.move[1].source = 4;
  assert(!is_alias(7));
  list.count = 1;
  assert(is_alias(7));
  list.move[0].dst_offset = rsh_int(1), list.move[0].src_offset = rsh_int(INT64_MIN);
  assert(!is_alias(7));
}

static void test_limits(void) {
  Calc c = {0, RSH_ok};
  clear(); // more axes than a move may have
  add(0, 0, 0);
  for (int i = 0; i < RSH_MAX_AXES; i++)
    add_axis(2, 1, 1);
  rsh_moves_push_axis(&c, &list, axis[0]);
  assert(c.status == RSH_too_small && list.move[0].axis_count == RSH_MAX_AXES);
  c.status = RSH_ok;
  clear(); // no two elements have one place, so there are none
  add(0, 0, 0), add_axis(2, 0, 1);
  rsh_moves_end_last(&c, &list);
  assert(c.status == RSH_ok && list.count == 0 && list.axis_count == 0);
  clear();
  add(0, 0, 0), add_axis(2, INT64_MAX / 2, 1), add_axis(2, 1, 1);
  assert(rsh_moves_have_digits(0, &list));
  axis[0].extent = rsh_int(4); // its last place does not fit
  assert(!rsh_moves_have_digits(0, &list));
  static const int64_t element[6] = {0, 3, 1, 4, 2, 5};
  for (int axes = 0; axes <= 2; axes++) {
    clear();
    list.axis_capacity = axes;
    assert(rsh_moves_from_map(&list, 0, element, 6) == (axes == 2));
  }
}

int main(void) {
  test_joined();
  test_not_joined();
  test_many();
  test_alias();
  test_limits();
  return 0;
}
