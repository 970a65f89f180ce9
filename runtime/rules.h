// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by the files that make up resolve: how a rule reports a fault, reads an argument and
// multiplies sizes.
//
// A rule first checks, then writes: `out` stays as it was unless the rule succeeds. It writes no more
// sizes than the rank that it states, since a plan has no room for others. Rules live on a small stack,
// so they walk a list twice rather than copy it.
#ifndef RSH_RULES_H
#define RSH_RULES_H

#include "runtime/resolve.h"

// Rule of ops.def: the shapes of all results.
typedef rsh_status rsh_rule(const rsh_call *call, rsh_shape *out, rsh_fault *fault);
#define RSH_OP(id, name, in, max, args, rule, family, result, pieces, effect, libm, onnx, summary) \
  rsh_rule rsh_rule_##rule;
#include "runtime/ops.def"
#undef RSH_OP
rsh_rule *rsh_rule_of(rsh_op op); // NULL: there is no such operator

// What rsh_resolve does before the rule. True: it is the rule's turn. False: `status` is the answer.
bool rsh_check_call(const rsh_call *call, rsh_shape *out, rsh_fault *fault, rsh_status *status);

// The part of rsh_rule_reshape that looks at element types alone.
rsh_status rsh_check_reshape_type(const rsh_call *call, rsh_fault *fault);
// The part of rsh_rule_gather where the indices are a tensor.
rsh_rule rsh_rule_gather_at;
// The part of rsh_rule_split that counts its results.
rsh_status rsh_split_count(const rsh_call *call, int32_t *out, rsh_fault *fault);

// Fill `fault`, unless it is NULL, and return `status`. `entry` is -1 where no single one is meant,
// `right` may be NULL for 0. Numbers are handed on by address here: by value each takes 16 bytes of a caller's stack.
rsh_status rsh_fail(rsh_fault *fault, rsh_status status, int32_t arg, int32_t entry,
                    const rsh_num *left, const rsh_num *right);
rsh_status rsh_fail_int(rsh_fault *fault, rsh_status status, int32_t arg, int32_t entry,
                        int64_t left, int64_t right);
rsh_status rsh_fail_input(rsh_fault *fault, rsh_status status, int32_t input, int32_t axis,
                          const rsh_num *left, const rsh_num *right);
rsh_status rsh_fail_input_int(rsh_fault *fault, rsh_status status, int32_t input, int32_t axis,
                              int64_t left, int64_t right);

// Where a requirement stands: an operand, or an argument, and an entry or axis of it; -1 for none, as in rsh_fault.
typedef struct rsh_place {
  int32_t input, arg, entry;
} rsh_place;
static inline rsh_place rsh_in_arg(int32_t arg, int32_t entry) {
  rsh_place at = {-1, arg, entry};
  return at;
}
static inline rsh_place rsh_in_input(int32_t input, int32_t axis) {
  rsh_place at = {input, -1, axis};
  return at;
}

// The one way to ask for something. Ok where it holds; `status`, with both sides in `fault`, where it does
// not. Where symbols decide, the requirement is kept as a condition (rsh_symbols.condition) and the rule goes
// on as if it held; without room for that it is RSH_unknown_size.
#ifdef RSH_ONLY_KNOWN // nothing is left open; a call would take stack of the firmware's
static inline rsh_status rsh_require(const rsh_call *call, rsh_relation relation,
                                     const rsh_num *left, const rsh_num *right, rsh_status status,
                                     rsh_place at, rsh_fault *fault) {
  bool holds = relation == RSH_EQUAL      ? left->n == right->n
               : relation == RSH_AT_LEAST ? left->n >= right->n
                                          : right->n != 0 && left->n % right->n == 0;
  (void)call;
  if (holds)
    return RSH_ok;
  return at.input < 0 ? rsh_fail(fault, status, at.arg, at.entry, left, right)
                      : rsh_fail_input(fault, status, at.input, at.entry, left, right);
}
#else
rsh_status rsh_require(const rsh_call *call, rsh_relation relation, const rsh_num *left,
                       const rsh_num *right, rsh_status status, rsh_place at, rsh_fault *fault);
#endif

// What cannot be seen now is left to the program where the caller has room for unknown numbers: `status`
// RSH_unknown_size becomes ok, and `undecided` of the symbols is set. The fault still says what it was.
rsh_status rsh_leave_open(const rsh_call *call, rsh_status status);
// A size of which nothing is known.
static inline rsh_num rsh_any_size(const rsh_call *call) {
  return rsh_unknown(call->symbols, 0, INT64_MAX);
}
// A size that cannot be said: any, where the caller has room for that.
static inline rsh_status rsh_leave_size_open(const rsh_call *call, rsh_num *out) {
  rsh_status status = rsh_leave_open(call, RSH_unknown_size);
  if (status == RSH_ok)
    *out = rsh_any_size(call);
  return status;
}

// The same of a result of which the rank alone is known.
rsh_status rsh_leave_shape_open(const rsh_call *call, rsh_status status, int32_t rank,
                                rsh_shape *out);
// `size`, or where that is an entry that is data, any size.
static inline rsh_num rsh_data_size(const rsh_call *call, const rsh_num *size) {
  bool is_size =
      !RSH_HAS_SYMBOLS || !rsh_is_unknown(*size) || rsh_bounds(call->symbols, *size).least >= 0;
  return is_size ? *size : rsh_any_size(call);
}

// Why an argument cannot be read: bad_arg, or unknown_size where its values come later.
rsh_status rsh_fail_kind(const rsh_call *call, int32_t arg, rsh_fault *fault);
// Entry `second` of a list names an axis that an entry before it names.
rsh_status rsh_fail_duplicate(const rsh_call *call, int32_t arg, int32_t second, int32_t rank,
                              rsh_fault *fault);

// One known integer, not in a list. False for every other argument.
bool rsh_arg_int(const rsh_arg *arg, int64_t *out);

// An integer that is required, and one that may be left out.
rsh_status rsh_need_int(const rsh_call *call, int32_t arg, int64_t *out, rsh_fault *fault);
rsh_status rsh_read_int(const rsh_call *call, int32_t arg, int64_t fallback, int64_t *out,
                        rsh_fault *fault);

// Whether the argument is a list of integers, some of them perhaps symbolic; or may be left out. Of a list that is data
// the entries are unknown numbers, and the call is left open; without a length there are none: RSH_unknown_size.
rsh_status rsh_need_list(const rsh_call *call, int32_t arg, rsh_fault *fault);
rsh_status rsh_read_list(const rsh_call *call, int32_t arg, rsh_fault *fault);

// Entry i of a list as one of `rank` axes.
rsh_status rsh_read_axis(const rsh_call *call, int32_t arg, int32_t i, int32_t rank, int32_t *out,
                         rsh_fault *fault);
// An axis that is an argument of its own, `fallback` when left out.
rsh_status rsh_read_one_axis(const rsh_call *call, int32_t arg, int64_t fallback, int32_t rank,
                             int32_t *out, rsh_fault *fault);
// A list of axes as a set: bit i is axis i. [0,-1] of rank 3 is 101b.
rsh_status rsh_read_axes(const rsh_call *call, int32_t arg, int32_t rank, bool is_distinct,
                         uint32_t *set, rsh_fault *fault);
static inline bool rsh_has(uint32_t set, int32_t axis) { return (set >> axis & 1) != 0; }

void rsh_copy_shape(rsh_shape *out, const rsh_shape *in);

// A product of sizes whose zeros are counted apart, so that overflow does not depend on their
// order: 2^62 * 4 * 0 overflows wherever the 0 stands.
typedef struct rsh_product {
  rsh_num nonzero;
  bool has_zero;
} rsh_product;

static inline rsh_product rsh_product_one(void) {
  rsh_product p = {rsh_int(1), false};
  return p;
}

static inline bool rsh_product_take(rsh_symbols *s, rsh_product *p, const rsh_num *size) {
  if (rsh_is(*size, 0)) {
    p->has_zero = true;
    return true;
  }
  return rsh_mul(s, p->nonzero, *size, &p->nonzero);
}

static inline rsh_num rsh_product_value(const rsh_product *p) {
  return p->has_zero ? rsh_int(0) : p->nonzero;
}

#endif
