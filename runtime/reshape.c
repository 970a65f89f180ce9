// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reshape in all its dialects: one procedure, and a small record of the differences of a dialect.
//
//   input [2,3,4]   target [0,-1]   0 copies: [2,-1]   known product 2, 24 / 2 = 12   ->   [2,12]
//
// Checks are in the order of their statuses in statuses.def, so the first fault that applies is
// reported. Among the entries of the target, the leftmost takes precedence.
#include "runtime/rules.h"

// Positions in the argument lists of ops.def.
enum { SHAPE = 0, ALLOWZERO = 1, OPSET = 2, CONSUMED_INPUTS = 3 }; // reshape, onnx.reshape
enum { SPECIAL_ZERO = 1 };                                         // openvino, onednn
enum { FLAG = 1 };                                                 // all of these
enum { ACTUAL_SHAPE = 1, ACT = 2, INPLACE = 3, NAME = 4 };         // paddle

enum {
  NEWEST_OPSET = 28,
  TARGET_OPSET = 5, // the target is a tensor from this opset on, an attribute before
  ALLOWZERO_OPSET = 14,
};

// Sets of element types.
#define TYPE(id) (UINT32_C(1) << RSH_##id)
#define TYPES_ANY UINT32_MAX
#define TYPES_I32 TYPE(I32)
#define TYPES_I64 TYPE(I64)
#define TYPES_I32_I64 (TYPE(I32) | TYPE(I64))
#define TYPES_ONEDNN (TYPE(F16) | TYPE(BF16) | TYPE(F32))
#define TYPES_PADDLE                                                                               \
  (TYPE(F16) | TYPE(BF16) | TYPE(F32) | TYPE(F64) | TYPE(I16) | TYPE(I32) | TYPE(I64) | TYPE(BOOL))

enum {
  TYPES_INTEGERS = 0
#define RSH_DTYPE(id, name, bits, kind, since, ctype, format)                                      \
  | ((RSH_KIND_##kind == RSH_KIND_SIGNED || RSH_KIND_##kind == RSH_KIND_UNSIGNED) << RSH_##id)
#include "runtime/dtypes.def"
#undef RSH_DTYPE
};

// A row of dialects.def.
typedef struct dialect {
  uint8_t op, rank_limit;
  bool has_scalars;
  enum { ALWAYS, WHERE_SET, UNLESS_SET } copies;
  bool skips;
  uint32_t data, target;
} dialect;

static const dialect dialects[] = {
#define RSH_DIALECT(id, ranks, scalars, copies, skips, data, target, words)                        \
  {RSH_OP_##id, ranks, scalars, copies, skips, TYPES_##data, TYPES_##target},
#include "runtime/dialects.def"
#undef RSH_DIALECT
};
enum { DIALECTS = sizeof dialects / sizeof dialects[0] };

_Static_assert(DIALECTS == 0
#define RSH_OP(id, name, in, max, args, rule, family, ...) +(RSH_##family == RSH_RESHAPES)
#include "runtime/ops.def"
#undef RSH_OP
               ,
               "each operator of the family RESHAPES has its row in dialects.def");

static const dialect *dialect_of(const rsh_call *call) {
  const dialect *d = dialects;
  while (d->op != call->op)
    d++;
  return d;
}

// The meaning of a 0, and the limits of a dialect.
typedef struct reshape_rule {
  uint8_t rank_limit;
  bool copies_zero;     // a 0 copies the input's size at its index; otherwise it is a size of zero
  bool bars_zero_infer; // a literal 0 next to a -1 is refused for any input
  bool skips_copied;    // copied sizes are omitted from both products that determine the -1
  bool has_scalars;     // a target without entries is a scalar
} reshape_rule;

// The state of resolving one target. The numbers are here so that they are on the stack only once.
typedef struct target {
  const rsh_call *call;
  rsh_fault *fault;
  const rsh_num *list;
  int32_t count;
  int32_t arg;   // the argument that it is
  int32_t infer; // index of its -1, or -1
  reshape_rule rule;
  bool is_open;  // entries, or sizes to copy, are unknown, and so is the -1
  rsh_num have;  // elements of the input
  rsh_num known; // product of the target's sizes without the -1
} target;

static bool is_onnx(const rsh_call *call) {
  return call->op == RSH_OP_RESHAPE || call->op == RSH_OP_ONNX_RESHAPE;
}
static bool is_paddle(const rsh_call *call) { return call->op == RSH_OP_PADDLE_RESHAPE; }
static bool is_given(const rsh_call *call, int32_t arg) {
  return call->arg[arg].kind != RSH_ARG_ABSENT;
}

static bool is_set(const rsh_call *call, int32_t arg) {
  int64_t value;
  return rsh_arg_int(&call->arg[arg], &value) && value != 0;
}

static int32_t opset_of(const rsh_call *call) {
  int64_t opset;
  if (call->op == RSH_OP_ONNX_RESHAPE && rsh_arg_int(&call->arg[OPSET], &opset) && opset >= 1 &&
      opset <= NEWEST_OPSET)
    return (int32_t)opset;
  return NEWEST_OPSET;
}

RSH_APART static void set_rule(reshape_rule *rule, const rsh_call *call) {
  const dialect *d = dialect_of(call);
  bool is_flag_set = d->copies != ALWAYS && is_set(call, FLAG);
  rule->rank_limit = d->rank_limit;
  rule->has_scalars = d->has_scalars;
  rule->copies_zero = d->copies == ALWAYS || is_flag_set == (d->copies == WHERE_SET);
  rule->bars_zero_infer = !d->skips && !rule->copies_zero;
  rule->skips_copied = d->skips && rule->copies_zero;
}

bool rsh_reshape_copies(const rsh_call *call) {
  reshape_rule rule;
  set_rule(&rule, call);
  return rule.copies_zero;
}

bool rsh_reshape_skips_copied(const rsh_call *call) {
  reshape_rule rule;
  set_rule(&rule, call);
  return rule.skips_copied;
}

// ---- types ----

static bool takes_data(const rsh_call *call, rsh_dtype type) {
  int since = rsh_dtype_onnx_since(type);
  return (call->op != RSH_OP_ONNX_RESHAPE || (since > 0 && since <= opset_of(call))) &&
         rsh_has(dialect_of(call)->data, (int32_t)type);
}

static rsh_status check_target_type(const rsh_call *call, int32_t arg, rsh_fault *fault) {
  const rsh_arg *a = &call->arg[arg];
  if (a->kind == RSH_ARG_TENSOR && !rsh_has(dialect_of(call)->target, (int32_t)a->dtype))
    return rsh_fail_int(fault, RSH_bad_type, arg, -1, a->dtype, 0);
  return RSH_ok;
}

rsh_status rsh_check_reshape_type(const rsh_call *call, rsh_fault *fault) {
  rsh_dtype type = call->in_type[0];
  if (!takes_data(call, type)) {
    int since = call->op == RSH_OP_ONNX_RESHAPE ? rsh_dtype_onnx_since(type) : 0;
    return rsh_fail_input_int(fault, RSH_bad_type, 0, -1, type, since);
  }
  rsh_status status = check_target_type(call, SHAPE, fault);
  if (status == RSH_ok && is_paddle(call))
    status = check_target_type(call, ACTUAL_SHAPE, fault);
  return status;
}

// ---- attributes and the kinds of arguments ----

static rsh_status check_flag(const rsh_call *call, int32_t arg, rsh_fault *fault) {
  int64_t value;
  if (rsh_arg_int(&call->arg[arg], &value) && value != 0 && value != 1)
    return rsh_fail_int(fault, RSH_bad_attr, arg, -1, value, 1);
  return RSH_ok;
}

static rsh_status check_opset(const rsh_call *call, rsh_fault *fault) {
  int64_t opset;
  if (rsh_arg_int(&call->arg[OPSET], &opset) && (opset < 1 || opset > NEWEST_OPSET))
    return rsh_fail_int(fault, RSH_bad_attr, OPSET, -1, opset, NEWEST_OPSET);
  opset = opset_of(call);
  if (is_given(call, ALLOWZERO) && opset < ALLOWZERO_OPSET)
    return rsh_fail_int(fault, RSH_bad_attr, ALLOWZERO, -1, opset, ALLOWZERO_OPSET);
  if (is_given(call, CONSUMED_INPUTS) && opset >= TARGET_OPSET)
    return rsh_fail_int(fault, RSH_bad_attr, CONSUMED_INPUTS, -1, opset, TARGET_OPSET);
  return RSH_ok;
}

RSH_APART static rsh_status check_attributes(const rsh_call *call, rsh_fault *fault) {
  if (is_paddle(call))
    return check_flag(call, INPLACE, fault);
  if (call->op == RSH_OP_ONNX_RESHAPE) {
    rsh_status status = check_opset(call, fault);
    if (status != RSH_ok)
      return status;
  }
  if (!is_onnx(call) && !is_given(call, SPECIAL_ZERO))
    return rsh_fail_int(fault, RSH_bad_attr, SPECIAL_ZERO, -1, 0, 0);
  return check_flag(call, is_onnx(call) ? ALLOWZERO : SPECIAL_ZERO, fault);
}

static bool is_target(const rsh_call *call) {
  rsh_arg_kind kind = call->arg[SHAPE].kind;
  if (kind == RSH_ARG_TENSOR) // a target that is an attribute cannot be data
    return call->op != RSH_OP_ONEDNN_STATIC && opset_of(call) >= TARGET_OPSET;
  return kind != RSH_ARG_TEXT;
}

static bool is_int_or_absent(const rsh_call *call, int32_t arg) {
  int64_t value;
  return !is_given(call, arg) || rsh_arg_int(&call->arg[arg], &value);
}

static bool is_text_or_absent(const rsh_call *call, int32_t arg) {
  return !is_given(call, arg) || call->arg[arg].kind == RSH_ARG_TEXT;
}

static bool is_ints_or_absent(const rsh_call *call, int32_t arg) {
  const rsh_arg *a = &call->arg[arg];
  return a->kind == RSH_ARG_ABSENT || (a->kind == RSH_ARG_LIST && a->rank <= 1);
}

// fluid requires a variable here. At run time its values are a list, never an int.
static bool is_actual_shape(const rsh_arg *a) {
  return a->kind == RSH_ARG_ABSENT || a->kind == RSH_ARG_TENSOR ||
         (a->kind == RSH_ARG_LIST && a->rank == 1);
}

// The first argument of the wrong kind, or -1.
static int32_t wrong_kind(const rsh_call *call) {
  if (!is_target(call))
    return SHAPE;
  if (is_paddle(call)) {
    if (!is_actual_shape(&call->arg[ACTUAL_SHAPE]))
      return ACTUAL_SHAPE;
    if (!is_text_or_absent(call, ACT))
      return ACT;
    if (!is_int_or_absent(call, INPLACE))
      return INPLACE;
    return is_text_or_absent(call, NAME) ? -1 : NAME;
  }
  if (!is_int_or_absent(call, ALLOWZERO)) // SPECIAL_ZERO has the same position
    return ALLOWZERO;
  if (call->op == RSH_OP_ONNX_RESHAPE) {
    if (!is_int_or_absent(call, OPSET))
      return OPSET;
    if (!is_ints_or_absent(call, CONSUMED_INPUTS))
      return CONSUMED_INPUTS;
  }
  return -1;
}

RSH_APART static rsh_status check_kinds(const rsh_call *call, rsh_fault *fault) {
  int32_t wrong = wrong_kind(call);
  return wrong < 0 ? RSH_ok : rsh_fail_int(fault, RSH_bad_arg, wrong, -1, 0, 0);
}

// ---- the target as a whole ----

// Takes argument `arg` as the target. RSH_unknown_size: it is a tensor, and so far valid; its count is -1 if its length
// is unknown.
RSH_APART static rsh_status open_target(target *t, int32_t arg) {
  const rsh_arg *a = &t->call->arg[arg];
  int32_t limit = t->rule.rank_limit, rank = t->call->in[0]->rank;
  t->list = a->list;
  t->count = a->kind == RSH_ARG_LIST || a->kind == RSH_ARG_TENSOR ? a->count : 0;
  t->arg = arg;
  if (a->kind == RSH_ARG_ABSENT)
    return rsh_fail_int(t->fault, RSH_missing_shape, arg, -1, 0, 0);
  if (a->rank == 1 && a->count == 0 && !t->rule.has_scalars)
    return rsh_fail_int(t->fault, RSH_empty_shape, arg, -1, 0, 0);
  if (a->rank != 1 && a->rank != RSH_RANK_UNKNOWN)
    return rsh_fail_int(t->fault, RSH_bad_shape_rank, arg, -1, a->rank, 1);
  if (t->count > limit)
    return rsh_fail_int(t->fault, RSH_rank_limit, arg, -1, t->count, limit);
  if (rank > limit)
    return rsh_fail_input_int(t->fault, RSH_rank_limit, 0, -1, rank, limit);
  if (a->kind == RSH_ARG_TENSOR)
    return rsh_leave_open(t->call, rsh_fail_int(t->fault, RSH_unknown_size, arg, -1, 0, 0));
  return RSH_ok;
}

// ---- the entries ----

// A computed size is never an instruction, even if it is 0 or -1.
static bool is_size(const target *t, int32_t i) { return rsh_has(t->call->arg[t->arg].sizes, i); }

static bool is_copied(const target *t, int32_t i) {
  return t->rule.copies_zero && rsh_is(t->list[i], 0) && !is_size(t, i);
}

// Data that may be any instruction: S-2 is -1, which is inferred, where S is 1.
static bool is_data(const target *t, int32_t i) {
  const rsh_symbols *s = t->call->symbols;
  const rsh_num *size = &t->list[i];
  return !is_size(t, i) && !rsh_is_known(*size) && !rsh_at_most(s, rsh_int(0), *size) &&
         !rsh_at_most(s, *size, rsh_int(-2));
}

// Whether an entry copies depends on symbols, and the copied size would differ from the entry.
static bool may_copy(const target *t, int32_t i) {
  const rsh_num *size = &t->list[i];
  const rsh_shape *in = t->call->in[0];
  return t->rule.copies_zero && !is_size(t, i) && !rsh_is_known(*size) &&
         rsh_sign(t->call->symbols, *size) != 1 && (i >= in->rank || !rsh_equal(*size, in->dim[i]));
}

// The same, if there is a size to copy: otherwise a condition requires that it does not copy.
static bool may_copy_size(const target *t, int32_t i) {
  return i < t->call->in[0]->rank && i != t->infer && may_copy(t, i);
}

static bool some_may_copy(const target *t) {
  for (int32_t i = 0; i < t->count; i++)
    if (may_copy_size(t, i))
      return true;
  return false;
}

// Size i of the result; a -1 is returned unchanged.
static const rsh_num *size_of(const target *t, int32_t i) {
  return is_copied(t, i) ? &t->call->in[0]->dim[i] : &t->list[i];
}

static bool some_are_data(const target *t, int32_t count) {
  for (int32_t i = 0; i < count; i++)
    if (is_data(t, i))
      return true;
  return false;
}

// Requires that no size next to a -1 is 0; otherwise `broken`. With [-1, B-3], B is at least 4. If entries are data,
// which may be wrong before that counts, the call checks sizes that are open.
RSH_APART static rsh_status bar_zeros(const target *t, rsh_status broken) {
  const rsh_num one = rsh_int(1);
  rsh_status status = RSH_ok;
  bool late = some_are_data(t, t->count);
  for (int32_t i = 0; status == RSH_ok && i < t->count; i++) {
    bool is_late = late && !rsh_is_known(t->list[i]);
    if (i == t->infer || is_late || (t->rule.skips_copied && is_copied(t, i)))
      continue;
    status = rsh_require(t->call, RSH_AT_LEAST, size_of(t, i), &one, broken, rsh_in_arg(t->arg, i),
                         t->fault);
    if (status == RSH_zero_with_infer)
      rsh_fail_int(t->fault, status, t->arg, i, i, t->infer);
    else if (status == RSH_ambiguous_infer)
      rsh_fail(t->fault, status, t->arg, t->infer, &t->have, 0);
  }
  return status;
}

// Checks each entry by itself, from the left, and finds the -1.
RSH_APART static rsh_status walk(target *t) {
  int32_t rank = t->call->in[0]->rank;
  t->infer = -1;
  t->is_open = rank == RSH_RANK_UNKNOWN;
  for (int32_t i = 0; i < t->count; i++) {
    const rsh_num *size = &t->list[i];
    if (is_data(t, i)) {
      t->is_open = true;
    } else if (rsh_is(*size, -1) && !is_size(t, i)) {
      if (t->infer >= 0)
        return rsh_fail_int(t->fault, RSH_multiple_infer, t->arg, i, t->infer, i);
      t->infer = i;
    } else if (is_copied(t, i)) {
      if (rank != RSH_RANK_UNKNOWN && i >= rank)
        return rsh_fail_int(t->fault, RSH_zero_out_of_range, t->arg, i, i, rank);
    } else {
      const rsh_num zero = rsh_int(0), one = rsh_int(1);
      rsh_status status = rsh_require(t->call, RSH_AT_LEAST, size, &zero, RSH_bad_dim,
                                      rsh_in_arg(t->arg, i), t->fault);
      if (status == RSH_bad_dim)
        rsh_fail_int(t->fault, status, t->arg, i, size->n, is_size(t, i) ? 0 : -1);
      if (status == RSH_ok && may_copy_size(t, i))
        t->is_open = true;
      else if (status == RSH_ok && may_copy(t, i) && !some_are_data(t, i))
        status = rsh_require(t->call, RSH_AT_LEAST, size, &one, RSH_zero_out_of_range,
                             rsh_in_arg(t->arg, i), t->fault);
      if (status != RSH_ok)
        return status;
    }
  }
  return t->rule.bars_zero_infer && t->infer >= 0 ? bar_zeros(t, RSH_zero_with_infer) : RSH_ok;
}

// The number of elements of the input, without copied sizes if `skip` is set.
RSH_APART static rsh_status input_volume(target *t, bool skip) {
  const rsh_shape *in = t->call->in[0];
  rsh_product p = rsh_product_one();
  for (int32_t i = 0; i < in->rank; i++) {
    if (skip && i < t->count && is_copied(t, i))
      continue;
    if (!rsh_product_take(t->call->symbols, &p, &in->dim[i]))
      return rsh_fail_input(t->fault, RSH_overflow, 0, i, &in->dim[i], 0);
  }
  t->have = rsh_product_value(&p);
  return RSH_ok;
}

RSH_APART static rsh_status target_volume(target *t, bool skip) {
  rsh_product p = rsh_product_one();
  for (int32_t i = 0; i < t->count; i++) {
    if (i == t->infer || (skip && is_copied(t, i)))
      continue;
    rsh_num before = p.nonzero;
    if (!rsh_product_take(t->call->symbols, &p, size_of(t, i)))
      return rsh_fail(t->fault, RSH_overflow, t->arg, i, size_of(t, i), &before);
  }
  t->known = rsh_product_value(&p);
  return RSH_ok;
}

static rsh_status volumes(target *t, bool skip) {
  rsh_status status = input_volume(t, skip);
  return status == RSH_ok ? target_volume(t, skip) : status;
}

// An unknown quotient, within the bounds that follow from both sides; b may be at least 1. False: there is no integer
// within them.
//   2..4 * 2 * 2..6 * 3 elements in [-1, 12, 2]: 24..144 / 24, so 1..6
//   1..3 * 3 elements in [-1, 2]: 3..9 / 2, so 2..4
static bool quotient_between(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out) {
  rsh_interval x = rsh_bounds(s, a), y = rsh_bounds(s, b);
  int64_t least = x.least > 0 ? (x.least - 1) / y.most + 1 : 0;
  int64_t most = x.most == INT64_MAX || y.least < 1 ? INT64_MAX : x.most / y.least;
  if (least > most)
    return false;
  *out = rsh_unknown(s, least, most);
  return true;
}

// Infers the -1, into t->known, from the element count of the input.
RSH_APART static rsh_status infer_size(target *t) {
  rsh_num size;
  if (rsh_is(t->known, 0))
    return rsh_fail(t->fault, RSH_ambiguous_infer, t->arg, t->infer, &t->have, 0);
  rsh_status status = rsh_is_known(t->known) ? RSH_ok : bar_zeros(t, RSH_ambiguous_infer);
  if (status != RSH_ok)
    return status;
  if (rsh_div(t->call->symbols, t->have, t->known, &size)) {
    t->known = size;
    return RSH_ok;
  }
  if (rsh_are_known(t->have, t->known)) // rsh_require would do this, but use more stack
    return rsh_fail(t->fault, RSH_not_divisible, t->arg, t->infer, &t->have, &t->known);
  status = rsh_require(t->call, RSH_MULTIPLE, &t->have, &t->known, RSH_not_divisible,
                       rsh_in_arg(t->arg, t->infer), t->fault);
  if (status == RSH_ok)
    status = rsh_leave_open(t->call, RSH_unknown_size);
  if (status == RSH_ok && !quotient_between(t->call->symbols, t->have, t->known, &t->known))
    status = rsh_fail(t->fault, RSH_not_divisible, t->arg, t->infer, &t->have, &t->known);
  return status;
}

RSH_APART static rsh_status compare_volumes(const target *t) {
  return rsh_require(t->call, RSH_EQUAL, &t->have, &t->known, RSH_volume_mismatch,
                     rsh_in_arg(t->arg, -1), t->fault);
}

// The fast path for a target of known sizes that are not 0, without the checks for faults and symbols.
// False: take the slow path.
static bool resolve_plain(target *t) {
  const rsh_shape *in = t->call->in[0];
  int64_t have = 1, known = 1;
  t->infer = -1;
  if (RSH_FOR_SIZE)
    return false;
  for (int32_t i = 0; i < in->rank; i++)
    if (!rsh_is_known(in->dim[i]) || in->dim[i].n <= 0 ||
        __builtin_mul_overflow(have, in->dim[i].n, &have))
      return false;
  for (int32_t i = 0; i < t->count; i++) {
    const rsh_num *size = &t->list[i];
    if (rsh_is(*size, -1) && t->infer < 0 && !is_size(t, i)) {
      t->infer = i;
      continue;
    }
    if (is_copied(t, i) && i < in->rank)
      size = &in->dim[i];
    if (!rsh_is_known(*size) || size->n <= 0 || __builtin_mul_overflow(known, size->n, &known))
      return false;
  }
  if (t->infer < 0)
    return have == known && in->rank != RSH_RANK_UNKNOWN;
  t->known = rsh_int(have / known);
  return have % known == 0 && in->rank != RSH_RANK_UNKNOWN;
}

// Leaves a target open that depends on data, on an unknown rank, or on whether an entry copies, if the caller has room
// for unknown numbers.
RSH_APART static rsh_status leave_target_open(target *t) {
  rsh_fail_input_int(t->fault, RSH_unknown_size, 0, -1, 0, 0);
  rsh_status status = rsh_leave_open(t->call, RSH_unknown_size);
  if (status == RSH_ok && t->infer >= 0)
    t->known = rsh_any_size(t->call);
  return status;
}

// Resolves an opened target; only writing the sizes is left. The size of the -1 is in t->known.
static rsh_status resolve_target(target *t) {
  if (resolve_plain(t))
    return RSH_ok;
  rsh_status status = walk(t);
  if (status != RSH_ok)
    return status;
  if (t->is_open)
    return leave_target_open(t);
  status = volumes(t, false);
  if (status != RSH_ok)
    return status;
  if (t->infer < 0)
    return compare_volumes(t);
  if (t->rule.skips_copied) {
    status = volumes(t, true);
    if (status != RSH_ok)
      return status;
  }
  return infer_size(t);
}

static rsh_status resolve_argument(target *t, int32_t arg) {
  t->is_open = false;
  rsh_status status = open_target(t, arg);
  return status == RSH_ok && t->count >= 0 ? resolve_target(t) : status;
}

// Whether size i of the result is unknown: it is data, may be copied, or is copied from an input of unknown rank; or it
// is the -1 next to a size that may be copied.
static bool is_unseen(const target *t, int32_t i) {
  if (i == t->infer)
    return some_may_copy(t);
  return may_copy_size(t, i) ||
         (t->is_open &&
          (is_data(t, i) || (is_copied(t, i) && t->call->in[0]->rank == RSH_RANK_UNKNOWN)));
}

RSH_APART static void write_sizes(const target *t, rsh_shape *out) {
  out->rank = t->count; // RSH_RANK_UNKNOWN if the length of the target is unknown
  for (int32_t i = 0; i < t->count; i++)
    if (is_unseen(t, i))
      out->dim[i] = rsh_any_size(t->call);
    else
      out->dim[i] = i == t->infer ? t->known : *size_of(t, i);
}

// The fast path for a call with only a list, and without faults. False: take the slow path.
RSH_APART static bool resolve_usual(target *t, rsh_shape *out) {
  const rsh_arg *a = &t->call->arg[SHAPE];
  if (t->call->op != RSH_OP_RESHAPE || a->kind != RSH_ARG_LIST || a->rank != 1 ||
      a->count > RSH_MAX_RANK || is_given(t->call, ALLOWZERO))
    return false;
  t->list = a->list;
  t->count = a->count;
  t->arg = SHAPE;
  t->is_open = false;
  t->rule.copies_zero = true;
  if (!resolve_plain(t))
    return false;
  out->rank = t->count;
  for (int32_t i = 0; i < t->count; i++)
    out->dim[i] = *size_of(t, i);
  if (t->infer >= 0)
    out->dim[t->infer] = t->known;
  return true;
}

// The argument whose sizes the result has. fluid resolves the list when it builds the graph; at run time the variable's
// values replace it.
static int32_t last_target(const rsh_call *call) {
  bool is_twice =
      is_paddle(call) && is_given(call, ACTUAL_SHAPE) && call->arg[SHAPE].kind != RSH_ARG_TENSOR;
  return is_twice ? ACTUAL_SHAPE : SHAPE;
}

int32_t rsh_reshape_inferred(const rsh_call *call) {
  target t = {.call = call, .arg = last_target(call)};
  const rsh_arg *a = &call->arg[t.arg];
  for (int32_t i = 0; a->kind == RSH_ARG_LIST && i < a->count; i++)
    if (rsh_is(a->list[i], -1) && !is_size(&t, i))
      return i;
  return -1;
}

rsh_status rsh_rule_reshape(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  target t;
  t.call = call;
  t.fault = fault;
  if (!RSH_FOR_SIZE && resolve_usual(&t, out))
    return RSH_ok;
  rsh_status status = check_attributes(call, fault);
  if (status != RSH_ok)
    return status;
  status = check_kinds(call, fault);
  if (status != RSH_ok)
    return status;
  set_rule(&t.rule, call);
  // Kept as the number of an argument, this would take 8 more bytes of stack on a Cortex-M0.
  bool is_twice = last_target(call) != SHAPE;
  for (int32_t arg = SHAPE; status == RSH_ok && arg <= (is_twice ? ACTUAL_SHAPE : SHAPE); arg++)
    status = resolve_argument(&t, arg);
  if (status != RSH_ok)
    return status;
  write_sizes(&t, out);
  return RSH_ok;
}
