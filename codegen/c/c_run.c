// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs as C, as the plan decides (codegen/plan/strategy.h): by memcpy, memmove and memset if there is a C library, by a
// function of the file that moves words, by a copy of a fixed number of bytes that compilers turn into loads and
// stores, or as a loop over elements.
//
//   8 bytes, align 1       copy_8(&y[8U * i], &x[16U * i]);
//   256 bytes, align 1     copy_run(&y[272U * i + 280U], &x[256U * i], 256U);
//
// Words are moved inside #if, by extensions of GNU C; other compilers get loops over bytes.
#include "codegen/c/c_internal.h"

#include <inttypes.h>
#include <string.h>

// Machines that access words at any address, by macros of compilers.
#define TAKES_ANY_ADDRESS                                                                          \
  "defined __ARM_FEATURE_UNALIGNED || defined __riscv_misaligned_fast || defined __x86_64__ || "   \
  "\\\n    defined __i386__ || defined __powerpc__ || defined __s390x__"

const char *c_address(CKernel *k, const char *base, CSum at) {
  const char *index = c_sum(k, at);
  return strcmp(index, "0U") == 0 ? base : arena_printf(k->file->arena, "&%s[%s]", base, index);
}

// The macro for whether the machine accesses words at any address.
static const char *anywhere(const CFile *file) { return c_helper(file, "anywhere"); }

// The type of a word in memory: it may alias any type, and be at any address if the machine allows that.
static const char *word_type(CFile *file) {
  const char *name = c_helper(file, "word");
  if (name)
    return name;
  name = c_helper_add(file, "word", "word_at");
  c_helper_add(file, "anywhere", "WORDS_ANYWHERE");
  c_helper_add(file, "inline", "WORDS_INLINE");
  const char *any = anywhere(file);
  c_put(&file->helpers,
        "\n#if defined __GNUC__ && defined __OPTIMIZE__\n"
        "#if " TAKES_ANY_ADDRESS "\n"
        "#define %s 1\n"
        "typedef struct %s {\n  uint%d_t word;\n} __attribute__((packed, may_alias)) %s;\n"
        "#else\n#define %s 0\n"
        "typedef struct %s {\n  uint%d_t word;\n} __attribute__((may_alias)) %s;\n#endif\n"
        "#define %s __attribute__((always_inline)) inline\n"
        "#elif defined __GNUC__\n" // without __OPTIMIZE__, a function may have no caller
        "#define %s __attribute__((unused)) inline\n"
        "#else\n#define %s inline\n#endif\n",
        any, name, file->machine.word, name, any, name, file->machine.word, name,
        c_helper(file, "inline"), c_helper(file, "inline"), c_helper(file, "inline"));
  return name;
}

// Writes loads and stores of words; the last may overlap the one before it.
static void put_words(CFile *file, const char *word, int bytes) {
  int step = file->machine.word / 8;
  for (int i = 0; i < bytes; i += step) {
    int at = i + step > bytes ? bytes - step : i;
    c_put(&file->helpers,
          "  ((%s *)(void *)&((uint8_t *)to)[%d])->word =\n"
          "      ((const %s *)(const void *)&((const uint8_t *)from)[%d])->word;\n",
          word, at, word, at);
  }
}

static const char *side_of(Arena *arena, const char *side, bool is_aligned, int word) {
  return is_aligned ? arena_printf(arena, "__builtin_assume_aligned(%s, %d)", side, word) : side;
}

// The function that copies this many bytes as words, at any address or between word-aligned addresses. For Arm, gcc
// expands __builtin_memcpy best; clang, and gcc for other machines, might call memcpy. gcc -Os loops from 16 bytes on:
// words are faster, but larger if the run does not consist of whole blocks.
static const char *fixed_function(CFile *file, int bytes, int align) {
  enum { LOOPED = 16 };
  Arena *arena = file->arena;
  int word = file->machine.word / 8;
  bool is_aligned = align >= word;
  const char *wanted = arena_printf(arena, is_aligned ? "copy_%d_aligned" : "copy_%d", bytes);
  const char *name = c_helper(file, wanted), *type = word_type(file);
  if (name)
    return name;
  name = c_helper_add(file, wanted, wanted);
  const char *good = is_aligned ? "" : arena_printf(arena, " && %s", anywhere(file)),
             *begin = "#if";
  c_put(&file->helpers,
        "\n/* Copies %d bytes%s. */\n"
        "static %s void %s(void *restrict to, const void *restrict from) {\n",
        bytes, is_aligned ? arena_printf(arena, ", both sides aligned to %d", word) : "",
        c_helper(file, "inline"), name);
  if (is_aligned || bytes < LOOPED || (file->small && bytes % LOOPED != 0)) {
    c_put(
        &file->helpers,
        "#if defined __GNUC__ && !defined __clang__ && defined __OPTIMIZE__ && defined __arm__%s\n"
        "  (void)__builtin_memcpy(%s, %s, %d);\n",
        good, side_of(arena, "to", is_aligned, word), side_of(arena, "from", is_aligned, word),
        bytes);
    begin = "#elif";
  }
  if (bytes >= word) {
    c_put(&file->helpers, "%s defined __GNUC__ && defined __OPTIMIZE__%s\n", begin, good);
    put_words(file, type, bytes);
  }
  c_put(&file->helpers,
        "#else\n  uint8_t *at = to;\n  const uint8_t *source = from;\n"
        "  for (size_t i = 0; i < %dU; i++) {\n    at[i] = source[i];\n  }\n#endif\n}\n",
        bytes);
  return name;
}

// The bytes of a block: of eight words.
static int block_bytes(const CFile *file) { return file->machine.word; }

// The functions of a file that move runs of any length.
typedef enum Mover {
  COPY_RUN,
  FILL_RUN,
  SHIFT_DOWN, // both sides may overlap:
  SHIFT_UP    // from the end downward
} Mover;

static const struct {
  const char *name, *does, *parameters, *one;
} mover_text[] = {
    [COPY_RUN] = {"copy_run",
                  "Copies bytes, in words if the machine takes these at any address, or if both "
                  "sides are equally misaligned.",
                  "void *restrict to, const void *restrict from", "*at++ = *source++;"},
    [FILL_RUN] = {"fill_run", "Sets bytes, in words as soon as the address is a multiple of one.",
                  "void *to, uint8_t byte", "*at++ = byte;"},
    [SHIFT_DOWN] = {"shift_down", "Moves bytes to lower addresses; both sides may overlap.",
                    "void *to, const void *from", "*at++ = *source++;"},
    [SHIFT_UP] = {"shift_up", "Moves bytes to higher addresses; both sides may overlap.",
                  "void *to, const void *from", "*--at = *--source;"}};

// A loop over pieces of this many bytes, up to `end`: with a count, gcc -Os would compute both addresses from it.
static void put_pieces(CFile *file, Mover mover, const char *margin, int bytes, const char *body) {
  const char *side = mover == FILL_RUN ? "at" : "source", *step = "";
  for (int i = mover == FILL_RUN; i < 2; i++)
    step = arena_printf(file->arena, "%s%s  %s %s= %d;\n", step, margin, i == 0 ? "source" : "at",
                        mover == SHIFT_UP ? "-" : "+", bytes);
  c_put(&file->helpers, "%send = %s %s (bytes - (bytes %% %dU));\n%swhile (%s != end) {\n", margin,
        side, mover == SHIFT_UP ? "-" : "+", bytes, margin, side);
  c_put(&file->helpers, "%s%s%s%s}\n%sbytes %%= %dU;\n", mover == SHIFT_UP ? step : "", body,
        mover == SHIFT_UP ? "" : step, margin, margin, bytes);
}

// Lines that move this many bytes or words, in the order in which they may overlap.
static const char *lines_of(CFile *file, Mover mover, int count, bool is_word) {
  Arena *arena = file->arena;
  const char *word = word_type(file), *text = "";
  for (int i = 0; i < count; i++) {
    int at = mover == SHIFT_UP ? count - 1 - i : i;
    const char *to = arena_printf(arena, "at[%d]", at),
               *from = arena_printf(arena, "source[%d]", at);
    if (is_word) {
      to = arena_printf(arena, "((%s *)(void *)at)[%d].word", word, at);
      from = arena_printf(arena, "((const %s *)(const void *)source)[%d].word", word, at);
    }
    text =
        arena_printf(arena, "%s      %s = %s;\n", text, to, mover == FILL_RUN ? "pattern" : from);
  }
  return text;
}

// Blocks of words, then single words. `copy` copies blocks between aligned words: cores that allow words at any address
// also load and store several registers at once.
static void put_word_loops(CFile *file, Mover mover, const char *copy) {
  int block = block_bytes(file), word = file->machine.word / 8;
  if (copy) {
    c_put(&file->helpers,
          "    if ((%s != 0) && ((((uintptr_t)at | (uintptr_t)source) & %dU) == 0U)) {\n",
          anywhere(file), word - 1);
    put_pieces(file, mover, "      ", block,
               arena_printf(file->arena, "        %s(at, source);\n", copy));
    c_put(&file->helpers, "    }\n");
  }
  put_pieces(file, mover, "    ", block, lines_of(file, mover, block / word, true));
  put_pieces(file, mover, "    ", word, lines_of(file, mover, 1, true));
}

static const char *mover_function(CFile *file, Mover mover) {
  enum { BYTES = 4 };
  const char *key = mover_text[mover].name, *name = c_helper(file, key);
  if (name)
    return name;
  Arena *arena = file->arena;
  int bits = file->machine.word, mask = bits / 8 - 1;
  const char *one = mover_text[mover].one;
  const char *copy = mover == COPY_RUN ? fixed_function(file, block_bytes(file), mask + 1) : NULL;
  (void)word_type(file); // before the function that uses it
  name = c_helper_add(file, key, key);
  c_put(&file->helpers, "\n/* %s */\nstatic void %s(%s, size_t bytes) {\n  uint8_t *at = to;\n%s%s",
        mover_text[mover].does, name, mover_text[mover].parameters,
        mover == FILL_RUN ? "" : "  const uint8_t *source = from;\n",
        mover == SHIFT_UP ? "  at += bytes;\n  source += bytes;\n" : "");
  c_put(&file->helpers,
        "#if defined __GNUC__ && defined __OPTIMIZE__\n  const uint8_t *end;\n"
        "  if ((%s != 0) || (%s)) {\n",
        anywhere(file),
        mover == FILL_RUN
            ? "bytes > 0U"
            : arena_printf(arena, "(((uintptr_t)at ^ (uintptr_t)source) & %dU) == 0U", mask));
  if (mover == FILL_RUN)
    c_put(&file->helpers,
          "    /* If gcc knew the constant, it would store it byte by byte. */\n"
          "    const volatile uint%d_t kept = (uint%d_t)byte * (UINT%d_MAX / 255U);\n"
          "    const uint%d_t pattern = kept;\n",
          bits, bits, bits, bits);
  c_put(&file->helpers,
        "    for (; (%s == 0) && (bytes > 0U) && (((uintptr_t)at & %dU) != 0U); bytes--) {\n"
        "      %s\n    }\n",
        anywhere(file), mask, one);
  put_word_loops(file, mover, copy);
  c_put(&file->helpers, "  }\n");
  if (mover != FILL_RUN) {
    c_put(&file->helpers, "  if (%s == 0) {\n", anywhere(file));
    put_pieces(file, mover, "    ", BYTES, lines_of(file, mover, BYTES, false));
    c_put(&file->helpers, "  }\n");
  }
  c_put(&file->helpers, "#endif\n  for (; bytes > 0U; bytes--) {\n    %s\n  }\n}\n", one);
  return name;
}

// ---- lines

static const char *bytes_text(CKernel *k, rsh_dtype type, const char *count) {
  return c_unit(type) > 1
             ? arena_printf(k->file->arena, "%s * sizeof(%s)", count, rsh_dtype_ctype(type))
             : count;
}

static const char *bytes_of(CKernel *k, rsh_dtype type, rsh_num count) {
  return bytes_text(k, type, c_number(k, count, true));
}

void c_put_run(CKernel *k, const CSpot *spot, const char *from, rsh_num count, uint32_t align,
               RunStrategy strategy) {
  const char *to = c_address(k, spot->to, spot->start[CODE_DST]);
  from = c_address(k, from, spot->start[CODE_SRC]);
  if (strategy == RUN_LIBRARY) {
    k->file->needs_string = true;
    c_line(k, "(void)memcpy(%s, %s, %s);", to, from, bytes_of(k, spot->type, count));
  } else if (strategy == RUN_CALL) {
    c_line(k, "%s(%s, %s, %s);", mover_function(k->file, COPY_RUN), to, from,
           bytes_of(k, spot->type, count));
  } else {
    int bytes = (int)(count.n * c_unit(spot->type));
    c_line(k, "%s(%s, %s);", fixed_function(k->file, bytes, (int)align), to, from);
  }
}

void c_put_piece(CKernel *k, const CSpot *spot, const char *from, const char *count) {
  bool is_library = k->file->can.library;
  k->file->needs_string = k->file->needs_string || is_library;
  c_line(k, "%s(%s, %s, %s);", is_library ? "(void)memcpy" : mover_function(k->file, COPY_RUN),
         c_address(k, spot->to, spot->start[CODE_DST]), from, bytes_text(k, spot->type, count));
}

void c_put_shift(CKernel *k, const CSpot *spot, bool is_up) {
  rsh_num count = code_divided(spot->nest->run, c_unit(spot->type));
  if (rsh_is(count, 1)) {
    c_line(k, "%s[%s] = %s[%s];", spot->to, c_sum(k, spot->start[CODE_DST]), spot->to,
           c_sum(k, spot->start[CODE_SRC]));
    return;
  }
  k->file->needs_string = k->file->needs_string || k->file->can.library;
  c_line(k, "%s%s(%s, %s, %s);", k->file->can.library ? "(void)" : "",
         k->file->can.library ? "memmove" : mover_function(k->file, is_up ? SHIFT_UP : SHIFT_DOWN),
         c_address(k, spot->to, spot->start[CODE_DST]),
         c_address(k, spot->to, spot->start[CODE_SRC]), bytes_of(k, spot->type, count));
}

void c_put_fill(CKernel *k, const CSpot *spot, rsh_num count, RunStrategy strategy, uint8_t byte) {
  const char *to = c_address(k, spot->to, spot->start[CODE_DST]);
  const char *bytes = bytes_of(k, spot->type, count);
  k->file->needs_string = k->file->needs_string || strategy == RUN_LIBRARY;
  if (strategy == RUN_LIBRARY)
    c_line(k, "(void)memset(%s, %d, %s);", to, byte, bytes);
  else
    c_line(k, "%s(%s, %dU, %s);", mover_function(k->file, FILL_RUN), to, byte, bytes);
}
