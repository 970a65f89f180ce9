// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by the files of the C emitter. It prints the same plans and code as the LLVM emitter, as plain loops that a
// reviewer can read and any C99 compiler accepts.
#ifndef CODEGEN_C_INTERNAL_H
#define CODEGEN_C_INTERNAL_H

#include "codegen/code/code.h"
#include "codegen/element/element.h"
#include "codegen/header/c_text.h"
#include "codegen/plan/emit_options.h"
#include "codegen/plan/names.h"
#include "codegen/plan/split.h"
#include "codegen/plan/strategy.h"

// A function that a file contains once for all its calls: the key "cast u8 f32" has the name u8_to_f32.
typedef struct CHelper {
  const char *key, *name;
} CHelper;

typedef struct CFile {
  Arena *arena;
  Diag *diag;
  CText helpers, body; // helpers, in order of use, come before the functions of the graphs
  NameSet names;       // of the file, and of all parameters, so that no parameter hides a function
  VEC(CHelper) helper;
  bool
      has_string; // <string.h> may be included; else memcpy, memset and memmove are declared, if they may be called
  Machine can;
  ElementMachine machine;
  bool small; // optimize for size: see plan_prefill
  bool divides;
  bool needs_string, needs_math, needs_statuses, needs_tensors;
  bool rounds; // has floating-point arithmetic
  bool failed; // a message was reported
} CFile;

// ---- writing functions (c_function.c)

// The name of a helper that the file has, or NULL. c_helper_add names a new one.
const char *c_helper(const CFile *file, const char *key);
const char *c_helper_add(CFile *file, const char *key, const char *wanted);

// The current function of a graph.
typedef struct CKernel {
  CFile *file;
  const Plan *plan;
  const char *name; // of the graph's function
  const Signature *signature;
  const char **parameter; // names, and whether they are used
  bool *is_used;
  bool has_places;    // computed sizes are parameters of type size_t, after the others:
  const char **place; // their names, by symbol; NULL: it is not one
  bool *is_place_used;
  bool is_index_used; // of a stage: its parameter `at`
  NameSet locals;
  CText out;          // the body
  int depth;          // of braces
  const char **stage; // functions, by Plan.stage
  const Share *share; // of the current nest: one of its loops runs from begin to end; or NULL
} CKernel;

// Begins the body of a function that has these parameters.
CKernel c_kernel_begin(CFile *file, const Plan *plan, const Signature *signature, const char *name);
// Begins a new set of local names, which contains the parameters.
void c_locals_begin(CKernel *k);
// A line of the body.
void c_line(CKernel *k, const char *format, ...) __attribute__((format(printf, 2, 3)));
// "for (...) {", where the format is everything but the brace; and the "}" that closes it.
void c_open(CKernel *k, const char *format, ...) __attribute__((format(printf, 2, 3)));
void c_close(CKernel *k);
// "for (size_t i = from; i < to; i += step) {"
void c_for(CKernel *k, const char *index, const char *from, const char *to, int64_t step);
// A parameter's name. Marks it as used.
const char *c_parameter(CKernel *k, ParameterKind kind, int index);
// A list of the parameters' names, or of the sizes only: each size follows `size`, as "int64_t " or "(size_t)". As
// arguments, all are marked as used.
const char *c_list(const CKernel *k, const char *size, bool only_sizes);
const char *c_arguments(CKernel *k, const char *size, bool only_sizes);
// The first `count` parameters of a function that takes sizes as size_t: "size_t B, const float *restrict x". `alone`:
// see c_parameter_type.
const char *c_parameters(const CKernel *k, int count, const char *alone);
// Computed sizes, after other parameters or arguments: ", size_t place, size_t place_2"; and as arguments of a call
// from one function that has them to another.
const char *c_places(const CKernel *k, const char *type);
const char *c_use_places(CKernel *k);
// Begins a new body. c_body_end adds it to the file, after "(void)x;" for each of the first `count` parameters, and
// each place, that it does not use.
void c_body_begin(CKernel *k);
void c_body_end(CKernel *k, int count);

// ---- numbers (c_number.c): of type size_t, in functions whose sizes have that type

// The name of a symbol: a parameter, or a computed size.
const char *c_symbol(CKernel *k, int symbol);
// "768U * B * S". `is_part`: a factor of a product, so a sum is in parentheses.
const char *c_number(CKernel *k, rsh_num n, bool is_part);

// A sum of numbers times indices: 64U + 128U * i - 64U * j.
typedef struct CTerm {
  rsh_num factor;
  const char *index; // NULL: 1
} CTerm;
typedef struct CSum {
  VEC(CTerm) term;
} CSum;
CSum c_plus(CKernel *k, CSum sum, rsh_num factor, const char *index);
const char *c_sum(CKernel *k, CSum sum);

// ---- literals (c_literal.c)

// Literals: of an element, by its bytes in memory; of a finite float or double; of an int64_t.
const char *c_literal(CFile *file, rsh_dtype type, const uint8_t *bytes);
const char *c_float(Arena *arena, double value, bool is_double);
// The same for any number, including infinities and NaN.
const char *c_float_literal(CFile *file, double value, bool is_double);
const char *c_int(Arena *arena, int64_t n);
// The helpers float_of_bits or double_of_bits; and back.
const char *c_float_of_bits(CFile *file, bool is_double);
const char *c_bits_of_float(CFile *file, bool is_double);

// ---- elements (c_step.c)

// The name of the function that applies a step to an element.
const char *c_step(CFile *file, const Graph *graph, const rsh_step *step, int64_t repeat);
// float f(float x, float most): e^(x - most), as softmax computes it (code_rows.c).
const char *c_power(CFile *file, bool is_double);

// ---- data, nests, stages, passes (c_data.c, c_nest.c, c_stage.c)

// Item `index` of an initializer, with `per_line` items per line.
void c_put_item(CText *text, int64_t index, int64_t per_line, const char *item);
// The array of elements with this key, which is written once for the file. The expression that names it.
const char *c_shared_data(CKernel *k, const char *key, const char *suffix, rsh_dtype dtype,
                          const uint8_t *data, int64_t bytes);
// The array that holds a constant.
const char *c_constant(CKernel *k, const Value *value);
// An array of numbers, as literals if all are finite. Returns the expression that names it.
const char *c_put_numbers(CFile *file, const char *name, rsh_dtype dtype, const uint8_t *data,
                          int64_t count);
// An array of integers, or of rows of `width` integers if that is above 1. Returns its name.
const char *c_table(CKernel *k, const int64_t *item, int count, int width, const char *what);
// The expression of a source, an array, and the type of its elements. A kept value that is stored in an output of
// another type is read and written as elements of that type, since C compilers assume that no pointer to another type
// reaches them.
const char *c_source(CKernel *k, int id);
rsh_dtype c_source_type(const CKernel *k, int id);
// The name of the index of a loop at this depth.
const char *c_index(Arena *arena, int depth);
// Whether elements of both types have the same width; an expression converted to another C type with the same bits; and
// an array as bytes.
bool c_has_size(rsh_dtype a, rsh_dtype b);
const char *c_as_type(CKernel *k, const char *text, rsh_dtype from, rsh_dtype to);
const char *c_as_bytes(CKernel *k, const char *array, rsh_dtype type, bool is_const);
// Bytes of a C element: 4 of a complex number of 8.
int64_t c_unit(rsh_dtype type);
// The current place of a nest: the array that it fills, and the indices on both sides. `in_bytes`: the moved elements
// have another size than the elements in memory, so arrays are arrays of bytes; elements may still be indexed by
// number.
typedef struct CSpot {
  const Nest *nest;
  const char *to;
  rsh_dtype type, from; // what indices count
  bool in_bytes;
  bool
      overwrites; // stores replace elements of another type, so they store bytes, in the machine's order
  CSum start[3]; // CODE_DST, CODE_SRC, CODE_AT
} CSpot;
// The element of a source at this index; and a line that stores one at the place of a nest.
const char *c_take(CKernel *k, int source, rsh_dtype type, const char *index);
void c_put_word(CKernel *k, const CSpot *spot, rsh_dtype type, const char *index, const char *word);
// A call of the function of Plan.stage[stage]. `left`: the address for what is contiguous, if the stage finds parts;
// NULL: nobody needs it.
const char *c_call_stage(CKernel *k, int stage, const char *at, const char *left);

// "&x[3U]"; "x" for the first element, since a pointer to no elements may be null, and then &x[0] is not valid.
const char *c_address(CKernel *k, const char *base, CSum at);
// A run of `count` C elements at the place of a nest, from an array whose addresses are multiples of `align` (c_run.c),
// by WORDS, CALL or LIBRARY; and a run of equal bytes by CALL or LIBRARY.
void c_put_run(CKernel *k, const CSpot *spot, const char *from, rsh_num count, uint32_t align,
               RunStrategy strategy);
// A run of `count` elements at the pointer `from`.
void c_put_piece(CKernel *k, const CSpot *spot, const char *from, const char *count);
// The run of the nest of a place, moved within the array as memmove does.
void c_put_shift(CKernel *k, const CSpot *spot, bool is_up);
void c_put_fill(CKernel *k, const CSpot *spot, rsh_num count, RunStrategy strategy, uint8_t byte);
// The body of the kernel.
void c_put_passes(CKernel *k);
void c_put_output(CKernel *k, int index);
// The nests that fill the array `to`, of elements of this type, or a part of it (CKernel.share).
void c_put_nests(CKernel *k, const Nest *nest, int count, const char *to, rsh_dtype type);

// ---- code (c_code.c)

// How the leaves of code are printed in the current function.
typedef struct CLeaves {
  const char *buffer; // BUFFER: an array
  const char *word;   // LOAD: the type of its elements, "const float "
  const Split *split; // DO_OUTPUT, DO_NEST and DO_PART, of these outputs: `work` writes them
  void (*work)(CKernel *k, const Split *split, const CodeNode *node, const char *begin,
               const char *end);
  const char *cast; // RETURN: to the type that the function returns, or ""
  const Stage
      *stage; // RETURN_FOUND: the result of `found` for an index in the source of one of its nests
  const char *(*found)(CKernel *k, const Stage *stage, int nest, const char *index);
  const char *
      left; // RETURN, RETURN_FOUND: the parameter for what is contiguous; NULL: the stage finds no parts
  void (*move)(CKernel *k, const CodeNode *node, const char *to, rsh_dtype type); // MOVE
  const CSpot *spot; // START and PUT; INSIDE: `inside` writes it
  void (*inside)(CKernel *k, const CSpot *spot, CSum dst, CSum src);
  const OutputPlan *output; // PERMUTE and SLIDE
  void (*permute)(CKernel *k, const OutputPlan *out, const struct CLeaves *leaves);
  void (*slide)(CKernel *k, const OutputPlan *out, const struct CLeaves *leaves);
  // LOAD and STORE: its elements, in an array of `type`; NULL: those of the array
  const Value *kept;
  const Picks *picks; // COPY: the picks that it moves, elements of this type; `copy` writes it
  rsh_dtype type;
  void (*copy)(CKernel *k, const Picks *picks, rsh_dtype type, const char *to, const char *dst,
               const char *from, const char *src);
  const GraphNames *variant; // RETURN_VARIANT: the functions of each variant
  const char *argument;      // ARGUMENT; NULL: its name in the code
  bool keeps_sizes;          // computed sizes are needed later
  struct CFields *fields;    // GIVE and RETURN_PROGRAM: `program` writes them, with these
  void (*program)(CKernel *k, struct CFields *fields, const CodeNode *node);
} CLeaves;

// Prints code. Returns the sizes that it computes as further arguments, ", (size_t)place", if it keeps them.
const char *c_put_code(CKernel *k, const Code *code, CLeaves leaves);

// ---- functions (c_entry.c, c_comment.c)

// The functions of a graph whose sizes are known only at run time.
void c_put_entry(CFile *file, const Plan *plan, const GraphNames *names);
// The kernel function; CKernel.name is its name. With sizes it is static, and takes them as size_t.
CKernel c_put_kernel(CFile *file, const Plan *plan, const char *name);
// Its parameters: "size_t B, const float *restrict x".
const char *c_kernel_parameters(const CKernel *k);

// ---- tasks (c_task.c)

// Writes NAME_tasks, and a function that runs one task of a kernel: it takes the task as size_t, then the kernel's
// parameters. Returns the name of the latter; NULL: there is only one task, and nothing was written. `variant`: the
// graph's variants, or NULL; `linkage` of NAME_tasks: "static " or "".
const char *c_put_part(const CKernel *whole, const GraphNames *variant, const GraphNames *names,
                       const char *linkage);
// NAME_task of a graph without sizes; and NAME_tasks and NAME_task if NAME does all the work.
void c_put_task(CKernel *k, const char *part, const char *name);
void c_put_only_task(CKernel *k, const GraphNames *names);
// "rsh_status heads_task(int32_t task, int64_t B, ..."
const char *c_task_prototype(CKernel *k, const char *function);
// The functions of a graph that the runtime executes.
void c_put_dynamic(CFile *file, const Plan *plan, const char *name, const char *shape);
// The comment above a function: its graph, and the source of each element of an output.
void c_put_comment(CText *text, const Plan *plan);

#endif
