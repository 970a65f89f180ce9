// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data of C code: constants as arrays, tables of places, and the sources of nests.
#include "codegen/c/c_internal.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static bool is_by_bits(rsh_dtype type) {
  return type == RSH_F32 || type == RSH_F64 || type == RSH_C64 || type == RSH_C128;
}

void c_put_item(CText *text, int64_t index, int64_t per_line, const char *item) {
  c_put(text, "%s%s", index == 0 ? "\n    " : index % per_line == 0 ? ",\n    " : ", ", item);
}

// Whether C has literals for all of them.
static bool are_finite(rsh_dtype dtype, const uint8_t *data, int64_t count) {
  const rsh_cast_rule plain = {true, RSH_ROUND_UP};
  bool finite = true;
  for (int64_t i = 0; finite && i < count; i++) {
    double number;
    (void)rsh_convert(data + i * c_unit(dtype), dtype, &number, RSH_F64, plain);
    finite = isfinite(number);
  }
  return finite;
}

// An array of elements, given by their bytes in memory. Floats are given by their bits, because of NaN payloads.
// Returns the expression that names it.
static const char *put_data(CFile *file, const char *name, rsh_dtype dtype, const uint8_t *data,
                            int64_t bytes) {
  int64_t unit = c_unit(dtype), count = bytes / unit;
  const char *type = rsh_dtype_ctype(dtype);
  bool by_bits = is_by_bits(dtype);
  rsh_dtype printed = !by_bits ? dtype : unit == 8 ? RSH_U64 : RSH_U32;
  if (by_bits)
    c_put(&file->helpers,
          "\nstatic const union {\n  uint%d_t bits[%" PRId64 "];\n  %s number[%" PRId64
          "];\n} %s = {{",
          (int)unit * 8, count, type, count, name);
  else
    c_put(&file->helpers, "\nstatic const %s %s[%" PRId64 "] = {", type, name, count);
  for (int64_t i = 0; i < count; i++)
    c_put_item(&file->helpers, i, unit == 8 ? 4 : 12, c_literal(file, printed, data + i * unit));
  c_put(&file->helpers, "\n}%s;\n", by_bits ? "}" : "");
  return by_bits ? arena_printf(file->arena, "%s.number", name) : name;
}

const char *c_put_numbers(CFile *file, const char *name, rsh_dtype dtype, const uint8_t *data,
                          int64_t count) {
  if (!are_finite(dtype, data, count))
    return put_data(file, name, dtype, data, count * c_unit(dtype));
  c_put(&file->helpers, "\nstatic const %s %s[%" PRId64 "] = {", rsh_dtype_ctype(dtype), name,
        count);
  for (int64_t i = 0; i < count; i++)
    c_put_item(&file->helpers, i, 6, c_literal(file, dtype, data + i * c_unit(dtype)));
  c_put(&file->helpers, "\n};\n");
  return name;
}

const char *c_shared_data(CKernel *k, const char *key, const char *suffix, rsh_dtype dtype,
                          const uint8_t *data, int64_t bytes) {
  CFile *file = k->file;
  const char *name = c_helper(file, key);
  if (name)
    return is_by_bits(dtype) ? arena_printf(file->arena, "%s.number", name) : name;
  name = c_helper_add(file, key, arena_printf(file->arena, "%s_%s", k->name, suffix));
  return put_data(file, name, dtype, data, bytes);
}

// Kernels, tasks and variants of a graph share its constants.
const char *c_constant(CKernel *k, const Value *value) {
  Arena *arena = k->file->arena;
  int64_t bytes = (int64_t)plan_value_bytes(value);
  const char *key = arena_printf(arena, "constant %p %s %" PRId64, (const void *)value->data,
                                 rsh_dtype_name(value->dtype), bytes);
  return c_shared_data(k, key, arena_printf(arena, "constant_%d", value->id), value->dtype,
                       value->data, bytes);
}

const char *c_table(CKernel *k, const int64_t *item, int count, int width, const char *what) {
  CFile *file = k->file;
  bool is_signed;
  int bits = code_entry_bits(item, (int64_t)count * width, &is_signed);
  CText rows = {.arena = file->arena};
  c_put(&rows, "[%d]", count);
  c_put(&rows, width > 1 ? "[%d] = {" : " = {", width);
  for (int i = 0; i < count; i++) {
    const char *text = width > 1 ? "{" : "";
    for (int j = 0; j < width; j++) {
      int64_t n = item[i * width + j];
      const char *number =
          is_signed && bits > 32
              ? c_int(file->arena, n)
              : arena_printf(file->arena, is_signed ? "%" PRId64 : "%" PRId64 "U", n);
      text = arena_printf(file->arena, "%s%s%s", text, j ? ", " : "", number);
    }
    int per_line = is_signed && width > 4 ? 1 : width > 1 ? 6 : 12;
    c_put_item(&rows, i, per_line, arena_printf(file->arena, "%s%s", text, width > 1 ? "}" : ""));
  }
  c_put(&rows, "\n};\n");
  const char *key = arena_text(file->arena, rows.letter.item, (size_t)rows.letter.count);
  const char *name = c_helper(file, key);
  if (name) // the kernel and its tasks share it
    return name;
  name = c_helper_add(file, key, arena_printf(file->arena, "%s_%s", k->name, what));
  c_put(&file->helpers, "\nstatic const %s%d_t %s%s", is_signed ? "int" : "uint", bits, name, key);
  return name;
}

// ---- sources ----

// Sources are inputs, constants, and kept values.
const char *c_source(CKernel *k, int id) {
  Arena *arena = k->file->arena;
  const Value *value = k->plan->graph->value.item[id];
  if (value_is_constant(value))
    return c_constant(k, value);
  if (!value_is_kept(value))
    return c_parameter(k, PARAMETER_INPUT, id);
  const Pass *pass = plan_pass(k->plan, id);
  if (pass->output >= 0)
    return c_parameter(k, PARAMETER_OUTPUT, pass->output);
  const char *scratch = arena_printf(arena, "(%s*)%s", c_element(arena, value->dtype, false),
                                     c_parameter(k, PARAMETER_SCRATCH, 0));
  if (rsh_is(pass->at, 0))
    return arena_printf(arena, "(%s)", scratch);
  return arena_printf(arena, "(%s + %s)", scratch,
                      c_number(k, code_divided(pass->at, c_unit(value->dtype)), true));
}

rsh_dtype c_source_type(const CKernel *k, int id) {
  const Value *value = rsh_is_fill(id) ? NULL : k->plan->graph->value.item[id];
  const Pass *pass = value && value_is_kept(value) ? plan_pass(k->plan, id) : NULL;
  return pass && pass->output >= 0 ? k->plan->output[pass->output].output->value->dtype
                                   : plan_source_type(k->plan->graph, id);
}

const char *c_call_stage(CKernel *k, int stage, const char *at, const char *left) {
  const char *text = arena_printf(k->file->arena, "%s(", k->stage[stage]);
  for (int i = 0; i < plan_stage_parameters(k->plan); i++) {
    k->is_used[i] = true;
    text = arena_printf(k->file->arena, "%s%s, ", text, k->parameter[i]);
  }
  if (k->plan->stage[stage].finds_parts)
    at = arena_printf(k->file->arena, "%s, %s", at, left ? left : "&(size_t){0}");
  return arena_printf(k->file->arena, "%s%s%s)", text, at, c_use_places(k));
}
