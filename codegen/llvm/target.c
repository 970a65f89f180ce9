// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine to compile for: triple, CPU, features, level.
#include "codegen/code/element.h"
#include "codegen/llvm/host.h"
#include "codegen/llvm/process.h"
#include "codegen/llvm/target.h"
#include "frontend/text/rescue.h"

#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool begins(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

// The last word about a feature: '+', '-', or 0 where there is none.
static char said_of(const char *features, const char *name) {
  char said = 0;
  size_t length = strlen(name);
  for (const char *at = features; *at; at += strcspn(at, ","), at += *at == ',')
    if (strncmp(at + 1, name, length) == 0 && (at[1 + length] == ',' || at[1 + length] == '\0'))
      said = *at;
  return said;
}

static char *copied(Arena *arena, char *message) {
  const char *given = memory_of(message);
  char *text = arena_text(arena, given, strlen(given));
  LLVMDisposeMessage(message);
  return text;
}

static char *host_triple(Arena *arena) { return copied(arena, LLVMGetDefaultTargetTriple()); }

// Bytes of the vectors that are shuffled well. What a processor has is known from its features alone, or
// from its name where that is a level of x86-64; any other gets what all have.
static int vector_bytes(const char *family, const Target *target) {
  if (!target->wide)
    return 0;
  if (strcmp(family, "x86-64") != 0)
    return 16;
  if (strstr(target->features, "+avx512bw") || strcmp(target->cpu, "x86-64-v4") == 0)
    return 64;
  if (strstr(target->features, "+avx2") || strcmp(target->cpu, "x86-64-v3") == 0)
    return 32;
  return 16;
}

static int shuffled_bytes(const char *family, const Target *target) {
  if (strcmp(family, "aarch64") == 0) // LLVM finds ld3 and st3 by itself
    return 16;
  if (target->is_wasm) // i8x16.shuffle
    return 1;
  if (strstr(target->features, "+avx512vbmi"))
    return 1;
  return vector_bytes(family, target) == 64 ? 2 : 4;
}

// pshufb
static bool shuffles_lanes(const char *family, const Target *target) {
  return strcmp(family, "x86-64") == 0 &&
         (strstr(target->features, "+ssse3") || strncmp(target->cpu, "x86-64-v", 8) == 0);
}

static bool is_for_size(const Target *target) {
  return target->level == 's' || target->level == 'z';
}

// Cores of Arm before ARMv7, and those of firmware that have next to no instructions, trap where an address is not
// aligned.
static bool traps_unaligned(const char *triple) {
  return (begins(triple, "thumb") || begins(triple, "arm")) &&
         (!(begins(triple, "thumbv7") || begins(triple, "thumbv8") || begins(triple, "thumbv9") ||
            begins(triple, "armv7") || begins(triple, "armv8") || begins(triple, "armv9")) ||
          begins(triple, "thumbv8m.base"));
}

// Bytes of the widest load and store that take any address. On Arm all but the smallest cores do that, unless the
// program makes them trap; on RISC-V it is up to each.
static int unaligned_bytes(const Target *target, int word) {
  static const char *const any[] = {"thumb", "arm",  "aarch64", "x86_64", "powerpc",
                                    "i386",  "i686", "s390x",   "wasm"};
  const char *triple = target->triple;
  if (said_of(target->features, "strict-align") == '+' || traps_unaligned(triple))
    return 1;
  if (begins(triple, "riscv"))
    return said_of(target->features, "unaligned-scalar-mem") == '+' ? word : 1;
  for (size_t i = 0; i < sizeof any / sizeof *any; i++)
    if (begins(triple, any[i]))
      return word;
  return 1;
}

// The vectors of Armv8.1-M: of these processors, unless -mattr says otherwise.
static bool has_helium(const Target *target) {
  static const char *const with[] = {"cortex-m52", "cortex-m55", "cortex-m85"};
  char said = said_of(target->features, "mve");
  if (said || said_of(target->features, "mve.fp") == '+')
    return said != '-';
  for (size_t i = 0; i < sizeof with / sizeof *with; i++)
    if (strcmp(target->cpu, with[i]) == 0)
      return true;
  return false;
}

static void set_machine(Target *target, const char *family) {
  bool is_long = strstr(family, "64") || strcmp(family, "systemz") == 0;
  int word = is_long ? 8 : 4;
  const ElementMachine element = target->can.element;
  target->can =
      (Machine){.vector = is_for_size(target) ? 0 : vector_bytes(family, target),
                .shuffled = shuffled_bytes(family, target),
                .shuffles_lanes = shuffles_lanes(family, target),
                .streams = strcmp(family, "x86-64") == 0,
                .walks = !target->wide,
                .vectorises = has_helium(target) && target->level >= '2' && target->level <= '3',
                .word = word,
                .unaligned = unaligned_bytes(target, word),
                .small = is_for_size(target),
                .smallest = target->level == 'z',
                .library = target->library,
                .element = element,
                .is_straight = element_is_straight};
}

// The passes of a level. Loops around vectors are final when they are built (b_leave_loop), and most kernels
// have no others, so of what LLVM does for speed this is what is left to win: lookups of stages inlined,
// addresses computed once and outside of loops, loops over single elements unrolled and made of vectors.
// default<O2> takes several times as long, and gives no faster code. Where there are no vectors all loops are
// over single elements.
static void choose_passes(Arena *arena, Target *target) {
  if (target->level == '0' || is_for_size(target) || !target->wide) {
    target->passes = arena_printf(arena, "default<O%c>", target->level);
    return;
  }
  target->passes = "cgscc(inline),function(early-cse,simplifycfg,loop-mssa(licm)),globaldce";
  target->loop_passes =
      "function(loop(loop-unroll-full),early-cse,instcombine<no-verify-fixpoint>,loop-vectorize,"
      "slp-vectorizer,loop-unroll,instcombine<no-verify-fixpoint>,simplifycfg)";
}

Target target_version(const Target *target, int level) {
  static const char *const cpu[] = {[2] = "x86-64-v2", [3] = "x86-64-v3", [4] = "x86-64-v4"};
  Target version = *target;
  version.version = level;
  version.cpu = cpu[level];
  version.features = "";
  version.can.element.has_half = level >= 3;
  set_machine(&version, "x86-64");
  version.can.level = version.cpu;
  return version;
}

// Whether a normalised triple names no operating system: "aarch64-unknown-none-elf", "riscv64-unknown-unknown-elf",
// "riscv64".
static bool has_no_system(const char *triple) {
  static const char *const none[] = {"", "none", "unknown", "elf"};
  for (int i = 0; i < 2 && *triple; i++) {
    triple += strcspn(triple, "-");
    triple += *triple == '-';
  }
  size_t length = strcspn(triple, "-");
  for (size_t i = 0; i < sizeof none / sizeof *none; i++)
    if (strlen(none[i]) == length && strncmp(triple, none[i], length) == 0)
      return true;
  return false;
}

// Processors that know Thumb alone, and how a triple calls their architecture. Some have no instruction that
// divides, or multiplies to 64 bits.
typedef struct Cortex {
  const char *cpu, *arch;
} Cortex;

static const Cortex cortex[] = {
    {"cortex-m0", "thumbv6m"},
    {"cortex-m0plus", "thumbv6m"},
    {"cortex-m1", "thumbv6m"},
    {"sc000", "thumbv6m"},
    {"cortex-m23", "thumbv8m.base"},
    {"cortex-m3", "thumbv7m"},
    {"sc300", "thumbv7m"},
    {"cortex-m4", "thumbv7em"},
    {"cortex-m7", "thumbv7em"},
    {"cortex-m33", "thumbv8m.main"},
    {"cortex-m35p", "thumbv8m.main"},
    {"cortex-m52", "thumbv8.1m.main"},
    {"cortex-m55", "thumbv8.1m.main"},
    {"cortex-m85", "thumbv8.1m.main"},
};

// "arm-none-eabi" with -mcpu=cortex-m4 is "thumbv7em-none-eabi".
static const char *triple_for_cpu(Arena *arena, const char *triple, const char *cpu) {
  size_t arch = strcspn(triple, "-");
  bool is_general = (arch == 3 && begins(triple, "arm")) || (arch == 5 && begins(triple, "thumb"));
  for (size_t i = 0; is_general && cpu && i < sizeof cortex / sizeof *cortex; i++)
    if (strcmp(cortex[i].cpu, cpu) == 0)
      return arena_printf(arena, "%s%s", cortex[i].arch, triple + arch);
  return triple;
}

// Features as LLVM spells them: on RISC-V "+strict-align" is "-unaligned-scalar-mem".
static const char *known_features(Arena *arena, const char *triple, const char *features) {
  static const char ours[] = "strict-align";
  const char *known = "";
  if (!begins(triple, "riscv"))
    return features;
  for (const char *at = features; *at; at += *at == ',') {
    size_t length = strcspn(at, ",");
    bool is_ours = length == sizeof ours && strncmp(at + 1, ours, length - 1) == 0;
    known = is_ours ? arena_printf(arena, "%s%s%cunaligned-scalar-mem", known, *known ? "," : "",
                                   *at == '+' ? '-' : '+')
                    : arena_printf(arena, "%s%s%.*s", known, *known ? "," : "", (int)length, at);
    at += length;
  }
  return known;
}

// What is taken for granted where nobody names a processor, but for what -mattr takes away. RISC-V has next to
// nothing else.
static const char *given_features(Arena *arena, const Target *target, const EmitOptions *options) {
  static const char *const riscv[] = {"m", "a", "c", "f", "d"};
  const char *features = target->features;
  bool has_system = !has_no_system(target->triple);
  if (traps_unaligned(target->triple) && !has_system && !said_of(features, "strict-align"))
    return arena_printf(arena, "+strict-align%s%s", *features ? "," : "", features);
  if (!begins(target->triple, "riscv") || options->cpu)
    return features;
  for (int i = has_system ? 5 : 3; i > 0; i--)
    if (!said_of(target->features, riscv[i - 1]))
      features = arena_printf(arena, "+%s%s%s", riscv[i - 1], *features ? "," : "", features);
  return features;
}

// As compilers for C choose it. With +f alone LLVM would take that of single floats.
static const char *chosen_abi(const Target *target, const EmitOptions *options) {
  if (options->abi || !begins(target->triple, "riscv"))
    return options->abi;
  bool is_long = begins(target->triple, "riscv64"),
       has_double = said_of(target->features, "d") == '+';
  if (said_of(target->features, "e") == '+')
    return is_long ? "lp64e" : "ilp32e";
  return is_long ? has_double ? "lp64d" : "lp64" : has_double ? "ilp32d" : "ilp32";
}

static bool makes_elf(const char *triple) {
  static const char *const others[] = {"darwin", "macos", "ios", "windows",
                                       "mingw",  "wasm",  "uefi"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (strstr(triple, others[i]))
      return false;
  return true;
}

// Whether the triple implies instructions that count leading zeros.
static bool counts_zeros(const char *triple) {
  static const char *const with[] = {"x86_64", "aarch64", "thumbv7", "thumbv8m.main", "thumbv8.1m",
                                     "armv7",  "powerpc", "s390x",   "wasm"};
  for (size_t i = 0; i < sizeof with / sizeof *with; i++)
    if (begins(triple, with[i]))
      return true;
  return false;
}

// RISC-V has one NaN for all, PowerPC leaves a signalling one as it is, and MIPS and WebAssembly do either.
static bool keeps_nan(const char *triple) {
  static const char *const without[] = {"riscv", "powerpc", "mips", "wasm"};
  for (size_t i = 0; i < sizeof without / sizeof *without; i++)
    if (begins(triple, without[i]))
      return false;
  return true;
}

// What the triple and the options say, before LLVM is asked.
static void describe(Arena *arena, const EmitOptions *options, Target *target) {
  bool native = options->cpu && strcmp(options->cpu, "native") == 0;
  *target = (Target){.cpu = options->cpu ? options->cpu : "",
                     .features = options->features ? options->features : ""};
  target->level = (char)(options->opt_level <= 3 ? '0' + options->opt_level : options->opt_level);
  target->triple = options->triple ? copied(arena, LLVMNormalizeTargetTriple(triple_for_cpu(
                                                       arena, options->triple, options->cpu)))
                                   : host_triple(arena);
  bool has_system = !has_no_system(target->triple);
  target->freestanding = options->freestanding || !has_system;
  target->parallel = options->parallel;
  target->levels = options->levels;
  target->libm = options->libm || !target->freestanding;
  target->library = options->library;
  target->sections = target->freestanding && makes_elf(target->triple);
  target->is_arm = strstr(target->triple, "eabi") &&
                   (begins(target->triple, "thumb") || begins(target->triple, "arm"));
  target->is_wasm = begins(target->triple, "wasm");
  target->is_fixed =
      target->is_wasm || (!has_system && (target->is_arm || begins(target->triple, "riscv") ||
                                          begins(target->triple, "aarch64")));
  bool is_small = begins(target->triple, "thumbv6m") || begins(target->triple, "thumbv8m.base");
  target->divides = !begins(target->triple, "thumbv6m");
  target->multiplies_long = !is_small && !target->is_wasm;
  target->can.element = (ElementMachine){.has_single = true, // target_find_unit looks closer
                                         .has_double = true,
                                         .has_long = true,
                                         .counts_zeros = counts_zeros(target->triple),
                                         .keeps_nan = keeps_nan(target->triple),
                                         .shares = true};
  target->features = known_features(arena, target->triple, target->features);
  target->features = given_features(arena, target, options);
  if (native) {
    target->cpu = copied(arena, LLVMGetHostCPUName());
    const char *host = copied(arena, LLVMGetHostCPUFeatures());
    target->features =
        arena_printf(arena, "%s%s%s", host, *target->features ? "," : "", target->features);
  }
}

// The largest number that an instruction adds to a register.
static int64_t reach_of(const char *triple) {
  if (begins(triple, "thumbv6m") || begins(triple, "thumbv8m.base"))
    return 255;
  return begins(triple, "thumb") ? 4095 : 2047;
}

// What LLVM knows that is called nearly like the processor or feature which `said` is about: LLVM lists them as
//
//     cortex-m4 - Select the cortex-m4 processor.
//     dsp       - Supports DSP instructions in ARM and/or Thumb2.
//
// once in a process, so later mistakes get no hint.
static const char *hint(Arena *arena, LLVMTargetRef which, const Target *target, const char *said) {
  VEC(const char *) names = {0};
  const char *list, *quoted = strchr(said, '\'');
  if (!quoted)
    return "";
  quoted += 1 + (quoted[1] == '+' || quoted[1] == '-');
  bool is_processor = strstr(said, "(ignoring processor)") != NULL;
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

bool target_open(Arena *arena, const EmitOptions *options, Target *target, Diag *diag) {
  process_start();
  describe(arena, options, target);
  LLVMTargetRef which;
  char *message = NULL;
  if (LLVMGetTargetFromTriple(target->triple, &which, &message)) {
    diag_error_file(diag, "bad_target", "no code can be made for '%s': %s", target->triple,
                    copied(arena, message));
    target_free(target);
    return false;
  }
  const char *family = LLVMGetTargetName(which);
  target->can.element.has_half =
      strcmp(family, "aarch64") == 0 || strstr(target->features, "+f16c") != NULL;
  target->wide =
      strcmp(family, "x86-64") == 0 ||
      (target->is_wasm && said_of(target->features, "simd128") == '+') ||
      (strcmp(family, "aarch64") == 0 && said_of(target->features, "strict-align") != '+');
  set_machine(target, family);
  target->keeps_loops =
      strcmp(family, "x86-64") == 0 && target->level >= '1' && target->level <= '3';
  target->small = target->can.walks && is_for_size(target);
  target->counts_down = begins(target->triple, "thumb") || begins(target->triple, "arm");
  target->reach = reach_of(target->triple);
  choose_passes(arena, target);
  if (target->levels && (strcmp(family, "x86-64") != 0 || target->freestanding)) {
    diag_error_file(diag, "unsupported",
                    "--multiversion chooses among levels of x86-64 and keeps its choice in the "
                    "object's data: not for "
                    "'%s'%s",
                    target->triple, target->freestanding ? ", which is freestanding" : "");
    target_free(target);
    return false;
  }
  const char *said;
  bool is_native = options->cpu && strcmp(options->cpu, "native") == 0;
  bool is_known = (!options->cpu || is_native) && !options->features && !options->abi;
  target->machine = process_open_machine(arena, which, target, chosen_abi(target, options),
                                         is_known, options->abi != NULL, &said);
  if (!target->machine || (said && strstr(said, "(ignoring"))) {
    diag_error_file(diag, "bad_target", "no code can be made for '%s'%s%.*s%s", target->triple,
                    said ? ": " : "", said ? (int)strcspn(said, "\n") : 0, said ? said : "",
                    said ? hint(arena, which, target, said) : "");
    target_free(target);
    return false;
  }
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(target->machine);
  target->pointer = target->can.element.word = 8 * (int)LLVMPointerSize(layout);
  target->is_big = LLVMByteOrder(layout) == LLVMBigEndian;
  LLVMDisposeTargetData(layout);
  if (target->pointer != 32 && target->pointer != 64) {
    diag_error_file(diag, "unsupported",
                    "'%s' has pointers of %d bits; only targets with 32 or 64 are supported",
                    target->triple, target->pointer);
    target_free(target);
    return false;
  }
  return true;
}

const char *emit_triple(Arena *arena, const EmitOptions *options) {
  if (!options->triple)
    return host_triple(arena);
  return copied(arena,
                LLVMNormalizeTargetTriple(triple_for_cpu(arena, options->triple, options->cpu)));
}

bool emit_is_host(const EmitOptions *options) {
  if (!options->triple)
    return true;
  Arena *arena = arena_new();
  const char *host = host_triple(arena), *target = emit_triple(arena, options);
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

const Processor *emit_cost(Arena *arena, const EmitOptions *options) {
  if (!options->cpu || strcmp(options->cpu, "native") != 0)
    return processor_find(options->cpu);
  return host_processor(arena, processor_find(copied(arena, LLVMGetHostCPUName())));
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
  if (target->machine)
    LLVMDisposeTargetMachine(target->machine);
  *target = (Target){0};
}
