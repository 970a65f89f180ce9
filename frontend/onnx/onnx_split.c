// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assigns the nodes of a model to steps.
#include "frontend/onnx/onnx_split_internal.h"

#include <limits.h>
#include <string.h>

// ---- Names

static SplitName *add_name(Split *s, const char *text, int maker) {
  SplitName *name = split_name(s, text);
  if (name || !*text)
    return name;
  name = ARENA_NEW(s->arena, SplitName);
  *name = (SplitName){.text = text, .maker = maker, .number = -1};
  HASH_ADD_KEYPTR(hh, s->names, name->text, strlen(name->text), name);
  return name;
}

static void add_names(Split *s) {
  const Onnx__GraphProto *graph = s->graph;
  for (size_t i = 0; i < graph->n_initializer; i++)
    add_name(s, graph->initializer[i]->name, -1);
  for (size_t i = 0; i < graph->n_sparse_initializer; i++)
    add_name(s,
             graph->sparse_initializer[i]->values ? graph->sparse_initializer[i]->values->name : "",
             -1);
  for (size_t i = 0; i < graph->n_input; i++) {
    bool is_input = !split_name(s, graph->input[i]->name);
    SplitName *name = add_name(s, graph->input[i]->name, -1);
    if (name && is_input)
      name->is_input = true;
  }
  for (int i = 0; i < s->survey->graph->input_count; i++) {
    SplitName *name = split_name(s, s->survey->graph->value.item[i]->name);
    if (name && name->is_input)
      name->input = s->survey->graph->value.item[i];
  }
  for (size_t i = 0; i < graph->n_node; i++)
    for (size_t k = 0; k < graph->node[i]->n_output; k++)
      add_name(s, graph->node[i]->output[k], (int)i);
}

// Bodies and functions may reuse names: a name refers to the value that a node of the graph defines.
static void find_tensors(Split *s) {
  for (int i = 0; i < s->survey->tensor.count; i++) {
    const Tensor *t = &s->survey->tensor.item[i];
    SplitName *name = split_name(s, t->name);
    if (name && name->maker >= 0 && s->graph->node[name->maker] == t->node)
      name->tensor = t;
  }
}

static const Value *value_of(const SplitName *name) {
  return !name ? NULL : name->tensor ? name->tensor->value : name->input;
}

// The type of a name, if a part can declare it. False: a rank or a type is unknown.
static bool type_of(const SplitName *name, rsh_dtype *dtype, const rsh_shape **shape) {
  const Tensor *t = name->tensor;
  const Value *value = value_of(name);
  *dtype = value ? value->dtype : t ? t->dtype : RSH_DTYPE_NONE;
  *shape = value ? &value->shape : t ? &t->shape : NULL;
  if (*shape && (*shape)->rank == RSH_RANK_UNKNOWN)
    *shape = NULL;
  return *dtype != RSH_DTYPE_NONE && *shape;
}

// ---- Nodes

// The names in the graph of the values that its operators read. False: a value has no name.
static bool read_values(Split *s, const Moved *moved, SplitNames *reads) {
  ReadValues values = {0};
  moved_reads(s->arena, moved, &values);
  for (int i = 0; i < values.count; i++) {
    SplitName *name = split_name(s, values.item[i]->name);
    if (value_is_constant(values.item[i]))
      continue;
    if (value_of(name) != values.item[i])
      return false;
    VEC_PUSH(s->arena, *reads, name);
  }
  return true;
}

// Returns whether its operators produce all of its results, with known ranks.
static bool gives_all(const Split *s, const Moved *moved) {
  rsh_dtype dtype;
  const rsh_shape *shape;
  for (size_t i = 0; i < moved->node->n_output; i++) {
    const SplitName *name = split_name(s, moved->node->output[i]);
    if (!name)
      continue;
    if (i >= (size_t)moved->made->call.out_count || value_of(name) != moved->made->out[i] ||
        !type_of(name, &dtype, &shape))
      return false;
  }
  return true;
}

static void read_names(Split *s, size_t i) {
  OnnxNames names = {0};
  s->node[i].reads = (SplitNames){0};
  onnx_node_reads(s->arena, s->graph->node[i], &names);
  for (int k = 0; k < names.count; k++) {
    SplitName *name = split_name(s, names.item[k]);
    if (name)
      VEC_PUSH(s->arena, s->node[i].reads, name);
  }
}

static void find_repeating(Split *s) {
  for (size_t i = 0; i < s->graph->n_node; i++) {
    SplitNode *node = &s->node[s->order[i]];
    node->repeats = onnx_is_function(s->graph->node[s->order[i]]);
    for (int k = 0; k < node->reads.count; k++) {
      const SplitName *name = node->reads.item[k];
      bool repeats = name->maker < 0 ? !name->is_input : s->node[name->maker].repeats;
      node->repeats = node->repeats && repeats;
    }
  }
}

static void read_nodes(Split *s) {
  for (size_t i = 0; i < s->graph->n_node; i++) {
    s->node[i].moved = -1;
    read_names(s, i);
  }
  find_repeating(s);
  for (int i = 0; i < s->survey->moved.count; i++) {
    const Moved *moved = &s->survey->moved.item[i];
    SplitNames reads = {0};
    if (moved->index < s->graph->n_node && s->graph->node[moved->index] == moved->node &&
        moved->made && !s->node[moved->index].repeats && gives_all(s, moved) &&
        read_values(s, moved, &reads)) {
      s->node[moved->index].moved = i;
      s->node[moved->index].reads = reads;
    }
  }
}

static void keep_node(Split *s, size_t i) {
  s->node[i].is_kept = true;
  read_names(s, i);
}

// False: an error was reported.
static bool find_outputs(const Split *s, Diag *diag) {
  for (size_t i = 0; i < s->graph->n_output; i++) {
    const char *text = s->graph->output[i]->name;
    SplitName *name = split_name(s, text);
    if (name)
      name->is_output = true;
    if (name && (name->maker >= 0 || name->is_input))
      continue;
    diag_error_file(diag, "unsupported", "its output '%s' is %s: no step computes it", text,
                    name ? "an initializer" : "not a value of the model");
    return false;
  }
  return true;
}

void onnx_split_end(Split *s) {
  if (s)
    HASH_CLEAR(hh, s->names);
}

Split *onnx_split(Arena *arena, const OnnxFile *file, Diag *diag) {
  Split *s = ARENA_NEW(arena, Split);
  OnnxCycle cycle;
  *s = (Split){.arena = arena, .file = file, .graph = file->model->graph};
  s->survey = onnx_survey(arena, file, diag);
  if (!s->survey || !onnx_find_graph(file, diag, &s->wire))
    return NULL;
  // The survey has verified that there is an order.
  s->order = onnx_order(arena, s->graph->node, s->graph->n_node, &cycle);
  s->node = ARENA_ARRAY(arena, SplitNode, s->graph->n_node + 1);
  add_names(s);
  find_tensors(s);
  if (!find_outputs(s, diag)) {
    onnx_split_end(s);
    return NULL;
  }
  read_nodes(s);
  return s;
}

// ---- Levels

static void find_live(Split *s) {
  size_t count = s->graph->n_node;
  bool *crosses = ARENA_ARRAY(s->arena, bool, count + 1);
  for (size_t i = 0; i < count; i++)
    s->node[i].is_live = false;
  for (size_t i = 0; i < s->graph->n_output; i++) {
    const SplitName *name = split_name(s, s->graph->output[i]->name);
    if (name->maker >= 0)
      s->node[name->maker].is_live = crosses[name->maker] = true;
  }
  for (size_t i = count; i-- > 0;) {
    const SplitNode *node = &s->node[s->order[i]];
    for (int k = 0; node->is_live && k < node->reads.count; k++) {
      int maker = node->reads.item[k]->maker;
      if (maker < 0)
        continue;
      s->node[maker].is_live = true;
      crosses[maker] = crosses[maker] || split_leaves(node);
    }
  }
  for (size_t i = 0; i < count; i++) {
    SplitNode *node = &s->node[s->order[i]];
    node->is_constant = node->repeats && !crosses[s->order[i]];
    for (int k = 0; k < node->reads.count; k++) {
      int maker = node->reads.item[k]->maker;
      node->is_constant = node->is_constant && (maker < 0 || s->node[maker].is_constant);
    }
  }
}

static int group_of(const Split *s, int i) {
  while (s->node[i].group != i)
    i = s->node[i].group;
  return i;
}

// Groups nodes connected by a value that no part can declare as an input: it must stay inside a part.
static void find_groups(Split *s) {
  rsh_dtype dtype;
  const rsh_shape *shape;
  int count = (int)s->graph->n_node;
  for (int i = 0; i < count; i++)
    s->node[i].group = i;
  for (int i = 0; i < count; i++)
    for (int k = 0; s->node[i].is_live && !split_leaves(&s->node[i]) && k < s->node[i].reads.count;
         k++) {
      const SplitName *name = s->node[i].reads.item[k];
      if (name->maker < 0 || s->node[name->maker].is_constant ||
          split_leaves(&s->node[name->maker]) || type_of(name, &dtype, &shape))
        continue;
      int a = group_of(s, i), b = group_of(s, name->maker);
      s->node[a > b ? a : b].group = a > b ? b : a;
    }
  for (int i = 0; i < count; i++)
    s->node[i].group = group_of(s, i);
}

// The least level of a node, given the nodes that it reads.
static int least_level(const Split *s, const SplitNode *node) {
  int level = split_leaves(node) ? 1 : 0;
  for (int k = 0; k < node->reads.count; k++) {
    int maker = node->reads.item[k]->maker;
    if (maker < 0 || s->node[maker].is_constant)
      continue;
    int from = s->node[maker].level + (split_leaves(&s->node[maker]) != split_leaves(node));
    level = from > level ? from : level;
  }
  return level;
}

// False: groups form a cycle, since the level of a chain grows without bound.
static bool find_levels(Split *s) {
  int count = (int)s->graph->n_node, *level = ARENA_ARRAY(s->arena, int, count + 1);
  for (int i = 0; i < count; i++)
    s->node[i].level = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < count; i++) {
      SplitNode *node = &s->node[s->order[i]];
      int least = least_level(s, node);
      if (!node->is_live)
        continue;
      level[node->group] = least > level[node->group] ? least : level[node->group];
      changed = changed || node->level != level[node->group];
      node->level = level[node->group];
      if (node->level > 2 * count + 2)
        return false;
    }
  }
  return true;
}

// Returns whether a node that leaves would have to run before itself. `next`: the next node of its group.
static bool meets_itself(const Split *s, int first, const int *next, bool *seen, int *path) {
  int depth = 0;
  memset(seen, 0, sizeof *seen * s->graph->n_node);
  path[depth++] = first;
  while (depth > 0)
    for (int i = path[--depth]; i >= 0; i = next[i])
      for (int k = 0; s->node[i].is_live && k < s->node[i].reads.count; k++) {
        int maker = s->node[i].reads.item[k]->maker;
        int group = maker < 0 ? -1 : s->node[maker].group;
        if (maker == first)
          return true;
        if (group >= 0 && !seen[group])
          path[depth++] = group;
        if (group >= 0)
          seen[group] = true;
      }
  return false;
}

static void break_circles(Split *s) {
  int count = (int)s->graph->n_node;
  bool *seen = ARENA_ARRAY(s->arena, bool, count + 1);
  int *path = ARENA_ARRAY(s->arena, int, count + 2), *next = ARENA_ARRAY(s->arena, int, count + 1);
  for (int i = 0; i < count; i++)
    next[i] = -1;
  for (int i = 0; i < count; i++) // linked after the first of its group
    if (s->node[i].group != i) {
      next[i] = next[s->node[i].group];
      next[s->node[i].group] = i;
    }
  for (int i = 0; i < count; i++)
    if (s->node[i].is_live && split_leaves(&s->node[i]) && meets_itself(s, i, next, seen, path)) {
      keep_node(s, (size_t)i);
      s->node[i].is_bound = true;
    }
}

// Moves a node that leaves to a later chain, if only chains read it; merges the first part into the next one, if no
// chain needs it.
static void join_later(Split *s) {
  enum { UNREAD = INT_MAX };
  size_t count = s->graph->n_node;
  int *latest = ARENA_ARRAY(s->arena, int, count + 1); // for all of its readers
  bool *is_part = ARENA_ARRAY(s->arena, bool, count + 1), joins = true, any = false;
  for (size_t i = 0; i < count; i++)
    latest[i] = UNREAD;
  for (size_t i = 0; i < s->graph->n_output; i++) {
    int maker = split_name(s, s->graph->output[i]->name)->maker;
    if (maker >= 0)
      is_part[maker] = true;
  }
  for (size_t i = count; i-- > 0;) {
    int at = (int)s->order[i];
    SplitNode *node = &s->node[at];
    bool leaves = split_leaves(node);
    if (!node->is_live || node->is_constant)
      continue;
    if (leaves && !is_part[at] && latest[at] != UNREAD)
      node->level = latest[at];
    bool is_first = !leaves && node->level == 0;
    joins = joins && (!is_first || (latest[at] >= 2 && node->group == at));
    any = any || node->level >= 2;
    int level = is_first ? latest[at] : node->level;
    for (int k = 0; k < node->reads.count; k++) {
      int maker = node->reads.item[k]->maker;
      if (maker < 0)
        continue;
      int from = level - (leaves != split_leaves(&s->node[maker]));
      latest[maker] = from < latest[maker] ? from : latest[maker];
      is_part[maker] = is_part[maker] || !leaves;
    }
  }
  for (size_t i = 0; i < count && joins && any; i++)
    if (!split_leaves(&s->node[i]) && s->node[i].level == 0)
      s->node[i].level = 2;
}

Chains *onnx_split_chains(Split *s, Diag *diag) {
  find_live(s);
  find_groups(s);
  if (!find_levels(s)) {
    break_circles(s);
    return onnx_split_chains(s, diag);
  }
  join_later(s);
  int *level = ARENA_ARRAY(s->arena, int, s->survey->moved.count + 1);
  bool *is_read = ARENA_ARRAY(s->arena, bool, s->survey->graph->value.count + 1);
  for (int i = 0; i < s->survey->moved.count; i++)
    level[i] = NO_CHAIN;
  for (size_t i = 0; i < s->graph->n_node; i++) {
    const SplitNode *node = &s->node[i];
    if (node->is_live && split_leaves(node))
      level[node->moved] = node->level;
    for (int k = 0; node->is_live && !split_leaves(node) && k < node->reads.count; k++)
      if (value_of(node->reads.item[k]))
        is_read[value_of(node->reads.item[k])->id] = true;
  }
  for (size_t i = 0; i < s->graph->n_output; i++)
    if (value_of(split_name(s, s->graph->output[i]->name)))
      is_read[value_of(split_name(s, s->graph->output[i]->name))->id] = true;
  return onnx_chains_of(s->arena, s->survey, &(ChainLevels){level, is_read}, true, diag);
}

void onnx_split_keep(Split *s, const Chain *chain) {
  for (int i = 0; i < chain->moved.count; i++)
    keep_node(s, chain->moved.item[i]->index);
}

// ---- Steps

static int tensor_of(Split *s, SplitSteps *steps, SplitName *name) {
  if (name->number >= 0)
    return name->number;
  SplitTensor tensor = {.name = name->text};
  if (!type_of(name, &tensor.dtype, &tensor.shape))
    tensor.shape = NULL;
  name->number = steps->tensor.count;
  VEC_PUSH(s->arena, steps->tensor, tensor);
  return name->number;
}

static void add_chain(Split *s, SplitSteps *steps, const Chains *chains, int number) {
  const Chain *chain = &chains->chain.item[number];
  SplitStep step = {.chain = number, .nodes = chain->moved.count};
  const Graph *graph = chain->graph;
  for (int i = 0; i < graph->input_count; i++)
    VEC_PUSH(s->arena, step.in, tensor_of(s, steps, split_name(s, graph->value.item[i]->name)));
  for (int i = 0; i < graph->output_count; i++)
    VEC_PUSH(s->arena, step.out, tensor_of(s, steps, split_name(s, graph->output[i].name)));
  VEC_PUSH(s->arena, steps->step, step);
}

static bool is_of_part(const SplitNode *node, int level) {
  return node->is_live && !node->is_constant && !split_leaves(node) && node->level == level;
}

static bool crosses(const Split *s, const SplitName *name) {
  const SplitNode *maker = &s->node[name->maker];
  if (name->is_output)
    return true;
  for (size_t i = 0; i < s->graph->n_node; i++)
    for (int k = 0; k < s->node[i].reads.count; k++)
      if (s->node[i].reads.item[k] == name && s->node[i].is_live &&
          s->node[i].level != maker->level)
        return true;
  return false;
}

static void add_in(Split *s, SplitSteps *steps, SplitStep *step, SplitName *name) {
  int number = tensor_of(s, steps, name);
  for (int i = 0; i < step->in.count; i++)
    if (step->in.item[i] == number)
      return;
  VEC_PUSH(s->arena, step->in, number);
}

static void add_part(Split *s, SplitSteps *steps, int level) {
  SplitStep step = {.chain = NO_CHAIN};
  for (size_t i = 0; i < s->graph->n_node; i++) {
    const SplitNode *node = &s->node[s->order[i]];
    if (!is_of_part(node, level))
      continue;
    step.nodes++;
    for (int k = 0; k < node->reads.count; k++) {
      SplitName *name = node->reads.item[k];
      const SplitNode *maker = name->maker >= 0 ? &s->node[name->maker] : NULL;
      if (maker ? !maker->is_constant && maker->level != level : name->is_input)
        add_in(s, steps, &step, name);
    }
  }
  if (step.nodes == 0)
    return;
  for (size_t i = 0; i < s->graph->n_node; i++) {
    const Onnx__NodeProto *node = s->graph->node[s->order[i]];
    for (size_t k = 0; is_of_part(&s->node[s->order[i]], level) && k < node->n_output; k++) {
      SplitName *name = split_name(s, node->output[k]);
      if (name && crosses(s, name))
        VEC_PUSH(s->arena, step.out, tensor_of(s, steps, name));
    }
  }
  split_write(s, steps, &step, level);
  VEC_PUSH(s->arena, steps->step, step);
}

SplitSteps *onnx_split_steps(Split *s, const Chains *chains) {
  SplitSteps *steps = ARENA_NEW(s->arena, SplitSteps);
  int last = 0;
  for (size_t i = 0; i < s->graph->n_input; i++) {
    SplitName *name = split_name(s, s->graph->input[i]->name);
    if (name && name->is_input)
      tensor_of(s, steps, name);
  }
  steps->input_count = steps->tensor.count;
  for (size_t i = 0; i < s->graph->n_node; i++)
    last = s->node[i].is_live && s->node[i].level > last ? s->node[i].level : last;
  for (int level = 0; level <= last; level++) {
    add_part(s, steps, level);
    for (int i = 0; i < chains->chain.count; i++)
      if (s->node[chains->chain.item[i].moved.item[0]->index].level == level)
        add_chain(s, steps, chains, i);
  }
  for (size_t i = 0; i < s->graph->n_output; i++)
    VEC_PUSH(s->arena, steps->output,
             tensor_of(s, steps, split_name(s, s->graph->output[i]->name)));
  for (size_t i = 0; i < s->graph->n_node; i++)
    if (s->node[i].is_bound)
      VEC_PUSH(s->arena, steps->bound, &s->survey->moved.item[s->node[i].moved]);
  return steps;
}
