// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The chains of a survey: nodes are grouped if one reads a result of another, and each group is lowered again as a
// separate graph, whose inputs and outputs are the tensors that the rest of the model writes and reads.
#include "frontend/onnx/onnx_internal.h"

#include <stdlib.h>
#include <string.h>

enum {
  NAME_CHARS = 40,
  MAX_READS = 1 << 23 // outputs of a chain times its values: plans are made per output
};

// ---- Groups

static int root_of(int *parent, int i) {
  while (parent[i] != i)
    i = parent[i] = parent[parent[i]];
  return i;
}

// The Moved that makes each value; -1: none.
static int *makers(Arena *arena, const Survey *s) {
  int *maker = ARENA_ARRAY(arena, int, s->graph->value.count + 1);
  for (int i = 0; i < s->graph->value.count; i++)
    maker[i] = -1;
  for (int i = 0; i < s->moved.count; i++) {
    const Moved *moved = &s->moved.item[i];
    for (int part = 0; moved->made && part < moved->part_count; part++)
      for (int32_t k = 0; k < moved->part[part]->call.out_count; k++)
        maker[moved->part[part]->out[k]->id] = i;
  }
  return maker;
}

// Gives every node the number of its chain, or NO_CHAIN; chains are in the order of their first nodes.
static int group(Arena *arena, Survey *s, const int *maker, const ChainLevels *levels) {
  int *parent = ARENA_ARRAY(arena, int, s->moved.count + 1), chains = 0;
  for (int i = 0; i < s->moved.count; i++)
    parent[i] = i;
  for (int i = 0; i < s->use.count; i++) {
    int from = maker[s->use.item[i].value->id], to = s->use.item[i].by;
    if (from < 0 || to < 0 || (levels && levels->level[from] != levels->level[to]))
      continue;
    from = root_of(parent, from);
    to = root_of(parent, to);
    parent[from > to ? from : to] = from > to ? to : from;
  }
  for (int i = 0; i < s->moved.count; i++) {
    int root = root_of(parent, i);
    if (levels && levels->level[i] == NO_CHAIN)
      s->moved.item[i].chain = NO_CHAIN;
    else
      s->moved.item[i].chain = root == i ? chains++ : s->moved.item[root].chain;
  }
  return chains;
}

// ---- Names

// "model/block_1/Reshape;model/x" is "Reshape", an unnamed node "Reshape_7".
static const char *short_name(Arena *arena, const Moved *moved) {
  const char *name = moved->node->name;
  if (!*name)
    return arena_printf(arena, "%s_%zu", moved->node->op_type, moved->index);
  const char *slash = strrchr(name, '/');
  name = slash && slash[1] ? slash + 1 : name;
  size_t length = strlen(name);
  return graph_text_word(arena, length > NAME_CHARS ? name + length - NAME_CHARS : name);
}

typedef struct Taken {
  const char *name;
  UT_hash_handle hh;
} Taken;

static const char *chain_name(Arena *arena, Taken **taken, const Chain *chain) {
  const Moved *first = chain->moved.item[0], *last = chain->moved.item[chain->moved.count - 1];
  const char *name = short_name(arena, first);
  if (last != first)
    name = arena_printf(arena, "%s_to_%s", name, short_name(arena, last));
  const char *unique = name;
  Taken *found;
  for (int number = 2;; number++) {
    HASH_FIND_STR(*taken, unique, found);
    if (!found)
      break;
    unique = arena_printf(arena, "%s_%d", name, number);
  }
  found = ARENA_NEW(arena, Taken);
  found->name = unique;
  HASH_ADD_KEYPTR(hh, *taken, found->name, strlen(found->name), found);
  return unique;
}

// ---- One chain as a graph

typedef struct Extract {
  const Survey *survey;
  Chain *chain;
  const int *maker;      // by value id: index of the Moved that makes it, or -1
  const bool *is_output; // by value id
  Value **given;         // by value id: its value in the current graph; NULL between graphs
} Extract;

typedef struct Open { // a size that is open in the survey
  rsh_num size, symbol;
} Open;

typedef struct Copy {
  Lower *l;
  const Extract *of;
  rsh_num symbol[RSH_MAX_SYMBOLS]; // for each survey symbol, its number here
  bool has_symbol[RSH_MAX_SYMBOLS];
  VEC(Open) open;
  VEC(const Node *) node; // of the chain, in order
} Copy;

static bool fail(Copy *c, const char *why) {
  lower_error(c->l, c->l->graph->span, "unsupported", "%s", why);
  return false;
}

static bool has_symbol(const Graph *graph, const char *name) {
  for (int i = 0; i < graph->symbol.count; i++)
    if (graph->symbol.item[i].name && strcmp(graph->symbol.item[i].name, name) == 0)
      return true;
  return false;
}

// A parameter for the size of an axis: "x_1", or "x_1_2" if the name is taken.
static bool axis_symbol(Copy *c, const Value *value, int axis, rsh_num *out) {
  Arena *arena = c->l->arena;
  const char *base = graph_text_word(
      arena, arena_printf(arena, "%s_%d", value->name ? value->name : "size", axis));
  const char *name = base;
  for (int number = 2; has_symbol(c->l->graph, name) || has_symbol(c->of->survey->graph, name);
       number++)
    name = arena_printf(arena, "%s_%d", base, number);
  VEC_PUSH(arena, c->of->chain->size, ((ChainSize){name, value->name, axis}));
  return symbol_new(c->l, name, value->span, out);
}

// A parameter that the model names, found on an input with that size.
static bool named_symbol(Copy *c, const Symbol *symbol, rsh_num *out) {
  const Graph *from = c->of->survey->graph;
  ChainSize size = {symbol->name, NULL, 0};
  for (int i = 0; i < from->input_count; i++) {
    const Value *input = from->value.item[i];
    for (int32_t axis = 0; !size.tensor && axis < input->shape.rank; axis++)
      if (rsh_equal(input->shape.dim[axis], symbol->num))
        size = (ChainSize){symbol->name, input->name, axis};
  }
  VEC_PUSH(c->l->arena, c->of->chain->size, size);
  return symbol_new(c->l, symbol->name, symbol->span, out);
}

// The kind of survey symbols to copy from a number. Sizes precede edges, since known edges must be consecutive.
typedef enum Wanted { WANTED_SIZES, WANTED_EDGES } Wanted;

static bool copy_symbol(Copy *c, int i, Wanted wanted);

// The parameter for an open size, or for one that is not a polynomial of the survey's symbols.
static bool find_open(const Copy *c, rsh_num size, rsh_num *out) {
  for (int i = 0; i < c->open.count; i++)
    if (rsh_equal(c->open.item[i].size, size)) {
      *out = c->open.item[i].symbol;
      return true;
    }
  return false;
}

// Expresses a survey number over symbols, since each chain must derive facts about their values itself. False:
// impossible, as for a quarter of a size that is divisible by 4.
static bool over_symbols(const Copy *c, rsh_num n, rsh_num *out) {
  Facts *facts = c->of->survey->facts;
  Guard over_atoms = {.kind = WHERE_IN, .left = n}, raw;
  *out = n;
  if (rsh_is_known(n))
    return true;
  if (rsh_is_unknown(n) || !facts_to_raw(facts, &over_atoms, &raw))
    return false;
  *out = raw.left;
  return true;
}

// Copies the symbols of a number to the chain, in order of appearance.
static bool copy_symbols(Copy *c, rsh_num n, Wanted wanted) {
  rsh_terms t = rsh_terms_of(c->of->survey->graph->raw, n);
  while (rsh_next_term(&t))
    for (int i; (i = rsh_next_atom(&t)) >= 0;)
      if (!c->has_symbol[i] && !copy_symbol(c, i, wanted))
        return false;
  return true;
}

static bool substitute(Copy *c, rsh_num n, rsh_num *out) {
  *out = n;
  return rsh_is_known(n) ||
         num_substitute(c->l->graph->symbols, c->of->survey->graph->raw, n, c->symbol, out) ||
         fail(c, "a size does not fit 64 bits");
}

// min(5, N) is computed from N here as well: the function takes only N.
static bool copy_edge(Copy *c, int i, Wanted wanted) {
  const Graph *from = c->of->survey->graph;
  Edge edge = from->symbol.item[i].edge;
  if (!copy_symbols(c, edge.at, wanted) || !copy_symbols(c, edge.size, wanted) ||
      !copy_symbols(c, edge.least, wanted))
    return false;
  if (wanted == WANTED_SIZES)
    return true;
  c->has_symbol[i] = true;
  return substitute(c, edge.at, &edge.at) && substitute(c, edge.size, &edge.size) &&
         substitute(c, edge.least, &edge.least) &&
         (edge_new(c->l, edge, &c->symbol[i]) || fail(c, "a size depends on conditions"));
}

static bool copy_symbol(Copy *c, int i, Wanted wanted) {
  const Symbol *symbol = &c->of->survey->graph->symbol.item[i];
  if (symbol->is_edge)
    return copy_edge(c, i, wanted);
  c->has_symbol[i] = true;
  return symbol->of ? axis_symbol(c, symbol->of, symbol->axis, &c->symbol[i])
                    : named_symbol(c, symbol, &c->symbol[i]);
}

// WANTED_SIZES: only makes the parameters.
static bool copy_num(Copy *c, rsh_num n, Wanted wanted, rsh_num *out) {
  rsh_num raw;
  if (find_open(c, n, out))
    return true;
  if (!over_symbols(c, n, &raw))
    return fail(c, "a size is known only at run time");
  return copy_symbols(c, raw, wanted) && (wanted == WANTED_SIZES || substitute(c, raw, out));
}

// The size of an input. An open size becomes a parameter of the function: "x_1".
static bool copy_dim(Copy *c, const Value *from, int axis, Wanted wanted, rsh_num *out) {
  rsh_num size = from->shape.dim[axis], raw;
  if (find_open(c, size, out) || over_symbols(c, size, &raw))
    return copy_num(c, size, wanted, out);
  if (!axis_symbol(c, from, axis, out))
    return false;
  VEC_PUSH(c->l->arena, c->open, ((Open){size, *out}));
  return true;
}

static bool copy_source(Copy *c, const Value *from) {
  rsh_shape shape = {.rank = from->shape.rank};
  if (c->of->given[from->id])
    return true;
  if (from->shape.rank == RSH_RANK_UNKNOWN)
    return fail(c, "a rank is known only at run time");
  for (int32_t i = 0; i < shape.rank; i++)
    if (!copy_dim(c, from, i, WANTED_EDGES, &shape.dim[i]))
      return false;
  Value *value = value_new(c->l, from->dtype, &shape, from->span);
  value->name = from->name;
  value->place = from->place;
  value->data = from->data;
  c->of->given[from->id] = value;
  return true;
}

static bool is_inside(const Extract *of, const Value *value) {
  int by = of->maker[value->id];
  return by >= 0 && of->survey->moved.item[by].chain == of->chain->moved.item[0]->chain;
}

// Copies inputs first, then constants.
static bool copy_sources(Copy *c, bool constants) {
  for (int i = 0; i < c->node.count; i++) {
    const Node *node = c->node.item[i];
    for (int32_t k = 0; k < node->call.in_count; k++)
      if (value_is_constant(node->in[k]) == constants && !is_inside(c->of, node->in[k]) &&
          !copy_source(c, node->in[k]))
        return false;
  }
  return true;
}

// Creates the parameters of the function: sizes of its inputs, then those in arguments of nodes.
static bool copy_sizes(Copy *c) {
  rsh_num size;
  for (int i = 0; i < c->node.count; i++) {
    const Node *node = c->node.item[i];
    for (int32_t k = 0; k < node->call.in_count; k++)
      for (int32_t axis = 0; !is_inside(c->of, node->in[k]) && axis < node->in[k]->shape.rank;
           axis++)
        if (!copy_dim(c, node->in[k], axis, WANTED_SIZES, &size))
          return false;
  }
  for (int i = 0; i < c->node.count; i++)
    for (int k = 0; k < RSH_MAX_ARGS; k++) {
      const rsh_arg *arg = &c->node.item[i]->call.arg[k];
      for (int32_t entry = 0; arg->kind == RSH_ARG_LIST && entry < arg->count; entry++)
        if (!copy_num(c, arg->list[entry], WANTED_SIZES, &size))
          return false;
    }
  return true;
}

static bool copy_node(Copy *c, const Node *from) {
  Lower *l = c->l;
  Binding *b = binding_new(l, from->call.op, rsh_op_name(from->call.op), from->span);
  Value **operand = ARENA_ARRAY(l->arena, Value *, from->call.in_count);
  Span *span = ARENA_ARRAY(l->arena, Span, from->call.in_count);
  for (int32_t i = 0; i < from->call.in_count; i++) {
    operand[i] = c->of->given[from->in[i]->id];
    span[i] = from->span;
  }
  binding_operands(l, b, operand, span, from->call.in_count);
  b->call.out_count = from->call.out_count;
  for (int i = 0; i < RSH_MAX_ARGS; i++) {
    rsh_arg arg = from->call.arg[i];
    rsh_num *list = ARENA_ARRAY(l->arena, rsh_num, arg.kind == RSH_ARG_LIST ? arg.count : 0);
    for (int32_t k = 0; arg.kind == RSH_ARG_LIST && k < arg.count; k++)
      if (!copy_num(c, arg.list[k], WANTED_EDGES, &list[k]))
        return false;
    if (arg.kind == RSH_ARG_LIST)
      arg.list = list;
    b->call.arg[i] = arg;
  }
  b->call.fill = from->call.fill;
  graph_take_constants(l->arena, l->graph, c->of->survey->graph, &b->call);
  binding_bound_slices(l, b);
  Values values = binding_apply(l, b);
  for (int i = 0; i < values.count; i++) {
    values.item[i]->name = from->out[i]->name;
    values.item[i]->place = from->out[i]->place;
    c->of->given[from->out[i]->id] = values.item[i];
  }
  return values.count > 0;
}

static void forget_given(const Copy *c) {
  for (int i = 0; i < c->node.count; i++) {
    const Node *node = c->node.item[i];
    for (int32_t k = 0; k < node->call.in_count; k++)
      c->of->given[node->in[k]->id] = NULL;
    for (int32_t k = 0; k < node->call.out_count; k++)
      c->of->given[node->out[k]->id] = NULL;
  }
}

// A chain has few values of the model, so nothing here takes time or memory for all of them.
static void chain_pass(Lower *l, const void *of) {
  const Extract *extract = of;
  Chain *chain = extract->chain;
  Graph *graph = l->graph;
  chain->size.count = 0;
  Copy c = {.l = l, .of = extract};
  int outputs = 0;
  for (int i = 0; i < chain->moved.count; i++) {
    for (int part = 0; part < chain->moved.item[i]->part_count; part++)
      VEC_PUSH(l->arena, c.node, chain->moved.item[i]->part[part]);
    outputs += chain->moved.item[i]->made->call.out_count;
  }
  graph->name = chain->name;
  graph->span = chain->moved.item[0]->span;
  known_apply(l);
  bool good = copy_sizes(&c) && copy_sources(&c, false);
  graph->input_count = graph->value.count;
  good = good && copy_sources(&c, true);
  for (int i = 0; i < c.node.count && good; i++)
    good = copy_node(&c, c.node.item[i]);
  graph->output = ARENA_ARRAY(l->arena, Output, outputs);
  for (int i = 0; i < chain->moved.count && good; i++) {
    const Node *node = chain->moved.item[i]->made;
    for (int32_t k = 0; k < node->call.out_count; k++)
      if (extract->is_output[node->out[k]->id])
        graph->output[graph->output_count++] = (Output){.name = node->out[k]->name,
                                                        .span = node->out[k]->span,
                                                        .value = extract->given[node->out[k]->id]};
  }
  forget_given(&c);
  if (graph->output_count > MAX_READS / (graph->value.count + 1))
    fail(&c, "it has too many outputs");
}

// ---- All chains

// The values that are read outside their chain.
static bool *outputs_of(Arena *arena, const Survey *s, const int *maker,
                        const ChainLevels *levels) {
  bool *is_output = ARENA_ARRAY(arena, bool, s->graph->value.count + 1);
  for (int i = 0; levels && i < s->graph->value.count; i++)
    is_output[i] = levels->is_read[i];
  for (int i = 0; i < s->use.count; i++) {
    const Use *use = &s->use.item[i];
    int from = maker[use->value->id];
    if (levels && (use->by < 0 || levels->level[use->by] == NO_CHAIN))
      continue;
    is_output[use->value->id] =
        is_output[use->value->id] ||
        (from >= 0 && (use->by < 0 || s->moved.item[use->by].chain != s->moved.item[from].chain));
  }
  return is_output;
}

static bool has_output(const Extract *of) {
  for (int i = 0; i < of->chain->moved.count; i++) {
    const Node *node = of->chain->moved.item[i]->made;
    for (int32_t k = 0; k < node->call.out_count; k++)
      if (of->is_output[node->out[k]->id])
        return true;
  }
  return false;
}

// Whether sizes or arguments are known only at run time; otherwise no storage for polynomials is needed.
static bool has_symbols(const Chain *chain) {
  for (int i = 0; i < chain->moved.count; i++)
    for (int part = 0; part < chain->moved.item[i]->part_count; part++) {
      const Node *node = chain->moved.item[i]->part[part];
      for (int32_t k = 0; k < node->call.in_count; k++)
        for (int32_t axis = 0; axis < node->in[k]->shape.rank; axis++)
          if (!rsh_is_known(node->in[k]->shape.dim[axis]))
            return true;
      for (int k = 0; k < RSH_MAX_ARGS; k++) {
        const rsh_arg *arg = &node->call.arg[k];
        for (int32_t entry = 0; arg->kind == RSH_ARG_LIST && entry < arg->count; entry++)
          if (!rsh_is_known(arg->list[entry]))
            return true;
      }
    }
  return false;
}

static void lower_chain(Arena *arena, Library *library, const Extract *of, Chain *chain,
                        const Diag *diag) {
  for (int i = 0; i < chain->moved.count; i++)
    if (!chain->moved.item[i]->made) {
      chain->why = chain->moved.item[i]->why;
      return;
    }
  if (!has_output(of)) {
    chain->why = "nothing reads its outputs";
    return;
  }
  Diag quiet = {.arena = arena, .source = diag->source, .file = diag->file};
  chain->graph = lower_origin(arena, library, &(Origin){.pass = chain_pass, .of = of},
                              has_symbols(chain), &quiet);
  if (!chain->graph)
    chain->why = quiet.list.count > 0 ? quiet.list.item[0].message : "";
}

Chains *onnx_chains_of(Arena *arena, Survey *s, const ChainLevels *levels, bool has_graphs,
                       const Diag *diag) {
  Chains *chains = ARENA_NEW(arena, Chains);
  Library library;
  Taken *taken = NULL;
  int *maker = makers(arena, s), count = group(arena, s, maker, levels);
  bool *is_output = outputs_of(arena, s, maker, levels);
  Value **given = ARENA_ARRAY(arena, Value *, s->graph->value.count + 1);
  chains->survey = s;
  for (int i = 0; i < count; i++)
    VEC_PUSH(arena, chains->chain, (Chain){0});
  for (int i = 0; i < s->moved.count; i++)
    if (s->moved.item[i].chain != NO_CHAIN)
      VEC_PUSH(arena, chains->chain.item[s->moved.item[i].chain].moved, &s->moved.item[i]);
  library_start(arena, &library);
  for (int i = 0; i < count; i++) {
    Chain *chain = &chains->chain.item[i];
    chain->name = chain_name(arena, &taken, chain);
    if (has_graphs)
      lower_chain(arena, &library, &(Extract){s, chain, maker, is_output, given}, chain, diag);
  }
  HASH_CLEAR(hh, taken);
  library_free(&library);
  return chains;
}

Chains *onnx_chains(Arena *arena, const OnnxFile *file, bool has_graphs, Diag *diag) {
  Survey *s = onnx_survey(arena, file, diag);
  return s ? onnx_chains_of(arena, s, NULL, has_graphs, diag) : NULL;
}
