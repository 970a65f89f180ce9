// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checks of a function with sizes as arguments before it writes anything, in source order: negative sizes, element
// counts of inputs that overflow 64 bits, the conditions of the graph, then for each operator the conditions of its
// shape rule and the element counts of its results, and declared results. Last come tensors with more bytes than a
// pointer can address, null pointers, and indices in tensors. A failed check returns its status. If a variant has these
// sizes, the function then calls the variant.
#include "codegen/code/code.h"
#include "codegen/plan/volumes.h"

#include <stdlib.h>

static CodeValue zero(Code *code) { return code_integer(code, 0); }

// ---- conditions ----

static CodeOp comparison(ConditionKind kind) {
  switch (kind) {
  case WHERE_EQ:
  case WHERE_IN:
    return CODE_EQUAL;
  case WHERE_NE:
    return CODE_UNEQUAL;
  case WHERE_LT:
    return CODE_LESS;
  case WHERE_LE:
    return CODE_AT_MOST;
  case WHERE_GT:
    return CODE_MORE;
  case WHERE_GE:
    return CODE_AT_LEAST;
  }
  abort();
}

// One side of a condition; fails on overflow.
static CodeValue number(Code *code, rsh_num n, const char *name) {
  CodeValue bad = CODE_NONE, value = code_number(code, n, true, &bad);
  code_fail(code, bad, RSH_overflow, NULL);
  return rsh_is_known(n) ? value : code_named(code, value, name);
}

// left % divisor. Fails if the divisor is below 1, before the division.
static CodeValue remainder_value(Code *code, CodeValue left, const Guard *guard) {
  CodeValue by = number(code, guard->remainder_of, "by");
  code_fail(code, code_compare(code, CODE_LESS, by, code_integer(code, 1)), guard->status, NULL);
  return code_add(code, CODE_REMAINDER, left, by, CODE_NONE, 0);
}

static CodeValue is_choice(Code *code, const Guard *guard, CodeValue left) {
  CodeValue any = CODE_NONE;
  for (int i = 0; i < guard->choice_count; i++)
    any = code_or(code, any,
                  code_compare(code, CODE_EQUAL, left, code_integer(code, guard->choice[i])));
  return any;
}

static void check_guard(Code *code, const Guard *guard) {
  code_symbols(code, guard_symbols(code->plan->graph, guard));
  CodeValue left = number(code, guard->left, "left"), holds;
  if (!rsh_is(guard->remainder_of, 0))
    left = remainder_value(code, left, guard);
  if (guard->kind == WHERE_IN)
    holds = is_choice(code, guard, left);
  else
    holds = code_compare(code, comparison(guard->kind), left, number(code, guard->right, "right"));
  code_fail(code, code_not(code, holds), guard->status,
            guard_text(code->arena, code->plan->graph, guard));
}

static void check_negative(Code *code) {
  CodeValue bad = CODE_NONE;
  for (int i = 0; i < code->plan->graph->symbol.count; i++) {
    if (!symbol_is_parameter(&code->plan->graph->symbol.item[i]))
      continue;
    CodeValue size = code_add(code, CODE_SIZE, CODE_NONE, CODE_NONE, CODE_NONE, i);
    bad = code_or(code, bad, code_compare(code, CODE_LESS, size, zero(code)));
  }
  code_fail(code, bad, RSH_bad_dim, NULL);
}

// ---- sizes that do not fit ----

// Whether the bounds of the sizes limit the number of elements to `limit`.
static bool stays_below(const Graph *graph, const rsh_shape *shape, int64_t limit) {
  int64_t most = 1;
  for (int32_t i = 0; i < shape->rank; i++) {
    int64_t size = rsh_bounds(graph->symbols, shape->dim[i]).most;
    bool is_open = size == INT64_MAX; // no bound: 2*B may overflow
    if (is_open || (size > 1 && __builtin_mul_overflow(most, size, &most)))
      return false;
  }
  return most <= limit;
}

// Whether a tensor has at most two sizes other than 1 and its elements are counted in 32 bits.
static bool is_small_pair(const Volume *volume) {
  int count = 0;
  for (int32_t i = 0; i < volume->shape->rank; i++)
    count += !rsh_is(volume->shape->dim[i], 1);
  return count <= 2 && volume->limit <= INT32_MAX && !volume->divisor;
}

// If one size of a pair is 0, the product of the others always fits. Otherwise neither may exceed the limit, and the
// product of two sizes within the limit is exact.
static CodeValue pair_is_bad(Code *code, const Volume *volume) {
  CodeValue product = code_literal(code, 1), empty = CODE_NONE, bad = CODE_NONE, large = CODE_NONE;
  for (int32_t i = 0; i < volume->shape->rank; i++) {
    CodeValue size = code_number(code, volume->shape->dim[i], false, &bad);
    CodeValue count = code_magnitude(code, size);
    if (!plan_is_positive(code->plan, volume->shape->dim[i]))
      empty = code_or(code, empty, code_compare(code, CODE_EQUAL, size, zero(code)));
    large = code_or(code, large, code_above(code, count, volume->limit));
    product = code_named(code, code_times(code, product, count), "count");
  }
  large = code_or(code, large, code_above(code, product, volume->limit));
  return code_or(code, bad,
                 empty == CODE_NONE ? large : code_and(code, large, code_not(code, empty)));
}

// The product of the known sizes other than 0; UINT64_MAX if it is larger.
static uint64_t known_product(const Volume *volume) {
  uint64_t product = 1;
  for (int32_t i = 0; i < volume->shape->rank; i++) {
    rsh_num dim = volume->shape->dim[i];
    if (i != volume->inferred && rsh_is_known(dim) && dim.n != 0 &&
        __builtin_mul_overflow(product, (uint64_t)dim.n, &product))
      return UINT64_MAX;
  }
  return product;
}

static bool is_open(const Volume *volume, int32_t axis) {
  return axis != volume->inferred && !rsh_is_known(volume->shape->dim[axis]);
}

static int open_sizes(const Volume *volume) {
  int count = 0;
  for (int32_t i = 0; i < volume->shape->rank; i++)
    count += is_open(volume, i);
  return count;
}

// As in rsh_volume, the product of all sizes other than 0 must fit, even if a size is 0. A single open size that is 0
// needs no case of its own.
//   u8[N, 224, 3]  ->  N > INT64_MAX / (224*3)
static CodeValue volume_is_bad(Code *code, const Volume *volume) {
  CodeValue product = code_literal(code, 1), empty = CODE_NONE, bad = CODE_NONE;
  bool is_raw = volume->divisor != NULL, is_alone = open_sizes(volume) == 1;
  if (!is_raw && stays_below(code->plan->graph, volume->shape, volume->limit))
    return CODE_NONE;
  if (is_small_pair(volume))
    return pair_is_bad(code, volume);
  uint64_t known = known_product(volume);
  if (known > INT64_MAX)
    return code_not(code, CODE_NONE);
  for (int32_t i = 0; i < volume->shape->rank; i++) {
    rsh_num dim = volume->shape->dim[i];
    if (!is_open(volume, i))
      continue;
    CodeValue size = code_number(code, dim, is_raw, &bad);
    size = code_quotient(code, size, is_raw ? volume->divisor[i] : 1);
    CodeValue count = code_magnitude(code, size);
    if (!is_alone && (is_raw || !plan_is_positive(code->plan, dim))) {
      CodeValue is_zero = code_compare(code, CODE_EQUAL, size, zero(code));
      empty = code_or(code, empty, is_zero);
      count = code_add(code, CODE_SELECT, is_zero, code_literal(code, 1), count, 0);
    }
    product = code_named(code, code_times(code, product, count), "count");
    bad = code_or(code, bad, code_past(code, product));
  }
  int64_t most = INT64_MAX / (int64_t)known;
  int64_t limit = volume->limit / (int64_t)known;
  CodeValue large = code_above(code, product, limit);
  if (empty != CODE_NONE && limit < most) {
    bad = code_or(code, bad, code_above(code, product, most));
    large = code_and(code, large, code_not(code, empty));
  }
  return code_or(code, bad, large);
}

// Whether the target's pointers cannot address n elements.
static CodeValue is_too_many(Code *code, rsh_num n, rsh_dtype type) {
  int64_t limit = volume_limit(type, code->pointer);
  if (rsh_is_known(n))
    return CODE_NONE;
  CodeValue bad = CODE_NONE, count = code_number(code, n, false, &bad);
  if (limit == INT64_MAX)
    return bad;
  return code_or(code, bad, code_compare(code, CODE_MORE, count, code_integer(code, limit)));
}

static CodeValue span_is_bad(Code *code, const Value *value) {
  if (!value_is_strided(value))
    return CODE_NONE;
  return is_too_many(code, value->storage->span, value->dtype);
}

static void check_volumes(Code *code, const Volumes *volumes, int from, int to) {
  CodeValue bad = CODE_NONE;
  for (int i = from; i < to; i++) {
    code_symbols(code, volumes->list.item[i].symbols);
    bad = code_or(code, bad, volume_is_bad(code, &volumes->list.item[i]));
  }
  code_fail(code, bad, RSH_overflow, NULL);
}

// Whether check_memory rejects everything that this volume would: with the same status, if no condition comes in
// between.
static bool is_checked_later(const Code *code, const Volumes *memory, const Volume *volume) {
  for (int i = 0; i < memory->list.count && code->plan->graph->guard.count == 0; i++) {
    const Volume *other = &memory->list.item[i];
    if ((is_small_pair(other) || open_sizes(other) == 1) && !volume->divisor &&
        graph_covers(code->plan->graph->symbols, other->shape, volume->shape))
      return true;
  }
  return false;
}

// Conditions and numbers of elements, in source order.
static void check_text(Code *code) {
  const Graph *graph = code->plan->graph;
  Volumes all = volumes_of(code->arena, code->plan), volumes = {0};
  Volumes memory = volumes_in_memory(code->arena, code->plan, code->pointer);
  for (int i = 0; i < all.list.count; i++)
    if (!is_checked_later(code, &memory, &all.list.item[i]))
      VEC_PUSH(code->arena, volumes.list, all.list.item[i]);
  int done = 0;
  for (int i = 0; i < graph->guard.count; i++) {
    int before = volumes_before(&volumes, done, graph, &graph->guard.item[i]);
    check_volumes(code, &volumes, done, before);
    check_guard(code, &graph->guard.item[i]);
    done = before;
  }
  check_volumes(code, &volumes, done, volumes.list.count);
}

static CodeValue any_is_bad(Code *code, const Volumes *volumes) {
  CodeValue bad = CODE_NONE;
  for (int i = 0; i < volumes->list.count; i++)
    bad = code_or(code, bad, volume_is_bad(code, &volumes->list.item[i]));
  return bad;
}

static void check_memory(Code *code) {
  const Graph *graph = code->plan->graph;
  Volumes volumes = volumes_in_memory(code->arena, code->plan, code->pointer);
  CodeValue bad = any_is_bad(code, &volumes);
  for (int i = 0; i < graph->input_count; i++)
    bad = code_or(code, bad, span_is_bad(code, graph->value.item[i]));
  for (int i = 0; i < graph->output_count; i++)
    bad = code_or(code, bad, span_is_bad(code, graph->output[i].value));
  bad = code_or(code, bad, is_too_many(code, code->plan->scratch_bytes, RSH_U8));
  code_fail(code, bad, RSH_overflow, NULL);
}

// A variant looks up other values than the graph itself.
static void check_stages(Code *code) {
  Volumes volumes = volumes_in_stages(code->arena, code->plan, code->pointer);
  code_fail(code, any_is_bad(code, &volumes), RSH_overflow, NULL);
}

// ---- null pointers ----

// Whether parameter `place` is NULL and none of these sizes is 0.
static CodeValue is_missing(Code *code, int place, const rsh_num *size, int count) {
  CodeValue missing = code_add(code, CODE_MISSING, CODE_NONE, CODE_NONE, CODE_NONE, place);
  for (int i = 0; i < count; i++) {
    CodeValue bad = CODE_NONE;
    if (rsh_is(size[i], 0))
      return CODE_NONE;
    if (plan_is_positive(code->plan, size[i]))
      continue;
    CodeValue some = code_number(code, size[i], false, &bad);
    missing = code_and(code, missing, code_compare(code, CODE_UNEQUAL, some, zero(code)));
  }
  return missing;
}

static CodeValue is_parameter_missing(Code *code, int place) {
  const Graph *graph = code->plan->graph;
  Parameter p = code->signature->parameter.item[place];
  const rsh_shape *shape = NULL;
  switch (p.kind) {
  case PARAMETER_INPUT:
    shape = &graph->value.item[p.index]->shape;
    break;
  case PARAMETER_OUTPUT:
    shape = &graph->output[p.index].value->shape;
    break;
  case PARAMETER_SCRATCH:
    return is_missing(code, place, &code->plan->scratch_bytes, 1);
  case PARAMETER_DIMS: // may be null, as in dynamic graphs
  case PARAMETER_SIZE:
  case PARAMETER_RANK:
  case PARAMETER_PLAN:
    return CODE_NONE;
  }
  return is_missing(code, place, shape->dim, shape->rank);
}

static void check_null(Code *code) {
  CodeValue bad = CODE_NONE;
  for (int i = 0; i < code->signature->parameter.count; i++)
    bad = code_or(code, bad, is_parameter_missing(code, i));
  code_fail(code, bad, RSH_null_pointer, NULL);
}

// ---- indices ----

// Checks indices in inputs. Other indices are checked once they are computed (code_picks).
static void check_indices(Code *code) {
  const Plan *plan = code->plan;
  for (int i = 0; i < plan->pass_count; i++)
    if (plan->pass[i].picks && !picks_are_late(plan, plan->pass[i].picks))
      code_check_indices(code, plan->pass[i].picks, true);
}

// ---- after the checks ----

static CodeValue size_of(Code *code, int output, int axis) {
  CodeValue bad = CODE_NONE;
  return code_number(code, value_dims(code->plan->graph->output[output].value)->dim[axis], false,
                     &bad);
}

static void store_dims_of(Code *code, int output, int rank) {
  int place = signature_find(code->signature, PARAMETER_DIMS, output);
  code_unary(code, CODE_IF, code_not(code, is_missing(code, place, NULL, 0)));
  for (int d = 0; d < rank; d++) {
    CodeValue store = code_unary(code, CODE_STORE_SIZE, size_of(code, output, d));
    code->node.item[store].n = output;
    code->node.item[store].index = d;
  }
  code_leaf(code, CODE_END);
}

// Computes all sizes first: a value computed in a block is used only inside it.
static void store_dims(Code *code) {
  const Graph *graph = code->plan->graph;
  for (int i = 0; i < graph->output_count; i++)
    for (int32_t d = 0; d < value_dims(graph->output[i].value)->rank; d++)
      size_of(code, i, d);
  for (int i = 0; i < graph->output_count; i++)
    if (value_dims(graph->output[i].value)->rank > 0)
      store_dims_of(code, i, value_dims(graph->output[i].value)->rank);
}

// Whether the sizes are those of the variant.
static CodeValue matches(Code *code, const Variant *variant) {
  const Graph *graph = code->plan->graph;
  CodeValue all = code_not(code, CODE_NONE);
  for (int i = 0; i < graph->symbol.count; i++) {
    int64_t least = variant_least(graph, variant, i);
    if (variant->bound[i] != VARIANT_ANY)
      all = code_and(
          code, all,
          code_compare(code, CODE_EQUAL, code->symbol[i], code_integer(code, variant->bound[i])));
    else if (least > 0)
      all = code_and(code, all,
                     code_compare(code, CODE_AT_LEAST, code->symbol[i], code_integer(code, least)));
  }
  return all;
}

// If a variant is not divided into tasks, task 0 does all the work, and the other tasks return ok.
static void leave_to_variants(Code *code, EntryPoint entry) {
  const Graph *graph = code->plan->graph;
  for (int i = 0; i < graph->variant.count; i++) {
    int64_t tasks;
    CodeValue is_own = matches(code, &graph->variant.item[i]);
    bool is_whole =
        entry != ENTRY_WHOLE && !plan_split(code->arena, code->plan->variant[i], &tasks);
    if (is_own == CODE_NONE || (entry == ENTRY_TASK_COUNT && is_whole))
      continue;
    code_unary(code, CODE_IF, is_own);
    if (is_whole) {
      CodeValue number = code_leaf(code, CODE_ARGUMENT);
      CodeValue other = code_binary(code, CODE_UNEQUAL, number, code_extent(code, rsh_int(0)));
      code_add(code, CODE_FAIL, other, CODE_NONE, CODE_NONE, RSH_ok);
    }
    CodeValue to = code_add(code, CODE_RETURN_VARIANT, CODE_NONE, CODE_NONE, CODE_NONE, i);
    code->node.item[to].index = is_whole ? ENTRY_WHOLE : entry;
    code_leaf(code, CODE_END);
  }
}

Code *code_entry(Arena *arena, const Plan *plan, EntryPoint entry, bool is_variant, int pointer) {
  Code *code = ARENA_NEW(arena, Code);
  bool runs = entry != ENTRY_TASK_COUNT && entry != ENTRY_SIZES, asks = !is_variant && runs;
  *code = (Code){.arena = arena, .plan = plan, .pointer = pointer, .is_checked = asks};
  code->signature = entry == ENTRY_SHAPE ? &plan->shape_signature : &plan->signature;
  if (asks) {
    check_negative(code);
    check_text(code);
  }
  code_symbols(code, plan->graph->symbol.count);
  if (asks)
    check_memory(code);
  else if (runs)
    check_stages(code);
  if (runs && (asks || !rsh_is(plan->scratch_bytes, 0)))
    check_null(code);
  if (asks && entry != ENTRY_SHAPE)
    check_indices(code);
  if (entry == ENTRY_SHAPE)
    store_dims(code);
  else if (entry != ENTRY_SIZES)
    leave_to_variants(code, entry);
  code_end(code);
  return code;
}
