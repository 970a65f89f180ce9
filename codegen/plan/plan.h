// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// plan: how each output is computed, as data. The planner makes all decisions; emitters only print plans.
#ifndef CODEGEN_PLAN_H
#define CODEGEN_PLAN_H

#include "codegen/plan/nest.h"
#include "codegen/plan/processor.h"
#include "codegen/plan/signature.h"
#include "codegen/plan/tape.h"

typedef enum Tier { TIER_ALIAS, TIER_STATIC, TIER_SYMBOLIC, TIER_DYNAMIC } Tier;

const char *tier_name(Tier tier); // "alias" "static" "symbolic" "dynamic"

// A number of bytes, times powers of sizes: 4*C. Bytes of a staged value at multiples of the row are contiguous in an
// input, or belong to one constant.
typedef struct StageRow {
  int64_t bytes; // 0: any number
  uint8_t power[RSH_MAX_SYMBOLS];
} StageRow;

// How the elements of a staged value are found: by its nests, read backwards. Byte address a of the
// value is in exactly one nest, and the nest's loops are digits of a - dst_offset:
//
//   loops {3, dst 8} {2, dst 4}, run 4     a - dst_offset = 8*i + 4*j + rest, rest < 4
//
// Loops are in descending order of dst, and the span of the inner loops is below the dst of the outer
// one. A value with a table (Value.table) needs no nests: element i is element table[i] of an input.
typedef struct Stage {
  const Value *value;
  Nest *nest;
  int nest_count;
  bool is_computed; // its elements are not elements of an input
  StageRow row;
  bool has_fill;      // some elements are constants, also in stages that it reads
  int64_t fill_bytes; // length of these constants in memory; below an element: one element
  bool
      finds_parts; // a lookup also finds how much from its address on is contiguous (nest_is_in_parts)
} Stage;

// The elements that a tensor of indices picks. For each iteration of the loops, a tuple has an index for each of some
// axes of the data; the loops and the tuple select a run.
//
//   w: f32[50, 8], i: i64[3]    gather(w, i)    {3, dst 32, src 0, at 1}, axis of 50 by 32, run 32
typedef struct Picks {
  Location from, by;
  rsh_num offset; // of the data, in bytes
  Loop *loop;     // outermost first; `at`: from one tuple to the next, in indices
  int loop_count;
  int axis_count;                                   // numbers in a tuple
  rsh_num size[RSH_MAX_RANK], stride[RSH_MAX_RANK]; // of these axes; strides in bytes
  rsh_num count;                                    // of tuples that are read
  Nest run;                                         // without loops
} Picks;

// A kept value: nests move the operand to its memory, then its operator (Value.node) works on each row
// in place. Kernels execute their passes in order, then their outputs:
//
//   softmax(transpose(x))            the pass works in the output; no further nest is needed
//   transpose(softmax(x))            it works in scratch memory, and a nest moves the output from there
//   relu(softmax(x))                 it works in the output, whose elements then change in place
typedef struct Pass {
  const Value *value;
  int output; // it is in the memory of this output; below 0: in the scratch buffer,
  rsh_num at; // from this byte on
  rsh_num bytes;
  // The pass that leaves the operand there, so that nothing moves; else NULL.
  const struct Pass *reuses;
  Nest *nest; // none if nothing moves, or no elements do
  int nest_count;
  rsh_num rows, length; // number of rows, and elements per row
  const Picks *picks;   // if a tensor of indices picks its elements: no nests; else NULL
  bool is_planned;      // false: it can be explained, but not emitted; `bytes` may be 0
  const char *why;      // one line for people: the moves that fill it
} Pass;

// Pieces whose order is reversed. Three reversals are a roll: of the pieces that move from the front of a batch to its
// end, of the others, and of all.
typedef struct Reversal {
  rsh_num begin, count;
} Reversal;

// A permutation of one buffer in place. In each batch, piece i of the result is the old piece whose number is the
// sum of the digits of i times their strides. Along a cycle, pieces move up by one, with the first one kept in a
// register, word by word.
//
//   f32[2, 3] transposed: piece i = 2*j + k is the old piece j + 3*k: one cycle (1 3 4 2); 0 and 5 stay
typedef struct Cycles {
  Loop *batch; // around it, in bytes; dst and src are the same
  int batch_count;
  Loop *
      digit; // extent, weight (dst) and stride (src), in pieces; the weights are in descending order
  int digit_count;
  rsh_num first;  // the old piece that becomes piece 0
  rsh_num count;  // pieces of a batch
  rsh_num piece;  // bytes
  int64_t cycles; // of more than one piece; below 0: they depend on sizes
  int64_t moved;  // pieces in these cycles
  bool swaps;     // no cycle is longer than two: pieces are swapped in pairs
  const int64_t *
      leader; // the lowest piece of each cycle; NULL: there are too many, the code searches for them
  const Reversal *reversal; // the three of a roll, which has no digits; NULL: it is not a roll
} Cycles;

// A move within the memory of an input; its loops run upward or downward, so strides on both sides may be negative.
typedef struct Slide {
  Nest nest;  // RUNS or ELEMENTS
  int shared; // outermost loops that it shares with the move before it
  bool is_up; // to higher addresses, so the last byte of a run comes first
} Slide;

// Moves within the memory of an input, in an order in which each element is read before it is overwritten; elements
// that stay are not moved. Then come the nests that read other memory.
typedef struct Slides {
  Slide *slide;
  int count;
} Slides;

// A placed input: its elements are already in an output's memory when the function is called, so nothing moves them.
// Element [i, j, ...] is element offset + i*stride[0] + j*stride[1] + ... of the output's memory.
typedef struct Placed {
  const Value *input;
  rsh_num offset;
  rsh_num stride[RSH_MAX_RANK]; // of each axis of the input
  const char *why;              // why it has no such strides, which is an error; NULL: it has them
} Placed;

typedef struct OutputPlan {
  const Output *output;
  Tier tier;
  const Value *source;   // ALIAS: the input; NULL for a value without elements
  rsh_num offset;        // first element of the source, if there is one move (as for every alias)
  const Value **sources; // inputs that are read, in order of the graph's parameters, then constants
  int source_count;
  // If the output is declared `inplace` and that is possible: the input whose memory it shares from element
  // `offset` on, and which nothing else reads. Else NULL.
  const Value *in_place;
  const Cycles *cycles; // in place: how elements are permuted, or how they are moved;
  const Slides *slides; // both NULL: each is computed from the element that it replaces
  const Pass **via;     // passes that come before, in order
  int via_count;
  // The first of the passes that work in the output's memory, or NULL.
  const Pass *own;
  const rsh_moves *
      moves; // in elements, as folded, without the moves of placed inputs; of `own` if that is not NULL
  Placed *placed; // inputs placed in it
  int placed_count;
  Nest *nest; // of the kernel (for an alias: the copy in its exported function);
              // blocking splits a move in two, so there may be more nests than moves
  int nest_count;
  const Nest
      *moved;     // one nest per move, before any is split or fitted to a machine (moves->count);
                  // NULL: an alias, or computed by passes
  uint64_t bytes; // of the output; 0 if its shape is unknown
  uint64_t bytes_moved; // written by the kernel's nests, passes included; 0 for an alias
  bool is_unplanned;    // no nests were found: it cannot be emitted
  const char *why;      // one line for people: which operators cancel, or which axes move
} OutputPlan;

typedef struct Plan {
  const Graph *graph;
  const Processor *processor;  // that it is optimized for
  Signature signature;         // of the graph's function
  Signature shape_signature;   // of NAME_shape, which exists if the function returns a status
  const struct Plan **variant; // of Graph.variant
  OutputPlan *output;
  int output_count;
  Stage *stage; // staged values that the nests read, each before its users
  int stage_count;
  int64_t part_bytes; // a constant of a stage ends at a multiple (nest_is_in_parts); 0: anywhere
  const Tape *tape; // of a dynamic graph: the program for the runtime; else NULL
  Pass *pass;       // of the values that outputs need, each before its users
  int pass_count;
  // Scratch memory that the kernel needs. Its function has a parameter for it if the graph or one of its
  // variants needs any, with the largest alignment among them.
  rsh_num scratch_bytes;
  uint32_t scratch_align; // 0: no parameter
  // An input or output with more bytes than a pointer difference of the target holds, and its name; or
  // NULL. Its shape is valid, so it is planned and explained, but plan_can_emit refuses it.
  const Value *too_large;
  const char *too_large_name;
  Span too_large_span;
} Plan;

// The variant for calls without empty dims. NULL: there is none.
const Plan *plan_nonempty(const Plan *plan);
// The storage of an element. A string is a pointer of the target.
int plan_element_bits(rsh_dtype type);
// The unsigned integer of this many bits, up to 64.
rsh_dtype plan_integer_type(int bits);
// The type of the units that moves to a value of this type count: that type, or an integer if elements have parts.
rsh_dtype plan_moved_type(const rsh_moves *moves, rsh_dtype type);
// The element type of a source, or the type that the stage of a staged value returns.
rsh_dtype plan_source_type(const Graph *graph, int source);
// The alignment that the header requires of a pointer: 4 for c64 (pairs of float), 8 for c128, 1 for packed
// types.
uint32_t plan_element_align(rsh_dtype type);
// The same for memory of one type whose elements move as another type: the alignment of the smaller one.
uint32_t plan_common_align(rsh_dtype a, rsh_dtype b);
// The same for the memory of an input or output, whose alignment may be declared.
uint32_t plan_input_align(const Value *input);
uint32_t plan_output_align(const Output *output);
// Converts elements to bytes. False: not a whole number of bytes, or it overflows.
//   3*B of i4: no.   4*B of i4: 2*B.
bool plan_to_bytes(rsh_num elements, rsh_dtype dtype, rsh_num *bytes);
// Whether all its sizes are known.
bool plan_is_known(const Value *value);
// Whether its elements use different entries of tables.
bool plan_nest_has_entries(const Nest *nest);
// How many entries its tables have in memory.
int64_t plan_nest_entries(const Graph *graph, const Nest *nest);
// Whether all numbers of a nest are known.
bool plan_nest_is_known(const Nest *nest);
// Bytes of a value of known sizes; 0 when they are too many to count (Plan.too_large).
uint64_t plan_value_bytes(const Value *value);

// Whether, for the sizes of variant `index`, the graph's own scratch memory is at least as large as the variant's.
bool plan_scratch_covers(const Plan *plan, int index);
// Whether n is above 0 for all values of the symbols.
bool plan_is_positive(const Plan *plan, rsh_num n);

// n / by rounded up, for any n >= 0.
//   9223372036854775807 in parts of 64: 144115188075855872, where n + 63 overflows
static inline int64_t plan_divide_up(int64_t n, int64_t by) { return n / by + (n % by > 0); }

// A block size of at most `most`, a multiple of `of`, such that all blocks of a loop are nearly equal.
//   72 in blocks of 64, by 16: 48, and 24 are left
int64_t plan_even_block(int64_t extent, int64_t most, int64_t of);

// Bytes of the vectors that transpose the tiles of a nest, on a target whose widest vectors have `widest` bytes.
int64_t plan_tile_vector(const Plan *plan, const Nest *nest, int64_t widest);

// Where elements move: "downward", "upward", "downward and upward", or "nowhere".
const char *plan_slides_text(const Slides *slides);
// The bytes that are written by moves within the input. False: they cannot be counted.
bool plan_slides_bytes(const Graph *graph, const Slides *slides, rsh_num *bytes);
// Whether the memory of an input is known to be large enough for an output.
bool plan_fits_input(const Graph *graph, const OutputPlan *out, const Value *input);

// A nest that fills a whole output with the constant of several of its nests. Small code runs it first and omits these
// nests. NULL: there is none.
const Nest *plan_prefill(Arena *arena, const OutputPlan *out);
// The copy of a whole input whose elements are swapped in pairs. Small code runs it if the output is in other memory,
// and then works in place in both cases. NULL: there is none.
const Nest *plan_whole(Arena *arena, const OutputPlan *out);

// The constant of a nest whose source is below 0, as a pattern of whole bytes. Returns their number.
int plan_fill(const Graph *graph, int source, uint8_t bytes[16]);

// Whether its operator works on the rows in place.
bool pass_is_rowwise(const Pass *pass);
// Whether indices are kept values, which only the kernel can check; it does so before it writes any output.
bool plan_checks_late(const Plan *plan);
bool picks_are_late(const Plan *plan, const Picks *picks);
// The pass of a kept value; NULL: it has none.
const Pass *plan_pass(const Plan *plan, int source);
// Whether a source is staged: its elements are found by lookup, not by stepping a pointer.
bool plan_is_staged(const Graph *graph, int source);
// The index of the stage of a source.
int plan_stage(const Plan *plan, int source);
// Whether the innermost loop of a nest copies short runs of known length part by part: as many as each lookup finds
// contiguous.
// `part`: the loop of which a task executes some iterations.
bool nest_is_in_parts(const Plan *plan, const Nest *nest, int part);
// The bytes of a constant in memory that a stage returns.
int64_t stage_fill_bytes(const Graph *graph, const Stage *stage, int source);
// As many of them as one lookup finds.
int64_t stage_fill_part(const Plan *plan, const Stage *stage, int source);
// The number of leading parameters that the functions of stages share with the graph's function: sizes and inputs. With
// passes: all, as a stage may read the memory of any parameter.
int plan_stage_parameters(const Plan *plan);
// The parameters of a function that executes some nests, which write to output `output` (below 0: to scratch memory):
// those of the graph, without inputs and outputs that these nests do not touch. All if they read staged values.
Signature plan_part_signature(Arena *arena, const Plan *plan, const Nest *nest, int count,
                              int output);
// Whether the kernel also reads this output: passes work in its memory, or nests change its elements in place.
bool plan_reads_output(const Plan *plan, int index);
// "softmax of 512 rows of 64", "softmax of 8*B rows of S"; "softmax of rows of S" if their number is unknown.
const char *plan_pass_text(Arena *arena, const Graph *graph, const Pass *pass);

// Whether elements have less than a byte. Then the kernel also reads bytes of the output, if elements are stored one
// by one or end in the middle of a byte.
bool plan_is_packed(const OutputPlan *out);
// The output that an input is placed in, and where.
const Placed *plan_placed(const Plan *plan, const Value *input, int *output);
// Whether the plan or its variants apply functions to elements or rows.
bool plan_computes(const Plan *plan);
// The functions of libm that the kernel calls: "expf tanhf", or "".
const char *plan_libm(Arena *arena, const Plan *plan);
// Reports every operator of the plan that needs libm, for a machine without it. False: no operator does.
bool plan_refuse_libm(Arena *arena, const Plan *plan, const char *machine, Diag *diag);
// Reports tensors that a target with pointers of this many bits cannot address, and strings, which are pointers, if
// pointers of this machine have another size. False: there are none.
bool plan_refuse_sizes(const Plan *plan, int pointer, const char *machine, Diag *diag);
// Whether elements of one size are read as elements of another, which assumes a little-endian machine. The second
// function refuses such plans for big-endian machines. True: reported.
bool plan_resizes(const Plan *plan);
bool plan_refuse_order(const Plan *plan, const char *machine, Diag *diag);
// Whether this is one of the functions that kernels may call.
bool plan_is_libm(const char *function);

// A node's effect on the order of elements, "moves axes"; NULL: it keeps the order, or takes a contiguous part.
const char *plan_effect(const Graph *graph, const Node *node);

typedef struct Tuning Tuning; // choices that were measured (tuning.h)

// Plans a folded graph for a processor. NULL: an error was reported. A graph that cannot be emitted still has a plan
// (tiers, why); plan_can_emit reports the reason. `tuning` may be NULL.
Plan *plan_graph(Arena *arena, Graph *graph, const Processor *processor, Tuning *tuning,
                 Diag *diag);

// Checks the invariants of plans. Returns NULL, or the one that is broken; plan_graph reports it as a fault of the
// compiler.
const char *plan_verify(const Plan *plan);

// Whether the runtime implements all operators of a dynamic graph; false: reported (kind "unsupported").
bool plan_runtime_has_all(const Plan *plan, Diag *diag);

// Whether code can be emitted; false: reported, as by plan_runtime_has_all, or because of a size.
bool plan_can_emit(const Plan *plan, Diag *diag);

#endif
