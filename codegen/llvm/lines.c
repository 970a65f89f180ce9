// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// -g: the source line of each instruction. While functions are built, each block records the current span when it is
// created; afterwards all its instructions get that line. A kernel has the line of its graph for checks of sizes, and
// the lines of the operators that compute its results.
#include "codegen/llvm/llvm_module.h"
#include "frontend/text/hash.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

typedef struct Line {
  LLVMBasicBlockRef block;
  Span span;
  UT_hash_handle hh;
} Line;

struct Lines {
  Arena *arena;
  const Source *source; // the first source
  Line *line;
  LLVMDIBuilderRef builder;
};

void lines_begin(Gen *g, Arena *arena) {
  if (!g->target->source)
    return;
  g->lines = ARENA_NEW(arena, Lines);
  *g->lines = (Lines){.arena = arena, .source = g->target->source};
}

void lines_note(Gen *g, LLVMBasicBlockRef block) {
  Line *line = ARENA_NEW(g->lines->arena, Line);
  *line = (Line){.block = block, .span = g->span};
  HASH_ADD_PTR(g->lines->line, block, line);
}

// A block begins here even without -g, so that the code is the same.
void lines_set(Gen *g, Span span) {
  g->span = span;
  LLVMBasicBlockRef next = b_block(g, "line");
  LLVMBuildBr(g->builder, next);
  b_position(g, next);
}

// Named as on the command line, so that the object does not depend on the folder.
static LLVMMetadataRef file_of(const Lines *l, const Source *source) {
  return LLVMDIBuilderCreateFile(l->builder, source->name, strlen(source->name), ".", 1);
}

static const Line *block_line(const Lines *l, LLVMBasicBlockRef block) {
  Line *line;
  HASH_FIND_PTR(l->line, &block, line);
  return line;
}

static LLVMMetadataRef describe_function(Gen *g, LLVMValueRef function, const Line *first) {
  const Lines *l = g->lines;
  const Source *source = source_at(l->source, first->span.begin);
  Place place = source_place(source, first->span.begin);
  LLVMMetadataRef file = file_of(l, source);
  LLVMMetadataRef type =
      LLVMDIBuilderCreateSubroutineType(l->builder, file, NULL, 0, LLVMDIFlagZero);
  size_t length;
  const char *name = LLVMGetValueName2(function, &length);
  bool is_local = LLVMGetLinkage(function) == LLVMInternalLinkage;
  LLVMMetadataRef made =
      LLVMDIBuilderCreateFunction(l->builder, file, name, length, name, length, file, place.line,
                                  type, is_local, true, place.line, LLVMDIFlagZero, true);
  LLVMSetSubprogram(function, made);
  return made;
}

// Operators from another file, whose graphs are inlined, are in a scope of that file.
static LLVMMetadataRef location(Gen *g, LLVMMetadataRef function, Span of, Span span) {
  const Lines *l = g->lines;
  const Source *own = source_at(l->source, of.begin), *source = source_at(l->source, span.begin);
  if (source != own)
    function = LLVMDIBuilderCreateLexicalBlockFile(l->builder, function, file_of(l, source), 0);
  Place place = source_place(source, span.begin);
  return LLVMDIBuilderCreateDebugLocation(g->context, place.line, place.column, function, NULL);
}

// Sizes are integers; all other arguments are pointers to bytes.
static LLVMMetadataRef argument_type(Gen *g, LLVMTypeRef type) {
  enum { SIGNED = 5, UNSIGNED_CHAR = 8 }; // DW_ATE
  LLVMDIBuilderRef builder = g->lines->builder;
  if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind) {
    unsigned bits = LLVMGetIntTypeWidth(type);
    const char *name = arena_printf(g->lines->arena, "int%u_t", bits);
    return LLVMDIBuilderCreateBasicType(builder, name, strlen(name), bits, SIGNED, LLVMDIFlagZero);
  }
  LLVMMetadataRef byte =
      LLVMDIBuilderCreateBasicType(builder, "uint8_t", 7, 8, UNSIGNED_CHAR, LLVMDIFlagZero);
  return LLVMDIBuilderCreatePointerType(builder, byte, (uint64_t)g->can.word * 8, 0, 0, "", 0);
}

// The arguments of a function that programs call, with their values on entry.
static void describe_arguments(Gen *g, LLVMValueRef function, LLVMMetadataRef scope,
                               const Line *first) {
  const Lines *l = g->lines;
  const Source *source = source_at(l->source, first->span.begin);
  Place place = source_place(source, first->span.begin);
  LLVMMetadataRef file = file_of(l, source), at = location(g, scope, first->span, first->span),
                  as_it_is = LLVMDIBuilderCreateExpression(l->builder, NULL, 0);
  LLVMValueRef begin = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
  for (unsigned i = 0; i < LLVMCountParams(function); i++) {
    LLVMValueRef argument = LLVMGetParam(function, i);
    size_t length;
    const char *name = LLVMGetValueName2(argument, &length);
    LLVMMetadataRef variable = LLVMDIBuilderCreateParameterVariable(
        l->builder, scope, name, length, i + 1, file, place.line,
        argument_type(g, LLVMTypeOf(argument)), false, LLVMDIFlagZero);
    LLVMDIBuilderInsertDbgValueRecordBefore(l->builder, argument, variable, as_it_is, at, begin);
  }
}

static void describe(Gen *g, LLVMValueRef function) {
  const Line *first = block_line(g->lines, LLVMGetEntryBasicBlock(function));
  LLVMMetadataRef scope = describe_function(g, function, first);
  if (LLVMGetLinkage(function) != LLVMInternalLinkage)
    describe_arguments(g, function, scope, first);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
    LLVMMetadataRef place = location(g, scope, first->span, block_line(g->lines, b)->span);
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      LLVMInstructionSetDebugLoc(i, place);
  }
}

static void add_flag(Gen *g, const char *name, unsigned value) {
  LLVMValueRef number = b_i32(g, value);
  LLVMAddModuleFlag(g->module, LLVMModuleFlagBehaviorWarning, name, strlen(name),
                    LLVMValueAsMetadata(number));
}

void lines_end(Gen *g) {
  if (!g->lines)
    return;
  static const char producer[] = "reshapec";
  Lines *l = g->lines;
  l->builder = LLVMCreateDIBuilder(g->module);
  LLVMDIBuilderCreateCompileUnit(l->builder, LLVMDWARFSourceLanguageC99, file_of(l, l->source),
                                 producer, sizeof producer - 1, true, "", 0, 0, "", 0,
                                 LLVMDWARFEmissionFull, 0, false, false, "", 0, "", 0);
  add_flag(g, "Debug Info Version", LLVMDebugMetadataVersion());
  add_flag(g, "Dwarf Version", 4);
  for (LLVMValueRef f = LLVMGetFirstFunction(g->module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f))
      describe(g, f);
  LLVMDIBuilderFinalize(l->builder);
  LLVMDisposeDIBuilder(l->builder);
  HASH_CLEAR(hh, l->line);
}
