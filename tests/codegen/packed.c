// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t | FileCheck %s
//
// Callers of a loaded object's functions (verify, and code in memory) declare them as the header does: task numbers
// have 32 bits, but the argument list holds them as a size.
// CHECK: declare signext i32 @f(i64, ptr, ptr)
// CHECK: declare signext i32 @f_tasks(i64)
// CHECK: declare signext i32 @f_task(i32 signext, i64, ptr, ptr)
// CHECK: define signext i32 @f_task.packed(ptr
// CHECK: %[[SIZE:.*]] = load i64, ptr
// CHECK: %[[TASK:.*]] = trunc i64 %[[SIZE]] to i32
// CHECK: call {{(signext )?}}i32 @f_task(i32 {{(signext )?}}%[[TASK]], i64
#include "codegen/llvm/llvm_module.h"
#include "library/pipeline.h"

#include <stdio.h>
#include <string.h>

static const char text[] = "graph f(x: u32[N, 900]) -> y { y = transpose(x, [1, 0]) }";

int main(void) {
  const EmitOptions options = {.parallel = true};
  Arena *arena = arena_new();
  Pipeline p = {.arena = arena, .diag = {.arena = arena}};
  p.processor = emit_cost(arena, &options);
  if (!pipeline_read_text(&p, source_from_text(arena, "f.rsh", text, strlen(text))))
    return 1;
  pipeline_lower(&p);
  pipeline_fold(&p);
  pipeline_plan(&p, false);
  Target target;
  if (p.plan.count != 1 || !target_open(arena, &options, &target, &p.diag) ||
      !backend_open(arena, &options, &target, &p.diag))
    return 2;
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef module = module_build_packed(arena, context, p.plan.item, p.plan.count, &target);
  char *printed = LLVMPrintModuleToString(module);
  puts(printed);
  LLVMDisposeMessage(printed);
  LLVMDisposeModule(module);
  LLVMContextDispose(context);
  target_free(&target);
  arena_free(arena);
}
