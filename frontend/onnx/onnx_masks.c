// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Masks of sizes known only at run time: comparisons of numbers that count up, which sizes decide.
//
//   Less(Range(0, S) as a column, Range(0, S))     true above the diagonal
//   And(Less(...), Greater(...))                   a band
//   Cast(Less(...)), 1 - Cast(Less(...))           0 and 1, and 1 and 0
//   Trilu(ConstantOfShape([S, S]))                 a triangle
//   EyeLike(x)                                     a diagonal
//
// Where joins its operands at such boundaries. For other operators a mask becomes a tensor: Where of two constants.
#include "frontend/onnx/onnx_internal.h"

#include <string.h>

enum { MOST_COMPARISONS = 64 };

static rsh_symbols *symbols_of(const Visit *v) { return v->r->data.graph->symbols; }

static const Positions *mask_of(const Visit *v, size_t input) {
  const Item *item = input < v->node->n_input ? v->in[input] : NULL;
  return item && item->positions && item->positions->compared ? item->positions : NULL;
}

static Positions *mask_new(Visit *v, int orders, const Positions *of) {
  Positions *made = positions_new(v, RSH_BOOL, &of->shape);
  made->compared = orders;
  made->of[1] = 1;
  made->ramp[0] = of->ramp[0];
  return made;
}

// ---- Operators that make masks

// Returns whether not all elements are equal.
static bool changes(const Positions *in) {
  for (int32_t i = 0; i < in->shape.rank; i++)
    if (!rsh_is(in->shape.dim[i], 1) && in->ramp[0].stride[i] != 0)
      return true;
  return false;
}

// A comparison, as one of the difference with 0.
static const Positions *comparison(Visit *v) {
  const Positions *difference = positions_difference(v);
  return difference && changes(difference) ? mask_new(v, sizes_orders(v->op), difference) : NULL;
}

static int32_t comparisons_of(const Positions *mask) {
  return mask->part[0] ? comparisons_of(mask->part[0]) + comparisons_of(mask->part[1]) : 1;
}

static const Positions *negated(Visit *v, const Positions *mask) {
  Positions *made = ARENA_NEW(v->r->arena, Positions);
  *made = *mask;
  made->compared = (mask->part[0] ? BOTH | ANY : LESS | EQUAL | GREATER) & ~mask->compared;
  for (int i = 0; i < 2 && mask->part[i]; i++)
    made->part[i] = negated(v, mask->part[i]);
  return made;
}

// A mask with the shape that it broadcasts to.
static const Positions *wide_mask(Visit *v, const Positions *mask, const rsh_shape *shape) {
  Positions *made = mask_new(v, mask->compared, mask);
  int32_t more = shape->rank - mask->shape.rank;
  made->shape = *shape;
  for (int32_t i = 0; i < shape->rank; i++)
    made->ramp[0].stride[i] =
        i < more || rsh_is(mask->shape.dim[i - more], 1) ? 0 : mask->ramp[0].stride[i - more];
  for (int i = 0; i < 2 && mask->part[i]; i++)
    made->part[i] = wide_mask(v, mask->part[i], shape);
  return made;
}

// A mask of false and true, as a condition. NULL: all its elements are equal.
static const Positions *condition_of(Visit *v, const Positions *mask) {
  if (!mask || mask->dtype != RSH_BOOL || mask->of[0] == mask->of[1])
    return NULL;
  return mask->of[0] ? negated(v, mask) : mask;
}

static const Positions *both_or_any(Visit *v, int orders, const Positions *a, const Positions *b) {
  Positions *made = positions_new(v, RSH_BOOL, &a->shape);
  made->compared = orders;
  made->of[1] = 1;
  made->part[0] = a;
  made->part[1] = b;
  return made;
}

// And, Or, Xor: a and not b, or b and not a.
static const Positions *combination(Visit *v) {
  const Positions *a = condition_of(v, mask_of(v, 0)), *b = condition_of(v, mask_of(v, 1));
  rsh_shape shape = a ? a->shape : (rsh_shape){0};
  bool is_xor = strcmp(v->op, "Xor") == 0;
  if (!a || !b || (comparisons_of(a) + comparisons_of(b)) * (1 + is_xor) > MOST_COMPARISONS ||
      !onnx_broadcast_known(&shape, &b->shape))
    return NULL;
  a = wide_mask(v, a, &shape);
  b = wide_mask(v, b, &shape);
  if (!is_xor)
    return both_or_any(v, strcmp(v->op, "And") == 0 ? BOTH : ANY, a, b);
  return both_or_any(v, ANY, both_or_any(v, BOTH, a, negated(v, b)),
                     both_or_any(v, BOTH, negated(v, a), b));
}

// The result of an element-wise operator for one value of a mask; its other inputs are numbers. False: it is none.
static bool result_for(const Visit *v, size_t input, int which, rsh_dtype *dtype, int64_t *out) {
  const Positions *mask = mask_of(v, input);
  const rsh_shape scalar = {0};
  Visit one = *v;
  Item item = {.name = v->in[input]->name};
  Numbers *value = numbers_new(v->r, mask->dtype, &scalar);
  const Numbers *made = NULL;
  if (!value)
    return false;
  value->item[0] = rsh_int(mask->of[which]);
  item.known = value;
  one.in = ARENA_ARRAY(v->r->arena, Item *, v->node->n_input);
  memcpy(one.in, v->in, v->node->n_input * sizeof *one.in);
  one.in[input] = &item;
  bool counts = (sizes_would_count(&one) || strcmp(v->op, "Cast") == 0) &&
                sizes_visit(&one, &made) && made && made->count == 1 &&
                made->shape.rank <= mask->shape.rank && rsh_is_known(made->item[0]);
  *dtype = counts ? made->dtype : RSH_DTYPE_NONE;
  *out = counts ? made->item[0].n : 0;
  return counts;
}

static const Positions *elementwise(Visit *v) {
  size_t input = 0;
  while (input < v->node->n_input && !mask_of(v, input))
    input++;
  if (input == v->node->n_input || v->node->n_output != 1)
    return NULL;
  Positions *made = ARENA_NEW(v->r->arena, Positions);
  *made = *mask_of(v, input);
  return result_for(v, input, 0, &made->dtype, &made->of[0]) &&
                 result_for(v, input, 1, &made->dtype, &made->of[1])
             ? made
             : NULL;
}

enum { MOST_DIAGONAL = 1 << 24 };

// A comparison of the diagonals of the last two axes with diagonal k. NULL: there is no such diagonal.
static Positions *diagonals(Visit *v, int orders, const rsh_shape *shape, int64_t k) {
  Positions *made = positions_new(v, RSH_BOOL, shape);
  if (shape->rank < 2 || k > MOST_DIAGONAL || k < -MOST_DIAGONAL)
    return NULL;
  for (int32_t i = 0; i < shape->rank; i++)
    if (rsh_is_unknown(shape->dim[i]))
      return NULL;
  made->compared = orders;
  made->of[1] = 1;
  made->ramp[0].first = rsh_int(-k);
  made->ramp[0].stride[shape->rank - 2] = -1;
  made->ramp[0].stride[shape->rank - 1] = 1;
  return made;
}

static const Positions *eye(Visit *v) {
  rsh_dtype dtype;
  rsh_shape shape;
  Positions *made =
      sizes_eye(v, &dtype, &shape) ? diagonals(v, EQUAL, &shape, attribute_int(v, "k", 0)) : NULL;
  if (made)
    made->dtype = dtype;
  return made;
}

// Trilu of a tensor whose elements are all equal, or of a mask of 0 and another number.
static const Positions *triangle(Visit *v) {
  const Positions *in = v->in[0] ? v->in[0]->positions : NULL;
  const Numbers *k = v->node->n_input > 1 && v->in[1] ? v->in[1]->known : NULL;
  bool has_k = v->node->n_input > 1 && v->in[1];
  if (!in || in->count != 1 || (has_k && (!k || k->count != 1 || !rsh_is_known(k->item[0]))))
    return NULL;
  Positions *inside = diagonals(v, attribute_int(v, "upper", 1) ? EQUAL | GREATER : LESS | EQUAL,
                                &in->shape, k ? k->item[0].n : 0);
  bool is_filled = !in->compared && !changes(in) && rsh_is_known(in->ramp[0].first),
       is_mask = in->compared && (in->of[0] == 0 || in->of[1] == 0) &&
                 comparisons_of(in) < MOST_COMPARISONS;
  if (!inside || (!is_filled && !is_mask))
    return NULL;
  Positions *made = inside;
  if (is_mask) {
    made = positions_new(v, in->dtype, &in->shape);
    made->compared = BOTH;
    made->part[0] = inside;
    made->part[1] = in->of[0] == 0 ? in : negated(v, in);
  }
  made->dtype = in->dtype;
  made->of[1] = is_filled ? in->ramp[0].first.n : in->of[in->of[0] == 0];
  return made;
}

// A table of numbers that is a triangle: a up to a diagonal, and b above it. NULL: it is none.
static const Positions *triangle_of_numbers(Visit *v, const Numbers *known) {
  int32_t rank = known->shape.rank;
  if (rank < 2 || known->count == 0)
    return NULL;
  int64_t rows = known->shape.dim[rank - 2].n, columns = known->shape.dim[rank - 1].n, k = 0;
  while (k < columns && rsh_equal(known->item[k], known->item[0]))
    k++;
  if (k == columns || rows == 1) // a vector counts up
    return NULL;
  const rsh_num up_to = known->item[0], above = known->item[k];
  bool is_triangle = rsh_is_known(up_to) && rsh_is_known(above);
  for (int32_t i = 0; is_triangle && i < known->count; i++)
    is_triangle = rsh_equal(known->item[i], i % columns - i / columns % rows < k ? up_to : above);
  Positions *made = is_triangle ? diagonals(v, LESS, &known->shape, k) : NULL;
  if (!made)
    return NULL;
  made->dtype = known->dtype;
  made->of[0] = above.n;
  made->of[1] = up_to.n;
  return made;
}

const Positions *masks_visit(Visit *v) {
  int op = onnx_operator(v->op);
  const Numbers *table = v->node->n_input > 0 && v->in[0] ? v->in[0]->known : NULL;
  if (v->node->n_output != 1 || v->node->n_input == 0)
    return NULL;
  if (sizes_orders(v->op) && !mask_of(v, 0) && !mask_of(v, 1))
    return comparison(v);
  bool combines =
      strcmp(v->op, "And") == 0 || strcmp(v->op, "Or") == 0 || strcmp(v->op, "Xor") == 0;
  if (combines && mask_of(v, 0) && mask_of(v, 1))
    return combination(v);
  if (strcmp(v->op, "EyeLike") == 0 && v->in[0])
    return eye(v);
  if (strcmp(v->op, "Trilu") == 0)
    return triangle(v);
  if (table && op == RSH_OP_SLICE) {
    const Positions *triangular = triangle_of_numbers(v, table);
    return triangular ? positions_moved(v, RSH_OP_SLICE, triangular) : NULL;
  }
  return elementwise(v);
}

// ---- Where

bool masks_are_read(const Visit *v) {
  const Positions *mask = strcmp(v->op, "Where") == 0 ? mask_of(v, 0) : NULL;
  return mask && mask->dtype == RSH_BOOL;
}

// Which elements of a comparison are true: those whose index along `column`, less that along `row`, is at least `from`,
// or all others.
typedef struct Boundary {
  int32_t column, row; // row below 0: there is none
  rsh_num from;
  bool is_true_above;
} Boundary;

// False: it has another form.
static bool find_boundary(const Visit *v, const Positions *in, Boundary *out) {
  rsh_symbols *s = symbols_of(v);
  const Ramp *ramp = &in->ramp[0];
  int orders = in->compared;
  *out = (Boundary){.column = -1, .row = -1};
  for (int32_t i = 0; i < in->shape.rank; i++) {
    if (rsh_is(in->shape.dim[i], 1) || ramp->stride[i] == 0)
      continue;
    if (out->row >= 0)
      return false;
    out->row = out->column;
    out->column = i;
  }
  int64_t stride = out->column < 0 ? 0 : ramp->stride[out->column];
  bool is_line =
      (stride == 1 || stride == -1) && (out->row < 0 || ramp->stride[out->row] == -stride);
  if (stride < 0) // of the negated difference
    orders = (orders & EQUAL) | (orders & LESS ? GREATER : 0) | (orders & GREATER ? LESS : 0);
  out->is_true_above = (orders & GREATER) != 0;
  bool is_past_0 = ((orders & EQUAL) != 0) != out->is_true_above; // the first one above is 1, not 0
  return is_line && (stride > 0 ? rsh_sub(s, rsh_int(is_past_0), ramp->first, &out->from)
                                : rsh_add(s, rsh_int(is_past_0), ramp->first, &out->from));
}

// Joins x and y at the boundary of a comparison.
static Value *join_at(Visit *v, const Positions *mask, const rsh_shape *shape, Value *x, Value *y) {
  int32_t lead = shape->rank - mask->shape.rank, last = shape->rank - 1;
  Boundary line;
  if (!find_boundary(v, mask, &line) ||
      (line.row >= 0 && (line.row + lead != last - 1 || line.column + lead != last))) {
    onnx_error(v, "unsupported",
               "a mask is computed from sizes known only at run time: it must compare numbers that "
               "count up by 1 along an axis, or along both of the last two");
    return NULL;
  }
  Value *above = line.is_true_above ? x : y, *below = line.is_true_above ? y : x;
  if (line.row >= 0)
    return diagonals_join(v, above, below, line.from);
  int32_t axis = line.column + lead;
  rsh_num low[2] = {rsh_int(0), line.from}, high[2] = {shape->dim[axis]};
  if (!sizes_extreme(v, 1, low, &high[1]) || !sizes_extreme(v, -1, high, &line.from)) {
    onnx_error(v, "limit", "'%s' of too many sizes known only at run time", v->op);
    return NULL;
  }
  return step_join(v, step_slice(v, below, rsh_int(0), line.from, axis),
                   step_slice(v, above, line.from, shape->dim[axis], axis), axis);
}

// `at` where the compared number is 0, `off` elsewhere.
static Value *join_on(Visit *v, const Positions *mask, const rsh_shape *shape, Value *at,
                      Value *off) {
  Positions part = *mask;
  part.compared = LESS;
  at = join_at(v, &part, shape, off, at);
  part.compared = GREATER;
  return at ? join_at(v, &part, shape, off, at) : NULL;
}

// x where a condition holds, y elsewhere.
static Value *choose(Visit *v, const Positions *mask, const rsh_shape *shape, Value *x, Value *y) {
  Value *inner;
  switch (mask->compared) {
  case BOTH:
    inner = choose(v, mask->part[1], shape, x, y);
    return inner ? choose(v, mask->part[0], shape, inner, y) : NULL;
  case ANY:
    inner = choose(v, mask->part[1], shape, x, y);
    return inner ? choose(v, mask->part[0], shape, x, inner) : NULL;
  case EQUAL:
    return join_on(v, mask, shape, x, y);
  case LESS | GREATER:
    return join_on(v, mask, shape, y, x);
  default:
    return join_at(v, mask, shape, x, y);
  }
}

Value *masks_choose(Visit *v, const Positions *mask, const rsh_shape *shape, Value *x, Value *y) {
  Value *if_true = mask->of[1] ? x : y, *if_false = mask->of[0] ? x : y;
  if (!x || !y)
    return NULL;
  if (if_true == if_false)
    return step_same(v, if_true);
  return choose(v, mask, shape, if_true, if_false);
}

// ---- Masks as tensors

static Value *filled(Visit *v, const Item *item, int64_t n) {
  const rsh_shape scalar = {0};
  Numbers *number = numbers_new(v->r, item->positions->dtype, &scalar);
  const uint8_t *bytes = NULL;
  if (number) {
    number->item[0] = rsh_int(n);
    bytes = onnx_numbers_bytes(v->r->arena, number);
  }
  return bytes ? step_expand(v, constant_new(v->r, item, number->dtype, &scalar, bytes),
                             &item->positions->shape)
               : NULL;
}

bool masks_value(Visit *v, Item *item) {
  const Positions *mask = item->positions;
  if (!mask || !mask->compared || item->value || item->known || item->tensor || item->is_poisoned)
    return !item->is_poisoned;
  Value *high = filled(v, item, mask->of[1]), *low = filled(v, item, mask->of[0]);
  int nodes = v->r->data.graph->node.count;
  if (high && low)
    item->value = step_result(
        v, mask->of[0] == mask->of[1] ? high : choose(v, mask, &mask->shape, high, low), nodes);
  if (item->value)
    item->value->name = item->name;
  item->is_poisoned = !item->value;
  return !item->is_poisoned;
}

// ---- Masks and tensors

static bool is_data(const Visit *v, size_t input) {
  const Item *item = v->in[input];
  return item && !item->tensor && !onnx_numbers(item);
}

static bool is_integer(rsh_dtype dtype) {
  return dtype == RSH_BOOL || (dtype >= RSH_I8 && dtype <= RSH_U64);
}

// A comparison of elements with one number: of floats, which may be NaN, only for equality.
static bool is_comparison(const Visit *v) {
  int orders = sizes_orders(v->op);
  for (size_t i = 0; orders && v->node->n_input == 2 && i < 2; i++) {
    const Numbers *known = v->in[i] ? v->in[i]->known : NULL;
    const Value *x = v->in[1 - i] ? v->in[1 - i]->value : NULL;
    if (!x || !known || known->count != 1 || !rsh_is_known(known->item[0]) ||
        known->dtype != x->dtype || x->shape.rank == RSH_RANK_UNKNOWN)
      continue;
    return is_integer(x->dtype) ||
           (orders == EQUAL && (x->dtype == RSH_F32 || x->dtype == RSH_F64));
  }
  return false;
}

// Whether elements differ from n: as bits, or by their difference, which is not 0 for unequal floats.
static Value *differs(Visit *v, Value *x, rsh_num n) {
  bool has_bits = x && is_integer(x->dtype);
  if (!rsh_is(n, 0))
    x = step_with(v, x, has_bits ? RSH_OP_BITWISE_XOR : RSH_OP_SUB, n);
  return step_cast(v, x, RSH_BOOL);
}

// x < n: min(x, n) differs from n. x > n: max(x, n) does.
static Value *compare(Visit *v) {
  bool is_swapped = v->in[0]->known;
  const Numbers *known = v->in[!is_swapped]->known;
  Value *x = step_operand(v, is_swapped);
  rsh_shape shape = known->shape;
  int orders = sizes_orders(v->op);
  bool is_negated = (orders & EQUAL) != 0, is_less = ((orders & LESS) != 0) != is_negated;
  if (!x || !step_broadcast(v, &shape, &x->shape))
    return NULL;
  x = step_expand(v, x, &shape);
  if (orders != EQUAL)
    x = step_with(v, x, is_less != is_swapped ? RSH_OP_MIN : RSH_OP_MAX, known->item[0]);
  x = differs(v, x, known->item[0]);
  return is_negated ? step_not(v, x) : x;
}

bool masks_are_applied(const Visit *v) {
  int op = onnx_operator(v->op);
  bool is_applied = v->node->n_input == 2 && op >= 0 && rsh_is_elementwise((rsh_op)op) &&
                    is_data(v, 0) && is_data(v, 1) && (mask_of(v, 0) || mask_of(v, 1));
  return is_applied || is_comparison(v);
}

// The operator of a tensor and one value of a mask, which is a constant.
static Value *apply_value(Visit *v, size_t input, int which) {
  const Positions *mask = mask_of(v, input);
  const rsh_shape scalar = {0};
  Visit one = *v;
  Item constant = {.name = v->in[input]->name};
  Numbers *value = numbers_new(v->r, mask->dtype, &scalar);
  Item *in[2] = {v->in[0], v->in[1]};
  int op = onnx_operator(v->op);
  if (!value)
    return NULL;
  value->item[0] = rsh_int(mask->of[which]);
  constant.known = value;
  one.in = in;
  one.in[input] = &constant;
  Value *x = node_arrange_constant(&one, &op) ? step_operand(&one, 0) : NULL;
  Binding *b = x ? node_bind(&one, &v->r->data, (rsh_op)op, &x, 1) : NULL;
  Values values = b ? binding_apply(&v->r->data, b) : (Values){0};
  return values.count == 1 ? values.item[0] : NULL;
}

Value *masks_apply(Visit *v) {
  if (is_comparison(v))
    return compare(v);
  size_t input = mask_of(v, 1) ? 1 : 0;
  const Positions *mask = mask_of(v, input);
  rsh_shape shape = mask->shape;
  Value *high = masks_value(v, v->in[1 - input]) ? apply_value(v, input, 1) : NULL,
        *low = high ? apply_value(v, input, 0) : NULL;
  if (!low || !step_broadcast(v, &shape, &high->shape))
    return NULL;
  Positions condition = *mask;
  condition.of[0] = 0;
  condition.of[1] = 1;
  return masks_choose(v, &condition, &shape, step_expand(v, high, &shape),
                      step_expand(v, low, &shape));
}
