// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by the files of resolve: helpers of rules that report a fault, read an argument and multiply
// sizes.
//
// A rule first checks, then writes: `out` is unchanged unless the rule succeeds. It writes no more
// sizes than the rank that it states, since a plan has no room for others. Rules run on a small stack,
// so they iterate over a list twice rather than copy it.
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

// The checks that rsh_resolve makes before the rule. True: call the rule. False: `status` is the result.
bool rsh_check_call(const rsh_call *call, rsh_shape *out, rsh_fault *fault, rsh_status *status);

// The part of rsh_rule_reshape that checks only element types.
rsh_status rsh_check_reshape_type(const rsh_call *call, rsh_fault *fault);
// The part of rsh_rule_gather for indices that are a tensor.
rsh_rule rsh_rule_gather_at;
// The part of rsh_rule_split that counts its results.
rsh_status rsh_split_count(const rsh_call *call, int32_t *out, rsh_fault *fault);

// Fill `fault`, unless it is NULL, and return `status`. `entry` is -1 if no single one is meant; `right` may be NULL
// for 0. Numbers are passed by address: by value each takes 16 bytes of a caller's stack.
rsh_status rsh_fail(rsh_fault *fault, rsh_status status, int32_t arg, int32_t entry,
                    const rsh_num *left, const rsh_num *right);
rsh_status rsh_fail_int(rsh_fault *fault, rsh_status status, int32_t arg, int32_t entry,
                        int64_t left, int64_t right);
rsh_status rsh_fail_input(rsh_fault *fault, rsh_status status, int32_t input, int32_t axis,
                          const rsh_num *left, const rsh_num *right);
rsh_status rsh_fail_input_int(rsh_fault *fault, rsh_status status, int32_t input, int32_t axis,
                              int64_t left, int64_t right);

// The subject of a requirement: an operand or an argument, and an entry or axis of it; -1 for none, as in rsh_fault.
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

// The only way for a rule to require something. Ok if it holds; `status`, with both sides in `fault`, if it does not.
// If it depends on symbols, it is recorded as a condition (rsh_symbols.condition), and the rule continues as if it
// held; without room for that, `undecided` is set, or the status is RSH_unknown_size.
#ifdef RSH_ONLY_KNOWN // everything is decided here; a call would use the firmware's stack
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

// Leaves to the program what cannot be decided now, if the caller has room for unknown numbers: `status`
// RSH_unknown_size becomes ok, and `undecided` of the symbols is set. The fault still says what it was.
rsh_status rsh_leave_open(const rsh_call *call, rsh_status status);
// A size about which nothing is known.
static inline rsh_num rsh_any_size(const rsh_call *call) {
  return rsh_unknown(call->symbols, 0, INT64_MAX);
}
// A size that cannot be computed: any size, if the caller has room for unknown numbers.
static inline rsh_status rsh_leave_size_open(const rsh_call *call, rsh_num *out) {
  rsh_status status = rsh_leave_open(call, RSH_unknown_size);
  if (status == RSH_ok)
    *out = rsh_any_size(call);
  return status;
}

// The same for a result with only a known rank.
rsh_status rsh_leave_shape_open(const rsh_call *call, rsh_status status, int32_t rank,
                                rsh_shape *out);
// `size`, or any size if `size` is data that may be negative.
static inline rsh_num rsh_data_size(const rsh_call *call, const rsh_num *size) {
  bool is_size =
      !RSH_HAS_SYMBOLS || !rsh_is_unknown(*size) || rsh_bounds(call->symbols, *size).least >= 0;
  return is_size ? *size : rsh_any_size(call);
}

// Why an argument cannot be read: bad_arg, or unknown_size if its values are known only at run time.
rsh_status rsh_fail_kind(const rsh_call *call, int32_t arg, rsh_fault *fault);
// Reports that entry `second` of a list names the same axis as an earlier entry.
rsh_status rsh_fail_duplicate(const rsh_call *call, int32_t arg, int32_t second, int32_t rank,
                              rsh_fault *fault);

// One known integer, not in a list. False for every other argument.
bool rsh_arg_int(const rsh_arg *arg, int64_t *out);

// A required integer, and an optional one.
rsh_status rsh_need_int(const rsh_call *call, int32_t arg, int64_t *out, rsh_fault *fault);
rsh_status rsh_read_int(const rsh_call *call, int32_t arg, int64_t fallback, int64_t *out,
                        rsh_fault *fault);

// Check that the argument is a list of integers, which may be symbolic; rsh_read_list also allows no argument. The
// entries of a list that is data are unknown numbers, and the call is left open; without a known length:
// RSH_unknown_size.
rsh_status rsh_need_list(const rsh_call *call, int32_t arg, rsh_fault *fault);
rsh_status rsh_read_list(const rsh_call *call, int32_t arg, rsh_fault *fault);

// Entry i of a list as one of `rank` axes.
rsh_status rsh_read_axis(const rsh_call *call, int32_t arg, int32_t i, int32_t rank, int32_t *out,
                         rsh_fault *fault);
// An argument that is an axis, `fallback` if left out.
rsh_status rsh_read_one_axis(const rsh_call *call, int32_t arg, int64_t fallback, int32_t rank,
                             int32_t *out, rsh_fault *fault);
// A list of axes as a set: bit i is axis i. [0,-1] of rank 3 is 101b.
rsh_status rsh_read_axes(const rsh_call *call, int32_t arg, int32_t rank, bool is_distinct,
                         uint32_t *set, rsh_fault *fault);
static inline bool rsh_has(uint32_t set, int32_t axis) { return (set >> axis & 1) != 0; }

void rsh_copy_shape(rsh_shape *out, const rsh_shape *in);

// A product of sizes that treats zeros separately, so that overflow does not depend on their
// order: 2^62 * 4 * 0 overflows wherever the 0 is.
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
