// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// element: the intermediate representation of element-wise functions: casts, activations, floats on machines without a
// floating-point unit. A function is straight-line code, each value after its operands, and is printed as LLVM and as
// C:
//
//   relu of f32     %0 = parameter 0        const float choice = (0.0F > x) ? 0.0F : x;
//                   %1 = 0.0                return choice;
//                   %2 = f_more %1, %0
//                   %3 = select %2, %1, %0
//
// Constants are folded while it is built.
#ifndef CODEGEN_ELEMENT_H
#define CODEGEN_ELEMENT_H

#include "codegen/element/machine.h"
#include "frontend/graph/graph.h"

typedef enum ElementOp {
#define ELEMENT_OP(id, kind, llvm, sign) ELEMENT_##id,
#include "codegen/element/element_ops.def"
#undef ELEMENT_OP
  ELEMENT_OP_COUNT
} ElementOp;

// An integer of 1 to 64 bits, or a float of 16, 32 or 64.
typedef struct ElementType {
  int bits;
  bool is_float;
} ElementType;

typedef int ElementValue; // index into Element.node

enum { ELEMENT_OPERANDS = 3, ELEMENT_NONE = -1 };

typedef struct ElementNode {
  ElementOp op;
  ElementType type;
  ElementValue operand[ELEMENT_OPERANDS];
  uint64_t n;                   // of a PARAMETER or INTEGER; the number of entries of an ENTRY
  const uint64_t *entry;        // the bits of the entries of an ENTRY
  double number;                // of a NUMBER
  const char *name;             // the name of the value; of LIBM, the function
  const struct Element *called; // of a CALL
} ElementNode;

typedef struct Element {
  Arena *arena;
  const ElementMachine *machine;
  const char *name;    // of a called function, not a C identifier: "f32-to-i8"
  bool is_inlined;     // inline this called function if it is as short as a call or two
  const Table *tables; // of the graph
  int64_t repeat;      // number of consecutive copies of each table
  VEC(ElementNode) node;
  ElementValue result;
  ElementValue
      entry; // parameter 1 of a step with tables: the index of the entries for this element
} Element;

// The function of a step of a graph with these tables. Elements are passed as integers of their width; `as_numbers`:
// f32 and f64 are passed as floats. Parameter 1, if the step has tables: the index of the entry, a word. There are
// `repeat` consecutive copies of the tables.
const Element *element_of_step(Arena *arena, const ElementMachine *machine, const Table *tables,
                               int64_t repeat, const rsh_step *step, bool as_numbers);
// The number of operations of a step that are the same for all elements, so that it can be vectorized. -1: one is not.
int element_operations(const ElementMachine *machine, const Graph *graph, const rsh_step *step);
// The result of a step for one element of up to 64 bits. False: it has tables, calls libm, or makes a NaN, which
// machines make differently.
bool element_apply(const Graph *graph, const rsh_step *step, uint64_t bits, uint64_t *out);
// An element of a float type as a float or double, and back.
const Element *element_to_number(Arena *arena, const ElementMachine *machine, rsh_dtype type);
const Element *element_of_number(Arena *arena, const ElementMachine *machine, rsh_dtype type);
// e^(x - most) of two floats or doubles, for softmax.
const Element *element_power(Arena *arena, const ElementMachine *machine, bool is_double);

// ---- for the builders ----

Element *element_new(Arena *arena, const ElementMachine *machine, const char *name);
ElementValue element_parameter(Element *e, int index, ElementType type, const char *name);
ElementValue element_integer(Element *e, int bits, uint64_t n); // the low bits of n
ElementValue element_number(Element *e, int bits, double n);
// Entry `at`, a word, of a list of constants, given by their bits; a single constant if all entries are equal.
ElementValue element_entries(Element *e, ElementType type, const uint64_t *entry, int64_t count,
                             ElementValue at);
ElementValue element_unary(Element *e, ElementOp op, ElementValue a, const char *name);
ElementValue element_binary(Element *e, ElementOp op, ElementValue a, ElementValue b,
                            const char *name);
// The result is one bit.
ElementValue element_compare(Element *e, ElementOp op, ElementValue a, ElementValue b,
                             const char *name);
ElementValue element_select(Element *e, ElementValue test, ElementValue yes, ElementValue no);
// Returns `a` itself if it has that type.
ElementValue element_cast(Element *e, ElementOp op, ElementValue a, ElementType type,
                          const char *name);
ElementValue element_call(Element *e, const Element *called, ElementValue a, const char *name);
ElementValue element_libm(Element *e, const char *name, ElementValue a);
ElementValue element_libm_of_two(Element *e, const char *name, ElementValue a, ElementValue b);

ElementType element_type(const Element *e, ElementValue value);
bool element_is_constant(const Element *e, ElementValue value);

#endif
