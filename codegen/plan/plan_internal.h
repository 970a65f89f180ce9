// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by the files of the planner.
#ifndef CODEGEN_PLAN_INTERNAL_H
#define CODEGEN_PLAN_INTERNAL_H

#include "codegen/plan/tuning.h"

typedef struct Planner {
  Arena *arena;
  Graph *graph;
  Plan *plan;
  const Plan *general; // of the graph of which this one is a variant; else NULL
  Diag *diag;
  Tuning *tuning;
  VEC(Stage) stage;
} Planner;

// Whether all numbers are known.
bool moves_are_known(const rsh_moves *moves);
// Whether all numbers are known, or follow from symbols.
bool moves_are_numbers(const rsh_moves *moves);
// Bytes of the elements, without the gaps between strides.
uint64_t plan_own_bytes(const Value *value);
// Elements of its memory, the gaps between strides included; 0 if the number of bytes overflows.
int64_t plan_value_elements(const Value *value);
// Reports the value that is too large.
void plan_refuse_size(const Plan *plan, Diag *diag);
// The name of a value, or of the operator that computes it.
const char *value_title(const Value *value);
// False for a value that is too large; the first is recorded in the plan, under this name.
bool check_size(Plan *plan, const Value *value, const char *name, Span span);
// Whether a chain of element functions keeps the bits of elements: it is empty, or only changes the signedness of
// integers.
bool plan_map_keeps_bits(const Planner *p, int32_t map);
// Elements of one side to its unit: bytes, or elements of less than a byte. If that overflows, no call uses the number,
// and any positive stride is valid: sizes are checked, open ones at entry.
//
//   f32[4611686018427387904, A] transposed    a call returns an error, or A is 0
rsh_num plan_units(rsh_num elements, rsh_dtype dtype);
// The stage of a source, once it is planned; else NULL.
Stage *stage_of(const Planner *p, int source);
// All moves to a value of this type, in order of destination. Stages are addressed in whole elements.
Nest *nests_of_moves(Planner *p, const rsh_moves *moves, rsh_dtype dtype, bool is_stage,
                     int *count);
// Adds the stages that `moves` read, each after the stages that it reads itself. False: their elements cannot be
// found; if sizes are known, that was reported at `output`.
bool plan_stages(Planner *p, const rsh_moves *moves, const Output *output);
// Splits the run of a nest that reads a stage into rows that one lookup finds. Constants of the stage get their length.
void stage_split_run(const Planner *p, Nest *nest);
// The scheduled nests of moves, and the stages that they read. `moved`: receives the nests before scheduling; or NULL.
// False: reported at `output`, if sizes are known.
bool plan_nests(Planner *p, const rsh_moves *moves, rsh_dtype dtype, const Output *output,
                const Nest **moved, Nest **nest, int *count);

// Marks what moves read: inputs, kept values, and staged values with everything that these read.
void mark_reads(const Graph *graph, const rsh_moves *moves, bool *seen);
// Marks what the pass of a kept value reads.
void mark_feeds(const Graph *graph, const Value *value, bool *seen);
// Marks all inputs and kept values that moves need.
void mark_sources(const Graph *graph, const rsh_moves *moves, bool *seen);

// Whether all sizes of a pass are known.
bool pass_is_known(const Pass *pass);
// Plans what a pass picks. False: reported.
bool plan_picks(Planner *p, Pass *pass);
// Plans the kept values that outputs need: where they are stored, and the nests that move them there. False: reported.
bool plan_passes(Planner *p, Plan *plan);
// Gives a plan and its variants the same scratch parameter, if one of them needs it.
void plan_scratch(Arena *arena, Plan *plan, Plan *const *variant);
// Removes the moves of placed inputs from those of an output, and records where these inputs are in it.
void place_inputs(Planner *p, OutputPlan *out);
// Checks that each placed input is in one output and is read nowhere else. False: reported.
bool check_placed(Planner *p, const Plan *plan);
// Checks that each placed input has the same place in a variant, or no elements there. False: reported.
bool check_placed_variant(Planner *p, const Plan *plan, int index);
// Turns an alias that is not one in a variant into a copy. False: it is declared a view; reported.
//
//   y = reshape(x: f32[N, H], [N]), z = transpose(b: f32[K, H])    H is 1, so z is b; but if N is 0, H may be any size
bool check_alias_variant(Planner *p, Plan *plan, int index);
// A number of the graph itself, with the sizes of a variant substituted. False: `to` cannot express it.
bool num_in_variant(const Plan *plan, const Variant *variant, const Graph *to, rsh_num n,
                    rsh_num *out);
// Gives an output its passes; if they compute it, it gets the moves of the first that works in its memory.
void plan_via(Planner *p, const Plan *plan, OutputPlan *out);

// If the innermost loop of a nest by element is short, repeats its tables to the length of vectors. Returns 1 nest, or
// 2 that are equivalent together (entries.c).
int nest_repeat_tables(Arena *arena, const Graph *graph, const Nest *nest, Nest part[2]);
// Applies the measured choice for a nest, or the cost model's. Returns 1 nest, or 2 that are equivalent together: the
// second is the remainder of a loop that is split into blocks.
int nest_schedule(const Planner *p, const Nest *nest, Nest part[2]);
// Decides whether long runs of a constant bypass the cache, or from which size on.
void nest_schedule_fill(const Planner *p, Nest *nest);

// Turns a nest over single elements of less than a byte into runs of whole bytes, as far as possible. Returns the
// number of *out.
int nests_of_packed(const Planner *p, const Nest *nest, Nest **out);

// Merges nests of parts of elements into one that assembles whole elements from runs of bits. False: not possible.
bool nest_of_fields(Planner *p, const Nest *nest, int count, rsh_dtype dtype, Nest *out);

// Joins nests that differ only in their offsets, if there are many; if there are very many, also nests that differ in
// their loops. Returns the number of *out.
int nests_join_places(const Planner *p, Nest *nest, int count, Nest **out);

// Finds nests that fill each other's gaps (zip.c).
void nests_zip(const Planner *p, Nest *nest, int count);

// The cycles of one move as a permutation of `count` elements, or parts of elements, of this many bytes. NULL: it is
// not known to be a permutation, or has too many pieces; *why says which.
const Cycles *cycles_of(Arena *arena, rsh_symbols *symbols, const rsh_moves *moves, int bytes,
                        rsh_num count, const char **why);
// The same for two moves. NULL: they are not a roll.
const Cycles *roll_of(Arena *arena, rsh_symbols *symbols, const rsh_moves *moves, int bytes,
                      rsh_num count);

// How an output is moved within the memory of an input (slides.c). NULL: it cannot be; *why has the reason.
const Slides *slides_of(Arena *arena, const Graph *graph, const OutputPlan *out, const Value *input,
                        const char **why);

// The sentence that explains an output, once its tier, moves, nests and passes are planned.
const char *plan_why(const Planner *p, const OutputPlan *out);
// The sentence that explains the moves from inputs and kept values to `value`; without nests, these are not planned
// yet.
const char *plan_why_nests(const Planner *p, const Value *value, const rsh_moves *moves,
                           const Nest *nest, int count);

#endif
