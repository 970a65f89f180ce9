// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interpreter of verify_map.h. Sizes come from resolve, which defines them; the semantics of each operator is
// implemented here independently, as in the reference: "element o of the result is element i of the operand".
#include "driver/verify/verify_map.h"

#include "driver/verify/verify_value.h"
#include "library/bind.h"
#include "runtime/program.h"
#include "runtime/resolve.h"
#include "frontend/text/rescue.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// One result of one node that is being computed.
typedef struct Step {
  Map *map;
  const Node *node;
  int result;
  const Tensor *in[1]; // the first operand
  const Tensor *out;
  const int64_t *list[RSH_MAX_ARGS]; // the arguments as integers; NULL: absent, or a text
  int32_t length[RSH_MAX_ARGS];
  const int64_t *index; // contents of a tensor of indices
} Step;

static const Tensor *mapped_operand(const Step *s, int k) {
  return &s->map->value[s->node->in[k]->id];
}

static int64_t read_or(const Step *s, int arg, int64_t otherwise) {
  return s->list[arg] ? s->list[arg][0] : otherwise;
}

static int64_t counted(int64_t axis, int64_t rank) { return axis < 0 ? axis + rank : axis; }

static void index_element(const void *map, const Origin *origin, int64_t label, uint8_t to[16]) {
  (void)value_is_given(map, origin, label, to); // the contents of index tensors are chosen
}

// The contents of the operand that holds indices, as integers. A result of an inexact function is taken as computed in
// double.
static const int64_t *read_indices(const Step *s) {
  const Tensor *indices = mapped_operand(s, 1);
  rsh_dtype dtype = s->node->in[1]->dtype;
  int64_t *index = memory_of(malloc(((size_t)indices->count + 1) * sizeof *index));
  Values *values = values_new(s->map, index_element, s->map);
  for (int64_t at = 0; at < indices->count; at++) {
    Number n = value_of_cell(values, indices->cell[at]);
    number_set_type(&n, dtype);
    index[at] = !n.is_near               ? rsh_target_entry(n.bits, dtype, 0)
                : fabs(n.near) < 0x1p+53 ? (int64_t)n.near
                                         : INT64_MIN;
  }
  values_free(values);
  return index;
}

// Index `at`, counted from the start of the axis. If it is out of bounds, the map notes that the call is refused.
static int64_t picked_index(const Step *s, int64_t at, int64_t size) {
  int64_t index = s->index[at];
  bool is_inside = index >= -size && index < size;
  s->map->status = is_inside ? s->map->status : RSH_bad_index;
  return is_inside ? counted(index, size) : 0;
}

static int64_t floor_modulo(int64_t a, int64_t b) { return ((a % b) + b) % b; }

static bool is_text(const Step *s, int arg, const char *text) {
  const rsh_arg *a = &s->node->call.arg[arg];
  return a->kind == RSH_ARG_TEXT && strcmp(a->text, text) == 0;
}

static int64_t flat(const Tensor *t, const int64_t *index) {
  int64_t at = 0;
  for (int k = 0; k < t->rank; k++)
    at = at * t->dim[k] + index[k];
  return at;
}

static void index_of(const Tensor *t, int64_t at, int64_t *index) {
  for (int k = t->rank - 1; k >= 0; at /= t->dim[k--])
    index[k] = at % t->dim[k];
}

// ---- the definitions, map_<rule> of ops.def: map o, an index of the result, to i, an index of an operand, and
// ---- return the number of the operand. FILL: the element is the constant of the node.

enum { FILL = -1 };

static int map_transpose(const Step *s, const int64_t *o, int64_t *i) {
  for (int k = 0; k < s->out->rank; k++)
    i[s->list[0] ? s->list[0][k] : s->out->rank - 1 - k] = o[k];
  return 0;
}

// As in ONNX Slice-13. Out-of-range values are clamped.
static int64_t slice_start(int64_t d, int64_t start, int64_t step) {
  int64_t last = step < 0 ? d - 1 : d;
  if (start < 0)
    start = start < -d ? 0 : start + d;
  return start < 0 ? 0 : start > last ? last : start;
}

static int map_slice(const Step *s, const int64_t *o, int64_t *i) {
  for (int k = 0; k < s->out->rank; k++)
    i[k] = o[k];
  for (int k = 0; k < s->length[0]; k++) {
    int64_t axis = s->list[2] ? counted(s->list[2][k], s->out->rank) : k;
    int64_t step = s->list[3] ? s->list[3][k] : 1;
    // the step may be huge, and is not applied if there is only one element
    i[axis] =
        slice_start(s->in[0]->dim[axis], s->list[0][k], step) + (o[axis] ? o[axis] * step : 0);
  }
  return 0;
}

static int map_flip(const Step *s, const int64_t *o, int64_t *i) {
  for (int k = 0; k < s->out->rank; k++)
    i[k] = o[k];
  for (int k = 0; k < s->length[0]; k++) {
    int64_t axis = counted(s->list[0][k], s->out->rank);
    i[axis] = s->in[0]->dim[axis] - 1 - o[axis];
  }
  return 0;
}

static int map_expand(const Step *s, const int64_t *o, int64_t *i) {
  int more = s->out->rank - s->in[0]->rank;
  for (int k = 0; k < s->in[0]->rank; k++)
    i[k] = s->in[0]->dim[k] == 1 ? 0 : o[more + k];
  return 0;
}

static int map_concat(const Step *s, const int64_t *o, int64_t *i) {
  int64_t axis = counted(read_or(s, 0, 0), s->out->rank);
  for (int k = 0; k < s->out->rank; k++)
    i[k] = o[k];
  int which = 0;
  while (i[axis] >= mapped_operand(s, which)->dim[axis])
    i[axis] -= mapped_operand(s, which++)->dim[axis];
  return which;
}

static int map_stack(const Step *s, const int64_t *o, int64_t *i) {
  int64_t axis = counted(read_or(s, 0, 0), s->out->rank);
  for (int k = 0, at = 0; k < s->out->rank; k++)
    if (k != axis)
      i[at++] = o[k];
  return (int)o[axis];
}

// Adds the sizes of the parts before this one.
static int map_split(const Step *s, const int64_t *o, int64_t *i) {
  int64_t axis = counted(read_or(s, 0, 0), s->out->rank);
  for (int k = 0; k < s->out->rank; k++)
    i[k] = o[k];
  for (int k = 0; k < s->result; k++)
    i[axis] += s->map->value[s->node->out[k]->id].dim[axis];
  return 0;
}

// DCR: out[n, c, h*b+y, w*b+x] = in[n, (y*b+x)*C + c, h, w]; CRD: in[n, c*b*b + y*b+x, h, w]
static int map_depth_to_space(const Step *s, const int64_t *o, int64_t *i) {
  int64_t b = s->list[0][0], channels = s->out->dim[1], block = (o[2] % b) * b + o[3] % b;
  i[0] = o[0];
  i[1] = is_text(s, 1, "CRD") ? o[1] * b * b + block : block * channels + o[1];
  i[2] = o[2] / b;
  i[3] = o[3] / b;
  return 0;
}

static int map_space_to_depth(const Step *s, const int64_t *o, int64_t *i) {
  bool crd = is_text(s, 1, "CRD");
  int64_t b = s->list[0][0], channels = s->in[0]->dim[1];
  int64_t block = crd ? o[1] % (b * b) : o[1] / channels;
  i[0] = o[0];
  i[1] = crd ? o[1] / (b * b) : o[1] % channels;
  i[2] = o[2] * b + block / b;
  i[3] = o[3] * b + block % b;
  return 0;
}

// Index for position t, which may be outside an axis of `kept` elements; -1: the constant.
static int64_t padded(const Step *s, int64_t t, int64_t kept) {
  if (t >= 0 && t < kept)
    return t;
  if (is_text(s, 2, "edge"))
    return t < 0 ? 0 : kept - 1;
  if (is_text(s, 2, "wrap"))
    return floor_modulo(t, kept);
  if (is_text(s, 2, "symmetric")) {
    t = floor_modulo(t, 2 * kept); // 0 1 2 3 3 2 1 0 | 0 1 ...
    return t < kept ? t : 2 * kept - 1 - t;
  }
  if (!is_text(s, 2, "reflect"))
    return -1;
  if (kept == 1)
    return 0;
  t = floor_modulo(t, 2 * (kept - 1)); // 0 1 2 3 2 1 | 0 1 ...
  return t < kept ? t : 2 * (kept - 1) - t;
}

// Negative amounts crop first, and the rest is then padded; or they crop last: then pads are of the whole axis.
static int map_pad(const Step *s, const int64_t *o, int64_t *i) {
  int half = s->length[0] / 2;
  bool is_inside = true;
  for (int k = 0; k < s->out->rank; k++)
    i[k] = o[k];
  for (int k = 0; k < half; k++) {
    int64_t axis = s->list[3] ? counted(s->list[3][k], s->out->rank) : k;
    int64_t before = s->list[0][k], after = s->list[0][half + k], cut = before < 0 ? -before : 0;
    int64_t kept = s->in[0]->dim[axis] - cut + (after < 0 ? after : 0);
    bool crops_last = read_or(s, 4, 0) != 0;
    int64_t t = crops_last ? padded(s, o[axis] - before, s->in[0]->dim[axis])
                           : padded(s, o[axis] - (before > 0 ? before : 0), kept);
    is_inside = is_inside && t >= 0;
    i[axis] = crops_last ? t : cut + t;
  }
  return is_inside ? 0 : FILL;
}

// Crops or pads as many elements at the start as at the end, or one less.
static int map_center_crop_pad(const Step *s, const int64_t *o, int64_t *i) {
  bool is_inside = true;
  for (int k = 0; k < s->out->rank; k++) {
    int64_t from = s->in[0]->dim[k], to = s->out->dim[k];
    i[k] = o[k] + (from - to) / 2;
    is_inside = is_inside && i[k] >= 0 && i[k] < from;
  }
  return is_inside ? 0 : FILL;
}

static int map_tile(const Step *s, const int64_t *o, int64_t *i) {
  for (int k = 0; k < s->out->rank; k++)
    i[k] = o[k] % s->in[0]->dim[k];
  return 0;
}

static int map_repeat(const Step *s, const int64_t *o, int64_t *i) {
  for (int k = 0; k < s->out->rank; k++)
    i[k] = o[k] / (s->out->dim[k] / s->in[0]->dim[k]);
  return 0;
}

// One shift applies to all axes, and an axis may have several shifts; without axes the elements rotate in row-major
// order.
static int map_roll(const Step *s, const int64_t *o, int64_t *i) {
  const Tensor *in = s->in[0];
  for (int k = 0; k < in->rank; k++)
    i[k] = o[k];
  if (!s->list[1]) {
    int64_t at = flat(in, o);
    for (int k = 0; k < s->length[0]; k++)
      at = floor_modulo(at - s->list[0][k] % in->count, in->count);
    for (int k = in->rank - 1; k >= 0; at /= in->dim[k--])
      i[k] = at % in->dim[k];
    return 0;
  }
  int count = s->length[0] > s->length[1] ? s->length[0] : s->length[1];
  count = s->length[0] == 0 || s->length[1] == 0 ? 0 : count;
  for (int k = 0; k < count; k++) {
    int64_t axis = counted(s->list[1][s->length[1] == 1 ? 0 : k], in->rank);
    int64_t shift = s->list[0][s->length[0] == 1 ? 0 : k] % in->dim[axis];
    i[axis] = floor_modulo(i[axis] - shift, in->dim[axis]);
  }
  return 0;
}

// The axes of the indices replace the gathered axis.
static int map_gather(const Step *s, const int64_t *o, int64_t *i) {
  bool is_tensor = s->node->call.in_count == 2;
  const Tensor *in = s->in[0];
  int rank = is_tensor ? mapped_operand(s, 1)->rank : s->node->call.arg[0].rank;
  int64_t axis = counted(read_or(s, 1, 0), in->rank), at = 0;
  for (int k = 0; k < axis; k++)
    i[k] = o[k];
  for (int k = 0; k < rank; k++)
    at = at * s->out->dim[axis + k] + o[axis + k];
  for (int64_t k = axis + 1; k < in->rank; k++)
    i[k] = o[k - 1 + rank];
  i[axis] = is_tensor ? picked_index(s, at, in->dim[axis]) : counted(s->list[0][at], in->dim[axis]);
  return 0;
}

static int map_gather_elements(const Step *s, const int64_t *o, int64_t *i) {
  int64_t axis = counted(read_or(s, 0, 0), s->out->rank);
  for (int k = 0; k < s->out->rank; k++)
    i[k] = o[k];
  i[axis] = picked_index(s, flat(s->out, o), s->in[0]->dim[axis]);
  return 0;
}

static int map_gather_nd(const Step *s, const int64_t *o, int64_t *i) {
  const Tensor *indices = mapped_operand(s, 1);
  int64_t batches = read_or(s, 0, 0), length = indices->dim[indices->rank - 1], at = 0;
  for (int k = 0; k < batches; k++)
    i[k] = o[k];
  for (int k = 0; k < indices->rank - 1; k++)
    at = at * indices->dim[k] + o[k];
  for (int64_t k = 0; k < length; k++)
    i[batches + k] = picked_index(s, at * length + k, s->in[0]->dim[batches + k]);
  for (int64_t k = batches + length; k < s->in[0]->rank; k++)
    i[k] = o[indices->rank - 1 + k - batches - length];
  return 0;
}

static int map_reverse_sequence(const Step *s, const int64_t *o, int64_t *i) {
  int64_t time = read_or(s, 1, 0), batch = read_or(s, 2, 1), length = s->list[0][o[batch]];
  for (int k = 0; k < s->out->rank; k++)
    i[k] = o[k];
  if (o[time] < length)
    i[time] = length - 1 - o[time];
  return 0;
}

// In the other families elements stay in row-major order.
static int map_in_order(const Step *s, const int64_t *o, int64_t *i) {
  index_of(s->in[0], flat(s->out, o), i);
  return 0;
}

#define MAP_RESHAPES(rule) map_in_order
#define MAP_KEEPS(rule) map_in_order
#define MAP_MAPS(rule) map_in_order
#define MAP_ROWS(rule) map_in_order
#define MAP_MOVES(rule) map_##rule
#define MAP_FILLS(rule) map_##rule

static int find_operand(const Step *s, const int64_t *o, int64_t *i) {
  static int (*const map[])(const Step *, const int64_t *, int64_t *) = {
#define RSH_OP(id, name, in, max, args, rule, family, result, pieces, effect, libm, onnx, summary) \
  MAP_##family(rule),
#include "runtime/ops.def"
#undef RSH_OP
  };
  return map[s->node->call.op](s, o, i);
}

// ---- sizes ----

int64_t map_number(const Map *map, rsh_num n) {
  int64_t atom[RSH_MAX_SYMBOLS] = {0}, value = 0;
  graph_atoms(map->graph, map->symbol, atom);
  return rsh_eval(map->graph->symbols, n, atom, &value) ? value : 0;
}

// Meaningless if the number of elements overflows.
static int64_t volume(const Tensor *t) {
  uint64_t n = 1;
  for (int k = 0; k < t->rank; k++)
    n *= (uint64_t)t->dim[k];
  return (int64_t)n;
}

static void set_sizes(Tensor *t, const rsh_shape *shape) {
  t->rank = shape->rank;
  for (int k = 0; k < t->rank; k++)
    t->dim[k] = shape->dim[k].n;
  t->count = volume(t) > 0 ? volume(t) : 0; // a negative size, which the call refuses
}

static const rsh_shape *shape_of(Map *map, const Value *value) {
  const Tensor *t = &map->value[value->id];
  rsh_shape *shape = ARENA_NEW(map->arena, rsh_shape);
  shape->rank = t->rank;
  for (int k = 0; k < t->rank; k++)
    shape->dim[k] = rsh_int(t->dim[k]);
  return shape;
}

// A list with all entries as numbers; a target that is data with the contents of the data.
static rsh_arg known_argument(const Map *map, const Node *node, int k) {
  rsh_arg arg = node->call.arg[k];
  const TargetData *data = arg.kind == RSH_ARG_TENSOR && node->data ? &node->data[k] : NULL;
  if (arg.kind == RSH_ARG_TENSOR) {
    arg.kind = RSH_ARG_LIST;
    if (data && data->tensor) {
      arg.rank = map->value[data->tensor->id].rank;
      arg.count = (int32_t)map->value[data->tensor->id].count;
    }
  }
  if (arg.kind != RSH_ARG_LIST)
    return arg;
  rsh_num *list = ARENA_ARRAY(map->arena, rsh_num, arg.count + 1);
  for (int32_t i = 0; i < arg.count; i++) {
    const Value *entry = data && data->entry ? data->entry[i] : NULL;
    list[i] = rsh_int(data && data->tensor ? map->target[data->tensor->id][i]
                      : entry              ? map->target[entry->id][target_at(data, i)]
                      : arg.list           ? map_number(map, arg.list[i])
                                           : 0);
  }
  arg.list = list;
  return arg;
}

static rsh_call known_call(Map *map, const Node *node) {
  rsh_call call = node->call;
  call.symbols = NULL;
  const rsh_shape **in = ARENA_ARRAY(map->arena, const rsh_shape *, call.in_count);
  for (int k = 0; k < call.in_count; k++)
    in[k] = shape_of(map, node->in[k]);
  call.in = in;
  for (int k = 0; k < RSH_MAX_ARGS; k++)
    call.arg[k] = known_argument(map, node, k);
  // Paddle's list with tensors, or tensor, takes precedence over actual_shape
  if (call.op == RSH_OP_PADDLE_RESHAPE && node->call.arg[0].kind == RSH_ARG_TENSOR)
    call.arg[1].kind = RSH_ARG_ABSENT;
  return call;
}

// Sets the symbols that are sizes of this value.
static void set_inner_symbols(Map *map, const Value *value) {
  for (int i = 0; i < map->graph->symbol.count; i++) {
    const Symbol *symbol = &map->graph->symbol.item[i];
    if (symbol->of == value)
      map->symbol[i] = map->value[value->id].dim[symbol->axis];
  }
  (void)graph_edges(map->graph, map->symbol); // a valid graph uses none that overflows
}

static rsh_status resolve_node(Map *map, const Node *node) {
  rsh_call call = known_call(map, node);
  rsh_shape *out = ARENA_ARRAY(map->arena, rsh_shape, call.out_count);
  rsh_status status = rsh_resolve(&call, out, NULL);
  for (int k = 0; status == RSH_ok && k < call.out_count; k++) {
    set_sizes(&map->value[node->out[k]->id], &out[k]);
    set_inner_symbols(map, node->out[k]);
  }
  return status;
}

static void set_input_sizes(Map *map, int i) {
  const Value *value = map->graph->value.item[i];
  rsh_shape shape = value->shape;
  if (shape.rank == RSH_RANK_UNKNOWN)
    shape = map->in_shape[i];
  for (int k = 0; k < shape.rank; k++)
    shape.dim[k] = rsh_int(map_number(map, shape.dim[k]));
  set_sizes(&map->value[i], &shape);
}

void map_inputs(Map *map) {
  const Graph *g = map->graph;
  map->value = ARENA_ARRAY(map->arena, Tensor, g->value.count);
  (void)graph_edges(g, map->symbol);
  for (int i = 0; i < g->value.count; i++)
    if (i < g->input_count || value_is_constant(g->value.item[i]))
      set_input_sizes(map, i);
}

// Conditions on the sizes of earlier nodes that no rule of an operator states, such as those of a called graph.
static rsh_status check_conditions(const Map *map, int node) {
  Sizes sizes = {.arena = map->arena, .graph = map->graph};
  memcpy(sizes.value, map->symbol, sizeof sizes.value);
  for (int i = 0; i < map->graph->guard.count; i++) {
    const Guard *guard = &map->graph->guard.item[i];
    if (guard->node == node && !guard->is_rule && !sizes_keep(&sizes, guard))
      return guard->status;
  }
  return RSH_ok;
}

rsh_status map_sizes(Map *map) {
  const Graph *g = map->graph;
  for (int i = 0; i <= g->node.count; i++) {
    rsh_status status = check_conditions(map, i);
    if (status == RSH_ok && i < g->node.count)
      status = resolve_node(map, g->node.item[i]);
    if (status != RSH_ok)
      return status;
  }
  for (int i = 0; i < g->output_count; i++)
    if (!map_is_as_declared(map, i))
      return RSH_shape_mismatch;
  return RSH_ok;
}

int64_t map_elements(const Map *map, const Value *value) {
  if (value_is_strided(value) && map->value[value->id].count > 0)
    return map_number(map, value->storage->span);
  return map->value[value->id].count;
}

int64_t map_place(const Map *map, const Value *value, int64_t i) {
  const Tensor *t = &map->value[value->id];
  if (!value_is_strided(value))
    return i;
  int64_t at = map_number(map, value->storage->offset);
  for (int k = t->rank - 1; k >= 0; i /= t->dim[k--])
    at += i % t->dim[k] * map_number(map, value->storage->stride[k]);
  return at;
}

// ---- cells ----

// The table entry of a node for element o of its result: the tables span the last axes of the result, or the axis that
// an argument gives for a list.
static int64_t entry_of(const Node *node, const int64_t *o, int rank) {
  const rsh_arg *table = node->call.arg, *end = table + RSH_MAX_ARGS;
  while (table < end && !rsh_arg_is_table(table))
    table++;
  if (table == end)
    return 0;
  int axis = rsh_table_axis_arg(node->call.op), last = rank - 1;
  if (axis >= 0 && table->rank == 1 && node->call.arg[axis].kind == RSH_ARG_LIST) {
    int64_t n = node->call.arg[axis].list[0].n;
    last = (int)(n < 0 ? n + rank : n);
  }
  int64_t entry = 0;
  for (int k = 0; k < table->rank; k++)
    entry = entry * table->dims[k] + (table->dims[k] == 1 ? 0 : o[last - table->rank + 1 + k]);
  return entry;
}

static void allocate(Tensor *t) {
  t->cell = memory_of(malloc(((size_t)t->count + 1) * sizeof *t->cell));
}

// Inputs and weights: each cell is the label of its place.
static void label_source(Map *map, const Value *value, OriginKind kind) {
  Tensor *t = &map->value[value->id];
  int64_t first = map_new_labels(
      map, (Origin){.kind = kind, .count = map_elements(map, value), .value = value});
  bool is_strided = value_is_strided(value);
  allocate(t);
  for (int64_t i = 0; i < t->count; i++)
    t->cell[i] = first + (is_strided ? map_place(map, value, i) : i);
}

static void apply_function(Step *s, Tensor *out) {
  for (int64_t i = 0; i < out->count; i++) {
    int64_t cell = s->in[0]->cell[i], o[RSH_MAX_RANK] = {0};
    index_of(out, i, o);
    int chain = map_chain(s->map, CELL_CHAIN(cell), s->node, entry_of(s->node, o, out->rank));
    out->cell[i] = CELL_LABEL(cell) | (int64_t)chain << CELL_LABEL_BITS;
  }
}

// Gives the elements of the result new labels, computed from the cells of the operand.
static void apply_to_cells(Step *s, Tensor *out, OriginKind kind) {
  size_t count = (size_t)s->in[0]->count;
  Origin made = {.kind = kind, .count = out->count, .node = s->node};
  int64_t *cell = memory_of(malloc((count + 1) * sizeof *cell));
  made.length = out->rank ? out->dim[out->rank - 1] : 1;
  made.cell = memcpy(cell, s->in[0]->cell, count * sizeof *cell);
  int64_t first = map_new_labels(s->map, made);
  for (int64_t i = 0; i < out->count; i++)
    out->cell[i] = first + i;
}

// True for a bitcast whose elements are parts of elements, or consist of several.
static bool is_resized(const Node *node) {
  return node->call.op == RSH_OP_BITCAST &&
         rsh_dtype_bits(node->in[0]->dtype) != rsh_dtype_bits(node->out[0]->dtype);
}

// Checks all indices, even if the result is empty.
static void find_bad_index(Step *s) {
  const Tensor *indices = mapped_operand(s, 1), *in = s->in[0];
  bool are_tuples = s->node->call.op == RSH_OP_GATHER_ND;
  int64_t first = are_tuples ? read_or(s, 0, 0)
                             : counted(read_or(s, s->node->call.op == RSH_OP_GATHER, 0), in->rank);
  int64_t length = are_tuples ? indices->dim[indices->rank - 1] : 1;
  for (int64_t at = 0; at < indices->count; at++)
    picked_index(s, at, in->dim[first + at % length]);
}

static void move_elements(Step *s, Tensor *out) {
  int64_t o[RSH_MAX_RANK] = {0}, fill = 0;
  if (rsh_op_family(s->node->call.op) == RSH_FILLS)
    fill = map_new_labels(s->map, (Origin){.kind = ORIGIN_FILL,
                                           .count = 1,
                                           .fill = &s->map->graph->fill.item[s->node->call.fill]});
  for (int64_t at = 0; at < out->count; at++) {
    int64_t i[RSH_MAX_RANK] = {0};
    int which = find_operand(s, o, i);
    if (s->map->status != RSH_ok)
      return; // a refused call needs no cells
    out->cell[at] =
        which == FILL ? fill : mapped_operand(s, which)->cell[flat(mapped_operand(s, which), i)];
    for (int k = out->rank - 1; k >= 0 && ++o[k] == out->dim[k]; k--)
      o[k] = 0;
  }
}

static Step new_step(Map *map, const Node *node, int result) {
  Step s = {.map = map, .node = node, .result = result};
  s.out = &map->value[node->out[result]->id];
  s.in[0] = mapped_operand(&s, 0);
  for (int k = 0; k < RSH_MAX_ARGS; k++) {
    rsh_arg arg = known_argument(map, node, k);
    if (arg.kind != RSH_ARG_LIST)
      continue;
    int64_t *list = ARENA_ARRAY(map->arena, int64_t, arg.count + 1);
    for (int32_t i = 0; i < arg.count; i++)
      list[i] = arg.list[i].n;
    s.list[k] = list;
    s.length[k] = arg.count;
  }
  return s;
}

static void run_result(Map *map, const Node *node, int result) {
  Tensor *out = &map->value[node->out[result]->id];
  Step s = new_step(map, node, result);
  allocate(out);
  switch (rsh_op_family(node->call.op)) {
  case RSH_RESHAPES:
  case RSH_KEEPS:
    if (is_resized(node)) {
      apply_to_cells(&s, out, ORIGIN_BITS);
      break;
    }
    memcpy(out->cell, s.in[0]->cell, (size_t)out->count * sizeof *out->cell);
    break;
  case RSH_MOVES:
  case RSH_FILLS:
    if (rsh_takes_indices(&node->call)) {
      s.index = read_indices(&s);
      find_bad_index(&s);
    }
    move_elements(&s, out);
    free((void *)(uintptr_t)s.index);
    break;
  case RSH_MAPS:
    apply_function(&s, out);
    break;
  case RSH_ROWS:
    apply_to_cells(&s, out, ORIGIN_ROWS);
    break;
  }
}

static bool is_read(const Node *node, const int *last) {
  bool is_one_read = false;
  for (int k = 0; k < node->call.out_count; k++)
    is_one_read = is_one_read || last[node->out[k]->id] >= 0;
  return is_one_read;
}

// The last node that reads each value, of the nodes that outputs need: below 0 if there is none. Outputs are kept to
// the end.
static int *last_uses(const Map *map) {
  const Graph *g = map->graph;
  int *last = ARENA_ARRAY(map->arena, int, g->value.count);
  for (int i = 0; i < g->value.count; i++)
    last[i] = g->value.item[i]->node ? -1 : 0;
  for (int i = 0; i < g->output_count; i++)
    last[g->output[i].value->id] = g->node.count;
  for (int i = g->node.count; i-- > 0;) {
    const Node *node = g->node.item[i];
    for (int k = 0; k < node->call.in_count && is_read(node, last); k++)
      if (last[node->in[k]->id] < i)
        last[node->in[k]->id] = i;
  }
  return last;
}

static void forget(Tensor *t) {
  free(t->cell);
  t->cell = NULL;
}

static bool has_labels(const Map *map) {
  return map_labels(map) < INT64_C(1) << CELL_LABEL_BITS && map->chain.count < 1 << 19;
}

static bool map_all(Map *map) {
  const Graph *g = map->graph;
  const int *last = last_uses(map);
  for (int i = 0; i < g->value.count; i++)
    if (i < g->input_count)
      label_source(map, g->value.item[i], ORIGIN_INPUT);
    else if (value_is_constant(g->value.item[i]))
      label_source(map, g->value.item[i], ORIGIN_CONSTANT);
  for (int i = 0; i < g->node.count && map->status == RSH_ok; i++) {
    const Node *node = g->node.item[i];
    if (!is_read(node, last)) // then it is not computed, and its indices are not read
      continue;
    for (int k = 0; k < node->call.out_count; k++)
      run_result(map, node, k);
    for (int k = 0; k < node->call.in_count; k++)
      if (last[node->in[k]->id] == i)
        forget(&map->value[node->in[k]->id]);
    for (int k = 0; k < node->call.out_count; k++)
      if (last[node->out[k]->id] < 0)
        forget(&map->value[node->out[k]->id]);
  }
  return has_labels(map);
}

// ---- some elements of large outputs, each traced back to its origin ----

enum {
  MANY = 1 << 17,     // elements: larger outputs are sampled,
  SOME = 1 << 15,     // one element from each of this many parts,
  AT_ENDS = 1 << 12,  // and this many at both ends
  MOST_FUNCTIONS = 32 // that are applied to one element
};

// Data about each value, computed before elements are traced: for a source its first label, else the step that computes
// it and the label of its fill.
typedef struct Trail {
  Step step;
  int64_t label;
} Trail;

static bool is_large(const Map *map) {
  bool large = false, can_follow = true;
  for (int i = 0; i < map->graph->output_count; i++) {
    const Value *value = map->graph->output[i].value;
    large = large || map->value[value->id].count > MANY;
    can_follow = can_follow && !value_is_strided(value);
  }
  for (int i = 0; i < map->graph->node.count; i++)
    can_follow = can_follow && !rsh_is_rowwise(map->graph->node.item[i]->call.op) &&
                 !rsh_takes_indices(&map->graph->node.item[i]->call) &&
                 !is_resized(map->graph->node.item[i]);
  for (int i = 0; i < map->graph->input_count; i++)
    can_follow = can_follow && !map->graph->value.item[i]->is_placed;
  return large && can_follow && map->graph->node.count <= MOST_FUNCTIONS;
}

static Trail *new_trails(Map *map) {
  const Graph *g = map->graph;
  Trail *trail = ARENA_ARRAY(map->arena, Trail, g->value.count);
  for (int i = 0; i < g->value.count; i++) {
    const Value *value = g->value.item[i];
    if (value->node) {
      const rsh_call *call = &value->node->call;
      trail[i].step = new_step(map, value->node, value->result);
      if (rsh_op_family(call->op) == RSH_FILLS)
        trail[i].label = map_new_labels(
            map, (Origin){.kind = ORIGIN_FILL, .count = 1, .fill = &g->fill.item[call->fill]});
    } else {
      trail[i].label =
          map_new_labels(map, (Origin){.kind = i < g->input_count ? ORIGIN_INPUT : ORIGIN_CONSTANT,
                                       .count = map_elements(map, value),
                                       .value = value});
    }
  }
  return trail;
}

// Traces element `at` of a value; returns its cell.
static int64_t follow_index(Map *map, const Trail *trail, const Value *value, int64_t at) {
  const Node *function[MOST_FUNCTIONS];
  int64_t entry[MOST_FUNCTIONS];
  int functions = 0, chain = 0;
  while (value->node) {
    const Step *s = &trail[value->id].step;
    int64_t o[RSH_MAX_RANK] = {0}, i[RSH_MAX_RANK] = {0};
    index_of(s->out, at, o);
    if (rsh_is_elementwise(value->node->call.op)) {
      entry[functions] = entry_of(value->node, o, s->out->rank);
      function[functions++] = value->node;
    }
    int which = find_operand(s, o, i);
    if (which == FILL)
      break;
    value = value->node->in[which];
    at = flat(&map->value[value->id], i);
  }
  while (functions-- > 0)
    chain = map_chain(map, chain, function[functions], entry[functions]);
  return (trail[value->id].label + (value->node ? 0 : map_place(map, value, at))) |
         (int64_t)chain << CELL_LABEL_BITS;
}

static void follow_some(Map *map, const Trail *trail, const Value *value) {
  Tensor *t = &map->value[value->id];
  bool all = t->count <= MANY;
  int64_t parts = all ? 0 : SOME, ends = all ? t->count : AT_ENDS, n = 0;
  uint64_t random = 1;
  allocate(t);
  if (!all)
    t->at = ARENA_ARRAY(map->arena, int64_t, parts + 2 * ends);
  for (int64_t i = 0; i < ends; i++, n++) {
    if (t->at)
      t->at[n] = i;
    t->cell[n] = follow_index(map, trail, value, i);
  }
  for (int64_t i = 0; i < parts; i++, n++) {
    int64_t from = t->count / parts * i;
    random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
    t->at[n] = from + (int64_t)(random >> 33) % (t->count / parts);
    t->cell[n] = follow_index(map, trail, value, t->at[n]);
  }
  for (int64_t i = 0; !all && i < ends; i++, n++) {
    t->at[n] = t->count - ends + i;
    t->cell[n] = follow_index(map, trail, value, t->at[n]);
  }
  t->some = n;
}

static bool run_some(Map *map) {
  const Graph *g = map->graph;
  const Trail *trail = new_trails(map);
  for (int i = 0; i < g->output_count; i++)
    if (!map->value[g->output[i].value->id].cell)
      follow_some(map, trail, g->output[i].value);
  return has_labels(map);
}

bool map_run(Map *map) {
  VEC_PUSH(map->arena, map->chain, ((Chain){0}));
  map->bucket = ARENA_ARRAY(map->arena, int, CHAIN_BUCKETS);
  return map->is_quick && is_large(map) ? run_some(map) : map_all(map);
}

bool map_picks(const Map *map) {
  for (int i = 0; i < map->graph->node.count; i++)
    if (rsh_takes_indices(&map->graph->node.item[i]->call))
      return true;
  return false;
}

rsh_status map_indices(Map *map) {
  Map trial = *map;
  trial.value = ARENA_ARRAY(map->arena, Tensor, map->graph->value.count + 1);
  memcpy(trial.value, map->value, (size_t)map->graph->value.count * sizeof *trial.value);
  map_run(&trial);
  map_free(&trial);
  return trial.status;
}

void map_free(Map *map) {
  for (int i = 0; map->value && i < map->graph->value.count; i++)
    forget(&map->value[i]);
  for (int i = 0; i < map->origin.count; i++)
    free((void *)(uintptr_t)map->origin.item[i].cell);
}
