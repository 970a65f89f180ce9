// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t
//
// Handmade nests, on destinations with gaps. Known bug A19: sizes 2,2,3,2 of a dense source to strides 48,100,8,3 are
// 24 writes in a span of 168, the gaps untouched. A20: rows of 100401 at a pitch of 100416.
#include "codegen/emit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *compile(Arena *arena, Loop *loop, int loops, int64_t run, int64_t out_bytes,
                     int64_t in_bytes, Jit **jit) {
  Diag *diag = ARENA_NEW(arena, Diag);
  diag->arena = arena;
  Graph *graph = ARENA_NEW(arena, Graph);
  Value *x = ARENA_NEW(arena, Value), *y = ARENA_NEW(arena, Value);
  *x = (Value){.id = 0, .name = "x", .dtype = RSH_U8, .shape = {.rank = 1, .dim = {{in_bytes, 0}}}};
  *y =
      (Value){.id = 1, .name = "y", .dtype = RSH_U8, .shape = {.rank = 1, .dim = {{out_bytes, 0}}}};
  graph->name = "strided";
  graph->input_count = graph->output_count = 1;
  VEC_PUSH(arena, graph->value, x);
  VEC_PUSH(arena, graph->value, y);
  graph->output = ARENA_NEW(arena, Output);
  *graph->output = (Output){.name = "y", .value = y};
  Nest *nest = ARENA_NEW(arena, Nest);
  *nest = (Nest){.loop = loop, .loop_count = loops, .run = rsh_int(run), .unit = 1};
  OutputPlan *output = ARENA_NEW(arena, OutputPlan);
  *output =
      (OutputPlan){.output = graph->output, .tier = TIER_STATIC, .nest = nest, .nest_count = 1};
  Plan *plan = ARENA_NEW(arena, Plan);
  *plan = (Plan){.graph = graph,
                 .signature = signature_of(arena, graph, false),
                 .output = output,
                 .output_count = 1};
  const Plan **plans = ARENA_NEW(arena, const Plan *);
  plans[0] = plan;
  EmitOptions options = {.opt_level = 2};
  *jit = jit_new(arena, plans, 1, &options, diag);
  diag_print(diag, stderr, false);
  return *jit ? jit_find(*jit, "strided", ENTRY_WHOLE) : NULL;
}

static bool gaps(Arena *arena) {
  Loop loop[] = {{{2, 0}, {48, 0}, {12, 0}, {0, 0}},
                 {{2, 0}, {100, 0}, {6, 0}, {0, 0}},
                 {{3, 0}, {8, 0}, {2, 0}, {0, 0}},
                 {{2, 0}, {3, 0}, {1, 0}, {0, 0}}};
  unsigned char x[24], y[168], right[168];
  for (int i = 0; i < 24; i++)
    x[i] = (unsigned char)i;
  memset(y, 0xEE, sizeof y);
  memset(right, 0xEE, sizeof right);
  for (int i = 0; i < 24; i++)
    right[i / 12 * 48 + i / 6 % 2 * 100 + i / 2 % 3 * 8 + i % 2 * 3] = x[i];
  Jit *jit;
  void *function = compile(arena, loop, 4, 1, sizeof y, sizeof x, &jit);
  if (!function)
    return false;
  jit_call(function, (const JitArgument[]){{.input = x}, {.output = y}});
  jit_free(jit);
  return memcmp(y, right, sizeof y) == 0;
}

static bool pitch(Arena *arena) {
  enum { ROWS = 3, ROW = 100401, PITCH = 100416 };
  Loop loop[] = {{{ROWS, 0}, {PITCH, 0}, {ROW, 0}, {0, 0}}};
  unsigned char *x = malloc(ROWS * ROW), *y = malloc(ROWS * PITCH);
  for (int i = 0; i < ROWS * ROW; i++)
    x[i] = (unsigned char)(i % 251);
  memset(y, 0xEE, ROWS * PITCH);
  Jit *jit;
  void *function = compile(arena, loop, 1, ROW, ROWS * PITCH, ROWS * ROW, &jit);
  bool good = function != NULL;
  if (good) {
    jit_call(function, (const JitArgument[]){{.input = x}, {.output = y}});
    jit_free(jit);
  }
  for (int i = 0; i < ROWS * PITCH; i++)
    good = good && y[i] == (i % PITCH < ROW ? x[i / PITCH * ROW + i % PITCH] : 0xEE);
  free(x);
  free(y);
  return good;
}

int main(void) {
  Arena *arena = arena_new();
  bool a = gaps(arena), b = pitch(arena);
  if (!a || !b)
    fprintf(stderr, "wrong: %s\n", a ? "A20" : "A19");
  arena_free(arena);
  return !(a && b);
}
