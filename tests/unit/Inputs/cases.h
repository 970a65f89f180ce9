// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables of calls with the results of resolve: the shapes, or the status with the position and the two numbers of the
// error. A call with `open ` may leave conditions to the program:
//
//   [?,3]                                  an unknown size; ?1..4: it is 1 to 4
//   [*]                                    a result of unknown rank
//   [2] left open                          resolve assumed something that the program checks
//   [B,2] if B % 4 else not_divisible      a condition; == and >= are the others
#ifndef TESTS_UNIT_CASES_H
#define TESTS_UNIT_CASES_H

#include "call.h"

typedef struct Case {
  const char *call;
  const char *want; // "[2,3] [2,1]", or "bad_axis arg0[1] 3 2", or "bad_rank in0 2 4"
} Case;

#define ONES_8 "1,1,1,1,1,1,1,1"
#define MAX "9223372036854775807"
#define MIN "-9223372036854775808"

static bool is_seen[RSH_STATUS_COUNT];
static int failures;

static void put_number(char *out, rsh_num n) {
  if (rsh_is_known(n))
    sprintf(out + strlen(out), " %lld", (long long)n.n);
  else
    strcat(out, " ?");
}

static void put_fault(char *out, rsh_status status, const rsh_fault *fault) {
  strcpy(out, rsh_status_name(status));
  if (fault->input != -1)
    sprintf(out + strlen(out), " in%d", (int)fault->input);
  if (fault->arg != -1)
    sprintf(out + strlen(out), " arg%d", (int)fault->arg);
  if (fault->entry != -1)
    sprintf(out + strlen(out), "[%d]", (int)fault->entry);
  put_number(out, fault->left);
  put_number(out, fault->right);
}

static void fail(const Case *test, const char *got) {
  printf("%s\n  want %s\n  got  %s\n", test->call, test->want, got);
  failures++;
}

// Nothing may be written beyond the rank of a result, nor beyond the last result.
static bool is_untouched(const rsh_shape *out, int32_t rank) {
  rsh_num untouched;
  memset(&untouched, 0x5a, sizeof untouched);
  for (int32_t i = rank; i < RSH_MAX_RANK; i++)
    if (!rsh_equal(out->dim[i], untouched))
      return false;
  return true;
}

static bool is_wanted_size(Call *c, rsh_num size) {
  if (!call_take(c, '?'))
    return rsh_equal(call_number(c), size);
  rsh_interval want = call_bounds(c), got = rsh_bounds(c->call.symbols, size);
  return rsh_is_unknown(size) && want.least == got.least && want.most == got.most;
}

static bool is_wanted_shape(Call *c, const rsh_shape *out) {
  bool is_same = true;
  int32_t rank = 0;
  c->least_unknown = 0;
  if (!call_take(c, '['))
    call_stop(c, "a '['");
  if (call_take(c, '*'))
    return call_take(c, ']') && out->rank == RSH_RANK_UNKNOWN;
  for (; is_same && !call_take(c, ']'); rank++) {
    is_same = is_wanted_size(c, out->dim[rank]);
    call_take(c, ',');
  }
  return is_same && rank == out->rank;
}

static bool is_wanted_condition(Call *c, const rsh_condition *got) {
  rsh_num left = call_number(c);
  rsh_relation relation = call_words(c, "==")   ? RSH_EQUAL
                          : call_words(c, ">=") ? RSH_AT_LEAST
                                                : RSH_MULTIPLE;
  if (relation == RSH_MULTIPLE && !call_words(c, "%"))
    call_stop(c, "a relation");
  call_take(c, ' ');
  rsh_num right = call_number(c);
  return relation == got->relation && rsh_equal(left, got->left) && rsh_equal(right, got->right) &&
         call_words(c, "else") && call_words(c, rsh_status_name(got->status));
}

static void check_shapes(const Case *test, Call *c, const rsh_shape *out) {
  int32_t conditions = 0;
  c->at = test->want;
  for (int32_t k = 0; k < c->call.out_count; k++) {
    if (!is_wanted_shape(c, &out[k]))
      fail(test, "another shape");
    if (!is_untouched(&out[k], out[k].rank < 0 ? 0 : out[k].rank))
      fail(test, "something written past the rank");
  }
  if (!is_untouched(&out[c->call.out_count], 0))
    fail(test, "something written past the results");
  if (c->symbols.undecided != call_words(c, "left open"))
    fail(test, c->symbols.undecided ? "left open" : "not left open");
  for (; call_words(c, "if"); conditions++)
    if (conditions >= c->symbols.condition_count ||
        !is_wanted_condition(c, &c->condition[conditions]))
      fail(test, "another condition");
  if (conditions != c->symbols.condition_count)
    fail(test, "more conditions");
}

// Parts are contiguous, and as long as resolve says.
static void check_parts(const Case *test, const Call *c, const rsh_shape *out) {
  rsh_num at = rsh_int(0), start, count;
  int32_t axis;
  for (int32_t k = 0; k < c->call.out_count; k++) {
    if (rsh_split_part(&c->call, k, &axis, &start, &count) != RSH_ok || !rsh_equal(start, at) ||
        !rsh_equal(count, out[k].dim[axis]) || !rsh_add(c->call.symbols, at, count, &at))
      fail(test, "another part");
  }
  if (rsh_split_part(&c->call, c->call.out_count, &axis, &start, &count) != RSH_bad_index ||
      rsh_split_part(&c->call, -1, &axis, &start, &count) != RSH_bad_index)
    fail(test, "a part outside");
  is_seen[RSH_bad_index] = true;
}

// If there is less storage for polynomials than the call needs, fewer sizes are known, or the call is refused and
// writes nothing.
static void check_storage(const Case *test, Call *c) {
  rsh_shape before[CALL_RESULTS], out[CALL_RESULTS];
  rsh_symbols whole;
  call_read(c, test->call);
  if (c->symbols.symbol_count == 0)
    return;
  whole = c->symbols;
  memset(before, 0x5a, sizeof before);
  for (int room = 0; room < 40; room++) {
    c->symbols = whole;
    if (room % 2 == 0)
      c->symbols.poly_capacity = whole.poly_count + room / 2;
    else
      c->symbols.term_capacity = whole.term_count + room / 2;
    memset(out, 0x5a, sizeof out);
    rsh_status status = rsh_resolve(&c->call, out, 0);
    if (status != RSH_ok && memcmp(out, before, sizeof out) != 0)
      fail(test, "something written in spite of too little storage");
    for (int32_t k = 0; k < c->call.out_count && c->call.op == RSH_OP_SPLIT; k++) {
      int32_t axis;
      rsh_num start, count;
      rsh_split_part(&c->call, k, &axis, &start, &count);
    }
  }
}

// The kept part is within the operand, and the result consists of the kept part and the added elements.
static void check_padding(const Case *test, const Call *c, const rsh_shape *out) {
  for (int32_t i = 0; i < out->rank; i++) {
    rsh_symbols *s = c->call.symbols;
    rsh_padding p;
    rsh_num end, size;
    if (rsh_pad_axis(&c->call, i, &p, 0) != RSH_ok || !rsh_add(s, p.start, p.kept, &end) ||
        !rsh_at_most(s, end, c->in[0].dim[i]) || !rsh_add(s, p.before, p.kept, &size) ||
        !rsh_add(s, size, p.after, &size) || !rsh_equal(size, out->dim[i]))
      fail(test, "another padding");
  }
}

static void run(const Case *test) {
  static Call c;
  static rsh_shape out[CALL_RESULTS], again[CALL_RESULTS], before[CALL_RESULTS];
  rsh_fault fault;
  char got[300];
  call_read(&c, test->call);
  memset(&fault, 0x5a, sizeof fault);
  memset(out, 0x5a, sizeof out);
  memset(again, 0x5a, sizeof again);
  memset(before, 0x5a, sizeof before);
  rsh_status status = rsh_resolve(&c.call, out, &fault);
  is_seen[status] = true;
  c.symbols.condition_count = 0;
  c.symbols.undecided = false;
  if (rsh_resolve(&c.call, again, 0) != status)
    fail(test, "another status without a fault to fill");
  if (status == RSH_ok && test->want[0] == '[') {
    check_shapes(test, &c, out);
    bool is_sure = !c.symbols.undecided && c.symbols.condition_count == 0;
    if (c.call.op == RSH_OP_SPLIT && is_sure)
      check_parts(test, &c, out);
    if ((c.call.op == RSH_OP_PAD || c.call.op == RSH_OP_CENTER_CROP_PAD) && is_sure)
      check_padding(test, &c, out);
    return;
  }
  if (memcmp(out, before, sizeof out) != 0 || memcmp(again, before, sizeof again) != 0)
    fail(test, "something written in spite of an error");
  put_fault(got, status, &fault);
  if (strcmp(got, test->want) != 0)
    fail(test, got);
}

static void run_cases(const Case *cases, size_t count) {
  static Call c;
  for (size_t i = 0; i < count; i++) {
    run(&cases[i]);
    check_storage(&cases[i], &c);
  }
  printf("%zu calls, %d failures\n", count, failures);
}

#endif
