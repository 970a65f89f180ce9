// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// plan: what each output becomes, as data. Emitters only print plans; all decisions are here.
#ifndef CODEGEN_PLAN_H
#define CODEGEN_PLAN_H

#include "codegen/plan/signature.h"
#include "codegen/plan/tape.h"

typedef enum Tier { TIER_ALIAS, TIER_STATIC, TIER_SYMBOLIC, TIER_DYNAMIC } Tier;

const char *tier_name(Tier tier); // "alias" "static" "symbolic" "dynamic"

// Numbers of plans are polynomials of Graph.symbols (plain numbers where every size is known).
typedef struct Loop {
  rsh_num
      extent; // at least 2, or 1 for a loop over blocks; where it depends on symbols it may be less
  rsh_num dst, src; // strides in bytes; dst is positive
  rsh_num at;       // stride in the tables of the nest's map (fold.h)
} Loop;

// The two innermost loops as a transposition: the outer one runs along the source (its src is the run),
// the inner one along the destination (its dst is the run). Bytes of a block in either direction.
typedef struct Tile {
  int64_t src, dst; // 0: not tiled
  bool packs;       // through a buffer on the stack
  bool prefetches;  // a later block, while one is done: into the second cache,
  bool near;        // or into the first
  bool strips;      // few rows of the destination by turns, not a line of elements of the source
} Tile;

// Where one of many nests begins, in bytes.
typedef struct NestPlace {
  int64_t src, dst;
} NestPlace;

// A loop of a nest at one of its places, in bytes.
typedef struct NestLap {
  int64_t extent, dst, src; // an extent may be 1
} NestLap;

// An element of the result that is made of runs of bits: those of a constant, and its fields.
typedef struct NestElement {
  int64_t dst; // bytes from where the loops are
  uint64_t constant;
} NestElement;

// Bits `shift` on of the source's element `src` bytes on, `bits` of them, at bit `at` of element number `element`.
typedef struct NestField {
  int64_t src;
  int element, shift, bits, at;
} NestField;

// One move as loops around a block copy: for each index, `run` bytes from source + src_offset + ...
// to the output + dst_offset + .... Offsets in bytes.
typedef struct Nest {
  int source; // Value.id of an input or a kept value, or of a staged one (then src counts in bytes of
              // its row-major data); below 0 a constant of Graph.fill, and src is 0
  rsh_num src_offset, dst_offset;
  Loop *loop; // outermost first
  int loop_count;
  rsh_num run; // contiguous bytes both sides; by_element: one element of the output
  Tile tile;
  bool streams; // large, and in whole lines of the destination where that is aligned
  // Where sizes are open: how it is done from so many bytes of the result on, in whole lines. NULL: as it always is.
  const struct Nest *large;
  int64_t large_from;
  bool is_large; // it is Nest.large of another
  bool weaves;   // the two innermost loops interleave 2 to 4 planes, or take them apart
  int shift; // packed elements: byte i of the output is this many bits up in bytes i and i+1 of the source
  uint32_t
      unit; // alignment of every address the nest touches: what the header asks of its pointers
  const NestPlace
      *place; // it is done once for each of these, which are added to the offsets; or NULL
  int place_count;
  // Loops whose numbers differ from place to place, outermost first: so many for each. Then there are no others.
  const NestLap *lap;
  int lap_count;
  // Element by element: each is loaded, sent through the chain `map` of the graph (0: none) and
  // stored. The two sides then have strides and offsets of their own: in bytes, or, of elements
  // of less than a byte, in elements.
  bool by_element;
  int32_t map;
  rsh_num at_offset; // where its tables are entered
  // By element, of elements that keep their width: the same as tiles in registers, where functions are done to vectors
  // (emit_nest.c). NULL: there is nothing to transpose.
  const struct Nest *tiled;
  bool is_tiled;      // it is Nest.tiled of another
  int64_t repeat;     // how many times over the tables are laid out, one behind the other; 0: once
  rsh_dtype from, to; // element types of the source and the output
  // By element, where its bits come from elements of the source in runs (fields.c): each turn makes these, of the fields,
  // which are in order of the elements. `run` is all their bytes. NULL: it does not.
  const NestElement *element;
  const NestField *field;
  int element_count, field_count;
} Nest;

// How a staged value's elements are found: the same nests, read backwards. Byte address a of the
// value lies in exactly one nest, and the nest's loops are digits of a - dst_offset:
//
//   loops {3, dst 8} {2, dst 4}, run 4     a - dst_offset = 8*i + 4*j + rest, rest < 4
//
// Loops are in descending order of dst, and what the inner ones span is below the dst of the outer
// one. A value with a table (Value.table) needs no nests: element i is element table[i] of an input.
typedef struct Stage {
  const Value *value;
  Nest *nest;
  int nest_count;
  bool is_computed; // an element of it is no element of an input
} Stage;

// A kept value: nests bring the operand to where it lies, then its operator (Value.node) works on each row
// in place. Kernels do their passes in order, then their outputs:
//
//   softmax(transpose(x))            the pass lies in the output, which has nothing left to do
//   transpose(softmax(x))            it lies in scratch, and the output is moved from there
//   relu(softmax(x))                 it lies in the output, which changes its elements in place
typedef struct Pass {
  const Value *value;
  int output; // it lies in the memory of this output; below 0 in the scratch buffer,
  rsh_num at; // from this byte on
  rsh_num bytes;
  Nest *nest; // none where the operand lies there already
  int nest_count;
  rsh_num rows, length; // so many rows of so many elements
  bool is_planned;      // else it is explained, and no code can be made of it; `bytes` may be 0
  const char *why;      // one line for people: what moves to there
} Pass;

// A permutation of one buffer in place. Of each batch, piece number i of the result is piece number `src`
// of what was there, the sum of the digits of i times their strides; along a cycle of these, pieces move up by
// one, the first one being kept in a register, word by word.
//
//   f32[2, 3] transposed: piece i = 2*j + k is piece j + 3*k: 1 goes where 2 was, 2 where 4 was, ...
//                         cycles (1 3 4 2), with 0 and 5 where they are
typedef struct Cycles {
  Loop *batch; // around it, in bytes; dst and src are the same
  int batch_count;
  Loop *
      digit; // extent, weight (dst) and stride (src), in pieces; the weights are in descending order
  int digit_count;
  rsh_num first;  // the piece that goes to place 0
  rsh_num count;  // pieces of a batch
  rsh_num piece;  // bytes
  int64_t cycles; // of more than one piece; below 0: they depend on sizes
  int64_t moved;  // pieces in these
  bool
      swaps; // each piece goes where the one came from that takes its place: no cycle is longer than two
  const int64_t
      *leader; // the lowest place of each; NULL: there are too many, they are searched for
} Cycles;

// An input that lies in an output when the function is called, as it is to be there: nothing moves it. Element
// [i, j, ...] of it is element offset + i*stride[0] + j*stride[1] + ... of the output's memory.
typedef struct Placed {
  const Value *input;
  rsh_num offset;
  rsh_num stride[RSH_MAX_RANK]; // of each axis of the input
  const char *why;              // it is no such box: that is an error. NULL: it is
} Placed;

typedef struct OutputPlan {
  const Output *output;
  Tier tier;
  const Value *source; // ALIAS: the input; NULL for a value without elements
  rsh_num
      offset; // first element of the source that is read, where there is one move (so for every alias)
  const Value **sources; // inputs that are read, in order of the graph's parameters, then constants
  int source_count;
  // Asked for with inplace=True, and so: each element is computed from the one element of this input that
  // lies where the output may, from element `offset` of the input on, and nothing else reads it. Else NULL.
  const Value *in_place;
  const Cycles *cycles; // then: how, where elements change places; NULL: each stays where it is
  const Pass **via;     // passes that come before, in order
  int via_count;
  // The output is made by passes in its memory, and this is the first of them; else NULL.
  const Pass *own;
  const rsh_moves *
      moves; // in elements, as folded, without those of placed inputs; of `own` where that is not NULL
  Placed *placed; // inputs that lie in it
  int placed_count;
  Nest *nest; // what the kernel does (for an alias: the copy its exported function makes);
              // blocking splits a move in two, so there may be more nests than moves
  int nest_count;
  uint64_t bytes;       // of the output; 0 where its shape is not known
  uint64_t bytes_moved; // written by the kernel's nests, passes included; 0 for an alias
  bool is_unplanned;    // no nests were found: no code can be made of it
  const char *why;      // one line for people: which operators cancel, or which axes move
} OutputPlan;

typedef struct Plan {
  const Graph *graph;
  Signature signature;         // of the graph's function
  Signature shape_signature;   // of NAME_shape, which there is where the function returns a status
  const struct Plan **variant; // of Graph.variant
  OutputPlan *output;
  int output_count;
  Stage *stage; // staged values that the nests read, each before its users
  int stage_count;
  const Tape *tape; // of a dynamic graph: what the runtime carries out; else NULL
  Pass *pass;       // of the values that outputs need, each before its users
  int pass_count;
  // What the kernel asks its caller for beside the outputs. Its function has a parameter for it where
  // the graph or one of its variants asks for any, and the alignment is that of all of these.
  rsh_num scratch_bytes;
  uint32_t scratch_align; // 0: no parameter
  // An input or output of more bytes than a pointer difference of the target holds, and its name; or
  // NULL. Its shape is fine, so it is planned and explained; code is refused by plan_can_emit.
  const Value *too_large;
  const char *too_large_name;
  Span too_large_span;
} Plan;

// The storage of an element. A string is a pointer of the target.
int plan_element_bits(rsh_dtype type);
// The unsigned integer of so many bits, up to 64.
rsh_dtype plan_integer_type(int bits);
// The type of what moves to a value of this type count: that type, or of elements in parts an integer for one.
rsh_dtype plan_moved_type(const rsh_moves *moves, rsh_dtype type);
// The type of what a source is made of: its elements, or of a staged value what its stage gives.
rsh_dtype plan_source_type(const Graph *graph, int source);
// What the header asks of a pointer: 4 for c64 (pairs of float), 8 for c128, 1 for packed sub-byte
// types.
uint32_t plan_element_align(rsh_dtype type);
// Of memory of one type whose elements move as those of another: that of the smaller ones.
uint32_t plan_common_align(rsh_dtype a, rsh_dtype b);
// The same of the memory of an input or output, which may be declared.
uint32_t plan_input_align(const Value *input);
uint32_t plan_output_align(const Output *output);
// Elements to bytes; false when that is no whole number of bytes, or does not fit.
//   3*B of i4: no.   4*B of i4: 2*B.
bool plan_to_bytes(rsh_num elements, rsh_dtype dtype, rsh_num *bytes);
// Whether its sizes are all known.
bool plan_is_known(const Value *value);
// Whether its elements meet different entries of tables.
bool plan_nest_has_entries(const Nest *nest);
// How many entries its tables have as they are laid out.
int64_t plan_nest_entries(const Graph *graph, const Nest *nest);
// Whether all numbers of a nest are.
bool plan_nest_is_known(const Nest *nest);
// Bytes of a value of known sizes; 0 when they are too many to count (Plan.too_large).
uint64_t plan_value_bytes(const Value *value);

// Whether the graph itself asks for no fewer bytes of scratch than its variant `index` does, where the sizes
// are those of the variant.
bool plan_scratch_covers(const Plan *plan, int index);
// Whether n is above 0 whatever the symbols are.
bool plan_is_positive(const Plan *plan, rsh_num n);

// The least number of parts of up to `by` that n falls into, of any n.
//   9223372036854775807 in parts of 64: 144115188075855872, where n + 63 is no number
static inline int64_t plan_divide_up(int64_t n, int64_t by) { return n / by + (n % by > 0); }

// At most so many of a loop's indexes, a multiple of `of`, so that all blocks are nearly the same.
//   72 in blocks of 64, by 16: 48, and 24 are left
int64_t plan_even_block(int64_t extent, int64_t most, int64_t of);

// A nest that fills all of an output with what several of its nests fill of it, where they have the same constant:
// small code does that first, and leaves those out. NULL: there is none.
const Nest *plan_ground(Arena *arena, const OutputPlan *out);

// The constant of a nest whose source is below 0, as whole bytes over and over. Gives their number.
int plan_fill(const Graph *graph, int source, uint8_t bytes[16]);

// The pass of a kept value; NULL where it has none.
const Pass *plan_pass(const Plan *plan, int source);
// Whether passes lie in the memory of this output, or nests change its elements in place: it is read too.
bool plan_reads_output(const Plan *plan, int index);
// "softmax of 512 rows of 64", "softmax of 8*B rows of S"; where no number says how many, "softmax of rows of S".
const char *plan_pass_text(Arena *arena, const Graph *graph, const Pass *pass);

// Whether elements are of less than a byte: then bytes of the output are read too, where they are stored one
// by one or end in the middle of a byte.
bool plan_is_packed(const OutputPlan *out);
// Where a placed input lies; gives the output.
const Placed *plan_placed(const Plan *plan, const Value *input, int *output);
// The functions of libm that the kernel calls: "expf tanhf", or "".
const char *plan_libm(Arena *arena, const Plan *plan);
// Reports every operator of the plan that calls libm, for a machine that has none. False: there is none.
bool plan_refuse_libm(Arena *arena, const Plan *plan, const char *machine, Diag *diag);
// Reports what is more than a target with pointers of so many bits can address, and strings, which are pointers,
// where it is not this machine's number. False: there is none.
bool plan_refuse_sizes(const Plan *plan, int pointer, const char *machine, Diag *diag);
// Whether elements of one size are taken for elements of another, which is in the order of a machine that stores the
// lowest byte first; and refuses such plans for machines that do not. True: reported.
bool plan_resizes(const Plan *plan);
bool plan_refuse_order(const Plan *plan, const char *machine, Diag *diag);
// Whether kernels may call this function at all.
bool plan_is_libm(const char *function);

// What a node does to the order of elements, "moves axes"; NULL where it does nothing, or takes a part that lies in
// one piece.
const char *plan_effect(const Graph *graph, const Node *node);

typedef struct Tuning Tuning; // choices that were measured (tuning.h)

// Plans a folded graph. NULL when an error was reported: a symbolic graph has a plan (tiers, why)
// but plan_can_emit says no. `tuning` may be NULL.
Plan *plan_graph(Arena *arena, Graph *graph, Tuning *tuning, Diag *diag);

// The invariants of plans; NULL, or which one is broken. plan_graph reports that as a fault of the compiler.
const char *plan_verify(const Plan *plan);

// True when code can be made of it; else the reason is reported to `diag` (kind "unsupported").
bool plan_can_emit(const Plan *plan, Diag *diag);

#endif
