// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fractions of sizes. Exporters scale sizes in floating point, and round the result:
//
//   x: f32[N, 3, H, 5]   Cast(H) -> H   Mul 0.5 -> H/2   Floor -> H//2
//                        Cast(5) -> 5   Mul 1.5 -> 7.5   Floor -> 7
//
// Known fractions are computed in the type of the model, with its rounding. Of a size known only at run time, halves,
// quarters and so on are exact; another quotient is rounded correctly only if it becomes a whole number next.
#include "frontend/onnx/onnx_internal.h"
#include "frontend/text/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Limits of what is taken for a scale of an open size. Larger factors make data of it.
enum { MOST_ELEMENTS = RSH_MAX_RANK, MOST_FACTOR = 64, MOST_OVER = 4096 };

typedef struct Fraction {
  rsh_num n;
  int64_t over; // 1 or more; a power of two if n is known
} Fraction;

static bool is_halved(int64_t over) { return (over & (over - 1)) == 0; }

// False: the fraction is not exact, infinite, or -0.
static bool from_double(double value, rsh_dtype dtype, Fraction *out) {
  static const int64_t most = INT64_C(1) << 53, least_part = INT64_C(1) << 62;
  value = dtype == RSH_F32 ? (double)(float)value : value;
  *out = (Fraction){.over = 1};
  while (isfinite(value) && value != floor(value) && out->over < least_part) {
    value *= 2;
    out->over *= 2;
  }
  if (!isfinite(value) || value != floor(value) || fabs(value) > (double)most ||
      (value == 0 && signbit(value)))
    return false;
  out->n = rsh_int((int64_t)value);
  return true;
}

static void reduce(rsh_symbols *s, Fraction *f) {
  while (f->over % 2 == 0 && rsh_div(s, f->n, rsh_int(2), &f->n))
    f->over /= 2;
  if (rsh_div(s, f->n, rsh_int(f->over), &f->n))
    f->over = 1;
}

static bool is_within(const Fraction *f, int64_t least, int64_t most) {
  return rsh_is_known(f->n) && f->n.n >= least && f->n.n <= most;
}

static bool is_extreme(const char *op) { return strcmp(op, "Min") == 0 || strcmp(op, "Max") == 0; }

// The smaller or the larger of two fractions, over a divisor of both.
static bool choose(const Visit *v, Fraction a, Fraction b, Fraction *out) {
  rsh_symbols *s = symbols_of(v);
  rsh_num n[2];
  out->over = a.over > b.over ? a.over : b.over;
  return rsh_mul(s, a.n, rsh_int(out->over / a.over), &n[0]) &&
         rsh_mul(s, b.n, rsh_int(out->over / b.over), &n[1]) &&
         sizes_extreme(v, strcmp(v->op, "Min") == 0 ? -1 : 1, n, &out->n);
}

// Operators of two fractions, one of which is open. False: the result is not exact.
static bool combine(const Visit *v, Fraction a, Fraction b, Fraction *out) {
  rsh_symbols *s = symbols_of(v);
  const char *op = v->op;
  if (!is_halved(a.over) || !is_halved(b.over) || a.over > MOST_OVER || b.over > MOST_OVER)
    return false;
  if (is_extreme(op))
    return choose(v, a, b, out);
  if (strcmp(op, "Mul") == 0) {
    out->over = a.over * b.over;
    return (is_within(&a, 1, MOST_FACTOR) || is_within(&b, 1, MOST_FACTOR)) &&
           out->over <= MOST_OVER && rsh_mul(s, a.n, b.n, &out->n);
  }
  if (strcmp(op, "Div") == 0) {
    bool is_divisor = is_within(&b, 1, MOST_OVER);
    out->over = is_divisor ? a.over * b.n.n : 0;
    return is_divisor && out->over <= MOST_OVER && rsh_mul(s, a.n, rsh_int(b.over), &out->n);
  }
  bool is_short = is_within(rsh_is_known(a.n) ? &a : &b, -MOST_OVER, MOST_OVER);
  out->over = a.over > b.over ? a.over : b.over;
  return is_short && rsh_mul(s, a.n, rsh_int(out->over / a.over), &a.n) &&
         rsh_mul(s, b.n, rsh_int(out->over / b.over), &b.n) &&
         (strcmp(op, "Add") == 0 ? rsh_add : rsh_sub)(s, a.n, b.n, &out->n);
}

static double compute(const char *op, double a, double b) {
  if (is_extreme(op))
    return (a < b) == (strcmp(op, "Min") == 0) ? a : b;
  switch (*op) {
  case 'A':
    return a + b;
  case 'S':
    return a - b;
  case 'M':
    return a * b;
  default:
    return a / b;
  }
}

// Cast to integers truncates: -0.5 becomes 0, not -0.
static double compute_one(const char *op, double a) {
  static const struct {
    const char *op;
    double (*function)(double);
  } rows[] = {{"Ceil", ceil}, {"Floor", floor}, {"Round", rint}, {"Abs", fabs}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(rows[i].op, op) == 0)
      return rows[i].function(a);
  return strcmp(op, "Neg") == 0 ? -a : trunc(a) + 0.0;
}

// Operators of one fraction. The halves of a size that Round makes even are not computed.
static bool round_one(Visit *v, rsh_dtype dtype, const Fraction *a, Fraction *out) {
  rsh_symbols *s = symbols_of(v);
  bool rises = strcmp(v->op, "Ceil") == 0, is_negated = strcmp(v->op, "Neg") == 0;
  rsh_num n[2] = {a->n};
  *out = *a;
  if (rsh_is_known(a->n))
    return from_double(compute_one(v->op, (double)a->n.n / (double)a->over), dtype, out);
  if (!rsh_sub(s, rsh_int(0), a->n, &n[1]))
    return false;
  if (is_negated)
    out->n = n[1];
  if (strcmp(v->op, "Abs") == 0)
    return sizes_extreme(v, 1, n, &out->n);
  if (is_negated || a->over == 1)
    return true;
  if (strcmp(v->op, "Round") == 0)
    return false;
  out->over = 1;
  Rounding how = strcmp(v->op, "Cast") == 0 ? TRUNCATES : ROUNDS_DOWN;
  return sizes_rounded(v, how, n[rises], rsh_int(a->over), &out->n) &&
         (!rises || rsh_sub(s, rsh_int(0), out->n, &out->n));
}

static bool one(Visit *v, rsh_dtype dtype, bool is_binary, const Fraction *in, Fraction *out) {
  if (!is_binary)
    return round_one(v, dtype, in, out);
  if (rsh_is_known(in[0].n) && rsh_is_known(in[1].n))
    return from_double(compute(v->op, (double)in[0].n.n / (double)in[0].over,
                               (double)in[1].n.n / (double)in[1].over),
                       dtype, out);
  if (!combine(v, in[0], in[1], out))
    return false;
  reduce(symbols_of(v), out);
  return true;
}

static double element_at(const uint8_t *bytes, int32_t i, rsh_dtype dtype) {
  float single;
  double value;
  if (dtype == RSH_F64) {
    memcpy(&value, bytes + (size_t)i * sizeof value, sizeof value);
    return value;
  }
  memcpy(&single, bytes + (size_t)i * sizeof single, sizeof single);
  return (double)single;
}

// Elements of a constant that are not all integral. NULL: it is not a short constant, or they are not exact.
static const Numbers *constant_fraction(Visit *v, const Onnx__TensorProto *tensor) {
  Reader *r = v->r;
  const char *why = NULL;
  rsh_dtype dtype;
  rsh_shape shape;
  rsh_num volume;
  if (!tensor || !onnx_tensor_type(tensor, r->arena, &dtype, &shape, &why) ||
      (dtype != RSH_F32 && dtype != RSH_F64) || rsh_volume(NULL, &shape, &volume) != RSH_ok ||
      volume.n > MOST_ELEMENTS)
    return NULL;
  const uint8_t *bytes = onnx_tensor_bytes(r, tensor, &why);
  Numbers *made = bytes ? numbers_new(r, dtype, &shape) : NULL;
  int64_t *over = ARENA_ARRAY(r->arena, int64_t, MOST_ELEMENTS);
  for (int32_t i = 0; made && i < made->count; i++) {
    Fraction f;
    if (!from_double(element_at(bytes, i, dtype), dtype, &f))
      return NULL;
    made->item[i] = f.n;
    over[i] = f.over;
  }
  if (made)
    made->over = over;
  return made;
}

static const Numbers *operand(Visit *v, size_t input) {
  Item *in = v->in[input];
  if (in && !in->known && !in->fraction)
    in->fraction = constant_fraction(v, in->tensor);
  const Numbers *found = in ? onnx_numbers(in) : NULL;
  return found && (found->dtype == RSH_F32 || found->dtype == RSH_F64) ? found : NULL;
}

static const Numbers *apply(Visit *v, const Numbers *const *in, int count) {
  rsh_shape shape = in[0]->shape;
  if (count > 1 && (in[0]->dtype != in[1]->dtype || !onnx_broadcast_known(&shape, &in[1]->shape)))
    return NULL;
  Numbers *made = numbers_new(v->r, in[0]->dtype, &shape);
  if (!made || made->count > MOST_ELEMENTS)
    return NULL;
  int64_t *over = ARENA_ARRAY(v->r->arena, int64_t, MOST_ELEMENTS);
  bool is_whole = true;
  for (int32_t i = 0; i < made->count; i++) {
    Fraction from[2] = {{{0}, 0}}, to;
    for (int k = 0; k < count; k++) {
      int32_t at = onnx_broadcast_index(&in[k]->shape, &shape, i);
      from[k] = (Fraction){in[k]->item[at], in[k]->over ? in[k]->over[at] : 1};
    }
    if (!one(v, made->dtype, count > 1, from, &to) ||
        (!rsh_is_known(to.n) && !sizes_fit(v, to.n, made->dtype)))
      return NULL;
    made->item[i] = to.n;
    over[i] = to.over;
    is_whole = is_whole && to.over == 1;
  }
  made->over = is_whole ? NULL : over;
  return made;
}

// An operator that moves elements, of inputs that are not all integral.
static const Numbers *move(Visit *v) {
  bool is_move = has_word("Concat Gather Identity Reshape Slice Squeeze Unsqueeze", v->op),
       any = false;
  Visit numbers = *v;
  const Numbers *made = NULL;
  numbers.in = ARENA_ARRAY(v->r->arena, Item *, v->node->n_input);
  for (size_t i = 0; is_move && i < v->node->n_input; i++) {
    if (!v->in[i])
      continue;
    const Numbers *found = v->in[i]->known ? v->in[i]->known : operand(v, i);
    any = any || (found && found->over);
    numbers.in[i] = ARENA_NEW(v->r->arena, Item);
    *numbers.in[i] = *v->in[i];
    numbers.in[i]->known = found;
  }
  bool is_made = any && sizes_visit(&numbers, &made);
  return is_made && made->count <= MOST_ELEMENTS ? made : NULL; // longer ones are weights
}

// The smallest or the largest of any number of inputs.
static const Numbers *extreme(Visit *v) {
  const Numbers *in[2] = {v->node->n_input > 0 ? operand(v, 0) : NULL, NULL};
  for (size_t i = 1; i < v->node->n_input && in[0]; i++) {
    in[1] = operand(v, i);
    in[0] = in[1] ? apply(v, in, 2) : NULL;
  }
  return in[0];
}

const Numbers *fractions_visit(Visit *v) {
  const Numbers *in[2];
  if (is_extreme(v->op))
    return extreme(v);
  bool is_cast = strcmp(v->op, "Cast") == 0 && v->frame->opset >= 6;
  int count = is_cast || has_word("Floor Ceil Round Neg Abs", v->op) ? 1
              : has_word("Add Sub Mul Div", v->op)                   ? 2
                                                                     : 0;
  if (count == 0)
    return v->node->n_output == 1 ? move(v) : NULL;
  if (v->node->n_input != (size_t)count || attribute_of(v, "axis"))
    return NULL;
  for (int i = 0; i < count; i++)
    if (!(in[i] = operand(v, (size_t)i)))
      return NULL;
  if (!is_cast)
    return apply(v, in, count);
  rsh_dtype to = onnx_dtype((int32_t)attribute_int(v, "to", 0));
  if (to == in[0]->dtype)
    return in[0];
  const Numbers *whole = rsh_dtype_is_integer(to) ? apply(v, in, count) : NULL;
  return whole ? sizes_cast(v, whole, to) : NULL;
}
