// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GatherND and GatherElements with known indices are gathers along one axis:
//
//   x: f32[5, 4]      GatherND [[3], [0]]                    gather(x, [3, 0])
//   x: f32[2, 3, 4]   GatherND [[0, 2], [1, 1]]              x as [6, 4], then gather [2, 4]
//   x: f32[2, 3]      GatherElements [[2, 0], [1, 1]] axis 1  x as [6], then gather [[2, 0], [4, 4]]
#include "frontend/onnx/onnx_internal.h"

#include <inttypes.h>
#include <string.h>

typedef struct Indices {
  Visit *v;
  const rsh_shape *data;
  const Numbers *given;
  rsh_shape shape;  // of gather's indices
  int32_t axes;     // the number of data's leading axes that these index
  int32_t batches;  // GatherND: number of leading axes shared with the indices
  int32_t elements; // GatherElements: the axis that is indexed; else -1
} Indices;

bool gather_is_of_several_axes(const char *op) {
  return strcmp(op, "GatherND") == 0 || strcmp(op, "GatherElements") == 0;
}

// Whether the flat index of known indices along several axes depends on a size that is known only at run time.
static bool count_through_open(const Visit *v, const rsh_shape *data) {
  const rsh_shape *given = &v->in[1]->known->shape;
  int64_t axes = data->rank;
  if (strcmp(v->op, "GatherND") == 0)
    axes = given->rank < 1 ? 0 : attribute_int(v, "batch_dims", 0) + given->dim[given->rank - 1].n;
  for (int32_t i = 0; axes > 1 && i < axes && i < data->rank; i++)
    if (!rsh_is_known(data->dim[i]))
      return true;
  return false;
}

bool indices_are_operand(const Visit *v, rsh_op op, const Value *x) {
  bool is_of_several = gather_is_of_several_axes(v->op);
  if ((op != RSH_OP_GATHER && !is_of_several) || !input_of(v, 1))
    return false;
  return !v->in[1]->known || (is_of_several && count_through_open(v, &x->shape));
}

// Whether two sizes may have a condition. False: only the call knows one, or a survey reads the model.
static bool has_condition(Visit *v, rsh_num a, rsh_num b) {
  bool is_open = !rsh_is_known(a) || !rsh_is_known(b);
  bool has = !rsh_is_unknown(a) && !rsh_is_unknown(b) && !(is_open && v->r->surveyor);
  v->r->data.has_conditions = v->r->data.has_conditions || (has && is_open);
  return has;
}

bool node_sizes_agree(Visit *v, rsh_num a, rsh_num b) {
  return !has_condition(v, a, b) ||
         sizes_must_agree(&v->r->data, a, b, RSH_shape_mismatch, v->span);
}

bool node_size_fits(Visit *v, rsh_num least, rsh_num size, rsh_status status) {
  const Guard guard = {
      .kind = WHERE_LE, .status = status, .left = least, .right = size, .span = v->span};
  return !has_condition(v, least, size) || guard_add(&v->r->data, guard);
}

// How long an axis must be for an index: 4 for 3 or -4.
static int64_t length_for(int64_t index) {
  return index < -INT64_MAX || index == INT64_MAX ? INT64_MAX : index < 0 ? -index : index + 1;
}

bool node_indices_fit(Visit *v, const Numbers *given, int32_t first, int32_t step, rsh_num size,
                      int32_t axis) {
  int64_t least = 0;
  for (int32_t i = first; i < given->count; i += step)
    if (rsh_is_known(given->item[i]) && length_for(given->item[i].n) > least)
      least = length_for(given->item[i].n);
  return rsh_is_known(size) || node_size_fits(v, rsh_int(least), size, RSH_bad_index) ||
         onnx_error(
             v, "bad_index", "%s has indices for a size of %" PRId64 "; axis %d of %s has size %s",
             input_label(v, 1), least, (int)axis, input_label(v, 0), size_label(&v->r->data, size));
}

static bool wrong_rank(Indices *g, int64_t wanted) {
  return onnx_error(g->v, "bad_rank", "%s has rank %d, %s has %d; '%s' needs %" PRId64,
                    input_label(g->v, 1), (int)g->given->shape.rank, input_label(g->v, 0),
                    (int)g->data->rank, g->v->op, wanted);
}

// Determines the axes that are indexed by tuples.
static bool read_tuples(Indices *g) {
  const rsh_shape *given = &g->given->shape;
  int64_t batches = attribute_int(g->v, "batch_dims", 0);
  if (given->rank < 1)
    return wrong_rank(g, 1);
  int64_t length = given->dim[given->rank - 1].n;
  if (batches < 0 || batches >= given->rank)
    return onnx_error(g->v, "bad_attr", "'batch_dims' is %" PRId64 "; allowed: 0 to %d", batches,
                      (int)given->rank - 1);
  if (length < 1 || batches + length > g->data->rank)
    return onnx_error(g->v, "bad_rank", "tuples of %" PRId64 " indices into %s, which has rank %d",
                      length, input_label(g->v, 0), (int)g->data->rank);
  g->shape = *given;
  g->shape.rank--;
  g->batches = (int32_t)batches;
  g->axes = (int32_t)(batches + length);
  g->elements = -1;
  return true;
}

static bool read_elements(Indices *g) {
  int64_t axis = attribute_int(g->v, "axis", 0);
  g->shape = g->given->shape;
  g->axes = g->data->rank;
  if (g->shape.rank != g->data->rank || g->data->rank < 1)
    return wrong_rank(g, g->data->rank < 1 ? 1 : g->data->rank);
  if (!rsh_axis_index(axis, g->data->rank, &g->elements))
    return onnx_error(g->v, "bad_axis", "'axis' is %" PRId64 "; the rank of %s is %d", axis,
                      input_label(g->v, 0), (int)g->data->rank);
  return true;
}

static bool check_sizes(Indices *g) {
  for (int32_t i = 0; i < g->axes; i++) {
    rsh_num size = g->data->dim[i];
    bool is_shared = i != g->elements && (g->elements >= 0 || i < g->batches);
    if (is_shared && g->elements >= 0 ? g->shape.dim[i].n > size.n
                                      : is_shared && g->shape.dim[i].n != size.n)
      return onnx_error(g->v, "shape_mismatch", "size %d of %s is %" PRId64 ", that of %s %" PRId64,
                        (int)i, input_label(g->v, 1), g->shape.dim[i].n, input_label(g->v, 0),
                        size.n);
  }
  return true;
}

// The index along axis k for entry `at` of the result; `place` has its coordinates in the shape.
static rsh_num index_of(const Indices *g, int32_t at, const int64_t *place, int32_t k) {
  if (g->elements >= 0)
    return k == g->elements ? g->given->item[at] : rsh_int(place[k]);
  if (k < g->batches)
    return rsh_int(place[k]);
  return g->given->item[at * (g->axes - g->batches) + k - g->batches];
}

// The row-major address of an entry within the indexed axes.
static bool address_of(Indices *g, int32_t at, const int64_t *place, rsh_num *out) {
  int64_t address = 0;
  for (int32_t k = 0; k < g->axes; k++) {
    rsh_num index = index_of(g, at, place, k);
    int64_t size = g->data->dim[k].n;
    if (!rsh_is_known(index))
      return onnx_error(g->v, "unsupported", "%s is not known when the model is compiled",
                        input_label(g->v, 1));
    if (index.n < -size || index.n >= size)
      return onnx_error(g->v, "bad_index",
                        "%s has index %" PRId64 "; axis %d of %s has size %" PRId64,
                        input_label(g->v, 1), index.n, (int)k, input_label(g->v, 0), size);
    address = address * size + index.n + (index.n < 0 ? size : 0);
  }
  *out = rsh_int(address);
  return true;
}

static bool set_addresses(Indices *g, Numbers *out) {
  int64_t place[RSH_MAX_RANK] = {0};
  for (int32_t at = 0; at < out->count; at++) {
    if (!address_of(g, at, place, &out->item[at]))
      return false;
    for (int32_t k = g->shape.rank - 1; k >= 0 && ++place[k] == g->shape.dim[k].n; k--)
      place[k] = 0;
  }
  return true;
}

// Merges the indexed axes into one.
static Value *flatten(Indices *g, Lower *l, Value *x) {
  rsh_num dim[RSH_MAX_RANK], volume = rsh_int(1);
  int rank = 1;
  for (int32_t i = 0; i < g->data->rank; i++)
    if (i >= g->axes)
      dim[rank++] = g->data->dim[i];
    else // fits, as the tensor's element count does
      (void)rsh_mul(NULL, volume, g->data->dim[i], &volume);
  dim[0] = volume;
  Binding *b = binding_new(l, RSH_OP_RESHAPE, g->v->op, g->v->span);
  binding_operand(l, b, x, g->v->span);
  binding_list(l, b, 0, dim, rank);
  binding_int(l, b, 1, 1); // allowzero
  Values values = binding_apply(l, b);
  return values.count == 1 ? values.item[0] : NULL;
}

static bool read_indices(Indices *g, bool is_tuples) {
  return is_tuples ? read_tuples(g) : read_elements(g);
}

bool gather_require(Visit *v, const Value *x) {
  if (!v->in[1]->known || x->shape.rank == RSH_RANK_UNKNOWN)
    return true;
  Indices g = {.v = v, .data = &x->shape, .given = v->in[1]->known};
  if (!read_indices(&g, strcmp(v->op, "GatherND") == 0))
    return false;
  bool fits = true;
  for (int32_t k = 0; fits && k < g.axes; k++)
    if (g.elements >= 0 && k != g.elements)
      fits = node_size_fits(v, g.shape.dim[k], x->shape.dim[k], RSH_shape_mismatch);
    else if (k < g.batches)
      fits = node_sizes_agree(v, g.shape.dim[k], x->shape.dim[k]);
  if (!fits)
    return onnx_error(v, "shape_mismatch", "the sizes of %s and %s do not fit", input_label(v, 0),
                      input_label(v, 1));
  int32_t step = g.elements >= 0 ? 1 : g.axes - g.batches;
  for (int32_t k = 0; fits && k < g.axes; k++)
    if (g.elements >= 0 ? k == g.elements : k >= g.batches)
      fits = node_indices_fit(v, g.given, step > 1 ? k - g.batches : 0, step, x->shape.dim[k], k);
  return fits;
}

bool gather_prepare(Visit *v, Lower *l, Value **x) {
  Item *given = input_of(v, 1);
  bool is_tuples = strcmp(v->op, "GatherND") == 0;
  if (!given || !given->known)
    return true; // node_bind reports it
  if ((*x)->shape.rank == RSH_RANK_UNKNOWN)
    return onnx_rank_error(v, 0);
  Indices g = {.v = v, .data = &(*x)->shape, .given = given->known};
  if (!read_indices(&g, is_tuples))
    return false;
  bool is_one = g.axes == 1 && (is_tuples || g.data->rank == 1) && g.batches == 0;
  if (!is_one && !check_sizes(&g))
    return false;
  Numbers *made = numbers_new(v->r, g.given->dtype, &g.shape);
  if (!made)
    return onnx_error(v, "limit", "%s has too many entries", input_label(v, 1));
  if (is_one)
    memcpy(made->item, g.given->item, (size_t)made->count * sizeof *made->item);
  else if (!set_addresses(&g, made))
    return false;
  if (!is_one)
    *x = flatten(&g, l, *x);
  v->in[1] = ARENA_NEW(v->r->arena, Item);
  *v->in[1] = (Item){.name = given->name, .span = given->span, .known = made};
  return *x != NULL;
}
