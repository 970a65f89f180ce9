// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns a rejection by resolve into a message: the fault, both sides with their values, and a remedy. The caret
// marks the entry, argument or operand at fault; a note shows the origin of the operand. A table in
// runtime/resolve.h defines left and right of a fault.
#include "frontend/lower/lower_internal.h"

#include <inttypes.h>
#include <string.h>

// A fault with everything that a message may quote.
typedef struct Words {
  Lower *l;
  const Binding *b;
  rsh_status status;
  const rsh_fault *fault;
  Problem *p;
  Span span;
  const char *call; // "onnx.reshape"
  const char *x;    // the operand: "'x' (f32[2, 3])"
  const char *arg;  // the argument: "shape"
  const char *list; // the argument's values: "[2, -1]"
  const char *left, *right, *entry;
} Words;

#define SAY(...) problem_set(w->l, w->p, w->span, rsh_status_name(w->status), __VA_ARGS__)

static const char *arg_name(Lower *l, const Binding *b, int arg) {
  const OpEntry *op = op_entry(l, b->call.op);
  if (arg >= 0 && b->arg[arg].name)
    return b->arg[arg].name;
  return op && arg >= 0 && arg < op->param_count ? op->param[arg].name : "";
}

const char *data_words(Lower *l, const Binding *b, int arg) {
  return rsh_op_family(b->call.op) == RSH_RESHAPES
             ? "a target shape"
             : arena_printf(l->arena, "the list '%s'", arg_name(l, b, arg));
}

const char *split_words(Arena *arena, const rsh_shape *operand, rsh_dtype from, rsh_dtype to) {
  const char *text = "[";
  for (int32_t i = 1; i < operand->rank; i++)
    text = arena_printf(arena, "%s0, ", text);
  return arena_printf(arena, "%s-1, %d]", text, rsh_dtype_bits(to) / rsh_dtype_bits(from));
}

static const char *fault_numbers(Lower *l, const rsh_arg *a) {
  const char *text = "[";
  for (int32_t i = 0; i < a->count; i++) {
    if (i >= ENTRIES_SHOWN)
      return arena_printf(l->arena, "%s, ...]", text);
    text = arena_printf(l->arena, "%s%s%s", text, i > 0 ? ", " : "", size_label(l, a->list[i]));
  }
  return arena_printf(l->arena, "%s]", text);
}

static const char *arg_list(Lower *l, const Binding *b, int arg) {
  const rsh_arg *a = &b->call.arg[arg];
  if (a->kind == RSH_ARG_TEXT)
    return a->text;
  bool is_list = a->kind == RSH_ARG_LIST || (a->kind == RSH_ARG_TENSOR && a->list);
  if (!is_list || a->rank > 1)
    return "";
  if (a->rank == 0)
    return size_label(l, a->list[0]);
  return fault_numbers(l, a);
}

static Span fault_span(const Binding *b, const rsh_fault *fault) {
  if (fault->arg >= 0 && b->arg[fault->arg].given) {
    const Span *entry = b->arg[fault->arg].entry;
    bool has_entry = entry && fault->entry >= 0 && fault->entry < b->call.arg[fault->arg].count;
    return has_entry ? entry[fault->entry] : b->arg[fault->arg].span;
  }
  return fault->input >= 0 && fault->input < b->call.in_count ? b->in_span[fault->input]
                                                              : b->callee_span;
}

static const char *dtype_text(rsh_num n) { return rsh_dtype_name((rsh_dtype)n.n); }

// The types of tensors that may be a target shape.
static const char *target_types(rsh_op op) {
  static const char *const types[RSH_OP_COUNT] = {
#define RSH_DIALECT(id, ranks, scalars, copies, skips, data, target, words) [RSH_OP_##id] = words,
#include "runtime/dialects.def"
#undef RSH_DIALECT
  };
  return types[op];
}

// Asks the rule whether it takes operands of a type, which it checks before sizes.
static bool takes_type(const Words *w, rsh_dtype type) {
  rsh_call call = w->b->call;
  const rsh_shape one = {.rank = 1, .dim = {rsh_int(1)}};
  rsh_dtype *types = ARENA_ARRAY(w->l->arena, rsh_dtype, call.in_count);
  const rsh_shape **shapes = ARENA_ARRAY(w->l->arena, const rsh_shape *, call.in_count);
  for (int32_t i = 0; i < call.in_count; i++) {
    types[i] = i == w->fault->input ? type : call.in_type[i];
    shapes[i] = &one;
  }
  call.in_type = types;
  call.in = shapes;
  call.symbols = NULL;
  rsh_fault fault = {.input = -1, .arg = -1, .entry = -1};
  rsh_shape *out = ARENA_ARRAY(w->l->arena, rsh_shape, call.out_count);
  rsh_status status = rsh_op_family(call.op) == RSH_RESHAPES ? rsh_check_type(&call, &fault)
                                                             : rsh_resolve(&call, out, &fault);
  return status != RSH_bad_type || fault.input != w->fault->input;
}

// Removes the integers of consecutive widths, least to most, of which all are taken, and names them.
static const char *take_integers(Words *w, bool *is_taken) {
  int least = 0, most = 0;
  for (int bits = 1; bits <= 64; bits *= 2) {
    bool has_all = true;
    for (int i = 0; i < RSH_DTYPE_COUNT; i++)
      if (rsh_dtype_is_integer((rsh_dtype)i) && rsh_dtype_bits((rsh_dtype)i) == bits)
        has_all = has_all && is_taken[i];
    if (!has_all && least > 0)
      break;
    least = has_all && least == 0 ? bits : least;
    most = has_all ? bits : most;
  }
  for (int i = 0; i < RSH_DTYPE_COUNT; i++)
    is_taken[i] = is_taken[i] &&
                  !(rsh_dtype_is_integer((rsh_dtype)i) && rsh_dtype_bits((rsh_dtype)i) >= least &&
                    rsh_dtype_bits((rsh_dtype)i) <= most);
  return least == 0   ? NULL
         : least == 1 ? arena_printf(w->l->arena, "integers of up to %d bits", most)
                      : arena_printf(w->l->arena, "integers of %d to %d bits", least, most);
}

// "; it takes f16, bf16, f32, f64 and integers of 8 to 64 bits". A long list says little: "".
static const char *types_taken(Words *w) {
  enum { MOST_NAMES = 10 };
  bool is_taken[RSH_DTYPE_COUNT];
  const char *name[RSH_DTYPE_COUNT + 1], *text = "";
  int count = 0;
  for (int i = 0; i < RSH_DTYPE_COUNT; i++)
    is_taken[i] = takes_type(w, (rsh_dtype)i);
  const char *integers = take_integers(w, is_taken);
  for (int i = 0; i < RSH_DTYPE_COUNT; i++)
    if (is_taken[i])
      name[count++] = rsh_dtype_name((rsh_dtype)i);
  if (integers)
    name[count++] = integers;
  for (int i = 0; i < count; i++) {
    const char *before = i == 0 ? "; it takes " : i + 1 == count ? " and " : ", ";
    text = arena_printf(w->l->arena, "%s%s%s", text, before, name[i]);
  }
  return count > MOST_NAMES ? "" : text;
}

static void report_bad_type(Words *w) {
  bool is_scaled = rsh_op_result(w->b->call.op) == RSH_RESULT_SCALED && w->fault->arg >= 0;
  if (is_scaled || w->b->call.op == RSH_OP_CAST)
    SAY("'%s' does not convert %s to %s", w->call, dtype_text(w->fault->left),
        dtype_text(w->fault->right));
  else if (rsh_takes_indices(&w->b->call))
    SAY("the indices of '%s' are i32 or i64; %s is %s", w->call, w->x, dtype_text(w->fault->left));
  else if (w->b->call.op == RSH_OP_BITCAST)
    SAY("'%s' does not convert %s to %s: neither may be complex or string", w->call,
        dtype_text(w->fault->left), dtype_text(w->fault->right));
  else if (w->fault->arg >= 0 && rsh_op_family(w->b->call.op) != RSH_RESHAPES)
    SAY("'%s' of '%s' is a list of integers; this tensor is %s", w->arg, w->call,
        dtype_text(w->fault->left));
  else if (w->fault->arg >= 0)
    SAY("'%s' takes a target shape of element type %s, not %s", w->call,
        target_types(w->b->call.op), dtype_text(w->fault->left));
  else if (rsh_is(w->fault->right, 0))
    SAY("'%s' does not take element type %s%s", w->call, dtype_text(w->fault->left),
        types_taken(w));
  else
    SAY("'%s' takes element type %s only from opset %s on", w->call, dtype_text(w->fault->left),
        w->right);
}

// An argument that the opset lacks: left is the opset, right where the argument was added or removed. The others are a
// boolean, of which right is 1, and the opset itself.
static bool is_of_opset(const Words *w) {
  return w->b->call.op == RSH_OP_ONNX_RESHAPE && !rsh_is(w->fault->right, 1) &&
         strcmp(w->arg, "opset") != 0;
}

// The rejected element, or the rejected entry of a table.
static const char *refused_text(const Words *w) {
  const rsh_arg *given = &w->b->call.arg[w->fault->arg];
  if (!rsh_arg_is_table(given))
    return given->text;
  Fill fill = table_entry(&w->l->graph->table.item[given->table], w->fault->entry);
  return literal_text(w->l->arena, &fill);
}

static void report_bad_attr(Words *w) {
  const rsh_arg *given = w->fault->arg >= 0 ? &w->b->call.arg[w->fault->arg] : NULL;
  if (given && w->b->call.op == RSH_OP_REQUANTIZE && rsh_is(w->fault->right, INT32_MAX))
    SAY("'%s' is %s; it must be at least 0", w->arg, refused_text(w));
  else if (given && w->b->call.op == RSH_OP_REQUANTIZE)
    SAY("'%s' is %s; allowed: -31 to 30", w->arg, refused_text(w));
  else if (given && given->kind == RSH_ARG_VALUE &&
           rsh_op_result(w->b->call.op) == RSH_RESULT_SCALED)
    SAY("'%s' is %s; for floats and i32 it must be 0", w->arg, refused_text(w));
  else if (given && given->kind == RSH_ARG_VALUE && rsh_is(w->fault->left, 0))
    SAY("an integer cannot be divided by 0");
  else if (given && given->kind == RSH_ARG_VALUE)
    SAY("'%s' cannot shift by %s bits", w->call, refused_text(w));
  else if (w->fault->arg < 0)
    SAY("this version of '%s' does not have all arguments that are given", w->call);
  else if (w->b->call.arg[w->fault->arg].kind == RSH_ARG_ABSENT)
    SAY("'%s' needs '%s', which has no default", w->call, w->arg);
  else if (is_of_opset(w))
    SAY("'%s' %s opset %s on; this is opset %s", w->arg,
        w->fault->left.n < w->fault->right.n ? "exists from" : "is removed from", w->right,
        w->left);
  else
    SAY("'%s' is %s; allowed: %d to %s", w->arg, w->left, rsh_is(w->fault->right, 1) ? 0 : 1,
        w->right);
}

// Whether the rejected list has this number.
static bool is_listed(const Words *w, int64_t n) {
  const rsh_arg *given = &w->b->call.arg[w->fault->arg];
  bool is_in = false;
  for (int32_t i = 0; i < given->count; i++)
    is_in = is_in || rsh_is(given->list[i], n);
  return is_in;
}

// A rejected entry is below 0, past the last axis, or a duplicate.
static void report_bad_perm(Words *w) {
  int64_t entry = w->fault->left.n, rank = w->fault->right.n;
  if (w->fault->entry < 0)
    SAY("'%s' has %s %s but %s has rank %s", w->arg, w->left,
        rsh_is(w->fault->left, 1) ? "entry" : "entries", w->x, w->right);
  else if (entry < 0 && entry >= -rank && !is_listed(w, rank + entry))
    SAY("'%s' %s must list each axis from 0 to %" PRId64 " once; write %" PRId64 " for %s", w->arg,
        w->list, rank - 1, rank + entry, w->left);
  else
    SAY("'%s' %s must list each axis from 0 to %" PRId64 " once, but %s %s", w->arg, w->list,
        rank - 1, w->left, entry >= 0 && entry < rank ? "is listed twice" : "is not an axis");
}

static void report_bad_arg(Words *w) {
  if (w->fault->arg < 0)
    SAY("'%s' takes %s; %s given", w->call, w->right, w->left);
  else if (w->b->call.arg[w->fault->arg].kind == RSH_ARG_TENSOR &&
           rsh_op_family(w->b->call.op) != RSH_RESHAPES)
    SAY("'%s' of '%s' is a list of integers; a tensor in its place has one axis", w->arg, w->call);
  else if (w->b->call.arg[w->fault->arg].kind == RSH_ARG_TENSOR)
    SAY("'%s' of '%s' must be known when compiling; it cannot be a tensor", w->arg, w->call);
  else
    SAY("'%s' of '%s' must be a tensor", w->arg, w->call);
}

static void report_bad_dim(Words *w) {
  if (w->b->call.op != RSH_OP_PAD)
    SAY("size %s in '%s'; the least allowed is %s", w->left, w->arg, w->right);
  else if (rsh_is(w->fault->right, 0))
    SAY("'%s' %s remove more of an axis of %s than it has: %s would be left", w->arg, w->list, w->x,
        w->left);
  else
    SAY("an axis of size 0 of %s can only be extended with mode \"constant\"", w->x);
}

// An entry that must be inside an axis: an index of gather, a length of reverse_sequence.
static void report_bad_index(Words *w) {
  if (w->b->call.op == RSH_OP_REVERSE_SEQUENCE)
    SAY("length %s on a time axis of size %s of %s; allowed: 0 to %s", w->left, w->right, w->x,
        w->right);
  else if (rsh_is(w->fault->right, 0))
    SAY("index %s is outside an axis of size 0 of %s, which has no elements", w->left, w->x);
  else
    SAY("index %s is outside an axis of size %s of %s%s", w->left, w->right, w->x,
        indices_allowed(w->l, w->fault->right));
}

static void report_bad_axis(Words *w) {
  rsh_num rank = w->fault->right;
  if (w->b->call.op == RSH_OP_REVERSE_SEQUENCE) {
    SAY("'%s' is %s; it must be 0 or 1", w->arg, w->left);
    return;
  }
  bool is_flatten = w->b->call.op == RSH_OP_FLATTEN;
  if (rsh_is(rank, 0) && !is_flatten) {
    SAY("axis %s is outside rank 0 of %s, which has no axes", w->left, w->x);
    return;
  }
  if (w->b->call.op == RSH_OP_GATHER_ND) {
    SAY("'%s' is %s; it must be at least 0 and less than %s, the smaller of both ranks", w->arg,
        w->left, w->right);
    return;
  }
  bool of_result = w->b->call.op == RSH_OP_UNSQUEEZE || w->b->call.op == RSH_OP_STACK;
  // split(x, 3) in other systems; models have other names for this
  const char *parts =
      w->fault->left.n > 0 && strcmp(w->call, "split") == 0
          ? arena_printf(w->l->arena, "; for %s parts write parts=%s", w->left, w->left)
          : "";
  SAY("axis %s is outside rank %s of %s; allowed: %s%s to %" PRId64 "%s", w->left, w->right,
      of_result ? "the result" : w->x, rsh_is(rank, 0) ? "" : "-", w->right,
      is_flatten ? rank.n : rank.n - 1, parts);
}

// split: the error is in 'parts' (argument 1), in 'sizes' (2), or neither is given.
static void report_parts(Words *w) {
  const rsh_arg *parts = &w->b->call.arg[1], *sizes = &w->b->call.arg[2];
  const char *list = arg_name(w->l, w->b, 2);
  if (parts->kind != RSH_ARG_ABSENT && sizes->kind != RSH_ARG_ABSENT)
    SAY("'%s' takes '%s' or '%s', not both", w->call, arg_name(w->l, w->b, 1), list);
  else if (w->fault->arg < 0)
    SAY("'%s' gives %s results, but there are %s parts", w->call, w->left, w->right);
  else if (parts->kind != RSH_ARG_ABSENT && rsh_is_known(w->fault->left) && w->fault->left.n < 1)
    SAY("%s parts; at least 1 is needed", w->left);
  else if (parts->kind != RSH_ARG_ABSENT)
    SAY("an axis of size %s of %s cannot be split into %s parts of which only the last may be "
        "smaller; give '%s'",
        w->right, w->x, w->left, list);
  else if (sizes->kind == RSH_ARG_ABSENT)
    SAY("an axis of size %s of %s cannot be split into %s equal parts; give '%s'", w->right, w->x,
        w->left, list);
  else if (sizes->count == 0)
    SAY("'%s' is empty; at least 1 part is needed", w->arg);
  else if (w->fault->entry >= 0)
    SAY("a part cannot have size %s", w->left);
  else
    SAY("'%s' %s add up to %s, but the axis of %s has size %s", w->arg, w->list, w->left, w->x,
        w->right);
}

static const char *first_operand(Words *w) { return value_label(w->l, w->b->in[0]); }

// The product of the nonzero sizes must fit even for an empty tensor: strides are computed from it.
static const char *but_for_zeros(const rsh_arg *target) {
  for (int32_t i = 0; target->list && i < target->count; i++)
    if (rsh_is(target->list[i], 0))
      return ", sizes of 0 left out";
  return "";
}

static void report_overflow(Words *w) {
  if (rsh_op_family(w->b->call.op) == RSH_RESHAPES && w->fault->arg >= 0)
    SAY("target %s has more elements than 64 bits can count%s: %s * %s", w->list,
        but_for_zeros(&w->b->call.arg[w->fault->arg]), w->right, w->left);
  else if (w->fault->input >= 0)
    SAY("with %s the result has more elements than 64 bits can count", w->x);
  else
    SAY("the result has more elements than 64 bits can count");
}

static void report_unknown_size(Words *w) {
  bool has_sides = !rsh_is(w->fault->left, 0) || !rsh_is(w->fault->right, 0);
  bool is_reshape = rsh_op_family(w->b->call.op) == RSH_RESHAPES;
  if (rsh_takes_indices(&w->b->call) && w->fault->input == 1)
    SAY("the last axis of %s, whose size is the number of indices in a tuple, must be known when "
        "compiling",
        w->x);
  else if (w->fault->arg >= 0 && rsh_lacks_length(&w->b->call, w->fault->arg))
    SAY("the length of '%s' of '%s' must be known when compiling; give it a type such as i64[2]",
        w->arg, w->call);
  else if (!has_sides)
    SAY("'%s' depends on a size that is known only at run time", w->call);
  else if (is_reshape && w->fault->entry >= 0)
    SAY("-1 in target %s is (%s) / (%s); whether that is a whole number is known only at run time",
        w->list, w->left, w->right);
  else if (is_reshape)
    SAY("%s has %s elements, target %s has %s: whether they are equal is known only at run time",
        w->x, w->left, w->list, w->right);
  else
    SAY("'%s' depends on how %s and %s compare, which is known only at run time", w->call, w->left,
        w->right);
}

// The product of all entries but one, if they are positive numbers; else 0.
static int64_t product_without(const rsh_arg *target, int32_t one) {
  int64_t product = 1;
  for (int32_t i = 0; i < target->count; i++) {
    rsh_num n = target->list[i];
    if (i == one)
      continue;
    if (!rsh_is_known(n) || n.n <= 0 || __builtin_mul_overflow(product, n.n, &product))
      return 0;
  }
  return product;
}

// A target that differs in one entry and fits: 6 elements to [4, 2]: "; [-1, 2] makes it [3, 2]".
static const char *inferred_hint(Words *w) {
  const rsh_arg *target = &w->b->call.arg[w->fault->arg >= 0 ? w->fault->arg : 0];
  rsh_num volume = w->fault->left;
  bool is_list = target->kind == RSH_ARG_LIST && target->rank == 1 && rsh_is_known(volume);
  for (int32_t i = 0; is_list && i < target->count && target->count <= 8; i++) {
    int64_t others = product_without(target, i);
    if (others == 0 || volume.n <= 0 || volume.n % others != 0)
      continue;
    rsh_num list[8];
    rsh_arg made = *target;
    made.list = list;
    for (int32_t k = 0; k < target->count; k++)
      list[k] = k == i ? rsh_int(-1) : target->list[k];
    const char *with = fault_numbers(w->l, &made);
    list[i] = rsh_int(volume.n / others);
    return arena_printf(w->l->arena, "; %s makes it %s", with, fault_numbers(w->l, &made));
  }
  return "";
}

// bitcast(w, u8) of u4[64, 128]: "; reshape it to [0, -1, 2] first", if that divides the axis.
static const char *split_hint(Words *w) {
  const rsh_call *call = &w->b->call;
  rsh_num pairs;
  if (!rsh_div(w->l->graph->symbols, w->fault->left, w->fault->right, &pairs) || rsh_is(pairs, 0))
    return "";
  return arena_printf(w->l->arena, "; reshape it to %s first",
                      split_words(w->l->arena, call->in[0], call->in_type[0], rsh_out_type(call)));
}

// tile(x, 2) for a matrix: "; the last axis only: [1, 2]"
static const char *length_hint(Words *w) {
  rsh_op op = w->b->call.op;
  rsh_num rank = w->fault->right, axes[8];
  bool is_of_axes = (op == RSH_OP_TILE || op == RSH_OP_REPEAT) && rsh_is_known(rank);
  if (op == RSH_OP_PAD)
    return ": all begins, then all ends";
  if (op == RSH_OP_LOOKUP)
    return arena_printf(w->l->arena, ": one entry for each value of %s",
                        rsh_dtype_name(w->b->call.in_type[0]));
  if (!is_of_axes || !rsh_is(w->fault->left, 1) || rank.n < 2 || rank.n > 8)
    return "";
  rsh_arg whole = w->b->call.arg[0];
  if (rsh_is_unknown(whole.list[0])) // data has no text
    return "";
  for (int32_t i = 0; i < rank.n; i++)
    axes[i] = i + 1 < rank.n ? rsh_int(1) : whole.list[0];
  whole.list = axes;
  whole.count = (int32_t)rank.n;
  return arena_printf(w->l->arena, "; the last axis only: %s", fault_numbers(w->l, &whole));
}

static void report_duplicate_axis(Words *w) {
  if (w->b->call.op == RSH_OP_REVERSE_SEQUENCE)
    SAY("the time axis and the batch axis are both %s", w->left);
  else
    SAY("'%s' %s names one axis twice (entries %s and %s)", w->arg, w->list, w->left, w->right);
}

static void report_shape_mismatch(Words *w) {
  if (w->b->call.op == RSH_OP_BITCAST)
    SAY("%s needs a last axis of %s to be elements of %s; it has %s%s", w->x, w->right,
        rsh_dtype_name(rsh_out_type(&w->b->call)), w->left, split_hint(w));
  else if (w->fault->entry < 0)
    SAY("%s has rank %s, but the first operand %s has rank %s", w->x, w->left, first_operand(w),
        w->right);
  else
    SAY("axis %d of %s is %s, but that of the first operand %s is %s", (int)w->fault->entry, w->x,
        w->left, first_operand(w), w->right);
}

static void report_type_mismatch(Words *w) {
  SAY("%s has element type %s, but the first operand %s has %s", w->x, dtype_text(w->fault->left),
      first_operand(w), dtype_text(w->fault->right));
}

static void report_bad_block(Words *w) {
  if (rsh_is(w->fault->right, 0))
    SAY("block size %s; at least 1 is needed", w->left);
  else if (w->b->call.op == RSH_OP_DEPTH_TO_SPACE) // the channels must hold whole blocks
    SAY("block size %s, squared, does not divide size %s of %s",
        size_label(w->l, w->b->call.arg[0].list[0]), w->right, w->x);
  else
    SAY("block size %s does not divide size %s of %s", w->left, w->right, w->x);
}

// reshape(x, 6), reshape(x, [[2, 3]]), or a tensor of another rank than 1.
static void report_shape_rank(Words *w) {
  const rsh_arg *target = w->fault->arg < 0 ? NULL : &w->b->call.arg[w->fault->arg];
  if (target && target->kind == RSH_ARG_LIST && rsh_is(w->fault->left, 0) &&
      !rsh_is_unknown(target->list[0]))
    SAY("a target shape is a list of integers: write [%s]", size_label(w->l, target->list[0]));
  else
    SAY("a target shape is a list of integers, as in [2, -1]; this has rank %s", w->left);
}

// x - [1, 2], or an expand.
static void report_not_broadcastable(Words *w) {
  if (w->b->call.op == RSH_OP_EXPAND && !w->b->for_constants)
    SAY("size %s of %s cannot be broadcast to %s", w->left, w->x, w->right);
  else
    SAY("size %s of %s does not match the %s constants along this axis", w->left, w->x, w->right);
}

static void report_bad_mode(Words *w) {
  SAY("unknown mode \"%s\"; '%s' has %s", w->list, w->call,
      w->b->call.op == RSH_OP_PAD
          ? "\"constant\", \"edge\", \"reflect\", \"symmetric\" and \"wrap\""
      : w->b->call.op == RSH_OP_CAST ? "\"up\", \"down\" and \"nearest\""
                                     : "\"DCR\" and \"CRD\"");
}

// Both sides of a mismatch, with their values: a text with words in braces, and a hint for its end; or a function.
static const struct {
  const char *text;
  const char *(*hint)(Words *w);
  void (*report)(Words *w);
} reports[RSH_STATUS_COUNT] = {
    [RSH_bad_type] = {.report = report_bad_type},
    [RSH_bad_attr] = {.report = report_bad_attr},
    [RSH_bad_arg] = {.report = report_bad_arg},
    [RSH_bad_shape_rank] = {.report = report_shape_rank},
    [RSH_rank_limit] = {.text = "{left} axes; '{call}' takes at most {right}"},
    [RSH_bad_rank] = {.text = "'{call}' needs rank {right}; {x} has rank {left}"},
    [RSH_missing_shape] = {.text = "'{call}' needs a target shape"},
    [RSH_empty_shape] = {.text = "target [] is a scalar, and '{call}' has no scalars"},
    [RSH_bad_dim] = {.report = report_bad_dim},
    [RSH_multiple_infer] = {.text = "second -1 in target {list} (entries {left} and {right}); at "
                                    "most one can be inferred"},
    [RSH_zero_out_of_range] = {.text = "0 at entry {left} copies the size of that axis, which {x} "
                                       "of rank {right} does not have"},
    [RSH_zero_with_infer] =
        {.text = "literal 0 (entry {left}) and -1 (entry {right}) together in target {list}"},
    [RSH_ambiguous_infer] =
        {.text = "-1 in target {list} cannot be inferred: the other sizes multiply to 0"},
    [RSH_not_divisible] =
        {.text = "{left} elements of {x} cannot be divided into target {list}: {left} is "
                 "not a multiple of {right}"},
    [RSH_volume_mismatch] = {.text = "{x} has {left} elements, target {list} has {right}",
                             .hint = inferred_hint},
    [RSH_overflow] = {.report = report_overflow},
    [RSH_bad_axis] = {.report = report_bad_axis},
    [RSH_duplicate_axis] = {.report = report_duplicate_axis},
    [RSH_bad_perm] = {.report = report_bad_perm},
    [RSH_not_one] =
        {.text = "axis {entry} of {x} has size {left}; only axes of size 1 can be squeezed"},
    [RSH_bad_length] = {.text = "'{arg}' has length {left}; {right} is needed",
                        .hint = length_hint},
    [RSH_bad_step] = {.text = "the step of a slice cannot be 0"},
    [RSH_bad_parts] = {.report = report_parts},
    [RSH_not_broadcastable] = {.report = report_not_broadcastable},
    [RSH_shape_mismatch] = {.report = report_shape_mismatch},
    [RSH_type_mismatch] = {.report = report_type_mismatch},
    [RSH_bad_block] = {.report = report_bad_block},
    [RSH_bad_mode] = {.report = report_bad_mode},
    [RSH_unknown_size] = {.report = report_unknown_size},
    [RSH_unsupported] = {.text = "'{call}' is not supported"},
    [RSH_bad_index] = {.report = report_bad_index},
};

// "'{call}' needs rank {right}"    "'onnx.gather' needs rank 1"
static const char *fill_in(const Words *w, const char *text) {
  Arena *arena = w->l->arena;
  const struct {
    const char *name, *word;
  } of[] = {{"{call}", w->call}, {"{x}", w->x},         {"{arg}", w->arg},    {"{list}", w->list},
            {"{left}", w->left}, {"{right}", w->right}, {"{entry}", w->entry}};
  const char *out = "";
  for (const char *brace; (brace = strchr(text, '{'));) {
    int i = 0;
    while (strncmp(brace, of[i].name, strlen(of[i].name)) != 0)
      i++;
    out = arena_printf(arena, "%s%.*s%s", out, (int)(brace - text), text, of[i].word);
    text = brace + strlen(of[i].name);
  }
  return arena_printf(arena, "%s%s", out, text);
}

static void report_fault(Words *w) {
  const char *text = reports[w->status].text;
  if (reports[w->status].report)
    reports[w->status].report(w);
  else if (text)
    SAY("%s%s", fill_in(w, text), reports[w->status].hint ? reports[w->status].hint(w) : "");
  else
    SAY("'%s': %s", w->call, rsh_status_string(w->status));
}

void fault_problem(Lower *l, const Binding *b, rsh_status status, const rsh_fault *fault,
                   Problem *p) {
  int input = fault->input >= 0 && fault->input < b->call.in_count ? fault->input : 0;
  Words words = {.l = l,
                 .b = b,
                 .status = status,
                 .fault = fault,
                 .p = p,
                 .span = fault_span(b, fault),
                 .call = b->word,
                 .x = value_label(l, b->in[input]),
                 .arg = arg_name(l, b, fault->arg),
                 .list = fault->arg >= 0 ? arg_list(l, b, fault->arg) : "",
                 .left = size_label(l, fault->left),
                 .right = size_label(l, fault->right),
                 .entry = arena_printf(l->arena, "%d", (int)fault->entry)};
  report_fault(&words);
  // If only the call is wrong, the origin of its operand is irrelevant.
  bool of_call = status > RSH_bad_type && status < RSH_rank_limit;
  const Value *tensor = fault->arg >= 0 ? b->arg[fault->arg].tensor : NULL;
  if (!of_call)
    note_operand(l, p, tensor ? tensor : b->in[input]);
}
