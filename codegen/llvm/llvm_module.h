// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by the files of the LLVM emitter, which turn plans into a module, and the module into optimized code.
#ifndef CODEGEN_LLVM_MODULE_H
#define CODEGEN_LLVM_MODULE_H

#include "codegen/code/code.h"
#include "codegen/element/element.h"
#include "codegen/llvm/emit_ahead.h"
#include "codegen/llvm/llvm_build.h"
#include "codegen/llvm/shared_kernels.h"
#include "codegen/machine/backend.h"
#include "codegen/machine/jit.h"
#include "codegen/machine/report.h"
#include "codegen/plan/lanes.h"
#include "codegen/plan/shuffle.h"
#include "codegen/plan/split.h"
#include "codegen/plan/zip.h"

#include <llvm-c/TargetMachine.h>

struct Kernel;

// A module with one function per plan. With `packed`, also NAME.packed for each, for jit_call.
LLVMModuleRef module_build(Arena *arena, LLVMContextRef context, const Plan *const *plans,
                           int count, const Target *target, const char *source_name, bool packed);
// Records in the object how it was made, if the format supports it (.comment of ELF).
void module_identify(LLVMModuleRef module, const char *text);
// Only the NAME.packed functions, for functions in another object.
LLVMModuleRef module_build_packed(Arena *arena, LLVMContextRef context, const Plan *const *plans,
                                  int count, const Target *target);
// The variable that holds the detected x86-64 level of the processor.
#define LEVEL_VARIABLE "cpu.level.found"
// Renames NAME to NAME.v1 and builds a NAME that calls it or the best of the existing NAME.v2 ... NAME.v4.
void versions_build(Gen *g, Arena *arena, const Target *target, const char *name);
// The name of the function that jit_call calls. It returns a status; its arguments are in the order of Plan.signature.
const char *module_packed_name(Arena *arena, const char *function_name);
// The types of a function's parameters, and room for one more.
LLVMTypeRef *module_parameter_types(Gen *g, Arena *arena, const Signature *signature);
// Declares a function of a plan with these parameters, then one of type `last` if that is not NULL.
LLVMValueRef module_declare(const struct Kernel *k, const Signature *signature, LLVMTypeRef result,
                            LLVMTypeRef last, const char *name);
// A function of another object.
LLVMValueRef module_function(Gen *g, const char *name, LLVMTypeRef type);
LLVMTypeRef module_result_type(Gen *g, const Signature *signature);
// Names parameters of `function`, from `first` on, like the first `count` parameters of `of`, to which it forwards
// them: scan.c recognizes by name which parameters hold indices.
void module_name_parameters(LLVMValueRef function, unsigned first, LLVMValueRef of, unsigned count);
// Sets the attributes of a pointer parameter. `align` 0: none.
void module_set_pointer(Gen *g, LLVMValueRef function, int index, uint32_t align, bool is_read,
                        bool is_written, bool is_alone);

// Emits a finished module in the requested form (object.c). Objects are read back and checked, and reported on if
// options require it. False: a message was reported.
bool module_emit(Arena *arena, LLVMModuleRef module, const Target *target, const Plan *const *plans,
                 int count, const EmitOptions *options, EmitKind kind, Bytes *out, Diag *diag);
// An object that is not read back: for memory, where libm and the runtime are available.
bool module_object(Arena *arena, LLVMModuleRef module, const Target *target, Bytes *out,
                   Diag *diag);
// Verifies, runs the passes, verifies again. False: an internal fault was reported.
bool module_verify(LLVMModuleRef module, const char *when, Diag *diag);
bool module_optimize(LLVMModuleRef module, const Target *target, Diag *diag);

// Restricts loop `depth` of a nest to `count` iterations from `begin`.
typedef struct Portion {
  int depth;
  LLVMValueRef begin, count;
} Portion;

// The current function: the nests of an output (emit_nest.c), or the lookup of a stage (emit_stage.c).
typedef struct Kernel {
  Gen *g;
  Arena *arena;
  const Plan *plan;
  const Target *target;
  const char *name;
  struct SharedKernel *shared_kernels; // of the module; NULL: nothing is shared
  // Of g->function: its parameters, the block in which numbers are computed, and the numbers computed so far, by
  // polynomial.
  const Signature *signature;
  LLVMBasicBlockRef entry;
  LLVMValueRef *number;
  LLVMValueRef *symbol; // the values of sizes, once computed
  LLVMValueRef
      *stage; // functions: inputs and an address in the staged value -> pointer to the element, or
              // the element itself if Stage.is_computed
  LLVMValueRef
      over; // while an output is computed in place: the memory to read instead of its input; else NULL
  LLVMValueRef task;      // in NAME_task: its index; else NULL
  const Portion *portion; // the part of the nest that this task executes; NULL: all of it
  LLVMValueRef across;    // number of elements in a row of its tiles; NULL: all
  bool fits;              // its sizes are known to be large enough for tiles
  bool is_long;  // its planes or shuffled loops are known to be at least as long as a vector
  bool is_short; // they are known to be shorter than the narrowest one
  int64_t
      run_least; // its runs are known to have so many bytes, and less than twice as many; 0: nothing is known
  // Where the loops of the last nest ended: this many bytes after `out`, at the end of `block`.
  struct {
    LLVMValueRef at, out;
    LLVMBasicBlockRef block;
    int64_t offset;
  } end;
} Kernel;

// Both functions of a dynamic graph (emit_dynamic.c), which call the runtime with its tape.
void dynamic_build(const Kernel *module, const Plan *plan, const char *name,
                   const char *shape_name);

// A position in the source of a nest: a pointer; or, if `stage` is not NULL, a byte address in that staged value; or,
// if `period` is not 0, a pattern of that many bytes, with `at` and `stage` NULL. `shift`: see Nest. `around`: the
// enclosing loops, if the nest prefetches.
typedef struct Cursor {
  LLVMValueRef at, stage;
  const Round *around;
  int shift, period;
  uint8_t fill[16];
} Cursor;

// Begins the body of a function with these parameters, or the first of them; it becomes g->function. `k` must be a
// separate kernel.
void kernel_begin(Kernel *k, LLVMValueRef function, const Signature *signature);
// The memory of an input, a constant or a kept value (emit_source.c).
LLVMValueRef kernel_source(Kernel *k, int id);
// The start of a source.
Cursor kernel_cursor(Kernel *k, int source);
// A parameter of g->function.
LLVMValueRef kernel_parameter(const Kernel *k, ParameterKind kind, int index);
// A number of the plan (emit_code.c), computed once, in the entry block; it wraps on overflow.
LLVMValueRef kernel_number(Kernel *k, rsh_num n);
// How the leaves of code are built in the current function.
typedef struct CodeLeaves {
  const LLVMValueRef *variants; // RETURN_VARIANT: the functions of variants
  const char *list;             // ENTRY: the name of its list
  LLVMValueRef buffer;          // BUFFER
  const Nest *
      given; // MOVE: `move` (emit_nest.c) builds it; in a shared kernel, `first` is the source address of nest `given`
  LLVMValueRef first;
  LLVMValueRef shared; // of an output: the function that executes all its moves; or NULL
  void (*move)(Kernel *k, const CodeNode *node, const struct CodeLeaves *leaves);
  const Cycles *cycles;  // PERMUTE: `permute` builds these,
  LLVMValueRef permuted; // in this memory,
  int64_t passed;        // or, if it is not 0, in as many bytes before it
  void (*permute)(Kernel *k, const struct CodeLeaves *leaves);
  const Slides *slides; // SLIDE: `slide` builds these, in BUFFER
  void (*slide)(Kernel *k, const struct CodeLeaves *leaves);
  void (*shift)(Kernel *k, const Nest *nest, bool is_up, LLVMValueRef dst,
                LLVMValueRef src); // SHIFT: `shift`, run_shift
  LLVMTypeRef word;                // LOAD and STORE
  uint32_t align;                  // of these and PUT
  const Split
      *split; // DO_OUTPUT, DO_NEST and DO_PART: `work` (emit_llvm.c) builds them, for these outputs
  void (*work)(Kernel *k, const Split *split, const CodeNode *node, LLVMValueRef begin,
               LLVMValueRef end);
  const Stage *
      stage; // RETURN_FOUND: `found` builds the address for an offset in the source of one of its nests
  LLVMValueRef (*found)(Kernel *k, const Stage *stage, const Nest *nest, LLVMValueRef offset,
                        LLVMValueRef *left);
  LLVMValueRef from; // SOURCE; or if that is NULL
  LLVMValueRef (*source)(Kernel *k,
                         int id); // `source`, kernel_source; NULL: nothing is computed yet
  const Nest *loops;              // FOR: the nest of its loops,
  bool is_left;                   // marked by b_leave_loop
  LLVMValueRef start[3];
  void (*inside)(Kernel *k, const struct CodeLeaves *leaves, LLVMValueRef dst, LLVMValueRef src);
  LLVMValueRef word_given, *result; // GIVEN; RETURN_WORD, NULL: the function returns it
  const Nest *run;                  // COPY: `copy` (kernel_build_loops) moves this
  void (*copy)(Kernel *k, const Nest *nest, int depth, Cursor src, LLVMValueRef dst);
  struct ProgramFields
      *fields; // GIVE and RETURN_PROGRAM: `program` (emit_dynamic.c) builds them, with these
  void (*program)(Kernel *k, struct ProgramFields *fields, const CodeNode *node);
} CodeLeaves;
void kernel_build_code(Kernel *k, const Code *code, CodeLeaves leaves);
// The checks of a function that returns a status (code_entry). Code built next is executed if they pass.
void kernel_build_entry(Kernel *k, EntryPoint entry, bool is_variant, const LLVMValueRef *variants);
// Arithmetic on non-negative numbers of one width, by a function of the module if the target has no instruction
// (emit_arithmetic.c). The divisor is above 0; only the dividend of a remainder may be negative.
LLVMValueRef number_divide(Gen *g, LLVMValueRef n, LLVMValueRef by);
LLVMValueRef number_rest(Gen *g, LLVMValueRef n, LLVMValueRef by);
LLVMValueRef number_remainder(Gen *g, LLVMValueRef n, LLVMValueRef by);
// For 64 bits. `past`: the product does not fit.
LLVMValueRef number_multiply(Gen *g, LLVMValueRef a, LLVMValueRef b, LLVMValueRef *past);
// A local function of the module, shared by all callers (emit_arithmetic.c). Code built between begin and end is its
// body, whose indices are words. False: it already exists. `function` is set in both cases.
typedef struct Subroutine {
  LLVMValueRef function, caller;
  LLVMTypeRef index;
  LLVMBasicBlockRef here;
} Subroutine;
bool subroutine_begin(Gen *g, const char *name, LLVMTypeRef type, bool is_small, Subroutine *s);
// `result` NULL: the body has its own return.
void subroutine_end(Gen *g, const Subroutine *s, LLVMValueRef result);
// The number of polynomials of a plan.
int number_count(const Plan *plan);
// A call of the routine that copies `bytes` (a multiple of `align`, not 0), for a count known only at run time.
void kernel_copy(Kernel *k, LLVMValueRef dst, LLVMValueRef src, LLVMValueRef bytes, uint32_t align);
// Reads an object back and checks that it needs only allowed symbols (Target.libm) and, if the target is freestanding,
// that it has no writable data. False: a message was reported.
bool object_check(Arena *arena, LLVMMemoryBufferRef object, LLVMContextRef context,
                  const char *source_name, const Target *target, const Plan *const *plans,
                  int count, Diag *diag);
// Checks the module's final code: elements may influence only other elements (scan.c). False: a message was reported.
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

// Makes LLVM report the stack frames of the module's functions from here on.
void frames_begin(Arena *arena, Frames *frames, LLVMModuleRef module);
// The report of an object made from the module. False: the object cannot be read.
bool report_make(Arena *arena, ObjectReport *report, Frames *frames, LLVMModuleRef module,
                 const Target *target, const Plan *const *plans, int count, Bytes object);
// Whether a graph exceeds a limit (--max-stack, --max-text), which is reported.
bool report_refuse(const ObjectReport *report, const EmitOptions *options, Diag *diag);
// Line information, if the target requires it (lines.c): blocks created between begin and end get the line of g->span.
typedef struct Lines Lines;
void lines_begin(Gen *g, Arena *arena);
void lines_end(Gen *g);
// Code built next belongs to this span.
void lines_set(Gen *g, Span span);
// Sets the attributes that every function has (emit_module.c).
void module_set_attributes(Gen *g, LLVMValueRef function, const Target *target);
// A function with internal linkage.
LLVMValueRef module_add_local(Gen *g, const char *name, LLVMTypeRef type, const Target *target);
// Puts each item of data in its own section, if the target requires that.
void module_set_sections(LLVMModuleRef module, const Target *target);
// A call of a stage's function. `left`: receives the bytes that are contiguous from there on, if the stage finds parts;
// or NULL.
LLVMValueRef kernel_call_stage(Kernel *k, LLVMValueRef stage, LLVMValueRef at, LLVMValueRef *left);
void kernel_build_stages(Kernel *k);
// Builds output `index` in g->function, with a call of `shared` if that is not NULL.
void kernel_build_output(Kernel *k, int index, LLVMValueRef shared);
// Builds the body of a function (first, output) that computes output `index`.
void kernel_build_shared(Kernel *k, int index, LLVMValueRef function);
// Builds nests begin ... end-1 of an output in g->function, which has the graph's parameters.
void kernel_build_part(Kernel *k, int index, int begin, int end);
// Builds a portion of a share of an output; NULL: the whole share. It does nothing if there are no elements.
void kernel_build_portion(Kernel *k, const Share *share, const Portion *portion, LLVMValueRef out);
// A nest with non-temporal stores, if the alignment allows it and the result is large (emit_stream.c). `src` and `dst`
// are the starts of its loops.
void stream_build(Kernel *k, const Nest *nest, Cursor src, LLVMValueRef dst);
// Whether non-temporal vectors of `vector` bytes from `dst` on are possible: it is aligned, and so are the strides of
// the loops outside loop `depth`; and whether they are faster: these loops write at least `past` bytes, `bytes` each.
// Tests with known results emit no code.
LLVMValueRef is_stream_profitable(Kernel *k, const Nest *nest, int depth, int64_t bytes,
                                  int64_t vector, int64_t past, LLVMValueRef dst);
// The loops of a nest from `depth` inward, with their starts.
void kernel_build_loops(Kernel *k, const Nest *nest, int depth, Cursor src, LLVMValueRef dst);
// Advances a cursor by `offset` bytes.
Cursor cursor_step(Gen *g, Cursor c, LLVMValueRef offset);
// The extent of a loop, or of its portion.
LLVMValueRef kernel_extent(Kernel *k, const Nest *nest, int depth);
// An offset, advanced to the start of the portion.
LLVMValueRef kernel_past_begin(Kernel *k, LLVMValueRef offset, rsh_num stride);
// Nests of a pass; and its operator, on rows or by indices.
void kernel_build_pass(Kernel *k, const Pass *pass, int begin, int end);

// A constant as data of the object, so that it has an address (emit_data.c).
LLVMValueRef b_data(Gen *g, LLVMValueRef value, const char *name, uint32_t align);
// The same, shared by all that are equal.
LLVMValueRef b_shared_data(Gen *g, LLVMValueRef value, const char *name, uint32_t align);
// An array of integers of this type.
LLVMValueRef b_numbers(Arena *arena, LLVMTypeRef type, const int64_t *number, int64_t count);
// Little-endian elements in the byte order of the target.
const uint8_t *b_target_bytes(Gen *g, Arena *arena, const uint8_t *data, size_t size,
                              rsh_dtype dtype);
// The elements of a constant that function `of` reads, as data; made once.
LLVMValueRef b_constant(Gen *g, Arena *arena, const char *of, const Value *value);

// Elements of nests (emit_elementwise.c), as integers of their width; `at` is an offset from `base`, in elements for
// packed types.
LLVMValueRef element_take(Kernel *k, int source, rsh_dtype type, LLVMValueRef base,
                          LLVMValueRef at);
void element_put(Gen *g, rsh_dtype type, LLVMValueRef base, LLVMValueRef at, LLVMValueRef element,
                 uint32_t align);
LLVMValueRef element_staged(Kernel *k, int stage, rsh_dtype type, LLVMValueRef at);
LLVMValueRef element_fill(Gen *g, const Fill *fill);
// The body of the innermost loop, at these addresses; `is_group`: for all packed elements of a byte.
void iteration_build(Kernel *k, const Nest *nest, LLVMValueRef src, LLVMValueRef dst,
                     bool is_group);
// Applies the chain of a nest in tiles (Nest.tiled) to a vector of elements.
LLVMValueRef elementwise_build_vector(Kernel *k, const Nest *nest, LLVMValueRef elements);
// The innermost loop of a nest in vectors (STRATEGY_VECTORS), from the first elements; `count`: its extent.
void vectors_build(Kernel *k, const Nest *nest, LLVMValueRef src, LLVMValueRef dst,
                   LLVMValueRef count);
// The alignment of the source of a nest by element.
uint32_t kernel_source_align(const Kernel *k, const Nest *nest);
// Elements assembled from runs of bits (emit_fields.c), for the whole innermost loop, in vectors.
void fields_build_lanes(Kernel *k, const Nest *nest, const FieldLanes *lanes, LLVMValueRef src,
                        LLVMValueRef dst);
enum { LARGEST_PIECE = 64 }; // bytes
// Copies `width` bytes, a power of two up to LARGEST_PIECE, at a fixed offset (emit_piece.c).
void piece_build(Gen *g, LLVMValueRef dst, Cursor src, int64_t offset, int64_t width,
                 uint32_t align);
// The bytes of a constant from `offset` on, in memory order.
LLVMValueRef piece_fill(Gen *g, const Cursor *src, int64_t offset, int64_t width);
// Copies a run of `bytes`.
void run_build(Gen *g, LLVMValueRef dst, Cursor src, int64_t bytes, uint32_t align);
// Fills a run of at least 128 bytes with a constant, with non-temporal stores; the first and the last 64 bytes are
// stored unaligned.
void fill_lines(Kernel *k, LLVMValueRef dst, Cursor src, LLVMValueRef bytes, uint32_t align);
// A position on both sides.
typedef struct Position {
  Cursor src;
  LLVMValueRef dst;
} Position;

// Runs without vectors (emit_run.c). Calls the object's routine, which returns the positions after the run, or the
// library, which returns those before it.
Position run_call(Kernel *k, RunStrategy strategy, Position at, LLVMValueRef bytes);
// Calls the routine to copy a run if the two positions differ; returns the address after the run.
LLVMValueRef run_call_apart(Kernel *k, Position at, int64_t bytes);
// Copies in pieces; the last overlaps the one before it if `bytes` is not a multiple. Addresses are multiples of
// `unit`.
void run_build_pieces(Gen *g, Position at, int64_t bytes, int64_t piece, uint32_t unit);
// Moves the run of a nest as memmove does, upward or downward.
void run_shift(Kernel *k, const Nest *nest, bool is_up, LLVMValueRef dst, LLVMValueRef src);
// The run of a nest, by its RunStrategy.
void run_build_narrow(Kernel *k, const Nest *nest, LLVMValueRef dst, Cursor src);
// A nest as small code (emit_walk.c). Advances *dst to the end of its loops, and returns how far.
int64_t walk_build(Kernel *k, const Nest *nest, Cursor src, LLVMValueRef *dst);
// Nests that share one outermost loop, with the same steps in the result; the first begins at `dst`. False: one of them
// has no such loop, and nothing is built.
bool walk_join(Kernel *k, const Nest *const *nest, int count, const Cursor *src, LLVMValueRef dst);
// A nest that interleaves or deinterleaves planes (emit_weave.c).
void shuffle_build(Kernel *k, const Nest *nest, const NestShuffle *shuffle, LLVMValueRef src,
                   LLVMValueRef dst);
// A test that a split loop is at least as long as a vector; NULL: it always is.
LLVMValueRef shuffle_fits(Kernel *k, const Nest *nest, const NestShuffle *shuffle);

// Nests that fill each other's gaps, to `out` (emit_zip.c).
void zip_build(Kernel *k, const NestZip *zip, const ZipPiece *piece, LLVMValueRef out);

void weave_build(Kernel *k, const Nest *nest, LLVMValueRef src, LLVMValueRef dst);
// Whether its planes are at least as long as a vector; NULL: always.
LLVMValueRef weave_fits(Kernel *k, const Nest *nest);
// The tiles of a nest (emit_tile.c), from the start of its two innermost loops. `around`: the loops around them, or
// NULL.
void tile_build(Kernel *k, const Nest *nest, LLVMValueRef src, LLVMValueRef dst,
                const Round *around);
// Whether its sizes are large enough for a tile; NULL: always.
LLVMValueRef tile_fits(Kernel *k, const Nest *nest);
// Applies one step to an element (emit_element.c). `entry`: index into the tables of the step, which memory contains
// `repeat` times; NULL: it has no tables.
LLVMValueRef step_build(Gen *g, const Graph *graph, const rsh_step *step, LLVMValueRef bits,
                        LLVMValueRef entry, int64_t repeat);
// A vector of table entries, for a vector of indices of at most 8 bits (emit_lookup.c).
LLVMValueRef lookup_build(Gen *g, const uint64_t *entry, int count, int bits, LLVMValueRef index);
// Builds an element-wise function, applied to these arguments.
LLVMValueRef element_build(Gen *g, const Element *e, const LLVMValueRef *arg);

#endif
