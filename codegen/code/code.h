// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// code: the intermediate representation of a function, between the plan and its two printers, LLVM and C. Values and
// statements are listed in execution order, each after its operands:
//
//   f32[B, S], B*S must be countable        %1 = size B
//                                           %2 = magnitude %1
//                                           ...
//                                           %5 = times %2, %4
//                                           %6 = past %5
//                                           fail %6, overflow
//
// Each number, count or bit is computed once, and a condition that an earlier `fail` rules out is not checked again.
// Indices, addresses and words are computed where they are listed.
#ifndef CODEGEN_CODE_H
#define CODEGEN_CODE_H

#include "codegen/plan/names.h"
#include "codegen/plan/split.h"
#include "frontend/text/hash.h"

typedef enum CodeType {
  CODE_NOTHING,
  CODE_NUMBER,
  CODE_COUNT,
  CODE_BIT,
  CODE_CHECKED, // of an operand: the result of TIMES, PLUS or MINUS
  CODE_ALIKE,   // of operands: all NUMBER, all COUNT or all INDEX
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

typedef int CodeValue; // index into Code.node; CODE_NONE: no value
enum { CODE_NONE = -1 };

typedef struct CodeNode {
  CodeOp op;
  CodeValue operand[3]; // the operands of the op, then CODE_NONE
  int64_t n;            // see code_ops.def
  int index;
  const int64_t *list;     // of ENTRY and GIVE
  const Nest *const *nest; // of MOVE and SHIFT
  const rsh_step *step;    // of APPLY
  const char *text;        // the name of a value, the condition of a FAIL, or NULL
  bool is_ruled_out;       // of a bit: it is false here because of an earlier `fail`
} CodeNode;

typedef struct Code {
  Arena *arena;
  const Plan *plan;
  const Signature *signature;
  int pointer; // bits of a pointer of the target
  VEC(CodeNode) node;
  struct CodeKey *made;
  CodeValue symbol[RSH_MAX_SYMBOLS]; // the value of each size of the graph
  int symbol_count;                  // the symbols computed so far
  bool is_double;                    // REAL has 64 bits, not 32
  bool is_checked;                   // overflow of an edge is a failure
} Code;

// The checks of a function with sizes as arguments, and its calls of variants. Code after it may write to memory.
// `is_variant`: the caller has made all checks except that of the scratch buffer.
Code *code_entry(Arena *arena, const Plan *plan, EntryPoint entry, bool is_variant, int pointer);

// An in-place permutation, in words of `width` bytes; addresses and extents count units of `unit` bytes. `divides`: the
// target has a division instruction. `passed`: BUFFER is the end of the buffer, this many units after its start.
Code *code_cycles(Arena *arena, const Plan *plan, const Cycles *cycles, int64_t width, int64_t unit,
                  int64_t passed, bool divides);

// Moves within the memory of an input. Addresses of runs count units of `run_unit` bytes; addresses of elements count
// bytes, or if `in_elements`, elements of C arrays.
Code *code_slides(Arena *arena, const Plan *plan, const Slides *slides, int64_t run_unit,
                  bool in_elements);

// The function of a staged value: maps an address in the value to its element. Addresses count bytes or, if
// `in_elements`, elements of C arrays.
Code *code_stage(Arena *arena, const Plan *plan, const Stage *stage, bool in_elements);
// The element that a nest by element reads at `src` of its source, after its chain of steps, whose tables are indexed
// by `at`. `in_elements`: see code_stage.
CodeValue code_element(Code *code, const Nest *nest, CodeValue src, CodeValue at, bool in_elements);
// Only the chain of steps, for a GIVEN element that uses the first entry of each table.
Code *code_steps(Arena *arena, const Plan *plan, const Nest *nest);

// Loops begin to end-1 of a nest with the body of the innermost one. The body is INSIDE if there are further loops or
// the nest is not by element. Addresses count units of `dst_unit` and `src_unit` bytes.
typedef struct CodeLoops {
  int begin, end;
  int64_t dst_unit, src_unit;
  bool in_elements; // as for code_stage
  bool groups;      // the last loop iterates over whole bytes of packed elements (nest_group)
  int64_t planes;   // the innermost loop is unrolled to this many copies of the body; 0: it is not
} CodeLoops;
enum { CODE_DST, CODE_SRC, CODE_AT }; // START of these loops
Code *code_loops(Arena *arena, const Plan *plan, const Nest *nest, CodeLoops how);

// The input that holds the elements of a staged value with a table, and is BUFFER; NULL: the value has nests.
const Value *stage_listed(const Stage *stage);

// Copies the elements that a tensor of indices picks; addresses count units of `unit` bytes. Indices in kept values are
// checked first.
void code_picks(Code *code, const Pass *pass, int64_t unit);
// Checks the indices of these picks; `is_entry`: in a function with sizes as arguments.
void code_check_indices(Code *code, const Picks *picks, bool is_entry);

// Nests begin to end-1 of an output, each guarded by a test that it has elements. After the last nest, the unused bits
// of the last byte are zeroed.
typedef struct CodePart {
  int begin, end;
  bool small; // plan_prefill is written first
  bool joins; // adjacent nests with the same outermost loop are one MOVE
  bool overs; // elements computed in place have separate MOVEs
} CodePart;
Code *code_nests(Arena *arena, const Plan *plan, const Nest *nest, int count);
Code *code_part(Arena *arena, const Plan *plan, const OutputPlan *out, CodePart part);
// All of an output. Its memory may be that of its source if it is an alias or computed in place. Addresses count units
// of `unit` bytes.
Code *code_output(Arena *arena, const Plan *plan, const OutputPlan *out, CodePart part,
                  int64_t unit);

// The table of the places of a nest. Each row has the offsets of a place in source and destination, then extent, dst
// and src of each of its loops, in these units. Offsets in the destination at equal distances have no column:
//
//   rows 3, 0 and 7 of 5 bytes     15, 0, 35; the destination is 5*i
typedef struct CodePlaces {
  const int64_t *number;
  int width; // numbers per row
  int64_t dst,
      step; // place i is at dst + i*step in the destination; step 0: at the second number of the row
} CodePlaces;
CodePlaces code_places(Arena *arena, const NestPlaces *places, int64_t src_unit, int64_t dst_unit);
// The bits of the narrowest type for entries of a table, at least 32 if one is negative.
int code_entry_bits(const int64_t *number, int64_t count, bool *is_signed);

// Softmax of the rows of a pass, in place; addresses count units of `unit` bytes.
void code_rows(Code *code, const Pass *pass, int64_t unit);

// Nests begin to end-1 of a pass and, after the last one, its picks and rows; addresses count units of `unit` bytes.
Code *code_pass(Arena *arena, const Plan *plan, const Pass *pass, int64_t unit, int begin, int end);

// The work of task ARGUMENT, and the number of tasks: `tasks`, or if that is 0, a number that depends on sizes.
Code *code_task(Arena *arena, const Plan *plan, const Split *split, int64_t tasks);
Code *code_task_count(Arena *arena, const Plan *plan, const Split *split, int64_t tasks);

// NAME or NAME_shape of a dynamic graph.
Code *code_dynamic(Arena *arena, const Plan *plan, bool is_shape);

// The output of --dump=code, without unused values.
void code_print(const Code *code, FILE *out);
// Checks the invariants of code_ops.def: operands are computed before their users, in a block that is still open, and
// have the right type; each block has its own kind of end. Returns NULL or the fault.
const char *code_verify(const Code *code);

// The number of the plan that an EXTENT holds.
static inline rsh_num code_number_of(const CodeNode *extent) {
  return (rsh_num){extent->n, extent->index};
}

CodeType code_type(CodeOp op);
// Whether it is printed even if its result is unused.
bool code_is_statement(CodeOp op);
// For each node, the number of users that are needed, directly or indirectly, by statements or, with `keeps_sizes`, by
// Code.symbol.
int *code_uses(const Code *code, bool keeps_sizes);

// ---- for the builders

Code *code_new(Arena *arena, const Plan *plan);

CodeValue code_add(Code *code, CodeOp op, CodeValue a, CodeValue b, CodeValue c, int64_t n);
CodeValue code_integer(Code *code, int64_t n);
CodeValue code_literal(Code *code, uint64_t n);
CodeValue code_named(Code *code, CodeValue value, const char *name);

// Like code_add, but these fold results that constants and bounds of sizes determine.
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
// A position on an axis; a negative one counts from the end.
CodeValue code_from_end(Code *code, CodeValue place, CodeValue size);
// CODE_NONE is false.
CodeValue code_not(Code *code, CodeValue a);
CodeValue code_and(Code *code, CodeValue a, CodeValue b);
CodeValue code_or(Code *code, CodeValue a, CodeValue b);

// Fails if `bad` is true. `text`: the violated condition, for a comment in C, or NULL.
void code_fail(Code *code, CodeValue bad, rsh_status status, const char *text);

// Indices and addresses.
CodeValue code_extent(Code *code, rsh_num n);
CodeValue code_index(Code *code, int64_t n);
CodeValue code_source(Code *code, int id);
// A FOR with step 1.
CodeValue code_for(Code *code, CodeValue count);
CodeValue code_leaf(Code *code, CodeOp op);
CodeValue code_unary(Code *code, CodeOp op, CodeValue a);
CodeValue code_binary(Code *code, CodeOp op, CodeValue a, CodeValue b);
// `op` is ADVANCE, FURTHER or STEP.
CodeValue code_advance(Code *code, CodeOp op, CodeValue from, CodeValue index, rsh_num stride);
// A FURTHER; `from` itself if the stride is 0.
CodeValue code_further(Code *code, CodeValue from, CodeValue index, rsh_num stride);
// any && n > 0, where CODE_NONE is true. Tests whether there is any work.
CodeValue code_also_some(Code *code, CodeValue any, rsh_num n);
// Entry `index` of a list of `count` numbers; `name` is its name in C.
CodeValue code_entry_of(Code *code, const int64_t *list, int64_t count, CodeValue index,
                        const char *name);
// n / unit; unit divides n.
rsh_num code_divided(rsh_num n, int64_t unit);

// Frees the builder's memory outside the arena.
void code_free(Code *code);
// Verifies the code and calls code_free. A fault of the builder aborts the program.
void code_end(Code *code);

// Computes a polynomial over atoms or, if `is_raw`, over the symbols themselves. *bad becomes true on overflow.
CodeValue code_number(Code *code, rsh_num n, bool is_raw, CodeValue *bad);
// Computes the first `count` symbols into Code.symbol.
void code_symbols(Code *code, int count);

#endif
