// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last part of a program whose results are copies of inputs, because it consists only of reshapes. It copies bytes
// without folding.
#include "runtime/program_internal.h"

// A partial last byte has the remaining elements, then zeros.
static void copy(unsigned char *to, const unsigned char *from, int64_t elements, int32_t bits) {
  int32_t in_byte = bits < 8 ? 8 / bits : 1;
  size_t bytes = (size_t)(elements / in_byte) * (size_t)(bits < 8 ? 1 : bits / 8);
  int32_t rest = (int32_t)(elements % in_byte) * bits;
  rsh_copy_bytes(to, from, bytes);
  if (rest > 0)
    to[bytes] = (unsigned char)(from[bytes] & ((1 << rest) - 1));
}

static rsh_status copy_outputs(Program *p) {
  for (int32_t k = 0; k < tape_count(p, RSH_TAPE_OUTPUTS); k++) {
    const ProgramValue *v = &p->value[p->output[k].value];
    int32_t bits = (int32_t)rsh_program_bits((rsh_dtype)v->dtype);
    const unsigned char *from = rsh_program_data(p, p->output[k].copied);
    if (v->elements > 0)
      copy(p->call->outputs[k], from, v->elements, bits);
  }
  return RSH_ok;
}

const rsh_program_mover rsh_program_copies = {.move = copy_outputs};
