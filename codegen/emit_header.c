// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C header: for each graph its signature, what it asks of each pointer, the prototype, macros
// for the sizes of each value, and for an alias the function that gives its place. C99 and C++98
// and later.
#include "codegen/emit.h"
#include "codegen/names.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

typedef struct Header {
  Arena *arena;
  VEC(char) text;
  NameSet macros;    // beginnings of macro names, as CHW_Y
  NameSet functions; // those of the graphs, then those of aliases
} Header;

__attribute__((format(printf, 2, 3))) static void put(Header *h, const char *format, ...) {
  va_list list, again;
  va_start(list, format);
  va_copy(again, list);
  int length = vsnprintf(NULL, 0, format, list);
  char *text = arena_alloc(h->arena, (size_t)length + 1);
  vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  va_end(list);
  for (int i = 0; i < length; i++)
    VEC_PUSH(h->arena, h->text, text[i]);
}

// Text for a comment: nothing in it can end the comment or begin another.
static const char *safe(Arena *arena, const char *text) {
  char *out = arena_printf(arena, "%s", text);
  for (char *c = out; *c; c++)
    if ((unsigned char)*c < ' ' || *c == 127 || (*c == '/' && c > out && c[-1] == '*') ||
        (*c == '*' && c > out && c[-1] == '/'))
      *c = '?';
  return out;
}

static const char *typed(Header *h, const Graph *graph, const char *name, const Value *value) {
  return arena_printf(h->arena, "%s: %s", safe(h->arena, name),
                      safe(h->arena, value_text(h->arena, graph, value)));
}

// graph chw(x: u8[28, 28, 3]) -> y: u8[3, 28, 28]
static void put_signature(Header *h, const Graph *graph) {
  put(h, " * graph %s(", safe(h->arena, graph->name));
  for (int i = 0; i < graph->input_count; i++)
    put(h, "%s%s", i ? ", " : "",
        typed(h, graph, graph->value.item[i]->name, graph->value.item[i]));
  put(h, ") -> %s", graph->output_count == 1 ? "" : "(");
  for (int i = 0; i < graph->output_count; i++)
    put(h, "%s%s", i ? ", " : "", typed(h, graph, graph->output[i].name, graph->output[i].value));
  put(h, "%s\n", graph->output_count == 1 ? "" : ")");
}

// How elements lie in memory where the C type does not say it.
static const char *storage(rsh_dtype type) {
  switch (type) {
  case RSH_C64:
  case RSH_C128:
    return ", pairs of real and imaginary part";
  case RSH_STRING:
    return ", handles: the texts are not moved";
  default:
    return plan_element_bits(type) < 8 ? ", packed, first element in the lowest bits" : "";
  }
}

static void put_pointer(Header *h, const char *name, const Value *value, const char *role) {
  uint64_t bytes = plan_value_bytes(value);
  put(h, " *   %s: %s, %" PRIu64 " bytes%s, ", name, role, bytes, storage(value->dtype));
  if (bytes == 0)
    put(h, "not accessed, may be null");
  else
    put(h, plan_element_align(value->dtype) == 1 ? "any alignment" : "aligned to %" PRIu32 " bytes",
        plan_element_align(value->dtype));
}

// The input an alias lies in. A value without elements lies anywhere: in the first of its type, if
// any.
static const Value *place_of(const Graph *graph, const OutputPlan *out) {
  if (out->tier != TIER_ALIAS || out->source)
    return out->tier == TIER_ALIAS ? out->source : NULL;
  for (int i = 0; i < graph->input_count; i++)
    if (graph->value.item[i]->dtype == out->output->value->dtype)
      return graph->value.item[i];
  return NULL;
}

// `const char *const *x`: the element type and its qualifier.
static const char *element(Arena *arena, rsh_dtype type, bool is_const) {
  const char *name = rsh_dtype_ctype(type);
  if (name[strlen(name) - 1] == '*')
    return arena_printf(arena, "%s%s", name, is_const ? "const " : "");
  return arena_printf(arena, "%s%s ", is_const ? "const " : "", name);
}

// A parameter's steps per element: 2 for pairs.
static int64_t c_offset(const OutputPlan *out) {
  rsh_dtype type = out->output->value->dtype;
  int64_t bits = plan_element_bits(type);
  return bits < 8 ? out->offset.n * bits / 8
                  : out->offset.n * (bits / 8 / plan_element_align(type));
}

// Where it is not the row-major elements of its type.
static void put_storage(Header *h, const Graph *graph, const Value *value, const char *gaps) {
  const Storage *storage = value->storage;
  if (!storage)
    return;
  put(h, ",\n *     in memory %s", shape_text(h->arena, graph, &value->shape));
  if (!storage->stride)
    return;
  rsh_shape strides = {.rank = value->shape.rank};
  for (int i = 0; i < strides.rank; i++)
    strides.dim[i] = storage->stride[i];
  put(h, " at strides of %s elements", shape_text(h->arena, graph, &strides));
  if (!rsh_is(storage->offset, 0))
    put(h, ", the first one being element %" PRId64, storage->offset.n);
  put(h, "%s", gaps);
}

static void put_value_macros(Header *h, const Plan *plan, const char *prefix, const Value *value) {
  const rsh_shape *shape = value_dims(value);
  put(h, "#define %s_RANK %d\n#define %s_DIMS { ", prefix, (int)shape->rank, prefix);
  for (int i = 0; i < shape->rank; i++)
    put(h, "%s%" PRId64, i ? ", " : "", shape->dim[i].n);
  put(h, "%s }\n#define %s_BYTES %" PRIu64 "\n", shape->rank ? "" : "1", prefix,
      plan_value_bytes(value));
  if (value->lod)
    put(h, "#define %s_LOD %d\n", prefix,
        signature_find(&plan->signature, PARAMETER_INPUT, value->lod->id));
}

static void put_alias(Header *h, const char *function, const char *prefix, const char *name,
                      const OutputPlan *out, const Value *place, const char *parameter) {
  const char *type = element(h->arena, place->dtype, true);
  const char *wanted = c_identifier(h->arena, arena_printf(h->arena, "%s_%s", function, name));
  put(h, "#define %s_OFFSET %" PRId64 "\n", prefix, out->offset.n);
  put(h, "static inline %s*%s(%s*%s) { return %s", type, name_unique(&h->functions, wanted), type,
      parameter, parameter);
  if (c_offset(out) != 0)
    put(h, " + %" PRId64, c_offset(out));
  put(h, "; }\n");
}

// How the header calls a parameter, and the beginning of its macros (of tensors).
typedef struct Naming {
  const char *name, *prefix;
} Naming;

// In order of the parameters.
static Naming *name_parameters(Header *h, const Plan *plan, const char *function) {
  NameSet set = {.arena = h->arena};
  const Signature *s = &plan->signature;
  Naming *n = ARENA_ARRAY(h->arena, Naming, s->parameter.count + 1);
  for (int i = 0; i < s->parameter.count; i++) {
    const char *name = parameter_name(h->arena, plan->graph, s->parameter.item[i]);
    n[i].name = name_unique(&set, c_identifier(h->arena, name));
    if (parameter_is_pointer(s->parameter.item[i].kind))
      n[i].prefix =
          name_unique(&h->macros, arena_printf(h->arena, "%s_%s", c_macro_part(h->arena, function),
                                               c_macro_part(h->arena, name)));
  }
  return n;
}

static const Naming *naming_of(const Plan *plan, const Naming *n, ParameterKind kind, int index) {
  return &n[signature_find(&plan->signature, kind, index)];
}

// The offsets that go with a tensor: `lod` of the language.
static void put_lod(Header *h, const Plan *plan, const Value *value, const Naming *n) {
  if (value->lod == value)
    put(h, ",\n *     with offsets of sequences along axis 0");
  else if (value->lod)
    put(h, ",\n *     with the offsets of %s along axis 0",
        naming_of(plan, n, PARAMETER_INPUT, value->lod->id)->name);
  else if (value->lod_lost)
    put(h, ",\n *     without offsets: %s does not keep the rows",
        rsh_op_name(value->lod_lost->call.op));
}

static void put_output_comment(Header *h, const Plan *plan, int index, const Naming *n) {
  const Graph *graph = plan->graph;
  const OutputPlan *out = &plan->output[index];
  put_pointer(h, naming_of(plan, n, PARAMETER_OUTPUT, index)->name, out->output->value, "output");
  put_storage(h, graph, out->output->value, ", the gaps are not written");
  put_lod(h, plan, out->output->value, n);
  const Value *place = place_of(graph, out);
  if (out->bytes > 0 && place)
    put(h,
        ",\n *     may be element %" PRId64
        " of %s itself: then nothing is done; else must not overlap an input",
        out->offset.n, naming_of(plan, n, PARAMETER_INPUT, place->id)->name);
  else if (out->in_place)
    put(h,
        ",\n *     may be element %" PRId64
        " of %s itself, which is then overwritten; else must not overlap an input",
        out->offset.n, naming_of(plan, n, PARAMETER_INPUT, out->in_place->id)->name);
  else if (out->bytes > 0)
    put(h, ",\n *     must not overlap %s",
        graph->output_count > 1 ? "an input or another output" : "an input");
  put(h, "\n *     %s\n", safe(h->arena, out->why));
}

// An alias output may be a place in its input, and what is computed in place lies there, so neither of the
// two is `restrict`.
static bool may_meet_an_output(const Plan *plan, const Value *input) {
  for (int i = 0; i < plan->output_count; i++)
    if (place_of(plan->graph, &plan->output[i]) == input || plan->output[i].in_place == input)
      return true;
  return false;
}

static void put_prototype(Header *h, const Plan *plan, const char *function, const Naming *n) {
  const Graph *graph = plan->graph;
  const char *separator = "";
  put(h, "%s %s(", plan->signature.returns_status ? "rsh_status" : "void", function);
  for (int i = 0; i < plan->signature.parameter.count; i++, separator = ", ") {
    Parameter p = plan->signature.parameter.item[i];
    put(h, "%s", separator);
    switch (p.kind) {
    case PARAMETER_SIZE:
      put(h, "int64_t ");
      break;
    case PARAMETER_INPUT:
      put(h, "%s*%s", element(h->arena, graph->value.item[p.index]->dtype, true),
          may_meet_an_output(plan, graph->value.item[p.index]) ? "" : "RSH_RESTRICT ");
      break;
    case PARAMETER_OUTPUT:
      put(h, "%s*%s", element(h->arena, graph->output[p.index].value->dtype, false),
          place_of(graph, &plan->output[p.index]) || plan->output[p.index].in_place
              ? ""
              : "RSH_RESTRICT ");
      break;
    }
    put(h, "%s", n[i].name);
  }
  put(h, ");\n");
}

static bool has_scalar(const Graph *graph) {
  bool found = false;
  for (int i = 0; i < graph->input_count; i++)
    found = found || graph->value.item[i]->shape.rank == 0;
  for (int i = 0; i < graph->output_count; i++)
    found = found || graph->output[i].value->shape.rank == 0;
  return found;
}

static void put_comment(Header *h, const Plan *plan, const Naming *n) {
  const Graph *graph = plan->graph;
  put(h, "\n/*\n");
  put_signature(h, graph);
  for (int i = 0; i < plan->signature.parameter.count; i++) {
    Parameter p = plan->signature.parameter.item[i];
    switch (p.kind) {
    case PARAMETER_SIZE:
      break;
    case PARAMETER_INPUT:
      put_pointer(h, n[i].name, graph->value.item[p.index], "input");
      put_storage(h, graph, graph->value.item[p.index], "");
      put_lod(h, plan, graph->value.item[p.index], n);
      put(h, "\n");
      break;
    case PARAMETER_OUTPUT:
      put_output_comment(h, plan, p.index, n);
      break;
    }
  }
  if (has_scalar(graph))
    put(h, " * A scalar has rank 0; its DIMS are { 1 }, because C has no empty lists.\n");
  const char *libm = plan_libm(h->arena, plan);
  if (*libm)
    put(h, " * needs: %s (libm)\n", libm);
  put(h, " */\n");
}

static void put_macros(Header *h, const Plan *plan, const char *function, const Naming *n) {
  const Graph *graph = plan->graph;
  for (int i = 0; i < graph->input_count; i++)
    put_value_macros(h, plan, naming_of(plan, n, PARAMETER_INPUT, i)->prefix, graph->value.item[i]);
  for (int i = 0; i < plan->output_count; i++) {
    const OutputPlan *out = &plan->output[i];
    const char *prefix = naming_of(plan, n, PARAMETER_OUTPUT, i)->prefix;
    const Value *place = place_of(graph, out);
    put_value_macros(h, plan, prefix, out->output->value);
    put(h, "#define %s_IS_ALIAS %d\n", prefix, place != NULL);
    if (place)
      put_alias(h, function, prefix, out->output->name, out, place,
                naming_of(plan, n, PARAMETER_INPUT, place->id)->name);
  }
}

static void put_graph(Header *h, const Plan *plan, const char *function) {
  const Naming *n = name_parameters(h, plan, function);
  put_comment(h, plan, n);
  put_prototype(h, plan, function, n);
  put_macros(h, plan, function, n);
}

// "dir/my-model.h" and "my-model" are MY_MODEL_H.
static const char *guard_of(Arena *arena, const char *name) {
  const char *slash = strrchr(name, '/');
  name = slash ? slash + 1 : name;
  size_t length = strlen(name);
  if (length > 2 && strcmp(name + length - 2, ".h") == 0)
    length -= 2;
  const char *clean = c_macro_part(arena, arena_text(arena, name, length));
  while (*clean == '_') // such names belong to the implementation
    clean++;
  bool usable = *clean >= 'A' && *clean <= 'Z';
  return arena_printf(arena, "%s%s_H", usable ? "" : "RESHAPEC_", clean);
}

// The sizes that the object was made for.
static void put_assertions(Header *h, const Plan *const *plans, int count, const char *keyword) {
  bool seen[RSH_DTYPE_COUNT] = {false};
  for (int i = 0; i < count; i++)
    for (int k = 0; k < plans[i]->graph->value.count; k++)
      seen[plans[i]->graph->value.item[k]->dtype] = true;
  put(h, "%s(sizeof(void *) == %zu, \"made for pointers of %zu bytes\");\n", keyword,
      sizeof(void *), sizeof(void *));
  if (seen[RSH_F32] || seen[RSH_C64])
    put(h, "%s(sizeof(float) == 4, \"f32 is float\");\n", keyword);
  if (seen[RSH_F64] || seen[RSH_C128])
    put(h, "%s(sizeof(double) == 8, \"f64 is double\");\n", keyword);
}

static void put_head(Header *h, const Plan *const *plans, int count, const char *source,
                     const char *guard) {
  const char *slash = strrchr(source, '/');
  put(h, "/* Made by reshapec from %s. */\n", safe(h->arena, slash ? slash + 1 : source));
  put(h, "#ifndef %s\n#define %s\n\n#include <stdint.h>\n\n", guard, guard);
  put(h, "#ifndef RSH_RESTRICT\n"
         "#if !defined __cplusplus && defined __STDC_VERSION__ && __STDC_VERSION__ >= 199901L\n"
         "#define RSH_RESTRICT restrict\n#else\n#define RSH_RESTRICT\n#endif\n#endif\n\n");
  put(h, "#if defined __cplusplus && __cplusplus >= 201103L\n");
  put_assertions(h, plans, count, "static_assert");
  put(h, "#elif !defined __cplusplus && defined __STDC_VERSION__ && __STDC_VERSION__ >= 201112L\n");
  put_assertions(h, plans, count, "_Static_assert");
  put(h, "#endif\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
}

Bytes emit_header(Arena *arena, const Plan *const *plans, int count, const Source *source,
                  const char *guard_name) {
  Header h = {.arena = arena, .macros = {.arena = arena}, .functions = {.arena = arena}};
  const char *guard = guard_of(arena, guard_name);
  const char **function = function_names(arena, plans, count);
  put_head(&h, plans, count, source ? source->name : "", guard);
  for (int i = 0; i < count; i++)
    name_unique(&h.functions, function[i]);
  for (int i = 0; i < count; i++)
    put_graph(&h, plans[i], function[i]);
  put(&h, "\n#ifdef __cplusplus\n}\n#endif\n\n#endif /* %s */\n", guard);
  return (Bytes){h.text.item, (size_t)h.text.count};
}
