// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Between the files of the planner.
#ifndef CODEGEN_PLAN_INTERNAL_H
#define CODEGEN_PLAN_INTERNAL_H

#include "codegen/plan/tuning.h"

typedef struct Planner {
  Arena *arena;
  Graph *graph;
  Plan *plan;
  Diag *diag;
  Tuning *tuning;
  VEC(Stage) stage;
} Planner;

// Whether all numbers are known.
bool moves_are_known(const rsh_moves *moves);
// Whether they are known, or follow from symbols.
bool moves_are_numbers(const rsh_moves *moves);
// Bytes of the elements alone, without the gaps between strides.
uint64_t plan_own_bytes(const Value *value);
// Elements of its memory, the gaps between strides included; 0 when their bytes are too many to count.
int64_t plan_value_elements(const Value *value);
// Reports the value that is too large.
void plan_refuse_size(const Plan *plan, Diag *diag);
// False for a value that is too large; the first is remembered, under this name.
bool check_size(Plan *plan, const Value *value, const char *name, Span span);
// Whether a chain of element functions leaves elements as they are: it is empty, or changes no more than whether integers
// have a sign.
bool plan_map_keeps_bits(const Planner *p, int32_t map);
// All moves to a value of this type, in order of destination. Stages are addressed in whole elements.
Nest *nests_of_moves(Planner *p, const rsh_moves *moves, rsh_dtype dtype, bool is_stage,
                     int *count);
// The nests that carry out moves, scheduled, and the stages that they read. `moved`: the moves as nests, before; or NULL.
// False: reported at `output`.
bool plan_nests(Planner *p, const rsh_moves *moves, rsh_dtype dtype, const Output *output,
                const Nest **moved, Nest **nest, int *count);

// Marks what moves read: inputs, kept values, and staged values with all that these read.
void mark_reads(const Graph *graph, const rsh_moves *moves, bool *seen);
// Marks what a kept value is made from.
void mark_feeds(const Graph *graph, const Value *value, bool *seen);
// Marks all inputs and kept values that moves need.
void mark_sources(const Graph *graph, const rsh_moves *moves, bool *seen);

// Whether all sizes of a pass are known.
bool pass_is_known(const Pass *pass);
// Plans what a pass picks. False: reported.
bool plan_picks(Planner *p, Pass *pass);
// Plans the kept values that outputs need: where they lie, and what moves there. False: reported.
bool plan_passes(Planner *p, Plan *plan);
// Gives a plan and those of its variants the same parameter for scratch, where one of them needs it.
void plan_scratch(Arena *arena, Plan *plan, Plan *const *variant);
// Takes moves from placed inputs out of those of an output, and says where these inputs lie.
void place_inputs(Planner *p, OutputPlan *out);
// Whether each placed input lies in one output and is read nowhere else. False: reported.
bool check_placed(Planner *p, const Plan *plan);
// The same for variants, in which it lies where the graph itself says, or has no elements.
bool check_placed_variant(Planner *p, const Plan *plan, int index);
// What is an alias in the graph and none in a variant becomes a copy; a view must not. False: reported.
//
//   y = reshape(x: f32[N, H], [N]), z = transpose(b: f32[K, H])    H is 1, and z is b; where N is 0, H is anything
bool check_alias_variant(Planner *p, Plan *plan, int index);
// A number of the graph itself, with the sizes of a variant put in. False: no number of `to` says it.
bool num_in_variant(const Plan *plan, const Variant *variant, const Graph *to, rsh_num n,
                    rsh_num *out);
// Gives an output its passes; where they make it, it gets the moves of the first.
void plan_via(Planner *p, const Plan *plan, OutputPlan *out);

// A nest by element, with tables as long as vectors where its innermost loop is short: in one part or two (entries.c).
int nest_repeat_tables(Arena *arena, const Graph *graph, const Nest *nest, Nest part[2]);
// Carries out the choice for a nest, the one that was measured or that of the cost model; 1 or 2 nests that
// together do the same. The second is what is left of a loop that is cut in blocks.
int nest_schedule(const Planner *p, const Nest *nest, Nest part[2]);

// Elements of less than a byte, one by one, as runs of whole bytes as far as they are; the number of *out.
int nests_of_packed(Arena *arena, const Nest *nest, Nest **out);

// Nests of parts of elements as one that makes whole elements of runs of bits. False: they are none.
bool nest_of_fields(Planner *p, const Nest *nest, int count, rsh_dtype dtype, Nest *out);

// Joins nests that differ in nothing but their offsets, where there are many; of very many also those that differ in
// their loops. Gives the number of *out.
int nests_join_places(Arena *arena, Nest *nest, int count, Nest **out);

// Finds nests that fill each other's gaps (zip.c).
void nests_zip(const Planner *p, Nest *nest, int count);

// The cycles of what one move makes of `count` elements, or parts of them, of so many bytes in their memory. NULL: it is
// not known to be a permutation of them, or the numbers are not known; *why says so.
const Cycles *cycles_of(Arena *arena, rsh_symbols *symbols, const rsh_moves *moves, int bytes,
                        rsh_num count, const char **why);

// The sentence of an output whose tier, moves, nests and passes are settled.
const char *plan_why(Arena *arena, const Graph *graph, const OutputPlan *out);
// The sentence of what moves make `value` from inputs and kept values.
const char *plan_why_moves(Arena *arena, const Graph *graph, const Value *value,
                           const rsh_moves *moves);

#endif
