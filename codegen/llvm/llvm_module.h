// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Between the files of the LLVM emitter: plans to a module, the module to optimised code.
#ifndef CODEGEN_LLVM_MODULE_H
#define CODEGEN_LLVM_MODULE_H

#include "codegen/code/code.h"
#include "codegen/llvm/emit_ahead.h"
#include "codegen/llvm/jit.h"
#include "codegen/llvm/llvm_build.h"
#include "codegen/llvm/report.h"
#include "codegen/plan/lanes.h"
#include "codegen/plan/split.h"
#include "codegen/plan/twins.h"

#include <llvm-c/TargetMachine.h>

// What all functions of a module are built with.
typedef struct Target {
  LLVMTargetMachineRef machine;
  char *triple;            // freed with target_free
  const char *cpu;         // as LLVM names it, in the arena
  const char *features;    // likewise
  const char *passes;      // as LLVMRunPasses reads them,
  const char *loop_passes; // and of functions that are not finished (optimise.c); NULL: none
  const Source *source;    // of which lines are described; NULL: of none
  char level;              // '0' ... '3', 's', 'z'
  bool has_half;           // has instructions between f16 and f32, as far as is known
  bool parallel;           // tasks are made too
  unsigned levels;         // of x86-64 that functions are made for beside: bit 1 << level
  int version;             // that is being made: a level, or 0
  bool freestanding;       // no library may be needed,
  bool libm;               // but this one,
  bool library;            // and memcpy and memset
  int pointer;             // bits of one
  bool is_big;             // the highest byte comes first
  bool is_arm;             // of 32 bits, by its embedded ABI
  bool is_wasm;
  bool sections; // one a function
  bool is_fixed; // it lies where the linker puts it
  bool divides;  // see Gen
  bool multiplies_long;
  bool has_single, has_double, has_long, counts_zeros, keeps_nan; // likewise
  bool keeps_loops; // LLVM leaves what loops count with as it is built
  bool small;       // size counts more than speed
  bool counts_down; // by counts, as comparing with 0 takes no instruction; else by where they end;
  int64_t reach;    // bytes that one instruction adds to a pointer, or takes from it
  bool wide;        // loads and stores need no more than the alignment of an element
  Machine can;
} Target;

// False: a message was reported ("bad_target").
bool target_open(Arena *arena, const EmitOptions *options, Target *target, Diag *diag);
// Finds out what the target's floating-point unit has, where the plans may have a use for it (target_unit.c).
void target_find_unit(Target *target, const Plan *const *plans, int count);
void target_free(Target *target);

// A module with one function a plan. With `packed`, also NAME.packed for each, for jit_call.
LLVMModuleRef module_build(Arena *arena, LLVMContextRef context, const Plan *const *plans,
                           int count, const Target *target, const char *source_name, bool packed);
// NAME.packed alone, for functions that are elsewhere.
LLVMModuleRef module_build_packed(Arena *arena, LLVMContextRef context, const Plan *const *plans,
                                  int count, const Target *target);
// The variable that keeps the level of x86-64 that the processor was found to have.
#define LEVEL_VARIABLE "cpu.level.found"
// NAME becomes a choice among what it was, NAME.v1, and those of NAME.v2 ... NAME.v4 that there are.
void versions_build(Gen *g, Arena *arena, const Target *target, const char *name);
// The target at a level of x86-64.
Target target_version(const Target *target, int level);
// The function that jit_call calls: its status, of the arguments in order of Plan.signature.
const char *module_packed_name(Arena *arena, const char *function_name);
// Both functions of a dynamic graph (emit_dynamic.c): calls of the runtime with its tape. The one called
// `name` is given.
LLVMValueRef dynamic_build(Gen *g, Arena *arena, const Plan *plan, const Target *target,
                           const char *name, const char *shape_name);
// The types of a function's parameters, and room for one more.
LLVMTypeRef *module_parameter_types(Gen *g, Arena *arena, const Signature *signature);
// A function with these parameters, and what it returns: a status, or nothing.
LLVMValueRef module_declare(Gen *g, Arena *arena, const Plan *plan, const Signature *signature,
                            LLVMTypeRef result, const char *name);
LLVMTypeRef module_result_type(Gen *g, const Signature *signature);
// What is promised of parameter `place` alone: its name, and how it is reached.
void module_set_parameter(Gen *g, Arena *arena, const Plan *plan, LLVMValueRef function,
                          Parameter p, int place);
void module_set_pointer(Gen *g, LLVMValueRef function, int index, uint32_t align, bool is_read,
                        bool is_written, bool is_alone);

// What was asked for, of a module that is finished (object.c); an object is read back, and reported where
// options ask for that. False: a message was reported.
bool module_emit(Arena *arena, LLVMModuleRef module, const Target *target, const Plan *const *plans,
                 int count, const EmitOptions *options, EmitKind kind, Bytes *out, Diag *diag);
// Verifies, runs the passes, verifies again. False: an internal fault was reported.
bool module_verify(LLVMModuleRef module, const char *when, Diag *diag);
bool module_optimise(LLVMModuleRef module, const Target *target, Diag *diag);

// Of the loop `depth` of a nest `count` indexes from `begin` on, where they are at hand.
typedef struct Portion {
  int depth;
  LLVMValueRef begin, count;
} Portion;

// A function while it is written: what an output's nests do (emit_nest.c), or how a stage is looked up (emit_stage.c).
typedef struct Kernel {
  Gen *g;
  Arena *arena;
  const Plan *plan;
  const Target *target;
  const char *name;
  // Of g->function: its parameters, the block where numbers are computed, and by polynomial those that
  // are.
  const Signature *signature;
  LLVMBasicBlockRef entry;
  LLVMValueRef *number;
  LLVMValueRef *symbol; // the values of sizes, once they are there
  LLVMValueRef
      *stage; // functions: inputs and an address in the staged value -> pointer to the element, or
              // where Stage.is_computed the element itself
  LLVMValueRef
      over; // while an output is computed in place: where, instead of in its input; else NULL
  LLVMValueRef task;      // of NAME_task: which; else NULL
  const Portion *portion; // what this task does of the nest that is being built; NULL: all
  LLVMValueRef across;    // elements of a row of its tiles that are done; NULL: all
  bool fits;              // its sizes are known to be large enough for tiles
  bool is_short;          // its planes are known to be shorter than a vector
} Kernel;

// The source of a nest: a pointer; where `stage` is not NULL a byte address in that staged value; where
// `period` is not 0 that many bytes, over and over, and `at` and `stage` are NULL. `shift`: see Nest.
// `around` are the loops that are being built, of a nest that is read ahead.
typedef struct Cursor {
  LLVMValueRef at, stage;
  const Round *around;
  int shift, period;
  uint8_t fill[16];
} Cursor;

// Begins the body of a function that has these parameters, or the first of them: it becomes g->function.
// `k` is a kernel of its own while it is written.
void kernel_begin(Kernel *k, LLVMValueRef function, const Signature *signature);
// The memory of an input, a constant or a kept value (emit_source.c).
LLVMValueRef kernel_source(Kernel *k, int id);
// Where the source of a nest begins.
Cursor kernel_cursor(Kernel *k, int source);
// A parameter of g->function.
LLVMValueRef kernel_parameter(const Kernel *k, ParameterKind kind, int index);
// The value of a symbol (emit_code.c). The first time, what is built next is in the entry block.
LLVMValueRef kernel_symbol(Kernel *k, int symbol);
// A number of the plan (emit_code.c): computed once, in the entry block; it wraps where it does not fit.
LLVMValueRef kernel_number(Kernel *k, rsh_num n);
// Elements of a value's memory, gaps between strides included.
LLVMValueRef kernel_elements(Kernel *k, const Value *value);
// What leaves of code stand for in the function that is being written.
typedef struct CodeLeaves {
  const LLVMValueRef *variants; // LEAVE: functions that do the work of variants; NULL: none does
  const char *list;             // ENTRY: the name of its list
  LLVMValueRef buffer;          // BUFFER
  LLVMTypeRef word;             // LOAD and STORE
  uint32_t align;
  const Split
      *split; // DO_OUTPUT, DO_NEST and DO_PART: what does them (task_build_work), of these outputs
  void (*work)(Kernel *k, const Split *split, const CodeNode *node, LLVMValueRef begin,
               LLVMValueRef end);
  const Stage
      *stage; // RETURN_FOUND: what `found` gives for an offset in the source of one of its nests
  LLVMValueRef (*found)(Kernel *k, const Stage *stage, int nest, LLVMValueRef offset,
                        LLVMValueRef entry);
  struct ProgramFields
      *fields; // GIVE and RETURN_PROGRAM: what does them (emit_dynamic.c), with these
  void (*program)(Kernel *k, struct ProgramFields *fields, const CodeNode *node);
} CodeLeaves;
void kernel_build_code(Kernel *k, const Code *code, CodeLeaves leaves);
// The checks of a function that returns a status (code_entry). What is built next is reached where they pass.
void kernel_build_entry(Kernel *k, CodeRole role, bool is_variant, const LLVMValueRef *variants);
// Numbers of one width that are not below 0, with a function of the module where the target has no instruction
// (emit_arithmetic.c). The divisor is above 0, and only what is left over may be below 0 with its number.
LLVMValueRef number_divide(Gen *g, LLVMValueRef n, LLVMValueRef by);
LLVMValueRef number_remainder(Gen *g, LLVMValueRef n, LLVMValueRef by);
// Of 64 bits. `past`: it does not fit.
LLVMValueRef number_multiply(Gen *g, LLVMValueRef a, LLVMValueRef b, LLVMValueRef *past);
// A function of the module's own, which all that call it share (emit_arithmetic.c): what is built between begin and
// end is its body. False: it is there already. `function` is it either way.
typedef struct Subroutine {
  LLVMValueRef function, caller;
  LLVMBasicBlockRef here;
} Subroutine;
bool subroutine_begin(Gen *g, const char *name, LLVMTypeRef type, Subroutine *s);
void subroutine_end(Gen *g, const Subroutine *s, LLVMValueRef result);
// How many polynomials a plan has.
int number_count(const Plan *plan);
// A call of the routine that copies `bytes` (a multiple of `align`, not 0), wherever that is not known.
void kernel_copy(Kernel *k, LLVMValueRef dst, LLVMValueRef src, LLVMValueRef bytes, uint32_t align);
// Reads an object back: whether it needs no symbol but those that it may (Target.libm), and where the target is
// freestanding has no data that it writes. False: a message was reported.
bool object_check(Arena *arena, LLVMMemoryBufferRef object, LLVMContextRef context,
                  const char *source_name, const Target *target, Diag *diag);
// Whether elements of a plan or its variants go through steps, or rows through operators.
bool plan_computes(const Plan *plan);
// Reads the code of the module, as it is before it becomes an object: elements may decide nothing but other
// elements (scan.c). False: a message was reported.
bool module_scan(Arena *arena, LLVMModuleRef module, const Plan *const *plans, int count,
                 Diag *diag);
// Frames and sizes of functions (report.c).
typedef struct Frame {
  const char *name;
  uint64_t text, stack;
  bool is_counted;
} Frame;

typedef struct Frames {
  Arena *arena;
  VEC(Frame) list;
} Frames;

// From here on LLVM tells the frames of the module's functions.
void frames_begin(Arena *arena, Frames *frames, LLVMModuleRef module);
// The report of an object that was made of the module. False: it cannot be read.
bool report_make(Arena *arena, ObjectReport *report, Frames *frames, LLVMModuleRef module,
                 const Target *target, const Plan *const *plans, int count, Bytes object);
// Whether a graph takes more than it may; that is reported.
bool report_refuse(const ObjectReport *report, const EmitOptions *options, Diag *diag);
// Lines of the source, where the target asks for them (lines.c): blocks that are made between begin and end have
// the line of g->span.
typedef struct Lines Lines;
void lines_begin(Gen *g, Arena *arena);
void lines_end(Gen *g);
// What is built next is for this span.
void lines_set(Gen *g, Span span);
// What every function has (emit_module.c).
void module_set_attributes(Gen *g, LLVMValueRef function, const Target *target);
// All data that is in the module by now, each in a section of its own where the target asks for that.
void module_set_sections(LLVMModuleRef module, const Target *target);
// Stages have the first so many parameters of the graph's function, and the address that is looked up.
int kernel_stage_parameters(const Plan *plan);
// The function of a stage, called.
LLVMValueRef kernel_call_stage(Kernel *k, LLVMValueRef stage, LLVMValueRef at);
void kernel_build_stages(Kernel *k);
// Output `index` inside of g->function; `twin` does it where it is not NULL.
void kernel_build_output(Kernel *k, int index, LLVMValueRef twin);
// The body of a function (first, output) that does what output `index` does.
void kernel_build_twin(Kernel *k, int index, LLVMValueRef function);
// Nests begin ... end-1 of an output, inside of g->function, which has the graph's parameters.
void kernel_build_part(Kernel *k, int index, int begin, int end);
// An output, a share of it or a part of that, as a task does it (emit_task.c).
void task_build_work(Kernel *k, const Split *split, const CodeNode *node, LLVMValueRef begin,
                     LLVMValueRef end);
// A portion of one nest of an output, NULL: all of it; nothing where that has no elements.
void kernel_build_portion(Kernel *k, const Nest *nest, const Portion *portion, LLVMValueRef out);
// A nest that is written past the cache where that is possible and its sizes pay (emit_stream.c), from the places
// where its loops begin.
void stream_build(Kernel *k, const Nest *nest, Cursor src, LLVMValueRef dst);
// The loops of a nest from `depth` inward, from the places where these begin.
void kernel_build_loops(Kernel *k, const Nest *nest, int depth, Cursor src, LLVMValueRef dst);
// So many bytes further on in the source.
Cursor cursor_step(Gen *g, Cursor c, LLVMValueRef offset);
// The indexes of a loop that are to be done.
LLVMValueRef kernel_extent(Kernel *k, const Nest *nest, int depth);
// An offset, further on by what comes before the portion that is done.
LLVMValueRef kernel_past_begin(Kernel *k, LLVMValueRef offset, rsh_num stride);
// The same of a pass; and what its operator does to the rows.
void kernel_build_pass(Kernel *k, const Pass *pass, int begin, int end);
void kernel_build_rows(Kernel *k, const Pass *pass);

// A constant that an address is wanted of, as data of the object (emit_data.c).
LLVMValueRef b_data(Gen *g, LLVMValueRef value, const char *name, uint32_t align);
// Bytes of little-endian elements as the target has them.
const uint8_t *b_target_bytes(Gen *g, Arena *arena, const uint8_t *data, size_t size,
                              rsh_dtype dtype);
// The elements of a constant that the function `of` reads; made once.
LLVMValueRef b_constant(Gen *g, Arena *arena, const char *of, const Value *value);

// Elements of nests by element (emit_elementwise.c): the one for an address in the source of a nest, as an integer of its
// width; and one put at `offset` of the output.
LLVMValueRef elementwise_build_load(Kernel *k, const Nest *nest, LLVMValueRef offset,
                                    LLVMValueRef at);
void elementwise_build_store(Kernel *k, const Nest *nest, LLVMValueRef out, LLVMValueRef offset,
                             LLVMValueRef element);
// A vector of elements through the chain of a nest that is done in tiles (Nest.tiled).
LLVMValueRef elementwise_build_vector(Kernel *k, const Nest *nest, LLVMValueRef elements);
// One element, of whole bytes, of an input or a constant (then `src` is not used).
void elementwise_build_at(Kernel *k, const Nest *nest, LLVMValueRef src, LLVMValueRef dst);
// The elements of one byte (nest_group), to or from those of bytes.
void elementwise_build_group(Kernel *k, const Nest *nest, LLVMValueRef src, LLVMValueRef dst);
// Alignment of what a nest by element reads.
uint32_t kernel_source_align(const Kernel *k, const Nest *nest);
// Elements made of runs of bits (emit_fields.c): those of one turn, and those of the innermost loop in vectors, from the
// addresses where these begin.
void fields_build_turn(Kernel *k, const Nest *nest, LLVMValueRef src, LLVMValueRef dst);
void fields_build_lanes(Kernel *k, const Nest *nest, const FieldLanes *lanes, LLVMValueRef src,
                        LLVMValueRef dst);
enum { LARGEST_PIECE = 64 }; // bytes of the largest piece
// Copies `width` bytes, a power of two up to LARGEST_PIECE, at a fixed offset (emit_piece.c).
void piece_build(Gen *g, LLVMValueRef dst, Cursor src, int64_t offset, int64_t width,
                 uint32_t align);
// The bytes of a constant from `offset` on, as they stand in memory.
LLVMValueRef piece_fill(Gen *g, const Cursor *src, int64_t offset, int64_t width);
// Copies a run of `bytes`.
void run_build(Gen *g, LLVMValueRef dst, Cursor src, int64_t bytes, uint32_t align);
// Where the next element is, on both sides.
typedef struct Foot {
  Cursor src;
  LLVMValueRef dst;
} Foot;

// Runs where there are no vectors (emit_run.c). By a call, of the object's routine or of the library: where both sides
// are then, or of the library, where they began.
Foot run_call(Kernel *k, RunWay way, Foot at, LLVMValueRef bytes);
// In pieces, the last of which overlaps the one before it where they are no multiple; addresses are multiples of `unit`.
void run_build_pieces(Gen *g, Foot at, int64_t bytes, int64_t piece, uint32_t unit);
// The run of a nest, whichever way it is done.
void run_build_narrow(Kernel *k, const Nest *nest, LLVMValueRef dst, Cursor src);
// A nest as small code (emit_walk.c), from the places where its loops begin.
void walk_build(Kernel *k, const Nest *nest, Cursor src, LLVMValueRef dst);
// A nest that interleaves or takes apart (emit_weave.c), likewise.
void weave_build(Kernel *k, const Nest *nest, LLVMValueRef src, LLVMValueRef dst);
// Whether its planes are as long as a vector; NULL: they are.
LLVMValueRef weave_fits(Kernel *k, const Nest *nest);
// A nest's tiles (emit_tile.c), from and to the place where its two innermost loops begin, inside of others: NULL
// where there are none.
void tile_build(Kernel *k, const Nest *nest, LLVMValueRef src, LLVMValueRef dst,
                const Round *around);
// Whether its sizes are large enough for a tile; NULL: they are.
LLVMValueRef tile_fits(Kernel *k, const Nest *nest);
// An element through one step (emit_element.c).
// `entry`: of the tables of the step, which are laid out `repeat` times over; NULL where it has none.
LLVMValueRef step_build(Gen *g, const Graph *graph, const rsh_step *step, LLVMValueRef bits,
                        LLVMValueRef entry, int64_t repeat);
// Whether that is instructions alone, which vectors have as well: neither calls nor tables.
bool step_is_straight(Gen *g, const Graph *graph, const rsh_step *step);
// An element of a floating-point type as a float or double, and back.
LLVMValueRef step_float(Gen *g, rsh_dtype type, LLVMValueRef bits);
LLVMValueRef step_element(Gen *g, rsh_dtype type, LLVMValueRef number);
// e^(x - most), of floats or doubles.
LLVMValueRef step_power(Gen *g, LLVMValueRef x, LLVMValueRef most);
// Softmax of rows in place (emit_rows.c), from `first` on. There is at least one, and of one element.
void rows_build(Gen *g, rsh_dtype type, LLVMValueRef rows, LLVMValueRef length, LLVMValueRef first);

#endif
