// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The picture of a graph: two diagrams, of its operators and of its kernels, and a memory access diagram for each
// output that elements are copied to.
#include "driver/pictures/picture.h"

#include "codegen/plan/nest_text.h"
#include "driver/pictures/diagram.h"
#include "driver/pictures/walk.h"

#include <inttypes.h>
#include <string.h>

enum {
  LEFT = 20,        // margin of everything
  BETWEEN = 56,     // between the two diagrams
  BELOW = 26,       // below a part of the picture
  MOST_BOXES = 250, // of a graph, else it is not drawn
  MOST_CHARS = 46,  // of a line in a box
  WIDEST = 1000,    // two diagrams side by side
};

// A line of a box; a text that is too long is truncated and ends in "...".
static const char *ellipsized(Arena *arena, const char *text) {
  if (svg_columns(text) <= MOST_CHARS)
    return text;
  size_t bytes = 0;
  for (int columns = 0; columns < MOST_CHARS - 3; bytes++)
    columns += ((unsigned char)text[bytes + 1] & 0xC0) != 0x80;
  return arena_printf(arena, "%.*s...", (int)bytes, text);
}

// ---- the graph as written ----

// A target that is read from data: "s", "[d, -1]".
static const char *targets_text(Arena *arena, const Graph *graph, const Node *node, int arg) {
  const TargetData *data = &node->data[arg];
  if (data->tensor)
    return data->tensor->name ? data->tensor->name : "?";
  const char *text = "[";
  for (int32_t i = 0; i < node->call.arg[arg].count; i++) {
    const char *name = data->entry[i] ? data->entry[i]->name : NULL;
    text = arena_printf(arena, "%s%s%s", text, i ? ", " : "",
                        name ? target_text(arena, data, i, name)
                        : data->entry[i] != NULL
                            ? "?"
                            : num_text(arena, graph, node->call.arg[arg].list[i]));
  }
  return arena_printf(arena, "%s]", text);
}

// A bound of a slice; "" if it is the default, or past the end of the axis.
static const char *bound_text(Arena *arena, const Graph *graph, rsh_num n, rsh_num nothing) {
  bool is_far = rsh_is_known(n) && rsh_is_known(nothing) && nothing.n > 0 && n.n >= nothing.n;
  return is_far || rsh_equal(n, nothing) ? "" : num_text(arena, graph, n);
}

// "slice [:, 1::2]": shorter than starts, ends, axes and steps. NULL if these are not all lists, or a step is not
// positive.
static const char *slice_text(Arena *arena, const Graph *graph, const rsh_call *call) {
  const rsh_arg *arg = call->arg;
  int32_t rank = call->in[0]->rank, last = -1;
  const char *axis_text[RSH_MAX_RANK] = {0};
  if (call->op != RSH_OP_SLICE || rsh_reads_data(call))
    return NULL;
  for (int32_t i = 0; i < arg[RSH_SLICE_STARTS].count; i++) {
    rsh_num step =
        arg[RSH_SLICE_STEPS].kind == RSH_ARG_LIST ? arg[RSH_SLICE_STEPS].list[i] : rsh_int(1);
    int64_t axis = arg[RSH_SLICE_AXES].kind == RSH_ARG_LIST ? arg[RSH_SLICE_AXES].list[i].n : i;
    axis += axis < 0 ? rank : 0;
    if (axis < 0 || axis >= rank || !rsh_is_known(step) || step.n <= 0)
      return NULL;
    const char *by = step.n == 1 ? "" : arena_printf(arena, ":%s", num_text(arena, graph, step));
    axis_text[axis] = arena_printf(
        arena, "%s:%s%s", bound_text(arena, graph, arg[RSH_SLICE_STARTS].list[i], rsh_int(0)),
        bound_text(arena, graph, arg[RSH_SLICE_ENDS].list[i], call->in[0]->dim[axis]), by);
    last = axis > last ? (int32_t)axis : last;
  }
  const char *text = "slice [";
  for (int32_t i = 0; i <= last; i++)
    text = arena_printf(arena, "%s%s%s", text, i ? ", " : "", axis_text[i] ? axis_text[i] : ":");
  return arena_printf(arena, "%s]", text);
}

// "transpose perm=[0, 2, 1, 3]"
static const char *node_label(Arena *arena, const Graph *graph, const Node *node) {
  const char *layout = node->is_layout ? "layout: " : "";
  const char *slice = slice_text(arena, graph, &node->call);
  if (slice)
    return slice;
  const char *text = arena_printf(arena, "%s%s", layout, rsh_op_name(node->call.op));
  const char *spec = rsh_op_arguments(node->call.op);
  for (int i = 0; i < RSH_MAX_ARGS && *spec; i++) {
    const rsh_arg *arg = &node->call.arg[i];
    int length = (int)strcspn(spec, "|:");
    bool is_activation = strncmp(spec + strcspn(spec, ":"), ":name", 5) == 0; // a separate node
    if (arg->kind != RSH_ARG_ABSENT && !is_activation)
      text =
          arena_printf(arena, "%s %.*s=%s", text, length, spec,
                       arg->kind == RSH_ARG_TENSOR ? targets_text(arena, graph, node, i)
                                                   : argument_text(arena, graph, &node->call, i));
    spec += strcspn(spec, " ");
    spec += strspn(spec, " ");
  }
  return text;
}

static const char *results_text(Arena *arena, const Graph *graph, const Node *node) {
  const char *text = "";
  for (int32_t k = 0; k < node->call.out_count; k++) {
    const Value *value = node->out[k];
    text =
        arena_printf(arena, "%s%s%s%s%s", text, k ? ", " : "", value->name ? value->name : "",
                     value->name ? ": " : "", type_text(arena, graph, value->dtype, &value->shape));
    if (svg_columns(text) > MOST_CHARS)
      break;
  }
  return text;
}

static BoxKind box_kind(const Graph *graph, const Node *node, const char **effect) {
  *effect = plan_effect(graph, node);
  if (*effect)
    return BOX_MOVES;
  bool computes = rsh_is_elementwise(node->call.op) || rsh_is_rowwise(node->call.op);
  *effect = computes ? "computes" : "moves nothing";
  return computes ? BOX_COMPUTES : BOX_KEEPS;
}

// The box of a value that is read.
static int box_of(Diagram *d, const Graph *graph, int *box, const Value *value) {
  const char *name = value->name ? value->name : "constant";
  if (box[value->id] < 0)
    box[value->id] = diagram_box(d, BOX_VALUE, name, value_text(d->arena, graph, value), "");
  return box[value->id];
}

static void add_wire(Diagram *d, int from, int to) {
  for (int i = d->wire.count - 1; i >= 0 && d->wire.item[i].to == to; i--)
    if (d->wire.item[i].from == from)
      return; // two results of one operator
  diagram_wire(d, from, to);
}

// Wires the values that a node reads (operands, and targets that are data) to box `to`. `to` < 0: only creates their
// boxes.
static void add_operands(Diagram *d, const Graph *graph, const Node *node, int *box, int to) {
  VEC(const Value *) read = {0};
  for (int32_t k = 0; k < node->call.in_count; k++)
    VEC_PUSH(d->arena, read, node->in[k]);
  for (int i = 0; i < RSH_MAX_ARGS && node->data; i++) {
    const TargetData *data = &node->data[i];
    if (data->tensor)
      VEC_PUSH(d->arena, read, data->tensor);
    for (int32_t k = 0; data->entry && k < node->call.arg[i].count; k++)
      if (data->entry[k])
        VEC_PUSH(d->arena, read, data->entry[k]);
  }
  for (int i = 0; i < read.count; i++) {
    int from = box_of(d, graph, box, read.item[i]);
    if (to >= 0)
      add_wire(d, from, to);
  }
}

static void add_node(Diagram *d, const Graph *graph, const Node *node, int *box) {
  const char *effect, *title = ellipsized(d->arena, node_label(d->arena, graph, node));
  BoxKind kind = box_kind(graph, node, &effect);
  add_operands(d, graph, node, box, -1);
  int made = diagram_box(d, kind, title, ellipsized(d->arena, results_text(d->arena, graph, node)),
                         effect);
  add_operands(d, graph, node, box, made);
  for (int32_t k = 0; k < node->call.out_count; k++)
    box[node->out[k]->id] = made;
}

// The numbers of boxes by value; -1: no box yet.
static int *no_boxes(Arena *arena, const Graph *graph) {
  int *box = ARENA_ARRAY(arena, int, graph->value.count + 1);
  for (int i = 0; i < graph->value.count; i++)
    box[i] = -1;
  return box;
}

// True if the graph is too large for a readable picture; a box then contains a message instead.
static bool is_beyond_picture(Diagram *d, const Graph *graph) {
  if (graph->node.count + graph->input_count + graph->output_count <= MOST_BOXES)
    return false;
  const char *title = arena_printf(d->arena, "%d operators, %s, %s", graph->node.count,
                                   arena_count(d->arena, graph->input_count, "input"),
                                   arena_count(d->arena, graph->output_count, "result"));
  diagram_box(d, BOX_NOTE, title, "too many to draw", "");
  return true;
}

static Diagram *diagram_of_graph(Arena *arena, const Graph *graph) {
  Diagram *d = ARENA_NEW(arena, Diagram);
  *d = (Diagram){.arena = arena, .title = "as written"};
  if (is_beyond_picture(d, graph))
    return d;
  int *box = no_boxes(arena, graph);
  for (int i = 0; i < graph->input_count; i++)
    (void)box_of(d, graph, box, graph->value.item[i]);
  for (int i = 0; i < graph->node.count; i++)
    add_node(d, graph, graph->node.item[i], box);
  for (int i = 0; i < graph->output_count; i++) {
    const Output *output = &graph->output[i];
    int from = box_of(d, graph, box, output->value);
    const char *type = value_text(arena, graph, output->value);
    diagram_wire(d, from, diagram_box(d, BOX_VALUE, output->name, type, ""));
  }
  return d;
}

// ---- the folded result ----

// The box of the kernel that computes an output, or of an alias.
static int box_of_output(Diagram *d, const Graph *graph, const OutputPlan *output) {
  Arena *arena = d->arena;
  switch (output->tier) {
  case TIER_ALIAS:
    return diagram_box(d, BOX_KEEPS, "alias",
                       output->source ? arena_printf(arena, "%s from element %s on; nothing moves",
                                                     output->source->name,
                                                     num_text(arena, graph, output->offset))
                                      : "without elements; nothing moves",
                       "");
  case TIER_STATIC:
  case TIER_SYMBOLIC: {
    int nests = output->nest_count;
    const char *bytes = output->tier == TIER_STATIC
                            ? arena_printf(arena, "%" PRIu64 " bytes copied, ", output->bytes_moved)
                            : "";
    return diagram_box(d, BOX_MOVES, arena_printf(arena, "one kernel, %s", tier_name(output->tier)),
                       arena_printf(arena, "%s%d loop nest%s", bytes, nests, nests == 1 ? "" : "s"),
                       "");
  }
  case TIER_DYNAMIC:
    break;
  }
  return diagram_box(d, BOX_MOVES, "dynamic", "resolved, folded and moved by the runtime", "");
}

static int box_of_pass(Diagram *d, const Graph *graph, const Pass *pass) {
  const char *moved = pass->nest_count > 0 ? "moved there, " : "";
  const char *place = pass->output >= 0 ? "the result" : "scratch memory";
  return diagram_box(d, BOX_COMPUTES, plan_pass_text(d->arena, graph, pass),
                     arena_printf(d->arena, "%sin place in %s", moved, place), "");
}

// The boxes of the sources of an output: every input if the output is dynamic.
static void add_sources(Diagram *d, const Plan *plan, const OutputPlan *output, int *box, int to) {
  bool is_dynamic = output->tier == TIER_DYNAMIC;
  int count = is_dynamic ? plan->graph->input_count : output->source_count;
  for (int i = 0; i < count; i++) {
    const Value *source = is_dynamic ? plan->graph->value.item[i] : output->sources[i];
    int from = box_of(d, plan->graph, box, source);
    if (to >= 0)
      add_wire(d, from, to);
  }
}

// Passes, then the kernel, then the output. A pass in the memory of the output replaces the kernel.
static void add_output(Diagram *d, const Plan *plan, const OutputPlan *output, int *box) {
  const Graph *graph = plan->graph;
  int boxes = output->via_count + (output->own == NULL), last = -1;
  add_sources(d, plan, output, box, -1);
  for (int i = 0; i < boxes; i++) {
    int made = i < output->via_count ? box_of_pass(d, graph, output->via[i])
                                     : box_of_output(d, graph, output);
    if (i == 0)
      add_sources(d, plan, output, box, made);
    else
      diagram_wire(d, last, made);
    last = made;
  }
  const char *type = value_text(d->arena, graph, output->output->value);
  diagram_wire(d, last, diagram_box(d, BOX_VALUE, output->output->name, type, ""));
}

static Diagram *diagram_of_plan(Arena *arena, const Plan *plan) {
  Diagram *d = ARENA_NEW(arena, Diagram);
  *d = (Diagram){.arena = arena, .title = "as compiled"};
  if (is_beyond_picture(d, plan->graph))
    return d;
  int *box = no_boxes(arena, plan->graph);
  for (int i = 0; i < plan->output_count; i++)
    add_output(d, plan, &plan->output[i], box);
  return d;
}

// ---- the page ----

// The conditions that a call checks.
static int draw_needs(Svg *svg, const Graph *graph, int y) {
  for (int i = 0; i < graph->guard.count; i++)
    svg_text(svg, LEFT, y += SVG_LINE, "start", "faint",
             arena_printf(svg->arena, "%s %s", i ? "     " : "needs",
                          guard_text(svg->arena, graph, &graph->guard.item[i])));
  return y;
}

// Draws them side by side if space allows, else one below the other.
static int draw_diagrams(Svg *svg, const Picture *picture, int y) {
  Diagram *written = diagram_of_graph(svg->arena, picture->graph);
  Size first = diagram_lay_out(written);
  diagram_draw(written, svg, LEFT, y);
  if (!picture->plan)
    return y + first.height + BELOW;
  Diagram *compiled = diagram_of_plan(svg->arena, picture->plan);
  Size second = diagram_lay_out(compiled);
  if (first.width + BETWEEN + second.width <= WIDEST) {
    diagram_draw(compiled, svg, LEFT + first.width + BETWEEN, y);
    return y + (first.height > second.height ? first.height : second.height) + BELOW;
  }
  y += first.height + BELOW;
  diagram_draw(compiled, svg, LEFT, y);
  return y + second.height + BELOW;
}

// Draws an alias as a part of its source.
static int draw_alias(Svg *svg, const OutputPlan *output, int y) {
  enum { BAR = 480, HEIGHT = 22 };
  const Value *source = output->source;
  if (!source || !plan_is_known(source) || !rsh_is_known(output->offset))
    return y;
  int bits = plan_element_bits(source->dtype);
  int64_t all = (int64_t)plan_value_bytes(source), part = (int64_t)output->bytes;
  if (all <= 0 || part <= 0 || bits < 8)
    return y;
  int x = LEFT + (int)((double)(output->offset.n * (bits / 8)) / (double)all * BAR);
  int width = (int)((double)part / (double)all * BAR);
  y += 8;
  svg_rect(svg, LEFT, y, BAR, HEIGHT, 0, "bar");
  svg_rect(svg, x, y, width > 2 ? width : 2, HEIGHT, 0, "keeps");
  svg_text(svg, LEFT + BAR + 12, y + 15, "start", "",
           arena_printf(svg->arena, "memory of %s", source->name));
  svg_text(svg, x + 6, y + 15, "start", "bold", output->output->name);
  return y + HEIGHT + 6;
}

static int draw_output(Svg *svg, const Picture *picture, const OutputPlan *output, int y) {
  const Plan *plan = picture->plan;
  const Value *value = output->output->value;
  svg_text(svg, LEFT, y += SVG_LINE, "start", "bold",
           arena_printf(svg->arena, "%s: %s", output->output->name, tier_name(output->tier)));
  svg_text(svg, LEFT, y += SVG_LINE, "start", "faint", output->why ? output->why : "");
  if (output->tier == TIER_ALIAS)
    return draw_alias(svg, output, y) + 10;
  for (int i = 0; i < output->via_count; i++) {
    const Pass *pass = output->via[i];
    const char *place = nest_source_name(svg->arena, plan, pass->value->id);
    if (pass->nest_count > 0)
      y = walk_draw(svg, LEFT, y, plan, &picture->machine, pass->nest, pass->nest_count,
                    pass->value, place);
    svg_text(svg, LEFT, y += SVG_LINE, "start", "",
             arena_printf(svg->arena, "then %s, in place",
                          plan_pass_text(svg->arena, plan->graph, pass)));
  }
  if (output->nest_count > 0)
    y = walk_draw(svg, LEFT, y, plan, &picture->machine, output->nest, output->nest_count, value,
                  output->output->name);
  if (output->cycles)
    svg_text(
        svg, LEFT, y += SVG_LINE, "start", "",
        arena_printf(svg->arena,
                     output->cycles->reversal
                         ? "if %s is given the memory of its input: %sreversals of pieces of %s "
                           "bytes"
                         : "if %s is given the memory of its input: %scycles, along which "
                           "pieces of %s bytes move up by one",
                     output->output->name,
                     output->cycles->cycles < 0
                         ? ""
                         : arena_printf(svg->arena, "%" PRId64 " ", output->cycles->cycles),
                     num_text(svg->arena, plan->graph, output->cycles->piece)));
  if (output->slides)
    svg_text(svg, LEFT, y += SVG_LINE, "start", "",
             arena_printf(svg->arena, "where %s is given the memory of %s: elements move %s",
                          output->output->name, output->in_place->name,
                          plan_slides_text(output->slides)));
  return y + 10;
}

static int draw_picture(Svg *svg, const Picture *picture, int y) {
  svg_text(svg, LEFT, y += 22, "start", "head", picture->title);
  if (picture->note)
    svg_text(svg, LEFT, y += SVG_LINE + 2, "start", "faint", picture->note);
  if (!picture->graph)
    return y + BELOW;
  y = draw_needs(svg, picture->graph, y);
  y = draw_diagrams(svg, picture, y + 14);
  for (int i = 0; picture->plan && i < picture->plan->output_count; i++)
    y = draw_output(svg, picture, &picture->plan->output[i], y);
  return y;
}

static void draw_legend(Svg *svg, int y) {
  static const char *const classes[] = {"keeps", "moves", "computes"};
  static const char *const words[] = {"moves nothing", "moves elements",
                                      "changes elements where they are"};
  for (int i = 0, x = LEFT; i < 3; i++) {
    svg_rect(svg, x, y, 14, 12, 2, classes[i]);
    svg_text(svg, x + 20, y + 10, "start", "faint", words[i]);
    x += 20 + svg_text_width(words[i]) + 22;
  }
  svg_text(svg, LEFT, y + 30, "start", "faint",
           "A cell is the data that one step of the innermost loop copies; its number and color "
           "say which "
           "step.");
  svg_text(svg, LEFT, y + 30 + SVG_LINE, "start", "faint",
           "Gray cells are filled with a constant; 0+ is read again later; \xE2\x8B\xAF is memory "
           "not drawn.");
}

void pictures_print_svg(Arena *arena, const Picture *picture, int count, FILE *out) {
  Svg svg = {.arena = arena};
  int y = 4;
  for (int i = 0; i < count; i++)
    y = draw_picture(&svg, &picture[i], y) + BELOW;
  draw_legend(&svg, y);
  svg_print(&svg, out);
}

static void print_lines(Arena *arena, const char *text, FILE *out) {
  for (const char *line = text; *line;) {
    size_t length = strcspn(line, "\n");
    markup_print(arena, arena_text(arena, line, length), out);
    putc('\n', out);
    line += length + (line[length] == '\n');
  }
}

static void print_element(Arena *arena, const char *tag, const char *text, FILE *out) {
  fprintf(out, "<%s>", tag);
  markup_print(arena, text, out);
  fprintf(out, "</%s>\n", tag);
}

static void print_links(Arena *arena, const Picture *picture, int count, FILE *out) {
  fputs("<ul>\n", out);
  for (int i = 0; i < count; i++) {
    fprintf(out, "<li><a href=\"#picture-%d\">", i + 1);
    markup_print(arena, picture[i].title, out);
    fputs("</a></li>\n", out);
  }
  fputs("</ul>\n", out);
}

void pictures_print_html(Arena *arena, const char *title, const char *report,
                         const Picture *picture, int count, FILE *out) {
  fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
        "<meta name=\"color-scheme\" content=\"light dark\"/>\n",
        out);
  print_element(arena, "title", title, out);
  fputs("<style>body{font-family:system-ui,sans-serif;margin:2em}pre,figure{overflow-x:auto}"
        "figure{margin:1em 0}</style>\n</head>\n<body>\n",
        out);
  print_element(arena, "h1", title, out);
  fputs("<pre>\n", out);
  print_lines(arena, report, out);
  fputs("</pre>\n", out);
  if (count > 0)
    print_links(arena, picture, count, out);
  for (int i = 0; i < count; i++) {
    Svg svg = {.arena = arena};
    draw_picture(&svg, &picture[i], 4);
    fprintf(out, "<figure id=\"picture-%d\">\n", i + 1);
    svg_print(&svg, out);
    fputs("</figure>\n", out);
  }
  if (count > 0) {
    Svg legend = {.arena = arena};
    draw_legend(&legend, 14);
    svg_print(&legend, out);
  }
  fputs("</body>\n</html>\n", out);
}

void pictures_print_dot(Arena *arena, const Picture *picture, int count, FILE *out) {
  fputs("digraph reshapec {\n  node [fontname=monospace]\n", out);
  for (int i = 0, number = 0; i < count; i++) {
    Diagram *part[2] = {picture[i].graph ? diagram_of_graph(arena, picture[i].graph) : NULL,
                        picture[i].plan ? diagram_of_plan(arena, picture[i].plan) : NULL};
    for (int k = 0; k < 2; k++) {
      if (!part[k])
        continue;
      part[k]->title = arena_printf(arena, "%s, %s", picture[i].title, part[k]->title);
      diagram_print_dot(part[k], number++, out);
    }
  }
  fputs("}\n", out);
}
