// RUN: %{cc} %{cflags} %s -I %S/Inputs -o %t %{libs} && %t
//
// The plain engine on packed elements, against the map of the same moves, element by element: runs of 0 to 40
// from every bit to every bit, rows of odd length, steps, constants. Nothing around the result changes.
#include "call.h"
#include "runtime/fold.h"
#include "runtime/move.h"

enum { MOVES = 64, AXES = 512, MOST = 4096, GUARD = 4 };

static rsh_move move[CALL_OPERANDS + 2][MOVES];
static rsh_axis axis[CALL_OPERANDS + 2][AXES];
static rsh_moves list[CALL_OPERANDS + 2];
static long cases;

static void fail(const char *call, unsigned bits, const char *what) {
  printf("%s, %u bits: %s\n", call, bits, what);
  exit(1);
}

static unsigned get(const unsigned char *base, int64_t at, unsigned bits) {
  int64_t bit = at * bits;
  unsigned element = 0;
  for (unsigned i = 0; i < bits; i++)
    element |= (base[(bit + i) / 8] >> (bit + i) % 8 & 1u) << i;
  return element;
}

// The bytes of the operands are noise, and end after the bytes of `volume` elements.
static void check_run(const char *text, const rsh_moves *m, const rsh_num *volume, int64_t total,
                      unsigned bits) {
  static unsigned char noise[CALL_OPERANDS][MOST], out[MOST + 2 * GUARD];
  static int64_t element[MOST];
  static int32_t source[MOST];
  static unsigned seed = 1;
  const void *from[CALL_OPERANDS];
  unsigned char constant = 1;
  const void *fill[1] = {&constant};
  for (int i = 0; i < CALL_OPERANDS; i++) {
    size_t bytes = ((size_t)volume[i].n * bits + 7) / 8;
    unsigned char *end = noise[i] + MOST;
    for (size_t k = 1; k <= bytes; k++)
      end[-(ptrdiff_t)k] = (unsigned char)((seed = seed * 1664525u + 1013904223u) >> 24);
    from[i] = end - bytes;
  }
  memset(out, 0xA5, sizeof out);
  if (rsh_run_packed(m, bits, from, fill, out + GUARD) != RSH_ok ||
      rsh_map_moves(m, element, source) != RSH_ok)
    fail(text, bits, "is refused");
  int64_t bytes = (total * bits + 7) / 8;
  for (int64_t i = 0; i < bytes * 8 / bits; i++) {
    unsigned want = i >= total      ? 0
                    : source[i] < 0 ? constant
                                    : get(from[source[i]], element[i], bits);
    if (get(out + GUARD, i, bits) != want)
      fail(text, bits, "is wrong");
  }
  for (int i = 0; i < GUARD; i++)
    if (out[i] != 0xA5 || out[GUARD + bytes + i] != 0xA5)
      fail(text, bits, "wrote around the result");
  cases++;
}

static void check(const char *text) {
  Call c;
  rsh_shape out;
  rsh_num volume[CALL_OPERANDS] = {{0, 0}}, total;
  const rsh_moves *in[CALL_OPERANDS];
  call_read(&c, text);
  if (rsh_resolve(&c.call, &out, NULL) != RSH_ok || rsh_volume(0, &out, &total) != RSH_ok)
    fail(text, 0, "has no shape");
  for (int i = 0; i < CALL_OPERANDS + 2; i++)
    list[i] = (rsh_moves){move[i], axis[i], 0, MOVES, 0, AXES, 0};
  for (int32_t i = 0; i < c.call.in_count; i++) {
    if (rsh_volume(0, c.call.in[i], &volume[i]) != RSH_ok ||
        rsh_moves_identity(&list[i], i, volume[i]) != RSH_ok)
      fail(text, 0, "has an operand without moves");
    in[i] = &list[i];
  }
  rsh_moves *m = &list[CALL_OPERANDS];
  if (rsh_fold(&c.call, 0, &out, in, m, &list[CALL_OPERANDS + 1]) != RSH_ok)
    fail(text, 0, "cannot be folded");
  check_run(text, m, volume, total.n, 4);
  check_run(text, m, volume, total.n, 2);
  check_run(text, m, volume, total.n, 1);
}

// A run of each length between others, so that it starts at every bit of the result, and of its row in x.
static void check_runs(void) {
  char text[200];
  for (int length = 0; length <= 40; length++)
    for (int dst = 0; dst < 4; dst++) {
      snprintf(text, sizeof text, "concat u4[%d] u4[%d] u4[5] axis=0", dst, length);
      check(text);
      snprintf(text, sizeof text, "slice u4[3,%d] starts=[%d] ends=[%d] axes=[1]", length + dst + 1,
               dst, length + dst);
      check(text);
    }
}

static void check_refusals(void) {
  rsh_moves *m = &list[0];
  unsigned char byte = 0;
  const void *from[1] = {&byte}, *nothing[1] = {NULL};
  *m = (rsh_moves){move[0], axis[0], 0, MOVES, 0, AXES, 0};
  if (rsh_moves_identity(m, 0, rsh_int(2)) != RSH_ok ||
      rsh_run_packed(m, 3, from, NULL, &byte) != RSH_unsupported ||
      rsh_run_packed(m, 4, nothing, NULL, &byte) != RSH_null_pointer ||
      rsh_run_packed(m, 4, from, NULL, NULL) != RSH_null_pointer)
    fail("identity", 4, "is not refused as it should be");
  m->move->source = -1;
  if (rsh_run_packed(m, 4, from, NULL, &byte) != RSH_null_pointer)
    fail("a constant", 4, "is not needed");
}

int main(void) {
  check_runs();
  check("transpose u4[5,7]");
  check("flip u4[3,9] axes=[0]");
  check("flip u4[3,9] axes=[1]");
  check("slice u4[9,7,5] starts=[1,6,1] ends=[9,0,5] axes=[0,1,2] steps=[2,-3,1]");
  check("expand u4[1,9] shape=[5,9]");
  check("expand u4[9,1] shape=[9,5]");
  check("tile u4[2,3] repeats=[2,5]");
  check("pad u4[3,7] pads=[1,2,0,3]");
  check("roll u4[5,7] shifts=[3] axes=[1]");
  check("reshape u4[7] shape=[7,1]");
  check("identity u4");
  check_refusals();
  printf("%ld cases\n", cases);
  return 0;
}
