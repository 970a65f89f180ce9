// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the parts of a program that an object contains as constants, for tests that run a tape without code.
#ifndef TESTS_SUPPORT_PROGRAM_H
#define TESTS_SUPPORT_PROGRAM_H

#include "codegen/plan/tape.h"
#include "runtime/fold_rules.h"
#include "runtime/program_internal.h"

#include <string.h>

static rsh_rule *const program_rules[RSH_OP_COUNT] = {
#define RSH_OP(id, name, in, max, arguments, rule, ...) [RSH_OP_##id] = rsh_rule_##rule,
#include "runtime/ops.def"
#undef RSH_OP
};

static void program_leave(void *element, int64_t entry) { (void)element, (void)entry; }

// Element-wise functions other than casts do not change elements.
static rsh_program_parts program_parts_of(Arena *arena, const Tape *tape) {
  rsh_operator *operators = ARENA_ARRAY(arena, rsh_operator, tape->operator.count + 1);
  rsh_element_function *functions =
      ARENA_ARRAY(arena, rsh_element_function, tape->function.count + 1);
  for (int i = 0; i < tape->operator.count; i++) {
    const TapeOperator *from = &tape->operator.item[i];
    operators[i] = (rsh_operator){from->op, program_rules[from->op],
                                  from->fold ? rsh_fold_rule_of(from->op) : NULL,
                                  from->element ? rsh_program_cast : NULL};
  }
  for (int i = 0; i < tape->function.count; i++) {
    const rsh_step *step = &tape->function.item[i];
    functions[i] = (rsh_element_function){.op = (int32_t)step->op,
                                          .from = (int32_t)step->from,
                                          .to = (int32_t)step->to,
                                          .saturate = step->rule.saturate,
                                          .tables = step->tables,
                                          .run = program_leave};
    memcpy(functions[i].constant, step->constant, sizeof functions[i].constant);
  }
  return (rsh_program_parts){.operators = operators,
                             .functions = functions,
                             .function_count = tape->function.count,
                             .tensors = tape->tensors ? &rsh_program_dlpack : NULL,
                             .edges = tape->edges ? &rsh_program_edges : NULL,
                             .guards = tape->guards ? &rsh_program_guards : NULL,
                             .picks = tape->picks ? &rsh_program_picks : NULL,
                             .mover = strcmp(tape->mover, "rsh_program_copies") == 0
                                          ? &rsh_program_copies
                                          : &rsh_program_moves};
}

#endif
