// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers with tensors of indices, as code. All indices are checked before any output is written:
//
//   for n < count: if indices[n] is not -size..size-1: fail bad_index
//
//   for i < 3                                    one of the loops of the picks
//     place = indices[i], + size if it is below 0
//     copy 32 bytes from data + place * 32 to result + i * 32
#include "codegen/code/code.h"

typedef struct Loops {
  Code *code;
  bool is_entry; // sizes come from arguments
  int open;      // number of open blocks
} Loops;

static CodeValue amount_of(const Loops *l, rsh_num n) {
  CodeValue bad = CODE_NONE;
  if (!l->is_entry || rsh_is_known(n))
    return code_extent(l->code, n);
  return code_unary(l->code, CODE_AMOUNT, code_number(l->code, n, false, &bad));
}

// for index < extent; the extent may be 0.
static CodeValue open_loop(Loops *l, rsh_num extent, const char *name) {
  Code *code = l->code;
  CodeValue count = amount_of(l, extent);
  if (!plan_is_positive(code->plan, extent)) {
    code_unary(code, CODE_IF, code_binary(code, CODE_LESS, code_index(code, 0), count));
    l->open++;
  }
  l->open++;
  return code_named(code, code_for(code, count), name);
}

static void close_loops(Loops *l) {
  for (; l->open > 0; l->open--)
    code_leaf(l->code, CODE_END);
}

// Whether an index is outside -size..size-1. An index below -size is still negative after adding size, so it is a large
// unsigned number.
static CodeValue outside(Code *code, CodeValue index, CodeValue size) {
  CodeValue length = code_unary(code, CODE_LENGTH, size);
  CodeValue place = code_unary(code, CODE_MAGNITUDE, code_from_end(code, index, length));
  return code_binary(code, CODE_AT_LEAST, place, code_unary(code, CODE_MAGNITUDE, length));
}

// Number `at` of the tensor of indices.
static CodeValue read_pick(Code *code, const Picks *picks, CodeValue at) {
  CodeValue list = code_source(code, picks->by.source);
  return code_named(code, code_add(code, CODE_READ, list, at, CODE_NONE, picks->by.dtype), "index");
}

static CodeValue index_plus(const Loops *l, CodeValue at, rsh_num n) {
  return rsh_is(n, 0) ? at : code_advance(l->code, CODE_ADVANCE, at, amount_of(l, n), rsh_int(1));
}

void code_check_indices(Code *code, const Picks *picks, bool is_entry) {
  Loops l = {code, is_entry, 0};
  (void)code_integer(code, 0); // created here so that blocks share it
  CodeValue size[RSH_MAX_RANK];
  if (rsh_is(picks->count, 0))
    return;
  for (int i = 0; i < picks->axis_count; i++)
    size[i] = amount_of(&l, picks->size[i]);
  int64_t length = picks->axis_count;
  rsh_num tuples = {picks->count.n / length, picks->count.poly};
  CodeValue n = open_loop(&l, tuples, "n");
  for (int i = 0; i < picks->axis_count; i++) {
    CodeValue first = index_plus(&l, code_index(code, i), picks->by.offset);
    CodeValue index =
        read_pick(code, picks, code_advance(code, CODE_ADVANCE, first, n, rsh_int(length)));
    code_fail(code, outside(code, index, size[i]), RSH_bad_index, NULL);
  }
  close_loops(&l);
}

static bool are_any(const Picks *picks) {
  bool some = !rsh_is(picks->run.run, 0);
  for (int i = 0; i < picks->loop_count; i++)
    some = some && !rsh_is(picks->loop[i].extent, 0);
  return some;
}

static void copy_all(Code *code, const Pass *pass, int64_t unit) {
  const Picks *picks = pass->picks;
  Loops l = {code, false, 0};
  (void)code_integer(code, 0);
  // Checked once for all loops: if i64[A, 4, B] has no elements, the outer loops would iterate A * 4 times.
  CodeValue any = code_also_some(code, CODE_NONE, picks->run.run);
  for (int i = 0; i < picks->loop_count; i++)
    any = code_also_some(code, any, picks->loop[i].extent);
  if (any != CODE_NONE) {
    code_unary(code, CODE_IF, any);
    l.open++;
  }
  CodeValue at = code_extent(code, picks->by.offset), to = code_source(code, pass->value->id);
  CodeValue from = code_source(code, picks->from.source);
  if (!rsh_is(picks->offset, 0))
    from =
        code_advance(code, CODE_STEP, from, code_index(code, 1), code_divided(picks->offset, unit));
  for (int i = 0; i < picks->loop_count; i++) {
    const Loop *loop = &picks->loop[i];
    CodeValue index = code_named(code, code_for(code, code_extent(code, loop->extent)), "i");
    l.open++;
    if (!rsh_is(loop->at, 0))
      at = code_advance(code, CODE_ADVANCE, at, index, loop->at);
    to = code_advance(code, CODE_STEP, to, index, code_divided(loop->dst, unit));
    if (!rsh_is(loop->src, 0))
      from = code_advance(code, CODE_STEP, from, index, code_divided(loop->src, unit));
  }
  for (int i = 0; i < picks->axis_count; i++) {
    CodeValue index = read_pick(code, picks, index_plus(&l, at, rsh_int(i)));
    CodeValue size = code_unary(code, CODE_LENGTH, code_extent(code, picks->size[i]));
    CodeValue place = code_unary(code, CODE_AMOUNT, code_from_end(code, index, size));
    from = code_advance(code, CODE_STEP, from, code_named(code, place, "place"),
                        code_divided(picks->stride[i], unit));
  }
  code_add(code, CODE_COPY, to, from, CODE_NONE, 0);
  close_loops(&l);
}

void code_picks(Code *code, const Pass *pass, int64_t unit) {
  if (picks_are_late(code->plan, pass->picks))
    code_check_indices(code, pass->picks, false);
  if (are_any(pass->picks))
    copy_all(code, pass, unit);
}
