// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's view of targets, and the code of plans as an LLVM module.
#include "codegen/llvm/llvm_module.h"
#include "codegen/llvm/process.h"
#include "frontend/text/rescue.h"

#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <string.h>

// A text allocated by LLVM, which a jump frees too.
typedef struct Message {
  char *text;
} Message;

static void dispose(void *message) { LLVMDisposeMessage(((Message *)message)->text); }

static Message *message_new(void) { return rescue_open(sizeof(Message), dispose); }

static char *copied(Arena *arena, Message *message) {
  const char *given = memory_of(message->text);
  char *text = arena_text(arena, given, strlen(given));
  rescue_free(message);
  return text;
}

const char *backend_version(Arena *arena) {
  unsigned major, minor, patch;
  LLVMGetVersion(&major, &minor, &patch);
  return arena_printf(arena, "LLVM %u.%u.%u", major, minor, patch);
}

const char *backend_host_triple(Arena *arena) {
  Message *message = message_new();
  message->text = LLVMGetDefaultTargetTriple();
  return copied(arena, message);
}

const char *backend_triple(Arena *arena, const char *triple) {
  Message *message = message_new();
  message->text = LLVMNormalizeTargetTriple(triple);
  return copied(arena, message);
}

const char *backend_host_cpu(Arena *arena) {
  Message *message = message_new();
  message->text = LLVMGetHostCPUName();
  return copied(arena, message);
}

const char *backend_host_features(Arena *arena) {
  Message *message = message_new();
  message->text = LLVMGetHostCPUFeatures();
  return copied(arena, message);
}

// ---- The target

// The target of a tested processor: "; write '--target=thumbv7em-none-eabi -mcpu=cortex-m4'". NULL: it is none of them.
static const char *hint_of_processor(Arena *arena, const char *cpu) {
  const KnownTarget *known = known_processor(arena, cpu);
  return known ? arena_printf(arena, "; write '--target=%s %s'", known->triple, known->options)
               : NULL;
}

// The known name closest to the unknown processor or feature that `message` is about. LLVM lists them as
//
//     cortex-m4 - Select the cortex-m4 processor.
//     dsp       - Supports DSP instructions in ARM and/or Thumb2.
//
// It does so only once per process, so later errors get no hint.
static const char *hint(Arena *arena, LLVMTargetRef which, const Target *target,
                        const char *message) {
  VEC(const char *) names = {0};
  const char *list, *quoted = strchr(message, '\'');
  if (!quoted)
    return "";
  quoted += 1 + (quoted[1] == '+' || quoted[1] == '-');
  bool is_processor = strstr(message, "(ignoring processor)") != NULL;
  const char *elsewhere = is_processor ? hint_of_processor(arena, target->cpu) : NULL;
  if (elsewhere)
    return elsewhere;
  Target asked = *target;
  asked.cpu = "help";
  asked.features = "";
  LLVMTargetMachineRef machine =
      process_open_machine(arena, which, &asked, NULL, false, false, &list);
  if (machine)
    LLVMDisposeTargetMachine(machine);
  for (const char *line = list; line && *line; line += strcspn(line, "\n"), line += *line == '\n') {
    size_t indent = strspn(line, " "), length = strcspn(line, "\n");
    bool is_one = length > 10 && strncmp(line + length - 10, "processor.", 10) == 0;
    if (indent == 2 && is_one == is_processor)
      VEC_PUSH(arena, names, arena_text(arena, line + 2, strcspn(line + 2, " ")));
  }
  const char *wrong = arena_text(arena, quoted, strcspn(quoted, "'"));
  const char *nearest = diag_nearest(wrong, names.item, names.count);
  return nearest ? arena_printf(arena, "; did you mean '%s'?", nearest) : "";
}

static LLVMTargetRef find_target(Arena *arena, const Target *target, Diag *diag) {
  LLVMTargetRef which;
  process_start();
  Message *message = message_new();
  int failed = LLVMGetTargetFromTriple(target->triple, &which, &message->text);
  rescue_free(message);
  if (!failed)
    return which;
  const char *elsewhere = hint_of_processor(arena, target->triple);
  diag_error_file(diag, "bad_target", "no target is called '%s'%s", target->triple,
                  elsewhere ? elsewhere : "; 'reshapec --print-targets' lists the tested ones");
  return NULL;
}

const char *backend_family(Arena *arena, const Target *target, Diag *diag) {
  LLVMTargetRef which = find_target(arena, target, diag);
  return which ? LLVMGetTargetName(which) : NULL;
}

void backend_close(Target *target) {
  if (target->machine)
    LLVMDisposeTargetMachine(target->machine);
  target->machine = NULL;
}

// Removes LLVM's "(ignoring processor)": here the error is not ignored.
static int message_length(const char *message) {
  const char *end = strstr(message, " (ignoring");
  return end ? (int)(end - message) : (int)strcspn(message, "\n");
}

bool backend_open(Arena *arena, const EmitOptions *options, Target *target, Diag *diag) {
  if (target->machine)
    return true;
  LLVMTargetRef which = find_target(arena, target, diag);
  const char *message;
  bool is_native = options->cpu && strcmp(options->cpu, "native") == 0;
  bool is_known =
      (!options->cpu || (is_native && !options->triple)) && !options->features && !options->abi;
  const char *wrong_abi = target_wrong_abi(arena, target, options->abi);
  target->machine =
      process_open_machine(arena, which, target, wrong_abi ? NULL : target_abi(target, options),
                           is_known, options->abi && !wrong_abi, &message);
  if (!target->machine || (message && strstr(message, "(ignoring"))) {
    if (is_native && message && strstr(message, "(ignoring processor)"))
      diag_error_file(
          diag, "bad_target",
          "cannot generate code for '%s': '-mcpu=native' is '%s', the processor of this "
          "machine, which is another target",
          target->triple, target->cpu);
    else
      diag_error_file(diag, "bad_target", "cannot generate code for '%s'%s%.*s%s", target->triple,
                      message ? ": " : "", message ? message_length(message) : 0,
                      message ? message : "", message ? hint(arena, which, target, message) : "");
    backend_close(target);
    return false;
  }
  if (wrong_abi) {
    diag_error_file(diag, "bad_target", "cannot generate code for '%s': %s", target->triple,
                    wrong_abi);
    backend_close(target);
    return false;
  }
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(target->machine);
  target->pointer = 8 * (int)LLVMPointerSize(layout);
  target->is_big = LLVMByteOrder(layout) == LLVMBigEndian;
  LLVMDisposeTargetData(layout);
  return true;
}

// ---- Code

// Values have names only where these are visible: in LLVM's text, in a debugger, and in the scan of a module.
static bool keeps_names(const EmitOptions *options, EmitKind kind) {
  return kind != EMIT_OBJECT || options->debug || options->scan;
}

bool backend_emit(Arena *arena, const Plan *const *plans, int count, const EmitOptions *options,
                  Target *target, EmitKind kind, bool passes, Bytes *out, Diag *diag) {
  process_enter(process_switches(target));
  if (options->debug && diag->source && !diag->source->is_model)
    target->source = diag->source;
  LLVMContextRef context = LLVMContextCreate();
  LLVMContextSetDiscardValueNames(context, !keeps_names(options, kind));
  const char *source = diag->source ? diag->source->name : diag->file ? diag->file : "";
  LLVMModuleRef module = module_build(arena, context, plans, count, target, source, false);
  if (options->stamp && options->ident != IDENT_NEVER &&
      (options->ident == IDENT_ALWAYS || !target->freestanding))
    module_identify(module, stamp_text(arena, options->stamp));
  bool good =
      passes ? module_optimize(module, target, diag) : module_verify(module, "as built", diag);
  good = good && (!options->scan || module_scan(arena, module, plans, count, diag));
  good = good && module_emit(arena, module, target, plans, count, options, kind, out, diag);
  LLVMDisposeModule(module);
  LLVMContextDispose(context);
  process_leave();
  return good;
}

void backend_abandon(void) { process_abandon(); }
