// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What masks (onnx_masks.c) choose. Where joins its operands at the boundaries of a mask. For other operators a mask
// becomes a tensor: Where of two constants.
#include "frontend/onnx/onnx_internal.h"

#include <string.h>

bool masks_are_read(const Visit *v) {
  const Positions *mask = strcmp(v->op, "Where") == 0 ? masks_input(v, 0) : NULL;
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
  if (positions_have_blocks(in))
    return false;
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
    orders = masks_turned(orders);
  out->is_true_above = (orders & GREATER) != 0;
  bool is_past_0 = ((orders & EQUAL) != 0) != out->is_true_above; // the first one above is 1, not 0
  return is_line && (stride > 0 ? rsh_sub(s, rsh_int(is_past_0), ramp->first, &out->from)
                                : rsh_add(s, rsh_int(is_past_0), ramp->first, &out->from));
}

// Limits the first index above a boundary to those of an axis. False: an error was reported.
static bool limit_boundary(Visit *v, rsh_num size, rsh_num *from) {
  rsh_num low[2] = {rsh_int(0), *from}, high[2] = {size};
  return (sizes_extreme(v, 1, low, &high[1]) && sizes_extreme(v, -1, high, from)) ||
         onnx_error(v, "limit", "'%s' of too many sizes known only at run time", v->op);
}

static Value *join_at(Visit *v, const Positions *mask, const rsh_shape *shape, Value *x, Value *y);

static Value *no_form(Visit *v) {
  onnx_error(v, "unsupported",
             "a mask is computed from sizes known only at run time: it must compare numbers that "
             "count up by 1, or blocks of these, along an axis or along two");
  return NULL;
}

// Joins along diagonals of other axes than the last two, which are moved there.
static Value *join_turned(Visit *v, const Positions *mask, const rsh_shape *shape, Value *x,
                          Value *y, int32_t row, int32_t column) {
  int32_t rank = shape->rank, lead = rank - mask->shape.rank, count = 0;
  rsh_num perm[RSH_MAX_RANK], back[RSH_MAX_RANK];
  rsh_shape turned = *shape;
  Positions *made = masks_new(v, mask->compared, mask);
  for (int32_t i = 0; i < rank; i++)
    if (i != row && i != column)
      perm[count++] = rsh_int(i);
  perm[rank - 2] = rsh_int(row);
  perm[rank - 1] = rsh_int(column);
  made->shape.rank = 2;
  for (int32_t i = 0; i < rank; i++) {
    back[perm[i].n] = rsh_int(i);
    turned.dim[i] = shape->dim[perm[i].n];
  }
  for (int32_t i = 0; i < 2; i++) {
    made->shape.dim[i] = mask->shape.dim[(i ? column : row) - lead];
    made->ramp[0].stride[i] = mask->ramp[0].stride[(i ? column : row) - lead];
  }
  x = step_transpose(v, x, perm, rank);
  y = step_transpose(v, y, perm, rank);
  return step_transpose(v, join_at(v, made, &turned, x, y), back, rank);
}

// Splits an axis of a tensor that is padded to whole blocks.
static Value *split_blocks(Visit *v, Value *x, int32_t axis, rsh_num more, const rsh_shape *to) {
  return step_shape(v, step_pad(v, x, axis, rsh_int(0), more, NULL), to);
}

// Joins at a comparison of blocks: an axis of these becomes two, of blocks and of places in them.
//   Range(0, S) / 4 as a column, equal to it as a row    blocks on the diagonal
static Value *join_in_blocks(Visit *v, const Positions *mask, const rsh_shape *shape, Value *x,
                             Value *y) {
  rsh_symbols *s = symbols_of(v);
  int32_t at = 0, lead = shape->rank - mask->shape.rank, axis;
  Positions *made = masks_new(v, mask->compared, mask);
  rsh_shape split = *shape, padded = *shape;
  rsh_num whole, blocks, up, more;
  while (mask->block[at] == 0)
    at++;
  axis = at + lead;
  const rsh_num block = rsh_int(mask->block[at]);
  if (shape->rank == RSH_MAX_RANK || !rsh_add(s, shape->dim[axis], rsh_int(block.n - 1), &up) ||
      !sizes_quotient(v, up, block, &blocks) || !rsh_mul(s, blocks, block, &whole) ||
      !rsh_sub(s, whole, shape->dim[axis], &more))
    return no_form(v);
  padded.dim[axis] = whole;
  split.rank++;
  made->shape.rank++;
  for (int32_t i = split.rank - 1; i > axis; i--)
    split.dim[i] = shape->dim[i - 1];
  for (int32_t i = made->shape.rank - 1; i > at; i--) {
    made->shape.dim[i] = mask->shape.dim[i - 1];
    made->block[i] = mask->block[i - 1];
    made->ramp[0].stride[i] = mask->ramp[0].stride[i - 1];
    made->ramp[0].inner[i] = mask->ramp[0].inner[i - 1];
  }
  split.dim[axis] = made->shape.dim[at] = blocks;
  split.dim[axis + 1] = made->shape.dim[at + 1] = block;
  made->block[at] = made->block[at + 1] = 0;
  made->ramp[0].stride[at + 1] = mask->ramp[0].inner[at];
  Value *joined = join_at(v, made, &split, split_blocks(v, x, axis, more, &split),
                          split_blocks(v, y, axis, more, &split));
  return joined ? step_slice(v, step_shape(v, joined, &padded), rsh_int(0), shape->dim[axis], axis)
                : NULL;
}

// Joins x and y at the boundary of a comparison.
static Value *join_at(Visit *v, const Positions *mask, const rsh_shape *shape, Value *x, Value *y) {
  int32_t lead = shape->rank - mask->shape.rank, last = shape->rank - 1;
  Boundary line;
  if (!x || !y)
    return NULL;
  if (positions_have_blocks(mask))
    return join_in_blocks(v, mask, shape, x, y);
  if (!find_boundary(v, mask, &line))
    return no_form(v);
  Value *above = line.is_true_above ? x : y, *below = line.is_true_above ? y : x;
  int32_t axis = line.column + lead, row = line.row + lead;
  if (line.row >= 0)
    return row == last - 1 ? diagonals_join(v, above, below, line.from)
                           : join_turned(v, mask, shape, x, y, row, axis);
  if (!limit_boundary(v, shape->dim[axis], &line.from))
    return NULL;
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

static Value *choose(Visit *v, const Positions *mask, const rsh_shape *shape, Value *x, Value *y);

// Whether a comparison has one boundary, along an axis.
static bool is_of_axis(const Visit *v, const Positions *mask, Boundary *line) {
  bool is_ordered =
      mask->compared < BOTH && mask->compared != EQUAL && mask->compared != (LESS | GREATER);
  return is_ordered && find_boundary(v, mask, line) && line->row < 0;
}

// The choice by two conditions, the first of which has a boundary: on one of its sides, the second decides.
//   both: x where both hold; else where any does
static Value *choose_beside(Visit *v, const Positions *first, const Positions *second, bool both,
                            const rsh_shape *shape, Value *x, Value *y) {
  rsh_symbols *s = symbols_of(v);
  Boundary line;
  rsh_shape part = *shape, own = second->shape;
  if (!is_of_axis(v, first, &line))
    return NULL;
  int32_t axis = line.column + shape->rank - first->shape.rank,
          at = axis - (shape->rank - own.rank);
  bool is_above = line.is_true_above == both;
  rsh_num whole = shape->dim[axis], start = rsh_int(0), before;
  if (!limit_boundary(v, whole, &line.from))
    return NULL;
  rsh_num end = is_above ? whole : line.from;
  start = is_above ? line.from : start;
  if (!rsh_sub(s, end, start, &part.dim[axis]) || !rsh_sub(s, rsh_int(0), start, &before))
    return NULL;
  if (at >= 0 && !rsh_is(own.dim[at], 1)) {
    own.dim[at] = part.dim[axis];
    second = masks_placed(v, second, &own, at, before);
  }
  Value *inner = second ? choose(v, second, &part, step_slice(v, x, start, end, axis),
                                 step_slice(v, y, start, end, axis))
                        : NULL,
        *outer = both ? y : x;
  outer = step_slice(v, outer, is_above ? rsh_int(0) : end, is_above ? start : whole, axis);
  return inner ? step_join(v, is_above ? outer : inner, is_above ? inner : outer, axis) : NULL;
}

// The choice by BOTH or ANY.
static Value *choose_by_two(Visit *v, const Positions *mask, const rsh_shape *shape, Value *x,
                            Value *y) {
  bool both = mask->compared == BOTH;
  Boundary line;
  for (int i = 0; i < 2; i++)
    if (is_of_axis(v, mask->part[i], &line) && !positions_have_blocks(mask->part[1 - i]))
      return choose_beside(v, mask->part[i], mask->part[1 - i], both, shape, x, y);
  Value *inner = choose(v, mask->part[1], shape, x, y);
  return inner ? choose(v, mask->part[0], shape, both ? inner : x, both ? y : inner) : NULL;
}

// x where a condition holds, y elsewhere.
static Value *choose(Visit *v, const Positions *mask, const rsh_shape *shape, Value *x, Value *y) {
  switch (mask->compared) {
  case BOTH:
  case ANY:
    return choose_by_two(v, mask, shape, x, y);
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
  const Numbers *number = numbers_scalar(v, item->positions->dtype, n);
  const uint8_t *bytes = number ? onnx_numbers_bytes(v->r->arena, number) : NULL;
  return bytes ? step_expand(v, constant_new(v->r, item, number->dtype, &number->shape, bytes),
                             &item->positions->shape)
               : NULL;
}

bool masks_value(Visit *v, Item *item) {
  const Positions *mask = item->positions;
  if (!mask || !positions_are_mask(mask) || item->value || item->known || item->tensor ||
      item->is_poisoned)
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

// An input that is a mask, or whose elements are all equal. NULL: it is another one.
static const Positions *values_of(const Visit *v, size_t input) {
  const Positions *in = v->in[input] ? v->in[input]->positions : NULL;
  int64_t n;
  bool fills = in && positions_are_filled(in, &n);
  if (!in || (!fills && !positions_are_mask(in)))
    return NULL;
  Positions *made = ARENA_NEW(v->r->arena, Positions);
  *made = *in;
  if (fills)
    made->of[0] = made->of[1] = n;
  return made;
}

bool masks_are_applied(const Visit *v) {
  int op = onnx_operator(v->op);
  bool is_applied = v->node->n_input == 2 && op >= 0 && rsh_is_elementwise((rsh_op)op) &&
                    is_data(v, 0) && is_data(v, 1) && (values_of(v, 0) || values_of(v, 1));
  return is_applied || is_comparison(v);
}

// The operator of a tensor and one value of a mask, which is a constant.
static Value *apply_value(Visit *v, size_t input, int which) {
  const Positions *mask = values_of(v, input);
  Visit one = *v;
  Item constant = {.name = v->in[input]->name};
  const Numbers *value = numbers_scalar(v, mask->dtype, mask->of[which]);
  Item *in[2] = {v->in[0], v->in[1]};
  int op = onnx_operator(v->op);
  if (!value)
    return NULL;
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
  size_t input = values_of(v, 1) ? 1 : 0;
  const Positions *mask = values_of(v, input);
  rsh_shape shape = mask->shape;
  Value *high = masks_value(v, v->in[1 - input]) ? apply_value(v, input, 1) : NULL,
        *low = high ? apply_value(v, input, 0) : NULL;
  if (!low || !step_broadcast(v, &shape, &high->shape))
    return NULL;
  if (mask->of[0] == mask->of[1])
    return step_expand(v, high, &shape);
  Positions condition = *mask;
  condition.of[0] = 0;
  condition.of[1] = 1;
  return masks_choose(v, &condition, &shape, step_expand(v, high, &shape),
                      step_expand(v, low, &shape));
}
