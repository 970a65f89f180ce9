// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t 0 && %t 1 && %t 2 && %t 3
// (kernels-tiles.test runs parts 4 to 6.)
//
// Kernels in memory against the runtime's plain engine, between inaccessible pages, with each buffer flush with the
// page after it and with the page before it (known bug F5), and unaligned: runs, transpositions, joins and
// interleavings of every length around the widths of vectors and blocks.
#include "codegen/emit.h"
#include "frontend/graph/fold_graph.h"
#include "frontend/lower/lower.h"
#include "grammar/parse.h"
#include "runtime/move.h"

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, RIM = 0xA5 };

// The position of a buffer between the two inaccessible pages.
typedef enum Where { AT_START, AT_END, OFF_LINE, WHERES } Where;

static const char *const where_name[] = {"at the start", "at the end", "off a line"};

static size_t place_of(size_t bytes, size_t room, Where place) {
  size_t spare = room - bytes;
  return place == AT_START ? 0 : place == AT_END ? spare : spare < 16 ? 0 : 16;
}

// MAP_ANONYMOUS is not in POSIX: pages come from an unlinked file.
static unsigned char *guarded(size_t bytes, Where place, size_t *room) {
  *room = (bytes + PAGE) / PAGE * PAGE;
  char name[] = "/tmp/rsh-kernels-XXXXXX";
  int file = mkstemp(name);
  if (file < 0 || unlink(name) != 0 || ftruncate(file, (off_t)(*room + 2 * PAGE)) != 0)
    abort();
  unsigned char *base = mmap(NULL, *room + 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  close(file);
  if (base == MAP_FAILED || mprotect(base, PAGE, PROT_NONE) ||
      mprotect(base + PAGE + *room, PAGE, PROT_NONE))
    abort();
  memset(base + PAGE, RIM, *room);
  return base + PAGE + place_of(bytes, *room, place);
}

static void release(unsigned char *data, size_t bytes, Where place, size_t room) {
  munmap(data - place_of(bytes, room, place) - PAGE, room + 2 * PAGE);
}

static bool rim_is_whole(const unsigned char *data, size_t bytes, Where place, size_t room) {
  size_t before = place_of(bytes, room, place);
  const unsigned char *start = data - before;
  for (size_t i = 0; i < room; i++)
    if ((i < before || i >= before + bytes) && start[i] != RIM)
      return false;
  return true;
}

// Bytes that a wrong kernel might mix up all differ.
static void fill(unsigned char *data, size_t bytes, uint64_t seed) {
  for (size_t i = 0; i < bytes; i++) {
    uint64_t h = (i + 1) * 0x9e3779b97f4a7c15u + seed * 0xbf58476d1ce4e5b9u;
    data[i] = (unsigned char)((h ^ (h >> 29)) * 0x94d049bb133111ebu >> 56);
  }
}

// Staged values are computed in full, in order, so that the engine can read them.
static void expected(const Graph *graph, const Value *value, const void **whole, void *out) {
  uint32_t element = (uint32_t)plan_element_bits(value->dtype) / 8;
  for (int32_t i = 0; i < value->moves->count; i++) {
    const Value *source = graph->value.item[value->moves->move[i].source];
    if (whole[source->id])
      continue;
    void *data = malloc(plan_value_bytes(source) + 1);
    expected(graph, source, whole, data);
    whole[source->id] = data;
  }
  if (rsh_run_moves(value->moves, element, whole, NULL, out) != RSH_ok)
    abort();
}

static bool run_graph(Arena *arena, Jit *jit, const Plan *plan, Where place) {
  const Graph *graph = plan->graph;
  int inputs = graph->input_count, outputs = graph->output_count;
  unsigned char **data = ARENA_ARRAY(arena, unsigned char *, inputs + outputs);
  size_t *room = ARENA_ARRAY(arena, size_t, inputs + outputs);
  const void **whole = ARENA_ARRAY(arena, const void *, graph->value.count);
  bool good = true;
  for (int i = 0; i < inputs + outputs; i++) {
    const Value *value = i < inputs ? graph->value.item[i] : graph->output[i - inputs].value;
    size_t bytes = (size_t)plan_value_bytes(value);
    data[i] = guarded(bytes, place, &room[i]);
    if (i < inputs) {
      fill(data[i], bytes, (uint64_t)i);
      whole[i] = data[i];
    }
  }
  void *function = jit_find(jit, graph->name, ENTRY_WHOLE);
  if (!function)
    return false;
  JitArgument *argument = ARENA_ARRAY(arena, JitArgument, inputs + outputs);
  for (int i = 0; i < inputs + outputs; i++)
    argument[i].output = data[i]; // inputs come first
  jit_call(function, argument);
  for (int i = 0; i < outputs; i++) {
    const Value *value = graph->output[i].value;
    size_t bytes = (size_t)plan_value_bytes(value);
    void *right = malloc(bytes + 1);
    expected(graph, value, whole, right);
    good = good && memcmp(right, data[inputs + i], bytes) == 0;
    free(right);
  }
  for (int i = 0; i < inputs + outputs; i++) {
    const Value *value = i < inputs ? graph->value.item[i] : graph->output[i - inputs].value;
    size_t bytes = (size_t)plan_value_bytes(value);
    good = good && rim_is_whole(data[i], bytes, place, room[i]);
    release(data[i], bytes, place, room[i]);
  }
  for (int i = inputs; i < graph->value.count; i++)
    free((void *)(uintptr_t)whole[i]);
  return good;
}

static int run_text(const char *text, const char *cpu) {
  Arena *arena = arena_new();
  Diag diag = {.arena = arena, .file = "kernels"};
  Source *source = source_from_text(arena, "kernels", text, strlen(text));
  diag.source = source;
  Ast *ast = parse_source(arena, source, &diag);
  Module *module = lower_module(arena, ast, &diag);
  const Plan **plans = ARENA_ARRAY(arena, const Plan *, module->graph_count + 1);
  EmitOptions options = {.cpu = cpu, .opt_level = 2};
  int count = 0, failures = 0;
  for (int i = 0; i < module->graph_count; i++)
    if (fold_graph(arena, module->graph[i], &diag) &&
        (plans[count] =
             plan_graph(arena, module->graph[i], emit_cost(arena, &options), NULL, &diag)))
      count++;
  Jit *jit = diag.errors == 0 ? jit_new(arena, plans, count, &options, &diag) : NULL;
  diag_print(&diag, stderr, false);
  if (!jit)
    return 1;
  for (int i = 0; i < WHERES * count; i++)
    if (!run_graph(arena, jit, plans[i / WHERES], (Where)(i % WHERES))) {
      fprintf(stderr, "wrong: %s on %s, %s\n", plans[i / WHERES]->graph->name, cpu,
              where_name[i % WHERES]);
      failures++;
    }
  jit_free(jit);
  arena_free(arena);
  return failures;
}

static const char *const types[] = {"u8", "i16", "f32", "c64", "i64", "c128"};
enum { TYPES = sizeof types / sizeof *types };

// Slices of rows, so that runs are n elements.
static int runs(const char *cpu) {
  static const int length[] = {1,   2,   3,   5,   7,   8,   9,   15,  16,  17,  31,  33,
                               48,  63,  64,  65,  66,  96,  97,  100, 127, 128, 129, 191,
                               193, 255, 256, 257, 300, 511, 513, 600, 777, 1100};
  static char text[1 << 16];
  size_t at = 0;
  for (int t = 0; t < TYPES; t += 2)
    for (size_t i = 0; i < sizeof length / sizeof *length; i++)
      at += (size_t)snprintf(text + at, sizeof text - at,
                             "graph run_%s_%d(x: %s[3, %d]) -> y { y = x[:, 1:%d] }\n", types[t],
                             length[i], types[t], length[i] + 1, length[i] + 1);
  return run_text(text, cpu);
}

static int transpositions(const char *cpu) {
  static const int side[][2] = {{2, 3},   {3, 500},  {500, 3},   {4, 64},   {63, 65},
                                {64, 64}, {129, 70}, {200, 190}, {17, 1000}};
  static char text[1 << 16];
  size_t at = 0;
  for (int t = 0; t < TYPES; t++)
    for (size_t i = 0; i < sizeof side / sizeof *side; i++)
      at += (size_t)snprintf(
          text + at, sizeof text - at,
          "graph t_%s_%d_%d(x: %s[%d, %d]) -> y { y = transpose(x) }\n"
          "graph b_%s_%d_%d(x: %s[3, %d, %d]) -> y { y = transpose(x, [1, 2, 0]) }\n",
          types[t], side[i][0], side[i][1], types[t], side[i][0], side[i][1], types[t], side[i][0],
          side[i][1], types[t], side[i][0], side[i][1]);
  return run_text(text, cpu);
}

// Tiles: each extent up to a little more than a line against those around the sizes
// of tiles; planes that are interleaved and deinterleaved; then shapes with rows a
// power of two apart, and larger than the cache, with and without whole rows and
// lines.
static int tiles(const char *cpu) {
  static const int side[] = {4, 5, 7, 8, 15, 16, 17, 31, 33, 63, 64, 67};
  static const char *const large[] = {"u8[300, 1024]",   "u8[130, 3072]",   "i16[257, 512]",
                                      "f32[70, 1024]",   "f32[33, 2048]",   "u8[3, 200, 200]",
                                      "i64[301, 77]",    "c128[99, 201]",   "u8[4096, 4096]",
                                      "i16[3008, 2500]", "f32[1024, 4096]", "f32[2, 1009, 2051]",
                                      "i64[1000, 2016]", "c128[500, 2000]"};
  static char text[1 << 19];
  size_t at = 0;
  for (int t = 0; t < TYPES; t++)
    for (int n = 1; types[t][0] != 'c' && n <= 67; n++)
      for (size_t i = 0; i < sizeof side / sizeof *side; i++)
        if ((n + 5 * (int)i) % 12 == 0)
          at += (size_t)snprintf(text + at, sizeof text - at,
                                 "graph tile_%d_%d_%d(x: %s[%d, %d]) -> y { y = transpose(x) }\n",
                                 t, n, side[i], types[t], n, side[i]);
  for (int t = 0; t < TYPES; t++)
    for (int planes = 2; planes <= 4; planes++)
      for (int n = 5 - planes; n <= 67; n += 6)
        at += (size_t)snprintf(
            text + at, sizeof text - at,
            "graph weave_%d_%d_%d(x: %s[2, %d, %d], z: %s[2, %d, %d]) -> (y, w) {\n"
            "  y = transpose(x, [0, 2, 1])\n  w = transpose(z, [0, 2, 1]) }\n",
            t, planes, n, types[t], planes, n, types[t], n, planes);
  for (size_t i = 0; i < sizeof large / sizeof *large; i++)
    at += (size_t)snprintf(text + at, sizeof text - at,
                           "graph large_%zu(x: %s) -> y { y = transpose(x) }\n", i, large[i]);
  at += (size_t)snprintf(text + at, sizeof text - at,
                         "graph runs(x: u8[3, 5000, 1024]) -> y { y = transpose(x, [1, 0, 2]) }\n");
  return run_text(text, cpu);
}

static int others(const char *cpu) {
  static char text[1 << 16];
  size_t at = 0;
  for (int t = 0; t < TYPES; t++)
    at += (size_t)snprintf(
        text + at, sizeof text - at,
        "graph join_%d(a: %s[5, 7], b: %s[5, 30]) -> y { y = concat(a, b, axis=1) }\n"
        "graph weave_%d(a: %s[5, 7], b: %s[5, 7]) -> y { y = stack(a, b, axis=2) }\n"
        "graph flip_%d(x: %s[9, 37]) -> y { y = flip(x, [0, 1]) }\n"
        "graph spread_%d(x: %s[9, 1]) -> y { y = expand(x, [9, 70]) }\n"
        "graph pick_%d(x: %s[90]) -> y { y = x[3:80:7] }\n"
        "graph deep_%d(x: %s[1, 8, 6, 6]) -> (y, z) { y = depth_to_space(x, blocksize=2)\n"
        "  z = space_to_depth(x, blocksize=3) }\n"
        "graph far_%d(x: %s[61, 67]) -> (y, z) { t = x |> transpose() |> reshape([61, 67])\n"
        "  y = transpose(t)\n  z = y |> flip([1]) |> transpose() |> reshape([67, 61]) |> "
        "transpose() }\n"
        "graph many_%d(x: %s[40, 6]) -> y { y = concat(x[0:2, :], x[5:8, :], x[3:5, :], x[12:15, "
        ":],\n"
        "  x[39:40, :], x[9:11, :], x[1:4, :], x[13:15, :], x[6:9, :], x[17:20, :], axis=0) }\n"
        "graph same_%d(x: %s[7, 5]) -> (y, z, w) { y = transpose(x)\n  z = identity(y)\n  w = "
        "identity(x) }\n"
        "graph picked_%d(x: %s[7, 49, 7]) -> y { y = gather(x, [43, 46, 27, 10, 31, 37, 15, 48, "
        "28, 17,\n"
        "  30, 2, 47, 1, 38, 45, 39, 32, 9, 18, 29, 26, 12, 8, 23, 7, 36, 19, 13, 5, 25, 14, 22, "
        "41, 21, 16,\n"
        "  0, 34, 40, 33, 20, 6, 42, 11, 35, 24, 4, 3, 44], axis=1) |> reshape([343, 7]) |> "
        "transpose() }\n"
        "graph view_%d(x: %s[40, 6]) -> (y, z) { y = reshape(x, [6, 40])\n  z = x[7:9, :] }\n",
        t, types[t], types[t], t, types[t], types[t], t, types[t], t, types[t], t, types[t], t,
        types[t], t, types[t], t, types[t], t, types[t], t, types[t], t, types[t]);
  return run_text(text, cpu);
}

#ifdef __x86_64__
static bool has_feature(const char *name) {
  char *features = LLVMGetHostCPUFeatures();
  char *found = strstr(features, name);
  bool has = found && found > features && found[-1] == '+';
  LLVMDisposeMessage(features);
  return has;
}
#endif

int main(int argc, char **argv) {
  int part = argc > 1 ? atoi(argv[1]) : 0;
  const char *cpu = part == 3 ? "x86-64" : "native";
#ifndef __x86_64__
  cpu = "native";
#endif
  int failures = 0;
  if (part == 0 || part == 3)
    failures += runs(cpu);
  if (part == 1 || part == 3)
    failures += transpositions(cpu);
  if (part == 2 || part == 3)
    failures += others(cpu);
#ifdef __x86_64__
  static const char *const levels[] = {"x86-64", "x86-64-v3", "x86-64-v4"};
  static const char *const needs[] = {"sse2", "avx2", "avx512bw"};
  if (part >= 4 && part <= 6 && has_feature(needs[part - 4]))
    failures += tiles(levels[part - 4]);
#else
  if (part == 4)
    failures += tiles("native");
#endif
  return failures != 0;
}
