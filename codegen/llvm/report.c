// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes of code and of stack frames. LLVM reports the frame of a function only as a warning, if the attribute
// "warn-stack-size" sets a limit; here it is 0 bytes. Sizes of code are the sizes of the object's symbols.
#include "codegen/machine/report.h"

#include "codegen/llvm/llvm_module.h"
#include "codegen/llvm/process.h"
#include "codegen/plan/names.h"
#include "frontend/text/rescue.h"
#include "frontend/text/words.h"

#include <llvm-c/Object.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Frame *find(Frames *frames, const char *name, size_t length) {
  for (int i = 0; i < frames->list.count; i++)
    if (strlen(frames->list.item[i].name) == length &&
        memcmp(frames->list.item[i].name, name, length) == 0)
      return &frames->list.item[i];
  return NULL;
}

// "stack frame size (40) exceeds limit (0) in function 'heads'"
static void take_warning(Frames *frames, const char *text) {
  static const char begin[] = "stack frame size (", end[] = " in function '";
  const char *size = strstr(text, begin), *name = size ? strstr(size, end) : NULL;
  if (!name)
    return;
  name += strlen(end);
  Frame *frame = find(frames, name, strcspn(name, "'"));
  if (frame)
    frame->stack = strtoull(size + strlen(begin), NULL, 10);
}

static void on_diagnostic(LLVMDiagnosticInfoRef info, void *data) {
  char *text = memory_of(LLVMGetDiagInfoDescription(info));
  if (LLVMGetDiagInfoSeverity(info) == LLVMDSError)
    process_fail(text);
  take_warning(data, text);
  LLVMDisposeMessage(text);
}

void frames_begin(Arena *arena, Frames *frames, LLVMModuleRef module) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  *frames = (Frames){.arena = arena};
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f))
      continue;
    size_t length;
    const char *name = LLVMGetValueName2(f, &length);
    VEC_PUSH(arena, frames->list, ((Frame){.name = arena_text(arena, name, length)}));
    LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateStringAttribute(context, "warn-stack-size", 15, "0", 1));
  }
  LLVMContextSetDiagnosticHandler(context, on_diagnostic, frames);
}

static void read_sections(ObjectReport *report, LLVMBinaryRef object) {
  LLVMSectionIteratorRef section = LLVMObjectFileCopySectionIterator(object);
  for (; !LLVMObjectFileIsSectionIteratorAtEnd(object, section); LLVMMoveToNextSection(section)) {
    const char *name = LLVMGetSectionName(section);
    if (!name)
      continue;
    if (begins(name, ".text") || begins(name, "__text"))
      report->text += LLVMGetSectionSize(section);
    else if (begins(name, ".rodata") || begins(name, ".ARM.exidx") ||
             begins(name, ".data.rel.ro") || begins(name, "__const") || begins(name, ".rdata"))
      report->rodata += LLVMGetSectionSize(section);
  }
  LLVMDisposeSectionIterator(section);
}

static void read_symbols(Frames *frames, LLVMBinaryRef object) {
  LLVMSymbolIteratorRef symbol = LLVMObjectFileCopySymbolIterator(object);
  for (; !LLVMObjectFileIsSymbolIteratorAtEnd(object, symbol); LLVMMoveToNextSymbol(symbol)) {
    const char *name = LLVMGetSymbolName(symbol);
    Frame *frame = find(frames, name, strlen(name));
    if (frame)
      frame->text = LLVMGetSymbolSize(symbol);
  }
  LLVMDisposeSymbolIterator(symbol);
}

// ---- calls

typedef struct Reach {
  Frames *frames;
  uint64_t call; // bytes that a call itself pushes
  uint64_t text;
  const char *outside;
} Reach;

typedef struct Depth {
  uint64_t stack;
  int calls;
} Depth;

static Depth walk(Reach *r, LLVMValueRef function);

// The greatest depth of the callees of a function. No function is recursive, so this terminates.
static Depth walk_calls(Reach *r, LLVMValueRef function) {
  Depth most = {0, 0};
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
      if (!callee || !LLVMIsAFunction(callee))
        continue;
      Depth depth = walk(r, callee);
      most.stack = depth.stack > most.stack ? depth.stack : most.stack;
      most.calls = depth.calls > most.calls ? depth.calls : most.calls;
    }
  return most;
}

static Depth walk(Reach *r, LLVMValueRef function) {
  size_t length;
  const char *name = LLVMGetValueName2(function, &length);
  Frame *frame = find(r->frames, name, length);
  if (!frame) {
    if (!begins(name, "llvm."))
      r->outside = arena_text(r->frames->arena, name, length);
    return (Depth){0, 0};
  }
  r->text += frame->is_counted ? 0 : frame->text;
  frame->is_counted = true;
  Depth inner = walk_calls(r, function);
  return (Depth){frame->stack + r->call + inner.stack, inner.calls + 1};
}

static Depth reach(Reach *r, Frames *frames, LLVMModuleRef module, const Target *target,
                   const char *name) {
  *r = (Reach){.frames = frames, .call = begins(target->triple, "x86_64") ? 8 : 0};
  for (int i = 0; i < frames->list.count; i++)
    frames->list.item[i].is_counted = false;
  return walk(r, LLVMGetNamedFunction(module, name));
}

bool report_make(Arena *arena, ObjectReport *report, Frames *frames, LLVMModuleRef module,
                 const Target *target, const Plan *const *plans, int count, Bytes object) {
  char *message = NULL;
  LLVMMemoryBufferRef buffer =
      memory_of(LLVMCreateMemoryBufferWithMemoryRangeCopy(object.data, object.size, "object"));
  LLVMBinaryRef binary = LLVMCreateBinary(buffer, LLVMGetModuleContext(module), &message);
  LLVMDisposeMessage(message);
  if (!binary) {
    LLVMDisposeMemoryBuffer(buffer);
    return false;
  }
  *report = (ObjectReport){.target = arena_text(arena, target->triple, strlen(target->triple)),
                           .graph = ARENA_ARRAY(arena, GraphReport, count),
                           .graph_count = count};
  read_sections(report, binary);
  read_symbols(frames, binary);
  LLVMDisposeBinary(binary);
  LLVMDisposeMemoryBuffer(buffer);
  const GraphNames *names = graph_names(arena, plans, count, false);
  for (int i = 0; i < count; i++) {
    Reach r;
    GraphReport *g = &report->graph[i];
    g->plan = plans[i];
    const char *shape = names[i].entry[ENTRY_SHAPE];
    if (shape)
      g->shape_stack = reach(&r, frames, module, target, shape).stack;
    Depth depth = reach(&r, frames, module, target, names[i].entry[ENTRY_WHOLE]);
    g->text = r.text;
    g->stack = depth.stack;
    g->calls = depth.calls;
    g->outside = r.outside;
  }
  return true;
}

static bool refuse(const GraphReport *g, uint64_t bytes, int64_t most, const char *what,
                   const char *option, const ObjectReport *report, Diag *diag) {
  if (most < 0 || bytes <= (uint64_t)most)
    return false;
  diag_error(diag, g->plan->graph->span, "over_limit",
             "'%s' takes %llu bytes of %s on '%s': more than the %lld of %s", g->plan->graph->name,
             (unsigned long long)bytes, what, report->target, (long long)most, option);
  return true;
}

bool report_refuse(const ObjectReport *report, const EmitOptions *options, Diag *diag) {
  bool refused = false;
  for (int i = 0; i < report->graph_count; i++) {
    const GraphReport *g = &report->graph[i];
    uint64_t stack = g->shape_stack > g->stack ? g->shape_stack : g->stack;
    refused =
        refuse(g, stack, options->limit.stack, "stack", "--max-stack", report, diag) || refused;
    refused =
        refuse(g, g->text, options->limit.text, "code", "--max-text", report, diag) || refused;
  }
  return refused;
}
