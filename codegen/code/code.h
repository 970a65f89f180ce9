// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// code: a function as data, between the plan and its two printers, LLVM and C. Values and statements are listed in
// execution order, each after its operands:
//
//   f32[B, S], B*S must be countable        %1 = size B
//                                           %2 = magnitude %1
//                                           ...
//                                           %5 = times %2, %4
//                                           %6 = past %5
//                                           fail %6, overflow
//
// Each number, count or bit is computed once, and a condition that an earlier `fail` rules out is not checked again.
// Indexes, addresses and words are computed where they are listed.
#ifndef CODEGEN_CODE_H
#define CODEGEN_CODE_H

#include "codegen/plan/split.h"
#include "frontend/text/hash.h"

typedef enum CodeType {
  CODE_NOTHING,
  CODE_NUMBER,
  CODE_COUNT,
  CODE_BIT,
  CODE_CHECKED, // of an operand: TIMES, PLUS or MINUS
  CODE_ALIKE,   // of operands: a number, a count or an index, both the same
  CODE_INDEX,
  CODE_ADDRESS,
  CODE_WORD,
  CODE_REAL
} CodeType;

typedef enum CodeOp {
#define CODE_OP(id, result, a, b, c, text) CODE_##id,
#include "codegen/code/code_ops.def"
#undef CODE_OP
  CODE_OP_COUNT
} CodeOp;

typedef int CodeValue; // index in Code.node; CODE_NONE: no value
enum { CODE_NONE = -1 };

typedef struct CodeNode {
  CodeOp op;
  CodeValue operand[3]; // as many as the op has, then CODE_NONE
  int64_t n;            // see code_ops.def
  int index;
  const int64_t *list;     // of ENTRY and GIVE
  const Nest *const *nest; // of MOVE
  const rsh_step *step;    // of APPLY
  const char *text;        // of a value: what to call it, or NULL
  bool is_ruled_out;       // of a bit: it is false here, as an earlier `fail` rules it out
} CodeNode;

// What a function is for.
typedef enum CodeRole {
  CODE_WORK,  // NAME
  CODE_TASK,  // NAME_task
  CODE_SHAPE, // NAME_shape
  CODE_TASKS, // NAME_tasks, which needs only the sizes
  CODE_SIZES  // likewise; it leaves variants alone
} CodeRole;

typedef struct Code {
  Arena *arena;
  const Plan *plan;
  const Signature *signature;
  int pointer; // bits of the target's
  VEC(CodeNode) node;
  struct CodeKey *made;
  CodeValue symbol[RSH_MAX_SYMBOLS]; // the value of each size of the graph
  int symbol_count;                  // number of these
  bool is_double;                    // its floats have 64 bits
  bool is_checked;                   // edges that do not fit are refused
} Code;

// The checks of a function with sizes as arguments, and its calls of variants. Code after it may write.
// `is_variant`: the caller has made all checks except that of the scratch buffer.
Code *code_entry(Arena *arena, const Plan *plan, CodeRole role, bool is_variant, int pointer);

// A permutation in place, in words of `width` bytes; addresses and extents count units of `unit` bytes. `divides`: the target
// has an instruction for it.
Code *code_cycles(Arena *arena, const Plan *plan, const Cycles *cycles, int64_t width, int64_t unit,
                  bool divides);

// The function of a staged value: from an address in the value to its element. Addresses are in bytes or, `in_elements`,
// indexes of C arrays.
Code *code_stage(Arena *arena, const Plan *plan, const Stage *stage, bool in_elements);
// What a nest by element reads at `src` of its source, after its chain, whose tables are entered at `at`. `in_elements`: see
// code_stage.
CodeValue code_element(Code *code, const Nest *nest, CodeValue src, CodeValue at, bool in_elements);
// The chain alone, of an element that is GIVEN and meets the first entries.
Code *code_steps(Arena *arena, const Plan *plan, const Nest *nest);

// Loops begin to end-1 of a nest, and inside of them what a turn does; what is not by element, or has further loops, is
// INSIDE. Addresses count such units.
typedef struct CodeLoops {
  int begin, end;
  int64_t dst_unit, src_unit;
  bool in_elements; // as for code_stage
  bool groups;      // by whole bytes of packed elements (nest_group)
  int64_t
      planes; // so many turns of the innermost loop one after the other; 0: it has no part in it
} CodeLoops;
enum { CODE_DST, CODE_SRC, CODE_AT }; // START of these loops
Code *code_loops(Arena *arena, const Plan *plan, const Nest *nest, CodeLoops how);

// For a staged value with a table, the input that holds its elements, which is the BUFFER; NULL: it has nests.
const Value *stage_listed(const Stage *stage);

// What a tensor of indices picks: addresses count units of `unit` bytes. Indices that are kept are checked first.
void code_picks(Code *code, const Pass *pass, int64_t unit);
// The check of its indices; `is_entry`: in a function with sizes as arguments.
void code_check_indices(Code *code, const Picks *picks, bool is_entry);

// Nests, each where it has elements, and `part` of those of an output: begin to end-1. Behind the last one the bits that no
// element has are zeroed.
typedef struct CodePart {
  int begin, end;
  bool small; // a ground is laid first (plan_ground)
  bool joins; // neighbours of one outermost loop are one MOVE
  bool overs; // what is computed in place has MOVEs of its own
} CodePart;
Code *code_nests(Arena *arena, const Plan *plan, const Nest *nest, int count);
Code *code_part(Arena *arena, const Plan *plan, const OutputPlan *out, CodePart part);
// All of an output, whose memory may be that of its source where it is an alias or computed in place; addresses count units of
// `unit` bytes.
Code *code_output(Arena *arena, const Plan *plan, const OutputPlan *out, CodePart part,
                  int64_t unit);

// The table of the places of a nest: for each a row of its offsets in the source and in the destination, then extent, dst and
// src of each of its loops, in such units. `width`: numbers of a row.
const int64_t *code_places(Arena *arena, const NestPlaces *places, int64_t src_unit,
                           int64_t dst_unit, int *width);

// Softmax of the rows of a pass, in place; addresses count units of `unit` bytes.
void code_rows(Code *code, const Pass *pass, int64_t unit);

// Nests begin to end-1 of a pass, and behind the last one what is picked and the rows; addresses count units of `unit` bytes.
Code *code_pass(Arena *arena, const Plan *plan, const Pass *pass, int64_t unit, int begin, int end);

// The work of task ARGUMENT, and the number of tasks: `tasks`, or if that is 0, as many as the sizes are worth.
Code *code_task(Arena *arena, const Plan *plan, const Split *split, int64_t tasks);
Code *code_task_count(Arena *arena, const Plan *plan, const Split *split, int64_t tasks);

// NAME or NAME_shape of a dynamic graph.
Code *code_dynamic(Arena *arena, const Plan *plan, bool is_shape);

// --dump=code. Values without users are left out.
void code_print(const Code *code, FILE *out);
// The invariants of code_ops.def: operands are computed before their users, in a block that is still open, and have the
// right type; blocks are closed by their kind of end. NULL, or what is wrong.
const char *code_verify(const Code *code);

// The number of the plan that an EXTENT is.
static inline rsh_num code_number_of(const CodeNode *extent) {
  return (rsh_num){extent->n, extent->index};
}

CodeType code_type(CodeOp op);
// Whether it is printed even if its value has no users.
bool code_is_statement(CodeOp op);
// For each node, the number of users that statements or, with `keeps_sizes`, Code.symbol need directly or indirectly.
int *code_uses(const Code *code, bool keeps_sizes);

// ---- for the builders

Code *code_new(Arena *arena, const Plan *plan);

CodeValue code_add(Code *code, CodeOp op, CodeValue a, CodeValue b, CodeValue c, int64_t n);
CodeValue code_integer(Code *code, int64_t n);
CodeValue code_literal(Code *code, uint64_t n);
CodeValue code_named(Code *code, CodeValue value, const char *name);

// As code_add, but folds what constants and bounds of sizes decide.
CodeValue code_times(Code *code, CodeValue a, CodeValue b);
CodeValue code_plus(Code *code, CodeValue a, CodeValue b);
CodeValue code_minus(Code *code, CodeValue a, CodeValue b);
CodeValue code_past(Code *code, CodeValue value);
CodeValue code_magnitude(Code *code, CodeValue number);
CodeValue code_fitted(Code *code, CodeValue count);
CodeValue code_quotient(Code *code, CodeValue n, int64_t by);
CodeValue code_compare(Code *code, CodeOp op, CodeValue a, CodeValue b);
CodeValue code_above(Code *code, CodeValue a, int64_t limit);
CodeValue code_choose(Code *code, CodeValue test, CodeValue yes, CodeValue no);
// A place on an axis, where one below 0 counts from the end.
CodeValue code_from_end(Code *code, CodeValue place, CodeValue size);
// CODE_NONE is false.
CodeValue code_not(Code *code, CodeValue a);
CodeValue code_and(Code *code, CodeValue a, CodeValue b);
CodeValue code_or(Code *code, CodeValue a, CodeValue b);

// `text`: the condition that does not hold, as a comment for C; or NULL.
void code_fail(Code *code, CodeValue bad, rsh_status status, const char *text);

// Indexes and addresses.
CodeValue code_extent(Code *code, rsh_num n);
CodeValue code_index(Code *code, int64_t n);
CodeValue code_source(Code *code, int id);
// A FOR in steps of 1.
CodeValue code_for(Code *code, CodeValue count);
CodeValue code_leaf(Code *code, CodeOp op);
CodeValue code_unary(Code *code, CodeOp op, CodeValue a);
CodeValue code_binary(Code *code, CodeOp op, CodeValue a, CodeValue b);
// `op` is ADVANCE or STEP.
CodeValue code_advance(Code *code, CodeOp op, CodeValue from, CodeValue index, rsh_num stride);
// any && n > 0, as a test for work of n parts. CODE_NONE stands for true.
CodeValue code_also_some(Code *code, CodeValue any, rsh_num n);
// An entry of a list of `count` numbers; C calls the value `name`.
CodeValue code_entry_of(Code *code, const int64_t *list, int64_t count, CodeValue index,
                        const char *name);
// n / unit; unit divides n.
rsh_num code_divided(rsh_num n, int64_t unit);

// Frees the memory for building that is not in the arena.
void code_free(Code *code);
// Verifies the code and frees that memory. A fault of the builder aborts the program.
void code_end(Code *code);

// Computes a polynomial over atoms or, if `is_raw`, over the symbols themselves. *bad becomes true also if it does not
// fit.
CodeValue code_number(Code *code, rsh_num n, bool is_raw, CodeValue *bad);
// Computes the first `count` symbols into Code.symbol.
void code_symbols(Code *code, int count);

#endif
