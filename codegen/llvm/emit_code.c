// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds code (codegen/code/code.h) as LLVM instructions of the current function, and the numbers of a plan, which are
// computed once, in its entry block. No arithmetic calls a library.
//
//   768*B*S + 64     ->   mul B, S; mul 768; add 64
//   if %3            ->   br %3, then, after; then: ...; br after; after: ...
#include "codegen/llvm/llvm_module.h"

#include <string.h>

// An open IF, FOR or LOOP.
typedef struct Block {
  Fork fork;
  LLVMBasicBlockRef head, after; // of LOOP
  Repeat repeat;                 // of FOR
  bool steps;                    // it steps the addresses of its WALKs (begin_steps),
  LLVMValueRef left;             // with the iterations left, as a pointer (hidden_pointer), or
  LLVMValueRef end;              // with the end of the first WALK, or
  LLVMValueRef more;             // until two WALKs meet;
  LLVMValueRef gone[2];          // these are the next addresses
  LLVMValueRef carried;          // of LOOP
} Block;

typedef struct Printer {
  Kernel *k;
  const Code *code;
  LLVMValueRef *value, *past;               // by node: its value, and whether it overflowed
  const int *uses;                          // by node
  const bool *is_checked;                   // by node: a PAST uses its overflow
  bool steps;                               // a FOR steps the addresses that it carries
  LLVMBasicBlockRef fail[RSH_STATUS_COUNT]; // returns that status; NULL until one is needed
  CodeLeaves leaves;
  VEC(Block) open;
  VEC(CodeValue) carried; // values that the next FOR carries
} Printer;

// br bad, fail, good. The builder is left in `good`.
static void build_fail(Printer *p, LLVMValueRef bad, rsh_status status) {
  Gen *g = p->k->g;
  LLVMBasicBlockRef here = LLVMGetInsertBlock(g->builder);
  if (!p->fail[status]) {
    p->fail[status] = b_block(g, rsh_status_name(status));
    b_position(g, p->fail[status]);
    LLVMBuildRet(g->builder, b_i32(g, status));
    b_position(g, here);
  }
  LLVMBasicBlockRef good = b_block(g, "good");
  LLVMBuildCondBr(g->builder, bad, p->fail[status], good);
  b_position(g, good);
}

// ---- arithmetic ----

// Calls "llvm.umul.with.overflow" or a similar intrinsic: returns the number, and in *past whether it overflowed.
static LLVMValueRef with_overflow(Gen *g, const char *name, LLVMValueRef a, LLVMValueRef b,
                                  LLVMValueRef *past) {
  LLVMValueRef arg[2] = {a, b}, pair = b_intrinsic(g, name, &g->i64, 1, arg, 2, "pair");
  *past = LLVMBuildExtractValue(g->builder, pair, 1, "past");
  return LLVMBuildExtractValue(g->builder, pair, 0, "number");
}

static LLVMValueRef build_times(Gen *g, LLVMValueRef a, LLVMValueRef b, LLVMValueRef *past,
                                bool is_checked) {
  if (!g->multiplies_long)
    return number_multiply(g, a, b, past);
  return is_checked ? with_overflow(g, "llvm.umul.with.overflow", a, b, past)
                    : LLVMBuildMul(g->builder, a, b, "product");
}

static LLVMValueRef build_plus(Gen *g, LLVMValueRef a, LLVMValueRef b, LLVMValueRef *past,
                               bool is_checked) {
  return is_checked ? with_overflow(g, "llvm.uadd.with.overflow", a, b, past)
                    : LLVMBuildAdd(g->builder, a, b, "sum");
}

// The difference of counts, as a signed number. It fits if it is negative exactly when a < b.
static LLVMValueRef build_minus(Gen *g, LLVMValueRef a, LLVMValueRef b, LLVMValueRef *past,
                                bool is_checked) {
  LLVMValueRef n = LLVMBuildSub(g->builder, a, b, "number");
  if (is_checked) {
    LLVMValueRef is_below = LLVMBuildICmp(g->builder, LLVMIntULT, a, b, "below");
    LLVMValueRef has_sign = LLVMBuildICmp(g->builder, LLVMIntSLT, n, b_long(g, 0), "sign");
    *past = LLVMBuildXor(g->builder, is_below, has_sign, "past");
  }
  return n;
}

static LLVMValueRef pick(Gen *g, LLVMIntPredicate kind, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildSelect(g->builder, LLVMBuildICmp(g->builder, kind, a, b, "test"), a, b, "edge");
}

// ---- numbers ----

int number_count(const Plan *plan) {
  return plan->graph->symbols ? plan->graph->symbols->poly_count + 1 : 1;
}

// A symbol, divided by its divisor: w if w is W / 16. A number overflows only if the kernel has no elements because
// another size is 0.
static LLVMValueRef build_atom(Kernel *k, int atom) {
  int64_t divisor = k->plan->graph->symbol.item[atom].divisor;
  if (!k->symbol[atom])
    kernel_build_entry(k, ENTRY_SIZES, true, NULL);
  LLVMValueRef symbol = k->symbol[atom];
  if (divisor != 1)
    symbol = number_divide(k->g, symbol, b_long(k->g, divisor));
  return b_as(k->g, k->g->index, symbol);
}

static LLVMValueRef build_term(Kernel *k, rsh_terms t) {
  LLVMValueRef product = NULL;
  for (int i; (i = rsh_next_atom(&t)) >= 0;) {
    LLVMValueRef atom = build_atom(k, i);
    product = product ? LLVMBuildMul(k->g->builder, product, atom, "product") : atom;
  }
  LLVMValueRef coef = b_int(k->g, t.coef);
  if (!product)
    return coef;
  return t.coef == 1 ? product : LLVMBuildMul(k->g->builder, product, coef, "term");
}

static LLVMValueRef build_poly(Kernel *k, int32_t poly) {
  LLVMValueRef sum = NULL;
  rsh_terms t = rsh_terms_of(k->plan->graph->symbols, (rsh_num){1, poly});
  while (rsh_next_term(&t)) {
    LLVMValueRef term = build_term(k, t);
    sum = sum ? LLVMBuildAdd(k->g->builder, sum, term, "sum") : term;
  }
  return sum;
}

LLVMValueRef kernel_number(Kernel *k, rsh_num n) {
  if (rsh_is_known(n))
    return b_int(k->g, n.n);
  LLVMBasicBlockRef here = LLVMGetInsertBlock(k->g->builder);
  b_position_in(k->g, k->entry);
  if (!k->number[n.poly])
    k->number[n.poly] = build_poly(k, n.poly);
  LLVMValueRef value = k->number[n.poly];
  if (n.n != 1)
    value = LLVMBuildMul(k->g->builder, value, b_int(k->g, n.n), "number");
  b_position_in(k->g, here);
  return value;
}

LLVMValueRef kernel_extent(Kernel *k, const Nest *nest, int depth) {
  if (k->across && depth == nest->loop_count - 1)
    return k->across;
  return k->portion && k->portion->depth == depth ? k->portion->count
                                                  : kernel_number(k, nest->loop[depth].extent);
}

// ---- memory and control flow ----

static LLVMValueRef list_entry(Printer *p, const CodeNode *node, LLVMValueRef index) {
  Gen *g = p->k->g;
  LLVMValueRef list = b_numbers(p->k->arena, g->i32, node->list, node->n);
  LLVMValueRef table = b_data(g, list, p->leaves.list, 4);
  LLVMValueRef slot = LLVMBuildInBoundsGEP2(g->builder, g->i32, table, &index, 1, "slot");
  return b_as(g, g->index, b_load(g, g->i32, slot, 4, "entry"));
}

static void open_if(Printer *p, LLVMValueRef test, bool has_else) {
  Fork fork = b_fork(p->k->g, test, "then", has_else ? "else" : NULL, "after");
  VEC_PUSH(p->k->arena, p->open, ((Block){.fork = fork}));
}

static const CodeNode *node_of(const Printer *p, CodeValue value) {
  return &p->code->node.item[value];
}

// Whether a loop becomes shorter with each iteration of the enclosing one.
static bool has_triangle(const Printer *p) {
  for (int i = 0; i < p->code->node.count; i++) {
    const CodeNode *node = node_of(p, i), *count;
    if (node->op != CODE_FOR)
      continue;
    count = node_of(p, node->operand[0]);
    if (count->op == CODE_SUB && node_of(p, count->operand[1])->op == CODE_FOR)
      return true;
  }
  return false;
}

// Small code steps pointers, because LLVM would step indices and compute addresses from them. So do triangles, for
// which LLVM would unroll loops with remainders of all lengths.
static bool steps(const Printer *p) {
  return p->k->target->small || (p->k->target->can.walks && has_triangle(p));
}

// The END of an innermost FOR; CODE_NONE for other loops.
static CodeValue end_of_innermost(const Printer *p, CodeValue value) {
  CodeOp op;
  do
    op = node_of(p, ++value)->op;
  while (op != CODE_END && op != CODE_FOR && op != CODE_IF && op != CODE_LOOP);
  return op == CODE_END ? value : CODE_NONE;
}

// The address of a WALK after all iterations.
static LLVMValueRef walk_end(const Printer *p, CodeValue walk, LLVMValueRef count) {
  CodeValue go = walk;
  while (node_of(p, go)->op != CODE_GO || node_of(p, go)->operand[0] != walk)
    go++;
  LLVMValueRef by[2];
  for (int i = 0; i < 2; i++)
    by[i] = kernel_number(p->k, code_number_of(node_of(p, node_of(p, go)->operand[1 + i])));
  Gen *g = p->k->g;
  return b_step(g, p->value[walk], b_scale(g, count, b_scale(g, by[0], by[1], "stride"), "all"),
                "end");
}

// A FOR that steps addresses ends where two of them meet, or at the end of one, or when a count reaches 0: whichever
// takes the fewest instructions.
static Block begin_steps(const Printer *p, CodeValue value, LLVMValueRef count, bool has_index) {
  Gen *g = p->k->g;
  CodeValue last = end_of_innermost(p, value), walk = p->carried.item[0];
  Block block = {.repeat = {.before = LLVMGetInsertBlock(g->builder), .body = b_block(g, "round")},
                 .steps = true};
  bool meets = !has_index && !g->has_loops && // hardware loops need a count
               last != CODE_NONE && node_of(p, last - 1)->op == CODE_MEET;
  bool counts = has_index || last == CODE_NONE || p->k->target->counts_down;
  LLVMValueRef start = LLVMBuildIntToPtr(g->builder, count, g->ptr, "count");
  if (!meets && !counts)
    block.end = walk_end(p, walk, count);
  LLVMBuildBr(g->builder, block.repeat.body);
  b_position(g, block.repeat.body);
  if (!meets && counts)
    block.left = b_carry(g, block.repeat.before, start, "left");
  return block;
}

static void end_steps(Gen *g, Block *block) {
  if (block->left) {
    LLVMValueRef less = b_one_less(g, block->left, block->gone[0], block->gone[1]);
    block->more = LLVMBuildICmp(g->builder, LLVMIntNE, less, LLVMConstNull(g->ptr), "more");
    b_carry_on(g, block->left, less);
  } else if (block->end) {
    block->more = LLVMBuildICmp(g->builder, LLVMIntNE, block->gone[0], block->end, "more");
  }
  LLVMBasicBlockRef after = b_block(g, "after");
  LLVMValueRef more = block->more;
  b_leave_loop(g, LLVMBuildCondBr(g->builder, more, block->repeat.body, after));
  b_position(g, after);
}

static LLVMValueRef open_for(Printer *p, LLVMValueRef count, const CodeNode *node,
                             const char *name) {
  Gen *g = p->k->g;
  if (node->index > 0)
    count = kernel_extent(p->k, p->leaves.loops, node->index - 1);
  CodeValue loop = (CodeValue)(node - p->code->node.item);
  bool is_stepped =
      p->steps && p->carried.count > 0 && node_of(p, p->carried.item[0])->op == CODE_WALK;
  Block block = is_stepped ? begin_steps(p, loop, count, p->uses[loop] > 0)
                           : (Block){.repeat = b_repeat_begin(g, count, node->n, name)};
  block.repeat.is_left = p->leaves.is_left;
  VEC_PUSH(p->k->arena, p->open, block);
  for (int i = 0; i < p->carried.count; i++) {
    LLVMValueRef *value = &p->value[p->carried.item[i]];
    *value = b_carry(g, block.repeat.before, *value, "carried");
  }
  p->carried.count = 0;
  if (!block.left)
    return block.repeat.index;
  LLVMValueRef left = LLVMBuildPtrToInt(g->builder, block.left, g->index, "left");
  return LLVMBuildSub(g->builder, count, left, name);
}

static LLVMValueRef open_loop(Printer *p, LLVMValueRef start, const char *name) {
  Gen *g = p->k->g;
  LLVMBasicBlockRef before = LLVMGetInsertBlock(g->builder);
  Block block = {.head = b_block(g, name)};
  LLVMBuildBr(g->builder, block.head);
  b_position(g, block.head);
  block.carried = b_carry(g, before, start, name);
  VEC_PUSH(p->k->arena, p->open, block);
  return block.carried;
}

static void build_break(Printer *p, LLVMValueRef test) {
  Gen *g = p->k->g;
  Block *loop = &p->open.item[p->open.count - 1];
  LLVMBasicBlockRef body = b_block(g, "body");
  loop->after = b_block(g, "after");
  LLVMBuildCondBr(g->builder, test, loop->after, body);
  b_position(g, body);
}

// Closes the innermost block, by END or NEXT; `next` is the next value of a LOOP.
static void close_block(Printer *p, LLVMValueRef next) {
  Gen *g = p->k->g;
  Block block = p->open.item[--p->open.count];
  if (block.steps) {
    end_steps(g, &block);
  } else if (block.repeat.index) {
    b_repeat_end(g, &block.repeat);
  } else if (block.fork.end) {
    b_fork_end(g, &block.fork);
  } else {
    b_carry_on(g, block.carried, next);
    LLVMBuildBr(g->builder, block.head);
    b_position(g, block.after);
  }
}

static LLVMValueRef build_low_bits(Gen *g, LLVMValueRef count) {
  LLVMValueRef beyond = LLVMBuildShl(g->builder, b_int(g, -1), count, "beyond");
  return LLVMBuildTrunc(g->builder, LLVMBuildNot(g->builder, beyond, "mask"), g->i8, "mask");
}

static LLVMValueRef build_carry(Printer *p, const CodeNode *node, LLVMValueRef start) {
  VEC_PUSH(p->k->arena, p->carried, (CodeValue)(node - p->code->node.item));
  return start;
}

static void build_set(Printer *p, CodeValue carry, LLVMValueRef next) {
  b_carry_on(p->k->g, p->value[carry], next);
  p->value[carry] = next;
}

static void build_go(Printer *p, CodeValue walk, LLVMValueRef offset) {
  LLVMValueRef next = b_step(p->k->g, p->value[walk], offset, "next");
  Block *block = &p->open.item[p->open.count - 1];
  if (p->steps && p->k->target->counts_down)
    next = hidden_pointer(p->k->g, next);
  else if (p->steps) // RISC-V would fold the step into loads and stores, and copy the result
    next = b_held(p->k->g, next, NULL, NULL);
  block->gone[block->gone[0] != NULL] = next;
  build_set(p, walk, next);
}

static void build_meet(Printer *p, LLVMValueRef a, LLVMValueRef b) {
  p->open.item[p->open.count - 1].more = LLVMBuildICmp(p->k->g->builder, LLVMIntULT, a, b, "more");
}

static LLVMValueRef build_float(const Printer *p, const CodeNode *node) {
  double number;
  memcpy(&number, &node->n, sizeof number);
  LLVMContextRef context = p->k->g->context;
  return LLVMConstReal(p->code->is_double ? LLVMDoubleTypeInContext(context)
                                          : LLVMFloatTypeInContext(context),
                       number);
}

// ---- parts of loops ----

// (n + unit - 1) / unit
static LLVMValueRef build_units(Gen *g, LLVMValueRef n, int64_t unit) {
  LLVMValueRef padded = LLVMBuildNSWAdd(g->builder, n, b_int(g, unit - 1), "padded");
  return number_divide(g, padded, b_int(g, unit));
}

// units * task / tasks, in 64 bits, as the product may overflow a word.
static LLVMValueRef build_part(Gen *g, LLVMValueRef units, LLVMValueRef task, LLVMValueRef tasks) {
  LLVMValueRef a = b_as(g, g->i64, units), b = b_as(g, g->i64, task), past;
  LLVMValueRef product = build_times(g, a, b, &past, false);
  return b_as(g, g->index, number_divide(g, product, b_as(g, g->i64, tasks)));
}

// ---- indices in tensors ----

// At entry, a source is an input or a constant.
static LLVMValueRef build_source(const Printer *p, int id) {
  const Value *value = p->k->plan->graph->value.item[id];
  if (p->leaves.from)
    return p->leaves.from;
  if (p->leaves.source)
    return p->leaves.source(p->k, id);
  return value_is_constant(value) ? b_constant(p->k->g, p->k->arena, p->k->name, value)
                                  : kernel_parameter(p->k, PARAMETER_INPUT, id);
}

static LLVMValueRef build_read(Gen *g, rsh_dtype type, LLVMValueRef list, LLVMValueRef at) {
  int bits = rsh_dtype_bits(type);
  LLVMValueRef offset = b_scale(g, at, b_int(g, bits / 8), "offset");
  LLVMValueRef entry =
      b_load(g, b_integer(g, bits), b_step(g, list, offset, "entry"), (uint32_t)bits / 8, "entry");
  return rsh_dtype_is_signed(type) ? LLVMBuildSExtOrBitCast(g->builder, entry, g->i64, "number")
                                   : LLVMBuildZExtOrBitCast(g->builder, entry, g->i64, "number");
}

// ---- nodes ----

static void build_store_size(Kernel *k, LLVMValueRef size, int output, int axis) {
  Gen *g = k->g;
  LLVMValueRef dims = kernel_parameter(k, PARAMETER_DIMS, output);
  LLVMValueRef slot = b_step(g, dims, b_int(g, axis * (int64_t)sizeof(int64_t)), "slot");
  b_store(g, size, slot, sizeof(int64_t));
}

// A node that is being built.
typedef struct Built {
  Printer *p;
  Kernel *k;
  Gen *g;
  const CodeNode *node;
  const char *name;
  LLVMValueRef of[3], *past; // operands; whether it overflowed
  bool is_checked;
} Built;

// Numbers compare as signed integers, counts and indices as unsigned ones.
static LLVMValueRef build_comparison(const Built *b, LLVMIntPredicate with_sign,
                                     LLVMIntPredicate without) {
  bool has_sign = code_type(b->p->code->node.item[b->node->operand[0]].op) == CODE_NUMBER;
  return LLVMBuildICmp(b->g->builder, has_sign ? with_sign : without, b->of[0], b->of[1], "test");
}

// The function of a variant may have no parameter for the task.
static void build_return_variant(const Built *b) {
  LLVMValueRef function = b->p->leaves.variants[b->node->n];
  LLVMValueRef *arg = ARENA_ARRAY(b->k->arena, LLVMValueRef, LLVMCountParams(b->g->function));
  LLVMGetParams(b->g->function, arg);
  LLVMBuildRet(b->g->builder, b_call(b->g, function, arg, LLVMCountParams(function), "result"));
}

static void return_place(const Built *b, LLVMValueRef address, LLVMValueRef left) {
  LLVMValueRef both[2] = {address, left};
  if (b->p->leaves.stage->finds_parts)
    LLVMBuildAggregateRet(b->g->builder, both, 2);
  else
    LLVMBuildRet(b->g->builder, address);
}

static void build_return_found(const Built *b) {
  const CodeLeaves *l = &b->p->leaves;
  LLVMValueRef left = b->of[1];
  LLVMValueRef address = l->found(b->k, l->stage, &l->stage->nest[b->node->n], b->of[0], &left);
  return_place(b, address, left);
}

static LLVMValueRef build_further(const Built *b) {
  LLVMValueRef step = b_scale(b->g, b->of[1], b->of[2], "step");
  bool is_first = b->p->code->node.item[b->node->operand[0]].op == CODE_EXTENT &&
                  LLVMIsConstant(b->of[0]) && LLVMIsNull(b->of[0]);
  return is_first ? step : LLVMBuildNSWAdd(b->g->builder, b->of[0], step, b->name);
}

static void return_word(const Built *b) {
  if (b->p->leaves.result)
    *b->p->leaves.result = b->of[0];
  else
    LLVMBuildRet(b->g->builder, b->of[0]);
}

static LLVMTypeRef word_type(const Built *b) {
  return b_integer(b->g, plan_element_bits((rsh_dtype)b->node->index));
}

static LLVMValueRef apply(const Built *b) {
  return step_build(b->g, b->k->plan->graph, b->node->step, b->of[0],
                    b_as(b->g, b->g->word, b->of[1]), b->node->n);
}

// ---- build_<ID> of code_ops.def: the value of a node, or a statement ----

#define BUILD(id, value)                                                                           \
  static LLVMValueRef build_##id(const Built *b) { return value; }

#define DO(id, statement)                                                                          \
  static LLVMValueRef build_##id(const Built *b) {                                                 \
    statement;                                                                                     \
    return NULL;                                                                                   \
  }

#define BUILDER b->g->builder
BUILD(INTEGER, b_long(b->g, b->node->n))
#define build_LITERAL build_INTEGER
BUILD(TRUTH, b_const(b->g->i1, b->node->n != 0))
BUILD(SIZE, kernel_parameter(b->k, PARAMETER_SIZE, (int)b->node->n))
BUILD(MISSING,
      LLVMBuildIsNull(BUILDER, LLVMGetParam(b->g->function, (unsigned)b->node->n), "missing"))
BUILD(MAGNITUDE, b->of[0])
BUILD(FITTED, b->of[0])
BUILD(TIMES, build_times(b->g, b->of[0], b->of[1], b->past, b->is_checked))
BUILD(PLUS, build_plus(b->g, b->of[0], b->of[1], b->past, b->is_checked))
BUILD(MINUS, build_minus(b->g, b->of[0], b->of[1], b->past, b->is_checked))
BUILD(PAST, b->p->past[b->node->operand[0]])
BUILD(QUOTIENT, number_divide(b->g, b->of[0], b->of[1]))
BUILD(REMAINDER, number_remainder(b->g, b->of[0], b->of[1]))
BUILD(ADD, LLVMBuildAdd(BUILDER, b->of[0], b->of[1], b->name))
BUILD(EQUAL, build_comparison(b, LLVMIntEQ, LLVMIntEQ))
BUILD(UNEQUAL, build_comparison(b, LLVMIntNE, LLVMIntNE))
BUILD(LESS, build_comparison(b, LLVMIntSLT, LLVMIntULT))
BUILD(AT_MOST, build_comparison(b, LLVMIntSLE, LLVMIntULE))
BUILD(MORE, build_comparison(b, LLVMIntSGT, LLVMIntUGT))
BUILD(AT_LEAST, build_comparison(b, LLVMIntSGE, LLVMIntUGE))
BUILD(SELECT, LLVMBuildSelect(BUILDER, b->of[0], b->of[1], b->of[2], b->name))
#define build_CHOOSE build_SELECT
BUILD(NOT, LLVMBuildNot(BUILDER, b->of[0], "not"))
BUILD(AND, LLVMBuildAnd(BUILDER, b->of[0], b->of[1], "and"))
BUILD(OR, LLVMBuildOr(BUILDER, b->of[0], b->of[1], "or"))
BUILD(EXTENT, kernel_number(b->k, code_number_of(b->node)))
BUILD(ARGUMENT, LLVMGetLastParam(b->g->function))
BUILD(ENTRY, list_entry(b->p, b->node, b->of[0]))
BUILD(SUB, LLVMBuildSub(BUILDER, b->of[0], b->of[1], b->name))
BUILD(MUL, LLVMBuildMul(BUILDER, b->of[0], b->of[1], b->name))
#define build_DIV build_QUOTIENT
#define build_MOD build_REMAINDER
BUILD(MINIMUM, pick(b->g, LLVMIntSLT, b->of[0], b->of[1]))
BUILD(MAXIMUM, pick(b->g, LLVMIntSGT, b->of[0], b->of[1]))
BUILD(UNITS, build_units(b->g, b->of[0], b->node->n))
BUILD(PART, build_part(b->g, b->of[0], b->of[1], b->of[2]))
BUILD(DIVISOR, pick(b->g, LLVMIntSGT, b->of[0], b_int(b->g, 1)))
BUILD(ADVANCE,
      LLVMBuildAdd(BUILDER, b->of[0], LLVMBuildMul(BUILDER, b->of[1], b->of[2], "step"), b->name))
BUILD(WHOLE, number_divide(b->g, b->of[0], b_int(b->g, b->node->n)))
BUILD(FURTHER, build_further(b))
BUILD(START, b->p->leaves.start[b->node->n])
BUILD(APART, LLVMBuildICmp(BUILDER, LLVMIntNE, b->of[0], b->of[1], "apart"))
BUILD(POSITIVE, LLVMBuildICmp(BUILDER, LLVMIntSGT, b->of[0], b_int(b->g, 0), "some"))
BUILD(REST, number_rest(b->g, b->of[0], b_int(b->g, b->node->n)))
#define TYPE (rsh_dtype) b->node->index
#define IN_WORD(n) b_const(LLVMTypeOf(b->of[0]), n)
BUILD(TAKE, element_take(b->k, (int)b->node->n, TYPE, b->of[0], b->of[1]))
DO(PUT, element_put(b->g, TYPE, b->of[0], b->of[1], b->of[2], b->p->leaves.align))
BUILD(FILL, element_fill(b->g, &b->k->plan->graph->fill.item[-1 - b->node->n]))
BUILD(STAGED, element_staged(b->k, (int)b->node->n, TYPE, b->of[0]))
BUILD(GIVEN, b->p->leaves.word_given)
BUILD(APPLY, apply(b))
DO(RETURN_WORD, return_word(b))
BUILD(BITS, b_const(word_type(b), b->node->n))
BUILD(WORD_OF, b_as(b->g, word_type(b), b->of[0]))
BUILD(SHIFTED, b->node->n > 0 ? LLVMBuildShl(BUILDER, b->of[0], IN_WORD(b->node->n), b->name)
                              : LLVMBuildLShr(BUILDER, b->of[0], IN_WORD(-b->node->n), b->name))
BUILD(DOWN_BY, LLVMBuildLShr(BUILDER, b->of[0], b_as(b->g, word_type(b), b->of[1]), b->name))
BUILD(LOW,
      LLVMBuildAnd(BUILDER, b->of[0], IN_WORD((int64_t)((UINT64_C(1) << b->node->n) - 1)), b->name))
BUILD(EITHER, LLVMBuildOr(BUILDER, b->of[0], b->of[1], b->name))
BUILD(LOW_BITS, build_low_bits(b->g, b->of[0]))
BUILD(BOTH, LLVMBuildAnd(BUILDER, b->of[0], b->of[1], b->name))
BUILD(FLOAT, build_float(b->p, b->node))
#define MACHINE b->k->arena, &b->g->can.element
BUILD(NUMBER_OF, element_build(b->g, element_to_number(MACHINE, (rsh_dtype)b->node->n), b->of))
BUILD(ELEMENT_OF, element_build(b->g, element_of_number(MACHINE, (rsh_dtype)b->node->n), b->of))
BUILD(F_ADD, LLVMBuildFAdd(BUILDER, b->of[0], b->of[1], b->name))
BUILD(F_SUB, LLVMBuildFSub(BUILDER, b->of[0], b->of[1], b->name))
BUILD(F_DIV, LLVMBuildFDiv(BUILDER, b->of[0], b->of[1], b->name))
BUILD(F_MORE, LLVMBuildFCmp(BUILDER, LLVMRealOGT, b->of[0], b->of[1], b->name))
#define build_F_CHOOSE build_SELECT
BUILD(POWER, element_build(b->g, element_power(MACHINE, b->p->code->is_double), b->of))
BUILD(CARRY, build_carry(b->p, b->node, b->of[0]))
DO(SET, build_set(b->p, b->node->operand[0], b->of[1]))
BUILD(BUFFER, b->p->leaves.buffer)
BUILD(STEP, b_step(b->g, b->of[0], b_scale(b->g, b->of[1], b->of[2], "offset"), "at"))
#define build_WALK build_CARRY
DO(GO, build_go(b->p, b->node->operand[0], b_scale(b->g, b->of[1], b->of[2], "offset")))
BUILD(LOAD, b_load(b->g, b->p->leaves.word, b->of[0], b->p->leaves.align, b->name))
BUILD(SOURCE, build_source(b->p, (int)b->node->n))
BUILD(READ, build_read(b->g, (rsh_dtype)b->node->n, b->of[0], b->of[1]))
BUILD(LENGTH, LLVMBuildZExtOrBitCast(BUILDER, b->of[0], b->g->i64, b->name))
BUILD(AMOUNT, b_as(b->g, b->g->index, b->of[0]))
BUILD(FOR, open_for(b->p, b->of[0], b->node, b->name))
BUILD(LOOP, open_loop(b->p, b->of[0], b->name))
DO(MEET, build_meet(b->p, b->of[0], b->of[1]))
DO(STORE, b_store(b->g, b->of[1], b->of[0], b->p->leaves.align))
DO(COPY, b->p->leaves.copy(b->k, b->p->leaves.run, 0, (Cursor){.at = b->of[1]}, b->of[0]))
DO(MOVE, b->p->leaves.move(b->k, b->node, &b->p->leaves))
DO(INSIDE, b->p->leaves.inside(b->k, &b->p->leaves, b->of[0], b->of[1]))
DO(PERMUTE, b->p->leaves.permute(b->k, &b->p->leaves))
DO(SLIDE, b->p->leaves.slide(b->k, &b->p->leaves))
DO(SHIFT, b->p->leaves.shift(b->k, *b->node->nest, b->node->n != 0, b->of[0], b->of[1]))
DO(IF, open_if(b->p, b->of[0], b->node->n != 0))
DO(ELSE, b_fork_else(b->g, &b->p->open.item[b->p->open.count - 1].fork))
DO(BREAK, build_break(b->p, b->of[0]))
DO(NEXT, close_block(b->p, b->of[0]))
#define build_END build_NEXT
DO(RETURN, return_place(b, b->of[0], b->of[1]))
DO(RETURN_FOUND, build_return_found(b))
DO(RETURN_VARIANT, build_return_variant(b))
DO(RETURN_COUNT, LLVMBuildRet(BUILDER, LLVMBuildTrunc(BUILDER, b->of[0], b->g->i32, "tasks")))
DO(DO_OUTPUT, b->p->leaves.work(b->k, b->p->leaves.split, b->node, b->of[0], b->of[1]))
#define build_DO_NEST build_DO_OUTPUT
#define build_DO_PART build_DO_OUTPUT
DO(FAIL, build_fail(b->p, b->of[0], (rsh_status)b->node->n))
DO(STORE_SIZE, build_store_size(b->k, b->of[0], (int)b->node->n, b->node->index))
DO(GIVE, b->p->leaves.program(b->k, b->p->leaves.fields, b->node))
#define build_RETURN_PROGRAM build_GIVE

static LLVMValueRef build_node(Printer *p, int i) {
  static LLVMValueRef (*const build[CODE_OP_COUNT])(const Built *) = {
#define CODE_OP(id, result, a, b, c, text) [CODE_##id] = build_##id,
#include "codegen/code/code_ops.def"
#undef CODE_OP
  };
  const CodeNode *node = &p->code->node.item[i];
  Built b = {p,      p->k,        p->k->g,         node, node->text ? node->text : "number",
             {NULL}, &p->past[i], p->is_checked[i]};
  for (int o = 0; o < 3 && node->operand[o] != CODE_NONE; o++)
    b.of[o] = p->value[node->operand[o]];
  return build[node->op](&b);
}

static Printer print(Kernel *k, const Code *code, CodeLeaves leaves) {
  const int *uses = code_uses(code, true);
  bool *is_checked = ARENA_ARRAY(k->arena, bool, code->node.count + 1);
  for (int i = 0; i < code->node.count; i++)
    if (code->node.item[i].op == CODE_PAST && uses[i] > 0)
      is_checked[code->node.item[i].operand[0]] = true;
  Printer p = {.k = k, .code = code, .uses = uses, .is_checked = is_checked, .leaves = leaves};
  p.steps = steps(&p);
  p.value = ARENA_ARRAY(k->arena, LLVMValueRef, code->node.count + 1);
  p.past = ARENA_ARRAY(k->arena, LLVMValueRef, code->node.count + 1);
  for (int i = 0; i < code->node.count; i++)
    if (uses[i] > 0 || code_is_statement(code->node.item[i].op))
      p.value[i] = build_node(&p, i);
  return p;
}

void kernel_build_code(Kernel *k, const Code *code, CodeLeaves leaves) { print(k, code, leaves); }

void kernel_build_entry(Kernel *k, EntryPoint entry, bool is_variant,
                        const LLVMValueRef *variants) {
  int pointer = (int)LLVMGetIntTypeWidth(k->g->word);
  const Code *code = code_entry(k->arena, k->plan, entry, is_variant, pointer);
  Printer p = print(k, code, (CodeLeaves){.variants = variants});
  for (int i = 0; i < code->symbol_count; i++)
    k->symbol[i] = p.value[code->symbol[i]];
  k->entry = LLVMGetInsertBlock(k->g->builder);
}
