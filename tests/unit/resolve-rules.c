// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t
//
// The shape rules other than reshape, bounded exhaustively, each against a plain restatement in 128 bits: all ranks up
// to 3, all lists up to 3 entries, slices at every extreme, parts of every small size.
#include "runtime/resolve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 wide;

enum { LONGEST = 3, MAX_LISTS = 20000 };

typedef struct List {
  int count;
  int64_t n[LONGEST + LONGEST];
} List;

static int all_lists(const int64_t *value, int values, List *out) {
  int count = 0;
  for (int length = 0, total = 1; length <= LONGEST; length++, total *= values) {
    for (int number = 0; number < total; number++) {
      List *list = &out[count++];
      list->count = length;
      for (int i = 0, rest = number; i < length; i++, rest /= values)
        list->n[i] = value[rest % values];
    }
  }
  return count;
}

// One operand and one list; the rest of the call stays as it is.
static rsh_shape operand, result[32];
static const rsh_shape *const operand_pointer = &operand;
static const rsh_dtype operand_type = RSH_F32;
static rsh_num numbers[4][LONGEST + LONGEST];
static rsh_call call;
static long cases;

static void begin(rsh_op op) {
  memset(&call, 0, sizeof call);
  call.op = op;
  call.in_count = call.out_count = 1;
  call.in = &operand_pointer;
  call.in_type = &operand_type;
}

static void set_operand(const List *dims) {
  operand.rank = dims->count;
  for (int i = 0; i < dims->count; i++)
    operand.dim[i] = rsh_int(dims->n[i]);
}

static void set_list(int arg, const List *list) {
  call.arg[arg] = (rsh_arg){.kind = RSH_ARG_LIST,
                            .rank = 1,
                            .count = list->count,
                            .dtype = RSH_I64,
                            .list = numbers[arg]};
  for (int i = 0; i < list->count; i++)
    numbers[arg][i] = rsh_int(list->n[i]);
}

static void set_int(int arg, int64_t value) {
  call.arg[arg] = (rsh_arg){
      .kind = RSH_ARG_LIST, .rank = 0, .count = 1, .dtype = RSH_I64, .list = numbers[arg]};
  numbers[arg][0] = rsh_int(value);
}

static void put_list(const char *name, const List *list) {
  printf(" %s", name);
  for (int i = 0; i < list->count; i++)
    printf(" %lld", (long long)list->n[i]);
}

static void check(const List *dims, const List *list, rsh_status due, const List *want) {
  result[0].rank = -7;
  rsh_status status = rsh_resolve(&call, result, 0);
  bool is_right = status == due && (due == RSH_ok || result[0].rank == -7);
  if (is_right && due == RSH_ok) {
    is_right = result[0].rank == want->count;
    for (int i = 0; is_right && i < want->count; i++)
      is_right = rsh_is(result[0].dim[i], want->n[i]);
  }
  cases++;
  if (is_right)
    return;
  printf("%s:", rsh_op_name(call.op));
  put_list("dims", dims);
  put_list("list", list);
  printf(": got %s, want %s\n", rsh_status_name(status), rsh_status_name(due));
  exit(1);
}

static bool places(const List *axes, int rank, int64_t *out) { // false: one is outside
  for (int i = 0; i < axes->count; i++) {
    out[i] = axes->n[i] < 0 ? axes->n[i] + rank : axes->n[i];
    if (out[i] < 0 || out[i] >= rank)
      return false;
  }
  return true;
}

static int times(const int64_t *n, int count, int64_t value) {
  int found = 0;
  for (int i = 0; i < count; i++)
    found += n[i] == value;
  return found;
}

static bool repeats(const int64_t *n, int count) {
  for (int i = 0; i < count; i++)
    if (times(n, count, n[i]) > 1)
      return true;
  return false;
}

// Two faults may occur at once: then the leftmost entry decides, as in a scan.
static rsh_status axes_fault(const List *axes, int rank, bool is_distinct) {
  List head = *axes;
  int64_t at[LONGEST];
  for (head.count = 1; head.count <= axes->count; head.count++) {
    if (!places(&head, rank, at))
      return RSH_bad_axis;
    if (is_distinct && repeats(at, head.count))
      return RSH_duplicate_axis;
  }
  return RSH_ok;
}

static void check_axes(const List *dims, const List *axes) {
  int64_t at[LONGEST] = {0};
  List want = {0, {0}};
  rsh_status due = axes_fault(axes, dims->count, false);
  set_operand(dims);
  begin(RSH_OP_SQUEEZE);
  set_list(0, axes);
  places(axes, dims->count, at);
  for (int i = 0; due == RSH_ok && i < dims->count; i++) {
    if (times(at, axes->count, i) == 0)
      want.n[want.count++] = dims->n[i];
    else if (dims->n[i] != 1)
      due = RSH_not_one;
  }
  check(dims, axes, due, &want);

  begin(RSH_OP_FLIP);
  set_list(0, axes);
  check(dims, axes, axes_fault(axes, dims->count, true), dims);

  begin(RSH_OP_UNSQUEEZE);
  set_list(0, axes);
  int rank = dims->count + axes->count, from = 0;
  due = axes_fault(axes, rank, true);
  if (due == RSH_ok) {
    places(axes, rank, at);
    want.count = rank;
    for (int i = 0; i < rank; i++)
      want.n[i] = times(at, axes->count, i) ? 1 : dims->n[from++];
  }
  check(dims, axes, due, &want);

  begin(RSH_OP_TRANSPOSE);
  set_list(0, axes);
  want.count = dims->count;
  due = axes->count == dims->count && !repeats(axes->n, axes->count) ? RSH_ok : RSH_bad_perm;
  for (int i = 0; due == RSH_ok && i < axes->count; i++) {
    if (axes->n[i] < 0 || axes->n[i] >= dims->count)
      due = RSH_bad_perm;
    else
      want.n[i] = dims->n[axes->n[i]];
  }
  check(dims, axes, due, &want);
}

static void check_flatten(const List *dims, int64_t axis) {
  List want = {2, {1, 1}}, given = {1, {axis}};
  int64_t at = axis < 0 ? axis + dims->count : axis;
  set_operand(dims);
  begin(RSH_OP_FLATTEN);
  set_int(0, axis);
  for (int i = 0; i < dims->count; i++)
    want.n[i >= at] *= dims->n[i];
  check(dims, &given, at < 0 || at > dims->count ? RSH_bad_axis : RSH_ok, &want);
}

static void check_expand(const List *dims, const List *shape) {
  List want = {dims->count > shape->count ? dims->count : shape->count, {0}};
  rsh_status due = RSH_ok;
  wide product = 1;
  for (int i = 0; due == RSH_ok && i < want.count; i++) { // from the left, as a scan would
    int a = i - (want.count - dims->count), b = i - (want.count - shape->count);
    int64_t have = a < 0 ? 1 : dims->n[a], asked = b < 0 ? 1 : shape->n[b];
    want.n[i] = have == 1 ? asked : have;
    if (asked < 0)
      due = RSH_bad_dim;
    else if (have != asked && have != 1 && asked != 1)
      due = RSH_not_broadcastable;
    else if (want.n[i] != 0 && (product *= want.n[i]) > INT64_MAX)
      due = RSH_overflow;
  }
  set_operand(dims);
  begin(RSH_OP_EXPAND);
  set_list(0, shape);
  check(dims, shape, due, &want);
}

// ---- slice ----

static wide clamp(wide v, wide low, wide high) { return v < low ? low : v > high ? high : v; }

static void check_slice(int64_t d, int64_t start, int64_t end, int64_t step) {
  wide first = start, last = end, count;
  first += start < 0 ? d : 0;
  last += end < 0 ? d : 0;
  if (step > 0) {
    first = clamp(first, 0, d), last = clamp(last, 0, d);
    count = (last - first + step - 1) / step;
  } else {
    first = clamp(first, 0, (wide)d - 1), last = clamp(last, -1, (wide)d - 1);
    count = step == 0 ? 0 : (first - last - (wide)step - 1) / -(wide)step;
  }
  count = d == 0 || count < 0 || (step > 0 ? last <= first : first <= last) ? 0 : count;
  rsh_range r;
  rsh_status status = rsh_slice_range(0, rsh_int(d), rsh_int(start), rsh_int(end), step, &r);
  bool is_right = status == (step == 0 ? RSH_bad_step : RSH_ok);
  if (is_right && step != 0) {
    is_right = rsh_is(r.count, (int64_t)count);
    is_right = is_right && rsh_is(r.start, count == 0 ? 0 : (int64_t)first);
    is_right = is_right && rsh_is(r.step, count <= 1 ? 1 : step);
    // Whatever the formula says: the ends are inside.
    wide end_at = r.start.n + (wide)r.step.n * (r.count.n - 1);
    is_right = is_right && (count == 0 || (end_at >= 0 && end_at < d && r.start.n < d));
  }
  cases++;
  if (is_right)
    return;
  printf("slice of %lld: %lld %lld %lld\n", (long long)d, (long long)start, (long long)end,
         (long long)step);
  exit(1);
}

static void check_slices(void) {
  static const int64_t value[] = {INT64_MIN,
                                  INT64_MIN + 1,
                                  -4294967297,
                                  -4294967296,
                                  -2147483648,
                                  -7,
                                  -6,
                                  -5,
                                  -4,
                                  -3,
                                  -2,
                                  -1,
                                  0,
                                  1,
                                  2,
                                  3,
                                  4,
                                  5,
                                  6,
                                  7,
                                  2147483647,
                                  4294967296,
                                  INT64_MAX - 1,
                                  INT64_MAX};
  static const int64_t size[] = {0,        1, 2, 3, 4, 5, 6, 2147483647, 4294967296, INT64_MAX - 1,
                                 INT64_MAX};
  enum { VALUES = sizeof value / sizeof value[0], SIZES = sizeof size / sizeof size[0] };
  for (int d = 0; d < SIZES; d++)
    for (int i = 0; i < VALUES * VALUES * VALUES; i++)
      check_slice(size[d], value[i % VALUES], value[i / VALUES % VALUES],
                  value[i / VALUES / VALUES]);
}

// ---- split ----

static void split_failed(int64_t d, const char *what) {
  printf("split of %lld: %s\n", (long long)d, what);
  exit(1);
}

// The results are `count` contiguous parts, each as `want` says.
static void check_parts(int64_t d, int count, rsh_status due, const int64_t *want) {
  call.out_count = count;
  cases++;
  if (rsh_resolve(&call, result, 0) != due)
    split_failed(d, "another status");
  int64_t at = 0;
  for (int k = 0; due == RSH_ok && k < count; k++) {
    rsh_num start, size;
    int32_t axis = -1;
    if (rsh_split_part(&call, k, &axis, &start, &size) != RSH_ok || axis != 1 ||
        !rsh_is(start, at) || !rsh_is(size, want[k]) || !rsh_is(result[k].dim[1], want[k]) ||
        !rsh_is(result[k].dim[0], 2))
      split_failed(d, "another part");
    at += want[k];
  }
  if (due == RSH_ok && at != d)
    split_failed(d, "parts that do not fill the axis");
}

static void check_splits(void) {
  for (int64_t d = 0; d <= 20; d++) {
    List dims = {2, {2, d}};
    for (int count = 1; count <= 24; count++) {
      int64_t chunk = 0, want[24];
      while (chunk * count < d)
        chunk++;
      for (int k = 0; k < count; k++)
        want[k] = k < count - 1 ? chunk : d - chunk * (count - 1);
      set_operand(&dims);
      begin(RSH_OP_SPLIT);
      set_int(0, -1);
      set_int(1, count);
      check_parts(d, count, want[count - 1] < 0 ? RSH_bad_parts : RSH_ok, want);
      call.arg[1].kind = RSH_ARG_ABSENT;
      check_parts(d, count, d % count != 0 ? RSH_bad_parts : RSH_ok, want);
    }
    for (int64_t a = -1; a <= 6; a++) {
      for (int64_t b = -1; b <= 6; b++) {
        List sizes = {2, {a, b}};
        begin(RSH_OP_SPLIT);
        set_int(0, 1);
        set_list(2, &sizes);
        check_parts(d, 2, a < 0 || b < 0 || a + b != d ? RSH_bad_parts : RSH_ok, sizes.n);
      }
    }
  }
}

// ---- depth and space ----

static void check_blocks(const List *dims, int64_t b) {
  List want = {4, {dims->n[0], dims->n[1], dims->n[2], dims->n[3]}}, given = {1, {b}};
  set_operand(dims);
  begin(RSH_OP_DEPTH_TO_SPACE);
  set_int(0, b);
  bool is_whole = b >= 1 && dims->n[1] % (b * b) == 0;
  if (is_whole)
    want.n[1] /= b * b, want.n[2] *= b, want.n[3] *= b;
  check(dims, &given, is_whole ? RSH_ok : RSH_bad_block, &want);
  // Back again, from any result.
  begin(RSH_OP_SPACE_TO_DEPTH);
  set_int(0, b);
  if (is_whole) {
    operand = result[0];
    check(&want, &given, RSH_ok, dims);
  } else if (b >= 1 && (dims->n[2] % b != 0 || dims->n[3] % b != 0)) {
    check(dims, &given, RSH_bad_block, dims);
  }
}

int main(void) {
  static const int64_t size[] = {0, 1, 2, 5, 7},
                       axis[] = {INT64_MIN, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 5, 6, 4294967296};
  static const int64_t broad[] = {INT64_MIN, -1, 0, 1, 2, 3, 3037000500, INT64_MAX};
  static List dims[MAX_LISTS], axes[MAX_LISTS], shapes[MAX_LISTS];
  int dims_count = all_lists(size, 5, dims), axes_count = all_lists(axis, 14, axes);
  for (int i = 0; i < dims_count; i++) {
    for (int k = 0; k < axes_count; k++)
      check_axes(&dims[i], &axes[k]);
    for (int k = 0; k < 14; k++)
      check_flatten(&dims[i], axis[k]);
  }
  int shape_count = all_lists(broad, 8, shapes);
  for (int i = 0; i < shape_count; i++) {
    bool is_operand = true;
    wide product = 1;
    for (int k = 0; k < shapes[i].count; k++) {
      is_operand = is_operand && shapes[i].n[k] >= 0 && product <= INT64_MAX;
      product *= shapes[i].n[k] > 0 && is_operand ? shapes[i].n[k] : 1;
    }
    for (int k = 0; is_operand && product <= INT64_MAX && k < shape_count; k++)
      check_expand(&shapes[i], &shapes[k]);
  }
  check_slices();
  check_splits();
  for (int64_t b = -1; b <= 4; b++)
    for (int64_t c = 0; c <= 36; c++)
      for (int64_t h = 0; h <= 5; h++)
        for (int64_t w = 0; w <= 5; w++)
          check_blocks(&(List){4, {3, c, h, w}}, b);
  printf("%ld cases\n", cases);
  return 0;
}
