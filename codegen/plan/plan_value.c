// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts about values, moves and nests that the whole planner uses.
#include "codegen/plan/plan_internal.h"
#include "frontend/graph/facts.h"

#include <inttypes.h>

const char *tier_name(Tier tier) {
  switch (tier) {
  case TIER_ALIAS:
    return "alias";
  case TIER_STATIC:
    return "static";
  case TIER_SYMBOLIC:
    return "symbolic";
  case TIER_DYNAMIC:
    return "dynamic";
  }
  return "";
}

const Plan *plan_nonempty(const Plan *plan) {
  int last = plan->graph->variant.count - 1;
  return last >= 0 && plan->graph->variant.item[last].least > 0 ? plan->variant[last] : NULL;
}

// The size of a pointer: targets with another size are refused. It does not depend on the host.
enum { STRING_BITS = 64 };

int plan_element_bits(rsh_dtype type) {
  return type == RSH_STRING ? STRING_BITS : rsh_dtype_bits(type);
}

rsh_dtype plan_integer_type(int bits) {
  static const rsh_dtype type[] = {RSH_U1, RSH_U2, RSH_U4, RSH_U8, RSH_U16, RSH_U32, RSH_U64};
  return type[__builtin_ctz((unsigned)bits)];
}

rsh_dtype plan_moved_type(const rsh_moves *moves, rsh_dtype type) {
  return moves->parts > 1 ? plan_integer_type(plan_element_bits(type) / moves->parts) : type;
}

rsh_dtype plan_source_type(const Graph *graph, int source) {
  if (rsh_is_fill(source))
    return graph->fill.item[-1 - source].dtype;
  const Value *value = graph->value.item[source];
  return graph_is_source(graph, source) || !value->moves
             ? value->dtype
             : plan_moved_type(value->moves, value->dtype);
}

uint32_t plan_element_align(rsh_dtype type) {
  int bits = plan_element_bits(type);
  if (rsh_dtype_is_complex(type))
    bits /= 2;
  return bits < 8 ? 1 : (uint32_t)bits / 8;
}

uint32_t plan_common_align(rsh_dtype a, rsh_dtype b) {
  return plan_element_align(a) < plan_element_align(b) ? plan_element_align(a)
                                                       : plan_element_align(b);
}

static uint32_t declared_align(uint32_t align, rsh_dtype type) {
  return align > plan_element_align(type) ? align : plan_element_align(type);
}

uint32_t plan_input_align(const Value *input) { return declared_align(input->align, input->dtype); }

uint32_t plan_output_align(const Output *output) {
  return declared_align(output->align, output->value->dtype);
}

// Elements of less than a byte are repeated to fill it: 1 of i4 is 0x11.
int plan_fill(const Graph *graph, int source, uint8_t bytes[16]) {
  const Fill *fill = &graph->fill.item[-1 - source];
  int bits = plan_element_bits(fill->dtype);
  for (int i = 0; i < 16; i++)
    bytes[i] = fill->bits[i];
  for (; bits < 8; bits *= 2)
    bytes[0] = (uint8_t)(bytes[0] | bytes[0] << bits);
  return bits / 8;
}

bool plan_is_packed(const OutputPlan *out) {
  return plan_element_bits(out->output->value->dtype) < 8;
}

bool plan_is_staged(const Graph *graph, int source) {
  return !rsh_is_fill(source) && !graph_is_source(graph, source);
}

bool plan_is_known(const Value *value) {
  if (value->shape.rank == RSH_RANK_UNKNOWN)
    return false;
  for (int32_t i = 0; i < value->shape.rank; i++)
    if (!rsh_is_known(value->shape.dim[i]))
      return false;
  return true;
}

bool plan_nest_is_known(const Nest *nest) {
  bool known = rsh_is_known(nest->run) && rsh_is_known(nest->src_offset) &&
               rsh_is_known(nest->dst_offset) && rsh_is_known(nest_elements(nest).at_offset);
  for (int i = 0; i < nest->loop_count; i++)
    known = known && rsh_is_known(nest->loop[i].extent) && rsh_is_known(nest->loop[i].src) &&
            rsh_is_known(nest->loop[i].dst) && rsh_is_known(nest->loop[i].at);
  return known;
}

// False: more than 63 bits hold.
static bool bytes_of(const Value *value, int64_t elements, uint64_t *bytes) {
  uint64_t n = (uint64_t)elements, bits = (uint64_t)plan_element_bits(value->dtype);
  return !__builtin_mul_overflow(n / 8, bits, bytes) &&
         !__builtin_add_overflow(*bytes, (n % 8 * bits + 7) / 8, bytes) && *bytes <= INT64_MAX;
}

uint64_t plan_own_bytes(const Value *value) {
  rsh_num volume;
  uint64_t bytes;
  if (rsh_volume(NULL, &value->shape, &volume) != RSH_ok)
    return 0; // too large, so it is never written
  return bytes_of(value, volume.n, &bytes) ? bytes : 0;
}

// The elements and bytes of its memory, including the gaps between strides. False: too large.
static bool value_bytes(const Value *value, int64_t *elements, uint64_t *bytes) {
  rsh_num volume;
  if (rsh_volume(NULL, &value->shape, &volume) != RSH_ok)
    return false;
  *elements = value_is_strided(value) ? value->storage->span.n : volume.n;
  return bytes_of(value, *elements, bytes);
}

int64_t plan_value_elements(const Value *value) {
  int64_t elements = 0;
  uint64_t bytes;
  return value_bytes(value, &elements, &bytes) ? elements : 0;
}

uint64_t plan_value_bytes(const Value *value) {
  int64_t elements;
  uint64_t bytes;
  return value_bytes(value, &elements, &bytes) ? bytes : 0;
}

const char *value_title(const Value *value) {
  return value->name ? value->name : rsh_op_name(value->node->call.op);
}

bool check_size(Plan *plan, const Value *value, const char *name, Span span) {
  int64_t elements = 0;
  uint64_t bytes;
  if (!plan_is_known(value) || value_bytes(value, &elements, &bytes))
    return true;
  if (!plan->too_large) {
    plan->too_large = value;
    plan->too_large_name = name;
    plan->too_large_span = span;
  }
  return false;
}

void plan_refuse_size(const Plan *plan, Diag *diag) {
  int64_t elements = 0;
  uint64_t bytes;
  value_bytes(plan->too_large, &elements, &bytes);
  diag_error(diag, plan->too_large_span, "overflow",
             "'%s' has %" PRId64 " elements of %d bits: more than the %" PRIdMAX
             " bytes that a pointer difference can hold",
             plan->too_large_name, elements, plan_element_bits(plan->too_large->dtype), INTMAX_MAX);
}

static bool refuse_value(const Value *value, const char *name, Span span, int pointer,
                         const char *machine, Diag *diag) {
  int64_t most = INT64_MAX >> (64 - pointer), elements = 0;
  uint64_t bytes = 0;
  if (value->dtype == RSH_STRING && pointer != STRING_BITS) {
    diag_error(diag, span, "unsupported",
               "'%s' has strings, which are 64-bit pointers, but pointers of '%s' have %d bits",
               name, machine, pointer);
    return true;
  }
  if (!plan_is_known(value) || !value_bytes(value, &elements, &bytes) || bytes <= (uint64_t)most)
    return false;
  diag_error(diag, span, "overflow",
             "'%s' takes %" PRIu64 " bytes: more than the %" PRId64
             " that a pointer difference of '%s' can hold",
             name, bytes, most, machine);
  return true;
}

static bool refuse_own(const Value *value, int pointer, const char *machine, Diag *diag) {
  return refuse_value(value, value_title(value), value->span, pointer, machine, diag);
}

bool plan_refuse_sizes(const Plan *plan, int pointer, const char *machine, Diag *diag) {
  const Graph *graph = plan->graph;
  bool refused = false;
  for (int i = 0; i < graph->input_count; i++)
    refused = refuse_own(graph->value.item[i], pointer, machine, diag) || refused;
  for (int i = 0; i < graph->output_count; i++)
    refused = refuse_value(graph->output[i].value, graph->output[i].name, graph->output[i].span,
                           pointer, machine, diag) ||
              refused;
  for (int i = 0; i < plan->pass_count; i++)
    refused = refuse_own(plan->pass[i].value, pointer, machine, diag) || refused;
  for (int i = 0; i < plan->stage_count; i++)
    refused = refuse_own(plan->stage[i].value, pointer, machine, diag) || refused;
  for (int i = 0; i < graph->variant.count && !refused; i++)
    refused = plan_refuse_sizes(plan->variant[i], pointer, machine, diag);
  return refused;
}

static const Node *resizing_node(const Graph *graph) {
  for (int i = 0; i < graph->node.count; i++) {
    const Node *n = graph->node.item[i];
    if (n->call.op == RSH_OP_BITCAST &&
        rsh_dtype_bits(n->in[0]->dtype) != rsh_dtype_bits(n->out[0]->dtype))
      return n;
  }
  return NULL;
}

bool plan_resizes(const Plan *plan) { return resizing_node(plan->graph) != NULL; }

bool plan_refuse_order(const Plan *plan, const char *machine, Diag *diag) {
  const Node *node = resizing_node(plan->graph);
  if (node)
    diag_error(diag, node->span, "unsupported",
               "'%s' is big-endian, and bitcast to another element size is little-endian", machine);
  return node != NULL;
}

bool plan_to_bytes(rsh_num elements, rsh_dtype dtype, rsh_num *bytes) {
  int64_t bits = plan_element_bits(dtype), n;
  if (bits >= 8 ? __builtin_mul_overflow(elements.n, bits / 8, &n)
                : __builtin_mul_overflow(elements.n, bits, &n) || n % 8 != 0)
    return false;
  *bytes = (rsh_num){bits >= 8 ? n : n / 8, elements.poly};
  return true;
}

// Nests contain only known numbers and polynomials.
bool moves_are_numbers(const rsh_moves *moves) {
  for (int32_t i = 0; i < moves->count; i++)
    if (rsh_is_unknown(moves->move[i].src_offset) || rsh_is_unknown(moves->move[i].dst_offset))
      return false;
  for (int32_t i = 0; i < moves->axis_count; i++)
    if (rsh_is_unknown(moves->axis[i].extent) || rsh_is_unknown(moves->axis[i].dst) ||
        rsh_is_unknown(moves->axis[i].src))
      return false;
  return true;
}

static bool move_is_known(const rsh_moves *moves, const rsh_move *move) {
  bool known = rsh_is_known(move->src_offset) && rsh_is_known(move->dst_offset);
  for (int32_t i = 0; i < move->axis_count; i++) {
    const rsh_axis *axis = &moves->axis[move->first + i];
    known =
        known && rsh_is_known(axis->extent) && rsh_is_known(axis->dst) && rsh_is_known(axis->src);
  }
  return known;
}

bool moves_are_known(const rsh_moves *moves) {
  for (int32_t i = 0; i < moves->count; i++)
    if (!move_is_known(moves, &moves->move[i]))
      return false;
  return true;
}

bool plan_is_positive(const Plan *plan, rsh_num n) {
  return rsh_sign(plan->graph->symbols, n) == 1;
}

void mark_reads(const Graph *graph, const rsh_moves *moves, bool *seen) {
  for (int32_t i = 0; i < moves->count; i++) {
    int id = moves->move[i].source;
    if (id < 0 || seen[id])
      continue;
    seen[id] = true;
    const Value *value = graph->value.item[id];
    if (value->table)
      seen[value->table_source->id] = true;
    else if (!graph_is_source(graph, id) && value->moves)
      mark_reads(graph, value->moves, seen);
  }
}

bool pass_is_rowwise(const Pass *pass) { return rsh_is_rowwise(pass->value->node->call.op); }

void mark_feeds(const Graph *graph, const Value *value, bool *seen) {
  if (value->feed)
    mark_reads(graph, value->feed, seen);
  if (value->picked_from)
    seen[value->picked_from->source] = seen[value->picked_by->source] = true;
}

// An operand has a lower number than the values made from it.
void mark_sources(const Graph *graph, const rsh_moves *moves, bool *seen) {
  mark_reads(graph, moves, seen);
  for (int i = graph->value.count - 1; i >= graph->input_count; i--)
    if (seen[i])
      mark_feeds(graph, graph->value.item[i], seen);
}

bool num_in_variant(const Plan *plan, const Variant *variant, const Graph *to, rsh_num n,
                    rsh_num *out) {
  rsh_num atom[RSH_MAX_SYMBOLS] = {{0, 0}};
  for (int i = 0; i < plan->graph->symbol.count; i++) {
    int64_t bound = variant->bound[i];
    rsh_num symbol = bound >= 0 ? rsh_int(bound) : to->symbol.item[i].num;
    if (graph_has_atom(plan->graph, i) &&
        !rsh_div(to->symbols, symbol, rsh_int(plan->graph->symbol.item[i].divisor), &atom[i]))
      return false;
  }
  return num_substitute(to->symbols, plan->graph->symbols, n, atom, out);
}
