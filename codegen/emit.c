// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/emit.h"

#include "codegen/c/c_file.h"
#include "codegen/dma/dma.h"
#include "codegen/machine/backend.h"

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

// C has no vectors, and copies runs by calls, to keep it short. With a C library, memcpy copies all runs.
static Machine c_machine(const Target *target) {
  Machine can = target->can;
  can.walks = can.small = true;
  can.smallest = false;
  can.library = target->library || !target->freestanding;
  return can;
}

static bool emit_c_file(Arena *arena, const Plan *const *plans, int count,
                        const EmitOptions *options, Target *target, Bytes *out, Diag *diag) {
  ElementMachine machine = target->can.element;
  machine.has_half = machine.counts_zeros = machine.shares = false; // C cannot express these
  machine.clamps = true;                                            // by functions
  const CTarget c = {.machine = machine,
                     .can = c_machine(target),
                     .freestanding = target->freestanding,
                     .small = target->small,
                     .divides = target->divides,
                     .parallel = target->parallel,
                     .stamp = options->ident != IDENT_NEVER ? options->stamp : NULL};
  return emit_c(arena, plans, count, &c, options->header, out, diag);
}

static bool emit_for(Arena *arena, const Plan *const *plans, int count, const EmitOptions *options,
                     Target *target, EmitKind kind, bool passes, Bytes *out, Diag *diag) {
  if (kind == EMIT_DMA)
    return emit_dma(arena, plans, count, options, target->is_big, out, diag);
  if (kind != EMIT_C && !backend_open(arena, options, target, diag))
    return false;
  target_find_unit(target, plans, count);
  return kind == EMIT_C
             ? emit_c_file(arena, plans, count, options, target, out, diag)
             : backend_emit(arena, plans, count, options, target, kind, passes, out, diag);
}

bool emit_code(Arena *arena, const Plan *const *plans, int count, const EmitOptions *options,
               EmitKind kind, bool passes, Bytes *out, Diag *diag) {
  Target target;
  if (!target_open(arena, options, &target, diag))
    return false;
  bool good = !refuse_sizes(plans, count, &target, diag) &&
              !(target.is_big && refuse_order(plans, count, &target, diag)) &&
              (target.libm || !refuse_libm(arena, plans, count, &target, diag));
  good = good && emit_for(arena, plans, count, options, &target, kind, passes, out, diag);
  target_free(&target);
  return good;
}
