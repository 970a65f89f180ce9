// RUN: %{cc} %{cflags} -D_DEFAULT_SOURCE %s -o %t %{libs} && %t %{step}
// As if every box were larger than the cache:
// RUN: %{cc} %{cflags} -D_DEFAULT_SOURCE -DRSH_STREAM_BYTES=64 %s %{root}/runtime/engine.c -o %t.large && %t.large %{step}
// The kernels of machines without vectors:
// RUN: %{cc} %{cflags} -D_DEFAULT_SOURCE -U__SSE2__ -U__ARM_NEON %s %{root}/runtime/engine.c -o %t.plain && %t.plain %{step}
//
// The copy engine against a loop over single elements. Buffers end or start at inaccessible pages, at every alignment;
// nothing outside the box is written.
#include "runtime/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, ROOM = 1 << 21, MOST_AXES = 8 };

// ROOM bytes between two inaccessible pages.
static unsigned char *guarded(void) {
  unsigned char *p =
      mmap(NULL, ROOM + 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED || mprotect(p, PAGE, PROT_NONE) || mprotect(p + PAGE + ROOM, PAGE, PROT_NONE))
    exit(2);
  return p + PAGE;
}

static unsigned char *source, *result, expected[ROOM];

static uint64_t state = 1;
static int64_t pick(int64_t count) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (int64_t)((state >> 33) % (uint64_t)count);
}

// Elements from the lowest to the highest address that a box touches, and the position of its first one.
typedef struct Span {
  int64_t first, size;
} Span;

static Span span_of(const rsh_axis *axis, int count, int is_dst) {
  int64_t low = 0, high = 0;
  for (int k = 0; k < count; k++) {
    int64_t reach = (axis[k].extent.n - 1) * (is_dst ? axis[k].dst.n : axis[k].src.n);
    *(reach < 0 ? &low : &high) += reach;
  }
  return (Span){-low, high - low + 1};
}

static void plain_copy(const rsh_axis *axis, int count, int64_t width, unsigned char *dst,
                       const unsigned char *src) {
  int64_t index[MOST_AXES] = {0};
  for (;;) {
    int64_t to = 0, from = 0;
    for (int k = 0; k < count; k++) {
      to += index[k] * axis[k].dst.n;
      from += index[k] * axis[k].src.n;
    }
    for (int64_t b = 0; b < width; b++)
      dst[to * width + b] = src[from * width + b];
    int k = count - 1;
    while (k >= 0 && ++index[k] == axis[k].extent.n)
      index[k--] = 0;
    if (k < 0)
      return;
  }
}

// One box, with its buffers against the pages at their ends, or at their starts; and some bytes away, so that all
// alignments occur. Some of those that fit are split before.
static void check_at(const rsh_axis *axis, int count, int64_t width, int at_end, int64_t off) {
  Span to = span_of(axis, count, 1), from = span_of(axis, count, 0);
  int64_t to_bytes = to.size * width, from_bytes = from.size * width;
  if (to_bytes + off > ROOM || from_bytes + off > ROOM)
    return;
  unsigned char *dst = at_end ? result + ROOM - to_bytes - off : result + off;
  unsigned char *src = at_end ? source + ROOM - from_bytes - off / 2 : source + off / 2;
  memset(dst, 0xCC, (size_t)to_bytes);
  memset(expected, 0xCC, (size_t)to_bytes);
  plain_copy(axis, count, width, expected + to.first * width, src + from.first * width);
  dst += to.first * width;
  src += from.first * width;
  rsh_box box;
  if (off == 0 && rsh_box_of(&box, axis, count, (uint32_t)width))
    rsh_run_box(&box, dst, src);
  else
    rsh_copy_box(axis, count, (uint32_t)width, dst, src);
  dst -= to.first * width;
  if (memcmp(dst, expected, (size_t)to_bytes) != 0) {
    printf("wrong copy: width %lld", (long long)width);
    for (int k = 0; k < count; k++)
      printf(" {%lld, dst %lld, src %lld}", (long long)axis[k].extent.n, (long long)axis[k].dst.n,
             (long long)axis[k].src.n);
    printf("\n");
    exit(1);
  }
}

static void check(const rsh_axis *axis, int count, int64_t width) {
  check_at(axis, count, width, 1, 0);
  check_at(axis, count, width, 0, 0);
  check_at(axis, count, width, (int)pick(2), 1 + pick(63));
}

static rsh_axis axis_of(int64_t extent, int64_t dst, int64_t src) {
  rsh_axis a = {rsh_int(extent), rsh_int(dst), rsh_int(src), rsh_int(0)};
  return a;
}

// Rows to columns: dense, with gaps on either side, and each side backwards.
static void check_transposes(int64_t width, int64_t rows, int64_t cols) {
  int64_t gap = pick(3), other = pick(3);
  rsh_axis dense[2] = {axis_of(cols, rows, 1), axis_of(rows, 1, cols)};
  rsh_axis gaps[2] = {axis_of(cols, rows + gap, 1), axis_of(rows, 1, cols + other)};
  rsh_axis turned[2] = {axis_of(cols, rows, -1), axis_of(rows, 1, cols)};
  rsh_axis up[2] = {axis_of(cols, rows, 1), axis_of(rows, 1, -cols)};
  check(dense, 2, width);
  check(gaps, 2, width);
  check(turned, 2, width);
  check(up, 2, width);
}

// One row, with another loop around it: a run, one element, backwards, every second, with steps.
static void check_rows(int64_t width, int64_t extent) {
  static const int64_t step[] = {1, 0, -1, 2, -2, 3, 4, 5};
  for (size_t i = 0; i < sizeof step / sizeof *step; i++) {
    int64_t dst = 1 + pick(2);
    rsh_axis row[1] = {axis_of(extent, 1, step[i])};
    rsh_axis rows[2] = {axis_of(3, extent * dst + pick(2), pick(9) - 4),
                        axis_of(extent, dst, step[i])};
    check(row, 1, width);
    check(rows, 2, width);
  }
}

// Axes in random order on both sides, some of them backwards, repeated, or with gaps.
static void check_random(int64_t width) {
  rsh_axis axis[MOST_AXES];
  int count = (int)pick(6), order[MOST_AXES];
  int64_t dst = 1, src = 1, volume = 1;
  for (int k = 0; k < count; k++) {
    int64_t extent = pick(8) == 0 ? 1 + pick(67) : 1 + pick(7);
    if (volume * extent > 5000)
      extent = 1;
    volume *= extent;
    axis[k].extent = rsh_int(extent);
    order[k] = k;
  }
  for (int k = count - 1; k >= 0; k--) {
    axis[k].dst = rsh_int(dst);
    dst = dst * axis[k].extent.n + (pick(6) == 0 ? pick(4) : 0);
  }
  for (int k = count - 1; k > 0; k--) {
    int j = (int)pick(k + 1), t = order[j];
    order[j] = order[k], order[k] = t;
  }
  for (int k = 0; k < count; k++) {
    int64_t sign = pick(5) == 0 ? -1 : pick(12) == 0 ? 0 : 1;
    axis[order[k]].src = rsh_int(sign * src);
    src = src * axis[order[k]].extent.n * (pick(8) == 0 ? 2 : 1) + (pick(6) == 0 ? pick(4) : 0);
  }
  for (int k = count - 1; k > 0; k--) {
    int j = pick(4) == 0 ? (int)pick(k + 1) : k;
    rsh_axis a = axis[k];
    axis[k] = axis[j], axis[j] = a;
  }
  check(axis, count, width);
}

// With a step, only every n-th of the matrices and rows, and that many fewer random boxes.
int main(int argc, char **argv) {
  int step = argc > 1 ? atoi(argv[1]) : 1;
  static const int64_t widths[] = {1, 2, 4, 8, 16, 3, 12, 32};
  source = guarded();
  result = guarded();
  for (int64_t i = 0; i < ROOM; i++)
    source[i] = (unsigned char)((i * 0x9E3779B97F4A7C15ull) >> 56);
  for (int w = 0; w < 5; w++)
    for (int64_t i = 0; i < 67 * 67; i += step)
      check_transposes(widths[w], 1 + i / 67, 1 + i % 67);
  for (int w = 0; w < 8; w++)
    for (int64_t extent = 1; extent <= 200; extent += step)
      check_rows(widths[w], extent);
  for (int i = 0; i < 100000 / step; i++)
    check_random(widths[pick(8)]);
  for (int w = 0; w < 5; w++) // more than one block of lines
    check_transposes(widths[w], 130 + pick(300), 270 + pick(100));
  for (int w = 0; w < 5; w++) // more than one line, each whole
    check_transposes(widths[w], 192, 83);
  check(NULL, 0, 4); // one element
  rsh_axis none[1] = {axis_of(0, 1, 1)};
  rsh_copy_box(none, 1, 4, NULL, NULL);
  return rsh_box_of(&(rsh_box){0}, none, 1, 4);
}
