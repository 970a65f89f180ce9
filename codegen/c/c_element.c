// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements in C: reads and writes an element in an array of its type, of packed elements, or of bytes.
#include "codegen/c/c_internal.h"

#include <string.h>

// Writes a function for packed elements, the first in the lowest bits.
static void put_packed(CFile *file, const char *name, int bits, bool is_store) {
  int per_byte = 8 / bits, mask = (1 << bits) - 1;
  if (is_store)
    c_put(&file->helpers,
          "\n/* Packed element `at`; the first is in the lowest bits. */\n"
          "static void %s(uint8_t *to, size_t at, uint8_t element) {\n"
          "  const uint32_t shift = (uint32_t)(at %% %dU) * %dU;\n"
          "  const uint32_t others = to[at / %dU] & ~(0x%XU << shift);\n"
          "  to[at / %dU] = (uint8_t)(others | ((uint32_t)element << shift));\n}\n",
          name, per_byte, bits, per_byte, mask, per_byte);
  else
    c_put(&file->helpers,
          "\n/* Packed element `at`; the first is in the lowest bits. */\n"
          "static inline uint8_t %s(const uint8_t *from, size_t at) {\n"
          "  return (uint8_t)(((uint32_t)from[at / %dU] >> ((uint32_t)(at %% %dU) * %dU)) & "
          "0x%XU);\n}\n",
          name, per_byte, per_byte, bits, mask);
}

// Writes a function for integers of 16 bits and more at any address, the lowest byte first.
static void put_of_bytes(CFile *file, const char *name, int bits, bool is_store) {
  const char *text = "";
  const char *word = bits < 32 ? "uint32_t" : rsh_dtype_ctype(plan_integer_type(bits));
  for (int i = 0; i < bits / 8; i++)
    text = is_store ? arena_printf(file->arena, "%s  to[%dU * at + %dU] = (uint8_t)(n >> %d);\n",
                                   text, bits / 8, i, 8 * i)
                    : arena_printf(file->arena, "%s%s((%s)from[%dU * at + %dU] << %d)", text,
                                   i ? " |\n         " : "", word, bits / 8, i, 8 * i);
  if (is_store)
    c_put(&file->helpers,
          "\n/* Integer `at` among bytes, the lowest byte first. */\n"
          "static void %s(uint8_t *to, size_t at, uint%d_t n) {\n%s}\n",
          name, bits, text);
  else
    c_put(&file->helpers,
          "\n/* Integer `at` among bytes, the lowest byte first. */\n"
          "static uint%d_t %s(const uint8_t *from, size_t at) {\n  return %s(%s);\n}\n",
          bits, name, bits < 32 ? "(uint16_t)" : "", text);
}

// The name of the function that stores the bytes of an integer over elements of another type.
static const char *over_bytes(CFile *file, int bits) {
  const char *key = arena_printf(file->arena, "overwrite_%d", bits), *name = c_helper(file, key);
  if (name)
    return name;
  name = c_helper_add(file, key, key);
  c_put(&file->helpers,
        "\n/* Integer `at` among bytes, in the order of the machine. */\n"
        "static void %s(uint8_t *to, size_t at, uint%d_t n) {\n"
        "  const uint8_t *from = (const uint8_t *)&n;\n"
        "  for (size_t i = 0; i < %dU; i++) {\n    to[%dU * at + i] = from[i];\n  }\n}\n",
        name, bits, bits / 8, bits / 8);
  return name;
}

// The name of the function that loads or stores element `at` among bytes.
static const char *among_bytes(CFile *file, int bits, bool is_store) {
  const char *key = arena_printf(file->arena, is_store ? "store_%d" : "load_%d", bits);
  const char *name = c_helper(file, key);
  if (name)
    return name;
  name = c_helper_add(file, key, key);
  (bits < 8 ? put_packed : put_of_bytes)(file, name, bits, is_store);
  return name;
}

static bool is_number(rsh_dtype type) { return type == RSH_F32 || type == RSH_F64; }

const char *c_as_type(CKernel *k, const char *text, rsh_dtype from, rsh_dtype to) {
  Arena *arena = k->file->arena;
  const char *type = rsh_dtype_ctype(to);
  if (strcmp(rsh_dtype_ctype(from), type) == 0)
    return text;
  if (is_number(from))
    text = arena_printf(arena, "%s(%s)", c_bits_of_float(k->file, from == RSH_F64), text);
  if (is_number(to))
    return arena_printf(arena, "%s((uint%d_t)%s)", c_float_of_bits(k->file, to == RSH_F64),
                        rsh_dtype_bits(to), text);
  return arena_printf(arena, "(%s)%s", type, text);
}

bool c_has_size(rsh_dtype a, rsh_dtype b) { return plan_element_bits(a) == plan_element_bits(b); }

const char *c_as_bytes(CKernel *k, const char *array, rsh_dtype type, bool is_const) {
  if (strcmp(rsh_dtype_ctype(type), "uint8_t") == 0)
    return array;
  return arena_printf(k->file->arena, "((%suint8_t *)%s)", is_const ? "const " : "", array);
}

const char *c_take(CKernel *k, int source, rsh_dtype type, const char *index) {
  Arena *arena = k->file->arena;
  int bits = plan_element_bits(type);
  rsh_dtype own = c_source_type(k, source);
  bool is_resized = !c_has_size(type, own);
  const char *array = c_source(k, source);
  if (is_resized)
    array = c_as_bytes(k, array, own, true);
  if (bits >= 8 && (!is_resized || bits == 8))
    return c_as_type(k, arena_printf(arena, "%s[%s]", array, index), is_resized ? RSH_U8 : own,
                     type);
  const char *element =
      arena_printf(arena, "%s(%s, %s)", among_bytes(k->file, bits, false), array, index);
  return c_as_type(k, element, plan_integer_type(bits), type);
}

void c_put_word(CKernel *k, const CSpot *spot, rsh_dtype type, const char *index,
                const char *word) {
  int bits = plan_element_bits(type);
  if (bits >= 8 && (!spot->in_bytes || bits == 8))
    c_line(k, "%s[%s] = %s;", spot->to, index,
           c_as_type(k, word, type, spot->in_bytes ? RSH_U8 : spot->type));
  else
    c_line(k, "%s(%s, %s, %s);",
           spot->overwrites ? over_bytes(k->file, bits) : among_bytes(k->file, bits, true),
           spot->to, index, c_as_type(k, word, type, plan_integer_type(bits)));
}
