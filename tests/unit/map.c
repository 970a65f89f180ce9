// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t
//
// Chains of functions: what is dropped, what shares a number, which constants they have, and the engine that runs them.
#include "Inputs/call.h"

#include "runtime/move.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                                       \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

static rsh_map table[8];
static rsh_maps maps = {table, 1, 8};

static int32_t cast(int32_t before, rsh_dtype from, rsh_dtype to) {
  rsh_step step = {.op = RSH_OP_CAST, .from = from, .to = to, .rule = {true, RSH_ROUND_UP}};
  int32_t map = -1;
  EXPECT(rsh_map_add(&maps, before, &step, &map) == RSH_ok);
  return map;
}

static void check_chains(void) {
  int32_t f32 = cast(0, RSH_U8, RSH_F32);
  EXPECT(f32 == 1 && cast(0, RSH_U8, RSH_F32) == f32); // once
  EXPECT(cast(0, RSH_F32, RSH_F32) == 0);              // nothing
  EXPECT(cast(f32, RSH_F32, RSH_U8) == 0);             // there and back
  int32_t f64 = cast(f32, RSH_F32, RSH_F64);
  EXPECT(table[f64].before == 0 && table[f64].step.from == RSH_U8); // one cast instead of two
  EXPECT(cast(f64, RSH_F64, RSH_U8) == 0);
  int32_t i8 = cast(f32, RSH_F32, RSH_I8); // 255 becomes 127, by itself it would be -1
  EXPECT(table[i8].before == f32);
  int32_t half = cast(0, RSH_F32, RSH_F16); // loses digits
  EXPECT(cast(half, RSH_F16, RSH_F32) != 0);
  maps.capacity = maps.count;
  rsh_step step = {.op = RSH_OP_TANH, .from = RSH_F32, .to = RSH_F32};
  int32_t none = -1;
  EXPECT(rsh_map_add(&maps, 0, &step, &none) == RSH_too_small);
  maps.capacity = 8;
  EXPECT(rsh_map_add(&maps, f32, &step, &none) == RSH_ok && rsh_map_takes(&maps, none) == RSH_U8);
}

static void check_engine(void) {
  // y[i] = cast(x[2 - i]), and y[3] = 7
  rsh_axis axis = {.extent = {3, 0}, .dst = {1, 0}, .src = {-1, 0}};
  int32_t f32 = cast(0, RSH_U8, RSH_F32), i8 = cast(f32, RSH_F32, RSH_I8);
  rsh_move move[2] = {{.map = i8, .axis_count = 1, .src_offset = {2, 0}},
                      {.source = -1, .first = 1, .dst_offset = {3, 0}}};
  rsh_moves moves = {move, &axis, 2, 2, 1, 1, 0};
  const uint8_t x[3] = {1, 200, 100}, seven = 7;
  const void *sources[1] = {x}, *fills[1] = {&seven};
  int8_t y[4];
  EXPECT(rsh_run_mapped(&moves, &maps, 1, sources, fills, y) == RSH_ok);
  EXPECT(y[0] == 100 && y[1] == 127 && y[2] == 1 && y[3] == 7);
  EXPECT(rsh_run_moves(&moves, 1, sources, fills, y) == RSH_unsupported);
  float z[3];
  moves.count = 1;
  move[0].map = f32;
  EXPECT(rsh_run_mapped(&moves, &maps, 4, sources, NULL, z) == RSH_ok);
  EXPECT(z[0] == 100 && z[1] == 200 && z[2] == 1);
  // w[i][j] = cast(x[i + j])
  rsh_axis rows[2] = {{.extent = {2, 0}, .dst = {2, 0}, .src = {1, 0}},
                      {.extent = {2, 0}, .dst = {1, 0}, .src = {1, 0}}};
  rsh_move both[2] = {{.map = f32, .axis_count = 2}, {.map = f32, .axis_count = 2}};
  rsh_moves windows = {both, rows, 1, 2, 2, 2, 0};
  float w[4];
  EXPECT(rsh_run_mapped(&windows, &maps, 4, sources, NULL, w) == RSH_ok);
  EXPECT(w[0] == 1 && w[1] == 200 && w[2] == 200 && w[3] == 100);
  maps.count =
      1; // elements of less than a byte have no address: neither the first move nor the second runs
  both[0].map = cast(0, RSH_U4, RSH_F32), both[1].map = cast(0, RSH_U8, RSH_F32);
  windows.count = 2;
  w[0] = 9;
  EXPECT(rsh_run_mapped(&windows, &maps, 4, sources, NULL, w) == RSH_unsupported && w[0] == 9);
  uint64_t element = 0;
  maps.count = 1;
  EXPECT(rsh_map_element(&maps, cast(0, RSH_STRING, RSH_I8), x, &element) != RSH_ok);
  maps.count = 1;
  f32 = cast(0, RSH_U8, RSH_F32);
  rsh_step step = {.op = RSH_OP_TANH, .from = RSH_F32, .to = RSH_F32};
  EXPECT(rsh_map_add(&maps, f32, &step, &move[0].map) == RSH_ok);
  EXPECT(rsh_run_mapped(&moves, &maps, 4, sources, NULL, z) == RSH_unsupported);
}

// Two casts are one if the first keeps all values and the second cannot tell.
static void check_merged(void) {
  static const struct {
    rsh_dtype a, b, c;
    bool is_one;
  } rows[] = {
      {RSH_U8, RSH_I16, RSH_F32, true},   {RSH_U8, RSH_F32, RSH_F64, true},
      {RSH_F16, RSH_F32, RSH_F64, true},  {RSH_U16, RSH_F32, RSH_BOOL, true},
      {RSH_BOOL, RSH_I8, RSH_F32, true},  {RSH_I8, RSH_F32, RSH_F64, true},
      {RSH_I8, RSH_U8, RSH_I16, false},   // -1 becomes 255
      {RSH_U16, RSH_I16, RSH_F32, false}, // 40000 becomes negative
      {RSH_U16, RSH_F32, RSH_U8, false},  // 300 becomes 255, by itself it would be 44
      {RSH_F16, RSH_F32, RSH_I8, false},  {RSH_F32, RSH_F16, RSH_F64, false}, // digits are lost
      {RSH_I32, RSH_I16, RSH_I32, false},                                     // high bits are lost
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    maps.count = 1;
    int32_t first = cast(0, rows[i].a, rows[i].b), both = cast(first, rows[i].b, rows[i].c);
    bool is_one = table[both].before == 0 && table[both].step.from == rows[i].a;
    if (is_one != rows[i].is_one)
      printf("row %zu\n", i), exit(1);
  }
  maps.count = 1;
  int32_t f32 = cast(0, RSH_U8, RSH_F32),
          bits = cast(f32, RSH_I32, RSH_I64); // a bitcast came between
  EXPECT(table[bits].before == f32);
  rsh_step relu = {.op = RSH_OP_RELU, .from = RSH_F32, .to = RSH_F32};
  int32_t of_relu = -1;
  EXPECT(rsh_map_add(&maps, f32, &relu, &of_relu) == RSH_ok);
  EXPECT(table[cast(of_relu, RSH_F32, RSH_U8)].before == of_relu);
  maps.count = 1;
}

static void check_lossless(void) {
  static const struct {
    rsh_dtype from, to;
    bool is;
  } rows[] = {
      {RSH_BOOL, RSH_F8E8M0, false}, {RSH_BOOL, RSH_F32, true},    {RSH_BOOL, RSH_I4, true},
      {RSH_BOOL, RSH_C64, false},    {RSH_U8, RSH_F16, true},      {RSH_I16, RSH_F16, false},
      {RSH_I8, RSH_BF16, true},      {RSH_U16, RSH_BF16, false},   {RSH_U16, RSH_F32, true},
      {RSH_U64, RSH_F64, false},     {RSH_I32, RSH_F64, true},     {RSH_U8, RSH_I8, true},
      {RSH_I32, RSH_I16, false},     {RSH_F16, RSH_F32, true},     {RSH_F32, RSH_F16, false},
      {RSH_BF16, RSH_F16, false},    {RSH_F16, RSH_BF16, false},   {RSH_BF16, RSH_F32, true},
      {RSH_F64, RSH_F32, false},     {RSH_F8E5M2, RSH_F32, false}, {RSH_U8, RSH_F8E5M2, false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rsh_is_lossless(rows[i].from, rows[i].to) != rows[i].is)
      printf("%s to %s\n", rsh_dtype_name(rows[i].from), rsh_dtype_name(rows[i].to)), exit(1);
}

static rsh_step step_of(const char *text) {
  static Call c;
  rsh_step step;
  call_read(&c, text);
  if (!rsh_step_of_call(&c.call, &step))
    printf("%s: no function of elements\n", text), exit(1);
  return step;
}

// The bits of a bound that is left out are the end of its type, an infinity for floats.
static void check_constants(void) {
  static const struct {
    const char *call;
    uint64_t constant[2];
  } rows[] = {
      {"clip u8[2]", {0, 255}},
      {"clip u8[2] min=#7", {7, 255}},
      {"clip u8[2] max=#7", {0, 7}},
      {"clip i8[2]", {0x80, 0x7f}},
      {"clip i64[2]", {UINT64_C(1) << 63, INT64_MAX}},
      {"clip f32[2]", {0xff800000, 0x7f800000}},
      {"clip f16[2]", {0xfc00, 0x7c00}},
      {"add f32[2] value=#7", {7, 0}},
      {"quantize f32[2] scale=#7", {7, 0}},
      {"quantize f32[2] scale=#7 dtype=f4e2m1", {7, 8}}, // -0
      {"quantize f32[2] scale=#7 zero_point=#0 dtype=f4e2m1", {7, 0}},
      {"lookup bool[2] table=#[7]", {0, 0}}, // the number of the table
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    rsh_step step = step_of(rows[i].call);
    if (step.constant[0] != rows[i].constant[0] || step.constant[1] != rows[i].constant[1])
      printf("%s: %llx %llx\n", rows[i].call, (unsigned long long)step.constant[0],
             (unsigned long long)step.constant[1]),
          exit(1);
  }
  static Call c;
  rsh_step step;
  call_read(&c, "transpose f32[2,3]");
  EXPECT(!rsh_step_of_call(&c.call, &step));
  EXPECT(step_of("quantize f32[2] scale=#7").rule.saturate);
  EXPECT(step_of("quantize f32[2] scale=#7 dtype=f8e5m2 saturate=1").rule.saturate);
  EXPECT(!step_of("quantize f32[2] scale=#7 dtype=f8e5m2 saturate=0").rule.saturate);
  EXPECT(!step_of("cast f32[2] to=f8e5m2 saturate=0").rule.saturate);
  EXPECT(step_of("cast f32[2] to=f8e8m0 round_mode=\"down\"").rule.round == RSH_ROUND_DOWN);
  EXPECT(step_of("cast f32[2] to=f8e8m0 round_mode=\"nearest\"").rule.round == RSH_ROUND_NEAREST);
  EXPECT(step_of("lookup bool[2] table=#[7,8]").entries == 2);
  // moderate: from 2^-63 to 2^63, whose exponents in f32 are 64 and 190
  EXPECT(step_of("dequantize u8[2] scale=#1065353216").is_moderate);
  EXPECT(!step_of("dequantize u8[2] scale=#528482304").is_moderate);  // 2^-64
  EXPECT(step_of("dequantize u8[2] scale=#536870912").is_moderate);   // 2^-63
  EXPECT(step_of("dequantize u8[2] scale=#1593835520").is_moderate);  // 2^63
  EXPECT(!step_of("dequantize u8[2] scale=#1602224128").is_moderate); // 2^64
  EXPECT(!step_of("dequantize u8[2] scale=#[1065353216,1602224128]").is_moderate);
  EXPECT(!step_of("dequantize u8[2] scale=#~[1065353216,1065353216]").is_moderate);
  EXPECT(!step_of("dequantize u8[2] scale=1").is_moderate); // no element
}

// An argument that is an element has the type of the operand, or that of the result.
static void check_value_types(void) {
  static const struct {
    const char *call;
    int arg;
    rsh_dtype type;
  } rows[] = {
      {"add f32[2] value=#7", 0, RSH_F32},
      {"pad u8[2] pads=[1,0] value=#7", 1, RSH_U8},
      {"quantize f16[2] scale=#7 zero_point=#0 dtype=i8", 0, RSH_F16},
      {"quantize f16[2] scale=#7 zero_point=#0 dtype=i8", 1, RSH_I8},
      {"dequantize u8[2] scale=#7 zero_point=#0 dtype=f16", 0, RSH_F16},
      {"dequantize u8[2] scale=#7 zero_point=#0 dtype=f16", 1, RSH_U8},
      {"requantize i32[2] multiplier=#7 shift=#0 zero_point=#0", 0, RSH_I32},
      {"requantize i32[2] multiplier=#7 shift=#0 zero_point=#0", 2, RSH_I8},
      {"lookup u2[2] table=#[7] dtype=f32", 0, RSH_F32},
  };
  static Call c;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    call_read(&c, rows[i].call);
    if (rsh_value_type(&c.call, rows[i].arg) != rows[i].type)
      printf("%s: argument %d\n", rows[i].call, rows[i].arg), exit(1);
  }
  EXPECT(rsh_is_rowwise(RSH_OP_SOFTMAX) && !rsh_is_rowwise(RSH_OP_RELU));
}

static int32_t add(int32_t before, rsh_step step) {
  int32_t map = -1;
  EXPECT(rsh_map_add(&maps, before, &step, &map) == RSH_ok);
  return map;
}

// Functions that differ in any part have numbers of their own.
static void check_numbers(void) {
  static const rsh_num entries[3] = {{7, 0}, {8, 0}, {9, 0}}, others[3] = {{7, 0}, {6, 0}, {9, 0}};
  const rsh_step base = {.op = RSH_OP_LOOKUP,
                         .from = RSH_U2,
                         .to = RSH_U8,
                         .constant = {1, 2, 3},
                         .tables = 1,
                         .places = 4,
                         .divisor = 1,
                         .table = entries,
                         .entries = 2};
  EXPECT(rsh_same_step(&base, &base));
#define DIFFERS(member, value)                                                                     \
  do {                                                                                             \
    rsh_step other = base;                                                                         \
    other.member = value;                                                                          \
    EXPECT(!rsh_same_step(&base, &other));                                                         \
  } while (0)
  DIFFERS(op, RSH_OP_CAST);
  DIFFERS(from, RSH_I2);
  DIFFERS(to, RSH_I8);
  DIFFERS(rule.saturate, true);
  DIFFERS(rule.round, RSH_ROUND_DOWN);
  DIFFERS(constant[2], 4);
  DIFFERS(tables, 3);
  DIFFERS(places, 5);
  DIFFERS(divisor, 2);
  DIFFERS(table, others);
  DIFFERS(entries, 3);
  DIFFERS(entries, 1);
}

// A quantize that inverts the dequantize before it leaves nothing, if its scales are moderate.
static void check_undone(void) {
  static const struct {
    const char *first, *second;
    bool is_undone;
  } rows[] = {
      {"dequantize u8[2] scale=#1065353216", "quantize f32[2] scale=#1065353216", true},
      {"dequantize u8[2] scale=#1065353216 zero_point=#3",
       "quantize f32[2] scale=#1065353216 zero_point=#3", true},
      {"dequantize u8[2] scale=#1065353216 zero_point=#3",
       "quantize f32[2] scale=#1065353216 zero_point=#4", false},
      {"dequantize u8[2] scale=#1065353216", "quantize f32[2] scale=#1065353216 dtype=i8", false},
      {"dequantize u8[2] scale=#1065353216 dtype=f16", "quantize f16[2] scale=#1065353216", false},
      {"dequantize f8e5m2[2] scale=#1065353216", "quantize f32[2] scale=#1065353216 dtype=f8e5m2",
       false},
      {"dequantize u8[2] scale=#1602224128", "quantize f32[2] scale=#1602224128", false},
      {"dequantize u8[2] scale=#1065353216", "quantize f16[2] scale=#1065353216", false},
      {"cast u8[2] to=f32", "quantize f32[2] scale=#1065353216", false},
      {"dequantize u8[2] scale=#1065353216", "relu f32[2]", false},
      {"dequantize u8[2] scale=#[1065353216,1065353216]",
       "quantize f32[2] scale=#[1065353216,1065353216]", true},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    maps.count = 1;
    int32_t both = add(add(0, step_of(rows[i].first)), step_of(rows[i].second));
    if ((both == 0) != rows[i].is_undone)
      printf("%s, %s\n", rows[i].first, rows[i].second), exit(1);
  }
  // Tables along other axes than those of the functions before: the position keeps a digit for them.
  maps.count = 1;
  int32_t tabled = add(0, step_of("add u8[2] value=#[1,2]"));
  rsh_step turned = step_of("dequantize u8[2] scale=#[1065353216,1065353216]");
  rsh_step back = step_of("quantize f32[2] scale=#[1065353216,1065353216]");
  turned.divisor = back.divisor = 2;
  EXPECT(add(add(tabled, turned), back) != tabled);
  turned.divisor = back.divisor = 1;
  EXPECT(add(add(tabled, turned), back) == tabled);
  maps.count = 1;
}

int main(void) {
  check_lossless();
  check_constants();
  check_value_types();
  check_numbers();
  check_merged();
  check_undone();
  check_chains();
  check_engine();
  return 0;
}
