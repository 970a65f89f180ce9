// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Casts of a program. Only graphs with casts link this file.
#include "runtime/program_internal.h"

rsh_status rsh_program_cast(const rsh_step *step, void *element) {
  Element *e = element, to = {{0}};
  rsh_status status = rsh_convert(e->byte, step->from, to.byte, step->to, step->rule);
  *e = to;
  return status;
}
