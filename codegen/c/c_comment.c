// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The comment above a C function: the graph as text of the language, and the source of each element.
//
//   graph chw(x: u8[28, 28, 3]) -> y: u8[3, 28, 28] {
//       y = transpose(x, perm=[2, 0, 1])
//   }
//   y: transpose moves axes 0, 1 and 2: 3 x 784 elements
//     y[784*i + j] = x[i + 3*j]  for i < 3, j < 784
#include "codegen/c/c_internal.h"
#include "frontend/text/text_out.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MAPS = 8 };

static void put_chain(CText *text, const Graph *graph) {
  if (graph_text_constant(graph)) { // a weight, which the language cannot express
    c_put(text, " * graph %s\n", c_comment(text->arena, graph->name));
    return;
  }
  TextOut written;
  graph_write(graph, text_out_begin(&written));
  char *rest = text_out_end(&written, text->arena, NULL);
  for (char *line; (line = strtok_r(NULL, "\n", &rest));)
    c_put(text, " * %s\n", c_comment(text->arena, line));
}

// Adds a term for a stride in elements: "784*i".
static const char *with_step(Arena *arena, const Graph *graph, const char *text, rsh_num stride,
                             const char *index) {
  if (rsh_is(stride, 0))
    return text;
  bool minus = stride.n < 0;
  const char *factor = num_text(arena, graph, (rsh_num){minus ? -stride.n : stride.n, stride.poly});
  bool is_sum = strpbrk(factor, "+-") != NULL;
  const char *term = !index ? factor
                     : strcmp(factor, "1") == 0
                         ? index
                         : arena_printf(arena, is_sum ? "(%s)*%s" : "%s*%s", factor, index);
  if (!*text)
    return minus ? arena_printf(arena, "-%s", term) : term;
  return arena_printf(arena, "%s %c %s", text, minus ? '-' : '+', term);
}

// Bytes to elements; nests over single elements of less than a byte count these already. The result may overflow for
// the largest tensor, if its last byte has unused bits.
static rsh_num to_elements(rsh_num n, rsh_dtype type, bool by_element) {
  int bits = plan_element_bits(type);
  int64_t elements;
  if (bits < 8 && by_element)
    return n;
  if (bits < 8)
    return (rsh_num){__builtin_mul_overflow(n.n, 8 / bits, &elements) ? INT64_MAX : elements,
                     n.poly};
  return (rsh_num){n.n / (bits / 8), n.poly};
}

static const char *part_name(Arena *arena, rsh_dtype type) {
  return arena_printf(arena, ".%s", rsh_dtype_name(plan_integer_type(plan_element_bits(type))));
}

static void put_map(CText *text, const Plan *plan, const Nest *nest, const char *to,
                    rsh_dtype type) {
  Arena *arena = text->arena;
  const Graph *graph = plan->graph;
  bool is_fill = rsh_is_fill(nest->source);
  const Value *source = is_fill ? NULL : graph->value.item[nest->source];
  rsh_dtype from = is_fill ? type : plan_source_type(graph, nest->source);
  bool by_element = nest_is_by_element(nest);
  const char *part = "", *read = ""; // ".u1", if elements move in parts
  if (!by_element && (!c_has_size(nest->to, type) || !c_has_size(nest->from, from))) {
    type = from = RSH_U8;
    part = read = ".u8";
  }
  if (!c_has_size(nest->to, type) && by_element)
    part = part_name(arena, type = nest->to);
  if (!c_has_size(nest->from, from) && by_element)
    read = part_name(arena, from = nest->from);
  const char *dst = "", *src = "", *range = "";
  dst = with_step(arena, graph, dst, to_elements(nest->dst_offset, type, by_element), NULL);
  src = with_step(arena, graph, src, to_elements(nest->src_offset, from, by_element), NULL);
  rsh_num run = by_element ? rsh_int(1) : to_elements(nest->run, type, false);
  for (int i = 0; i <= nest->loop_count; i++) {
    const char *index = c_index(arena, i);
    bool is_run = i == nest->loop_count;
    rsh_num extent = is_run ? run : nest->loop[i].extent;
    if (rsh_is(extent, 1))
      continue;
    dst = with_step(arena, graph, dst,
                    is_run ? rsh_int(1) : to_elements(nest->loop[i].dst, type, by_element), index);
    src = with_step(arena, graph, src,
                    is_run ? rsh_int(1) : to_elements(nest->loop[i].src, from, by_element), index);
    range = arena_printf(arena, "%s%s%s < %s", range, *range ? ", " : "  for ", index,
                         num_text(arena, graph, extent));
  }
  const char *what = is_fill ? "a constant"
                     : !source->name
                         ? "a value that is looked up"
                         : arena_printf(arena, "%s%s[%s]", source->name, read, *src ? src : "0");
  c_put(text, " *   %s%s[%s] = %s%s%s%s\n", c_comment(arena, to), part, *dst ? dst : "0",
        nest_elements(nest).map ? "f of " : "", c_comment(arena, what), range,
        nest->places && nest->places->loop ? ", in the loops of each of the places"
        : nest->places                     ? ", at each of the places"
                                           : "");
}

static void put_maps(CText *text, const Plan *plan, const Nest *nest, int count, const char *to,
                     rsh_dtype type) {
  for (int i = 0; i < count && i < MOST_MAPS; i++)
    put_map(text, plan, &nest[i], to, type);
  if (count > MOST_MAPS)
    c_put(text, " *   and %d more\n", count - MOST_MAPS);
}

void c_put_comment(CText *text, const Plan *plan) {
  c_put(text, "\n/*\n");
  put_chain(text, plan->graph);
  for (int i = 0; i < plan->pass_count; i++)
    c_put(text, " * %s\n",
          c_comment(text->arena, plan_pass_text(text->arena, plan->graph, &plan->pass[i])));
  for (int i = 0; i < plan->output_count; i++) {
    const OutputPlan *out = &plan->output[i];
    const Value *value = out->output->value;
    c_put(text, " * %s: %s\n", c_comment(text->arena, out->output->name),
          c_comment(text->arena, out->why));
    if (!plan->tape)
      put_maps(text, plan, out->nest, out->nest_count, out->output->name, value->dtype);
  }
  c_put(text, " */");
}
