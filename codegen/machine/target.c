// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens the target, and returns its properties.
#include "codegen/machine/backend.h"
#include "codegen/machine/host.h"

#include <string.h>

static bool is_native(const EmitOptions *options) {
  return options->cpu && strcmp(options->cpu, "native") == 0;
}

static void describe(Arena *arena, const EmitOptions *options, Target *target) {
  Host host = {NULL, NULL};
  if (is_native(options))
    host = (Host){backend_host_cpu(arena), backend_host_features(arena)};
  target_describe(arena, options, emit_triple(arena, options), host.cpu ? &host : NULL, target);
}

static bool refuse_levels(const Target *target, const char *family, Diag *diag) {
  if (!target->levels || (strcmp(family, "x86-64") == 0 && !target->freestanding))
    return false;
  diag_error_file(diag, "unsupported",
                  "--multiversion chooses among levels of x86-64 and keeps its choice in the "
                  "object's data: not for "
                  "'%s'%s",
                  target->triple, target->freestanding ? ", which is freestanding" : "");
  return true;
}

static bool refuse_pointers(const Target *target, Diag *diag) {
  if (target->pointer == 32 || target->pointer == 64)
    return false;
  diag_error_file(diag, "unsupported",
                  "'%s' has pointers of %d bits; only targets with 32 or 64 are supported",
                  target->triple, target->pointer);
  return true;
}

// The size of pointers, and the byte order.
static bool measure(Arena *arena, const EmitOptions *options, const KnownTarget *known,
                    Target *target, Diag *diag) {
  target->known = known;
  if (!known)
    return backend_open(arena, options, target, diag);
  target->pointer = known->pointer;
  target->is_big = known->is_big;
  return true;
}

bool target_open(Arena *arena, const EmitOptions *options, Target *target, Diag *diag) {
  describe(arena, options, target);
  const KnownTarget *known = known_target(arena, target->triple, options);
  const char *family = known ? known->family : backend_family(arena, target, diag);
  if (!family)
    return false;
  target_set_family(arena, target, family);
  if (refuse_levels(target, family, diag) || !measure(arena, options, known, target, diag))
    return false;
  target->can.element.word = target->pointer;
  if (!refuse_pointers(target, diag))
    return true;
  target_free(target);
  return false;
}

void target_find_unit(Target *target, const Plan *const *plans, int count) {
  bool is_wanted = false;
  for (int i = 0; i < count; i++)
    is_wanted = is_wanted || plan_computes(plans[i]);
  ElementMachine *element = &target->can.element;
  if (is_wanted && target->known) {
    element->has_single = target->known->unit >= UNIT_SINGLE;
    element->has_double = target->known->unit >= UNIT_DOUBLE;
    element->has_long = target->known->unit == UNIT_ALL;
  } else if (is_wanted) {
    backend_find_unit(target);
  }
}

const char *emit_triple(Arena *arena, const EmitOptions *options) {
  if (!options->triple)
    return backend_host_triple(arena);
  return backend_triple(arena, target_triple(arena, options->triple, options->cpu));
}

bool emit_is_host(const EmitOptions *options) {
  if (!options->triple)
    return true;
  Arena *arena = arena_new();
  const char *host = backend_host_triple(arena), *target = emit_triple(arena, options);
  size_t machine = strcspn(host, "-");
  bool same = strncmp(host, target, machine + 1) == 0 && strstr(target, "linux");
  arena_free(arena);
  return same;
}

const char *emit_processor(Arena *arena, const EmitOptions *options) {
  Target target;
  describe(arena, options, &target);
  const char *text = arena_printf(arena, "%.*s %s", (int)strcspn(target.triple, "-"), target.triple,
                                  *target.cpu ? target.cpu : "generic");
  target_free(&target);
  return text;
}

// The shuffles of a target, or of its best version.
static Shuffles shuffles_of(Arena *arena, const EmitOptions *options) {
  enum { X86_64_V2 = 2, VECTOR = 16 };
  Target target;
  describe(arena, options, &target);
  bool is_x86 = strncmp(target.triple, "x86_64", strlen("x86_64")) == 0;
  bool is_aarch64 = strncmp(target.triple, "aarch64", strlen("aarch64")) == 0;
  target_set_family(arena, &target, is_x86 ? "x86-64" : is_aarch64 ? "aarch64" : "");
  if (target.can.vector < VECTOR)
    return SHUFFLES_NONE;
  if (target.can.element.table > 2 * VECTOR)
    return SHUFFLES_TABLES;
  bool moves_bytes = target.can.element.table >= VECTOR || options->levels >> X86_64_V2;
  return moves_bytes ? SHUFFLES_BYTES : SHUFFLES_ZIP;
}

const Processor *emit_cost(Arena *arena, const EmitOptions *options) {
  const Processor *row = is_native(options)
                             ? host_processor(arena, processor_find(backend_host_cpu(arena)))
                             : processor_find(options->cpu);
  return processor_for(arena, row, options->opt_level == 's' || options->opt_level == 'z',
                       shuffles_of(arena, options));
}

bool emit_has_target(Arena *arena, const EmitOptions *options, Diag *diag) {
  Target target;
  if (!options->triple && !options->cpu)
    return true; // this machine
  bool good = target_open(arena, options, &target, diag);
  if (good)
    target_free(&target);
  return good;
}

int emit_pointer_bytes(Arena *arena, const EmitOptions *options) {
  Diag diag = {.arena = arena};
  Target target;
  if (!target_open(arena, options, &target, &diag))
    return (int)sizeof(void *);
  int bytes = target.pointer / 8;
  target_free(&target);
  return bytes;
}

bool emit_divides(Arena *arena, const EmitOptions *options) {
  Diag diag = {.arena = arena};
  Target target;
  if (!target_open(arena, options, &target, &diag))
    return true;
  bool divides = target.divides;
  target_free(&target);
  return divides;
}

int emit_machines(Arena *arena, const EmitOptions *options, Machine machine[MOST_MACHINES]) {
  Diag diag = {.arena = arena};
  Target target;
  int count = 1;
  machine[0] = (Machine){0};
  if (!target_open(arena, options, &target, &diag))
    return count;
  machine[0] = target.can;
  for (int level = 2; level <= 4; level++)
    if (target.levels & 1u << level)
      machine[count++] = target_version(&target, level).can;
  target_free(&target);
  return count;
}

void target_free(Target *target) {
  backend_close(target);
  *target = (Target){0};
}
