// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on shapes. Computations that exporters put between Shape and Reshape are evaluated here, element
// by element, with numeric and symbolic sizes:
//
//   x: f32[B, 3, 8]   Shape -> [B, 3, 8]   Gather 0 -> B   Unsqueeze -> [B]   Concat [-1] -> [B, -1]
//
// Operators that move elements (Gather, Slice, Concat ...) are resolved and folded by the runtime, as for data,
// and the moves determine the position of each number.
#include "frontend/onnx/onnx_internal.h"
#include "runtime/move.h"

#include <stdlib.h>
#include <string.h>

// ---- Elementwise, with broadcasting

int32_t onnx_broadcast_index(const rsh_shape *shape, const rsh_shape *result, int32_t i) {
  int64_t at = 0, stride = 1;
  for (int32_t k = 0; k < result->rank; k++) { // from the last axis on
    int64_t size = result->dim[result->rank - 1 - k].n, index = i % size;
    i = (int32_t)(i / size);
    if (k >= shape->rank)
      continue;
    int64_t own = shape->dim[shape->rank - 1 - k].n;
    at += own == 1 ? 0 : index * stride;
    stride *= own;
  }
  return (int32_t)at;
}

// Computes one element of a result from elements of its operands; `which` is the row's parameter of the function.
typedef bool Function(const Visit *v, int which, const rsh_num *a, rsh_num *out);

static bool is_floating(rsh_dtype dtype) { return dtype == RSH_F32 || dtype == RSH_F64; }

static bool add(const Visit *v, int which, const rsh_num *a, rsh_num *out) {
  (void)which;
  return rsh_add(symbols_of(v), a[0], a[1], out);
}

static bool subtract(const Visit *v, int which, const rsh_num *a, rsh_num *out) {
  (void)which;
  return rsh_sub(symbols_of(v), a[0], a[1], out);
}

static bool multiply(const Visit *v, int which, const rsh_num *a, rsh_num *out) {
  (void)which;
  return rsh_mul(symbols_of(v), a[0], a[1], out);
}

// In the survey of a model it is a fact about all its chains, which do not check it. The condition of a body need not
// hold outside, and outside of a survey, sizes that the call computes (is_undecided) are not known when it is checked.
void sizes_require(const Visit *v, rsh_num low, rsh_num high) {
  Lower *l = &v->r->data;
  const Guard guard = {.kind = WHERE_LE,
                       .status = RSH_guard_failed,
                       .left = low,
                       .right = high,
                       .is_of_node = true,
                       .span = v->span};
  if (l->known->finds_nothing || (l->is_undecided && !v->r->surveyor))
    return;
  int stage = l->stage;
  l->stage = GUARD_WHERE;
  guard_where(l, guard);
  l->stage = stage;
}

// Whether a divisor is above 0. A size that may be 0 must not be: ONNX does not define such quotients, so this is a
// condition of the graph, checked before they are computed.
static bool divides(const Visit *v, rsh_num by) {
  const rsh_symbols *s = symbols_of(v);
  if (!rsh_is_known(by) && !rsh_is_unknown(by) && rsh_at_most(s, rsh_int(0), by))
    sizes_require(v, rsh_int(1), by);
  return rsh_sign(s, by) == 1;
}

// The quotient of sizes that may be negative, truncated toward zero.
//   (H-W) / 2    (H - min(W, H)) / 2 - (W - min(W, H)) / 2
static bool divide_signed(const Visit *v, const rsh_num *a, rsh_num *out) {
  rsh_symbols *s = symbols_of(v);
  rsh_num above, below;
  return sizes_split_at_0(v, a[0], &above, &below) && sizes_quotient(v, above, a[1], &above) &&
         sizes_quotient(v, below, a[1], &below) && rsh_sub(s, above, below, out);
}

bool sizes_rounded(const Visit *v, Rounding how, rsh_num n, rsh_num by, rsh_num *out) {
  const rsh_num a[] = {n, by};
  return divides(v, by) &&
         (sizes_quotient(v, n, by, out) ||
          (how == ROUNDS_DOWN ? sizes_quotient_down(v, n, by, out) : divide_signed(v, a, out)));
}

// An exact quotient. It does not exist if the divisor is 0 either: B*H/H implies that H is at least 1.
static bool divide_whole(const Visit *v, const rsh_num *a, rsh_num *out) {
  bool is_whole = rsh_div(symbols_of(v), a[0], a[1], out);
  if (is_whole)
    divides(v, a[1]);
  return is_whole;
}

static bool divide(const Visit *v, int which, const rsh_num *a, rsh_num *out) {
  if (divide_whole(v, a, out))
    return true;
  if (is_floating(v->in[0]->known->dtype) || rsh_is(a[1], 0) || rsh_is(a[1], -1))
    return false;
  if (rsh_is_known(a[0]) && rsh_is_known(a[1])) {
    bool is_less = which == ROUNDS_DOWN && (a[0].n < 0) != (a[1].n < 0); // the remainder is not 0
    *out = rsh_int(a[0].n / a[1].n - is_less);
    return true;
  }
  return sizes_rounded(v, (Rounding)which, a[0], a[1], out);
}

// n - n/by*by, for a quotient n/by.
static bool rest_of(rsh_symbols *s, rsh_num n, rsh_num quotient, rsh_num by, rsh_num *out) {
  return rsh_mul(s, quotient, by, &quotient) && rsh_sub(s, n, quotient, out);
}

// The remainder of sizes; with fmod, it has the sign of the dividend.
static bool modulo_open(const Visit *v, const rsh_num *a, rsh_num *out) {
  rsh_num quotient;
  Rounding how = attribute_int(v, "fmod", 0) ? TRUNCATES : ROUNDS_DOWN;
  return sizes_rounded(v, how, a[0], a[1], &quotient) &&
         rest_of(symbols_of(v), a[0], quotient, a[1], out);
}

// The quotient in a layer that requires an exact one. That it is exact becomes a condition of the graph, and a fact
// from then on. A chain has conditions of its own.
static bool divide_exactly(const Visit *v, int which, const rsh_num *a, rsh_num *out) {
  const Guard guard = {.kind = WHERE_EQ,
                       .status = RSH_not_divisible,
                       .left = a[0],
                       .right = rsh_int(0),
                       .remainder_of = a[1],
                       .span = v->span};
  if (divide_whole(v, a, out))
    return true;
  return (v->r->surveyor || guard_add(&v->r->data, guard)) && divide(v, which, a, out);
}

static bool modulo(const Visit *v, int which, const rsh_num *a, rsh_num *out) {
  (void)which;
  rsh_num quotient;
  *out = rsh_int(0);
  if (divide_whole(v, a, &quotient))
    return true;
  if (!rsh_is_known(a[0]) || !rsh_is_known(a[1]))
    return !is_floating(v->in[0]->known->dtype) && modulo_open(v, a, out);
  if (a[1].n == 0 || a[1].n == -1)
    return false;
  int64_t rest = a[0].n % a[1].n;             // fmod takes the sign of the dividend
  bool is_other = (rest < 0) != (a[1].n < 0); // the remainder is not 0
  *out = rsh_int(is_other && !attribute_int(v, "fmod", 0) ? rest + a[1].n : rest);
  return true;
}

static bool compare(const Visit *v, int which, const rsh_num *a, rsh_num *out) {
  return sizes_compare(v, which, a[0], a[1], out);
}

// Whether a number is a condition: one that only the call knows is 0 or 1.
static bool is_condition(const Visit *v, size_t input, rsh_num n) {
  return rsh_is_known(n) || v->in[input]->known->dtype == RSH_BOOL;
}

// Not has no b.
static bool combine(const Visit *v, int which, const rsh_num *a, rsh_num *out) {
  bool has_b = which != 1 << 0;
  return is_condition(v, 0, a[0]) && (!has_b || is_condition(v, 1, a[1])) &&
         sizes_combine(v, which, a[0], has_b ? a[1] : rsh_int(0), out);
}

static bool negate(const Visit *v, int which, const rsh_num *a, rsh_num *out) {
  (void)which;
  return rsh_sub(symbols_of(v), rsh_int(0), a[0], out);
}

static bool absolute(const Visit *v, int which, const rsh_num *a, rsh_num *out) {
  rsh_num above, below;
  (void)which;
  return sizes_split_at_0(v, a[0], &above, &below) && rsh_add(symbols_of(v), above, below, out);
}

static bool choose(const Visit *v, int which, const rsh_num *a, rsh_num *out) {
  (void)which;
  return is_condition(v, 0, a[0]) && sizes_choose(v, a[0], a[1], a[2], out);
}

// `operands`: their number; -2: two or more, applied from the left. `type_of`: the operand whose type the
// result has, -1 for bool. Without a function the result is the operand.
typedef struct Arithmetic {
  const char *op;
  int operands, type_of;
  Function *function;
  int which;
} Arithmetic;
static const Arithmetic functions[] = {
    {"Add", 2, 0, add, 0},
    {"Sub", 2, 0, subtract, 0},
    {"Mul", 2, 0, multiply, 0},
    {"Div", 2, 0, divide, TRUNCATES},
    {"openvino.Divide", 2, 0, divide, ROUNDS_DOWN},
    {"openvino.Quotient", 2, 0, divide_exactly, TRUNCATES},
    {"Mod", 2, 0, modulo, 0},
    {"Min", -2, 0, sizes_extreme, -1},
    {"Max", -2, 0, sizes_extreme, 1},
    {"Sum", -2, 0, add, 0},
    {"Equal", 2, -1, compare, EQUAL},
    {"Less", 2, -1, compare, LESS},
    {"Greater", 2, -1, compare, GREATER},
    {"LessOrEqual", 2, -1, compare, LESS | EQUAL},
    {"GreaterOrEqual", 2, -1, compare, GREATER | EQUAL},
    {"And", 2, -1, combine, 1 << 3},
    {"Or", 2, -1, combine, 1 << 3 | 1 << 2 | 1 << 1},
    {"Xor", 2, -1, combine, 1 << 2 | 1 << 1},
    {"Not", 1, -1, combine, 1 << 0},
    {"Neg", 1, 0, negate, 0},
    {"Abs", 1, 0, absolute, 0},
    {"Floor", 1, 0, NULL, 0},
    {"Ceil", 1, 0, NULL, 0},
    {"Round", 1, 0, NULL, 0},
    {"Where", 3, 1, choose, 0},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static const Arithmetic *find_function(const char *op) {
  for (int f = 0; f < FUNCTIONS; f++)
    if (strcmp(functions[f].op, op) == 0)
      return &functions[f];
  return NULL;
}

bool sizes_divides_by(const Visit *v, int64_t *divisor) {
  const Arithmetic *f = find_function(v->op);
  if (!f || (f->function != divide && f->function != divide_exactly && f->function != modulo) ||
      v->node->n_input != 2 || !v->in[1])
    return false;
  const Numbers *by = v->in[1]->known;
  for (int32_t i = 0; i < by->count; i++)
    if (rsh_is_known(by->item[i]) && by->item[i].n <= 0) {
      *divisor = by->item[i].n;
      return true;
    }
  return false;
}

int sizes_orders(const char *op) {
  const Arithmetic *f = find_function(op);
  return f && f->function == compare ? f->which : 0;
}

// Larger numbers would have been rounded. Where that depends on sizes, these are rejected at run time.
static bool is_exact(Visit *v, rsh_num n, int64_t most) {
  Guard guard = {.kind = WHERE_LE, .status = RSH_guard_failed, .span = v->span};
  guard.left = n;
  guard.right = rsh_int(most);
  if (!guard_add(&v->r->data, guard))
    return false;
  guard.left = rsh_int(-most);
  guard.right = n;
  return guard_add(&v->r->data, guard);
}

// A number outside the range of the type would have wrapped: such results are not computed here. Sizes are assumed to
// fit integers of 32 bits; that one fits 8 or 16, or that a difference is not below 0, needs a proof.
bool sizes_fit(Visit *v, rsh_num n, rsh_dtype dtype) {
  static const int64_t single = 1 << 24;
  rsh_symbols *s = symbols_of(v);
  int64_t least = INT64_MIN, most = INT64_MAX;
  int bits = rsh_dtype_bits(dtype);
  switch (rsh_dtype_kind_of(dtype)) {
  case RSH_KIND_SIGNED:
    most = INT64_MAX >> (64 - bits);
    least = -most - 1;
    break;
  case RSH_KIND_UNSIGNED:
    most = bits < 64 ? (INT64_C(1) << bits) - 1 : INT64_MAX;
    least = 0;
    break;
  case RSH_KIND_FLOAT:
    if (bits >= 32) {
      most = bits == 32 ? single : single * single;
      least = -most;
    }
    break;
  case RSH_KIND_NONE:
  case RSH_KIND_BOOL: // a condition, so 0 or 1
  case RSH_KIND_COMPLEX:
  case RSH_KIND_STRING:
    break;
  }
  bool is_size = !rsh_is_known(n) && (bits >= 32 || dtype == RSH_BOOL);
  if (is_size && dtype == RSH_F32)
    return is_exact(v, n, most);
  return ((is_size && least < 0) || rsh_at_most(s, rsh_int(least), n)) &&
         (is_size || rsh_at_most(s, n, rsh_int(most)));
}

bool onnx_broadcast_known(rsh_shape *shape, const rsh_shape *with) {
  rsh_shape wide = shape->rank >= with->rank ? *shape : *with;
  const rsh_shape *other = shape->rank >= with->rank ? with : shape;
  for (int32_t k = 0; k < other->rank; k++) {
    rsh_num *size = &wide.dim[wide.rank - 1 - k], own = other->dim[other->rank - 1 - k];
    if (rsh_is(*size, 1))
      *size = own;
    else if (!rsh_equal(*size, own) && !rsh_is(own, 1))
      return false;
  }
  *shape = wide;
  return true;
}

// Returns whether the result, a number, equals the element in `bits`. No number equals -0.
static bool counts(Visit *v, const Arithmetic *f, rsh_dtype dtype, const rsh_num *a, int count,
                   rsh_num *out) {
  bool flips = f->function == negate, has_sign = flips || f->function == multiply ||
                                                 f->function == divide || f->function == modulo;
  if (f->function && !f->function(v, f->which, a, out))
    return false;
  for (int i = 0; i < count; i++)
    flips = flips || (rsh_is_known(a[i]) && a[i].n < 0);
  return sizes_fit(v, *out, dtype) && !(is_floating(dtype) && has_sign && flips && rsh_is(*out, 0));
}

static const Numbers *apply(Visit *v, const Arithmetic *f, rsh_dtype dtype,
                            const Numbers *const *in, int count) {
  rsh_shape shape = in[0]->shape;
  for (int k = 1; k < count; k++)
    if (!onnx_broadcast_known(&shape, &in[k]->shape))
      return NULL;
  Numbers *out = numbers_new(v->r, dtype, &shape);
  for (int32_t i = 0; out && i < out->count; i++) {
    rsh_num a[3];
    for (int k = 0; k < count; k++)
      a[k] = in[k]->item[onnx_broadcast_index(&in[k]->shape, &shape, i)];
    out->item[i] = a[0];
    if (!counts(v, f, dtype, a, count, &out->item[i]))
      return NULL;
  }
  return out;
}

static bool has_gap(const Visit *v) {
  for (size_t i = 0; i < v->node->n_input; i++)
    if (!v->in[i])
      return true;
  return false;
}

// Before opset 7, `axis` names the axis at which the second operand begins, so operands are not aligned at the last
// axes.
static const Numbers *elementwise(Visit *v, const Arithmetic *f) {
  int count = (int)v->node->n_input, wanted = f->operands;
  const Numbers *in[3] = {NULL, NULL, NULL};
  if ((wanted > 0 ? count != wanted : count < 1) || has_gap(v) || attribute_of(v, "axis"))
    return NULL;
  for (int i = 0; i < count && i < 3; i++)
    in[i] = v->in[i]->known;
  rsh_dtype dtype = f->type_of < 0 ? RSH_BOOL : in[f->type_of]->dtype;
  if (wanted > 0)
    return apply(v, f, dtype, in, count);
  const Numbers *sum = in[0];
  for (int i = 1; sum && i < count; i++) {
    const Numbers *pair[] = {sum, v->in[i]->known};
    sum = apply(v, f, dtype, pair, 2);
  }
  return sum;
}

// Clip: Min(Max(x, least), most). Before opset 11, the limits are attributes, and x has fractions.
static const Numbers *clip(Visit *v) {
  static const char *const limits[] = {"Max", "Min"};
  const Numbers *out = v->frame->opset >= 11 ? v->in[0]->known : NULL;
  for (size_t i = 1; out && i < v->node->n_input && i <= 2; i++) {
    const Numbers *pair[] = {out, v->in[i] ? v->in[i]->known : NULL};
    if (pair[1])
      out = pair[1]->shape.rank == 0 ? apply(v, find_function(limits[i - 1]), out->dtype, pair, 2)
                                     : NULL;
  }
  return out;
}

// ---- Shapes, and numbers computed from them

static const rsh_shape *shape_of(Visit *v, Item *item, rsh_shape *storage) {
  const char *why = NULL;
  rsh_dtype dtype;
  if (item->value) {
    bool is_open = item->value->shape.rank != RSH_RANK_UNKNOWN &&
                   (v->r->surveyor ? v->r->surveyor->open(v, item->value)
                                   : sizes_open(&v->r->data, item->value, v->span));
    share_symbols(v->r);
    return is_open ? &item->value->shape : NULL;
  }
  if (item->known)
    return &item->known->shape;
  if (item->positions)
    return &item->positions->shape;
  return item->tensor && onnx_tensor_type(item->tensor, v->r->arena, &dtype, storage, &why)
             ? storage
             : NULL;
}

static int64_t clamp_axis(int64_t at, int32_t rank) {
  at = at < 0 ? at + rank : at;
  return at < 0 ? 0 : at > rank ? rank : at;
}

static const Numbers *shape_vector(Visit *v) {
  rsh_shape storage;
  const rsh_shape *shape = shape_of(v, v->in[0], &storage);
  if (!shape)
    return NULL;
  int64_t start = clamp_axis(attribute_int(v, "start", 0), shape->rank);
  int64_t end = clamp_axis(attribute_int(v, "end", shape->rank), shape->rank);
  Numbers *out = numbers_vector(v->r, (int32_t)(end > start ? end - start : 0));
  for (int32_t i = 0; out && i < out->count; i++)
    out->item[i] = shape->dim[start + i];
  return out;
}

static const Numbers *element_count(Visit *v) {
  rsh_shape storage, scalar = {0};
  const rsh_shape *shape = shape_of(v, v->in[0], &storage);
  Numbers *out = shape ? numbers_new(v->r, RSH_I64, &scalar) : NULL;
  bool fits = out && rsh_volume(symbols_of(v), shape, &out->item[0]) == RSH_ok;
  return fits ? out : NULL;
}

// Converts a vector of known numbers to a shape.
static bool as_shape(const Numbers *vector, rsh_shape *shape) {
  if (vector->shape.rank != 1 || vector->count > RSH_MAX_RANK)
    return false;
  shape->rank = vector->count;
  for (int32_t i = 0; i < vector->count; i++) {
    shape->dim[i] = vector->item[i];
    if (!rsh_is_known(shape->dim[i]) || shape->dim[i].n < 0)
      return false;
  }
  return true;
}

static const Numbers *constant_of_shape(Visit *v) {
  const Onnx__AttributeProto *value = attribute_of(v, "value");
  const Numbers *element = value && value->t ? onnx_tensor_known(v->r, value->t) : NULL;
  rsh_shape shape;
  if (!as_shape(v->in[0]->known, &shape) || (value && (!element || element->count != 1)))
    return NULL;
  Numbers *out = numbers_new(v->r, element ? element->dtype : RSH_F32, &shape);
  for (int32_t i = 0; out && i < out->count; i++)
    out->item[i] = element ? element->item[0] : rsh_int(0);
  return out;
}

bool sizes_eye(Visit *v, rsh_dtype *dtype, rsh_shape *shape) {
  rsh_shape storage;
  const rsh_shape *found = shape_of(v, v->in[0], &storage);
  const Item *in = v->in[0];
  const Onnx__AttributeProto *given = attribute_of(v, "dtype");
  *dtype = given           ? onnx_dtype((int32_t)given->i)
           : in->value     ? in->value->dtype
           : in->known     ? in->known->dtype
           : in->tensor    ? onnx_dtype(in->tensor->data_type)
           : in->positions ? in->positions->dtype
                           : RSH_DTYPE_NONE;
  *shape = found ? *found : (rsh_shape){0};
  return found && found->rank == 2 &&
         (*dtype == RSH_BOOL || is_floating(*dtype) || (*dtype >= RSH_I8 && *dtype <= RSH_U64));
}

// Ones on a diagonal.
static const Numbers *eye_like(Visit *v) {
  rsh_dtype dtype;
  rsh_shape shape;
  if (!sizes_eye(v, &dtype, &shape) || !rsh_is_known(shape.dim[0]) || !rsh_is_known(shape.dim[1]))
    return NULL;
  Numbers *out = numbers_new(v->r, dtype, &shape);
  for (int32_t i = 0; out && i < out->count; i++) {
    int64_t row = i / shape.dim[1].n, column = i % shape.dim[1].n;
    out->item[i] = rsh_int(column - row == attribute_int(v, "k", 0));
  }
  return out;
}

static const Numbers *range(Visit *v) {
  int64_t n[3];
  if (v->node->n_input != 3 || has_gap(v))
    return NULL;
  for (int i = 0; i < 3; i++) {
    const Numbers *known = v->in[i]->known;
    if (known->count != 1 || !rsh_is_known(known->item[0]))
      return NULL;
    n[i] = known->item[0].n;
  }
  int64_t start = n[0], limit = n[1], step = n[2], span;
  if (step == 0 || step == INT64_MIN || __builtin_sub_overflow(limit, start, &span))
    return NULL;
  if (step < 0 && __builtin_sub_overflow(0, span, &span))
    return NULL;
  int64_t size = step < 0 ? -step : step, count = span <= 0 ? 0 : (span - 1) / size + 1;
  if (count > KNOWN_LIMIT)
    return NULL;
  Numbers *out = numbers_vector(v->r, (int32_t)count);
  if (!out)
    return NULL;
  out->dtype = v->in[0]->known->dtype;
  for (int32_t i = 0; i < out->count; i++) {
    out->item[i] = rsh_int(start + i * step);
    if (!sizes_fit(v, out->item[i], out->dtype))
      return NULL;
  }
  return out;
}

// Trilu. To a survey it is an operator that moves data.
static const Numbers *triangle(Visit *v) {
  const Numbers *in = v->in[0]->known, *k = input_known(v, 1);
  int32_t rank = in->shape.rank;
  if (v->r->surveyor || rank < 2 || (k && (k->count != 1 || !rsh_is_known(k->item[0]))))
    return NULL;
  bool is_upper = attribute_int(v, "upper", 1) != 0;
  int64_t from = k ? k->item[0].n : 0;
  Numbers *out = numbers_new(v->r, in->dtype, &in->shape);
  for (int32_t i = 0; out && i < out->count; i++) {
    int64_t rows = in->shape.dim[rank - 2].n, columns = in->shape.dim[rank - 1].n,
            diagonal = i % columns - i / columns % rows;
    bool is_kept = is_upper ? diagonal >= from : diagonal <= from;
    out->item[i] = is_kept ? in->item[i] : rsh_int(0);
  }
  return out;
}

// The positions of the elements other than 0, one column for each. Those of a scalar are ambiguous.
static const Numbers *nonzero(Visit *v) {
  const Numbers *in = v->in[0]->known;
  int32_t found = 0, at = 0;
  for (int32_t i = 0; i < in->count; i++) {
    if (!rsh_is_known(in->item[i]))
      return NULL;
    found += in->item[i].n != 0;
  }
  const rsh_shape shape = {.rank = 2, .dim = {rsh_int(in->shape.rank), rsh_int(found)}};
  Numbers *out = in->shape.rank > 0 ? numbers_new(v->r, RSH_I64, &shape) : NULL;
  for (int32_t i = 0; out && i < in->count; i++) {
    int64_t rest = i;
    for (int32_t k = in->shape.rank; in->item[i].n != 0 && k-- > 0; rest /= in->shape.dim[k].n)
      out->item[k * found + at] = rsh_int(rest % in->shape.dim[k].n);
    at += in->item[i].n != 0;
  }
  return out;
}

// Reductions such as ReduceProd, of a vector or of a whole tensor.
static const Numbers *reduce(Visit *v, const Arithmetic *f, int64_t first) {
  const Numbers *in = v->in[0]->known;
  const Onnx__AttributeProto *axes = attribute_of(v, "axes");
  size_t given = input_of(v, 1) ? (size_t)v->in[1]->known->count : axes ? axes->n_ints : 0;
  if (in->shape.rank > 1 && given > 0)
    return NULL;
  if (given == 0 && attribute_int(v, "noop_with_empty_axes", 0))
    return in;
  rsh_shape shape = {.rank = attribute_int(v, "keepdims", 1) ? in->shape.rank : 0};
  for (int32_t i = 0; i < shape.rank; i++)
    shape.dim[i] = rsh_int(1);
  Numbers *out = numbers_new(v->r, in->dtype, &shape);
  if (!out || (in->count == 0 && first < 0))
    return NULL;
  out->item[0] = in->count > 0 ? in->item[0] : rsh_int(first);
  for (int32_t i = 1; i < in->count; i++) {
    rsh_num pair[] = {out->item[0], in->item[i]};
    if (!counts(v, f, out->dtype, pair, 2, &out->item[0]))
      return NULL;
  }
  return out;
}

const Numbers *sizes_cast(Visit *v, const Numbers *in, rsh_dtype to) {
  bool is_number = to == RSH_BOOL || is_floating(to) || (to >= RSH_I8 && to <= RSH_U64);
  Numbers *out = is_number ? numbers_new(v->r, to, &in->shape) : NULL;
  for (int32_t i = 0; out && i < out->count; i++) {
    out->item[i] = in->item[i];
    if (to == RSH_BOOL && in->dtype != RSH_BOOL &&
        !sizes_compare(v, LESS | GREATER, in->item[i], rsh_int(0), &out->item[i]))
      return NULL;
    if (!sizes_fit(v, out->item[i], to))
      return NULL;
  }
  return out;
}

// ---- Operators that move

static bool moves_known(Visit *v, const Node *node, int k, const Numbers *const *operand,
                        Numbers *out) {
  rsh_moves *room = v->r->room;
  const rsh_moves **in = ARENA_ARRAY(v->r->arena, const rsh_moves *, node->call.in_count);
  for (int32_t i = 0; i < node->call.in_count; i++) {
    rsh_moves *one = ARENA_NEW(v->r->arena, rsh_moves);
    *one = (rsh_moves){
        ARENA_NEW(v->r->arena, rsh_move), ARENA_NEW(v->r->arena, rsh_axis), 0, 1, 0, 1, 0};
    if (rsh_moves_identity(one, i, rsh_int(operand[i]->count)) != RSH_ok)
      return false;
    in[i] = one;
  }
  if (rsh_fold(&node->call, k, &node->out[k]->shape, in, &room[0], &room[1]) != RSH_ok)
    return false;
  int64_t *element = ARENA_ARRAY(v->r->arena, int64_t, out->count);
  int32_t *source = ARENA_ARRAY(v->r->arena, int32_t, out->count);
  if (rsh_map_moves(&room[0], element, source) != RSH_ok)
    return false;
  int64_t *over = ARENA_ARRAY(v->r->arena, int64_t, out->count);
  for (int32_t i = 0; i < out->count; i++) {
    if (element[i] < 0) // a fill: padded shapes do not occur
      return false;
    const Numbers *from = operand[source[i]];
    out->item[i] = from->item[element[i]];
    over[i] = from->over ? from->over[element[i]] : 1;
    out->over = over[i] > 1 ? over : out->over;
  }
  return true;
}

enum { MOVES = 512 };

static void room_new(Arena *arena, rsh_moves *m) {
  *m = (rsh_moves){.capacity = MOVES, .axis_capacity = 4 * MOVES + RSH_MAX_AXES};
  m->move = ARENA_ARRAY(arena, rsh_move, m->capacity);
  m->axis = ARENA_ARRAY(arena, rsh_axis, m->axis_capacity);
}

// Shapes with several numbers are small; a value that needs more moves is data.
static bool move_known(Visit *v, rsh_op op, const Numbers **out) {
  Reader *r = v->r;
  bool is_many = rsh_op_max_operands(op) == INT32_MAX;
  int count = is_many ? (int)v->node->n_input : 1;
  if (count > MOVES || (is_many && has_gap(v)))
    return false;
  const Numbers **known = ARENA_ARRAY(r->arena, const Numbers *, count);
  Value **operand = ARENA_ARRAY(r->arena, Value *, count);
  for (int i = 0; i < count; i++) {
    known[i] = v->in[i]->known;
    operand[i] = value_new(&r->sizes, known[i]->dtype, &known[i]->shape, v->span);
    operand[i]->name = v->in[i]->name;
  }
  Binding *b = node_bind(v, &r->sizes, op, operand, count);
  Values values = b ? binding_apply(&r->sizes, b) : (Values){0};
  if (!r->room[0].move) {
    room_new(r->arena, &r->room[0]);
    room_new(r->arena, &r->room[1]);
  }
  bool any = false;
  for (int k = 0; k < values.count; k++) {
    const Value *value = values.item[k];
    if (value->node->is_undecided) // the call must check it: numbers expanded to [S, 1]
      return any;
    for (int32_t i = 0; i < value->shape.rank; i++)
      if (!rsh_is_known(value->shape.dim[i])) // even next to a 0
        return any;
    Numbers *made = numbers_new(r, value->dtype, &value->shape);
    if (made && moves_known(v, value->node, k, known, made)) {
      out[k] = made;
      any = true;
    }
  }
  return any;
}

// ---- Any node

static bool set_one(const Numbers **out, const Numbers *made) {
  out[0] = made;
  return made != NULL;
}

static bool all_known(const Visit *v) {
  for (size_t i = 0; i < v->node->n_input; i++)
    if (v->in[i] && !v->in[i]->known)
      return false;
  return input_of(v, 0) != NULL;
}

bool sizes_would_count(const Visit *v) {
  return (find_function(v->op) || strcmp(v->op, "Clip") == 0) && all_known(v);
}

bool sizes_visit(Visit *v, const Numbers **out) {
  static const struct {
    const char *op, *function;
    int64_t first; // of no elements; below 0: there is no result
  } reductions[] = {{"ReduceProd", "Mul", 1},
                    {"ReduceSum", "Add", 0},
                    {"ReduceMax", "Max", -1},
                    {"ReduceMin", "Min", -1}};
  if (v->node->n_input == 0 || !v->in[0])
    return false;
  if (strcmp(v->op, "Shape") == 0)
    return node_has_attributes(v) && set_one(out, shape_vector(v));
  if (strcmp(v->op, "Size") == 0)
    return set_one(out, element_count(v));
  if (strcmp(v->op, "EyeLike") == 0)
    return set_one(out, eye_like(v));
  if (!all_known(v))
    return false;
  if (strcmp(v->op, "ConstantOfShape") == 0)
    return set_one(out, constant_of_shape(v));
  if (strcmp(v->op, "Range") == 0)
    return set_one(out, range(v));
  if (strcmp(v->op, "NonZero") == 0)
    return set_one(out, nonzero(v));
  if (strcmp(v->op, "Trilu") == 0)
    return set_one(out, triangle(v));
  if (strcmp(v->op, "Clip") == 0)
    return node_has_attributes(v) && set_one(out, clip(v));
  if (strcmp(v->op, "Cast") == 0 && v->frame->opset >= 6)
    return set_one(out,
                   sizes_cast(v, v->in[0]->known, onnx_dtype((int32_t)attribute_int(v, "to", 0))));
  for (size_t i = 0; i < sizeof reductions / sizeof *reductions; i++)
    if (strcmp(v->op, reductions[i].op) == 0)
      return set_one(out, reduce(v, find_function(reductions[i].function), reductions[i].first));
  const Arithmetic *f = find_function(v->op);
  if (f)
    return set_one(out, elementwise(v, f));
  int op = onnx_operator(v->op);
  bool moves_elements = op >= 0 && op != RSH_OP_BITCAST && !gather_is_of_several_axes(v->op);
  return moves_elements && !rsh_is_elementwise((rsh_op)op) && move_known(v, (rsh_op)op, out);
}
