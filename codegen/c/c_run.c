// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs as C, as the plan says (codegen/plan/way.h): by memcpy, memmove and memset if there is a C library, by a function of the
// file that moves words, by a copy of a fixed number of bytes that compilers turn into loads and stores, or as a loop
// over elements.
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

// The macro that tells whether the machine accesses words at any address.
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
        "#define %s __attribute__((always_inline)) inline\n#else\n#define %s inline\n#endif\n",
        any, name, file->machine.word, name, any, name, file->machine.word, name,
        c_helper(file, "inline"), c_helper(file, "inline"));
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

// The function that copies this many bytes as words, at any address or between multiples of a word. For Arm, compilers
// expand __builtin_memcpy best; for others, they might call memcpy. gcc -Os loops from 16 bytes on: words are faster, but
// larger if the run is not of whole blocks.
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
    c_put(&file->helpers,
          "#if defined __GNUC__ && defined __OPTIMIZE__ && defined __arm__%s\n"
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

// A loop over pieces of this many bytes, up to `end`: otherwise gcc -Os would compute both addresses from what is left.
static void put_pieces(CFile *file, const char *margin, int bytes, const char *body, bool fills) {
  const char *steps = fills ? "at" : "source";
  c_put(&file->helpers, "%send = &%s[bytes - (bytes %% %dU)];\n%swhile (%s != end) {\n%s", margin,
        steps, bytes, margin, steps, body);
  for (int i = fills; i < 2; i++)
    c_put(&file->helpers, "%s  %s += %d;\n", margin, i == 0 ? "source" : "at", bytes);
  c_put(&file->helpers, "%s}\n%sbytes %%= %dU;\n", margin, margin, bytes);
}

// Lines that move this many words.
static const char *words_text(CFile *file, int count, bool fills) {
  Arena *arena = file->arena;
  const char *word = word_type(file), *text = "";
  for (int i = 0; i < count; i++)
    text = arena_printf(
        arena, "%s      ((%s *)(void *)at)[%d].word = %s;\n", text, word, i,
        fills ? "pattern"
              : arena_printf(arena, "((const %s *)(const void *)source)[%d].word", word, i));
  return text;
}

// Blocks of words, then single words. `copy` copies blocks between words: cores that take words at any address are those
// that load and store several registers at once.
static void put_word_loops(CFile *file, const char *copy, bool fills) {
  int block = block_bytes(file), word = file->machine.word / 8;
  if (copy) {
    c_put(&file->helpers,
          "    if ((%s != 0) && ((((uintptr_t)at | (uintptr_t)source) & %dU) == 0U)) {\n",
          anywhere(file), word - 1);
    put_pieces(file, "      ", block, arena_printf(file->arena, "        %s(at, source);\n", copy),
               false);
    c_put(&file->helpers, "    }\n");
  }
  put_pieces(file, "    ", block, words_text(file, block / word, fills), fills);
  put_pieces(file, "    ", word, words_text(file, 1, fills), fills);
}

static const char *run_helper(CFile *file, bool fills) {
  const char *key = fills ? "fill_run" : "copy_run", *name = c_helper(file, key);
  if (name)
    return name;
  int mask = file->machine.word / 8 - 1;
  const char *one = fills ? "*at++ = byte;" : "*at++ = *source++;";
  const char *copy = fills ? NULL : fixed_function(file, block_bytes(file), mask + 1);
  (void)word_type(file); // before the function that uses it
  name = c_helper_add(file, key, key);
  c_put(&file->helpers,
        fills ? "\n/* Sets bytes, in words as soon as the address is a multiple of one. */\n"
                "static void %s(void *to, uint8_t byte, size_t bytes) {\n  uint8_t *at = to;\n"
              : "\n/* Copies bytes, in words if the machine takes these at any address, or if both "
                "sides are equally misaligned. */\n"
                "static void %s(void *restrict to, const void *restrict from, size_t bytes) {\n"
                "  uint8_t *at = to;\n  const uint8_t *source = from;\n",
        name);
  c_put(&file->helpers, "#if defined __GNUC__ && defined __OPTIMIZE__\n  const uint8_t *end;\n");
  c_put(&file->helpers, "  if ((%s != 0)%s) {\n", anywhere(file),
        fills ? " || (bytes > 0U)"
              : arena_printf(file->arena, " || ((((uintptr_t)at ^ (uintptr_t)source) & %dU) == 0U)",
                             mask));
  if (fills)
    c_put(&file->helpers,
          "    /* If gcc knew the constant, it would store it byte by byte. */\n"
          "    const volatile uint%d_t kept = (uint%d_t)byte * (UINT%d_MAX / 255U);\n"
          "    const uint%d_t pattern = kept;\n",
          file->machine.word, file->machine.word, file->machine.word, file->machine.word);
  c_put(&file->helpers,
        "    for (; (%s == 0) && (bytes > 0U) && (((uintptr_t)at & %dU) != 0U); bytes--) {\n"
        "      %s\n    }\n",
        anywhere(file), mask, one);
  put_word_loops(file, copy, fills);
  c_put(&file->helpers, "  }\n#endif\n  for (; bytes > 0U; bytes--) {\n    %s\n  }\n}\n", one);
  return name;
}

// The function that moves bytes within memory, words at a time where copy_run would.
static const char *shift_helper(CFile *file, bool is_up) {
  const char *key = is_up ? "shift_up" : "shift_down", *name = c_helper(file, key);
  if (name)
    return name;
  const char *word = word_type(file), *one = is_up ? "*--at = *--source;" : "*at++ = *source++;";
  int bytes = file->machine.word / 8;
  const char *step = arena_printf(file->arena, "      at %s= %d;\n      source %s= %d;\n",
                                  is_up ? "-" : "+", bytes, is_up ? "-" : "+", bytes);
  name = c_helper_add(file, key, key);
  c_put(&file->helpers,
        "\n/* Moves bytes to %s addresses; both sides may overlap. */\n"
        "static void %s(void *to, const void *from, size_t bytes) {\n"
        "  uint8_t *at = to;\n  const uint8_t *source = from;\n%s"
        "#if defined __GNUC__ && defined __OPTIMIZE__\n"
        "  if ((%s != 0) || ((((uintptr_t)at ^ (uintptr_t)source) & %dU) == 0U)) {\n"
        "    for (; (%s == 0) && (bytes > 0U) && (((uintptr_t)at & %dU) != 0U); bytes--) {\n"
        "      %s\n    }\n"
        "    for (; bytes >= %dU; bytes -= %dU) {\n%s"
        "      ((%s *)(void *)at)->word = ((const %s *)(const void *)source)->word;\n%s    }\n"
        "  }\n#endif\n  for (; bytes > 0U; bytes--) {\n    %s\n  }\n}\n",
        is_up ? "higher" : "lower", name, is_up ? "  at += bytes;\n  source += bytes;\n" : "",
        anywhere(file), bytes - 1, anywhere(file), bytes - 1, one, bytes, bytes, is_up ? step : "",
        word, word, is_up ? "" : step, one);
  return name;
}

// ---- lines

static const char *bytes_of(CKernel *k, rsh_dtype type, rsh_num count) {
  const char *bytes = c_number(k, count, true);
  return c_unit(type) > 1
             ? arena_printf(k->file->arena, "%s * sizeof(%s)", bytes, rsh_dtype_ctype(type))
             : bytes;
}

void c_put_run(CKernel *k, const CSpot *spot, const char *from, rsh_num count, uint32_t align,
               RunWay way) {
  const char *to = c_address(k, spot->to, spot->start[CODE_DST]);
  from = c_address(k, from, spot->start[CODE_SRC]);
  if (way == RUN_LIBRARY) {
    k->file->needs_string = true;
    c_line(k, "(void)memcpy(%s, %s, %s);", to, from, bytes_of(k, spot->type, count));
  } else if (way == RUN_CALL) {
    c_line(k, "%s(%s, %s, %s);", run_helper(k->file, false), to, from,
           bytes_of(k, spot->type, count));
  } else {
    int bytes = (int)(count.n * c_unit(spot->type));
    c_line(k, "%s(%s, %s);", fixed_function(k->file, bytes, (int)align), to, from);
  }
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
         k->file->can.library ? "memmove" : shift_helper(k->file, is_up),
         c_address(k, spot->to, spot->start[CODE_DST]),
         c_address(k, spot->to, spot->start[CODE_SRC]), bytes_of(k, spot->type, count));
}

void c_put_fill(CKernel *k, const CSpot *spot, rsh_num count, RunWay way, uint8_t byte) {
  const char *to = c_address(k, spot->to, spot->start[CODE_DST]);
  const char *bytes = bytes_of(k, spot->type, count);
  k->file->needs_string = k->file->needs_string || way == RUN_LIBRARY;
  if (way == RUN_LIBRARY)
    c_line(k, "(void)memset(%s, %d, %s);", to, byte, bytes);
  else
    c_line(k, "%s(%s, %dU, %s);", run_helper(k->file, true), to, byte, bytes);
}
