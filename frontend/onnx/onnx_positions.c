// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indices that count up to sizes known only at run time, as exporters write them. Their values are not known, but the
// operators that read them become slices.
//
//   Range(0, S) -> Unsqueeze -> Gather of a table                 table[0:S]
//   position_ids[:, 0:S] -> Gather of a table                     table[0:min(S, 512)]
//   Range(0, S-1, 2) -> Unsqueeze -> Add [[0], [1]] -> Gather     x in pairs, transposed
//   Range(0, S-2) -> Add [[0], [1], [2]] -> Gather                x in windows, each of their places a slice
//   Range(S-1, -1, -1) -> Gather of x: f32[S]                     x, flipped
//   Range(0, B), Range(1, 3) -> Expand -> Concat -> ScatterND     x[:, 1:3] replaced
//   Range(0, H) -> Expand -> Reshape -> Gather of a table         table[0:H], expanded and reshaped
//
// The places that they list must exist even if one of their other sizes is 0, so they are kept for empty tensors too.
// Only whole models have them: a chain reads the indices that an engine computes.
#include "frontend/onnx/onnx_internal.h"

#include <string.h>

enum { MOST_STRIDE = 1 << 16 };

static bool is_stride(int64_t n) { return n >= -MOST_STRIDE && n <= MOST_STRIDE; }

Positions *positions_new(Visit *v, rsh_dtype dtype, const rsh_shape *shape) {
  Positions *made = ARENA_NEW(v->r->arena, Positions);
  *made = (Positions){.dtype = dtype, .shape = *shape, .count = 1};
  return made;
}

bool positions_have_blocks(const Positions *in) {
  bool found = false;
  for (int32_t i = 0; i < in->shape.rank; i++)
    found = found || in->block[i] > 0;
  return found;
}

bool positions_are_mask(const Positions *in) { return in->compared > 0 && in->compared < ABSOLUTE; }

bool positions_are_rearranged(const Positions *in) { return in->compared > ABSOLUTE; }

static Positions *rearranged(Visit *v, int how, const rsh_shape *shape, const Positions *in) {
  Positions *made = positions_new(v, in->dtype, shape);
  made->compared = how;
  made->part[0] = in;
  return made;
}

// ---- Numbers that count up

// The distance of a number from the first one of a ramp. False: it depends on sizes.
static bool distance(const Visit *v, const Ramp *ramp, rsh_num n, int64_t *out) {
  rsh_num difference;
  bool is_known = rsh_sub(symbols_of(v), n, ramp->first, &difference) && rsh_is_known(difference);
  *out = is_known ? difference.n : 0;
  return is_known;
}

bool positions_ramp(const Visit *v, const Numbers *known, const rsh_shape *shape, int32_t at,
                    int32_t each, Ramp *ramp) {
  int32_t next = each;
  int64_t found;
  if (known->count == 0)
    return false;
  *ramp = (Ramp){.first = known->item[at]};
  for (int32_t k = shape->rank; k-- > 0; next *= (int32_t)shape->dim[k].n) {
    int64_t *stride = &ramp->stride[k];
    if (shape->dim[k].n > 1 &&
        (!distance(v, ramp, known->item[at + next], stride) || !is_stride(*stride)))
      return false;
  }
  for (int32_t i = at; i < known->count; i += each) {
    int64_t wanted = 0, rest = i / each;
    for (int32_t k = shape->rank; k-- > 0; rest /= shape->dim[k].n)
      wanted += ramp->stride[k] * (rest % shape->dim[k].n);
    if (!distance(v, ramp, known->item[i], &found) || found != wanted)
      return false;
  }
  return true;
}

const Positions *positions_of(Visit *v, size_t input) {
  const Item *item = input_of(v, input);
  if (item && item->positions)
    return item->positions->compared ? NULL : item->positions;
  if (!item || !item->known)
    return NULL;
  Positions *made = positions_new(v, item->known->dtype, &item->known->shape);
  return positions_ramp(v, item->known, &made->shape, 0, 1, &made->ramp[0]) ? made : NULL;
}

// ---- Operators that make positions

// Range, whose step is known. An empty one begins at its limit, which an axis of that size has: Range(2, 1) at 1.
static const Positions *range(Visit *v) {
  rsh_symbols *s = symbols_of(v);
  rsh_num n[3], span, size;
  for (size_t i = 0; i < 3; i++) {
    const Numbers *known = v->node->n_input == 3 && v->in[i] ? v->in[i]->known : NULL;
    if (!known || known->count != 1 || (known->dtype != RSH_I64 && known->dtype != RSH_I32))
      return NULL;
    n[i] = known->item[0];
  }
  if (!rsh_is_known(n[2]) || n[2].n == 0 || !is_stride(n[2].n))
    return NULL;
  bool falls = n[2].n < 0;
  const rsh_num step = rsh_int(falls ? -n[2].n : n[2].n);
  if (!rsh_sub(s, n[!falls], n[falls], &span) || !rsh_add(s, span, rsh_int(step.n - 1), &size) ||
      !sizes_above_0(v, size, &size) || !sizes_quotient(v, size, step, &size) ||
      !sizes_above_0(v, span, &span))
    return NULL;
  const rsh_shape shape = {.rank = 1, .dim = {size}};
  Positions *made = positions_new(v, v->in[0]->known->dtype, &shape);
  made->ramp[0].first = n[0];
  made->ramp[0].stride[0] = n[2].n;
  bool is_from_limit = rsh_at_most(s, rsh_int(falls ? -1 : 0), n[1]);
  bool fits = !is_from_limit || (falls ? rsh_add : rsh_sub)(s, n[1], span, &made->ramp[0].first);
  return fits ? made : NULL;
}

// ConstantOfShape: all elements are equal.
static const Positions *filled(Visit *v) {
  const Numbers *sizes = v->node->n_input == 1 && v->in[0] ? v->in[0]->known : NULL;
  const Onnx__AttributeProto *value = attribute_of(v, "value");
  const Numbers *element = value && value->t ? onnx_tensor_known(v->r, value->t) : NULL;
  rsh_shape shape = {0};
  if (!sizes || sizes->count > RSH_MAX_RANK || (value && (!element || element->count != 1)))
    return NULL;
  for (int32_t i = 0; i < sizes->count; i++)
    shape.dim[shape.rank++] = sizes->item[i];
  Positions *made = positions_new(v, element ? element->dtype : RSH_F32, &shape);
  made->ramp[0].first = element ? element->item[0] : rsh_int(0);
  return made;
}

static const Positions *cast(Visit *v, const Positions *in) {
  Positions *made = ARENA_NEW(v->r->arena, Positions);
  *made = *in;
  made->dtype = onnx_dtype((int32_t)attribute_int(v, "to", 0));
  return made->dtype == RSH_I64 || made->dtype == RSH_I32 ? made : NULL;
}

// What an operand of a sum contributes to an axis of the result.
typedef struct Axis {
  rsh_num size;
  int64_t block, stride, inner;
} Axis;

static Axis axis_of(const Positions *in, int32_t k) {
  Axis axis = {.size = rsh_int(1)};
  if (k >= 0 && !rsh_is(in->shape.dim[k], 1))
    axis = (Axis){in->shape.dim[k], in->block[k], in->ramp[0].stride[k], in->ramp[0].inner[k]};
  return axis;
}

// The same axis in blocks: i is i/block*block + i%block.
static Axis in_blocks(Axis axis, int64_t block) {
  if (axis.block == 0 && block > 0)
    axis = (Axis){axis.size, block, axis.stride * block, axis.stride};
  return axis;
}

// Add and Sub, by `sign`.
const Positions *positions_sum(Visit *v, const Positions *a, const Positions *b, int sign) {
  rsh_symbols *s = symbols_of(v);
  if (!a || !b || a->count != 1 || b->count != 1 || a->dtype != b->dtype || attribute_of(v, "axis"))
    return NULL;
  rsh_shape shape = {.rank = a->shape.rank > b->shape.rank ? a->shape.rank : b->shape.rank};
  Positions *made = positions_new(v, a->dtype, &shape);
  Ramp *to = &made->ramp[0];
  bool fits = sign > 0 ? rsh_add(s, a->ramp[0].first, b->ramp[0].first, &to->first)
                       : rsh_sub(s, a->ramp[0].first, b->ramp[0].first, &to->first);
  for (int32_t k = 0; fits && k < shape.rank; k++) {
    Axis of_a = axis_of(a, k - (shape.rank - a->shape.rank)),
         of_b = axis_of(b, k - (shape.rank - b->shape.rank));
    int64_t block = of_a.block > 0 ? of_a.block : of_b.block;
    of_a = in_blocks(of_a, block);
    of_b = in_blocks(of_b, block);
    made->shape.dim[k] = rsh_is(of_a.size, 1) ? of_b.size : of_a.size;
    made->block[k] = block;
    to->stride[k] = of_a.stride + sign * of_b.stride;
    to->inner[k] = of_a.inner + sign * of_b.inner;
    fits = (rsh_is(of_a.size, 1) || rsh_is(of_b.size, 1) || rsh_equal(of_a.size, of_b.size)) &&
           of_a.block == of_b.block && is_stride(to->stride[k]);
  }
  return fits ? made : NULL;
}

// Whether all elements are the same number.
static bool is_one_number(const Positions *in, int64_t *n) {
  bool is_one = in->count == 1 && rsh_is_known(in->ramp[0].first);
  for (int32_t k = 0; is_one && k < in->shape.rank; k++)
    is_one = rsh_is(in->shape.dim[k], 1) || (in->ramp[0].stride[k] == 0 && in->block[k] == 0);
  *n = is_one ? in->ramp[0].first.n : 0;
  return is_one;
}

// In floating point, 0 times a number below 0 is -0, which is no number.
static bool may_be_minus_zero(const Positions *in, int64_t factor) {
  int64_t n;
  bool is_one = is_one_number(in, &n), is_by_0 = factor == 0;
  return rsh_dtype_is_float(in->dtype) && factor <= 0 && (!is_one || (is_by_0 ? n < 0 : n == 0));
}

// Mul by a number.
static const Positions *product(Visit *v, const Positions *a, const Positions *b) {
  int64_t factor;
  if (!b || (!is_one_number(a, &factor) && !is_one_number(b, &factor)) || !is_stride(factor))
    return NULL;
  bool is_first = is_one_number(a, &factor);
  if (!is_first)
    is_one_number(b, &factor);
  if (may_be_minus_zero(is_first ? b : a, factor))
    return NULL;
  Positions zeros = is_first ? *a : *b;
  zeros.ramp[0].first = rsh_int(0);
  const Positions *wide = positions_sum(v, is_first ? b : a, &zeros, 1);
  if (!wide)
    return NULL;
  Positions *made = ARENA_NEW(v->r->arena, Positions);
  Ramp *ramp = &made->ramp[0];
  *made = *wide;
  bool fits = rsh_mul(symbols_of(v), ramp->first, rsh_int(factor), &ramp->first);
  for (int32_t k = 0; fits && k < made->shape.rank; k++) {
    ramp->stride[k] *= factor;
    ramp->inner[k] *= factor;
    fits = is_stride(ramp->stride[k]);
  }
  return fits ? made : NULL;
}

// Div and Mod by a number, of numbers from 0 or a multiple of it on: blocks, and places in these. Quotients in floating
// point are not rounded down.
//   Range(0, S) / 4    0, 0, 0, 0, 1, 1, ...
static const Positions *quotient(Visit *v, const Positions *a, const Positions *b, bool is_rest) {
  int64_t by, first = a->ramp[0].first.n;
  int32_t blocks = 0;
  if ((!is_rest && rsh_dtype_is_float(a->dtype)) || !b || !is_one_number(b, &by) || by < 1 ||
      !is_stride(by) || positions_have_blocks(a) || !rsh_is_known(a->ramp[0].first) || first < 0 ||
      first % by != 0 || b->shape.rank > a->shape.rank)
    return NULL;
  Positions *made = ARENA_NEW(v->r->arena, Positions);
  *made = *a;
  Ramp *ramp = &made->ramp[0];
  ramp->first = rsh_int(is_rest ? 0 : first / by);
  for (int32_t k = 0; k < a->shape.rank; k++) {
    int64_t stride = rsh_is(a->shape.dim[k], 1) ? 0 : ramp->stride[k];
    bool is_block = stride % by != 0;
    if (stride < 0 || (is_block && (by % stride != 0 || ++blocks > 1)))
      return NULL;
    made->block[k] = is_block ? by / stride : 0;
    ramp->stride[k] = is_rest ? 0 : is_block ? 1 : stride / by;
    ramp->inner[k] = is_block && is_rest ? stride : 0;
  }
  return made;
}

// Moves the lowest or the highest of some numbers by a stride, taken `count` times.
static bool widen(rsh_symbols *s, rsh_num count, int64_t stride, rsh_num end[2]) {
  rsh_num far, *to = &end[stride > 0];
  return stride == 0 || (rsh_mul(s, count, rsh_int(stride), &far) && rsh_add(s, *to, far, to));
}

bool positions_fit(Visit *v, const Positions *in) {
  rsh_symbols *s = symbols_of(v);
  const Ramp *ramp = &in->ramp[0];
  rsh_num end[2] = {ramp->first, ramp->first};
  bool fits = true;
  for (int32_t k = 0; fits && k < in->shape.rank; k++) {
    int64_t block = in->block[k];
    rsh_num last;
    if (rsh_is(in->shape.dim[k], 0))
      return true;
    fits = rsh_sub(s, in->shape.dim[k], rsh_int(1), &last);
    if (fits && block > 0 && rsh_is_known(last))
      last.n /= block;
    fits = fits && widen(s, last, ramp->stride[k], end) &&
           (block == 0 || widen(s, rsh_int(block - 1), ramp->inner[k], end));
  }
  return fits && sizes_fit(v, end[0], in->dtype) && sizes_fit(v, end[1], in->dtype);
}

// The node as a call on data of the same sizes, and the shape of its result. The graph gets the conditions and edges of
// the call, but no node. NULL: sizes do not decide the shape, or an error was reported.
static const rsh_call *resolve(Visit *v, rsh_op op, const Positions *in, rsh_shape *shape) {
  Lower *l = &v->r->data;
  bool was_undecided = l->is_undecided;
  rsh_fault fault = {0};
  const char *missing = NULL;
  Value *operand = value_new(&v->r->sizes, in->dtype, &in->shape, v->span);
  operand->name = v->in[0]->name;
  Binding *b = node_bind(v, l, op, &operand, 1);
  if (!b || b->problem.kind || b->poisoned || rsh_reads_data(&b->call))
    return NULL;
  b->call.symbols = l->graph->symbols;
  l->is_undecided = false;
  rsh_status status = need_resolve(l, &b->call, shape, &fault, v->span, &missing);
  bool is_decided = status == RSH_ok && !l->is_undecided && !l->again;
  l->is_undecided = was_undecided;
  share_symbols(v->r);
  for (int32_t k = 0; is_decided && k < shape->rank; k++)
    is_decided = !rsh_is_unknown(shape->dim[k]);
  return is_decided ? &b->call : NULL;
}

static Positions *slice(Visit *v, const Positions *in) {
  rsh_shape shape;
  const rsh_call *call = resolve(v, RSH_OP_SLICE, in, &shape);
  if (!call)
    return NULL;
  const rsh_arg *arg = call->arg;
  Positions *made = positions_new(v, in->dtype, &shape);
  Ramp *ramp = &made->ramp[0];
  *ramp = in->ramp[0];
  for (int32_t i = 0; i < arg[RSH_SLICE_STARTS].count; i++) {
    rsh_num step = arg[RSH_SLICE_STEPS].kind == RSH_ARG_LIST ? arg[RSH_SLICE_STEPS].list[i]
                                                             : rsh_int(1),
            offset;
    int32_t axis = i;
    rsh_range range;
    if (arg[RSH_SLICE_AXES].kind == RSH_ARG_LIST)
      rsh_axis_index(arg[RSH_SLICE_AXES].list[i].n, in->shape.rank, &axis);
    int64_t *stride = &ramp->stride[axis];
    if (!is_stride(step.n) ||
        rsh_slice_range(symbols_of(v), in->shape.dim[axis], arg[RSH_SLICE_STARTS].list[i],
                        arg[RSH_SLICE_ENDS].list[i], step.n < 0 ? -1 : 1, &range) != RSH_ok ||
        !rsh_mul(symbols_of(v), range.start, rsh_int(*stride), &offset) ||
        !rsh_add(symbols_of(v), ramp->first, offset, &ramp->first))
      return NULL;
    *stride *= step.n;
    bool keeps_blocks = in->block[axis] == 0 || (rsh_is(range.start, 0) && step.n == 1);
    if (!is_stride(*stride) || !keeps_blocks)
      return NULL;
  }
  memcpy(made->block, in->block, sizeof made->block);
  return made;
}

static void copy_axis(const Positions *in, int32_t from, Positions *made, int32_t to) {
  made->block[to] = in->block[from];
  made->ramp[0].stride[to] = in->ramp[0].stride[from];
  made->ramp[0].inner[to] = in->ramp[0].inner[from];
}

// Moves the strides to the axes of a result that has the same sizes, except for added or removed ones of 1. False: its
// sizes differ otherwise.
static bool match_axes(const Positions *in, Positions *made) {
  int32_t at = 0;
  for (int32_t k = 0; k < in->shape.rank; k++) {
    if (rsh_is(in->shape.dim[k], 1))
      continue;
    while (at < made->shape.rank && rsh_is(made->shape.dim[at], 1))
      at++;
    if (at == made->shape.rank || !rsh_equal(made->shape.dim[at], in->shape.dim[k]))
      return false;
    copy_axis(in, k, made, at++);
  }
  while (at < made->shape.rank && rsh_is(made->shape.dim[at], 1))
    at++;
  return at == made->shape.rank;
}

// Expand: along axes that grow from 1, all elements are equal.
static bool expand_axes(const Positions *in, Positions *made) {
  int32_t more = made->shape.rank - in->shape.rank;
  bool fits = more >= 0;
  for (int32_t k = 0; fits && k < in->shape.rank; k++)
    if (!rsh_is(in->shape.dim[k], 1)) {
      fits = rsh_equal(made->shape.dim[more + k], in->shape.dim[k]);
      copy_axis(in, k, made, more + k);
    }
  return fits;
}

// Operators that add and remove axes. If the numbers do not count up along the new axes, the operator is kept, and
// applied to what a Gather reads.
static Positions *reshape(Visit *v, rsh_op op, const Positions *in) {
  rsh_shape shape;
  if (!resolve(v, op, in, &shape))
    return NULL;
  Positions *made = positions_new(v, in->dtype, &shape);
  made->ramp[0].first = in->ramp[0].first;
  bool counts = in->count == 1 && !positions_are_rearranged(in);
  if (counts && (op == RSH_OP_EXPAND ? expand_axes(in, made) : match_axes(in, made)))
    return made;
  bool may_wait = op != RSH_OP_EXPAND && (!in->compared || positions_are_rearranged(in));
  return may_wait ? rearranged(v, RESHAPED, &shape, in) : NULL;
}

// Transpose, by a known permutation.
static Positions *transposed(Visit *v, const Positions *in) {
  rsh_shape shape;
  const rsh_call *call = resolve(v, RSH_OP_TRANSPOSE, in, &shape);
  if (!call)
    return NULL;
  Positions *made = positions_new(v, in->dtype, &shape);
  made->ramp[0].first = in->ramp[0].first;
  if (positions_are_rearranged(in))
    made = rearranged(v, TRANSPOSED, &shape, in);
  for (int32_t i = 0; i < shape.rank; i++) {
    int32_t from = shape.rank - 1 - i; // without a list, axes are reversed
    if (call->arg[0].kind == RSH_ARG_LIST)
      rsh_axis_index(call->arg[0].list[i].n, shape.rank, &from);
    copy_axis(in, from, made, i);
    made->order[i] = from;
  }
  return made;
}

bool positions_move(rsh_op op) {
  return op == RSH_OP_SLICE || op == RSH_OP_TRANSPOSE || op == RSH_OP_EXPAND ||
         op == RSH_OP_UNSQUEEZE || op == RSH_OP_SQUEEZE || op == RSH_OP_IDENTITY ||
         rsh_op_family(op) == RSH_RESHAPES;
}

const Positions *positions_moved(Visit *v, rsh_op op, const Positions *in) {
  Positions *made = op == RSH_OP_SLICE       ? positions_are_rearranged(in) ? NULL : slice(v, in)
                          : op == RSH_OP_TRANSPOSE ? transposed(v, in)
                                             : reshape(v, op, in);
  if (!made || positions_are_rearranged(made))
    return made;
  made->compared = in->compared;
  memcpy(made->of, in->of, sizeof made->of);
  for (int i = 0; i < 2 && in->part[i]; i++) {
    made->part[i] = positions_moved(v, op, in->part[i]);
    if (!made->part[i])
      return NULL;
  }
  return made;
}

// An input of Concat that counts up, or reorders numbers that do.
static const Positions *indices_of(Visit *v, size_t input) {
  const Positions *in = v->in[input] ? v->in[input]->positions : NULL;
  in = in && positions_are_rearranged(in) ? in : positions_of(v, input);
  return in && in->count == 1 ? in : NULL;
}

// Concat of indices.
static const Positions *joined(Visit *v) {
  const Positions *made = NULL;
  int32_t axis;
  for (size_t i = 0; i < v->node->n_input; i++) {
    const Positions *in = indices_of(v, i);
    bool fits = in && rsh_axis_index(attribute_int(v, "axis", 0), in->shape.rank, &axis) &&
                (!made || (in->dtype == made->dtype && in->shape.rank == made->shape.rank));
    for (int32_t k = 0; fits && made && k < in->shape.rank; k++)
      fits = k == axis || rsh_equal(in->shape.dim[k], made->shape.dim[k]);
    Positions *both = fits && made ? rearranged(v, JOINED, &made->shape, made) : NULL;
    if (!fits || (both && !rsh_add(symbols_of(v), made->shape.dim[axis], in->shape.dim[axis],
                                   &both->shape.dim[axis])))
      return NULL;
    if (both) {
      both->part[1] = in;
      both->order[0] = axis;
    }
    made = both ? both : in;
  }
  return made;
}

// Concat of [B, 1] and [B, 1] along the last axis: tuples.
static const Positions *tuples(Visit *v) {
  Positions *made = NULL;
  int64_t written = attribute_int(v, "axis", 0);
  for (size_t i = 0; i < v->node->n_input; i++) {
    const Positions *in = positions_of(v, i);
    int32_t last = in ? in->shape.rank - 1 : -1, axis;
    if (last < 0 || in->count != 1 || positions_have_blocks(in) ||
        !rsh_is(in->shape.dim[last], 1) || i >= RSH_MAX_RANK ||
        !rsh_axis_index(written, in->shape.rank, &axis) || axis != last)
      return NULL;
    made = made ? made : positions_new(v, in->dtype, &in->shape);
    bool is_same = made->dtype == in->dtype && made->shape.rank == in->shape.rank;
    for (int32_t k = 0; is_same && k < last; k++)
      is_same = rsh_equal(made->shape.dim[k], in->shape.dim[k]);
    if (!is_same)
      return NULL;
    made->count = (int32_t)i + 1;
    made->shape.dim[last] = rsh_int(made->count);
    made->ramp[i] = in->ramp[0];
  }
  return made;
}

const Positions *positions_visit(Visit *v) {
  int op = onnx_operator(v->op);
  if (strcmp(v->op, "Range") == 0)
    return range(v);
  if (v->node->n_output != 1)
    return NULL;
  if (strcmp(v->op, "ConstantOfShape") == 0)
    return filled(v);
  if (op == RSH_OP_CONCAT) {
    const Positions *of = tuples(v);
    return of ? of : joined(v);
  }
  bool is_sum = op == RSH_OP_ADD || op == RSH_OP_SUB;
  bool is_quotient = op == RSH_OP_DIV || op == RSH_OP_MOD || strcmp(v->op, "openvino.Divide") == 0;
  bool moves = positions_move((rsh_op)op);
  const Positions *given = input_of(v, 0) ? v->in[0]->positions : NULL;
  const Positions *in = given && given->compared && moves ? given
                        : op >= 0 || is_quotient          ? positions_of(v, 0)
                                                          : NULL;
  if (!in || (in->count != 1 && rsh_op_family((rsh_op)op) != RSH_RESHAPES))
    return NULL;
  if (moves)
    return positions_moved(v, (rsh_op)op, in);
  const Positions *made = is_sum
                              ? positions_sum(v, in, positions_of(v, 1), op == RSH_OP_ADD ? 1 : -1)
                          : op == RSH_OP_MUL ? product(v, in, positions_of(v, 1))
                          : is_quotient      ? quotient(v, in, positions_of(v, 1), op == RSH_OP_MOD)
                          : op == RSH_OP_CAST ? cast(v, in)
                                              : NULL;
  return made && positions_fit(v, made) ? made : NULL;
}
