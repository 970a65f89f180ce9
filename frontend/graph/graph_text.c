// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A graph as source text of the language, which parses to the same graph:
//
//   graph heads(x: f32[2, 6, 768]) -> y: f32[2, 12, 6, 64] {
//       r = onnx.reshape(x, shape=[0, 0, 12, 64], opset=18)
//       y = transpose(r, perm=[0, 2, 1, 3])
//   }
//
// Names that are not identifiers of the language (a model's "a/b:0") become identifiers, "a_b_0".
#include "frontend/graph/graph.h"
#include "frontend/text/hash.h"
#include "frontend/text/words.h"

#include <stdlib.h>
#include <string.h>

typedef struct Taken {
  const char *name;
  UT_hash_handle hh;
} Taken;

typedef struct Writer {
  Arena *arena;
  const Graph *whole; // with the conditions that lowering found
  const Graph *graph; // whose nodes are written: `whole`, or its plain graph
  Taken *taken;
  const char **name; // by value id; NULL for a value that is never read
  bool *is_left_out; // by node
  // By value id: the value that restates it, whose declared type is written in the same statement.
  const Value **restated;
  bool declares; // declarations of values are written, not their conditions
  FILE *out;
} Writer;

static bool is_taken(const Writer *w, const char *name) {
  static const char words[] = "in view inplace layout strides align placed lod "
                              "true false True False None _ inf nan";
  Taken *found;
  HASH_FIND_STR(w->taken, name, found);
  return found || has_word(words, name) || rsh_dtype_find(name, strlen(name)) != RSH_DTYPE_NONE;
}

static void take(Writer *w, const char *name) {
  Taken *taken = ARENA_NEW(w->arena, Taken);
  taken->name = name;
  HASH_ADD_KEYPTR(hh, w->taken, taken->name, strlen(taken->name), taken);
}

const char *graph_text_word(Arena *arena, const char *name) {
  char *word = arena_printf(arena, "%s%s", is_digit(*name) || !*name ? "_" : "", name);
  for (char *c = word; *c; c++)
    if (!is_word_byte(*c))
      *c = '_';
  bool is_reserved = strcmp(word, "graph") == 0 || strcmp(word, "where") == 0;
  return is_reserved ? arena_printf(arena, "%s_", word) : word;
}

// A number distinguishes names that map to the same identifier: a_b, a_b_2.
static const char *new_name(Writer *w, const char *wanted) {
  const char *word = graph_text_word(w->arena, wanted), *name = word;
  for (int i = 2; is_taken(w, name); i++)
    name = arena_printf(w->arena, "%s_%d", word, i);
  take(w, name);
  return name;
}

// ---- Names

static bool is_shape_known(const rsh_shape *shape) {
  bool is_known = shape->rank != RSH_RANK_UNKNOWN;
  for (int32_t k = 0; is_known && k < shape->rank; k++)
    is_known = rsh_is_known(shape->dim[k]);
  return is_known;
}

static void name_value(Writer *w, const Value *value) {
  if (!w->name[value->id])
    w->name[value->id] =
        new_name(w, value->name ? value->name : arena_printf(w->arena, "v%d", value->id));
}

// Nodes that nothing reads are left out if all sizes are known, since they have no conditions: t[1] as an entry of a
// list is written in the list, not as a slice and a squeeze of t.
static void leave_out_unread(Writer *w) {
  const Graph *g = w->graph;
  bool *is_read = ARENA_ARRAY(w->arena, bool, g->value.count + 1);
  w->is_left_out = ARENA_ARRAY(w->arena, bool, g->node.count + 1);
  for (int i = 0; i < g->output_count; i++)
    is_read[value_logical(g->output[i].value)->id] = is_read[g->output[i].value->id] = true;
  for (int i = 0; i < g->declared.count; i++)
    is_read[g->declared.item[i].value->id] = true;
  for (int i = g->node.count - 1; i >= 0; i--) {
    const Node *node = g->node.item[i];
    bool is_needed = node->is_layout;
    for (int32_t k = 0; k < node->call.out_count; k++)
      is_needed = is_needed || is_read[node->out[k]->id] || !is_shape_known(&node->out[k]->shape);
    for (int32_t k = 0; k < node->call.in_count; k++)
      is_needed = is_needed || !is_shape_known(&node->in[k]->shape);
    w->is_left_out[i] = !is_needed;
    for (int32_t k = 0; is_needed && k < node->call.in_count; k++)
      is_read[node->in[k]->id] = true;
    for (int a = 0; is_needed && node->data && a < RSH_MAX_ARGS; a++)
      if (node->data[a].tensor)
        is_read[node->data[a].tensor->id] = true;
  }
}

// A node that only restates a value belongs to the statement of that value if nothing else reads it.
//   %2 = split(%0)[0], %3 = split(%0)[1], %4 = %2 restated    t: f32[2, 3], u = split(x, ...)
static void find_restated(Writer *w) {
  const Graph *g = w->graph;
  int *reads = ARENA_ARRAY(w->arena, int, g->value.count + 1);
  w->restated = ARENA_ARRAY(w->arena, const Value *, g->value.count + 1);
  for (int i = 0; i < g->output_count; i++)
    reads[value_logical(g->output[i].value)->id]++;
  for (int i = 0; i < g->declared.count; i++)
    reads[g->declared.item[i].value->id]++;
  for (int i = 0; i < g->node.count; i++) {
    const Node *node = g->node.item[i];
    for (int32_t k = 0; k < node->call.in_count; k++)
      reads[node->in[k]->id]++;
    for (int a = 0; node->data && a < RSH_MAX_ARGS; a++) {
      if (node->data[a].tensor)
        reads[node->data[a].tensor->id]++;
      for (int32_t k = 0; node->data[a].entry && k < node->call.arg[a].count; k++)
        if (node->data[a].entry[k])
          reads[node->data[a].entry[k]->id]++;
    }
  }
  const Node *computed = NULL; // the last node that does not restate
  for (int i = 0; w->declares && i < g->node.count; i++) {
    const Node *node = g->node.item[i];
    bool is_of_last = node->restates && computed && node->in[0]->node == computed;
    if (is_of_last && reads[node->in[0]->id] == 1)
      w->restated[node->in[0]->id] = node->out[0];
    computed = node->restates ? computed : node;
  }
}

static bool is_in_other_statement(const Writer *w, const Node *node) {
  return node->restates && w->restated[node->in[0]->id] == node->out[0];
}

// Whether declaration i is written in the statement of its value: it is the first one, and checked right after the
// node.
static bool is_in_statement(const Graph *g, int i) {
  const Stated *d = &g->declared.item[i];
  bool is_first = i == 0 || d[-1].value != d->value || d[-1].node != d->node;
  const Node *node = d->node > 0 ? g->node.item[d->node - 1] : NULL;
  return is_first && node && node == d->value->node && !node->restates;
}

// Values that are read get a name; of a stored input or result the logical value has it too.
static void name_all(Writer *w) {
  const Graph *g = w->graph;
  w->name = ARENA_ARRAY(w->arena, const char *, g->value.count + 1);
  for (int i = 0; i < g->symbol.count; i++)
    if (g->symbol.item[i].name)
      take(w, g->symbol.item[i].name);
  for (int i = 0; i < g->input_count; i++) {
    name_value(w, g->value.item[i]);
    w->name[value_logical(g->value.item[i])->id] = w->name[i];
  }
  for (int i = 0; i < g->output_count; i++) {
    const Value *value = g->output[i].value;
    w->name[value_logical(value)->id] = w->name[value->id] = new_name(w, g->output[i].name);
  }
  for (int i = 0; i < g->node.count; i++)
    for (int32_t k = 0; !w->is_left_out[i] && k < g->node.item[i]->call.in_count; k++)
      if (!is_in_other_statement(w, g->node.item[i]))
        name_value(w, g->node.item[i]->in[k]);
  for (int i = 0; i < g->declared.count; i++)
    if (!is_in_statement(g, i))
      name_value(w, g->declared.item[i].value);
}

// ---- Text

static void write_target(Writer *w, const Node *node, int arg) {
  const TargetData *data = &node->data[arg];
  const rsh_arg *a = &node->call.arg[arg];
  if (data->tensor) {
    fputs(w->name[data->tensor->id], w->out);
    return;
  }
  fputs("[", w->out);
  for (int32_t i = 0; i < a->count; i++)
    fprintf(w->out, "%s%s", i ? ", " : "",
            data->entry[i] ? target_text(w->arena, data, i, w->name[data->entry[i]->id])
                           : num_text(w->arena, w->graph, a->list[i]));
  fputs("]", w->out);
}

static bool has_target_list(const rsh_call *call) {
  const rsh_arg *target = &call->arg[0];
  return rsh_op_family(call->op) == RSH_RESHAPES && target->kind == RSH_ARG_LIST &&
         target->rank == 1;
}

// Whether a 0 in the target is a size, which would copy one as a number in the text: [B, A] with B == 0.
static bool has_size_of_zero(const rsh_call *call) {
  const rsh_arg *target = &call->arg[0];
  for (int32_t i = 0; has_target_list(call) && i < target->count && i < 32; i++)
    if ((target->sizes >> i & 1) != 0 && rsh_is(target->list[i], 0))
      return true;
  return false;
}

static bool has_open_size(const rsh_shape *shape) {
  for (int32_t i = 0; i < shape->rank; i++)
    if (rsh_is_unknown(shape->dim[i]))
      return true;
  return shape->rank == RSH_RANK_UNKNOWN;
}

// u8[?, 3]: a size that is not declared is `?`.
static const char *stated_text(Arena *arena, const Graph *graph, rsh_dtype dtype,
                               const rsh_shape *stated) {
  const char *text = "";
  for (int32_t i = 0; i < stated->rank; i++)
    text =
        arena_printf(arena, "%s%s%s", text, i ? ", " : "",
                     rsh_is_unknown(stated->dim[i]) ? "?" : num_text(arena, graph, stated->dim[i]));
  return arena_printf(arena, "%s[%s]", rsh_dtype_name(dtype), text);
}

static const char *declared_text(const Writer *w, int i) {
  const Stated *d = &w->graph->declared.item[i];
  return stated_text(w->arena, w->graph, d->value->dtype, &d->shape);
}

// Writes the declarations that are checked before a node, except those in statements.
static void write_declared(const Writer *w, int node, int *next) {
  const Graph *g = w->graph;
  for (; w->declares && *next < g->declared.count && g->declared.item[*next].node <= node; ++*next)
    if (!is_in_statement(g, *next))
      fprintf(w->out, "    _: %s = %s\n", declared_text(w, *next),
              w->name[g->declared.item[*next].value->id]);
}

// The type that a node declares by restating its operand.
static const char *restated_text(const Writer *w, const Node *node) {
  const rsh_arg *size = &node->call.arg[0];
  rsh_shape stated = {.rank = size->count};
  for (int32_t i = 0; i < size->count; i++)
    stated.dim[i] = size->sizes >> i & 1 ? size->list[i] : (rsh_num){0, RSH_UNKNOWN};
  return stated_text(w->arena, w->graph, node->out[0]->dtype, &stated);
}

static void write_result(const Writer *w, const Value *value, int node) {
  const Value *restated = w->restated[value->id];
  const Graph *g = w->graph;
  if (restated) {
    const char *name = w->name[restated->id];
    fprintf(w->out, "%s%s: %s", restated->is_view && name ? "view " : "", name ? name : "_",
            restated_text(w, restated->node));
    return;
  }
  const char *name = w->name[value->id];
  fprintf(w->out, "%s%s", value->is_view && name ? "view " : "", name ? name : "_");
  for (int i = 0; w->declares && i < g->declared.count; i++)
    if (g->declared.item[i].value == value && g->declared.item[i].node == node + 1 &&
        is_in_statement(g, i))
      fprintf(w->out, ": %s", declared_text(w, i));
}

static void write_node(Writer *w, int at) {
  const Node *node = w->graph->node.item[at];
  fputs("    ", w->out);
  for (int32_t i = 0; i < node->call.out_count; i++) {
    fputs(i ? ", " : "", w->out);
    write_result(w, node->out[i], at);
  }
  if (node->restates && w->declares) {
    fprintf(w->out, ": %s = %s\n", restated_text(w, node), w->name[node->in[0]->id]);
    return;
  }
  const rsh_shape *result = &node->out[0]->shape;
  if (has_size_of_zero(&node->call) && !has_open_size(result)) {
    fprintf(w->out, " = reshape(%s, shape=%s, allowzero=1)\n", w->name[node->in[0]->id],
            shape_text(w->arena, w->graph, result));
    return;
  }
  fprintf(w->out, " = %s(", rsh_op_name(node->call.op));
  for (int32_t i = 0; i < node->call.in_count; i++)
    fprintf(w->out, "%s%s", i ? ", " : "", w->name[node->in[i]->id]);
  const char *spec = rsh_op_arguments(node->call.op);
  for (int i = 0; i < RSH_MAX_ARGS && *spec; i++) {
    const rsh_arg *arg = &node->call.arg[i];
    size_t length = strcspn(spec, "|:"), kind = strcspn(spec, ":");
    bool is_activation = strncmp(spec + kind, ":name", 5) == 0; // written as a node of its own
    if (arg->kind != RSH_ARG_ABSENT && !is_activation) {
      fprintf(w->out, ", %.*s=", (int)length, spec);
      if (arg->kind == RSH_ARG_TENSOR)
        write_target(w, node, i);
      else
        fputs(argument_text(w->arena, w->graph, &node->call, i), w->out);
    }
    spec += strcspn(spec, " ");
    spec += strspn(spec, " ");
  }
  fputs(")\n", w->out);
}

static const char *align_text(Arena *arena, uint32_t align) {
  return align ? arena_printf(arena, " align %u", (unsigned)align) : "";
}

// The next parameter from `symbol` on; the symbol count if there is none.
static int next_parameter(const Graph *g, int symbol) {
  while (symbol < g->symbol.count && !symbol_is_parameter(&g->symbol.item[symbol]))
    symbol++;
  return symbol;
}

// A size as the text of the graph has it, with its operands in brackets.
static const char *written_size(Arena *arena, const Expr *e, bool is_operand) {
  if (e->kind == EXPR_INT)
    return arena_printf(arena, "%lld", (long long)e->integer);
  if (e->kind == EXPR_NAME)
    return e->name;
  if (e->kind == EXPR_UNKNOWN)
    return "?";
  const char *left = written_size(arena, e->binary.left, true), *text;
  const char op = e->binary.op == OPERATOR_FLOOR ? '/' : e->binary.op;
  if (e->kind == EXPR_NEGATE)
    text = arena_printf(arena, "-%s", left);
  else
    text = arena_printf(arena, "%s%s%c%s", left, op == e->binary.op ? "" : "/", op,
                        written_size(arena, e->binary.right, true));
  return is_operand ? arena_printf(arena, "(%s)", text) : text;
}

static bool mentions(const char *text, const char *word) {
  size_t length = strlen(word);
  for (const char *at = text; (at = strstr(at, word)); at++)
    if ((at == text || !is_word_byte(at[-1])) && !is_word_byte(at[length]))
      return true;
  return false;
}

// Returns whether a size contains a symbol that no axis has introduced yet.
static bool is_before_symbols(const Graph *g, const char *size, int symbol) {
  for (int k = next_parameter(g, symbol); k < g->symbol.count; k = next_parameter(g, k + 1))
    if (g->symbol.item[k].name && mentions(size, g->symbol.item[k].name))
      return true;
  return false;
}

// A size or stride of an input, as written if it contains a symbol that no axis has introduced yet.
static const char *size_text(const Writer *w, rsh_num size, const Expr *written, int symbol) {
  const char *text = num_text(w->arena, w->graph, size);
  return written && is_before_symbols(w->graph, text, symbol)
             ? written_size(w->arena, written, false)
             : text;
}

// NULL: it has none.
static const char *input_strides_text(const Writer *w, int input, int symbol) {
  const Value *value = w->graph->value.item[input];
  const AstGraph *ast = w->graph->ast;
  if (!value_is_strided(value))
    return NULL;
  const char *text = "";
  for (int32_t i = 0; i < value->shape.rank; i++)
    text =
        arena_printf(w->arena, "%s%s%s", text, i ? ", " : "",
                     size_text(w, value->storage->stride[i],
                               ast ? ast->input[input].type.strides->list.item[i] : NULL, symbol));
  return arena_printf(w->arena, "[%s]", text);
}

// The type of an input as declared. Symbols come in order of first appearance, so the first axis whose size is a symbol
// introduces it: with `where A == B`, u8[B] became u8[A] and is u8[B] again. With `where A == 2*B`, u8[A + 1] before B
// became u8[2*B + 1] and is as written again.
static const char *input_type_text(Writer *w, int input, int *symbol) {
  const Graph *g = w->graph;
  const Value *value = g->value.item[input];
  const rsh_shape shape = value_known_dims(g, value);
  const char *text = rsh_dtype_name(value->dtype);
  if (shape.rank <= 0)
    return type_text(w->arena, g, value->dtype, &shape);
  for (int32_t i = 0; i < shape.rank; i++) {
    int next = next_parameter(g, *symbol);
    bool is_new = next < g->symbol.count && rsh_equal(g->symbol.item[next].num, shape.dim[i]);
    *symbol = is_new ? next + 1 : *symbol;
    const Expr *written = g->ast ? g->ast->input[input].type.dim[i] : NULL;
    const char *name = is_new ? g->symbol.item[next].name : NULL; // NULL: a `?`
    const char *size = name ? name : size_text(w, shape.dim[i], written, *symbol);
    text = arena_printf(w->arena, "%s%s%s", text, i ? ", " : "[", size);
  }
  return arena_printf(w->arena, "%s]", text);
}

// The rule of a written operator finds its condition again; so does the slice and squeeze that an index becomes. Two
// kinds must be written: those of a pattern, which becomes several operators, and those that a called graph declares,
// if declarations of values do not express them. So must equations and multiples if sizes are rewritten by them:
// rearrange(x, "(a b) -> b a", a=2) becomes a reshape to [2, N/2], which parses only with N % 2 == 0.
static bool is_written(const Guard *guard, bool declares, bool is_rewritten) {
  bool is_found =
      guard->is_rule || (guard->is_of_declared && declares) || guard->status == RSH_bad_index;
  return guard->node == GUARD_WHERE || (guard->node >= 0 && !is_found) ||
         (guard->node >= 0 && guard->kind == WHERE_EQ && is_rewritten);
}

// The type of a result. NULL: nothing depends on it.
static const char *result_type_text(Writer *w, const Output *output) {
  const Graph *g = w->graph;
  const Value *value = output->value;
  const rsh_shape *stated = output->stated;
  bool is_known = is_shape_known(&value->shape);
  bool has_condition = output->declared != NULL;
  for (int32_t i = 0; stated && i < stated->rank; i++) {
    bool is_open = rsh_is_unknown(stated->dim[i]);
    has_condition = has_condition || !(is_open || (is_known && rsh_is_known(stated->dim[i])));
  }
  if (has_condition)
    return value_text_as(w->arena, g, value, stated_text(w->arena, g, value->dtype, stated), NULL);
  return is_known || value->storage || output->align ? value_text(w->arena, g, value) : NULL;
}

static bool is_text_expressible(const char *text) {
  return !strpbrk(text, "?.") && !strstr(text, "min(") && !strstr(text, "max(") &&
         !strstr(text, "edge(") && !strstr(text, "either(");
}

static void write_types(Writer *w) {
  const Graph *g = w->graph;
  int symbol = 0;
  fprintf(w->out, "graph %s(", graph_text_word(w->arena, g->name));
  for (int i = 0; i < g->input_count; i++) {
    const Value *value = g->value.item[i];
    const char *type = input_type_text(w, i, &symbol);
    fprintf(w->out, "%s%s: %s%s", i ? ", " : "", w->name[i],
            value_text_as(w->arena, g, value, type, input_strides_text(w, i, symbol)),
            align_text(w->arena, value->align));
  }
  fputs(g->output_count > 1 ? ") -> (" : ") -> ", w->out);
  for (int i = 0; i < g->output_count; i++) {
    const Value *value = g->output[i].value;
    fprintf(w->out, "%s%s%s", i ? ", " : "", g->output[i].is_inplace ? "inplace " : "",
            w->name[value->id]);
    const char *type = result_type_text(w, &g->output[i]);
    if (type)
      fprintf(w->out, ": %s%s", type, align_text(w->arena, g->output[i].align));
  }
  fputs(g->output_count > 1 ? ")" : "", w->out);
  const char *before = " where ";
  bool is_rewritten = g == w->whole && g->known_nodes > 0;
  for (int i = 0; i < w->whole->guard.count; i++) {
    const Guard *guard = &w->whole->guard.item[i];
    const char *text = guard_source(w->arena, w->whole, guard);
    if (!is_written(guard, w->declares, is_rewritten && is_text_expressible(text)))
      continue;
    fprintf(w->out, "%s%s", before, text);
    before = ", ";
  }
  fputs(" {\n", w->out);
}

void graph_set_prefix(Graph *graph, const char *prefix) {
  graph->prefix = prefix;
  for (int i = 0; i < graph->variant.count; i++)
    graph_set_prefix(graph->variant.item[i].graph, prefix);
}

const Value *graph_text_constant(const Graph *graph) {
  for (int i = graph->input_count; i < graph->value.count; i++)
    if (value_is_constant(graph->value.item[i]))
      return graph->value.item[i];
  return NULL;
}

// Whether a sum or a product of sizes is divided exactly: the language refuses (A + B)/2, whatever conditions say of
// A + B.
static bool divides_several(const Graph *graph, const rsh_symbols *s, rsh_num n) {
  rsh_terms term = rsh_terms_of(s, n);
  while (rsh_next_term(&term)) {
    for (int i; (i = rsh_next_atom(&term)) >= 0;) {
      const Symbol *symbol = i < graph->symbol.count ? &graph->symbol.item[i] : NULL;
      if (!symbol || !symbol->is_edge)
        continue;
      rsh_num of = symbol->edge.at;
      rsh_terms first = rsh_terms_of(graph->raw, of);
      bool is_one =
          rsh_term_count(graph->raw, of) == 1 && rsh_next_term(&first) && rsh_degree(&first) == 1;
      if ((!is_one && quotient_is_exact(graph, symbol)) || divides_several(graph, graph->raw, of))
        return true;
    }
  }
  return false;
}

// Some computed sizes cannot be expressed in the language: the edge of a slice, min(B, 7); an unknown size, `?`; and a
// quotient that a later condition makes exact, except N/2 in a list, whose condition is written.
static bool is_expressible(Arena *arena, const Graph *graph, rsh_num n, bool is_in_type) {
  const char *text = num_text(arena, graph, n);
  for (const char *c = text; (c = strchr(c, '/')); c += 1 + (c[1] == '/'))
    if (c[1] != '/' && (is_in_type || c[1] < '0' || c[1] > '9'))
      return false;
  return is_in_type || (is_text_expressible(text) && !divides_several(graph, graph->symbols, n));
}

static bool are_args_expressible(Arena *arena, const Graph *graph, const Node *node) {
  for (int a = 0; a < RSH_MAX_ARGS && !node->is_layout; a++) {
    const rsh_arg *arg = &node->call.arg[a];
    for (int32_t k = 0; arg->kind == RSH_ARG_LIST && arg->list && k < arg->count; k++)
      if (!is_expressible(arena, graph, arg->list[k], false))
        return false;
  }
  return true;
}

static bool is_graph_expressible(Arena *arena, const Graph *graph, Span *span) {
  for (int i = 0; i < graph->input_count; i++) {
    const rsh_shape shape = value_known_dims(graph, graph->value.item[i]);
    *span = graph->value.item[i]->span;
    for (int32_t k = 0; k < shape.rank; k++)
      if (!is_expressible(arena, graph, shape.dim[k], true))
        return false;
  }
  for (int i = 0; i < graph->node.count; i++) {
    *span = graph->node.item[i]->span;
    if (!are_args_expressible(arena, graph, graph->node.item[i]))
      return false;
  }
  return true;
}

// Slices as written, and sizes without the facts that operators gave, are in the plain graph; quotients of rearrange in
// the graph itself.
static const Graph *written_graph(Arena *arena, const Graph *graph) {
  Span span;
  bool prefers_plain = graph->plain && (graph_has_edges(graph) || graph->known_nodes > 0);
  if (prefers_plain && !is_graph_expressible(arena, graph->plain, &span) &&
      is_graph_expressible(arena, graph, &span))
    return graph;
  return prefers_plain ? graph->plain : graph;
}

// Whether the sizes that all declarations of values have are expressible.
static bool is_declared_expressible(Arena *arena, const Graph *graph) {
  bool is_good = true;
  for (int i = 0; i < graph->node.count; i++) {
    const rsh_arg *size = &graph->node.item[i]->call.arg[0];
    for (int32_t k = 0; graph->node.item[i]->restates && k < size->count && is_good; k++)
      is_good = !(size->sizes >> k & 1) || is_expressible(arena, graph, size->list[k], false);
  }
  for (int i = 0; i < graph->declared.count && is_good; i++) {
    const Stated *d = &graph->declared.item[i];
    is_good = !d->is_lost;
    for (int32_t k = 0; k < d->shape.rank && is_good; k++)
      is_good =
          rsh_is_unknown(d->shape.dim[k]) || is_expressible(arena, graph, d->shape.dim[k], false);
  }
  return is_good;
}

bool graph_can_write(Arena *arena, const Graph *graph, Span *inexpressible) {
  bool declares = is_declared_expressible(arena, written_graph(arena, graph));
  for (int i = 0; i < graph->guard.count; i++) {
    *inexpressible = graph->guard.item[i].span;
    if (is_written(&graph->guard.item[i], declares, false) &&
        !is_text_expressible(guard_source(arena, graph, &graph->guard.item[i])))
      return false;
  }
  return is_graph_expressible(arena, written_graph(arena, graph), inexpressible);
}

void graph_write(const Graph *whole, FILE *out) {
  Writer w = {.arena = arena_new(), .out = out};
  const Graph *graph = written_graph(w.arena, whole);
  w.whole = whole;
  w.graph = graph;
  w.declares = is_declared_expressible(w.arena, graph);
  leave_out_unread(&w);
  find_restated(&w);
  name_all(&w);
  write_types(&w);
  int declared = 0;
  for (int i = 0; i < graph->node.count; i++) {
    write_declared(&w, i, &declared);
    const Node *node = graph->node.item[i];
    if (!node->is_layout && !w.is_left_out[i] && !is_in_other_statement(&w, node))
      write_node(&w, i);
  }
  write_declared(&w, graph->node.count, &declared);
  fputs("}\n", out);
  HASH_CLEAR(hh, w.taken);
  arena_free(w.arena);
}

void graph_mark_data(Arena *arena, const Graph *whole, const AstGraph *text) {
  Writer w = {.arena = arena, .whole = whole, .graph = written_graph(arena, whole)};
  const Statement *statement = text->statement;
  leave_out_unread(&w);
  for (int i = 0; i < w.graph->node.count; i++) {
    const rsh_call *call = &w.graph->node.item[i]->call;
    const rsh_arg *target = &call->arg[0];
    if (w.graph->node.item[i]->is_layout || w.is_left_out[i])
      continue;
    const Expr *written = (statement++)->value; // onnx.reshape(x, shape=[N, H//2], opset=17)
    for (int32_t k = 0; has_target_list(call) && k < target->count && k < 32; k++)
      written->call.arg[call->in_count].value->list.item[k]->is_data = !(target->sizes >> k & 1);
  }
}
