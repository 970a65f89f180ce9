// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A move is a descriptor: loops around a run of bytes. If an engine has fewer loops, the shortest ones are unrolled:
//
//   u8[4, 6, 3] to planes    {24, from 3, to 1} {3, from 1, to 24}, run 1
//   --dma-loops=1            {24, from 3, to 1}, run 1, from 0 to 0, from 1 to 24 and from 2 to 48
#include "codegen/dma/dma.h"

#include "codegen/header/c_text.h"
#include "codegen/plan/names.h"

#include <inttypes.h>
#include <string.h>

// A graph that needs more descriptors is refused: it is an error, or unsuitable for a DMA engine.
enum { MOST_DESCRIPTORS = 1 << 16 };

typedef struct DmaTable {
  Arena *arena;
  const Plan *plan;
  int64_t most_loops; // below 0: no limit
  bool is_big;        // the machine is big-endian
  const char *name;   // of the array
  CText row, loop, constant;
  int64_t rows;
  int loops, constants;
} DmaTable;

// ---- graphs that are refused

// The first node with this operator, for its span; NULL: there is none.
static const Node *node_of(const Graph *graph, rsh_op op) {
  for (int i = 0; i < graph->node.count; i++)
    if (graph->node.item[i]->call.op == op)
      return graph->node.item[i];
  return NULL;
}

static bool refuse(Diag *diag, const Output *output, const Node *node, const char *op,
                   const char *why) {
  diag_error(
      diag, node ? node->span : output->span, "unsupported",
      "'%s' cannot become a table of copies: %s %s; compile that to code, in a separate graph",
      output->name, op, why);
  return false;
}

static bool refuse_node(Diag *diag, const Output *output, const Node *node, const char *why) {
  return refuse(diag, output, node, node ? rsh_op_name(node->call.op) : "it", why);
}

static bool is_moved_by_dma(Arena *arena, const Plan *plan, const OutputPlan *out, const Nest *nest,
                            Diag *diag) {
  const Graph *graph = plan->graph;
  const Output *output = out->output;
  const Value *source = rsh_is_fill(nest->source) ? NULL : graph->value.item[nest->source];
  int steps = 0;
  const rsh_step *step = graph_map_steps(arena, graph, nest_elements(nest).map, &steps);
  if (steps > 0)
    return refuse(diag, output, node_of(graph, step->op), rsh_op_name(step->op),
                  "changes elements");
  if (source && value_is_constant(source)) {
    diag_error(diag, source->span, "unsupported",
               "'%s' cannot become a table of copies: it reads the weight '%s', and a table has no "
               "data; make it an input",
               output->name, source->name);
    return false;
  }
  if (source && !graph_is_source(graph, source->id))
    return refuse_node(diag, output, source->node, "moves pieces that loops cannot describe");
  if (nest_is_by_element(nest))
    return refuse_node(diag, output, output->value->node, "moves elements smaller than a byte");
  if (!source && graph->fill.item[-1 - nest->source].dtype == RSH_STRING)
    return refuse_node(diag, output, output->value->node, "stores strings, which are pointers");
  return true;
}

// "the size 'H'" of x: u8[H, 3], "the sizes of 'x'" of x: u8[?, 3].
static const char *what_is_open(Arena *arena, const Graph *graph) {
  for (int i = 0; i < graph->symbol.count; i++)
    if (symbol_is_parameter(&graph->symbol.item[i]) && graph->symbol.item[i].name)
      return arena_printf(arena, "the size '%s'", graph->symbol.item[i].name);
  for (int i = 0; i < graph->input_count; i++)
    if (!plan_is_known(graph->value.item[i]))
      return arena_printf(arena, "the sizes of '%s'", graph->value.item[i]->name);
  return "values of inputs";
}

static bool is_transfer(Arena *arena, const Plan *plan, const OutputPlan *out, Diag *diag) {
  const Output *output = out->output;
  // Even for an alias: its offset and the validity of the call can depend on sizes.
  if (plan->graph->symbol.count > 0 || out->tier == TIER_SYMBOLIC || out->tier == TIER_DYNAMIC) {
    const char *open = what_is_open(arena, plan->graph);
    return refuse_node(diag, output, output->value->node,
                       arena_printf(arena, "depends on %s, known only at run time", open));
  }
  if (out->tier == TIER_ALIAS)
    return true;
  if (out->via_count > 0) {
    const Pass *pass = out->via[0]; // or a pass that picks: the others may only feed it
    for (int i = 1; i < out->via_count && !pass->picks; i++)
      pass = out->via[i]->picks ? out->via[i] : pass;
    return refuse_node(diag, output, pass->value->node,
                       pass->picks ? "reads indices at run time" : "computes elements");
  }
  if (out->in_place)
    return refuse(
        diag, output, NULL, "it",
        "works in place, and copies would overwrite elements that have not been read yet");
  if (plan->signature.returns_status)
    return refuse_node(diag, output, output->value->node,
                       "has conditions, which a table cannot check");
  for (int i = 0; i < out->moves->count; i++)
    if (!is_moved_by_dma(arena, plan, out, &out->moved[i], diag))
      return false;
  return true;
}

// ---- descriptors

// Keeps the longest loops. Returns the number of descriptors after unrolling the others.
static int64_t choose_loops(const Nest *nest, int64_t most, bool *stays) {
  int64_t copies = 1;
  for (int i = 0; i < nest->loop_count; i++) {
    int64_t longer = 0;
    for (int k = 0; k < nest->loop_count; k++) {
      int64_t a = nest->loop[k].extent.n, b = nest->loop[i].extent.n;
      longer += a > b || (a == b && k > i);
    }
    stays[i] = most < 0 || longer < most;
    if (!stays[i] && copies <= MOST_DESCRIPTORS)
      copies *= nest->loop[i].extent.n <= MOST_DESCRIPTORS ? nest->loop[i].extent.n
                                                           : MOST_DESCRIPTORS + 1;
  }
  return copies;
}

// The widest access, up to 8 bytes, that divides all numbers: the lowest bit set in any of them.
static int transfer_width(const Nest *nest, const bool *stays, int64_t from, int64_t to) {
  uint64_t all = 8 | (uint64_t)nest->run.n | (uint64_t)from | (uint64_t)to;
  for (int i = 0; i < nest->loop_count; i++)
    if (stays[i])
      all |= (uint64_t)nest->loop[i].src.n | (uint64_t)nest->loop[i].dst.n;
  return (int)(all & (~all + 1));
}

// Adds a constant, repeated to 16 bytes. Returns the expression of its address.
static const char *put_constant(DmaTable *t, int source) {
  uint8_t byte[16];
  int period = plan_fill(t->plan->graph, source, byte);
  uint32_t number = plan_element_align(t->plan->graph->fill.item[-1 - source].dtype);
  int flip = t->is_big ? (int)number - 1 : 0; // the highest byte first
  c_put(&t->constant, "%s\n    {{", t->constants > 0 ? "," : "");
  for (int i = 0; i < 16; i++)
    c_put(&t->constant, "%s%d", i > 0 ? ", " : "", byte[(i ^ flip) % period]);
  c_put(&t->constant, "}}");
  return arena_printf(t->arena, "&%s_constant[%d]", t->name, t->constants++);
}

// Adds the loops of a nest that stay, which all its descriptors share.
static const char *put_descriptor_loops(DmaTable *t, const Nest *nest, const bool *stays,
                                        int *count) {
  int first = t->loops;
  for (int i = 0; i < nest->loop_count; i++) {
    const Loop *loop = &nest->loop[i];
    if (stays[i])
      c_put(&t->loop, "%s\n    {%" PRId64 ", %" PRId64 ", %" PRId64 "}", t->loops++ > 0 ? "," : "",
            loop->extent.n, loop->src.n, loop->dst.n);
  }
  *count = t->loops - first;
  return *count > 0 ? arena_printf(t->arena, "&%s_loop[%d]", t->name, first) : "0";
}

static void put_descriptor(DmaTable *t, const char *row) {
  c_put(&t->row, "%s\n    %s", t->rows++ > 0 ? "," : "", row);
}

static bool put_descriptors(DmaTable *t, int output, const Nest *nest, Diag *diag) {
  bool *stays = ARENA_ARRAY(t->arena, bool, nest->loop_count + 1);
  int64_t copies = choose_loops(nest, t->most_loops, stays);
  if (t->rows + copies > MOST_DESCRIPTORS) {
    const Output *out = t->plan->output[output].output;
    diag_error(diag, out->span, "unsupported", "'%s' takes more than %d descriptors%s", out->name,
               MOST_DESCRIPTORS,
               t->most_loops < 0
                   ? ""
                   : arena_printf(t->arena, " with --dma-loops=%" PRId64 "; allow more loops",
                                  t->most_loops));
    return false;
  }
  int loops;
  const char *loop = put_descriptor_loops(t, nest, stays, &loops);
  bool fills = rsh_is_fill(nest->source);
  const char *constant = fills ? put_constant(t, nest->source) : "0";
  for (int64_t copy = 0; copy < copies; copy++) {
    int64_t from = nest->src_offset.n, to = nest->dst_offset.n, rest = copy;
    for (int i = nest->loop_count - 1; i >= 0; i--) {
      if (stays[i])
        continue;
      from += rest % nest->loop[i].extent.n * nest->loop[i].src.n;
      to += rest % nest->loop[i].extent.n * nest->loop[i].dst.n;
      rest /= nest->loop[i].extent.n;
    }
    put_descriptor(
        t, arena_printf(t->arena, "{%d, %d, %s, %" PRId64 ", %" PRId64 ", %" PRId64 ", %d, %d, %s}",
                        fills ? -1 : nest->source, output, constant, fills ? 0 : from, to,
                        nest->run.n, transfer_width(nest, stays, from, to), loops, loop));
  }
  return true;
}

// ---- the header

static void put_array(CText *text, const char *type, const char *name, const char *part,
                      const CText *rows) {
  if (rows->letter.count > 0)
    c_put(text, "static const %s %s%s[] = {%.*s};\n", type, name, part, rows->letter.count,
          rows->letter.item);
}

// "y is output 0: descriptors 0 to 2."
static void put_output(CText *text, DmaTable *t, int index, int64_t first) {
  const OutputPlan *out = &t->plan->output[index];
  const char *name = c_comment(t->arena, out->output->name);
  rsh_num start = rsh_int(0);
  if (out->tier == TIER_ALIAS && out->source) {
    plan_to_bytes(out->offset, out->source->dtype, &start);
    c_put(text,
          " * %s is output %d, and an alias of %s from byte %" PRId64 " on: nothing is copied.\n",
          name, index, c_comment(t->arena, out->source->name), start.n);
  } else if (t->rows == first) {
    c_put(text, " * %s is output %d: nothing is copied.\n", name, index);
  } else {
    c_put(text, " * %s is output %d: descriptors %" PRId64 " to %" PRId64 ".\n", name, index, first,
          t->rows - 1);
  }
  for (int i = 0; i < out->placed_count; i++) {
    plan_to_bytes(out->placed[i].offset, out->placed[i].input->dtype, &start);
    c_put(text, " * %s is stored in %s from byte %" PRId64 " on, and is not copied.\n",
          c_comment(t->arena, out->placed[i].input->name), name, start.n);
  }
}

static bool put_graph(Arena *arena, CText *text, const Plan *plan, const char *function,
                      const char *macro, const EmitOptions *options, bool is_big, Diag *diag) {
  DmaTable t = {.arena = arena,
                .plan = plan,
                .most_loops = options->dma_loops,
                .is_big = is_big,
                .name = arena_printf(arena, "%s_dma", function),
                .row = {.arena = arena},
                .loop = {.arena = arena},
                .constant = {.arena = arena}};
  for (int i = 0; i < plan->output_count; i++)
    if (!is_transfer(arena, plan, &plan->output[i], diag))
      return false;
  c_put(text, "\n#ifndef %s_COUNT\n/*\n * graph %s\n", macro, c_comment(arena, plan->graph->name));
  for (int i = 0; i < plan->graph->input_count; i++)
    c_put(text, " * %s is input %d.\n", c_comment(arena, plan->graph->value.item[i]->name), i);
  for (int i = 0; i < plan->output_count; i++) {
    const OutputPlan *out = &plan->output[i];
    int64_t first = t.rows;
    for (int k = 0; out->moved && k < out->moves->count; k++)
      if (!put_descriptors(&t, i, &out->moved[k], diag))
        return false;
    put_output(text, &t, i, first);
  }
  c_put(text, " */\n#define %s_COUNT %" PRId64 "\n", macro, t.rows);
  put_array(text, "rsh_dma_constant", t.name, "_constant", &t.constant);
  put_array(text, "rsh_dma_loop", t.name, "_loop", &t.loop);
  if (t.rows == 0) // C has no empty arrays
    c_put(&t.row, "{0, 0, 0, 0, 0, 0, 0, 0, 0}");
  put_array(text, "rsh_dma", t.name, "", &t.row);
  c_put(text, "#endif\n");
  return true;
}

static void put_types(CText *text) {
  c_put(
      text,
      "#ifndef RSH_DMA\n#define RSH_DMA\n"
      "#include <stddef.h>\n#include <stdint.h>\n\n"
      "/* Offsets, strides and runs count bytes. `from` is in the input, `to` in the output. */\n"
      "typedef struct rsh_dma_loop {\n"
      "  size_t count;\n"
      "  ptrdiff_t from, to; /* strides */\n"
      "} rsh_dma_loop;\n\n"
      "/* An element, repeated: byte k of a run is byte[k %% 16]. */\n"
      "typedef union rsh_dma_constant {\n"
      "  uint8_t byte[16];\n"
      "  uint64_t aligned;\n"
      "} rsh_dma_constant;\n\n"
      "/* For each index of the loops, outermost first: `run` bytes. Descriptors of an output go "
      "in any order. */\n"
      "typedef struct rsh_dma {\n"
      "  int input, output; /* their numbers; input -1: a constant */\n"
      "  const rsh_dma_constant *constant; /* to be repeated; else 0 */\n"
      "  size_t from, to, run;\n"
      "  int width; /* 1, 2, 4 or 8: the widest access in bytes, if tensors are aligned to it */\n"
      "  int loops;\n"
      "  const rsh_dma_loop *loop; /* 0: none */\n"
      "} rsh_dma;\n#endif\n");
}

bool emit_dma(Arena *arena, const Plan *const *plans, int count, const EmitOptions *options,
              bool is_big, Bytes *out, Diag *diag) {
  CText text = {.arena = arena};
  NameSet macros = {.arena = arena};
  const GraphNames *names = graph_names(arena, plans, count, false);
  const char *source = diag->source ? diag->source->name : "", *slash = strrchr(source, '/');
  bool good = true;
  c_put(&text, "/* Generated by reshapec from %s: copies for a DMA engine.%s */\n",
        c_comment(arena, slash ? slash + 1 : source),
        options->stamp
            ? arena_printf(arena, "\n * %s", c_comment(arena, stamp_text(arena, options->stamp)))
            : "");
  put_types(&text);
  for (int i = 0; i < count; i++) {
    const char *function = names[i].entry[ENTRY_WHOLE];
    const char *macro =
        name_unique(&macros, arena_printf(arena, "%s_DMA", c_macro_part(arena, function)));
    good = put_graph(arena, &text, plans[i], function, macro, options, is_big, diag) && good;
  }
  *out = (Bytes){text.letter.item, (size_t)text.letter.count};
  return good;
}
