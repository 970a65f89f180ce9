// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Masks of sizes known only at run time: comparisons of numbers that count up, which sizes decide.
//
//   Less(Range(0, S) as a column, Range(0, S))     true above the diagonal
//   And(Less(...), Greater(...))                   a band
//   Cast(Less(...)), 1 - Cast(Less(...))           0 and 1, and 1 and 0
//   Trilu(ConstantOfShape([S, S]))                 a triangle
//   EyeLike(x)                                     a diagonal
//   Less(Abs(Sub(...)), 4)                         a band
//
// onnx_where.c chooses by them.
#include "frontend/onnx/onnx_internal.h"

#include <string.h>

enum { MOST_COMPARISONS = 64 };

const Positions *masks_input(const Visit *v, size_t input) {
  const Item *item = input_of(v, input);
  return item && item->positions && positions_are_mask(item->positions) ? item->positions : NULL;
}

// Returns whether not all elements are equal.
static bool changes(const Positions *in) {
  for (int32_t i = 0; i < in->shape.rank; i++)
    if (!rsh_is(in->shape.dim[i], 1) && (in->ramp[0].stride[i] != 0 || in->ramp[0].inner[i] != 0))
      return true;
  return false;
}

bool positions_are_filled(const Positions *in, int64_t *n) {
  *n = in->compared ? in->of[0] : in->ramp[0].first.n;
  return in->compared ? positions_are_mask(in) && in->of[0] == in->of[1]
                      : in->count == 1 && rsh_is_known(in->ramp[0].first) && !changes(in);
}

Positions *masks_new(Visit *v, int orders, const Positions *of) {
  Positions *made = positions_new(v, RSH_BOOL, &of->shape);
  made->compared = orders;
  made->of[1] = 1;
  made->ramp[0] = of->ramp[0];
  memcpy(made->block, of->block, sizeof made->block);
  return made;
}

// ---- Operators that make masks

// The largest stride of a mask.
static int64_t largest_stride(const Positions *mask) {
  int64_t found = 0;
  for (int32_t i = 0; i < mask->shape.rank; i++) {
    int64_t stride = rsh_is(mask->shape.dim[i], 1) ? 0 : mask->ramp[0].stride[i];
    stride = stride < 0 ? -stride : stride;
    found = found > stride ? found : stride;
  }
  return found;
}

// Puts an axis in blocks of which each counts `by`, or 0. False: there are none.
static bool block_axis(Positions *mask, int32_t i, int64_t by) {
  Ramp *ramp = &mask->ramp[0];
  int64_t stride = rsh_is(mask->shape.dim[i], 1) ? 0 : ramp->stride[i],
          size = stride < 0 ? -stride : stride;
  if (size % by == 0)
    return true;
  if (mask->block[i] > 0 || by % size != 0)
    return false;
  mask->block[i] = by / size;
  ramp->stride[i] = stride < 0 ? -by : by;
  ramp->inner[i] = stride;
  return true;
}

// A comparison of multiples and a rest that does not matter, as one of the factors. NULL: it matters.
//   k < (q/4 + 1)*4     k/4 < q/4 + 1
//   2*r <= c            r <= c/2
static Positions *without_rest(Visit *v, const Positions *mask) {
  rsh_symbols *s = symbols_of(v);
  int64_t by = largest_stride(mask), low = 0, high = 0;
  bool is_exclusive =
      (mask->compared & (LESS | EQUAL)) == (LESS | EQUAL) || mask->compared == GREATER;
  Positions *made = ARENA_NEW(v->r->arena, Positions);
  Ramp *ramp = &made->ramp[0];
  *made = *mask;
  if (by < 2 || mask->compared == EQUAL || mask->compared == (LESS | GREATER))
    return NULL;
  for (int32_t i = 0; i < mask->shape.rank; i++) {
    if (!block_axis(made, i, by))
      return NULL;
    int64_t rest = made->block[i] > 0 ? ramp->inner[i] * (made->block[i] - 1) : 0;
    low += rest < 0 ? rest : 0;
    high += rest > 0 ? rest : 0;
    ramp->stride[i] /= by;
    ramp->inner[i] = 0;
    made->block[i] = ramp->stride[i] == 0 ? 0 : made->block[i];
  }
  if (is_exclusive) // less than, or at least, one more
    made->compared ^= EQUAL;
  return high - low < by && rsh_add(s, ramp->first, rsh_int(low - is_exclusive), &ramp->first) &&
                 rsh_div(s, ramp->first, rsh_int(by), &ramp->first)
             ? made
             : NULL;
}

// A comparison of two numbers, as one of their difference with 0. NULL: it is none.
static const Positions *numbers_compared(Visit *v, int orders, const Positions *a,
                                         const Positions *b) {
  const Positions *difference = positions_sum(v, a, b, -1);
  if (!difference || !changes(difference))
    return NULL;
  Positions *made = masks_new(v, orders, difference), *reduced = without_rest(v, made);
  return reduced ? reduced : made;
}

int masks_turned(int orders) {
  return (orders & EQUAL) | (orders & LESS ? GREATER : 0) | (orders & GREATER ? LESS : 0);
}

// A condition that combines two; they have the same shape.
static const Positions *both_or_any(Visit *v, int orders, const Positions *a, const Positions *b) {
  Positions *made = positions_new(v, RSH_BOOL, &a->shape);
  made->compared = orders;
  made->of[1] = 1;
  made->part[0] = a;
  made->part[1] = b;
  return made;
}

// A comparison of the absolute value of x. NULL: it is none.
//   |x| < n     x < n and x > -n
//   |x| > n     x > n or x < -n
//   |x| == 0    x == 0
static const Positions *absolute_compared(Visit *v, int orders, const Positions *x,
                                          const Positions *n) {
  const rsh_shape scalar = {0};
  int64_t number;
  if (orders == EQUAL && n && positions_are_filled(n, &number) && number == 0)
    return numbers_compared(v, EQUAL, x, n);
  if (orders == EQUAL) { // neither below nor above
    const Positions *low = absolute_compared(v, LESS | EQUAL, x, n),
                    *high = absolute_compared(v, EQUAL | GREATER, x, n);
    return low && high ? both_or_any(v, BOTH, low, high) : NULL;
  }
  const Positions *zero = n ? positions_new(v, n->dtype, &scalar) : NULL,
                  *above = numbers_compared(v, orders, x, n),
                  *below =
                      numbers_compared(v, masks_turned(orders), x, positions_sum(v, zero, n, -1));
  return above && below ? both_or_any(v, orders & LESS ? BOTH : ANY, above, below) : NULL;
}

static const Positions *absolute_of(const Visit *v, size_t input) {
  const Positions *in = v->in[input] ? v->in[input]->positions : NULL;
  return in && in->compared == ABSOLUTE ? in->part[0] : NULL;
}

static const Positions *comparison(Visit *v) {
  int orders = sizes_orders(v->op);
  for (size_t i = 0; i < 2; i++)
    if (absolute_of(v, i))
      return absolute_compared(v, i == 0 ? orders : masks_turned(orders), absolute_of(v, i),
                               positions_of(v, 1 - i));
  return numbers_compared(v, orders, positions_of(v, 0), positions_of(v, 1));
}

// Abs of numbers of which some may be negative.
static const Positions *absolute(Visit *v) {
  const rsh_shape scalar = {0};
  const Positions *in = positions_of(v, 0);
  if (!in || in->count != 1 || !changes(in))
    return NULL;
  const Positions *opposite = positions_sum(v, positions_new(v, in->dtype, &scalar), in, -1);
  if (!opposite || !positions_fit(v, opposite)) // -128 in 8 bits
    return NULL;
  Positions *made = positions_new(v, in->dtype, &in->shape);
  made->compared = ABSOLUTE;
  made->part[0] = in;
  return made;
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
  Positions *made = masks_new(v, mask->compared, mask);
  int32_t more = shape->rank - mask->shape.rank;
  made->shape = *shape;
  for (int32_t i = 0; i < shape->rank; i++) {
    bool is_one = i < more || rsh_is(mask->shape.dim[i - more], 1);
    made->block[i] = is_one ? 0 : mask->block[i - more];
    made->ramp[0].stride[i] = is_one ? 0 : mask->ramp[0].stride[i - more];
    made->ramp[0].inner[i] = is_one ? 0 : mask->ramp[0].inner[i - more];
  }
  for (int i = 0; i < 2 && mask->part[i]; i++)
    made->part[i] = wide_mask(v, mask->part[i], shape);
  return made;
}

// An element-wise operator, with the masks among its inputs.
typedef struct Combined {
  rsh_shape shape;
  size_t input[2]; // the masks, of `masks` inputs
  int masks;
  const Numbers **number; // of each input: the one that all its elements are; NULL for masks
} Combined;

const Numbers *numbers_scalar(Visit *v, rsh_dtype dtype, int64_t n) {
  const rsh_shape shape = {0};
  Numbers *made = numbers_new(v->r, dtype, &shape);
  if (made)
    made->item[0] = rsh_int(n);
  return made;
}

// False: there is an input of another kind.
static bool find_masks(Visit *v, Combined *c) {
  bool has_positions = false;
  *c = (Combined){.number = ARENA_ARRAY(v->r->arena, const Numbers *, v->node->n_input)};
  for (size_t i = 0; i < v->node->n_input; i++) {
    const Item *item = v->in[i];
    const Positions *in = item ? item->positions : NULL;
    const Numbers *known = item ? item->known : NULL;
    int64_t n;
    if (!in && (!known || known->count != 1))
      return false;
    c->number[i] = !in                            ? known
                   : positions_are_filled(in, &n) ? numbers_scalar(v, in->dtype, n)
                                                  : NULL;
    has_positions = has_positions || in;
    if ((!c->number[i] && (!positions_are_mask(in) || c->masks == 2)) ||
        !onnx_broadcast_known(&c->shape, in ? &in->shape : &known->shape))
      return false;
    if (!c->number[i])
      c->input[c->masks++] = i;
  }
  return has_positions;
}

// The result for values of the masks: bit 2*a + b of `which` is that for value a of the first, b of the second. False:
// it is not a number.
static bool result_for(Visit *v, const Combined *c, int which, rsh_dtype *dtype, int64_t *out) {
  size_t count = v->node->n_input;
  Visit one = *v;
  Item *item = ARENA_ARRAY(v->r->arena, Item, count);
  const Numbers *made = NULL;
  one.in = ARENA_ARRAY(v->r->arena, Item *, count);
  for (size_t i = 0; i < count; i++) {
    item[i] = (Item){.name = v->in[i]->name, .known = c->number[i]};
    one.in[i] = &item[i];
  }
  for (int k = 0; k < c->masks; k++) {
    const Positions *mask = v->in[c->input[k]]->positions;
    item[c->input[k]].known = numbers_scalar(v, mask->dtype, mask->of[which >> (1 - k) & 1]);
    if (!item[c->input[k]].known)
      return false;
  }
  bool counts = (sizes_would_count(&one) || strcmp(v->op, "Cast") == 0) &&
                sizes_visit(&one, &made) && made && made->count == 1 && rsh_is_known(made->item[0]);
  *dtype = counts ? made->dtype : RSH_DTYPE_NONE;
  *out = counts ? made->item[0].n : 0;
  return counts;
}

static bool is_same_mask(const Positions *a, const Positions *b) {
  bool is_same = a == b || (a->compared == b->compared && a->shape.rank == b->shape.rank &&
                            rsh_equal(a->ramp[0].first, b->ramp[0].first));
  for (int32_t i = 0; a != b && is_same && i < a->shape.rank; i++)
    is_same =
        rsh_equal(a->shape.dim[i], b->shape.dim[i]) && a->ramp[0].stride[i] == b->ramp[0].stride[i];
  for (int i = 0; a != b && is_same && i < 2; i++)
    is_same =
        a->part[i] && b->part[i] ? is_same_mask(a->part[i], b->part[i]) : a->part[i] == b->part[i];
  return is_same;
}

// The condition for a mask to have its second value, in the shape of the result.
static const Positions *condition_of(Visit *v, const Combined *c, int k) {
  return wide_mask(v, v->in[c->input[k]]->positions, &c->shape);
}

// The condition that bit 2*a + b of `which` says, for conditions a and b: not for neither, which bit 0 is.
static const Positions *function_of(Visit *v, int which, const Positions *a, const Positions *b) {
  enum { ONLY_B = 2, ONLY_A = 4, UNEQUAL = 6, BOTH_HOLD = 8, B = 10, A = 12 };
  const Positions *only_a, *only_b;
  switch (which) {
  case A:
    return a;
  case B:
    return b;
  case BOTH_HOLD:
    return both_or_any(v, BOTH, a, b);
  case ONLY_A:
    return both_or_any(v, BOTH, a, negated(v, b));
  case ONLY_B:
    return both_or_any(v, BOTH, negated(v, a), b);
  case UNEQUAL:
    only_a = both_or_any(v, BOTH, a, negated(v, b));
    only_b = both_or_any(v, BOTH, negated(v, a), b);
    return both_or_any(v, ANY, only_a, only_b);
  default:
    return both_or_any(v, ANY, a, b);
  }
}

// Element-wise operators of masks and of numbers that all elements are. The result may have two values.
static const Positions *elementwise(Visit *v) {
  Combined c;
  rsh_dtype dtype;
  int64_t of[4];
  if (!find_masks(v, &c))
    return NULL;
  const Positions *a = c.masks > 0 ? condition_of(v, &c, 0) : NULL,
                  *b = c.masks > 1 ? condition_of(v, &c, 1) : NULL;
  bool is_same = b && is_same_mask(a, b);
  int which = 0;
  if (b && (comparisons_of(a) + comparisons_of(b)) * 2 > MOST_COMPARISONS)
    return NULL;
  for (int i = 0; i < 4; i++) {
    int at = is_same ? i & 2 ? 3 : 0 : i; // equal masks do not differ
    if (!result_for(v, &c, at, &dtype, &of[i]))
      return NULL;
    which |= (of[i] != of[0]) << i;
  }
  int64_t other = of[which & 2 ? 1 : which & 4 ? 2 : 3];
  for (int i = 1; i < 4; i++)
    if (of[i] != of[0] && of[i] != other)
      return NULL;
  Positions *made = positions_new(v, dtype, &c.shape);
  if (which == 0)
    made->compared = LESS;
  else
    *made = *function_of(v, which, a, b);
  made->dtype = dtype;
  made->of[0] = of[0];
  made->of[1] = other;
  return made;
}

// ---- Joined masks

Positions *masks_placed(Visit *v, const Positions *mask, const rsh_shape *shape, int32_t axis,
                        rsh_num at) {
  rsh_symbols *s = symbols_of(v);
  Positions *made = ARENA_NEW(v->r->arena, Positions);
  Ramp *ramp = &made->ramp[0];
  rsh_num before;
  *made = *mask;
  made->shape = *shape;
  bool fits = (mask->block[axis] == 0 || rsh_is(at, 0)) &&
              rsh_mul(s, at, rsh_int(ramp->stride[axis]), &before) &&
              rsh_sub(s, ramp->first, before, &ramp->first);
  for (int i = 0; fits && i < 2 && mask->part[i]; i++) {
    made->part[i] = masks_placed(v, mask->part[i], shape, axis, at);
    fits = made->part[i] != NULL;
  }
  return fits ? made : NULL;
}

// Two joined conditions, of `first` before index `at`, and of `second` from there on.
static const Positions *joined(Visit *v, const Positions *first, const Positions *second,
                               int32_t axis) {
  rsh_symbols *s = symbols_of(v);
  rsh_num at = first->shape.dim[axis];
  rsh_shape shape = first->shape;
  int64_t n[2];
  bool fills[] = {positions_are_filled(first, &n[0]), positions_are_filled(second, &n[1])};
  if (!rsh_add(s, at, second->shape.dim[axis], &shape.dim[axis]) ||
      comparisons_of(first) + comparisons_of(second) + 2 > MOST_COMPARISONS)
    return NULL;
  Positions *before = positions_new(v, RSH_BOOL, &shape), *part[2];
  before->compared = LESS;
  before->of[1] = 1;
  before->ramp[0].stride[axis] = 1;
  part[0] = masks_placed(v, first, &shape, axis, rsh_int(0));
  part[1] = masks_placed(v, second, &shape, axis, at);
  if (!rsh_sub(s, rsh_int(0), at, &before->ramp[0].first) || !part[0] || !part[1])
    return NULL;
  const Positions *after = negated(v, before);
  if (fills[0] && fills[1] && n[0] == n[1])
    return part[0];
  if (fills[1])
    return n[1] ? both_or_any(v, ANY, after, part[0]) : both_or_any(v, BOTH, before, part[0]);
  if (fills[0])
    return n[0] ? both_or_any(v, ANY, before, part[1]) : both_or_any(v, BOTH, after, part[1]);
  return both_or_any(v, ANY, both_or_any(v, BOTH, before, part[0]),
                     both_or_any(v, BOTH, after, part[1]));
}

// An input as positions: of numbers, only if all are equal.
static const Positions *filled_or_mask(Visit *v, size_t input) {
  const Item *item = v->in[input];
  const Numbers *known = item ? item->known : NULL;
  if (!item || item->positions || !known || known->count == 0)
    return item ? item->positions : NULL;
  Positions *made = positions_new(v, known->dtype, &known->shape);
  made->ramp[0].first = known->item[0];
  for (int32_t i = 1; i < known->count; i++)
    if (!rsh_equal(known->item[i], known->item[0]))
      return NULL;
  return made;
}

// An input of Concat as a condition: whether an element is of[1]. NULL: it has other values than these.
static const Positions *part_of(Visit *v, size_t input, const int64_t *of) {
  const Positions *in = filled_or_mask(v, input);
  int64_t n;
  if (positions_are_filled(in, &n)) {
    Positions *made = positions_new(v, RSH_BOOL, &in->shape);
    made->compared = LESS;
    made->of[0] = made->of[1] = n == of[1];
    return n == of[0] || n == of[1] ? made : NULL;
  }
  Positions *made = ARENA_NEW(v->r->arena, Positions);
  *made = *in;
  made->of[0] = 0;
  made->of[1] = 1;
  return in->of[0] == of[0] && in->of[1] == of[1]   ? made
         : in->of[0] == of[1] && in->of[1] == of[0] ? negated(v, made)
                                                    : NULL;
}

// Finds the values of all inputs of Concat, which are masks, or filled with one of these. False: they are not, or all
// are filled: these are data.
static bool find_values(Visit *v, rsh_dtype *dtype, rsh_shape *shape, int64_t *of) {
  bool has_mask = false;
  for (size_t i = 0; i < v->node->n_input; i++) {
    const Positions *in = filled_or_mask(v, i);
    int64_t n;
    bool fills = in && positions_are_filled(in, &n);
    if (!in || (!fills && !positions_are_mask(in)) || (i > 0 && in->dtype != *dtype) ||
        (i > 0 && in->shape.rank != shape->rank))
      return false;
    *dtype = in->dtype;
    *shape = in->shape;
    if (!fills) {
      of[0] = in->of[0];
      of[1] = in->of[1];
      has_mask = true;
    }
  }
  return has_mask;
}

// Concat of masks, and of parts whose elements are all equal.
static const Positions *concat(Visit *v) {
  const Positions *made = NULL;
  rsh_dtype dtype = RSH_DTYPE_NONE;
  rsh_shape shape = {0};
  int64_t of[2];
  int32_t axis;
  if (!find_values(v, &dtype, &shape, of) ||
      !rsh_axis_index(attribute_int(v, "axis", 0), shape.rank, &axis))
    return NULL;
  for (size_t i = 0; i < v->node->n_input; i++) {
    const Positions *in = part_of(v, i, of);
    for (int32_t k = 0; in && made && k < shape.rank; k++)
      in = k == axis || rsh_equal(in->shape.dim[k], made->shape.dim[k]) ? in : NULL;
    made = !in ? NULL : made ? joined(v, made, in, axis) : in;
    if (!made)
      return NULL;
  }
  Positions *mask = ARENA_NEW(v->r->arena, Positions);
  *mask = *made;
  mask->dtype = dtype;
  memcpy(mask->of, of, sizeof of);
  return mask;
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
  const Numbers *k = input_known(v, 1);
  if (!in || in->count != 1 ||
      (input_of(v, 1) && (!k || k->count != 1 || !rsh_is_known(k->item[0]))))
    return NULL;
  Positions *inside = diagonals(v, attribute_int(v, "upper", 1) ? EQUAL | GREATER : LESS | EQUAL,
                                &in->shape, k ? k->item[0].n : 0);
  int64_t n;
  bool fills = positions_are_filled(in, &n), is_mask = positions_are_mask(in) && !fills &&
                                                       (in->of[0] == 0 || in->of[1] == 0) &&
                                                       comparisons_of(in) < MOST_COMPARISONS;
  if (!inside || (!fills && !is_mask))
    return NULL;
  Positions *made = inside;
  if (is_mask) {
    made = positions_new(v, in->dtype, &in->shape);
    made->compared = BOTH;
    made->part[0] = inside;
    made->part[1] = in->of[0] == 0 ? in : negated(v, in);
  }
  made->dtype = in->dtype;
  made->of[1] = fills ? n : in->of[in->of[0] == 0];
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
  const Numbers *table = input_known(v, 0);
  if (v->node->n_output != 1 || v->node->n_input == 0)
    return NULL;
  const Positions *compared =
      sizes_orders(v->op) && !masks_input(v, 0) && !masks_input(v, 1) ? comparison(v) : NULL;
  if (compared)
    return compared;
  if (op == RSH_OP_CONCAT)
    return concat(v);
  if (strcmp(v->op, "Abs") == 0)
    return absolute(v);
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
