// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds an LLVM module from plans: one function per graph, with the parameters of its Plan.signature.
#include "codegen/llvm/llvm_module.h"
#include "codegen/plan/names.h"

#include <string.h>

// An output with more nests is split into functions of this many each, because the time of LLVM's passes grows faster
// than the size of a function.
enum { PART_NESTS = 24 };

// number * factor, as far as it is known; with open sizes, its largest term.
static uint64_t known_part(const Graph *graph, rsh_num number, double factor) {
  double most = 0;
  rsh_terms t = rsh_terms_of(graph->symbols, number);
  while (rsh_next_term(&t)) {
    double n = (t.fits ? (double)t.coef : (double)INT64_MAX) * factor;
    most = n > most ? n : -n > most ? -n : most;
  }
  return most < (double)INT64_MAX ? (uint64_t)most : INT64_MAX;
}

static uint64_t known_bytes(const Graph *graph, const Value *value) {
  rsh_num volume;
  if (plan_is_known(value))
    return plan_value_bytes(value);
  if (rsh_volume(graph->symbols, &value->shape, &volume) != RSH_ok)
    return 0;
  return known_part(graph, volume, plan_element_bits(value->dtype) / 8.0);
}

// Turns off SLP vectorization; emitted vectors stay. LLVM 19 keeps the distance of two addresses in an int, so it would
// treat elements 4 GiB apart as adjacent. In code for size, it would also vectorize the tests of many pointers, which
// makes them longer and takes time quadratic in their number.
static void mark_scalar(const Kernel *k, LLVMValueRef function) {
  const Graph *graph = k->plan->graph;
  bool is_far = known_part(graph, k->plan->scratch_bytes, 1) > INT32_MAX;
  for (int i = 0; i < graph->input_count; i++)
    is_far = is_far || known_bytes(graph, graph->value.item[i]) > INT32_MAX;
  for (int i = 0; i < graph->output_count; i++)
    is_far = is_far || known_bytes(graph, graph->output[i].value) > INT32_MAX;
  bool has_many = k->target->can.small && LLVMCountParams(function) > PART_NESTS;
  if (is_far || has_many)
    b_mark(k->g, function, "noimplicitfloat");
}

// The kernel that an output shares with others, built on first use; NULL: it has none.
static LLVMValueRef build_shared(Kernel *k, int index) {
  Gen *g = k->g;
  const OutputPlan *output = &k->plan->output[index];
  SharedKernel *shared = shared_kernel_find(k->shared_kernels, k->arena, k->plan, output);
  if (!shared || shared->function)
    return shared ? shared->function : NULL;
  LLVMTypeRef type[2] = {g->ptr, g->ptr};
  LLVMTypeRef signature = LLVMFunctionType(g->none, type, 2, false);
  shared->function =
      module_add_local(g, arena_printf(k->arena, "copy.%d", shared->number), signature, k->target);
  b_mark(g, shared->function, "noinline");
  mark_scalar(k, shared->function);
  LLVMSetValueName2(LLVMGetParam(shared->function, 0), "first", 5);
  LLVMSetValueName2(LLVMGetParam(shared->function, 1), "out", 3);
  // Callers may have elements of other types, and "first" may begin within an element of the input.
  for (int i = 0; i < 2; i++)
    module_set_pointer(g, shared->function, i, output->nest->unit, i == 0, i == 1, true);
  LLVMValueRef caller = g->function;
  LLVMBasicBlockRef here = LLVMGetInsertBlock(g->builder);
  kernel_build_shared(k, index, shared->function);
  g->function = caller;
  b_position(g, here);
  return shared->function;
}

// Calls a function with some of the parameters of the caller.
static void call_part(Kernel *k, LLVMValueRef function, const Signature *signature) {
  int count = signature->parameter.count;
  LLVMValueRef *arg = ARENA_ARRAY(k->arena, LLVMValueRef, count + 1);
  for (int i = 0; i < count; i++)
    arg[i] =
        kernel_parameter(k, signature->parameter.item[i].kind, signature->parameter.item[i].index);
  b_call(k->g, function, arg, (unsigned)count, "");
}

// Builds output `index`; or, if `pass` is not NULL, the nests of pass `index`.
static void build_in_parts(Kernel *k, int index, const Pass *pass) {
  Gen *g = k->g;
  LLVMValueRef caller = g->function;
  LLVMBasicBlockRef here = LLVMGetInsertBlock(g->builder);
  const Nest *nest = pass ? pass->nest : k->plan->output[index].nest;
  int output = pass ? pass->output : index;
  int nests = pass ? pass->nest_count : k->plan->output[index].nest_count;
  for (int begin = 0; begin < nests; begin += PART_NESTS) {
    int end = begin + PART_NESTS < nests ? begin + PART_NESTS : nests;
    const char *name = arena_printf(k->arena, "%s.%s.%d.%d", k->name, pass ? "pass" : "part", index,
                                    begin / PART_NESTS);
    Kernel part = *k;
    Signature *signature = ARENA_NEW(k->arena, Signature);
    *signature = plan_part_signature(k->arena, k->plan, nest + begin, end - begin, output);
    LLVMValueRef function = module_declare(k, signature, g->none, NULL, name);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    b_mark(g, function, "noinline");
    mark_scalar(k, function);
    kernel_begin(&part, function, signature);
    if (pass)
      kernel_build_pass(&part, pass, begin, end);
    else
      kernel_build_part(&part, index, begin, end);
    LLVMBuildRetVoid(g->builder);
    g->function = caller;
    b_position(g, here);
    call_part(k, function, signature);
  }
}

static void build_passes(Kernel *k) {
  for (int i = 0; i < k->plan->pass_count; i++) {
    const Pass *pass = &k->plan->pass[i];
    lines_set(k->g, pass->value->node->span);
    if (pass->nest_count > PART_NESTS)
      build_in_parts(k, i, pass);
    else
      kernel_build_pass(k, pass, 0, pass->nest_count);
  }
}

static void build_outputs(Kernel *k) {
  for (int i = 0; i < k->plan->output_count; i++) {
    const Output *output = k->plan->output[i].output;
    lines_set(k->g, output->value->node ? output->value->node->span : output->span);
    LLVMValueRef shared = build_shared(k, i);
    bool is_long = k->plan->output[i].nest_count > PART_NESTS && !k->plan->output[i].in_place;
    if (!shared && is_long)
      build_in_parts(k, i, NULL);
    else
      kernel_build_output(k, i, shared);
  }
}

// Offsets in tensors fit a word, but those in staged values, which are not in memory, may not.
static LLVMTypeRef plan_index_type(Gen *g, const Plan *plan) {
  for (int i = 0; i < plan->stage_count; i++)
    if (plan_is_known(plan->stage[i].value) &&
        known_bytes(plan->graph, plan->stage[i].value) > INT32_MAX)
      return g->i64;
  return g->word;
}

// A kernel of this module for a plan, and the function with this name.
static Kernel kernel_for(const Kernel *module, const Plan *plan, const char *name) {
  Kernel k = *module;
  k.plan = plan;
  k.name = name;
  k.g->optimizes_size = plan_optimizes_size(plan);
  k.g->index = plan_index_type(k.g, plan);
  return k;
}

static const char *variant_name(const Kernel *module, const char *name, int variant) {
  return arena_printf(module->arena, "%s.variant.%d", name, variant);
}

// `value` NULL: RSH_ok.
static void build_return(Gen *g, const Signature *signature, LLVMValueRef value) {
  if (signature->returns_status)
    LLVMBuildRet(g->builder, value ? value : b_i32(g, RSH_ok));
  else
    LLVMBuildRetVoid(g->builder);
}

// NAME or NAME_shape. `is_variant`: the graph's function has made the preceding checks.
static LLVMValueRef build_function(const Kernel *module, const Plan *plan, const char *name,
                                   EntryPoint entry, bool is_variant) {
  Gen *g = module->g;
  bool is_shape = entry == ENTRY_SHAPE;
  const Signature *signature = is_shape ? &plan->shape_signature : &plan->signature;
  LLVMValueRef *variant = ARENA_ARRAY(module->arena, LLVMValueRef, plan->graph->variant.count + 1);
  for (int i = 0; i < plan->graph->variant.count && !is_shape; i++)
    variant[i] =
        build_function(module, plan->variant[i], variant_name(module, name, i), ENTRY_WHOLE, true);
  Kernel k = kernel_for(module, plan, name);
  g->span = plan->graph->span;
  LLVMTypeRef result = module_result_type(g, signature);
  LLVMValueRef function = module_declare(&k, signature, result, NULL, name);
  if (is_variant)
    LLVMSetLinkage(function, LLVMInternalLinkage);
  mark_scalar(&k, function);
  if (!is_shape)
    kernel_build_stages(&k);
  kernel_begin(&k, function, signature);
  if (signature->returns_status)
    kernel_build_entry(&k, entry, is_variant, variant);
  if (!is_shape) {
    build_passes(&k);
    build_outputs(&k);
  }
  lines_set(g, plan->graph->span);
  build_return(g, signature, NULL);
  return function;
}

// The kernel for the tasks of a plan; the functions of its stages are already built.
static Kernel task_kernel(const Kernel *module, const Plan *plan, const char *name) {
  Kernel k = kernel_for(module, plan, name);
  k.stage = ARENA_ARRAY(k.arena, LLVMValueRef, plan->stage_count + 1);
  for (int i = 0; i < plan->stage_count; i++)
    k.stage[i] = LLVMGetNamedFunction(k.g->module, arena_printf(k.arena, "%s.stage.%d", name, i));
  return k;
}

// int32_t NAME_tasks(sizes). `counts`: the same functions of variants.
static LLVMValueRef build_task_count(const Kernel *whole, const Split *split, int64_t tasks,
                                     const char *name, const LLVMValueRef *counts) {
  Kernel k = *whole;
  Signature sizes = signature_of_task_count(k.arena, &k.plan->signature);
  LLVMValueRef function = module_declare(&k, &sizes, k.g->i32, NULL, name);
  kernel_begin(&k, function, &sizes);
  kernel_build_entry(&k, split ? ENTRY_TASK_COUNT : ENTRY_SIZES, true, counts);
  kernel_build_code(&k, code_task_count(k.arena, k.plan, split, tasks), (CodeLeaves){0});
  return function;
}

// Skips a part without iterations, because loops run at least once.
static void build_share(Kernel *k, const Share *share, LLVMValueRef begin, LLVMValueRef end,
                        LLVMValueRef out) {
  Gen *g = k->g;
  Portion portion = {share->depth, begin, LLVMBuildSub(g->builder, end, begin, "count")};
  LLVMValueRef some = LLVMBuildICmp(g->builder, LLVMIntSGT, portion.count, b_int(g, 0), "some");
  Fork fork = b_fork(g, some, "mine", NULL, "next");
  kernel_build_portion(k, share, &portion, out);
  b_fork_end(g, &fork);
}

// An output, a share of it, or a part of a share.
static void build_work(Kernel *k, const Split *split, const CodeNode *node, LLVMValueRef begin,
                       LLVMValueRef end) {
  LLVMValueRef out = kernel_parameter(k, PARAMETER_OUTPUT, node->index);
  const Share *share = split[node->index].share; // NULL: it is not divided
  if (node->op == CODE_DO_OUTPUT)
    kernel_build_output(k, node->index, NULL);
  else if (node->op == CODE_DO_NEST)
    kernel_build_portion(k, &share[node->n], NULL, out);
  else
    build_share(k, &share[node->n], begin, end, out);
}

// The function of all tasks: its parameters are those of the graph and the task. `variants`: the same functions of the
// variants; NULL in a variant.
static LLVMValueRef build_any_task(const Kernel *whole, const Split *split, int64_t tasks,
                                   const LLVMValueRef *variants) {
  Kernel k = *whole;
  Gen *g = k.g;
  const Signature *signature = &k.plan->signature;
  LLVMTypeRef result = module_result_type(g, signature);
  LLVMValueRef function =
      module_declare(&k, signature, result, g->index, arena_printf(k.arena, "%s.task", k.name));
  LLVMSetLinkage(function, LLVMInternalLinkage);
  mark_scalar(&k, function);
  kernel_begin(&k, function, signature);
  k.task = LLVMGetLastParam(function);
  if (signature->returns_status)
    kernel_build_entry(&k, ENTRY_TASK, !variants, variants);
  kernel_build_code(&k, code_task(k.arena, k.plan, split, tasks),
                    (CodeLeaves){.split = split, .work = build_work});
  build_return(g, signature, NULL);
  return function;
}

static LLVMTypeRef function_type(const Kernel *module, const Signature *signature) {
  Gen *g = module->g;
  return LLVMFunctionType(module_result_type(g, signature),
                          module_parameter_types(g, module->arena, signature),
                          (unsigned)signature->parameter.count, false);
}

// rsh_status NAME_task(int32_t task, parameters of the graph). A single task calls NAME.
static void build_task(const Kernel *whole, LLVMValueRef work, bool is_single, const char *name) {
  Gen *g = whole->g;
  const Signature *signature = &whole->plan->signature;
  Signature of_task = signature_of_task(whole->arena, signature);
  unsigned count = (unsigned)signature->parameter.count;
  g->function = LLVMAddFunction(g->module, name, function_type(whole, &of_task));
  module_set_attributes(g, g->function, whole->target);
  b_position(g, b_block(g, "entry"));
  LLVMValueRef *arg = ARENA_ARRAY(whole->arena, LLVMValueRef, count + 1);
  module_name_parameters(g->function, 1, work, count);
  for (unsigned i = 0; i < count; i++)
    arg[i] = LLVMGetParam(g->function, i + 1);
  arg[count] = b_as(g, g->index, LLVMGetParam(g->function, 0));
  build_return(g, signature, b_call(g, work, arg, count + !is_single, ""));
}

// The tasks of a variant, and their number if `count` is not NULL. If the work is not divided, the variant's function
// is the only task.
static LLVMValueRef build_variant_tasks(const Kernel *module, const Plan *plan, const char *name,
                                        LLVMValueRef *count) {
  int64_t tasks;
  const Split *split = plan_split(module->arena, plan, &tasks);
  if (!split)
    return LLVMGetNamedFunction(module->g->module, name);
  Kernel k = task_kernel(module, plan, name);
  if (count) {
    *count = build_task_count(&k, split, tasks, arena_printf(k.arena, "%s.tasks", name), NULL);
    LLVMSetLinkage(*count, LLVMInternalLinkage);
  }
  return build_any_task(&k, split, tasks, NULL);
}

static void build_tasks(const Kernel *module, const Plan *plan, const GraphNames *names) {
  const char *name = names->entry[ENTRY_WHOLE], *counter = names->entry[ENTRY_TASK_COUNT];
  int64_t tasks;
  const Split *split = plan_split(module->arena, plan, &tasks);
  int variants = plan->graph->variant.count;
  LLVMValueRef *variant = ARENA_ARRAY(module->arena, LLVMValueRef, variants + 1);
  LLVMValueRef *count = ARENA_ARRAY(module->arena, LLVMValueRef, variants + 1);
  for (int i = 0; i < variants && split; i++)
    variant[i] = build_variant_tasks(module, plan->variant[i], variant_name(module, name, i),
                                     counter ? &count[i] : NULL);
  Kernel k = task_kernel(module, plan, name);
  if (counter)
    build_task_count(&k, split, tasks, counter, count);
  LLVMValueRef work =
      split ? build_any_task(&k, split, tasks, variant) : LLVMGetNamedFunction(k.g->module, name);
  build_task(&k, work, !split, names->entry[ENTRY_TASK]);
}

const char *module_packed_name(Arena *arena, const char *function_name) {
  return arena_printf(arena, "%s.packed", function_name); // no C name has a dot
}

// int NAME.packed(const JitArgument *arguments): 0 if the function returns nothing. NAME may be in another module.
static void build_packed(const Kernel *module, const Signature *s, const char *name) {
  Gen *g = module->g;
  LLVMTypeRef *types = module_parameter_types(g, module->arena, s);
  LLVMTypeRef type = LLVMFunctionType(g->i32, &g->ptr, 1, false);
  LLVMValueRef function = module_function(g, name, function_type(module, s));
  g->function = LLVMAddFunction(g->module, module_packed_name(module->arena, name), type);
  module_set_attributes(g, g->function, module->target);
  b_position(g, b_block(g, "entry"));
  LLVMValueRef *arg = ARENA_ARRAY(module->arena, LLVMValueRef, s->parameter.count);
  for (int i = 0; i < s->parameter.count; i++) {
    bool is_task = parameter_is_task(s->parameter.item[i]);
    LLVMValueRef slot =
        b_step(g, LLVMGetParam(g->function, 0), b_int(g, i * (int64_t)sizeof(JitArgument)), "slot");
    // The task is passed as a size.
    arg[i] = LLVMBuildLoad2(g->builder, is_task ? g->i64 : types[i], slot, "arg");
    if (is_task)
      arg[i] = b_as(g, g->i32, arg[i]);
  }
  LLVMValueRef result = b_call(g, function, arg, (unsigned)s->parameter.count, "");
  LLVMBuildRet(g->builder, s->returns_status ? result : b_i32(g, RSH_ok));
}

static void set_vectors(Gen *g, const Target *target) {
  g->target = target;
  g->wide = target->wide;
  g->can = target->can;
}

static Gen gen_new(LLVMContextRef context, const Target *target, const char *name) {
  Gen g = {.context = context, .module = LLVMModuleCreateWithNameInContext(name, context)};
  g.builder = LLVMCreateBuilderInContext(context);
  set_vectors(&g, target);
  g.none = LLVMVoidTypeInContext(context);
  g.i1 = LLVMInt1TypeInContext(context);
  g.i8 = LLVMInt8TypeInContext(context);
  g.i32 = LLVMInt32TypeInContext(context);
  g.i64 = LLVMInt64TypeInContext(context);
  g.word = g.index = LLVMIntTypeInContext(context, (unsigned)target->pointer);
  g.divides = target->divides;
  g.has_loops = target->has_loops;
  g.multiplies_long = target->multiplies_long;
  g.divides_long = target->pointer == 64 || target->is_wasm;
  g.clamps_words = target->is_arm;
  g.ptr = LLVMPointerTypeInContext(context, 0);
  LLVMSetSourceFileName(g.module, name, strlen(name));
  LLVMSetTarget(g.module, target->triple);
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(target->machine);
  LLVMSetModuleDataLayout(g.module, layout);
  LLVMDisposeTargetData(layout);
  LLVMMetadataRef two = LLVMValueAsMetadata(b_i32(&g, 2));
  LLVMAddModuleFlag(g.module, LLVMModuleFlagBehaviorOverride, "PIC Level", 9, two);
  return g;
}

// NAME.packed of all functions of a graph.
static void pack_graph(const Kernel *module, const Plan *plan, const GraphNames *names) {
  for (EntryPoint e = 0; e < ENTRY_POINTS; e++) {
    Signature signature = signature_of_entry(module->arena, plan, e);
    if (names->entry[e])
      build_packed(module, &signature, names->entry[e]);
  }
}

LLVMModuleRef module_build_packed(Arena *arena, LLVMContextRef context, const Plan *const *plans,
                                  int count, const Target *target) {
  Gen g = gen_new(context, target, "packed");
  Kernel module = {.g = &g, .arena = arena, .target = target};
  const GraphNames *names = graph_names(arena, plans, count, target->parallel);
  for (int i = 0; i < count; i++)
    pack_graph(&module, plans[i], &names[i]);
  LLVMDisposeBuilder(g.builder);
  return g.module;
}

// The functions of one graph.
static void build_graph(const Kernel *module, const Plan *plan, const GraphNames *names) {
  const char *name = names->entry[ENTRY_WHOLE], *shape = names->entry[ENTRY_SHAPE];
  if (plan->tape) {
    dynamic_build(module, plan, name, shape);
    return;
  }
  build_function(module, plan, name, ENTRY_WHOLE, false);
  if (names->entry[ENTRY_TASK])
    build_tasks(module, plan, names);
  if (shape)
    build_function(module, plan, shape, ENTRY_SHAPE, false);
}

static const char *level_name(Arena *arena, const char *name, int level) {
  return name ? arena_printf(arena, "%s.v%d", name, level) : NULL;
}

// The functions of all plans again, for an x86-64 level: NAME.v3 and NAME_task.v3.
static void build_level(const Kernel *module, const Plan *const *plans, int count, int level,
                        const GraphNames *names) {
  Target version = target_version(module->target, level);
  Kernel leveled = *module;
  leveled.target = &version;
  leveled.shared_kernels = shared_kernels_of(module->arena, plans, count);
  set_vectors(module->g, &version);
  for (int i = 0; i < count; i++) {
    if (plans[i]->tape)
      continue;
    GraphNames leveled_names = {
        .entry[ENTRY_WHOLE] = level_name(module->arena, names[i].entry[ENTRY_WHOLE], level),
        .entry[ENTRY_TASK] = level_name(module->arena, names[i].entry[ENTRY_TASK], level)};
    build_graph(&leveled, plans[i], &leveled_names);
  }
  shared_kernels_free(leveled.shared_kernels);
  set_vectors(module->g, module->target);
}

static void build_levels(const Kernel *module, const Plan *const *plans, int count,
                         const GraphNames *names) {
  const Target *target = module->target;
  for (int level = 2; level <= 4; level++)
    if (target->levels & 1u << level)
      build_level(module, plans, count, level, names);
  for (int i = 0; i < count && target->levels; i++) {
    if (plans[i]->tape)
      continue;
    versions_build(module->g, module->arena, target, names[i].entry[ENTRY_WHOLE]);
    if (names[i].entry[ENTRY_TASK])
      versions_build(module->g, module->arena, target, names[i].entry[ENTRY_TASK]);
  }
}

LLVMModuleRef module_build(Arena *arena, LLVMContextRef context, const Plan *const *plans,
                           int count, const Target *target, const char *source_name, bool packed) {
  const char *base = strrchr(source_name, '/');
  base = base ? base + 1 : source_name; // the object must not depend on the folder
  Gen g = gen_new(context, target, base);
  Kernel module = {.g = &g, .arena = arena, .target = target};
  const GraphNames *names = graph_names(arena, plans, count, target->parallel);
  lines_begin(&g, arena);
  module.shared_kernels = shared_kernels_of(arena, plans, count);
  for (int i = 0; i < count; i++) {
    build_graph(&module, plans[i], &names[i]);
    if (packed)
      pack_graph(&module, plans[i], &names[i]);
  }
  shared_kernels_free(module.shared_kernels);
  build_levels(&module, plans, count, names);
  lines_end(&g);
  module_set_sections(g.module, target);
  if (target
          ->is_arm) // no float is passed in a register: the object links with hard and soft floats
    LLVMSetModuleInlineAsm2(g.module, ".eabi_attribute 28, 3\n", 22);
  LLVMDisposeBuilder(g.builder);
  return g.module;
}
