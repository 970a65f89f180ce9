// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the program of driver/guest for another machine: the C header, a function a graph that calls it through that
// header, and guest.c are compiled as one text, and linked with the object that is to be verified.
#include "driver/guest.h"

#include "codegen/names.h"
#include "driver/guest/requests.h"
#include "driver/tools.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Lines of start.h, requests.h and guest.c (Makefile).
static const char *const guest_text[] = {
#include "driver/guest_text.inc"
};

// Machines, by the beginning of their triples. Short instructions of Arm's microcontrollers run where those of its
// processors with Linux do; `clang` is what the rest of the program is compiled for then.
typedef struct Machine {
  const char *prefix, *emulator, *clang;
} Machine;

static const Machine machines[] = {
    {"aarch64-", "qemu-aarch64", NULL}, {"thumb", "qemu-arm", "thumbv7m-none-eabi"},
    {"arm", "qemu-arm", NULL},          {"riscv32-", "qemu-riscv32", NULL},
    {"riscv64-", "qemu-riscv64", NULL}, {"s390x-", "qemu-s390x", NULL},
    {"powerpc-", "qemu-ppc", NULL},     {"x86_64-", "qemu-x86_64", NULL}};

typedef struct Tools {
  const Machine *machine;
  const char *emulator, *clang, *linker;
} Tools;

static const Machine *machine_of(const char *triple) {
  for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
    if (strncmp(triple, machines[i].prefix, strlen(machines[i].prefix)) == 0)
      return &machines[i];
  return NULL;
}

const char *guest_emulator(const char *triple) {
  const Machine *machine = machine_of(triple);
  return machine ? machine->emulator : NULL;
}

// What takes more arguments than the program has room for is rare enough to be refused.
static bool can_call(const Plan *const *plans, int count, Diag *diag) {
  for (int i = 0; i < count; i++)
    if (plans[i]->signature.parameter.count > GUEST_MOST_ARGUMENTS)
      diag_error(diag, plans[i]->graph->span, "unsupported",
                 "'%s' has more than %d parameters: it can be verified for this machine alone",
                 plans[i]->graph->name, GUEST_MOST_ARGUMENTS);
    else if (plans[i]->tape)
      diag_error(diag, plans[i]->graph->span, "unsupported",
                 "'%s' calls the runtime library, which is not there for other machines: it can be "
                 "verified for this one alone",
                 plans[i]->graph->name);
  return diag->errors == 0;
}

static bool find_tools(Arena *arena, const char *triple, Tools *tools, Diag *diag) {
  const Machine *machine = tools->machine = machine_of(triple);
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
        "%s is missing: code for '%s' runs under %s, in a program that clang-19 and "
        "ld.lld-19 make; Debian and Ubuntu have them in the packages qemu-user, clang-19 "
        "and lld-19",
        missing, triple, machine->emulator);
  return !missing;
}

// ---- the text ----

static void write_call(FILE *out, const char *name, const Signature *s, int function) {
  fprintf(out, "static int64_t call_%d(const uint64_t *a) {\n  (void)a;\n  %s%s(", function,
          s->returns_status ? "return " : "", name);
  for (int i = 0; i < s->parameter.count; i++) {
    bool is_pointer = parameter_is_pointer(s->parameter.item[i].kind);
    fprintf(out, "%s%sa[%d]", i ? ", " : "", is_pointer ? "(void *)(uintptr_t)" : "(int64_t)", i);
  }
  fprintf(out, ");\n%s}\n", s->returns_status ? "" : "  return 0;\n");
}

int guest_function(int index, bool is_shape) { return 2 * index + is_shape; }

static void write_calls(Arena *arena, FILE *out, const Plan *const *plans, int count) {
  const char **name = function_names(arena, plans, count);
  const char **shape = shape_names(arena, plans, count);
  for (int i = 0; i < count; i++) {
    write_call(out, name[i], &plans[i]->signature, guest_function(i, false));
    if (shape[i])
      write_call(out, shape[i], &plans[i]->shape_signature, guest_function(i, true));
  }
  fputs("static int64_t (*const guest_call[])(const uint64_t *) = {\n", out);
  for (int i = 0; i < count; i++) {
    fprintf(out, "  call_%d,\n", guest_function(i, false));
    fprintf(out, shape[i] ? "  call_%d,\n" : "  0,\n", guest_function(i, true));
  }
  fputs("};\n", out);
}

static bool put_text(Arena *arena, const char *folder, const Plan *const *plans, int count,
                     const char *header) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out)
    return false;
  fputs(header, out);
  write_calls(arena, out, plans, count);
  for (size_t i = 0; i < sizeof guest_text / sizeof *guest_text; i++)
    fputs(guest_text[i], out);
  bool good = fclose(out) == 0 && folder_put(arena, folder, "guest.c", (Bytes){text, size});
  free(text);
  return good;
}

// ---- the program ----

// How functions take floating-point numbers is written in objects for RISC-V, and linkers want one answer. Ours
// take none.
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

static bool make_program(Arena *arena, const Tools *tools, const char *triple, Bytes object,
                         const char *folder) {
  const char *log = arena_printf(arena, "%s/log", folder);
  const char *part = arena_printf(arena, "%s/part.o", folder);
  const char *march = riscv_architecture(triple, object);
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
      "-c",
      arena_printf(arena, "%s/guest.c", folder),
      "-o",
      part,
      march,
      march ? arena_printf(arena, "-mabi=%s%s", strstr(march, "64") ? "lp64" : "ilp32", floats)
            : NULL,
      NULL};
  const char *link[] = {tools->linker, "-static",
                        part,          arena_printf(arena, "%s/object.o", folder),
                        "-o",          arena_printf(arena, "%s/guest", folder),
                        NULL};
  return tool_run(compile, log) && tool_run(link, log);
}

static bool is_big_endian_here(void) {
  const uint16_t one = 1;
  return *(const uint8_t *)&one == 0;
}

Guest *guest_build(Arena *arena, const char *triple, const Plan *const *plans, int count,
                   Bytes object, const char *header, Diag *diag) {
  Tools tools;
  if (!can_call(plans, count, diag) || !find_tools(arena, triple, &tools, diag))
    return NULL;
  const char *folder = folder_make(arena);
  if (!folder) {
    diag_error_file(diag, "bad_file", "no folder can be made for the program that runs the code");
    return NULL;
  }
  Guest *guest = ARENA_NEW(arena, Guest);
  bool is_big = object.data[EI_DATA] == ELFDATA2MSB;
  *guest = (Guest){.folder = folder,
                   .program = arena_printf(arena, "%s/guest", folder),
                   .emulator = tools.emulator,
                   .swaps = is_big != is_big_endian_here(),
                   .is_narrow = object.data[EI_CLASS] == ELFCLASS32};
  if (folder_put(arena, folder, "object.o", object) &&
      put_text(arena, folder, plans, count, header) &&
      make_program(arena, &tools, triple, object, folder))
    return guest;
  diag_error_file(diag, "bad_target", "the program that runs the code for '%s' cannot be made: %s",
                  triple, tool_complaint(arena, arena_printf(arena, "%s/log", folder)));
  guest_free(arena, guest);
  return NULL;
}

void guest_free(Arena *arena, const Guest *guest) { folder_remove(arena, guest->folder); }
