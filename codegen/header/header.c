// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C header: for each graph its signature, the requirements on each pointer, the prototype, macros
// for the sizes of each value, and for an alias the function that returns its address. C99 and C++98
// and later.
#include "codegen/header/header.h"

#include "codegen/header/header_internal.h"

#include <inttypes.h>
#include <string.h>

// The offset of an alias in units of its C type: 2 per element for pairs.
static rsh_num c_offset(rsh_num offset, rsh_dtype type) {
  rsh_num bytes = rsh_int(0);
  plan_to_bytes(offset, type, &bytes);
  return (rsh_num){bytes.n / plan_element_align(type), bytes.poly};
}

static const char *prefix_of(Header *h, const char *function, const char *name) {
  return name_unique(&h->macros, arena_printf(h->arena, "%s_%s", c_macro_part(h->arena, function),
                                              c_macro_part(h->arena, name)));
}

// Names parameters in order, then placed inputs.
static Naming *name_parameters(Header *h, const Plan *plan, const char *function) {
  const Graph *graph = plan->graph;
  const Signature *s = &plan->signature;
  const char **name = c_parameter_names(h->arena, graph, s);
  int count = s->parameter.count;
  Naming *n = ARENA_ARRAY(h->arena, Naming, count + graph->input_count + 1);
  for (int i = 0; i < count; i++) {
    n[i].name = name[i];
    if (parameter_is_pointer(s->parameter.item[i].kind))
      n[i].prefix = prefix_of(h, function, parameter_name(h->arena, graph, s->parameter.item[i]));
  }
  for (int i = 0; i < graph->input_count; i++) {
    const char *placed = graph->value.item[i]->name;
    if (graph->value.item[i]->is_placed)
      n[count++] = (Naming){c_comment(h->arena, placed), prefix_of(h, function, placed)};
  }
  return n;
}

// static inline const T *GRAPH_NAME(const T *x) { return x + 12; }, for a value that is in x from an element on. If the
// offset depends on sizes, these are the first parameters.
static void put_place(Header *h, const Plan *plan, const Naming *n, const char *wanted,
                      const char *type, rsh_dtype dtype, const char *parameter, rsh_num offset) {
  bool is_known = rsh_is_known(offset);
  offset = c_offset(offset, dtype);
  wanted = c_identifier(h->arena, wanted);
  put(h, "static inline %s*%s(", type, name_unique(&h->functions, wanted));
  for (int i = 0; !is_known && i < header_size_count(plan); i++)
    put(h, "int64_t %s, ", n[i].name);
  put(h, "%s*%s) { ", type, parameter);
  for (int i = 0; !is_known && i < header_size_count(plan); i++)
    put(h, "(void)%s; ", n[i].name);
  put(h, "return %s", parameter);
  if (!rsh_is(offset, 0))
    put(h, " + %s", header_number(h, plan, n, offset));
  put(h, "; }\n");
}

static void put_alias(Header *h, const Plan *plan, const Naming *n, const char *function,
                      const char *prefix, const OutputPlan *out, const Value *place) {
  const char *wanted = arena_printf(h->arena, "%s_%s", function, out->output->name);
  header_put_offset(h, plan, n, prefix, "OFFSET", out->offset);
  put_place(h, plan, n, wanted, c_element(h->arena, place->dtype, true), place->dtype,
            header_naming(plan, n, PARAMETER_INPUT, place->id)->name, out->offset);
}

// The macros and the function of a placed input, which is in an output.
static void put_placed(Header *h, const Plan *plan, const Naming *n, const char *function,
                       const Value *input) {
  int output;
  const Placed *placed = plan_placed(plan, input, &output);
  header_put_placed(h, plan, n, input, placed);
  if (placed)
    put_place(h, plan, n, arena_printf(h->arena, "%s_%s", function, input->name),
              c_element(h->arena, input->dtype, false), input->dtype,
              header_naming(plan, n, PARAMETER_OUTPUT, output)->name, placed->offset);
}

static void put_macros(Header *h, const Plan *plan, const char *function, const Naming *n) {
  const Graph *graph = plan->graph;
  for (int i = 0; i < graph->input_count; i++) {
    const Value *input = graph->value.item[i];
    if (input->is_placed)
      put_placed(h, plan, n, function, input);
    else
      header_put_value(h, plan, n, header_naming(plan, n, PARAMETER_INPUT, i)->prefix, input);
  }
  for (int i = 0; i < plan->output_count; i++) {
    const OutputPlan *out = &plan->output[i];
    const char *prefix = header_naming(plan, n, PARAMETER_OUTPUT, i)->prefix;
    const Value *place = c_alias_place(graph, out);
    header_put_value(h, plan, n, prefix, out->output->value);
    put(h, "#define %s_IS_ALIAS %d\n", prefix, place != NULL);
    if (place)
      put_alias(h, plan, n, function, prefix, out, place);
  }
  if (plan->scratch_align > 0) {
    const char *prefix = header_naming(plan, n, PARAMETER_SCRATCH, 0)->prefix;
    put(h, "#define %s_BYTES%s %s\n#define %s_ALIGN %" PRIu32 "\n", prefix,
        header_scratch_arguments(h, plan, n), header_scratch(h, plan, n), prefix,
        plan->scratch_align);
  }
}

static void put_prototypes(Header *h, const Plan *plan, const char *function, const char *shape) {
  put(h, "%s;\n", header_prototype(h, plan, &plan->signature, function));
  if (shape)
    put(h, "%s;\n", header_prototype(h, plan, &plan->shape_signature, shape));
}

static void put_dynamic(Header *h, const Plan *plan, const char *function, const char *shape) {
  const Naming *n = name_parameters(h, plan, function);
  header_put_dynamic_comment(h, plan, n, shape);
  put_prototypes(h, plan, function, shape);
  int place = signature_find(&plan->signature, PARAMETER_PLAN, 0);
  put(h, "#define %s_BYTES %" PRId64 "\n", n[place].prefix, plan->tape->plan_bytes);
  const Graph *graph = plan->graph;
  for (int i = 0; i < graph->input_count; i++)
    header_put_lod(h, plan, header_naming(plan, n, PARAMETER_INPUT, i)->prefix,
                   graph->value.item[i]);
  for (int i = 0; i < graph->output_count; i++)
    header_put_lod(h, plan, header_naming(plan, n, PARAMETER_OUTPUT, i)->prefix,
                   graph->output[i].value);
}

static void put_graph(Header *h, const Plan *plan, const GraphNames *names) {
  const char *function = names->entry[ENTRY_WHOLE], *shape = names->entry[ENTRY_SHAPE];
  if (plan->tape) {
    put_dynamic(h, plan, function, shape);
    return;
  }
  const Naming *n = name_parameters(h, plan, function);
  header_put_comment(h, plan, n, shape);
  put_prototypes(h, plan, function, shape);
  put_macros(h, plan, function, n);
  if (names->parallel)
    header_put_tasks(h, plan, names);
}

// "dir/my-model.h" and "my-model" become MY_MODEL_H.
static const char *include_guard(Arena *arena, const char *prefix, const char *name) {
  const char *slash = strrchr(name, '/');
  name = slash ? slash + 1 : name;
  size_t length = strlen(name);
  if (length > 2 && strcmp(name + length - 2, ".h") == 0)
    length -= 2;
  const char *clean =
      c_macro_part(arena, arena_printf(arena, "%s%.*s", prefix ? prefix : "", (int)length, name));
  while (*clean == '_') // such names are reserved for the implementation
    clean++;
  bool usable = *clean >= 'A' && *clean <= 'Z';
  return arena_printf(arena, "%s%s_H", usable ? "" : "RESHAPEC_", clean);
}

// The compile-time assertion of a dialect of C.
typedef enum Asserting { ASSERT_CXX, ASSERT_C11, ASSERT_BY_ARRAY } Asserting;

static void put_assertion(Header *h, Asserting how, const char *guard, const char *type, int bytes,
                          const char *why) {
  if (how == ASSERT_BY_ARRAY) {
    char *name = arena_text(h->arena, why, strlen(why));
    for (char *at = name; *at; at++)
      *at = *at == ' ' ? '_' : *at;
    put(h, "typedef char %s_%s[sizeof(%s) == %d ? 1 : -1];\n", guard, name, type, bytes);
    return;
  }
  put(h, "%s(sizeof(%s) == %d, \"%s\");\n", how == ASSERT_CXX ? "static_assert" : "_Static_assert",
      type, bytes, why);
}

// Asserts the sizes of types that the object was compiled for.
static void put_assertions(Header *h, const Plan *const *plans, int count, const char *guard,
                           Asserting how) {
  bool seen[RSH_DTYPE_COUNT] = {false};
  for (int i = 0; i < count; i++)
    for (int k = 0; k < plans[i]->graph->value.count; k++)
      seen[plans[i]->graph->value.item[k]->dtype] = true;
  put_assertion(h, how, guard, "void *", h->pointer_bytes,
                arena_printf(h->arena, "generated for pointers of %d bytes", h->pointer_bytes));
  if (seen[RSH_F32] || seen[RSH_C64])
    put_assertion(h, how, guard, "float", 4, "f32 is float");
  if (seen[RSH_F64] || seen[RSH_C128])
    put_assertion(h, how, guard, "double", 8, "f64 is double");
}

// How the header was made: "#define SWAP_VERSION "reshapec 0.1.0"" in swap.h.
static void put_stamp(Header *h, const Stamp *stamp, const char *guard) {
  if (!stamp)
    return;
  int length = (int)strlen(guard) - 2; // without _H
  put(h, "\n#define %.*s_VERSION \"%s\"\n#define %.*s_TARGET \"%s\"\n#define %.*s_OPTIONS \"%s\"\n",
      length, guard, stamp->compiler, length, guard, stamp->target, length, guard, stamp->options);
  if (stamp->source)
    put(h, "#define %.*s_SOURCE_SHA256 \"%s\"\n", length, guard, stamp->source);
}

static void put_includes(Header *h, const Plan *const *plans, int count, const char *source,
                         const char *guard) {
  const char *slash = strrchr(source, '/');
  put(h, "/* Generated by reshapec from %s. */\n", c_comment(h->arena, slash ? slash + 1 : source));
  bool tensors = false;
  for (int i = 0; i < count; i++)
    tensors = tensors || graph_takes_tensors(plans[i]->graph);
  put(h, "#ifndef %s\n#define %s\n\n%s#include <stdint.h>\n\n", guard, guard,
      tensors ? DLPACK_INCLUDE : "");
  put(h, "#ifndef RSH_RESTRICT\n"
         "#if !defined __cplusplus && defined __STDC_VERSION__ && __STDC_VERSION__ >= 199901L\n"
         "#define RSH_RESTRICT restrict\n#else\n#define RSH_RESTRICT\n#endif\n#endif\n\n");
  put(h, "#if defined __cplusplus && __cplusplus >= 201103L\n");
  put_assertions(h, plans, count, guard, ASSERT_CXX);
  put(h, "#elif !defined __cplusplus && defined __STDC_VERSION__ && __STDC_VERSION__ >= 201112L\n");
  put_assertions(h, plans, count, guard, ASSERT_C11);
  put(h, "#else\n");
  put_assertions(h, plans, count, guard, ASSERT_BY_ARRAY);
  put(h, "#endif\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
}

// The macro for sizes that depend on edges (Symbol.is_edge).
static void put_edge_macro(Header *h, const Plan *const *plans, int count) {
  bool has_edges = false;
  for (int i = 0; i < count; i++)
    has_edges = has_edges || (!plans[i]->tape && graph_has_edges(plans[i]->graph));
  if (has_edges)
    c_put_edge(&h->text);
}

static bool any_slides(const Plan *const *plans, int count) {
  for (int i = 0; i < count; i++)
    for (int k = 0; k < plans[i]->output_count; k++)
      if (plans[i]->output[k].slides)
        return true;
  return false;
}

// States the requirements of code without vectors on the core and the program. Objects shift runs themselves.
static void put_accesses(Header *h, const Machine *machine, bool slides) {
  if (!machine->walks)
    return;
  put(h,
      machine->unaligned > 1 ? "\n/* Loads and stores of up to %d bytes may be unaligned: the core "
                               "must not trap them (-mattr=+strict-align\n * avoids them). */\n"
                             : "\n/* All loads and stores are aligned. */\n",
      machine->unaligned);
  if (machine->library)
    put(h, "/* Long runs are copied and filled by the program's memcpy and memset%s. */\n",
        slides ? "; C code also calls its memmove" : "");
}

Bytes emit_header(Arena *arena, const Plan *const *plans, int count, const Source *source,
                  const char *guard_name, int pointer_bytes, const Machine *machine,
                  const EmitOptions *options) {
  Header h = {.arena = arena,
              .text = {.arena = arena},
              .pointer_bytes = pointer_bytes,
              .hook = options->hook,
              .macros = {.arena = arena},
              .functions = {.arena = arena}};
  const char *guard = include_guard(arena, options->prefix, guard_name);
  const GraphNames *names = graph_names(arena, plans, count, options->parallel);
  put_includes(&h, plans, count, source ? source->name : "", guard);
  put_stamp(&h, options->stamp, guard);
  bool has_status = false, has_tasks = false;
  for (int i = 0; i < count; i++) {
    has_status = has_status || names[i].entry[ENTRY_SHAPE];
    has_tasks = has_tasks || names[i].parallel;
    names_take(&h.functions, &names[i]);
  }
  if (options->levels)
    put(&h, "\n/* The first call detects the x86-64 level of the processor and stores the selected "
            "code "
            "in an int of\n * the object, always in one store of the same value: any thread may "
            "call first. */\n");
  put_accesses(&h, machine, any_slides(plans, count));
  if (has_status)
    c_put_statuses(&h.text);
  put_edge_macro(&h, plans, count);
  if (has_tasks && h.hook)
    header_put_hook(&h);
  for (int i = 0; i < count; i++)
    put_graph(&h, plans[i], &names[i]);
  put(&h, "\n#ifdef __cplusplus\n}\n#endif\n\n#endif /* %s */\n", guard);
  return (Bytes){h.text.letter.item, (size_t)h.text.letter.count};
}
