// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/emit.h"

#include "codegen/c/c_file.h"
#include "codegen/llvm/process.h"

static bool refuse_libm(Arena *arena, const Plan *const *plans, int count, const Target *target,
                        Diag *diag) {
  bool refused = false;
  for (int i = 0; i < count; i++)
    refused = plan_refuse_libm(arena, plans[i], target->triple, diag) || refused;
  return refused;
}

static bool refuse_sizes(const Plan *const *plans, int count, const Target *target, Diag *diag) {
  bool refused = false;
  for (int i = 0; i < count; i++)
    refused = plan_refuse_sizes(plans[i], target->pointer, target->triple, diag) || refused;
  return refused;
}

static bool refuse_order(const Plan *const *plans, int count, const Target *target, Diag *diag) {
  bool refused = false;
  for (int i = 0; i < count; i++)
    refused = plan_refuse_order(plans[i], target->triple, diag) || refused;
  return refused;
}

// C has no vectors, and what calls functions is short. With a C library all runs are memcpy's.
static Machine c_machine(const Target *target) {
  Machine can = target->can;
  can.walks = can.small = true;
  can.smallest = false;
  can.library = target->library || !target->freestanding;
  return can;
}

bool emit_code(Arena *arena, const Plan *const *plans, int count, const EmitOptions *options,
               EmitKind kind, bool passes, Bytes *out, Diag *diag) {
  Target target;
  if (!target_open(arena, options, &target, diag))
    return false;
  if (refuse_sizes(plans, count, &target, diag) ||
      (target.is_big && refuse_order(plans, count, &target, diag)) ||
      (!target.libm && refuse_libm(arena, plans, count, &target, diag))) {
    target_free(&target);
    return false;
  }
  process_enter(process_switches(&target));
  target_find_unit(&target, plans, count);
  if (kind == EMIT_C) {
    ElementMachine machine = target.can.element;
    machine.has_half = machine.counts_zeros = machine.shares = false; // C has no words for these
    const CTarget c = {.machine = machine,
                       .can = c_machine(&target),
                       .freestanding = target.freestanding,
                       .small = target.small,
                       .parallel = target.parallel,
                       .stamp = options->ident != IDENT_NEVER ? options->stamp : NULL};
    bool written = emit_c(arena, plans, count, &c, options->header, out, diag);
    process_leave();
    target_free(&target);
    return written;
  }
  if (options->debug && diag->source && !diag->source->is_model)
    target.source = diag->source;
  LLVMContextRef context = LLVMContextCreate();
  const char *source = diag->source ? diag->source->name : diag->file ? diag->file : "";
  LLVMModuleRef module = module_build(arena, context, plans, count, &target, source, false);
  if (options->stamp && options->ident != IDENT_NEVER &&
      (options->ident == IDENT_ALWAYS || !target.freestanding))
    module_identify(module, stamp_text(arena, options->stamp));
  bool good =
      passes ? module_optimise(module, &target, diag) : module_verify(module, "as built", diag);
  good = good && (!options->scan || module_scan(arena, module, plans, count, diag));
  good = good && module_emit(arena, module, &target, plans, count, options, kind, out, diag);
  LLVMDisposeModule(module);
  LLVMContextDispose(context);
  process_leave();
  target_free(&target);
  return good;
}
