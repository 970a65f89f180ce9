// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes as a tuning file. What can be read is written as an equivalent text, and plans follow it: each still moves
// everything it must, which plan_verify checks.
//
// RUN: %{cc} %{cflags} %s %S/Inputs/mutate.c -o %t %{libs}
// RUN: %t %{count:5000} %S/../codegen/Inputs/*.tuning
// RUN: rm -rf %t.corpus && mkdir %t.corpus && tar -xzf %S/Inputs/tuning-corpus.tar.gz -C %t.corpus
// RUN: %t 0 %t.corpus/*
#include "Inputs/fuzz.h"

#include "library/pipeline.h"

#include <string.h>

static const char cpu[] = "x86_64 x86-64-v3";
static const char graphs[] =
    "graph tiles(x: f32[100, 300]) -> y { y = transpose(x) }\n"
    "graph planes(x: u8[3, 32, 32]) -> y { y = transpose(x, [1, 2, 0]) }\n"
    "graph deep(x: i16[4, 6, 8, 10]) -> y { y = transpose(x, [3, 1, 0, 2]) }\n"
    "graph whole(x: f64[64, 64]) -> y { y = concat([x, x], axis=1) }\n"
    "graph open(x: f32[B, 100, 300]) -> y where B in [1, 8] { y = transpose(x, [0, 2, 1]) }\n";

static bool read_text(Arena *arena, const char *text, size_t size, Tuning *tuning) {
  Diag diag = {.arena = arena};
  *tuning = (Tuning){.arena = arena, .cpu = cpu};
  diag.source = source_from_text(arena, "fuzz.tuning", text, size);
  bool good = tuning_read(tuning, diag.source, &diag);
  REQUIRE(good == (diag.errors == 0));
  return good;
}

static void plan(Arena *arena, Tuning *tuning, FILE *out) {
  static const EmitOptions options = {.triple = "x86_64-linux-gnu", .cpu = "x86-64-v3"};
  Pipeline p = {.arena = arena, .diag = {.arena = arena}, .tuning = tuning};
  p.processor = tuning_row(tuning) ? tuning_row(tuning) : emit_cost(arena, &options);
  REQUIRE(pipeline_read_text(&p, source_from_text(arena, "fuzz.rsh", graphs, strlen(graphs))));
  pipeline_lower(&p);
  pipeline_fold(&p);
  pipeline_plan(&p, false);
  REQUIRE(p.diag.errors == 0 && p.plan.count == 5);
  pipeline_print_plans(&p, &options, out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  Arena *arena = arena_new();
  Tuning tuning, again;
  if (read_text(arena, (const char *)bytes, size, &tuning)) {
    FILE *out = fopen("/dev/null", "w");
    REQUIRE(out);
    const char *text = tuning_text(&tuning);
    REQUIRE(read_text(arena, text, strlen(text), &again));
    REQUIRE(strcmp(tuning_text(&again), text) == 0);
    if (tuning.entry.count + tuning.row.count > 0)
      plan(arena, &tuning, out);
    fclose(out);
  }
  arena_free(arena);
  return 0;
}
