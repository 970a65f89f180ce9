// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs on targets without vectors: inline, in words; by a routine that all runs of the object share; or by the
// program's memcpy and memset. codegen/plan/strategy.h decides.
//
//   copy(src, dst, 37)    both word-aligned      32 bytes by load and store multiple, a word, a byte
//                         Cortex-M4, unaligned   2 times 4 words at any address, a word, a byte; at -O2, if the
//                                                result is word-aligned, by store multiple
//                         Cortex-M0, equal modulo 4   bytes up to a word, then as above
//                         Cortex-M0, otherwise        37 bytes
//
// The routines return the addresses after the run, so the caller need not save its pointers across the call.
#include "codegen/llvm/llvm_module.h"

#include <string.h>

enum { BLOCK = 4 }; // words

typedef struct Routine {
  Gen *g;
  int64_t word;
  LLVMValueRef pattern; // stored by a fill; NULL: the routine copies
  bool has_carry;
  bool multiple; // Arm: uses load and store multiple; a Cortex-M55 moves a block as vectors
  bool is_small;
  bool shifts,
      is_up; // both sides may overlap, so each step loads before it stores, from the end downward
} Routine;

// The position of a routine; `src` is NULL if it fills.
typedef struct State {
  LLVMValueRef dst, src, left;
} State;

// ---- steps of a routine

// Both addresses.
static LLVMTypeRef ends_type(Gen *g) {
  LLVMTypeRef pair[2] = {g->ptr, g->ptr};
  return LLVMStructTypeInContext(g->context, pair, 2, false);
}

// The offset of a piece of a step. A routine that moves upward is at the end of the remaining bytes.
static LLVMValueRef offset_of(const Routine *r, int64_t at, int64_t width) {
  return b_int(r->g, r->is_up ? -at - width : at);
}

static LLVMValueRef load_piece(const Routine *r, const State *s, int64_t at, int64_t width,
                               uint32_t align) {
  Gen *g = r->g;
  LLVMTypeRef type = b_bytes(g, width);
  if (r->pattern)
    return width < r->word ? LLVMBuildTrunc(g->builder, r->pattern, type, "part") : r->pattern;
  return b_load(g, type, b_step(g, s->src, offset_of(r, at, width), "src"), align, "data");
}

// Blocks of four words in assembly: LLVM would add a second increment of the pointers to a load multiple.
#define LOAD_BLOCK "ldmia $1!, {r3, r4, r5, r6}\n\t"
#define STORE_BLOCK "stmia $0!, {r3, r4, r5, r6}"
static const char one_block[] = LOAD_BLOCK STORE_BLOCK;
static const char two_blocks[] = LOAD_BLOCK STORE_BLOCK "\n\t" LOAD_BLOCK STORE_BLOCK;
// From any address to a word.
static const char two_blocks_from[] =
    "ldr r3, [$1]\n\tldr r4, [$1, #4]\n\tldr r5, [$1, #8]\n\tldr r6, [$1, #12]\n\t" STORE_BLOCK
    "\n\tldr r3, [$1, #16]\n\tldr r4, [$1, #20]\n\tldr r5, [$1, #24]\n\tldr r6, [$1, "
    "#28]\n\t" STORE_BLOCK "\n\tadds $1, $1, #32";

static State move_blocks(const Routine *r, State s, const char *text) {
  Gen *g = r->g;
  const char *constraints = "=l,=l,0,1,~{r3},~{r4},~{r5},~{r6},~{cc},~{memory}";
  LLVMTypeRef pair = ends_type(g), given[2] = {g->ptr, g->ptr};
  LLVMTypeRef type = LLVMFunctionType(pair, given, 2, false);
  LLVMValueRef arg[2] = {s.dst, s.src};
  LLVMValueRef block = LLVMGetInlineAsm(type, text, strlen(text), constraints, strlen(constraints),
                                        true, false, LLVMInlineAsmDialectATT, false);
  LLVMValueRef after = LLVMBuildCall2(g->builder, type, block, arg, 2, "after");
  return (State){LLVMBuildExtractValue(g->builder, after, 0, "dst"),
                 LLVMBuildExtractValue(g->builder, after, 1, "src"), s.left};
}

// Copies whole words at aligned addresses, in vectors if the target has them.
static void copy_aligned(const Routine *r, const State *s, int64_t bytes) {
  Gen *g = r->g;
  LLVMTypeRef type[3] = {g->ptr, g->ptr, g->word};
  LLVMValueRef arg[4] = {s->dst, s->src, b_int(g, bytes), b_const(g->i1, 0)};
  LLVMValueRef call = b_intrinsic(g, "llvm.memcpy.inline", type, 3, arg, 4, "");
  for (LLVMAttributeIndex i = 1; i <= 2; i++) {
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAddCallSiteAttribute(call, i, LLVMCreateEnumAttribute(g->context, kind, (uint64_t)r->word));
  }
}

// A step in pieces of `width` bytes.
static void move_step(const Routine *r, const State *s, int64_t step, int64_t width,
                      uint32_t align) {
  if (step > BLOCK * r->word && !r->pattern && !r->shifts && align == (uint32_t)r->word) {
    copy_aligned(r, s, step);
    return;
  }
  enum { MOST = 2 * BLOCK };
  int64_t ahead = r->shifts ? step : width;
  LLVMValueRef data[MOST];
  for (int64_t begin = 0; begin < step; begin += ahead) {
    for (int64_t at = 0; at < ahead; at += width)
      data[at / width] = load_piece(r, s, begin + at, width, align);
    for (int64_t at = 0; at < ahead; at += width)
      b_store(r->g, data[at / width], b_step(r->g, s->dst, offset_of(r, begin + at, width), "dst"),
              align);
  }
}

static State stepped(const Routine *r, const State *s, int64_t step) {
  Gen *g = r->g;
  step = r->is_up ? -step : step;
  LLVMValueRef dst = hidden_pointer(g, b_move(g, s->dst, step, "at"));
  LLVMValueRef src = s->src ? hidden_pointer(g, b_move(g, s->src, step, "at")) : NULL;
  return (State){dst, src, s->left};
}

// Copies words at any address by loads and stores that increment their pointers, which saves additions.
static State move_stepping(const Routine *r, State s, int64_t step) {
  Gen *g = r->g;
  LLVMValueRef word[BLOCK], *at[2] = {&s.src, &s.dst};
  for (int64_t i = 0; i < step / r->word; i += BLOCK)
    for (int side = 0; side < 2; side++)
      for (int k = 0; k < BLOCK; k++) {
        if (side == 0)
          word[k] = b_load(g, g->word, s.src, 1, "data");
        else
          b_store(g, word[k], s.dst, 1);
        *at[side] = b_held(g, b_move(g, *at[side], r->word, "at"), NULL, NULL);
      }
  return s;
}

static State join_begin(Gen *g, const State *s) {
  return (State){LLVMBuildPhi(g->builder, g->ptr, "dst"),
                 s->src ? LLVMBuildPhi(g->builder, g->ptr, "src") : NULL,
                 LLVMBuildPhi(g->builder, g->word, "left")};
}

static void join_from(const State *phi, const State *s, LLVMBasicBlockRef block) {
  LLVMValueRef left = s->left, dst = s->dst, src = s->src;
  LLVMAddIncoming(phi->dst, &dst, &block, 1);
  if (src)
    LLVMAddIncoming(phi->src, &src, &block, 1);
  LLVMAddIncoming(phi->left, &left, &block, 1);
}

// Merges the states of two predecessor blocks. The builder is in the block after both.
static State joined(Gen *g, const State *a, LLVMBasicBlockRef from_a, const State *b,
                    LLVMBasicBlockRef from_b) {
  State phi = join_begin(g, a);
  join_from(&phi, a, from_a);
  join_from(&phi, b, from_b);
  return phi;
}

// A difference, and whether it is below 0.
typedef struct Less {
  LLVMValueRef left, is_past;
} Less;

// Thumb-2 subtracts and branches on the carry; other cores branch on the sign without a comparison.
static Less less(const Routine *r, LLVMValueRef left, LLVMValueRef by) {
  Gen *g = r->g;
  if (!r->has_carry) {
    LLVMValueRef behind = LLVMBuildSub(g->builder, left, by, "behind");
    return (Less){behind, LLVMBuildICmp(g->builder, LLVMIntSLT, behind, b_int(g, 0), "is_past")};
  }
  LLVMValueRef arg[2] = {left, by};
  LLVMValueRef both = b_intrinsic(g, "llvm.usub.with.overflow", &g->word, 1, arg, 2, "less");
  return (Less){LLVMBuildExtractValue(g->builder, both, 0, "behind"),
                LLVMBuildExtractValue(g->builder, both, 1, "is_past")};
}

static bool moves_blocks(const Routine *r, int64_t step) {
  return r->multiple && !r->pattern && !r->shifts && step > r->word;
}

// Repeats a step while at least `step` bytes remain. The counter is the number of bytes after the next step, so the
// subtraction itself tests whether there is one. `blocks`: the step in assembly, or NULL.
static State repeat_steps(const Routine *r, State s, int64_t step, int64_t width, uint32_t align,
                          const char *blocks) {
  Gen *g = r->g;
  LLVMValueRef by = b_int(g, step);
  LLVMBasicBlockRef before = LLVMGetInsertBlock(g->builder), body = b_block(g, "steps"),
                    after = b_block(g, "after");
  Less behind = less(r, s.left, by);
  s.left = hidden_number(g, behind.left);
  LLVMBuildCondBr(g->builder, behind.is_past, after, body);
  b_position(g, body);
  State at = join_begin(g, &s);
  join_from(&at, &s, before);
  bool steps = blocks || (r->has_carry && moves_blocks(r, step) && align == 1);
  State next = blocks ? move_blocks(r, at, blocks) : steps ? move_stepping(r, at, step) : at;
  if (!steps)
    move_step(r, &at, step, width, align);
  behind = less(r, at.left, by);
  if (!steps)
    next = stepped(r, &at, step);
  next.left = hidden_number(g, behind.left);
  join_from(&at, &next, body);
  b_leave_loop(g, LLVMBuildCondBr(g->builder, behind.is_past, after, body));
  b_position(g, after);
  State end = joined(g, &s, before, &next, body);
  end.left = LLVMBuildAdd(g->builder, end.left, by, "left");
  return end;
}

static State build_steps(const Routine *r, State s, int64_t step, int64_t width, uint32_t align) {
  const char *blocks = step > BLOCK * r->word ? two_blocks : one_block;
  bool is_block = moves_blocks(r, step) && align == (uint32_t)r->word;
  return repeat_steps(r, s, step, width, align, is_block ? blocks : NULL);
}

// The lowest bits of an address.
static LLVMValueRef rest_of(const Routine *r, LLVMValueRef address) {
  Gen *g = r->g;
  return LLVMBuildAnd(g->builder, address, b_int(g, r->word - 1), "rest");
}

static LLVMValueRef as_word(Gen *g, LLVMValueRef pointer) {
  return LLVMBuildPtrToInt(g->builder, pointer, g->word, "address");
}

static LLVMValueRef is_zero(Gen *g, LLVMValueRef n) {
  return LLVMBuildICmp(g->builder, LLVMIntEQ, n, b_int(g, 0), "is_zero");
}

// Moves bytes until the destination, or its end, is word-aligned.
static State build_head(const Routine *r, State s) {
  Gen *g = r->g;
  LLVMBasicBlockRef before = LLVMGetInsertBlock(g->builder), test = b_block(g, "head"),
                    body = b_block(g, "byte"), after = b_block(g, "at_word");
  LLVMBuildBr(g->builder, test);
  b_position(g, test);
  State at = join_begin(g, &s);
  join_from(&at, &s, before);
  LLVMBuildCondBr(g->builder, is_zero(g, rest_of(r, as_word(g, at.dst))), after, body);
  b_position(g, body);
  move_step(r, &at, 1, 1, 1);
  State next = stepped(r, &at, 1);
  next.left = LLVMBuildSub(g->builder, at.left, b_int(g, 1), "left");
  join_from(&at, &next, body);
  b_leave_loop(g, LLVMBuildBr(g->builder, test));
  b_position(g, after);
  return at;
}

// Blocks, then single words; vectors in blocks of two sizes.
static State build_words(const Routine *r, State s, uint32_t align) {
  bool is_short = r->g->can.unaligned == 1 || (r->shifts && !r->g->wide);
  int64_t block = is_short ? BLOCK : 2 * BLOCK;
  s = build_steps(r, s, block * r->word, r->word, align);
  s = r->g->wide ? build_steps(r, s, BLOCK * r->word, r->word, align) : s;
  return build_steps(r, s, r->word, r->word, align);
}

// Words at any address, after blocks if the result, or at -Os both sides, are word-aligned.
static State build_anywhere(const Routine *r, State s) {
  Gen *g = r->g;
  if (r->pattern || r->shifts)
    return build_words(r, s, 1);
  int64_t step = 2 * BLOCK * r->word;
  bool has_from = r->multiple && !r->is_small;
  LLVMValueRef dst = as_word(g, s.dst), src = as_word(g, s.src);
  LLVMValueRef both = LLVMBuildOr(g->builder, dst, src, "both");
  LLVMBasicBlockRef before = LLVMGetInsertBlock(g->builder);
  Fork to = b_fork(g, has_from ? is_zero(g, rest_of(r, dst)) : NULL, "to_words", NULL, "words");
  LLVMBasicBlockRef begin = LLVMGetInsertBlock(g->builder);
  Fork fork = b_fork(g, is_zero(g, rest_of(r, both)), "aligned", NULL, has_from ? "from" : "words");
  State blocks = build_steps(r, s, step, r->word, (uint32_t)r->word);
  LLVMBasicBlockRef end = LLVMGetInsertBlock(g->builder);
  b_fork_end(g, &fork);
  State at = joined(g, &s, begin, &blocks, end);
  if (has_from) {
    State from = repeat_steps(r, at, step, r->word, 1, two_blocks_from);
    end = LLVMGetInsertBlock(g->builder);
    b_fork_end(g, &to);
    at = joined(g, &s, before, &from, end);
  }
  return build_words(r, at, 1);
}

// Words, after bytes up to the first word, if both addresses have the same remainder.
static State build_at_words(const Routine *r, State s) {
  Gen *g = r->g;
  LLVMValueRef good = LLVMBuildICmp(g->builder, LLVMIntUGE, s.left, b_int(g, r->word), "is_long");
  if (s.src) {
    LLVMValueRef dst = as_word(g, s.dst), src = as_word(g, s.src);
    LLVMValueRef differ = LLVMBuildXor(g->builder, dst, src, "differ");
    good = LLVMBuildAnd(g->builder, good, is_zero(g, rest_of(r, differ)), "good");
  }
  LLVMBasicBlockRef before = LLVMGetInsertBlock(g->builder);
  Fork fork = b_fork(g, good, "congruent", NULL, "tail");
  State done = build_words(r, build_head(r, s), (uint32_t)r->word);
  LLVMBasicBlockRef end = LLVMGetInsertBlock(g->builder);
  b_fork_end(g, &fork);
  return joined(g, &s, before, &done, end);
}

// The last bytes of a constant: a word that ends there and overlaps bytes already written.
static State build_last_word(const Routine *r, State s) {
  Gen *g = r->g;
  State end = {LLVMBuildGEP2(g->builder, g->i8, s.dst, &s.left, 1, "end"), NULL, b_int(g, 0)};
  Fork fork = b_fork_unless(g, is_zero(g, s.left), "some", "after");
  b_store(g, r->pattern, b_move(g, end.dst, -r->word, "at"), 1);
  b_fork_end(g, &fork);
  return end;
}

// ---- routines

static LLVMValueRef ends(Gen *g, LLVMValueRef src, LLVMValueRef dst) {
  LLVMValueRef one = LLVMBuildInsertValue(g->builder, LLVMGetUndef(ends_type(g)), src, 0, "end");
  return LLVMBuildInsertValue(g->builder, one, dst, 1, "ends");
}

// {src, dst} copy(src, dst, bytes); dst fill(dst, pattern, bytes). A kernel's input comes before its result, so
// the first copy finds both in the right registers.
static LLVMValueRef run_routine(Kernel *k, bool fills) {
  Gen *g = k->g;
  LLVMTypeRef given[3] = {g->ptr, fills ? g->word : g->ptr, g->word};
  LLVMTypeRef result = fills ? g->ptr : ends_type(g);
  Subroutine s;
  if (!subroutine_begin(g, fills ? "fill.run" : "copy.run", LLVMFunctionType(result, given, 3, 0),
                        true, &s))
    return s.function;
  // The parameters have no alignment: the routine tests the addresses before it moves words.
  int dst = fills ? 0 : 1;
  for (int i = 0; i <= dst; i++)
    module_set_pointer(g, s.function, i, 0, i != dst, i == dst, true);
  bool is_free = g->can.unaligned == g->can.word;
  Routine r = {.g = g,
               .word = g->can.word,
               .pattern = fills ? LLVMGetParam(s.function, 1) : NULL,
               .has_carry = k->target->counts_down && is_free,
               .multiple = k->target->counts_down && !g->has_loops,
               .is_small = k->target->small};
  State at = {LLVMGetParam(s.function, (unsigned)dst), fills ? NULL : LLVMGetParam(s.function, 0),
              LLVMGetParam(s.function, 2)};
  at = is_free ? build_anywhere(&r, at) : build_at_words(&r, at);
  at = is_free && fills ? build_last_word(&r, at) : build_steps(&r, at, 1, 1, 1);
  subroutine_end(g, &s, fills ? at.dst : ends(g, at.src, at.dst));
  return s.function;
}

// {src, dst} copy(src, dst, bytes) unless the two are equal, as in an in-place permutation.
static LLVMValueRef apart_routine(Kernel *k) {
  Gen *g = k->g;
  LLVMValueRef copy = run_routine(k, false), arg[3];
  Subroutine s;
  if (!subroutine_begin(g, "copy.apart", LLVMGlobalGetValueType(copy), true, &s))
    return s.function;
  LLVMGetParams(s.function, arg);
  LLVMBasicBlockRef apart = b_block(g, "apart"), there = b_block(g, "there");
  LLVMValueRef differ = LLVMBuildICmp(g->builder, LLVMIntNE, arg[0], arg[1], "differ");
  LLVMBuildCondBr(g->builder, differ, apart, there);
  b_position(g, apart);
  LLVMBuildRet(g->builder, b_call(g, copy, arg, 3, "ends"));
  b_position(g, there);
  LLVMValueRef end = LLVMBuildGEP2(g->builder, g->i8, arg[1], &arg[2], 1, "end");
  subroutine_end(g, &s, ends(g, arg[0], end));
  return s.function;
}

LLVMValueRef run_call_apart(Kernel *k, Position at, int64_t bytes) {
  LLVMValueRef arg[3] = {at.src.at, at.dst, b_const(k->g->word, bytes)};
  LLVMValueRef after = b_call(k->g, apart_routine(k), arg, 3, "ends");
  return LLVMBuildExtractValue(k->g->builder, after, 1, "end");
}

// Bytes of the widest load and store of a run that is moved within an input.
static int64_t shift_word(const Gen *g) {
  return g->wide && g->can.vector > g->can.word ? g->can.vector : g->can.word;
}

// The start of piece i of a run; the last may overlap the one before it.
static int64_t piece_at(int64_t bytes, int64_t i, int64_t piece) {
  return (i + 1) * piece > bytes ? bytes - piece : i * piece;
}

// shift(dst, src, bytes). Vectors, where the target has them, may be at any address.
static LLVMValueRef shift_routine(Kernel *k, bool is_up) {
  Gen *g = k->g;
  LLVMTypeRef given[3] = {g->ptr, g->ptr, g->word};
  const char *name =
      arena_printf(k->arena, "shift.%s.v%d", is_up ? "up" : "down", k->target->version);
  Subroutine s;
  if (!subroutine_begin(g, name, LLVMFunctionType(g->none, given, 3, 0), !g->wide, &s))
    return s.function;
  for (int i = 0; i < 2; i++)
    module_set_pointer(g, s.function, i, 0, i == 1, i == 0, false);
  bool is_free = g->wide || g->can.unaligned == g->can.word;
  Routine r = {.g = g,
               .word = shift_word(g),
               .has_carry = k->target->counts_down && is_free,
               .shifts = true,
               .is_up = is_up};
  State at = {LLVMGetParam(s.function, 0), LLVMGetParam(s.function, 1),
              LLVMGetParam(s.function, 2)};
  if (is_up) {
    at.dst = b_step(g, at.dst, at.left, "end");
    at.src = b_step(g, at.src, at.left, "end");
  }
  at = is_free ? build_anywhere(&r, at) : build_at_words(&r, at);
  if (!is_free) // the addresses may differ modulo a word
    at = build_steps(&r, at, BLOCK, 1, 1);
  for (int64_t step = r.word / 2; g->wide && step > 1; step /= 2)
    at = build_steps(&r, at, step, step, 1);
  build_steps(&r, at, 1, 1, 1);
  LLVMBuildRetVoid(g->builder);
  subroutine_end(g, &s, NULL);
  return s.function;
}

// The program's memcpy or memset; the names are the same on every target.
static LLVMValueRef library(Gen *g, bool fills) {
  LLVMTypeRef given[3] = {g->ptr, fills ? g->i32 : g->ptr, g->word};
  return module_function(g, fills ? "memset" : "memcpy", LLVMFunctionType(g->ptr, given, 3, false));
}

Position run_call(Kernel *k, RunStrategy strategy, Position at, LLVMValueRef bytes) {
  Gen *g = k->g;
  bool fills = at.src.period > 0, is_library = strategy == RUN_LIBRARY;
  LLVMValueRef function = is_library ? library(g, fills) : run_routine(k, fills);
  bool is_swapped = fills || is_library; // memcpy's first parameter is the result
  LLVMValueRef arg[3] = {is_swapped ? at.dst : at.src.at, is_swapped ? at.src.at : at.dst,
                         b_as(g, g->word, bytes)};
  if (fills)
    arg[1] = is_library ? b_i32(g, at.src.fill[0]) : piece_fill(g, &at.src, 0, g->can.word);
  LLVMValueRef call = b_call(g, function, arg, 3, "end");
  if (is_library) {
    unsigned kind = LLVMGetEnumAttributeKindForName("nobuiltin", 9);
    LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                             LLVMCreateEnumAttribute(g->context, kind, 0));
    return at;
  }
  at.dst = fills ? call : LLVMBuildExtractValue(g->builder, call, 1, "dst");
  if (!fills)
    at.src.at = LLVMBuildExtractValue(g->builder, call, 0, "src");
  return at;
}

// ---- inline

void run_build_pieces(Gen *g, Position at, int64_t bytes, int64_t piece, uint32_t unit) {
  uint32_t align = unit < (uint32_t)piece ? unit : (uint32_t)piece;
  for (int64_t i = 0; i < bytes; i += piece)
    piece_build(g, at.dst, at.src, i + piece > bytes ? bytes - piece : i, piece, align);
}

void run_shift(Kernel *k, const Nest *nest, bool is_up, LLVMValueRef dst, LLVMValueRef src) {
  enum { MOST_PIECES = 4 };
  Gen *g = k->g;
  bool is_known = rsh_is_known(nest->run);
  int64_t bytes = nest->run.n,
          piece = g->wide ? shift_word(g) : nest_run_piece(k->plan, nest, &g->can);
  while (is_known && piece > bytes)
    piece /= 2;
  if (!is_known || bytes > MOST_PIECES * piece) {
    LLVMValueRef arg[3] = {dst, src, b_as(g, g->word, kernel_number(k, nest->run))};
    b_call(g, shift_routine(k, is_up), arg, 3, "");
    return;
  }
  uint32_t align = nest->unit < (uint32_t)piece ? nest->unit : (uint32_t)piece;
  LLVMTypeRef type = piece > 8 ? b_vector(g, 8, piece) : b_integer(g, piece * 8);
  LLVMValueRef data[MOST_PIECES];
  for (int64_t i = 0; i * piece < bytes; i++)
    data[i] = b_load(g, type, b_move(g, src, piece_at(bytes, i, piece), "src"), align, "data");
  for (int64_t i = 0; i * piece < bytes; i++)
    b_store(g, data[i], b_move(g, dst, piece_at(bytes, i, piece), "dst"), align);
}

void run_build_narrow(Kernel *k, const Nest *nest, LLVMValueRef dst, Cursor src) {
  enum { MOST_PIECES = 8 };
  Gen *g = k->g;
  Position at = {src, dst};
  RunStrategy strategy = nest_run_strategy(k->plan, nest, &g->can);
  if (strategy == RUN_CALL || strategy == RUN_LIBRARY) {
    run_call(k, strategy, at, kernel_number(k, nest->run));
    return;
  }
  int64_t bytes = nest->run.n, piece = nest_run_piece(k->plan, nest, &g->can);
  int64_t step = src.period > piece ? src.period : piece; // a whole element of a constant
  if (bytes <= MOST_PIECES * piece) {
    run_build_pieces(g, at, bytes, piece, nest->unit);
    return;
  }
  int64_t looped = bytes / step * step;
  Repeat r = b_repeat_begin(g, b_int(g, looped), step, "at");
  run_build_pieces(g, (Position){cursor_step(g, src, r.index), b_step(g, dst, r.index, "dst")},
                   step, piece, nest->unit);
  b_repeat_end(g, &r);
  if (looped < bytes)
    piece_build(g, dst, src, bytes - piece, piece, nest->unit);
}
