// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entries of lists that are data: integers of each type as stored by the machine, the first packed ones in the lowest
// bits; a u64 that is too large is INT64_MAX.
//
// TARGET: x86_64-linux-gnu
// TARGET: i686-linux-gnu
// TARGET: s390x-linux-gnu
// TARGET: powerpc-linux-gnu
// TARGET: mips-linux-gnu -Os -DRSH_ONLY_KNOWN
// TARGET: thumbv7em-none-eabi -Os -DRSH_ONLY_KNOWN
// MUTANT: runtime/program_resolve.c | for (int32_t k = bytes - 1; k >= 0; k--) | for (int32_t k = bytes - 1; k > 0; k--)
// MUTANT: runtime/program_resolve.c | at += i * bytes; | at += i;
// MUTANT: runtime/program_resolve.c | if (!RSH_FOR_SIZE && type == RSH_I64) | if (!RSH_FOR_SIZE && type == RSH_U64)
// MUTANT: runtime/program_resolve.c | n > INT64_MAX ? INT64_MAX : (int64_t)n; | (int64_t)n;
// MUTANT: runtime/program_resolve.c | uint64_t sign = UINT64_C(1) << (bits - 1) | uint64_t sign = UINT64_C(1) << (bits - 2)
// MUTANT: runtime/program_resolve.c | rsh_dtype_is_signed(type) && (n & sign) != 0 | (n & sign) != 0
// MUTANT: runtime/program_resolve.c | n = at[(i * bits - in_byte) / 8] >> in_byte; | n = at[(i * bits - in_byte) / 8] << in_byte;
#include "tests/prove/Inputs/prove.h"

#include "runtime/convert.c"
#include "runtime/dtype.c"
#include "runtime/program_resolve.c"

static const struct {
  rsh_dtype type;
  int bits;
  bool is_signed;
} types[] = {{RSH_I64, 64, true},  {RSH_I32, 32, true}, {RSH_I16, 16, true},  {RSH_I8, 8, true},
             {RSH_I4, 4, true},    {RSH_I2, 2, true},   {RSH_U64, 64, false}, {RSH_U32, 32, false},
             {RSH_U16, 16, false}, {RSH_U8, 8, false},  {RSH_U4, 4, false},   {RSH_U2, 2, false},
             {RSH_U1, 1, false}};

static bool is_big_endian(void) {
  const union {
    uint16_t word;
    uint8_t byte[2];
  } one = {1};
  return one.byte[1] == 1;
}

// Of two elements, or of two bytes of packed ones.
void harness(void) {
  uint8_t which = any_choice(sizeof types / sizeof *types), memory[16],
          bits = (uint8_t)types[which].bits;
  int32_t count = bits < 8 ? 16 / bits : 2, i = any_choice((uint8_t)(bits < 8 ? 16 / bits : 2));
  int32_t bytes = count * bits / 8;
  uint64_t n = 0;
  for (int32_t k = 0; k < bytes; k++)
    memory[k] = any_byte();
  int64_t got = rsh_target_entry(memory, types[which].type, i);
  for (int32_t bit = 0; bit < bits; bit++) {
    int32_t place = i * bits + bit, byte = place / 8; // of a machine whose lowest byte is first
    if (bits > 8 && is_big_endian())
      byte = i * bits / 8 + bits / 8 - 1 - bit / 8;
    n |= (uint64_t)(memory[byte] >> place % 8 & 1) << bit;
  }
  if (bits == 64) {
    prove(got == (types[which].is_signed || n >> 63 == 0 ? (int64_t)n : INT64_MAX));
    return;
  }
  int64_t value = (int64_t)n;
  if (types[which].is_signed && (n >> (bits - 1) & 1) != 0)
    value -= INT64_C(1) << bits;
  prove(got == value);
}
