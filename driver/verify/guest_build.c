// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the program of driver/verify/guest for another machine: the C header, a function per graph that calls it
// through that header, and guest.c are compiled as one text and linked with the object to verify.
#include "driver/verify/guest.h"

#include "codegen/header/c_text.h"
#include "codegen/machine/describe.h"
#include "codegen/plan/names.h"
#include "driver/verify/guest/requests.h"
#include "driver/base/tools.h"
#include "frontend/data/temporary.h"
#include "frontend/text/text_out.h"
#include "frontend/text/words.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Lines of files of driver/verify/guest, as strings (Makefile).
static const char *const guest_text[] = {
#include "driver/verify/guest_text.inc"
};
static const char *const guest_tensor_text[] = {
#include "driver/verify/guest_tensor_text.inc"
};

// Machines, by the prefix of their triples. Thumb code for Arm's microcontrollers runs on the emulator of Arm Linux;
// `clang` is then the target that the rest of the program is compiled for.
typedef struct GuestMachine {
  const char *prefix, *emulator, *clang;
  bool is_board;                                 // the program is a board image (board.h)
  const char *argument[MOST_EMULATOR_ARGUMENTS]; // arguments of the emulator, if any
} GuestMachine;

static const GuestMachine machines[] = {
    {"aarch64-", "qemu-aarch64", NULL, false, {NULL}},
    {"thumb", "qemu-arm", "thumbv7m-none-eabi", false, {NULL}},
    {"arm", "qemu-arm", NULL, false, {NULL}},
    {"riscv32-", "qemu-riscv32", NULL, false, {"-cpu", "rv32,v=true"}},
    {"riscv64-", "qemu-riscv64", NULL, false, {"-cpu", "rv64,v=true"}},
    {"s390x-", "qemu-s390x", NULL, false, {NULL}},
    {"powerpc-", "qemu-ppc", NULL, false, {NULL}},
    {"x86_64-", "qemu-x86_64", NULL, false, {NULL}}};

// qemu-arm emulates Arm's A profile. It runs those M-profile instructions that both share, but not the loops, the
// conditional selects and the vectors of Armv8.1-M.
static const GuestMachine armv81m = {"thumbv8.1m",
                                     "qemu-system-arm",
                                     "thumbv8.1m.main-none-eabihf",
                                     true,
                                     {"-M", "mps3-an547", "-display", "none", "-monitor", "none",
                                      "-serial", "none", "-semihosting-config",
                                      "enable=on,target=native", "-kernel"}};

typedef struct Tools {
  const GuestMachine *machine;
  const char *emulator, *clang, *linker;
} Tools;

static bool is_armv81m(const EmitOptions *options, const char *triple) {
  return begins_with_word(triple, "thumbv8.1m armv8.1m") ||
         (options->cpu && cpu_is_armv81m(options->cpu));
}

static const GuestMachine *machine_of(const EmitOptions *options, const char *triple) {
  if (is_armv81m(options, triple))
    return &armv81m;
  for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
    size_t length = strcspn(machines[i].prefix, "-"); // a triple may consist of the machine only
    if (strncmp(triple, machines[i].prefix, strlen(machines[i].prefix)) == 0 ||
        (strlen(triple) == length && strncmp(triple, machines[i].prefix, length) == 0))
      return &machines[i];
  }
  return NULL;
}

const char *guest_emulator(const EmitOptions *options, const char *triple) {
  const GuestMachine *machine = machine_of(options, triple);
  return machine ? machine->emulator : NULL;
}

// The words of a call that a parameter takes.
static int words_of(const Graph *graph, Parameter p) {
  return parameter_is_tensor(graph, p.kind) ? TENSOR_WORDS : 1;
}

static bool fits_a_call(Arena *arena, const Plan *plan) {
  bool fits = true;
  for (EntryPoint e = 0; e < ENTRY_POINTS; e++) {
    Signature signature = signature_of_entry(arena, plan, e);
    int words = 0;
    for (int i = 0; i < signature.parameter.count; i++)
      words += words_of(plan->graph, signature.parameter.item[i]);
    fits = fits && words <= GUEST_MOST_WORDS;
  }
  return fits;
}

// The reason that the program cannot call a graph; NULL: it can.
static const char *refusal(Arena *arena, const Plan *plan, const char *runtime) {
  if (!fits_a_call(arena, plan))
    return "has more parameters than a call under an emulator can pass: it can only be verified "
           "for this machine";
  if (plan->tape && !runtime)
    return "calls the runtime library: build it for the other machine, as in make runtime "
           "CC='clang-19 --target=...', and name it with --runtime=librsh_runtime.a";
  return NULL;
}

static bool can_call(Arena *arena, const GuestParts *parts, Diag *diag) {
  for (int i = 0; i < parts->count; i++) {
    const Graph *graph = parts->plans[i]->graph;
    const char *why = refusal(arena, parts->plans[i], parts->runtime);
    if (why)
      diag_error(diag, graph->span, "unsupported", "'%s' %s", graph->name, why);
  }
  return diag->errors == 0;
}

static bool find_tools(Arena *arena, const GuestParts *parts, Tools *tools, Diag *diag) {
  const char *triple = parts->triple;
  const GuestMachine *machine = tools->machine = machine_of(parts->options, triple);
  if (!machine) {
    diag_error_file(
        diag, "bad_target",
        "code for '%s' cannot be run here: there are emulators for aarch64, arm, thumb, "
        "riscv32, riscv64, s390x, powerpc and x86_64",
        triple);
    return false;
  }
  const char *still = arena_printf(arena, "%s-static", machine->emulator), *missing = NULL;
  tools->emulator = tool_find(arena, (const char *[]){machine->emulator, still, NULL});
  tools->clang = tool_find(arena, (const char *[]){"clang-19", "clang-22", "clang", NULL});
  tools->linker = tool_find(arena, (const char *[]){"ld.lld-19", "ld.lld-22", "ld.lld", NULL});
  if (!tools->emulator)
    missing = machine->emulator;
  else if (!tools->clang)
    missing = "clang-19";
  else if (!tools->linker)
    missing = "ld.lld-19";
  if (missing)
    diag_error_file(
        diag, "missing_tool",
        "%s is missing: code for '%s' runs under %s, in a program that clang-19 and ld.lld-19 "
        "build; Debian and Ubuntu have them in the packages %s, clang-19 and lld-19",
        missing, triple, machine->emulator, machine->is_board ? "qemu-system-arm" : "qemu-user");
  return !missing;
}

// ---- the text ----

static void write_call(FILE *out, const char *name, const Graph *graph, const Signature *s,
                       int function) {
  fprintf(out, "static int64_t guest_call_%d(const uint64_t *guest_word) {\n  (void)guest_word;\n",
          function);
  for (int i = 0, word = 0; i < s->parameter.count; i++) {
    ParameterKind kind = s->parameter.item[i].kind;
    if (parameter_is_tensor(graph, kind))
      fprintf(out, "  DLTensor guest_%d = guest_tensor(guest_word + %d);\n", i, word);
    else if (parameter_is_pointer(kind))
      fprintf(out, "  void *guest_%d = (void *)(uintptr_t)guest_word[%d];\n", i, word);
    else
      fprintf(out, "  int64_t guest_%d = (int64_t)guest_word[%d];\n", i, word);
    word += words_of(graph, s->parameter.item[i]);
  }
  fprintf(out, "  %s%s(", s->returns_status ? "return " : "", name);
  for (int i = 0; i < s->parameter.count; i++)
    fprintf(out, "%s%sguest_%d", i ? ", " : "",
            parameter_is_tensor(graph, s->parameter.item[i].kind) ? "&" : "", i);
  fprintf(out, ");\n%s}\n", s->returns_status ? "" : "  return 0;\n");
}

int guest_function(int index, EntryPoint entry) { return ENTRY_POINTS * index + entry; }

static void write_calls(Arena *arena, FILE *out, const GuestParts *parts) {
  const GraphNames *names =
      graph_names(arena, parts->plans, parts->count, parts->options->parallel);
  TextOut table;
  FILE *list = text_out_begin(&table);
  for (int i = 0; i < parts->count; i++)
    for (EntryPoint e = 0; e < ENTRY_POINTS; e++) {
      Signature signature = signature_of_entry(arena, parts->plans[i], e);
      const char *name = names[i].entry[e];
      if (name)
        write_call(out, name, parts->plans[i]->graph, &signature, guest_function(i, e));
      fprintf(list, name ? "  guest_call_%d,\n" : "  0,\n", guest_function(i, e));
    }
  size_t size;
  fprintf(out, "static int64_t (*const guest_call[])(const uint64_t *) = {\n%s};\n",
          text_out_end(&table, arena, &size));
}

// The addresses of the parts of an image; board.h has the same.
static const char board_script[] = "SECTIONS {\n"
                                   "  . = 0;\n"
                                   "  .vectors : { KEEP(*(.vectors)) }\n"
                                   "  .text : { *(.text*) *(.rodata*) }\n"
                                   "  . = 0x21000000;\n"
                                   "  .data : { *(.data*) *(.bss*) *(COMMON) }\n"
                                   "  /DISCARD/ : { *(.ARM.exidx*) }\n"
                                   "}\n"
                                   "ENTRY(guest_vectors)\n";

static void put_lines(FILE *out, const char *const *line, size_t count) {
  for (size_t i = 0; i < count; i++)
    fputs(line[i], out);
}

// The header includes DLPack's own header, which the C compiler need not find for another machine.
static void put_header(FILE *out, const char *header) {
  const char *include = strstr(header, DLPACK_INCLUDE);
  if (!include) {
    fputs(header, out);
    return;
  }
  put_lines(out, guest_tensor_text, sizeof guest_tensor_text / sizeof *guest_tensor_text);
  fprintf(out, "%.*s%s", (int)(include - header), header, include + strlen(DLPACK_INCLUDE));
}

static bool put_text(Arena *arena, const char *folder, const GuestParts *parts) {
  TextOut text;
  size_t size;
  FILE *out = text_out_begin(&text);
  put_header(out, parts->header);
  write_calls(arena, out, parts);
  put_lines(out, guest_text, sizeof guest_text / sizeof *guest_text);
  const char *all = text_out_end(&text, arena, &size);
  return folder_put(arena, folder, "guest.c", (Bytes){all, size}) &&
         folder_put(arena, folder, "board.ld", (Bytes){board_script, sizeof board_script - 1});
}

// ---- the program ----

// RISC-V objects record how functions pass floating-point numbers, and linkers require all objects to agree. Our
// functions pass none.
static const char *riscv_architecture(const char *triple, Bytes object) {
  bool is_64 = object.data[EI_CLASS] == ELFCLASS64;
  const char *flags =
      object.data + (is_64 ? offsetof(Elf64_Ehdr, e_flags) : offsetof(Elf32_Ehdr, e_flags));
  static const char *const wide[] = {"-march=rv64imac", "-march=rv64imafc", "-march=rv64imafdc"};
  static const char *const narrow[] = {"-march=rv32imac", "-march=rv32imafc", "-march=rv32imafdc"};
  int floats = *flags & EF_RISCV_FLOAT_ABI;
  if (strncmp(triple, "riscv", 5) != 0)
    return NULL;
  return (is_64 ? wide : narrow)[floats / EF_RISCV_FLOAT_ABI_SINGLE % 3];
}

static bool make_program(Arena *arena, const Tools *tools, const GuestParts *parts,
                         const char *folder) {
  const char *triple = parts->triple;
  const char *log = folder_file(arena, folder, "log");
  const char *part = folder_file(arena, folder, "part.o");
  const char *march = riscv_architecture(triple, parts->object);
  const char *floats = march && strstr(march, "fd") ? "d" : march && strchr(march, 'f') ? "f" : "";
  const char *compile[] = {
      tools->clang,
      arena_printf(arena, "--target=%s", tools->machine->clang ? tools->machine->clang : triple),
      "-std=gnu11",
      "-O1",
      "-ffreestanding",
      "-fno-builtin",
      "-fno-stack-protector",
      "-Werror",
      tools->machine->is_board ? "-DGUEST_BOARD" : "-UGUEST_BOARD",
      "-c",
      arena_printf(arena, "%s/guest.c", folder),
      "-o",
      part,
      march,
      march ? arena_printf(arena, "-mabi=%s%s", strstr(march, "64") ? "lp64" : "ilp32", floats)
            : NULL,
      NULL};
  const char *program = folder_file(arena, folder, "guest");
  const char *object = arena_printf(arena, "%s/object.o", folder);
  const char *places =
      tools->machine->is_board ? arena_printf(arena, "--script=%s/board.ld", folder) : "--static";
  const char *const given[] = {tools->linker, "-static", places, "-o", program, part, object};
  Words link = {0};
  for (size_t i = 0; i < sizeof given / sizeof *given; i++)
    VEC_PUSH(arena, link, given[i]);
  if (parts->runtime)
    VEC_PUSH(arena, link, parts->runtime);
  for (int i = 0; i < parts->libraries.count; i++)
    VEC_PUSH(arena, link, parts->libraries.item[i]);
  VEC_PUSH(arena, link, NULL);
  return tool_run(compile, log) && tool_run(link.item, log);
}

static bool is_big_endian_here(void) {
  const uint16_t one = 1;
  return *(const uint8_t *)&one == 0;
}

Guest *guest_build(Arena *arena, const GuestParts *parts, Diag *diag) {
  Tools tools;
  if (!can_call(arena, parts, diag) || !find_tools(arena, parts, &tools, diag))
    return NULL;
  const char *folder = folder_make(arena);
  if (!folder) {
    diag_error_file(diag, "bad_file", "cannot create a folder for the program that runs the code");
    return NULL;
  }
  Guest *guest = ARENA_NEW(arena, Guest);
  bool is_big = parts->object.data[EI_DATA] == ELFDATA2MSB;
  *guest = (Guest){.folder = folder,
                   .program = arena_printf(arena, "%s/guest", folder),
                   .emulator = tools.emulator,
                   .argument = tools.machine->argument,
                   .swaps = is_big != is_big_endian_here(),
                   .is_narrow = parts->object.data[EI_CLASS] == ELFCLASS32};
  if (folder_put(arena, folder, "object.o", parts->object) && put_text(arena, folder, parts) &&
      make_program(arena, &tools, parts, folder))
    return guest;
  diag_error_file(diag, "bad_target", "cannot build the program that runs the code for '%s': %s",
                  parts->triple, tool_complaint(arena, arena_printf(arena, "%s/log", folder)));
  guest_free(guest);
  return NULL;
}

void guest_free(const Guest *guest) { temporary_remove(guest->folder); }
