// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Between the files of the C emitter. It walks the plans that the LLVM emitter walks, and writes plain loops:
// what a reviewer reads, and what any C99 compiler takes.
#ifndef CODEGEN_C_INTERNAL_H
#define CODEGEN_C_INTERNAL_H

#include "codegen/code/code.h"
#include "codegen/code/element.h"
#include "codegen/header/c_text.h"
#include "codegen/plan/emit_options.h"
#include "codegen/plan/names.h"
#include "codegen/plan/split.h"
#include "codegen/plan/way.h"

// A function that the file has once, whatever asks for it: "cast u8 f32" is called u8_to_f32.
typedef struct CHelper {
  const char *key, *name;
} CHelper;

typedef struct CFile {
  Arena *arena;
  Diag *diag;
  CText helpers, body; // what comes before, in order of use; the functions of the graphs
  NameSet names;       // of the file, and of all parameters: no function is hidden by one
  VEC(CHelper) helper;
  bool
      has_string; // there is <string.h>; else memcpy and memset are declared, where they may be called
  Machine can;
  ElementMachine machine;
  bool small; // for size: see plan_ground
  bool needs_string, needs_math, needs_statuses, needs_tensors;
  bool rounds; // has floating-point arithmetic
  bool failed; // a message was reported
} CFile;

// ---- functions while they are written (c_function.c)

// The name under which the file has a helper, or NULL: c_helper_add then gives it one.
const char *c_helper(const CFile *file, const char *key);
const char *c_helper_add(CFile *file, const char *key, const char *wanted);

// One function of a graph while it is written.
typedef struct CKernel {
  CFile *file;
  const Plan *plan;
  const char *name; // of the graph's function
  const Signature *signature;
  const char **parameter; // names, and whether they are used
  bool *is_used;
  bool has_places;    // sizes that are worked out are parameters of type size_t, behind the others:
  const char **place; // their names, by symbol; NULL: it is no such
  bool *is_place_used;
  NameSet locals;
  CText out;          // the body
  int depth;          // of braces
  const char **stage; // functions, by Plan.stage
  const Share
      *share; // whose nest is being written: one of its loops goes from begin to end; or NULL
} CKernel;

// Begins the body of a function that has these parameters.
CKernel c_kernel_begin(CFile *file, const Plan *plan, const Signature *signature, const char *name);
// A line of the body; `{` at its end and `}` at its beginning are counted by the caller.
void c_line(CKernel *k, const char *format, ...) __attribute__((format(printf, 2, 3)));
// A parameter's name, which is used.
const char *c_parameter(CKernel *k, ParameterKind kind, int index);
// Sizes that are worked out, behind other parameters or arguments: ", size_t place, size_t place_2"; and for a call
// from one function that has them to another.
const char *c_places(const CKernel *k, const char *type);
const char *c_use_places(CKernel *k);
// A new body. At its end it goes to the file, behind "(void)x;" of the first `count` parameters, and of
// places, where it does not use them.
void c_body_begin(CKernel *k);
void c_body_end(CKernel *k, int count);

// ---- numbers (c_number.c): of type size_t, where symbols are parameters of that type

// A symbol: a parameter, or what it is worked out from.
const char *c_symbol(CKernel *k, int symbol);
// "768U * B * S"; `is_part`: of a product.
const char *c_number(CKernel *k, rsh_num n, bool is_part);
// n / unit, where that is whole.
rsh_num c_divided(rsh_num n, int64_t unit);

// A sum of numbers times indices: 64U + 128U * i - 64U * j.
typedef struct CTerm {
  rsh_num factor;
  const char *index; // NULL: 1
} CTerm;
typedef struct CSum {
  VEC(CTerm) term;
} CSum;
void c_add(CKernel *k, CSum *sum, rsh_num factor, const char *index);
// Another sum, which begins as this one.
CSum c_sum_copy(CKernel *k, const CSum *sum);
const char *c_sum(CKernel *k, const CSum *sum);

// ---- literals (c_literal.c)

// Literals: of an element as it stands in memory, of a float or double, of an int64_t.
const char *c_literal(CFile *file, rsh_dtype type, const uint8_t *bytes);
const char *c_float(Arena *arena, double value, bool is_double);
// The same of any number, infinities and NaN too.
const char *c_float_literal(CFile *file, double value, bool is_double);
const char *c_int(Arena *arena, int64_t n);
// float_of_bits and its like: "float", "double"; and back.
const char *c_float_of_bits(CFile *file, bool is_double);
const char *c_bits_of_float(CFile *file, bool is_double);

// ---- elements (c_step.c)

// The function that takes an element through a step, by its name.
const char *c_step(CFile *file, const rsh_step *step);
// float f(float x, float most): e^(x - most), as softmax takes it (emit_rows.c).
const char *c_power(CFile *file, bool is_double);

// ---- data, nests, stages, passes (c_data.c, c_nest.c, c_stage.c)

// The array that holds a constant.
const char *c_constant(CKernel *k, const Value *value);
// Elements as they stand in memory, as an array: what it goes by.
const char *c_put_data(CFile *file, const char *name, rsh_dtype dtype, const uint8_t *data,
                       int64_t bytes);
// Whole numbers as an array of the file: its name. `width` 1: a list, else rows of so many.
const char *c_table(CKernel *k, const int64_t *item, int count, int width, const char *what);
// Where a source begins; an array of its C type.
const char *c_source(CKernel *k, int id);
// Bytes of a C element: 4 of a complex number of 8.
int64_t c_unit(rsh_dtype type);
// The element at `index` in the source of a nest, through its chain.
const char *c_element_at(CKernel *k, const Nest *nest, const char *index);
// A call of the function of stage number `stage`.
const char *c_call_stage(CKernel *k, int stage, const char *at);
int c_find_stage(const CKernel *k, int source);
// The first so many parameters of the graph are those of its stages.
int c_stage_parameters(const Plan *plan);
// What loads an element of less than a byte, and what stores it.
const char *c_packed(CFile *file, int bits, bool is_store);

// "&x[3U]", and "x" of the first element: a pointer to no elements may be null, and &x[0] is none then.
const char *c_address(CKernel *k, const char *base, const CSum *at);
// A run of `count` C elements of one type on both sides, of which addresses are multiples of `align` (c_run.c).
typedef struct CRun {
  const char *to, *from;
  CSum dst, src;
  rsh_dtype type;
  rsh_num count;
  uint32_t align;
} CRun;
// By WORDS, CALL or LIBRARY; and a constant of equal bytes by CALL or LIBRARY.
void c_put_run(CKernel *k, const CRun *run, RunWay way);
void c_put_fill(CKernel *k, const CRun *run, RunWay way, uint8_t byte);
// A permutation of one buffer in place (c_cycles.c).
void c_put_cycles(CKernel *k, const Cycles *cycles, const char *buffer, rsh_dtype type);
// The functions of the stages, before that of the kernel.
void c_put_stages(CKernel *k);
// The body of the kernel.
void c_put_passes(CKernel *k);
void c_put_outputs(CKernel *k);
void c_put_output(CKernel *k, int index);
// A nest that fills the array `to`, of elements of this type, or a part of it (CKernel.share).
void c_put_nest(CKernel *k, const Nest *nest, const char *to, rsh_dtype type);

// ---- code (c_code.c)

// Code while it is written into a function.
typedef struct CPrinter {
  CKernel *k;
  const Code *code;
  int *uses;         // by node, where it stands in the text
  const char **name; // of those that are constants
} CPrinter;

// `keeps_sizes`: those that are worked out are needed (c_code_places).
CPrinter c_code_begin(CKernel *k, const Code *code, bool keeps_sizes);
// ", (size_t)place": sizes that are worked out, as arguments of a function that has places.
const char *c_code_places(CPrinter *p);
// Node i, where it is a statement other than LEAVE, or a value that several need.
void c_code_put(CPrinter *p, int i);
const char *c_code_text(CPrinter *p, CodeValue value);

// ---- functions (c_entry.c, c_comment.c)

// The functions of a graph whose sizes are known only at run time: `name`, and `shape`, which gives the sizes
// of the outputs alone. `task`: those of its tasks, or NULL.
void c_put_entry(CFile *file, const Plan *plan, const char *name, const char *shape,
                 const TaskNames *task);
// The function that does the work, by the name that it then has. With sizes it is static, and takes them as size_t.
CKernel c_put_kernel(CFile *file, const Plan *plan, const char *name);
// Its parameters: "size_t B, const float *restrict x".
const char *c_kernel_parameters(CKernel *k);

// ---- tasks (c_task.c)

// NAME_tasks and the function that does one task of a kernel, which takes its number as size_t before the kernel's
// parameters: its name. NULL: there is one task, and nothing was written.
const char *c_put_part(const CKernel *whole, TaskNames names);
// NAME_task of a graph without sizes; and NAME_tasks and NAME_task where `function` does all.
void c_put_task(CKernel *k, const char *part, const char *name);
void c_put_only_task(CKernel *k, const char *function, TaskNames names);
// "rsh_status heads_task(int32_t task, int64_t B, ..."
const char *c_task_prototype(CKernel *k, const char *function);
// The functions of a graph that the runtime carries out.
void c_put_dynamic(CFile *file, const Plan *plan, const char *name, const char *shape);
// The chain, and which element of what each element of an output is.
void c_put_comment(CText *text, const Plan *plan);

#endif
