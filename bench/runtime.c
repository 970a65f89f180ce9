// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures the runtime: resolving a reshape of rank 4, resolving and folding a chain of ten operators without
// a cache, and the overhead of graphs whose target is data over their static kernels. Times are CPU
// nanoseconds, the least of several rounds.
#include "runtime/rsh_runtime.h"

#include "bench/dynamic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 200, OPERATORS = 10, CAPACITY = 16, AXES = 128 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

typedef struct Step {
  rsh_op op;
  int32_t counts[4]; // of each argument's list; 0: the argument is absent
  int64_t lists[4][5];
} Step;

// Attention heads, split, sliced, transposed and joined again; about every second operator moves elements.
static const Step chain[OPERATORS] = {
    {RSH_OP_RESHAPE, {4}, {{0, 0, 12, -1}}},       // f32[8,128,768] to [8,128,12,64]
    {RSH_OP_TRANSPOSE, {4}, {{0, 2, 1, 3}}},       // [8,12,128,64]
    {RSH_OP_SLICE, {1, 1, 1}, {{16}, {112}, {2}}}, // [8,12,96,64]
    {RSH_OP_RESHAPE, {5}, {{8, 12, 96, 2, 32}}},   //
    {RSH_OP_TRANSPOSE, {5}, {{0, 1, 3, 2, 4}}},    // [8,12,2,96,32]
    {RSH_OP_RESHAPE, {3}, {{-1, 96, 32}}},         // [192,96,32]
    {RSH_OP_FLIP, {1}, {{1}}},                     //
    {RSH_OP_UNSQUEEZE, {1}, {{0}}},                // [1,192,96,32]
    {RSH_OP_TRANSPOSE, {4}, {{0, 2, 3, 1}}},       // [1,96,32,192]
    {RSH_OP_FLATTEN, {0}, {{0}}},                  // [1,589824]
};

static rsh_num numbers[OPERATORS][4][5];
static rsh_call calls[OPERATORS];

static void build_calls(void) {
  for (int i = 0; i < OPERATORS; i++) {
    calls[i].op = chain[i].op;
    calls[i].in_count = calls[i].out_count = 1;
    for (int a = 0; a < 4; a++) {
      if (chain[i].counts[a] == 0)
        continue;
      for (int k = 0; k < chain[i].counts[a]; k++)
        numbers[i][a][k] = rsh_int(chain[i].lists[a][k]);
      calls[i].arg[a].kind = RSH_ARG_LIST;
      calls[i].arg[a].rank = 1;
      calls[i].arg[a].dtype = RSH_I64;
      calls[i].arg[a].count = chain[i].counts[a];
      calls[i].arg[a].list = numbers[i][a];
    }
  }
}

static rsh_move move[3][CAPACITY];
static rsh_axis axis[3][AXES];
#define LIST(i) {.move = move[i], .axis = axis[i], .capacity = CAPACITY, .axis_capacity = AXES}
static rsh_moves lists[3] = {LIST(0), LIST(1), LIST(2)};

// Resolves the whole chain; with `folds`, also computes its moves.
static rsh_status decide(bool folds) {
  static const rsh_dtype type[1] = {RSH_F32};
  rsh_shape shape[2] = {{3, {{8, 0}, {128, 0}, {768, 0}}}};
  rsh_moves *value = &lists[0], *next = &lists[1], *work = &lists[2];
  rsh_status status = rsh_moves_identity(value, 0, rsh_int(8 * 128 * 768));
  for (int i = 0; i < OPERATORS && status == RSH_ok; i++) {
    rsh_shape *in = &shape[i % 2], *out = &shape[(i + 1) % 2];
    const rsh_shape *const operands[1] = {in};
    const rsh_moves *const values[1] = {value};
    rsh_call *call = &calls[i];
    call->in = operands;
    call->in_type = type;
    status = rsh_resolve(call, out, NULL);
    if (status == RSH_ok && folds)
      status = rsh_fold(call, 0, out, values, next, work);
    rsh_moves *spare = value;
    value = next;
    next = spare;
  }
  return status;
}

static rsh_status resolve_chain(void) { return decide(false); }
static rsh_status fold_chain(void) { return decide(true); }

static rsh_call reshape;

static void build_reshape(void) {
  static const rsh_shape in = {4, {{8, 0}, {128, 0}, {12, 0}, {64, 0}}};
  static const rsh_shape *const operands[1] = {&in};
  static const rsh_num target[4] = {{0, 0}, {-1, 0}, {24, 0}, {32, 0}};
  static const rsh_dtype type[1] = {RSH_F32};
  reshape = (rsh_call){
      .op = RSH_OP_RESHAPE, .in_count = 1, .out_count = 1, .in = operands, .in_type = type};
  reshape.arg[0] =
      (rsh_arg){.kind = RSH_ARG_LIST, .rank = 1, .count = 4, .dtype = RSH_I64, .list = target};
}

static rsh_status resolve_reshape(void) {
  rsh_shape out;
  return rsh_resolve(&reshape, &out, NULL);
}

// ---- graphs of dynamic.rsh ----

static float from[2 * 12 * 24], to[2 * 12 * 24];
static int64_t to_dims[4];
static const int64_t targets[2][4] = {{2, 12, 4, 6}, {0, 0, 4, -1}}; // of one shape
static int64_t two_plan[TWO_TOLD_PLAN_BYTES / 8], ten_plan[TEN_TOLD_PLAN_BYTES / 8];

static rsh_status two_static(void) {
  two_known(from, to);
  return RSH_ok;
}

static rsh_status ten_static(void) {
  ten_known(from, to);
  return RSH_ok;
}

static rsh_status two_cached(void) { return two_told(from, targets[0], to, to_dims, two_plan); }
static rsh_status ten_cached(void) { return ten_told(from, targets[0], to, ten_plan); }

// The target differs each time, so the cached plan is never valid.
static rsh_status two_uncached(void) {
  static int turn;
  return two_told(from, targets[++turn % 2], to, to_dims, two_plan);
}

static rsh_status ten_uncached(void) {
  static int turn;
  return ten_told(from, targets[++turn % 2], to, ten_plan);
}

// ---- measuring ----

static double time_round(rsh_status (*run)(void), int calls_a_round) {
  // Prevents the compiler from merging consecutive calls.
  rsh_status (*volatile hidden)(void) = run;
  double begin = now();
  for (int i = 0; i < calls_a_round; i++)
    if (hidden() != RSH_ok)
      exit(1);
  return (now() - begin) / calls_a_round;
}

static void measure(const char *what, rsh_status (*run)(void), int calls_a_round) {
  double least = 1e30;
  for (int r = 0; r < ROUNDS; r++) {
    double each = time_round(run, calls_a_round);
    least = each < least ? each : least;
  }
  printf("%-44s %8.1f ns\n", what, least);
}

// Times a static kernel and the same chain in the dynamic tier, alternately.
static void compare(const char *what, rsh_status (*known)(void), rsh_status (*cached)(void),
                    rsh_status (*uncached)(void)) {
  double least[3] = {1e30, 1e30, 1e30};
  for (int r = 0; r < ROUNDS; r++) {
    double each[3] = {time_round(known, 1000), time_round(cached, 1000), time_round(uncached, 100)};
    for (int i = 0; i < 3; i++)
      least[i] = each[i] < least[i] ? each[i] : least[i];
  }
  printf("%s, static kernel %*.1f ns\n", what, 53 - 17 - (int)strlen(what), least[0]);
  printf("  dynamic, target as before %27.1f ns, %+.1f, %.2f times\n", least[1],
         least[1] - least[0], least[1] / least[0]);
  printf("  dynamic, another target each time %19.1f ns, %+.1f\n", least[2], least[2] - least[0]);
}

int main(void) {
  build_calls();
  build_reshape();
  measure("a reshape of rank 4 resolved", resolve_reshape, 2000);
  measure("ten operators resolved", resolve_chain, 200);
  measure("ten operators resolved and folded", fold_chain, 100);
  compare("two operators", two_static, two_cached, two_uncached);
  compare("ten operators", ten_static, ten_cached, ten_uncached);
  return 0;
}
