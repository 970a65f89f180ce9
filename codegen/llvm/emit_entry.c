// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a function with sizes as arguments asks before it writes anything, in the order of the text: sizes below 0,
// elements of inputs that 64 bits do not count, the conditions of the graph, then of each operator what resolve
// would say and the elements of its results, and what results are declared as. Last come bytes that do not fit, and
// null pointers. Each no is a return of its status. Then a variant does the work, if there is one for the sizes.
//
// All arithmetic of guards and sizes is checked with instructions alone: no library is called.
#include "codegen/llvm/llvm_module.h"
#include "codegen/plan/volumes.h"

#include <string.h>

typedef struct Entry {
  Kernel *k;
  LLVMBasicBlockRef fail[RSH_STATUS_COUNT]; // returns that status; NULL: not needed so far
  int edges;                                // symbols of which those that are edges were checked
} Entry;

// ---- ways out ----

static void build_return(Gen *g, rsh_status status) {
  LLVMBuildRet(g->builder,
               LLVMConstInt(LLVMInt32TypeInContext(g->context), (unsigned)status, false));
}

// Returns `status` where `bad`; NULL: never. What is built next is the other way.
static void fail_if(Entry *e, LLVMValueRef bad, rsh_status status) {
  Gen *g = e->k->g;
  if (!bad)
    return;
  LLVMBasicBlockRef here = LLVMGetInsertBlock(g->builder);
  if (!e->fail[status]) {
    e->fail[status] = b_block(g, rsh_status_name(status));
    b_position(g, e->fail[status]);
    build_return(g, status);
    b_position(g, here);
  }
  LLVMBasicBlockRef good = b_block(g, "good");
  LLVMBuildCondBr(g->builder, bad, e->fail[status], good);
  b_position(g, good);
}

static LLVMValueRef any(Gen *g, LLVMValueRef a, LLVMValueRef b) {
  return !a ? b : !b ? a : LLVMBuildOr(g->builder, a, b, "any");
}

static LLVMValueRef both(Gen *g, LLVMValueRef a, LLVMValueRef b) {
  return !a ? b : !b ? a : LLVMBuildAnd(g->builder, a, b, "both");
}

static LLVMValueRef compare(Gen *g, LLVMIntPredicate kind, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildICmp(g->builder, kind, a, b, "test");
}

// ---- checked arithmetic ----

// `bad`: the value is none, it does not fit; NULL: it always does.
typedef struct Checked {
  LLVMValueRef value, bad;
} Checked;

// "llvm.umul.with.overflow" and its like.
static Checked with_overflow(Gen *g, const char *name, Checked a, Checked b) {
  LLVMValueRef bad = any(g, a.bad, b.bad), arg[2] = {a.value, b.value};
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(g->module, id, &g->i64, 1);
  LLVMValueRef pair =
      LLVMBuildCall2(g->builder, LLVMGlobalGetValueType(function), function, arg, 2, "pair");
  LLVMValueRef past = LLVMBuildExtractValue(g->builder, pair, 1, "past");
  return (Checked){LLVMBuildExtractValue(g->builder, pair, 0, "number"), any(g, bad, past)};
}

// Of numbers that are not below 0. What is past INT64_MAX is bad only for checked_end.
static Checked checked_product(Gen *g, Checked a, Checked b) {
  if (LLVMIsConstant(a.value) && LLVMConstIntGetZExtValue(a.value) == 1)
    return (Checked){b.value, any(g, a.bad, b.bad)};
  if (g->multiplies_long)
    return with_overflow(g, "llvm.umul.with.overflow", a, b);
  Checked product = {NULL, any(g, a.bad, b.bad)};
  LLVMValueRef past;
  product.value = number_multiply(g, a.value, b.value, &past);
  product.bad = any(g, product.bad, past);
  return product;
}

static Checked checked_end(Gen *g, Checked product) {
  if (!LLVMIsConstant(product.value))
    product.bad = any(g, product.bad, compare(g, LLVMIntSLT, product.value, b_long(g, 0)));
  return product;
}

static Checked constant(Gen *g, int64_t n) { return (Checked){b_long(g, n), NULL}; }

// An atom of a term with this factor: with w being W / 16, 48*w is 3*W.
static Checked atom(Kernel *k, int index, bool is_raw, int64_t *factor) {
  Gen *g = k->g;
  LLVMValueRef symbol = kernel_symbol(k, index);
  int64_t divisor = is_raw ? 1 : k->plan->graph->symbol.item[index].divisor;
  bool is_part = *factor % divisor != 0;
  *factor /= is_part ? 1 : divisor;
  return (Checked){is_part ? number_divide(g, symbol, b_long(g, divisor)) : symbol, NULL};
}

// The magnitude of a term, up to 2^64. One with a size of 0 is 0, however large the others are: the factor comes last, and of
// three sizes or more they are asked.
static Checked checked_term(Kernel *k, rsh_terms term, bool is_raw) {
  Gen *g = k->g;
  LLVMValueRef is_zero = NULL;
  Checked product = constant(g, 1);
  int64_t coef = term.coef < 0 ? -term.coef : term.coef;
  int degree = rsh_degree(&term);
  for (int i; (i = rsh_next_atom(&term)) >= 0;) {
    Checked factor = atom(k, i, is_raw, &coef);
    product = checked_product(g, product, factor);
    if (degree > 2)
      is_zero = any(g, is_zero, compare(g, LLVMIntEQ, factor.value, b_long(g, 0)));
  }
  if (coef != 1)
    product = checked_product(g, product, constant(g, coef));
  if (is_zero && product.bad) {
    product.bad =
        LLVMBuildAnd(g->builder, product.bad, LLVMBuildNot(g->builder, is_zero, "some"), "bad");
    product.value = LLVMBuildSelect(g->builder, is_zero, b_long(g, 0), product.value, "term");
  }
  return product;
}

static void add_to(Gen *g, Checked *side, Checked term) {
  *side = side->value ? with_overflow(g, "llvm.uadd.with.overflow", *side, term) : term;
}

// plus - minus, where that fits 64 bits.
static Checked checked_difference(Gen *g, Checked plus, Checked minus) {
  Checked n = {LLVMBuildSub(g->builder, plus.value, minus.value, "number"),
               any(g, plus.bad, minus.bad)};
  LLVMValueRef is_below = compare(g, LLVMIntULT, plus.value, minus.value);
  LLVMValueRef has_sign = compare(g, LLVMIntSLT, n.value, b_long(g, 0));
  n.bad = any(g, n.bad, LLVMBuildXor(g->builder, is_below, has_sign, "past"));
  return n;
}

// A number over atoms, or over the symbols themselves. What is below 0 is added apart, so that 2*A - 1 is right where
// 2*A alone would not fit.
static Checked checked_number(Kernel *k, rsh_num n, bool is_raw) {
  Gen *g = k->g;
  const rsh_symbols *s = is_raw ? k->plan->graph->raw : k->plan->graph->symbols;
  if (rsh_is_known(n))
    return constant(g, n.n);
  Checked plus = {NULL, NULL}, minus = {NULL, NULL};
  rsh_terms t = rsh_terms_of(s, n);
  while (rsh_next_term(&t)) {
    if (!t.fits || t.coef == INT64_MIN)
      return (Checked){b_long(g, 0), LLVMConstInt(LLVMInt1TypeInContext(g->context), 1, false)};
    add_to(g, t.coef < 0 ? &minus : &plus, checked_term(k, t, is_raw));
  }
  if (!minus.value)
    return checked_end(g, plus);
  return checked_difference(g, plus.value ? plus : constant(g, 0), minus);
}

// ---- edges ----

// What it is made of does not fit. A place below 0 with a size on top of it does.
static LLVMValueRef edge_is_bad(Kernel *k, const Symbol *symbol) {
  LLVMValueRef bad = checked_number(k, symbol->edge.at, true).bad;
  bad = any(k->g, bad, checked_number(k, symbol->edge.size, true).bad);
  return any(k->g, bad, checked_number(k, symbol->edge.least, true).bad);
}

// Of the first `count` symbols.
static void check_edges(Entry *e, int count) {
  const Graph *graph = e->k->plan->graph;
  for (; e->edges < count; e->edges++)
    if (graph->symbol.item[e->edges].is_edge)
      fail_if(e, edge_is_bad(e->k, &graph->symbol.item[e->edges]), RSH_overflow);
}

// ---- conditions ----

static LLVMIntPredicate predicate(ConditionKind kind) {
  switch (kind) {
  case WHERE_EQ:
  case WHERE_IN:
    return LLVMIntEQ;
  case WHERE_NE:
    return LLVMIntNE;
  case WHERE_LT:
    return LLVMIntSLT;
  case WHERE_LE:
    return LLVMIntSLE;
  case WHERE_GT:
    return LLVMIntSGT;
  case WHERE_GE:
    return LLVMIntSGE;
  }
  return LLVMIntEQ;
}

// left % divisor; a divisor that is not above 0 breaks the condition, and is not divided by.
static LLVMValueRef build_remainder(Entry *e, LLVMValueRef left, rsh_num divisor,
                                    rsh_status status) {
  Gen *g = e->k->g;
  Checked by = checked_number(e->k, divisor, true);
  fail_if(e, by.bad, RSH_overflow);
  if (!rsh_is_known(divisor))
    fail_if(e, compare(g, LLVMIntSLT, by.value, b_long(g, 1)), status);
  return number_remainder(g, left, by.value);
}

static void check_guard(Entry *e, const Guard *guard) {
  Gen *g = e->k->g;
  check_edges(e, guard_symbols(e->k->plan->graph, guard));
  Checked left = checked_number(e->k, guard->left, true);
  fail_if(e, left.bad, RSH_overflow);
  if (!rsh_is(guard->remainder_of, 0))
    left.value = build_remainder(e, left.value, guard->remainder_of, guard->status);
  LLVMValueRef holds = NULL;
  if (guard->kind == WHERE_IN) {
    for (int i = 0; i < guard->choice_count; i++)
      holds = any(g, holds, compare(g, LLVMIntEQ, left.value, b_long(g, guard->choice[i])));
  } else {
    Checked right = checked_number(e->k, guard->right, true);
    fail_if(e, right.bad, RSH_overflow);
    holds = compare(g, predicate(guard->kind), left.value, right.value);
  }
  if (!holds)
    holds = LLVMConstInt(LLVMInt1TypeInContext(g->context), 0, false);
  fail_if(e, LLVMBuildNot(g->builder, holds, "broken"), guard->status);
}

static void check_negative(Entry *e) {
  Kernel *k = e->k;
  LLVMValueRef all = NULL;
  for (int i = 0; i < k->plan->graph->symbol.count; i++) {
    if (!symbol_is_parameter(&k->plan->graph->symbol.item[i]))
      continue;
    LLVMValueRef size = kernel_parameter(k, PARAMETER_SIZE, i);
    all = all ? LLVMBuildOr(k->g->builder, all, size, "sizes") : size;
  }
  if (all) // one below 0 sets the sign
    fail_if(e, compare(k->g, LLVMIntSLT, all, b_long(k->g, 0)), RSH_bad_dim);
}

// ---- sizes that do not fit ----

static int pointer_bits(const Kernel *k) { return (int)LLVMGetIntTypeWidth(k->g->word); }

// As rsh_volume has it: the product of the sizes that are not 0 fits, also where another one is 0.
static LLVMValueRef volume_is_bad(Kernel *k, const Volume *volume) {
  Gen *g = k->g;
  Checked product = constant(g, 1);
  LLVMValueRef empty = NULL;
  for (int32_t i = 0; i < volume->shape->rank; i++) {
    Checked size = checked_number(k, volume->shape->dim[i], volume->divisor != NULL);
    if (volume->divisor && volume->divisor[i] > 1)
      size.value = number_divide(g, size.value, b_long(g, volume->divisor[i]));
    if (!rsh_is_known(volume->shape->dim[i]) &&
        (volume->divisor || !plan_is_positive(k->plan, volume->shape->dim[i]))) {
      LLVMValueRef zero = compare(g, LLVMIntEQ, size.value, b_long(g, 0));
      empty = any(g, empty, zero);
      size.value = LLVMBuildSelect(g->builder, zero, b_long(g, 1), size.value, "size");
    } else if (rsh_is(volume->shape->dim[i], 0)) {
      empty = LLVMConstInt(LLVMInt1TypeInContext(g->context), 1, false);
      continue;
    }
    product = checked_product(g, product, size);
  }
  product = checked_end(g, product);
  if (volume->limit == INT64_MAX)
    return product.bad;
  LLVMValueRef large = compare(g, LLVMIntSGT, product.value, b_long(g, volume->limit));
  if (empty)
    large = both(g, large, LLVMBuildNot(g->builder, empty, "some"));
  return any(g, product.bad, large);
}

static LLVMValueRef span_is_bad(Kernel *k, const Value *value) {
  if (!value->storage || !value->storage->stride || rsh_is_known(value->storage->span))
    return NULL;
  Checked span = checked_number(k, value->storage->span, false);
  return any(k->g, span.bad,
             compare(k->g, LLVMIntSGT, span.value,
                     b_long(k->g, volume_limit(value->dtype, pointer_bits(k)))));
}

static LLVMValueRef scratch_is_bad(Kernel *k) {
  Gen *g = k->g;
  Checked bytes = checked_number(k, k->plan->scratch_bytes, false);
  if (g->word == g->i64 || rsh_is_known(k->plan->scratch_bytes))
    return bytes.bad;
  return any(g, bytes.bad,
             compare(g, LLVMIntSGT, bytes.value, b_long(g, volume_limit(RSH_U8, pointer_bits(k)))));
}

static void check_volumes(Entry *e, const Volumes *volumes, int from, int to) {
  LLVMValueRef bad = NULL;
  for (int i = from; i < to; i++) {
    check_edges(e, volumes->list.item[i].symbols);
    bad = any(e->k->g, bad, volume_is_bad(e->k, &volumes->list.item[i]));
  }
  fail_if(e, bad, RSH_overflow);
}

// Guards, and volumes between them.
static void check_text(Entry *e) {
  const Graph *graph = e->k->plan->graph;
  Volumes volumes = volumes_of(e->k->arena, e->k->plan);
  int done = 0;
  for (int i = 0; i < graph->guard.count; i++) {
    int before = volumes_before(&volumes, done, graph, &graph->guard.item[i]);
    check_volumes(e, &volumes, done, before);
    check_guard(e, &graph->guard.item[i]);
    done = before;
  }
  check_volumes(e, &volumes, done, volumes.list.count);
  check_edges(e, graph->symbol.count);
}

static void check_memory(Entry *e) {
  const Graph *graph = e->k->plan->graph;
  Volumes volumes = volumes_in_memory(e->k->arena, e->k->plan, pointer_bits(e->k));
  LLVMValueRef bad = NULL;
  for (int i = 0; i < volumes.list.count; i++)
    bad = any(e->k->g, bad, volume_is_bad(e->k, &volumes.list.item[i]));
  for (int i = 0; i < graph->input_count; i++)
    bad = any(e->k->g, bad, span_is_bad(e->k, graph->value.item[i]));
  for (int i = 0; i < graph->output_count; i++)
    bad = any(e->k->g, bad, span_is_bad(e->k, graph->output[i].value));
  bad = any(e->k->g, bad, scratch_is_bad(e->k));
  fail_if(e, bad, RSH_overflow);
}

// ---- null pointers ----

static LLVMValueRef is_missing(Kernel *k, LLVMValueRef pointer, const Value *value) {
  Gen *g = k->g;
  LLVMValueRef missing = LLVMBuildIsNull(g->builder, pointer, "missing");
  for (int32_t i = 0; i < value->shape.rank; i++) {
    rsh_num size = value->shape.dim[i];
    if (rsh_is(size, 0))
      return NULL;
    if (!plan_is_positive(k->plan, size))
      missing = both(g, missing,
                     compare(g, LLVMIntNE, checked_number(k, size, false).value, b_long(g, 0)));
  }
  return missing;
}

// Where there may be sizes that ask for no scratch, they are looked at.
static LLVMValueRef is_scratch_missing(Kernel *k, LLVMValueRef scratch) {
  Gen *g = k->g;
  rsh_num bytes = k->plan->scratch_bytes;
  if (rsh_is(bytes, 0))
    return NULL;
  LLVMValueRef missing = LLVMBuildIsNull(g->builder, scratch, "missing");
  if (plan_is_positive(k->plan, bytes))
    return missing;
  return both(g, missing,
              compare(g, LLVMIntNE, checked_number(k, bytes, false).value, b_long(g, 0)));
}

static void check_null(Entry *e) {
  Kernel *k = e->k;
  const Graph *graph = k->plan->graph;
  LLVMValueRef bad = NULL;
  for (int i = 0; i < k->signature->parameter.count; i++) {
    Parameter p = k->signature->parameter.item[i];
    LLVMValueRef argument = LLVMGetParam(k->g->function, (unsigned)i);
    if (p.kind == PARAMETER_INPUT)
      bad = any(k->g, bad, is_missing(k, argument, graph->value.item[p.index]));
    else if (p.kind == PARAMETER_OUTPUT)
      bad = any(k->g, bad, is_missing(k, argument, graph->output[p.index].value));
    else if (p.kind == PARAMETER_SCRATCH)
      bad = any(k->g, bad, is_scratch_missing(k, argument));
  }
  fail_if(e, bad, RSH_null_pointer);
}

// ---- variants ----

LLVMValueRef entry_matches(Kernel *k, const Variant *variant) {
  Gen *g = k->g;
  LLVMValueRef all = NULL;
  for (int i = 0; i < k->plan->graph->symbol.count; i++) {
    LLVMValueRef size = kernel_symbol(k, i);
    int64_t bound = variant->bound[i];
    if (bound != VARIANT_ANY)
      all = both(g, all, compare(g, LLVMIntEQ, size, b_long(g, bound)));
  }
  return all ? all : LLVMConstInt(LLVMInt1TypeInContext(g->context), 1, false);
}

// A variant whose work is not divided does it in one task.
static void leave_to_first_task(Kernel *k) {
  Gen *g = k->g;
  LLVMBasicBlockRef first = b_block(g, "first"), other = b_block(g, "other");
  LLVMValueRef is_first = compare(g, LLVMIntEQ, k->task, LLVMConstNull(LLVMTypeOf(k->task)));
  LLVMBuildCondBr(g->builder, is_first, first, other);
  b_position(g, other);
  build_return(g, RSH_ok);
  b_position(g, first);
}

static void build_variant(Kernel *k, LLVMValueRef function) {
  unsigned count = LLVMCountParams(function);
  LLVMValueRef *arg = ARENA_ARRAY(k->arena, LLVMValueRef, LLVMCountParams(k->g->function));
  LLVMGetParams(k->g->function, arg);
  if (k->task && count < LLVMCountParams(k->g->function))
    leave_to_first_task(k);
  LLVMBuildRet(k->g->builder, LLVMBuildCall2(k->g->builder, LLVMGlobalGetValueType(function),
                                             function, arg, count, "status"));
}

void entry_build_variants(Kernel *k, const LLVMValueRef *functions) {
  Gen *g = k->g;
  const Graph *graph = k->plan->graph;
  for (int i = 0; i < graph->variant.count; i++) {
    LLVMBasicBlockRef variant = b_block(g, "variant"), other = b_block(g, "other");
    LLVMBuildCondBr(g->builder, entry_matches(k, &graph->variant.item[i]), variant, other);
    b_position(g, variant);
    build_variant(k, functions[i]);
    b_position(g, other);
  }
  k->entry = LLVMGetInsertBlock(g->builder);
}

static void store_dims(Kernel *k, LLVMValueRef dims, const rsh_shape *shape) {
  Gen *g = k->g;
  for (int32_t i = 0; i < shape->rank; i++) {
    LLVMValueRef size = checked_number(k, shape->dim[i], false).value;
    LLVMValueRef slot = b_step(g, dims, b_int(g, i * (int64_t)sizeof(int64_t)), "slot");
    b_store(g, size, slot, sizeof(int64_t));
  }
}

void entry_build_dims(Kernel *k) {
  Entry e = {.k = k};
  const Output *output = k->plan->graph->output;
  LLVMValueRef missing = NULL;
  for (int i = 0; i < k->plan->graph->output_count; i++)
    if (value_dims(output[i].value)->rank > 0)
      missing =
          any(k->g, missing,
              LLVMBuildIsNull(k->g->builder, kernel_parameter(k, PARAMETER_DIMS, i), "missing"));
  fail_if(&e, missing, RSH_null_pointer);
  for (int i = 0; i < k->plan->graph->output_count; i++)
    store_dims(k, kernel_parameter(k, PARAMETER_DIMS, i), value_dims(output[i].value));
}

void entry_build(Kernel *k, bool is_variant) {
  Entry e = {.k = k};
  for (int i = 0; i < k->plan->graph->symbol.count; i++)
    kernel_symbol(k, i); // all blocks below can see them
  if (!is_variant) {
    check_negative(&e);
    check_text(&e);
    check_memory(&e);
  }
  if (!is_variant || !rsh_is(k->plan->scratch_bytes, 0))
    check_null(&e);
  k->entry = LLVMGetInsertBlock(k->g->builder);
}
