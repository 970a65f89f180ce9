// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine to compile for, as far as its triple, options and family determine it: CPU, features, level.
#include "codegen/machine/describe.h"

#include "codegen/element/machine.h"
#include "codegen/machine/x86.h"
#include "frontend/text/words.h"

#include <string.h>

// The last word about "avx2" in "+sse2,+avx2,-avx2": '+', '-', or 0 if there is none.
static char sign_of(const char *features, const char *name) {
  char sign = 0;
  size_t length = strlen(name);
  for (const char *at = features; *at; at += strcspn(at, ","), at += *at == ',')
    if (strncmp(at + 1, name, length) == 0 && (at[1 + length] == ',' || at[1 + length] == '\0'))
      sign = *at;
  return sign;
}

// Properties of a processor's vectors, for the planner.
typedef struct Vectors {
  int bytes;           // of vectors with fast shuffles; 0: none
  int shuffled;        // bytes of the smallest elements that one instruction permutes arbitrarily
  bool shuffles_lanes; // an instruction permutes bytes within lanes of 16
  bool has_half;       // an instruction converts f16
  int table;           // see ElementMachine
} Vectors;

static Vectors x86_vectors(X86 x86) {
  bool is_long = x86.vectors >= X86_AVX512BW, has_bytes = x86.vectors >= X86_AVX512VBMI;
  return (Vectors){.bytes = is_long                   ? 64
                            : x86.vectors >= X86_AVX2 ? 32
                                                      : 16,
                   .shuffled = has_bytes ? 1
                               : is_long ? 2
                                         : 4,
                   .shuffles_lanes = x86.vectors >= X86_SSSE3,
                   .has_half = x86.has_half,
                   .table = has_bytes                  ? 128
                            : x86.vectors >= X86_SSSE3 ? 16
                                                       : 0};
}

// On AArch64, only the vectors that all processors have; LLVM selects ld3 and st3 itself.
static Vectors find_vectors(const char *family, const Target *target) {
  if (strcmp(family, "x86-64") == 0)
    return x86_vectors(x86_find(target->cpu, target->features));
  bool is_aarch64 = strcmp(family, "aarch64") == 0;
  return (Vectors){.bytes = target->wide ? 16 : 0,
                   .shuffled = is_aarch64        ? 16
                               : target->is_wasm ? 1 /* i8x16.shuffle */
                                                 : 4,
                   .has_half = is_aarch64,
                   .table = !target->wide     ? 0
                            : is_aarch64      ? 64
                            : target->is_wasm ? 16
                                              : 0};
}

static bool is_for_size(const Target *target) {
  return target->level == 's' || target->level == 'z';
}

// Whether unaligned accesses trap: on Arm cores before ARMv7, and on the smallest microcontroller cores.
static bool traps_unaligned(const char *triple) {
  return (begins(triple, "thumb") || begins(triple, "arm")) &&
         (!(begins(triple, "thumbv7") || begins(triple, "thumbv8") || begins(triple, "thumbv9") ||
            begins(triple, "armv7") || begins(triple, "armv8") || begins(triple, "armv9")) ||
          begins(triple, "thumbv8m.base"));
}

// Bytes of the widest load and store without alignment. On Arm, all but the smallest cores allow unaligned words,
// unless the program makes them trap; on RISC-V it depends on the processor.
static int unaligned_bytes(const Target *target, int word) {
  const char *triple = target->triple;
  if (sign_of(target->features, "strict-align") == '+' || traps_unaligned(triple))
    return 1;
  if (begins(triple, "riscv"))
    return sign_of(target->features, "unaligned-scalar-mem") == '+' ? word : 1;
  return begins_with_word(triple, "thumb arm aarch64 x86_64 i386 i686 powerpc s390x wasm") ? word
                                                                                           : 1;
}

bool cpu_is_armv81m(const char *cpu) { return has_word("cortex-m52 cortex-m55 cortex-m85", cpu); }

// Whether the target has the vectors of Armv8.1-M: these processors do, unless -mattr says otherwise.
static bool has_helium(const Target *target) {
  char sign = sign_of(target->features, "mve");
  if (sign || sign_of(target->features, "mve.fp") == '+')
    return sign != '-';
  return cpu_is_armv81m(target->cpu);
}

static void set_machine(Target *target, const char *family) {
  bool is_long = strstr(family, "64") || strcmp(family, "systemz") == 0;
  int word = is_long ? 8 : 4;
  const Vectors vectors = find_vectors(family, target);
  ElementMachine element = target->can.element;
  element.has_half = vectors.has_half;
  element.clamps =
      strcmp(family, "x86-64") != 0; // there LLVM takes vectors of such conversions apart
  element.vector = vectors.bytes;
  element.table = vectors.table;
  target->can =
      (Machine){.vector = is_for_size(target) ? 0 : vectors.bytes,
                .shuffled = vectors.shuffled,
                .shuffles_lanes = vectors.shuffles_lanes,
                .streams = strcmp(family, "x86-64") == 0,
                .walks = !target->wide,
                .vectorizes = has_helium(target) && target->level >= '2' && target->level <= '3',
                .word = word,
                .unaligned = unaligned_bytes(target, word),
                .small = is_for_size(target),
                .smallest = target->level == 'z',
                .library = target->library,
                .element = element};
}

// The passes of a level. Loops around vectors are emitted in final form (b_leave_loop), and most kernels have no
// others. So only these optimizations remain: inlining lookups of stages, CSE and LICM of addresses, and unrolling and
// vectorizing loops over single elements. default<O2> takes several times as long, for code that is no faster. Without
// vectors, all loops are over single elements.
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
  set_machine(&version, "x86-64");
  version.can.level = version.cpu;
  return version;
}

// Whether a normalized triple names no operating system: "aarch64-unknown-none-elf", "riscv64-unknown-unknown-elf",
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

// Processors that execute only Thumb, and the name of their architecture in a triple. Some have no divide instruction,
// or no multiplication to 64 bits.
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

const char *target_triple(Arena *arena, const char *triple, const char *cpu) {
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

// Adds default features, except those that -mattr removes: strict alignment if unaligned accesses trap, and extensions
// of RISC-V, whose base has very few instructions, if no processor is named.
static const char *given_features(Arena *arena, const Target *target, const EmitOptions *options) {
  static const char *const riscv[] = {"m", "a", "c", "f", "d"};
  const char *features = target->features;
  bool has_system = !has_no_system(target->triple);
  if (traps_unaligned(target->triple) && !has_system && !sign_of(features, "strict-align"))
    return arena_printf(arena, "+strict-align%s%s", *features ? "," : "", features);
  if (!begins(target->triple, "riscv"))
    return features;
  if (!sign_of(features, "relax")) // like C compilers: the linker may shorten calls
    features = arena_printf(arena, "+relax%s%s", *features ? "," : "", features);
  if (options->cpu)
    return features;
  for (int i = has_system ? 5 : 3; i > 0; i--)
    if (!sign_of(target->features, riscv[i - 1]))
      features = arena_printf(arena, "+%s%s%s", riscv[i - 1], *features ? "," : "", features);
  return features;
}

// The ABI that C compilers choose. With only +f, LLVM would choose the one for single floats.
const char *target_abi(const Target *target, const EmitOptions *options) {
  if (options->abi || !begins(target->triple, "riscv"))
    return options->abi;
  bool is_long = begins(target->triple, "riscv64"),
       has_double = sign_of(target->features, "d") == '+';
  if (sign_of(target->features, "e") == '+')
    return is_long ? "lp64e" : "ilp32e";
  return is_long ? has_double ? "lp64d" : "lp64" : has_double ? "ilp32d" : "ilp32";
}

// LLVM ignores a wrong name, except for RISC-V and LoongArch, where it checks the name itself.
const char *target_wrong_abi(Arena *arena, const Target *target, const char *abi) {
  static const struct {
    const char *family, *names;
  } known[] = {{"arm", "aapcs aapcs-linux aapcs16 apcs-gnu"},
               {"thumb", "aapcs aapcs-linux aapcs16 apcs-gnu"},
               {"aarch64", "aapcs aapcs-soft darwinpcs"},
               {"powerpc", "elfv1 elfv2"},
               {"mips", "o32 n32 n64"}};
  if (!abi || begins(target->triple, "riscv") || begins(target->triple, "loongarch"))
    return NULL;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (!begins(target->triple, known[i].family))
      continue;
    size_t length;
    for (const char *at = known[i].names; *at; at += length + (at[length] == ' ')) {
      length = strcspn(at, " ");
      if (strlen(abi) == length && memcmp(at, abi, length) == 0)
        return NULL;
    }
    return arena_printf(arena, "'%s' is not a recognized ABI for this target; it has %s", abi,
                        known[i].names);
  }
  return arena_printf(arena, "'%s' is not a recognized ABI for this target; it has only one", abi);
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
  return begins_with_word(
      triple, "x86_64 aarch64 thumbv7 thumbv8m.main thumbv8.1m armv7 powerpc s390x wasm");
}

// RISC-V returns the canonical NaN, PowerPC keeps a signaling NaN, and MIPS and WebAssembly may do either.
static bool keeps_nan(const char *triple) {
  return !begins_with_word(triple, "riscv powerpc mips wasm");
}

static bool is_thumb1(const char *triple) {
  return begins(triple, "thumbv6m") || begins(triple, "thumbv8m.base");
}

void target_describe(Arena *arena, const EmitOptions *options, const char *triple, const Host *host,
                     Target *target) {
  *target = (Target){.cpu = options->cpu ? options->cpu : "",
                     .features = options->features ? options->features : ""};
  target->level = (char)(options->opt_level <= 3 ? '0' + options->opt_level : options->opt_level);
  target->triple = triple;
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
  target->divides = !begins(target->triple, "thumbv6m");
  target->multiplies_long = !is_thumb1(target->triple) && !target->is_wasm;
  target->can.element = (ElementMachine){.has_single = true, // target_find_unit refines this
                                         .has_double = true,
                                         .has_long = true,
                                         .has_product = !is_thumb1(target->triple),
                                         .counts_zeros = counts_zeros(target->triple),
                                         .keeps_nan = keeps_nan(target->triple),
                                         .shares = true};
  target->features = known_features(arena, target->triple, target->features);
  target->features = given_features(arena, target, options);
  if (host) {
    target->cpu = host->cpu;
    target->features = arena_printf(arena, "%s%s%s", host->features, *target->features ? "," : "",
                                    target->features);
  }
}

// The largest number that an instruction adds to a register.
static int64_t reach_of(const char *triple) {
  if (is_thumb1(triple))
    return 255;
  return begins(triple, "thumb") ? 4095 : 2047;
}

void target_set_family(Arena *arena, Target *target, const char *family) {
  bool is_x86 = strcmp(family, "x86-64") == 0, is_aarch64 = strcmp(family, "aarch64") == 0;
  target->wide = is_x86 || (target->is_wasm && sign_of(target->features, "simd128") == '+') ||
                 (is_aarch64 && sign_of(target->features, "strict-align") != '+');
  set_machine(target, family);
  target->keeps_loops = is_x86 && target->level >= '1' && target->level <= '3';
  target->small = target->can.walks && is_for_size(target);
  target->counts_down = begins(target->triple, "thumb") || begins(target->triple, "arm");
  target->has_loops = has_helium(target) || begins(target->triple, "thumbv8.1m");
  target->adds_compare = is_thumb1(target->triple);
  target->reach = reach_of(target->triple);
  choose_passes(arena, target);
}
