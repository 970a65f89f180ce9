// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a C function with sizes as arguments asks before it writes anything: the questions of emit_entry.c, in
// its order, as early returns. The work itself is a function of its own, whose sizes are of type size_t.
//
//   rsh_status heads(int64_t B, int64_t S, const uint16_t *restrict x, uint16_t *restrict y) {
//     if (B < 0 || S < 0) {
//       return RSH_bad_dim;
//     }
//     ...
//     heads_kernel((size_t)B, (size_t)S, x, y);
//     return RSH_ok;
//   }
#include "codegen/c/c_internal.h"
#include "codegen/plan/volumes.h"

#include <inttypes.h>
#include <string.h>

typedef struct Entry {
  CKernel k;
  const char *shape; // NULL: the function that does the work
  const char *part;  // that does one task of it, in NAME_task; else NULL
  bool is_checked;   // something may be past 64 bits
  bool is_variant;   // all was asked before
  int edges;         // symbols of which those that are edges have their constants
  const char
      *edge[RSH_MAX_SYMBOLS]; // by symbol: the constant that holds it, where it is no parameter
} Entry;

static void fail_if(Entry *e, const char *bad, rsh_status status) {
  c_line(&e->k, "if (%s) {", bad);
  c_line(&e->k, "  return RSH_%s;", rsh_status_name(status));
  c_line(&e->k, "}");
}

// ---- checked arithmetic ----

// times, plus: a * b and a + b up to 2^64. whole, minus: a, and a - b, as int64_t. What does not fit sets *bad.
static const char *arithmetic(CFile *file, const char *what) {
  const char *name = c_helper(file, what);
  if (name)
    return name;
  name = c_helper_add(file, what, what);
  CText *to = &file->helpers;
  if (*what == 't')
    c_put(to,
          "\nstatic uint64_t %s(uint64_t a, uint64_t b, uint32_t *bad) {\n"
          "  if (b != 0U && a > UINT64_MAX / b) {\n    *bad = 1U;\n  }\n"
          "  return a * b;\n}\n",
          name);
  else if (*what == 'w')
    c_put(to,
          "\nstatic int64_t %s(uint64_t n, uint32_t *bad) {\n"
          "  if (n > (uint64_t)INT64_MAX) {\n    *bad = 1U;\n    return 0;\n  }\n"
          "  return (int64_t)n;\n}\n",
          name);
  else if (*what == 'p')
    c_put(to,
          "\nstatic uint64_t %s(uint64_t a, uint64_t b, uint32_t *bad) {\n"
          "  if (a > UINT64_MAX - b) {\n    *bad = 1U;\n  }\n"
          "  return a + b;\n}\n",
          name);
  else
    c_put(to,
          "\nstatic int64_t %s(uint64_t a, uint64_t b, uint32_t *bad) {\n"
          "  if (a < b ? b - a - 1U > (uint64_t)INT64_MAX : a - b > (uint64_t)INT64_MAX) {\n"
          "    *bad = 1U;\n    return 0;\n  }\n"
          "  return a < b ? -(int64_t)(b - a - 1U) - 1 : (int64_t)(a - b);\n}\n",
          name);
  return name;
}

// "(uint64_t)S", "(uint64_t)(S / 16)"
static const char *unsigned_of(Arena *arena, const char *text) {
  bool is_word = strcspn(text, " ") == strlen(text);
  return arena_printf(arena, is_word ? "(uint64_t)%s" : "(uint64_t)(%s)", text);
}

// A product that is checked on the way; `text` NULL: there is nothing yet.
static const char *times(Entry *e, const char *text, const char *factor) {
  Arena *arena = e->k.file->arena;
  if (!text)
    return unsigned_of(arena, factor);
  e->is_checked = true;
  return arena_printf(arena, "%s(%s, %s, &bad)", arithmetic(e->k.file, "times"), text,
                      unsigned_of(arena, factor));
}

static const char *whole(Entry *e, const char *product) {
  e->is_checked = true;
  return arena_printf(e->k.file->arena, "%s(%s, &bad)", arithmetic(e->k.file, "whole"), product);
}

// A term's magnitude.
typedef struct CTermText {
  const char *product; // as uint64_t, up to 2^64
  const char *plain;   // as int64_t, where it is a size or a number; else NULL
} CTermText;

// One with a size of 0 is 0, however large the others are: the factor comes last, and of three sizes or more they are
// asked.
static CTermText checked_term(Entry *e, rsh_terms term, bool is_raw) {
  CKernel *k = &e->k;
  Arena *arena = k->file->arena;
  int64_t magnitude = term.coef < 0 ? -term.coef : term.coef;
  int degree = rsh_degree(&term);
  const char *product = NULL, *plain = NULL, *zero = "";
  for (int i; (i = rsh_next_atom(&term)) >= 0;) {
    const char *name = e->edge[i] ? e->edge[i] : c_parameter(k, PARAMETER_SIZE, i);
    int64_t divisor = is_raw ? 1 : k->plan->graph->symbol.item[i].divisor;
    bool is_part = magnitude % divisor != 0; // with w being W / 16, 48*w is 3*W
    magnitude /= is_part ? 1 : divisor;
    plain = is_part ? arena_printf(arena, "%s / %" PRId64, name, divisor) : name;
    product = times(e, product, plain);
    zero = arena_printf(arena, "%s%s%s == 0", zero, *zero ? " || " : "", plain);
  }
  bool has_factor = magnitude != 1 || degree == 0;
  if (has_factor) {
    plain = c_int(arena, magnitude);
    product = times(e, product, plain);
  }
  if (degree > 2)
    product = arena_printf(arena, "(%s ? 0U : %s)", zero, product);
  return (CTermText){product, degree + has_factor > 1 ? NULL : plain};
}

static const char *plus(Entry *e, const char *sum, const char *term) {
  if (!sum)
    return term;
  e->is_checked = true;
  return arena_printf(e->k.file->arena, "%s(%s, %s, &bad)", arithmetic(e->k.file, "plus"), sum,
                      term);
}

// A number over atoms, or over the symbols themselves, as int64_t. What is below 0 is added apart, so that 2*A - 1 is
// right where 2*A alone would not fit.
static const char *checked_number(Entry *e, rsh_num n, bool is_raw) {
  CKernel *k = &e->k;
  Arena *arena = k->file->arena;
  const rsh_symbols *s = is_raw ? k->plan->graph->raw : k->plan->graph->symbols;
  if (rsh_is_known(n))
    return c_int(arena, n.n);
  const char *above = NULL, *below = NULL;
  CTermText term = {NULL, NULL};
  rsh_terms t = rsh_terms_of(s, n);
  while (rsh_next_term(&t)) {
    if (!t.fits || t.coef == INT64_MIN)
      return whole(e, "UINT64_MAX");
    term = checked_term(e, t, is_raw);
    if (t.coef < 0)
      below = plus(e, below, term.product);
    else
      above = plus(e, above, term.product);
  }
  if (!below)
    return rsh_term_count(s, n) == 1 && term.plain ? term.plain : whole(e, above);
  e->is_checked = true;
  return arena_printf(arena, "%s(%s, %s, &bad)", arithmetic(k->file, "minus"), above ? above : "0U",
                      below);
}

// Whether a number is one that always fits: known, or a size.
static bool is_plain(const char *text) { return !strstr(text, "&bad"); }

static void check_bad(Entry *e, const char *text) {
  if (!is_plain(text))
    fail_if(e, "bad != 0U", RSH_overflow);
}

// Constants of the edges among the first `count` symbols. What does not fit is looked at where no variant does the
// work.
static void put_edges(Entry *e, int count) {
  const Graph *graph = e->k.plan->graph;
  for (; e->edges < count; e->edges++) {
    if (!graph->symbol.item[e->edges].is_edge)
      continue;
    Edge edge = graph->symbol.item[e->edges].edge;
    const char *at = checked_number(e, edge.at, true), *size = checked_number(e, edge.size, true);
    const char *least = checked_number(e, edge.least, true);
    const char *name = name_unique(&e->k.locals, "place");
    c_line(&e->k, "const int64_t %s = %s;", name, c_edge(e->k.file, &edge, at, size, least));
    c_line(&e->k, "(void)%s;", name);
    if (!e->is_variant && !(is_plain(at) && is_plain(size) && is_plain(least)))
      fail_if(e, "bad != 0U", RSH_overflow);
    e->edge[e->edges] = name;
  }
}

// ---- conditions ----

static const char *comparison(ConditionKind kind) {
  switch (kind) {
  case WHERE_EQ:
  case WHERE_IN:
    return "==";
  case WHERE_NE:
    return "!=";
  case WHERE_LT:
    return "<";
  case WHERE_LE:
    return "<=";
  case WHERE_GT:
    return ">";
  case WHERE_GE:
    return ">=";
  }
  return "==";
}

// A constant of its own, unless it is a name or a number.
static const char *named(Entry *e, const char *text, const char *name) {
  if (is_plain(text))
    return text;
  const char *unique = name_unique(&e->k.locals, name);
  c_line(&e->k, "const int64_t %s = %s;", unique, text);
  return unique;
}

static const char *checked(Entry *e, rsh_num n, const char *name) {
  const char *text = checked_number(e, n, true), *as = named(e, text, name);
  check_bad(e, text);
  return as;
}

static void check_guard(Entry *e, const Guard *guard) {
  CKernel *k = &e->k;
  Arena *arena = k->file->arena;
  put_edges(e, guard_symbols(k->plan->graph, guard));
  c_line(k, "/* %s */", c_comment(arena, guard_text(arena, k->plan->graph, guard)));
  const char *left = checked(e, guard->left, "left");
  if (!rsh_is(guard->remainder_of, 0)) {
    const char *by = checked(e, guard->remainder_of, "by");
    if (!rsh_is_known(guard->remainder_of))
      fail_if(e, arena_printf(arena, "%s < 1", by), guard->status);
    left = arena_printf(arena, "(%s %% %s)", left, by);
  }
  const char *holds = "";
  for (int i = 0; guard->kind == WHERE_IN && i < guard->choice_count; i++)
    holds = arena_printf(arena, "%s%s%s == %s", holds, *holds ? " || " : "", left,
                         c_int(arena, guard->choice[i]));
  if (guard->kind != WHERE_IN)
    holds = arena_printf(arena, "%s %s %s", left, comparison(guard->kind),
                         checked(e, guard->right, "right"));
  fail_if(e, *holds ? arena_printf(arena, "!(%s)", holds) : "1", guard->status);
}

static void check_negative(Entry *e) {
  const Graph *graph = e->k.plan->graph;
  const char *bad = "";
  for (int i = 0; i < graph->symbol.count; i++)
    if (symbol_is_parameter(&graph->symbol.item[i]))
      bad = arena_printf(e->k.file->arena, "%s%s%s < 0", bad, *bad ? " || " : "",
                         c_parameter(&e->k, PARAMETER_SIZE, i));
  if (*bad)
    fail_if(e, bad, RSH_bad_dim);
}

// ---- sizes that do not fit ----

// The product of the sizes that are not 0 fits, also where another one is 0.
static void check_volume(Entry *e, const Volume *volume) {
  CKernel *k = &e->k;
  Arena *arena = k->file->arena;
  const char *product = NULL, *some = "";
  bool is_empty = false;
  for (int32_t i = 0; i < volume->shape->rank; i++) {
    rsh_num dim = volume->shape->dim[i];
    const char *size = checked_number(e, dim, volume->divisor != NULL);
    if (volume->divisor && volume->divisor[i] > 1)
      size = arena_printf(arena, "(%s) / %" PRId64, size, volume->divisor[i]);
    is_empty = is_empty || rsh_is(dim, 0);
    if (rsh_is(dim, 0) || rsh_is(dim, 1))
      continue;
    if (!rsh_is_known(dim) && (volume->divisor || !plan_is_positive(k->plan, dim))) {
      size = named(e, size, "size");
      some = arena_printf(arena, "%s && %s != 0", some, size);
      size = arena_printf(arena, "%s != 0 ? %s : 1", size, size);
    }
    product = times(e, product, size);
  }
  const char *count = whole(e, product ? product : "1U");
  if (volume->limit == INT64_MAX || is_empty) {
    c_line(k, "(void)%s;", count);
    return;
  }
  c_line(k, "if (%s > %s%s) {", count, c_int(arena, volume->limit), some);
  c_line(k, "  bad = 1U;");
  c_line(k, "}");
}

static void check_span(Entry *e, const Value *value, int pointer) {
  if (!value->storage || !value->storage->stride || rsh_is_known(value->storage->span))
    return;
  e->is_checked = true;
  c_line(&e->k, "if (%s > %s) {", checked_number(e, value->storage->span, false),
         c_int(e->k.file->arena, volume_limit(value->dtype, pointer)));
  c_line(&e->k, "  bad = 1U;");
  c_line(&e->k, "}");
}

static void check_volumes(Entry *e, const Volumes *volumes, int from, int to) {
  for (int i = from; i < to; i++) {
    put_edges(e, volumes->list.item[i].symbols);
    check_volume(e, &volumes->list.item[i]);
  }
  if (from < to)
    fail_if(e, "bad != 0U", RSH_overflow);
}

// Guards, and volumes between them.
static void check_text(Entry *e) {
  const Graph *graph = e->k.plan->graph;
  Volumes volumes = volumes_of(e->k.file->arena, e->k.plan);
  int done = 0;
  for (int i = 0; i < graph->guard.count; i++) {
    int before = volumes_before(&volumes, done, graph, &graph->guard.item[i]);
    check_volumes(e, &volumes, done, before);
    check_guard(e, &graph->guard.item[i]);
    done = before;
  }
  check_volumes(e, &volumes, done, volumes.list.count);
}

static void check_memory(Entry *e) {
  CKernel *k = &e->k;
  const Graph *graph = k->plan->graph;
  int pointer = k->file->pointer;
  Volumes volumes = volumes_in_memory(k->file->arena, k->plan, pointer);
  int before = k->out.letter.count;
  for (int i = 0; i < volumes.list.count; i++)
    check_volume(e, &volumes.list.item[i]);
  for (int i = 0; i < graph->input_count; i++)
    check_span(e, graph->value.item[i], pointer);
  for (int i = 0; i < graph->output_count; i++)
    check_span(e, graph->output[i].value, pointer);
  rsh_num scratch = k->plan->scratch_bytes;
  if (!rsh_is_known(scratch)) {
    e->is_checked = true;
    c_line(k, "if (%s > %s) {", checked_number(e, scratch, false),
           c_int(k->file->arena, volume_limit(RSH_U8, pointer)));
    c_line(k, "  bad = 1U;");
    c_line(k, "}");
  }
  if (k->out.letter.count > before)
    fail_if(e, "bad != 0U", RSH_overflow);
}

// ---- null pointers ----

// "(x == NULL) && (B != 0)"; "": it may be NULL.
static const char *missing(Entry *e, const char *name, const rsh_num *size, int count) {
  CKernel *k = &e->k;
  const char *text = arena_printf(k->file->arena, "%s == NULL", name);
  for (int i = 0; i < count; i++) {
    if (rsh_is(size[i], 0))
      return "";
    if (!plan_is_positive(k->plan, size[i]))
      text = arena_printf(k->file->arena, "%s && %s != 0", text, checked_number(e, size[i], false));
  }
  return text;
}

static void check_null(Entry *e) {
  CKernel *k = &e->k;
  const Graph *graph = k->plan->graph;
  const char *bad = "";
  for (int i = 0; i < k->signature->parameter.count; i++) {
    Parameter p = k->signature->parameter.item[i];
    const char *text = "";
    const Value *value = NULL;
    if (p.kind == PARAMETER_INPUT)
      value = graph->value.item[p.index];
    else if (p.kind == PARAMETER_OUTPUT)
      value = graph->output[p.index].value;
    else if (p.kind == PARAMETER_SCRATCH)
      text = missing(e, k->parameter[i], &k->plan->scratch_bytes, 1);
    if (value)
      text = missing(e, k->parameter[i], value->shape.dim, value->shape.rank);
    if (!*text)
      continue;
    k->is_used[i] = true;
    bad = arena_printf(k->file->arena, strstr(text, "&&") ? "%s%s(%s)" : "%s%s%s", bad,
                       *bad ? " || " : "", text);
  }
  if (*bad)
    fail_if(e, bad, RSH_null_pointer);
}

// ---- sizes of outputs ----

static void put_dims(Entry *e) {
  CKernel *k = &e->k;
  Arena *arena = k->file->arena;
  const Output *output = k->plan->graph->output;
  int count = k->plan->graph->output_count;
  const char *bad = "";
  for (int i = 0; i < count; i++)
    if (value_dims(output[i].value)->rank > 0)
      bad = arena_printf(arena, "%s%s%s == NULL", bad, *bad ? " || " : "",
                         c_parameter(k, PARAMETER_DIMS, i));
  if (*bad)
    fail_if(e, bad, RSH_null_pointer);
  for (int i = 0; i < count; i++)
    for (int32_t d = 0; d < value_dims(output[i].value)->rank; d++)
      c_line(k, "%s[%d] = %s;", c_parameter(k, PARAMETER_DIMS, i), (int)d,
             checked_number(e, value_dims(output[i].value)->dim[d], false));
}

// ---- functions ----

static const char *put_function(CFile *file, const Plan *plan, const char *name, const char *shape,
                                bool is_variant, const TaskNames *task);

static const char *matches(CKernel *k, const Variant *variant) {
  Arena *arena = k->file->arena;
  const char *text = "";
  for (int i = 0; i < k->plan->graph->symbol.count; i++) {
    int64_t bound = variant->bound[i];
    if (bound == VARIANT_ANY)
      continue;
    text = arena_printf(arena, "%s%s%s == %s", text, *text ? " && " : "",
                        c_parameter(k, PARAMETER_SIZE, i), c_int(arena, bound));
  }
  return *text ? text : "1";
}

static const char *arguments(CKernel *k, bool as_size) {
  const char *text = "";
  for (int i = 0; i < k->signature->parameter.count; i++) {
    bool is_size = k->signature->parameter.item[i].kind == PARAMETER_SIZE;
    k->is_used[i] = true;
    text = arena_printf(k->file->arena, "%s%s%s%s", text, i ? ", " : "",
                        is_size && as_size ? "(size_t)" : "", k->parameter[i]);
  }
  return text;
}

// Leaves the work to a variant where the sizes are its own; in tasks, to the one of task 0.
static void put_variants(Entry *e, const char *const *function, bool is_task) {
  CKernel *k = &e->k;
  const Graph *graph = k->plan->graph;
  for (int i = 0; i < graph->variant.count; i++) {
    c_line(k, "if (%s) {", matches(k, &graph->variant.item[i]));
    if (is_task) {
      c_line(k, "  if (task != 0) {");
      c_line(k, "    return RSH_ok;");
      c_line(k, "  }");
    }
    c_line(k, "  return %s(%s);", function[i], arguments(k, false));
    c_line(k, "}");
  }
}

// All that is asked before the work is done.
static void put_checks(Entry *e, bool is_variant) {
  name_unique(&e->k.locals, "bad");
  e->is_variant = is_variant;
  if (!is_variant) {
    check_negative(e);
    check_text(e);
  }
  put_edges(e, e->k.plan->graph->symbol.count);
  if (!is_variant)
    check_memory(e);
  if (!e->shape && (!is_variant || !rsh_is(e->k.plan->scratch_bytes, 0)))
    check_null(e);
}

static void put_text(Entry *e, const char *prototype) {
  CText *to = &e->k.file->body;
  c_line(&e->k, "return RSH_ok;");
  c_put(to, "\n%s {\n", prototype);
  if (e->is_checked)
    c_put(to, "  uint32_t bad = 0U;\n");
  c_put_unused(&e->k, to, e->k.signature->parameter.count);
  c_put(to, "%.*s}\n", e->k.out.letter.count, e->k.out.letter.item);
}

// NAME_tasks and NAME_task.
static void put_tasks(const CKernel *kernel, const char *name, const char *const *variant,
                      TaskNames names) {
  CFile *file = kernel->file;
  Entry e = {.k = c_kernel_begin(file, kernel->plan, kernel->signature, names.task)};
  e.part = c_put_part(kernel, names);
  if (!e.part) {
    c_put_only_task(&e.k, name, names);
    return;
  }
  put_checks(&e, false);
  put_variants(&e, variant, true);
  c_line(&e.k, "%s((size_t)task, %s);", e.part, arguments(&e.k, true));
  put_text(&e, c_task_prototype(&e.k, names.task));
}

// One function of a graph, those of its variants first.
static const char *put_function(CFile *file, const Plan *plan, const char *name, const char *shape,
                                bool is_variant, const TaskNames *task) {
  const Signature *s = shape ? &plan->shape_signature : &plan->signature;
  const Graph *graph = plan->graph;
  const char **variant = ARENA_ARRAY(file->arena, const char *, graph->variant.count + 1);
  for (int i = 0; i < graph->variant.count && !shape; i++) {
    const char *wanted = arena_printf(file->arena, "%s_variant_%d", name, i);
    variant[i] =
        put_function(file, plan->variant[i], name_unique(&file->names, wanted), NULL, true, NULL);
  }
  CKernel kernel = {.name = NULL};
  if (!shape)
    kernel = c_put_kernel(file, plan, name);
  Entry e = {.k = c_kernel_begin(file, plan, s, name), .shape = shape};
  put_checks(&e, is_variant);
  if (shape) {
    put_dims(&e);
  } else {
    put_variants(&e, variant, false);
    c_line(&e.k, "%s(%s);", kernel.name, arguments(&e.k, true));
  }
  const char *function = shape ? shape : name;
  const char *prototype = c_prototype(file->arena, plan, s, function, e.k.parameter, "restrict ");
  put_text(&e, is_variant ? arena_printf(file->arena, "static %s", prototype) : prototype);
  if (task)
    put_tasks(&kernel, name, variant, *task);
  return function;
}

void c_put_entry(CFile *file, const Plan *plan, const char *name, const char *shape,
                 const TaskNames *task) {
  file->needs_statuses = true;
  put_function(file, plan, name, NULL, false, task);
  put_function(file, plan, name, shape, false, NULL);
}
