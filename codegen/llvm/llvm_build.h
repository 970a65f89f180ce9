// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small helpers over LLVM's builder, and the state that emitters share.
#ifndef CODEGEN_LLVM_BUILD_H
#define CODEGEN_LLVM_BUILD_H

#include "codegen/plan/strategy.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct Gen {
  const struct Target *target;
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  LLVMTypeRef none, i1, i8, i32, i64, ptr;
  LLVMTypeRef word;      // an integer of a pointer's width
  LLVMTypeRef index;     // for offsets and counts in the current code
  LLVMValueRef function; // the current function
  struct Lines *lines;   // line information (lines.c); NULL: none
  Span span;             // source of the current code
  int elements;          // element-wise functions take vectors of this many; 0: single elements
  bool optimizes_size;   // the plan has so many nests that loops are compiled for size
  bool has_loops;        // see Target
  bool divides;          // the target has instructions that divide words,
  bool multiplies_long;  // multiply to 64 bits, and
  bool divides_long;     // divide numbers of 64 bits
  bool clamps_words;     // the conversion of floats clamps them to the range of words
  bool wide;             // loads of vectors need only the alignment of an element
  bool streaming;        // stores are non-temporal
  Machine can;
} Gen;

// Constants: of type `index`; and of 64 bits, like the sizes that a caller passes.
static inline LLVMValueRef b_int(Gen *g, int64_t n) {
  return LLVMConstInt(g->index, (unsigned long long)n, true);
}

// The smaller of two sizes.
static inline LLVMValueRef b_least(Gen *g, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildSelect(g->builder, LLVMBuildICmp(g->builder, LLVMIntULT, a, b, "less"), a, b,
                         "least");
}

static inline LLVMValueRef b_long(Gen *g, int64_t n) {
  return LLVMConstInt(g->i64, (unsigned long long)n, true);
}

static inline LLVMTypeRef b_integer(Gen *g, int64_t bits) {
  return LLVMIntTypeInContext(g->context, (unsigned)bits);
}

static inline LLVMTypeRef b_vector(Gen *g, int64_t bits, int64_t count) {
  return LLVMVectorType(b_integer(g, bits), (unsigned)count);
}

// What moves this many bytes: an integer of up to 8, or a vector.
static inline LLVMTypeRef b_bytes(Gen *g, int64_t count) {
  return count > 8 ? b_vector(g, 8, count) : b_integer(g, count * 8);
}

static inline LLVMValueRef b_const(LLVMTypeRef type, int64_t n) {
  return LLVMConstInt(type, (unsigned long long)n, false);
}

static inline LLVMValueRef b_i32(Gen *g, uint32_t n) { return LLVMConstInt(g->i32, n, false); }

// Converts a number to an integer type that can hold it.
static inline LLVMValueRef b_as(Gen *g, LLVMTypeRef type, LLVMValueRef n) {
  return LLVMBuildIntCast2(g->builder, n, type, false, "number");
}

static inline LLVMValueRef b_call(Gen *g, LLVMValueRef function, LLVMValueRef *arg, unsigned count,
                                  const char *name) {
  return LLVMBuildCall2(g->builder, LLVMGlobalGetValueType(function), function, arg, count, name);
}

// Calls an LLVM intrinsic that is overloaded for these types.
static inline LLVMValueRef b_intrinsic(Gen *g, const char *id, LLVMTypeRef *type, size_t types,
                                       LLVMValueRef *arg, unsigned count, const char *name) {
  unsigned number = LLVMLookupIntrinsicID(id, strlen(id));
  return b_call(g, LLVMGetIntrinsicDeclaration(g->module, number, type, types), arg, count, name);
}

// Whether a shuffle moves aligned pairs of elements: 4 5 0 1.
static inline bool b_moves_pairs(const int *from, int count) {
  bool pairs = count % 2 == 0;
  for (int i = 0; pairs && i < count; i += 2)
    pairs = from[i] < 0 ? from[i + 1] < 0 : from[i] % 2 == 0 && from[i + 1] == from[i] + 1;
  return pairs;
}

// A vector of `count` elements of a and b, given as indices into the concatenation of both; below 0: any. Elements that
// stay together are shuffled as one: LLVM selects the same instructions in less time.
static inline LLVMValueRef b_shuffle(Gen *g, LLVMValueRef a, LLVMValueRef b, const int *from,
                                     int count, const char *name) {
  enum { MOST = 128, WIDEST = 64 };
  LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(a));
  LLVMTypeRef type = LLVMVectorType(element, (unsigned)count);
  int64_t bits = LLVMGetIntTypeWidth(element), each = LLVMGetVectorSize(LLVMTypeOf(a));
  int unit[MOST];
  LLVMValueRef mask[MOST];
  for (int i = 0; i < count; i++)
    unit[i] = from[i];
  while (bits >= 8 && bits < WIDEST && each % 2 == 0 && b_moves_pairs(unit, count)) {
    bits *= 2, each /= 2, count /= 2;
    for (int i = 0; i < count; i++)
      unit[i] = unit[2 * i] < 0 ? -1 : unit[2 * i] / 2;
  }
  for (int i = 0; i < count; i++)
    mask[i] = unit[i] < 0 ? LLVMGetPoison(g->i32) : b_i32(g, (uint32_t)unit[i]);
  a = LLVMBuildBitCast(g->builder, a, b_vector(g, bits, each), name);
  b = LLVMBuildBitCast(g->builder, b, b_vector(g, bits, each), name);
  LLVMValueRef shuffled =
      LLVMBuildShuffleVector(g->builder, a, b, LLVMConstVector(mask, (unsigned)count), name);
  return LLVMBuildBitCast(g->builder, shuffled, type, name);
}

// Concatenates two vectors.
static inline LLVMValueRef b_join(Gen *g, LLVMValueRef a, LLVMValueRef b, const char *name) {
  int from[128], count = 2 * (int)LLVMGetVectorSize(LLVMTypeOf(a));
  for (int i = 0; i < count; i++)
    from[i] = i;
  return b_shuffle(g, a, b, from, count, name);
}

// The same for `count` vectors, a power of two; overwrites `vector`.
static inline LLVMValueRef b_join_all(Gen *g, LLVMValueRef *vector, int count, const char *name) {
  for (; count > 1; count /= 2)
    for (int i = 0; i < count / 2; i++)
      vector[i] = b_join(g, vector[2 * i], vector[2 * i + 1], name);
  return vector[0];
}

// Interleaves two vectors: a0 b0 a1 b1 ...
static inline LLVMValueRef b_interleave(Gen *g, LLVMValueRef a, LLVMValueRef b, const char *name) {
  int from[128], count = (int)LLVMGetVectorSize(LLVMTypeOf(a));
  for (int i = 0; i < 2 * count; i++)
    from[i] = i / 2 + i % 2 * count;
  return b_shuffle(g, a, b, from, 2 * count, name);
}

// Elements first ... first + count - 1 of a vector, as a vector of `width`; the others are undefined.
static inline LLVMValueRef b_resize(Gen *g, LLVMValueRef vector, int first, int count, int width,
                                    const char *name) {
  int from[128];
  for (int i = 0; i < width; i++)
    from[i] = i < count ? first + i : -1;
  return b_shuffle(g, vector, LLVMGetPoison(LLVMTypeOf(vector)), from, width, name);
}

// A vector whose `count` elements are all this integer.
static inline LLVMValueRef b_splat(LLVMTypeRef type, int64_t n, int count) {
  LLVMValueRef item[128];
  for (int i = 0; i < count; i++)
    item[i] = b_const(type, n);
  return LLVMConstVector(item, (unsigned)count);
}

void lines_note(Gen *g, LLVMBasicBlockRef block);

static inline LLVMBasicBlockRef b_block(Gen *g, const char *name) {
  LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(g->context, g->function, name);
  if (g->lines)
    lines_note(g, block);
  return block;
}

static inline void b_position(Gen *g, LLVMBasicBlockRef block) {
  LLVMPositionBuilderAtEnd(g->builder, block);
}

// The end of a block that may have its terminator already, such as the entry block.
static inline void b_position_in(Gen *g, LLVMBasicBlockRef block) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  if (end)
    LLVMPositionBuilderBefore(g->builder, end);
  else
    b_position(g, block);
}

// base + offset bytes, within one tensor.
static inline LLVMValueRef b_step(Gen *g, LLVMValueRef base, LLVMValueRef offset,
                                  const char *name) {
  if (LLVMIsConstant(offset) && LLVMIsNull(offset))
    return base;
  return LLVMBuildInBoundsGEP2(g->builder, g->i8, base, &offset, 1, name);
}

// base + offset. The offset is in elements if these have less than a byte, and is a whole number of bytes; else in
// bytes.
static inline LLVMValueRef b_packed_step(Gen *g, LLVMValueRef base, LLVMValueRef offset, int bits) {
  if (bits < 8)
    offset = LLVMBuildExactUDiv(g->builder, offset, b_int(g, 8 / bits), "packed");
  return b_step(g, base, offset, "packed");
}

// index * stride: an offset within a tensor, so it does not overflow.
static inline LLVMValueRef b_scale(Gen *g, LLVMValueRef index, LLVMValueRef stride,
                                   const char *name) {
  if (!LLVMIsConstant(stride))
    return LLVMBuildNSWMul(g->builder, index, stride, name);
  int64_t n = LLVMConstIntGetSExtValue(stride);
  if (n == 1)
    return index;
  return n > 0 ? LLVMBuildNUWMul(g->builder, index, stride, name)
               : LLVMBuildNSWMul(g->builder, index, stride, name);
}

// base + index * stride.
static inline LLVMValueRef b_at(Gen *g, LLVMValueRef base, LLVMValueRef index, LLVMValueRef stride,
                                const char *name) {
  return b_step(g, base, b_scale(g, index, stride, name), name);
}

// pointer + bytes, which may be outside its tensor.
static inline LLVMValueRef b_move_by(Gen *g, LLVMValueRef pointer, LLVMValueRef bytes,
                                     const char *name) {
  return LLVMBuildGEP2(g->builder, g->i8, pointer, &bytes, 1, name);
}

static inline LLVMValueRef b_move(Gen *g, LLVMValueRef pointer, int64_t bytes, const char *name) {
  return bytes == 0 ? pointer : b_move_by(g, pointer, b_int(g, bytes), name);
}

static inline LLVMValueRef b_load(Gen *g, LLVMTypeRef type, LLVMValueRef from, uint32_t align,
                                  const char *name) {
  LLVMValueRef load = LLVMBuildLoad2(g->builder, type, from, name);
  LLVMSetAlignment(load, align);
  return load;
}

static inline void b_store(Gen *g, LLVMValueRef value, LLVMValueRef to, uint32_t align) {
  LLVMSetAlignment(LLVMBuildStore(g->builder, value, to), align);
}

// A non-temporal store of whole, aligned lines.
static inline void b_stream(Gen *g, LLVMValueRef value, LLVMValueRef to, uint32_t align) {
  LLVMValueRef store = LLVMBuildStore(g->builder, value, to);
  LLVMSetAlignment(store, align);
  LLVMMetadataRef one = LLVMValueAsMetadata(b_i32(g, 1));
  LLVMMetadataRef node = LLVMMDNodeInContext2(g->context, &one, 1);
  LLVMSetMetadata(store, LLVMGetMDKindIDInContext(g->context, "nontemporal", 11),
                  LLVMMetadataAsValue(g->context, node));
}

// A store of so many bytes: whole lines while stores are non-temporal, else elements with this alignment.
static inline void b_put(Gen *g, LLVMValueRef value, LLVMValueRef to, int64_t bytes,
                         uint32_t align) {
  if (g->streaming)
    b_stream(g, value, to, (uint32_t)bytes);
  else
    b_store(g, value, to, align);
}

static inline LLVMMetadataRef b_loop_property(Gen *g, const char *name, size_t length) {
  LLVMMetadataRef text = LLVMMDStringInContext2(g->context, name, length);
  return LLVMMDNodeInContext2(g->context, &text, 1);
}

// Marks a loop whose body already uses vectors: LLVM neither unrolls nor vectorizes it, which would take most of the
// compile time. The metadata node refers to itself, so that it is distinct for each loop.
static inline void b_leave_loop(Gen *g, LLVMValueRef branch) {
  LLVMMetadataRef part[3] = {LLVMTemporaryMDNode(g->context, NULL, 0),
                             b_loop_property(g, "llvm.loop.unroll.disable", 24),
                             b_loop_property(g, "llvm.loop.disable_nonforced", 27)};
  LLVMMetadataRef node = LLVMMDNodeInContext2(g->context, part, 3);
  LLVMMetadataReplaceAllUsesWith(part[0], node);
  LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(g->context, "llvm.loop", 9),
                  LLVMMetadataAsValue(g->context, node));
}

// if (test) ...; else ...: code built after b_fork, up to b_fork_else or b_fork_end, is executed if the test is true.
typedef struct Fork {
  LLVMBasicBlockRef no, end;
} Fork;

// `test` NULL: it is always true, and no branch is built. `no` NULL: there is no else.
static inline Fork b_fork(Gen *g, LLVMValueRef test, const char *yes, const char *no,
                          const char *end) {
  if (!test)
    return (Fork){NULL, NULL};
  LLVMBasicBlockRef taken = b_block(g, yes);
  Fork f = {.no = no ? b_block(g, no) : NULL};
  f.end = b_block(g, end);
  LLVMBuildCondBr(g->builder, test, taken, no ? f.no : f.end);
  b_position(g, taken);
  return f;
}

// Code built next, up to b_fork_end, is executed if the test is false.
static inline Fork b_fork_unless(Gen *g, LLVMValueRef test, const char *no, const char *end) {
  LLVMBasicBlockRef taken = b_block(g, no);
  Fork f = {.end = b_block(g, end)};
  LLVMBuildCondBr(g->builder, test, f.end, taken);
  b_position(g, taken);
  return f;
}

// A test for b_fork: extent >= least. NULL if the extent is a constant, which callers know to be large enough.
static inline LLVMValueRef b_fits(Gen *g, LLVMValueRef extent, int64_t least) {
  return LLVMIsConstant(extent)
             ? NULL
             : LLVMBuildICmp(g->builder, LLVMIntUGE, extent, b_int(g, least), "fits");
}

// False: there is nothing to build, as the test is always true.
static inline bool b_fork_else(Gen *g, const Fork *f) {
  if (!f->end)
    return false;
  LLVMBuildBr(g->builder, f->end);
  b_position(g, f->no);
  return true;
}

// Adds no branch to a block that already ends in a return.
static inline void b_fork_end(Gen *g, const Fork *f) {
  if (!f->end)
    return;
  if (!LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(g->builder)))
    LLVMBuildBr(g->builder, f->end);
  b_position(g, f->end);
}

// for (index = 0; index != count; index += step) ..., count a multiple of step and not 0. Code built between begin and
// end is the body.
typedef struct Repeat {
  LLVMBasicBlockRef before, body;
  LLVMValueRef index, count;
  int64_t step;
  bool is_left; // marked by b_leave_loop
  bool to_zero; // the index begins at -count
} Repeat;

// Begins the body of a loop; its index is `first` in the first iteration.
static inline LLVMBasicBlockRef b_loop(Gen *g, LLVMValueRef first, const char *name,
                                       LLVMValueRef *index) {
  LLVMBasicBlockRef before = LLVMGetInsertBlock(g->builder), body = b_block(g, name);
  LLVMBuildBr(g->builder, body);
  b_position(g, body);
  *index = LLVMBuildPhi(g->builder, g->index, name);
  LLVMAddIncoming(*index, &first, &before, 1);
  return body;
}

static inline Repeat b_repeat_begin(Gen *g, LLVMValueRef count, int64_t step, const char *name) {
  Repeat r = {.before = LLVMGetInsertBlock(g->builder), .count = count, .step = step};
  r.body = b_loop(g, b_int(g, 0), name, &r.index);
  return r;
}

// for (index = -count; index != 0; index++) ...: the loop needs no comparison.
static inline Repeat b_repeat_to_zero(Gen *g, LLVMValueRef count, const char *name) {
  LLVMValueRef first = LLVMBuildNSWNeg(g->builder, count, "first");
  Repeat r = {
      .before = LLVMGetInsertBlock(g->builder), .count = b_int(g, 0), .step = 1, .to_zero = true};
  r.body = b_loop(g, first, name, &r.index);
  return r;
}

static inline void b_repeat_end(Gen *g, const Repeat *r) {
  LLVMValueRef next = LLVMBuildNSWAdd(g->builder, r->index, b_int(g, r->step), "next");
  LLVMSetNUW(next, !r->to_zero);
  LLVMBasicBlockRef latch = LLVMGetInsertBlock(g->builder), after = b_block(g, "after");
  LLVMAddIncoming(r->index, &next, &latch, 1);
  LLVMValueRef done = LLVMBuildICmp(g->builder, LLVMIntEQ, next, r->count, "done");
  LLVMValueRef branch = LLVMBuildCondBr(g->builder, done, after, r->body);
  if (r->is_left)
    b_leave_loop(g, branch);
  b_position(g, after);
}

// A loop-carried value: `start` in the first iteration, then the value passed to b_carry_on. b_carry is called right
// after b_repeat_begin, and b_carry_on right before b_repeat_end; `before` is the block before the loop.
static inline LLVMValueRef b_carry(Gen *g, LLVMBasicBlockRef before, LLVMValueRef start,
                                   const char *name) {
  LLVMValueRef carried = LLVMBuildPhi(g->builder, LLVMTypeOf(start), name);
  LLVMAddIncoming(carried, &start, &before, 1);
  return carried;
}

static inline void b_carry_on(Gen *g, LLVMValueRef carried, LLVMValueRef next) {
  LLVMBasicBlockRef latch = LLVMGetInsertBlock(g->builder);
  LLVMAddIncoming(carried, &next, &latch, 1);
}

// A pointer that advances by `stride` bytes in each iteration of a loop to zero. If addressing modes can scale an index
// by the stride, it is `place`, the end of the loop, plus the scaled index; else the loop carries it.
typedef struct Along {
  LLVMValueRef place, stride;
  bool is_carried;
} Along;

static inline Along b_along_before(Gen *g, LLVMValueRef start, LLVMValueRef stride,
                                   LLVMValueRef count) {
  Along a = {start, stride, true};
  if (!start || !LLVMIsConstant(stride))
    return a;
  int64_t n = LLVMConstIntGetSExtValue(stride);
  a.is_carried = n != 1 && n != 2 && n != 4 && n != 8;
  if (!a.is_carried)
    a.place = b_step(g, start, b_scale(g, count, stride, "way"), "end");
  return a;
}

// Call this right after b_repeat_to_zero.
static inline void b_along_begin(Gen *g, Along *a, LLVMBasicBlockRef before, const char *name) {
  if (a->place && a->is_carried)
    a->place = b_carry(g, before, a->place, name);
}

static inline LLVMValueRef b_along_at(Gen *g, const Along *a, LLVMValueRef index,
                                      const char *name) {
  if (!a->place || a->is_carried)
    return a->place;
  bool is_one = LLVMConstIntGetSExtValue(a->stride) == 1;
  LLVMValueRef way = is_one ? index : LLVMBuildNSWMul(g->builder, index, a->stride, "way");
  return b_step(g, a->place, way, name);
}

static inline void b_along_end(Gen *g, const Along *a) {
  if (a->place && a->is_carried)
    b_carry_on(g, a->place, b_step(g, a->place, a->stride, "on"));
}

// A pointer whose origin LLVM cannot see, so that LLVM keeps its increments as built. This emits no instruction.
static inline LLVMValueRef hidden_pointer(Gen *g, LLVMValueRef pointer) {
  return b_intrinsic(g, "llvm.launder.invariant.group", &g->ptr, 1, &pointer, 1, "walk");
}

// A number whose origin LLVM cannot see. Otherwise LLVM would add and compare its own counter.
static inline LLVMValueRef hidden_number(Gen *g, LLVMValueRef n) {
  LLVMValueRef pointer = hidden_pointer(g, LLVMBuildIntToPtr(g->builder, n, g->ptr, "n"));
  return LLVMBuildPtrToInt(g->builder, pointer, g->word, "n");
}

// Keeps a value in a separate register. LLVM computes it here, after the pointers a and b, which may be NULL.
static inline LLVMValueRef b_held(Gen *g, LLVMValueRef value, LLVMValueRef a, LLVMValueRef b) {
  char constraints[] = "=r,0,r,r";
  unsigned count = 1 + (a != NULL) + (b != NULL);
  LLVMValueRef arg[3] = {value, a ? a : b, b};
  LLVMTypeRef of = LLVMTypeOf(value), types[3] = {of, g->ptr, g->ptr};
  LLVMTypeRef type = LLVMFunctionType(of, types, count, false);
  LLVMValueRef nothing = LLVMGetInlineAsm(type, "", 0, constraints, 2 + 2 * count, true, false,
                                          LLVMInlineAsmDialectATT, false);
  return LLVMBuildCall2(g->builder, type, nothing, arg, count, "held");
}

// Decrements a count that is a pointer (hidden_pointer), after the pointers that step in this iteration: the additions
// of Thumb set the flags that the following branch needs.
static inline LLVMValueRef b_one_less(Gen *g, LLVMValueRef left, LLVMValueRef a, LLVMValueRef b) {
  LLVMValueRef count = g->has_loops ? left : b_held(g, left, a, b);
  return hidden_pointer(g, b_move(g, count, -1, "less"));
}

// A part of a loop: elements begin ... end-1, at least as many as a tile has.
typedef struct Part {
  LLVMValueRef begin, end;
} Part;

// for (index = begin; index < end; index += step), at least once. Its body uses vectors, so it is marked
// (b_leave_loop).
typedef struct Range {
  LLVMBasicBlockRef body;
  LLVMValueRef index, end;
  int64_t step;
} Range;

// end - begin; -1 if it is unknown, which is not a multiple of any step.
static inline int64_t b_count(LLVMValueRef begin, LLVMValueRef end) {
  if (!LLVMIsConstant(begin) || !LLVMIsConstant(end))
    return -1;
  return LLVMConstIntGetSExtValue(end) - LLVMConstIntGetSExtValue(begin);
}

static inline Range b_range_begin(Gen *g, LLVMValueRef begin, LLVMValueRef end, int64_t step,
                                  const char *name) {
  Range r = {NULL, begin, end, step};
  int64_t count = b_count(begin, end);
  if (count >= 0 && count <= step)
    return r;
  r.body = b_loop(g, begin, name, &r.index);
  return r;
}

static inline void b_range_end(Gen *g, const Range *r) {
  if (!r->body)
    return;
  LLVMValueRef next = LLVMBuildNUWAdd(g->builder, r->index, b_int(g, r->step), "next");
  LLVMBasicBlockRef latch = LLVMGetInsertBlock(g->builder), after = b_block(g, "after");
  LLVMAddIncoming(r->index, &next, &latch, 1);
  LLVMValueRef more = LLVMBuildICmp(g->builder, LLVMIntULT, next, r->end, "more");
  b_leave_loop(g, LLVMBuildCondBr(g->builder, more, r->body, after));
  b_position(g, after);
}

static inline LLVMValueRef b_smaller(Gen *g, LLVMValueRef a, LLVMValueRef b) {
  if (LLVMIsConstant(a) && LLVMIsConstant(b))
    return LLVMConstIntGetSExtValue(a) < LLVMConstIntGetSExtValue(b) ? a : b;
  LLVMValueRef is_less = LLVMBuildICmp(g->builder, LLVMIntULT, a, b, "less");
  return LLVMBuildSelect(g->builder, is_less, a, b, "smaller");
}

// Loops over the tiles of a part; `first` is the first element of a tile. If the last tile would exceed the part, it is
// moved back.
static inline Range b_tiles_begin(Gen *g, Part part, int64_t size, const char *name,
                                  LLVMValueRef *first) {
  Range r = b_range_begin(g, part.begin, part.end, size, name);
  *first = r.index;
  if (b_count(part.begin, part.end) % size == 0)
    return r;
  LLVMValueRef last = LLVMBuildSub(g->builder, part.end, b_int(g, size), "last");
  *first = b_smaller(g, r.index, last);
  return r;
}

static inline void b_attribute(Gen *g, LLVMValueRef function, LLVMAttributeIndex at,
                               const char *name, uint64_t value) {
  unsigned kind = 0;
  for (const char *end = name;; end++)
    if (!*end) {
      kind = LLVMGetEnumAttributeKindForName(name, (size_t)(end - name));
      break;
    }
  if (kind) // an attribute that this LLVM does not have is only a hint
    LLVMAddAttributeAtIndex(function, at, LLVMCreateEnumAttribute(g->context, kind, value));
}

// Adds an attribute to the function itself.
static inline void b_mark(Gen *g, LLVMValueRef function, const char *name) {
  b_attribute(g, function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, name, 0);
}

static inline void b_unmark(LLVMValueRef function, const char *name) {
  LLVMRemoveEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                 LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

#endif
