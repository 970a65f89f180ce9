// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constant data that a function passes to the runtime, as a tree. Its form in an object and in C:
//
//   table "parts"                       static const struct rsh_program_parts f_parts = {
//     record rsh_program_parts              f_operators, NULL, 0, NULL, NULL, NULL, NULL, &rsh_program_moves
//       table "operators"               };
//         list
//           record rsh_operator         static const struct rsh_operator f_operators[1] = {
//             integer 0, runtime ...        {0, rsh_rule_reshape, rsh_fold_reshape, NULL}
//       null, ...                       };
#ifndef CODEGEN_DATUM_H
#define CODEGEN_DATUM_H

#include "codegen/plan/plan.h"

typedef enum DatumKind {
  DATUM_INTEGER, // `number`, with `bits` bits
  DATUM_NULL,    // a null pointer
  DATUM_RUNTIME, // the address of `name` in the runtime
  DATUM_ELEMENT, // the address of the function of element step `number` of the tape
  DATUM_TABLE, // the address of its item, a separate constant named FUNCTION_NAME, where NAME is `name`
  DATUM_RECORD, // a struct `name`
  DATUM_LIST    // of records or integers
} DatumKind;

// The kind of `name` in the runtime: a function of an operator, or a constant.
typedef enum RuntimeKind {
  RUNTIME_RULE,
  RUNTIME_FOLD,
  RUNTIME_ELEMENT,
  RUNTIME_CONSTANT
} RuntimeKind;

typedef struct Datum {
  DatumKind kind;
  int bits;
  int64_t number;
  const char *name;
  RuntimeKind runtime;
  VEC(const struct Datum *) item;
} Datum;

// The rsh_program_parts of a dynamic graph's function, or of its NAME_shape, as a table.
const Datum *datum_of_parts(Arena *arena, const Tape *tape, bool is_shape);

#endif
