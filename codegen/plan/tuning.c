// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes and reads the file of choices; each error has a source position.
#include "codegen/plan/tuning.h"
#include "codegen/plan/processor.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// The numbers of a row, in order of the line.
typedef struct Field {
  const char *name;
  size_t offset; // in Processor
  int64_t least, most;
} Field;

static const Field fields[] = {
    {"l1", offsetof(Processor, l1), 1 << 10, 1 << 30},
    {"ways", offsetof(Processor, ways), 1, 1 << 10},
    {"l2", offsetof(Processor, l2), 1 << 10, INT64_C(1) << 40},
    {"last", offsetof(Processor, last), 1 << 10, INT64_C(1) << 40},
    {"page", offsetof(Processor, page), 1 << 10, 1 << 30},
    {"pages", offsetof(Processor, pages), 16, 1 << 20},
    {"near", offsetof(Processor, near), CACHE_LINE, 1 << 20},
    {"far", offsetof(Processor, far), CACHE_LINE, 1 << 20},
    {"rows", offsetof(Processor, rows), 1, 1 << 20},
    {"channels", offsetof(Processor, channels), 1, 1 << 20},
    {"queue", offsetof(Processor, queue), 1, 1 << 20},
    {"past", offsetof(Processor, past), 1, INT64_C(1) << 50},
    {"tile", offsetof(Processor, tile), 16, CACHE_LINE},
    {"planes", offsetof(Processor, planes), 1, 8},
    {"in_l1", offsetof(Processor, in_l1), 1, 1 << 20},
    {"in_l2", offsetof(Processor, in_l2), 1, 1 << 20},
    {"in_last", offsetof(Processor, in_last), 1, 1 << 20},
    {"in_memory", offsetof(Processor, in_memory), 1, 1 << 20},
};

enum { FIELDS = sizeof fields / sizeof *fields };

static int64_t *number_of(Processor *processor, int field) {
  return (int64_t *)(void *)((char *)processor + fields[field].offset);
}

static const char *const kinds[] = {"copy", "weave", "transpose", "blocks"}; // by ChoiceKind

// ---- writing ----

const char *choice_text(Arena *arena, const Choice *choice, int loop_count) {
  const char *text = loop_count > 0 ? "order " : "";
  for (int i = 0; i < loop_count; i++)
    text = arena_printf(arena, "%s%d ", text, choice->order[i]);
  text = arena_printf(arena, "%s%s", text, kinds[choice->kind]);
  if (choice->kind == CHOICE_TILE)
    text =
        arena_printf(arena, "%s %" PRId64 " by %" PRId64, text, choice->tile.src, choice->tile.dst);
  if (choice->kind == CHOICE_TILE && choice->block > 0)
    text = arena_printf(arena, "%s within %" PRId64, text, choice->block);
  if (choice->around > 0)
    text = arena_printf(arena, "%s around %d", text, choice->around);
  if (choice->kind == CHOICE_BLOCK)
    text = arena_printf(arena, "%s of %" PRId64, text, choice->block);
  return arena_printf(arena, "%s%s%s%s%s%s", text, choice->tile.packs ? " packed" : "",
                      choice->tile.prefetches ? " prefetched" : "",
                      choice->tile.near ? " near" : "", choice->tile.strips ? " strips" : "",
                      choice->streams ? " streamed" : "");
}

static const char *move_text(Arena *arena, const Nest *nest) {
  int64_t at = (nest->dst_offset.n % CACHE_LINE + CACHE_LINE) % CACHE_LINE;
  const char *text = arena_printf(arena, "%" PRId64 " bytes to %" PRId64, nest->run.n, at);
  for (int i = 0; i < nest->loop_count; i++)
    text = arena_printf(arena, "%s, for %" PRId64 " dst %" PRId64 " src %" PRId64, text,
                        nest->loop[i].extent.n, nest->loop[i].dst.n, nest->loop[i].src.n);
  return text;
}

static int compare(const void *a, const void *b) {
  const TuningEntry *x = a, *y = b;
  int by_cpu = strcmp(x->cpu, y->cpu);
  return by_cpu ? by_cpu : strcmp(x->move, y->move);
}

static int compare_rows(const void *a, const void *b) {
  const TuningRow *x = a, *y = b;
  return strcmp(x->cpu, y->cpu);
}

// A row as a line of the file.
static const char *row_text(Arena *arena, const TuningRow *row) {
  Processor processor = row->processor;
  const char *text = arena_printf(arena, "%s: machine", row->cpu);
  for (int i = 0; i < FIELDS; i++)
    text = arena_printf(arena, "%s %s %" PRId64, text, fields[i].name, *number_of(&processor, i));
  return text;
}

const char *tuning_text(const Tuning *tuning) {
  const char *text = "# The fastest way for each move, as 'reshapec tune' measured it; read by "
                     "'--tuning'.\n";
  TuningRow *rows = ARENA_ARRAY(tuning->arena, TuningRow, tuning->row.count + 1);
  for (int i = 0; i < tuning->row.count; i++)
    rows[i] = tuning->row.item[i];
  if (tuning->row.count > 0)
    qsort(rows, (size_t)tuning->row.count, sizeof *rows, compare_rows);
  for (int i = 0; i < tuning->row.count; i++)
    text = arena_printf(tuning->arena, "%s%s\n", text, row_text(tuning->arena, &rows[i]));
  TuningEntry *sorted = ARENA_ARRAY(tuning->arena, TuningEntry, tuning->entry.count + 1);
  for (int i = 0; i < tuning->entry.count; i++)
    sorted[i] = tuning->entry.item[i];
  if (tuning->entry.count > 0)
    qsort(sorted, (size_t)tuning->entry.count, sizeof *sorted, compare);
  for (int i = 0; i < tuning->entry.count; i++)
    text = arena_printf(tuning->arena, "%s%s: %s: %s\n", text, sorted[i].cpu, sorted[i].move,
                        choice_text(tuning->arena, &sorted[i].choice, sorted[i].loop_count));
  return text;
}

// ---- asking ----

static TuningEntry *find(const Tuning *tuning, const char *cpu, const char *move) {
  for (int i = 0; i < tuning->entry.count; i++)
    if (strcmp(tuning->entry.item[i].cpu, cpu) == 0 &&
        strcmp(tuning->entry.item[i].move, move) == 0)
      return &tuning->entry.item[i];
  return NULL;
}

static TuningRow *find_row(const Tuning *tuning, const char *cpu) {
  for (int i = 0; i < tuning->row.count; i++)
    if (strcmp(tuning->row.item[i].cpu, cpu) == 0)
      return &tuning->row.item[i];
  return NULL;
}

const Processor *tuning_row(const Tuning *tuning) {
  const TuningRow *row = find_row(tuning, tuning->cpu);
  return row ? &row->processor : NULL;
}

void tuning_set_row(Tuning *tuning, const Processor *processor) {
  TuningRow *old = find_row(tuning, tuning->cpu);
  if (old)
    old->processor = *processor;
  else
    VEC_PUSH(tuning->arena, tuning->row, ((TuningRow){tuning->cpu, *processor, {0, 0}}));
}

void tuning_set(Tuning *tuning, const Nest *nest, const Choice *choice) {
  const char *move = move_text(tuning->arena, nest);
  TuningEntry *old = find(tuning, tuning->cpu, move);
  if (old)
    old->choice = *choice;
  else
    VEC_PUSH(tuning->arena, tuning->entry,
             ((TuningEntry){tuning->cpu, move, *choice, nest->loop_count, {0, 0}}));
}

void tuning_merge(Tuning *tuning, const Tuning *other) {
  for (int i = 0; i < other->entry.count; i++)
    if (!find(tuning, other->entry.item[i].cpu, other->entry.item[i].move))
      VEC_PUSH(tuning->arena, tuning->entry, other->entry.item[i]);
  for (int i = 0; i < other->row.count; i++)
    if (!find_row(tuning, other->row.item[i].cpu))
      VEC_PUSH(tuning->arena, tuning->row, other->row.item[i]);
}

const Choice *tuning_find(Tuning *tuning, const Nest *nest) {
  if (!tuning || nest->loop_count == 0 || !plan_nest_is_known(nest))
    return NULL;
  const char *move = move_text(tuning->arena, nest);
  const TuningEntry *entry = find(tuning, tuning->cpu, move);
  bool is_new = true;
  for (int i = 0; i < tuning->asked.count && is_new; i++)
    is_new = strcmp(tuning->asked.item[i].move, move) != 0;
  if (is_new)
    VEC_PUSH(tuning->arena, tuning->asked, ((TunedMove){move, *nest, entry != NULL}));
  return entry ? &entry->choice : NULL;
}

// ---- reading ----

typedef struct Reader {
  Tuning *tuning;
  const Source *source;
  Diag *diag;
  const char *at, *end; // of the line
} Reader;

static Span span_of(const Reader *r, const char *begin, const char *end) {
  uint32_t first = r->source->begin + (uint32_t)(begin - r->source->text);
  return (Span){first, first + (uint32_t)(end - begin)};
}

static void skip_space(Reader *r) {
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\t'))
    r->at++;
}

static const char *word_end(const Reader *r) {
  const char *end = r->at;
  while (end < r->end && !strchr(" \t:,", *end))
    end++;
  return end > r->at || end == r->end ? end : end + 1; // a mark is a word
}

// The word `text`, if it is next.
static bool accept(Reader *r, const char *text) {
  skip_space(r);
  size_t length = (size_t)(word_end(r) - r->at);
  if (strlen(text) != length || memcmp(r->at, text, length) != 0)
    return false;
  r->at += length;
  return true;
}

static bool refuse(const Reader *r, const char *expected) {
  const char *end = word_end(r);
  if (r->at == r->end)
    diag_error(r->diag, span_of(r, r->at, end), "syntax", "expected %s before the end of the line",
               expected);
  else
    diag_error(r->diag, span_of(r, r->at, end), "syntax", "expected %s, not '%.*s'", expected,
               (int)(end - r->at), r->at);
  return false;
}

static bool expect(Reader *r, const char *text) {
  if (accept(r, text))
    return true;
  return refuse(r, arena_printf(r->tuning->arena, "'%s'", text));
}

static bool read_number(Reader *r, int64_t least, int64_t most, int64_t *n) {
  skip_space(r);
  const char *end = word_end(r), *p = r->at;
  bool is_below = p < end && *p == '-';
  p += is_below;
  bool good = p < end;
  *n = 0;
  for (; p < end && good; p++)
    good = *p >= '0' && *p <= '9' && !__builtin_mul_overflow(*n, 10, n) &&
           !__builtin_sub_overflow(*n, *p - '0', n); // downward: negative numbers reach further
  good = good && (is_below || !__builtin_sub_overflow(0, *n, n)) && *n >= least && *n <= most;
  if (good) {
    r->at = end;
    return true;
  }
  Arena *arena = r->tuning->arena;
  if (most < INT64_MAX)
    return refuse(r, arena_printf(arena, "a number from %" PRId64 " to %" PRId64, least, most));
  return refuse(r, least == INT64_MIN
                       ? "a number"
                       : arena_printf(arena, "a number of at least %" PRId64, least));
}

static bool read_loop(Reader *r, Loop *loop) {
  return read_number(r, 2, INT64_MAX, &loop->extent.n) && expect(r, "dst") &&
         read_number(r, 1, INT64_MAX, &loop->dst.n) && expect(r, "src") &&
         read_number(r, INT64_MIN, INT64_MAX, &loop->src.n);
}

static bool read_move(Reader *r, Nest *nest) {
  if (!read_number(r, 1, INT64_MAX, &nest->run.n) || !expect(r, "bytes") || !expect(r, "to") ||
      !read_number(r, 0, CACHE_LINE - 1, &nest->dst_offset.n))
    return false;
  while (accept(r, ",")) {
    skip_space(r);
    if (nest->loop_count == RSH_MAX_AXES)
      return refuse(r, "fewer loops");
    if (!expect(r, "for") || !read_loop(r, &nest->loop[nest->loop_count++]))
      return false;
  }
  return true;
}

static bool read_order(Reader *r, const Nest *nest, Choice *choice) {
  if (nest->loop_count > 0 && !expect(r, "order"))
    return false;
  for (int i = 0; i < nest->loop_count; i++) {
    int64_t at;
    if (!read_number(r, 0, nest->loop_count - 1, &at))
      return false;
    choice->order[i] = (int8_t)at;
  }
  return true;
}

static bool read_kind(Reader *r, Choice *choice) {
  for (int i = 0; i < 4; i++)
    if (accept(r, kinds[i])) {
      choice->kind = (ChoiceKind)i;
      return true;
    }
  return refuse(r, "'copy', 'weave', 'transpose' or 'blocks'");
}

static bool read_choice(Reader *r, const Nest *nest, Choice *choice) {
  *choice = choice_plain();
  if (!read_order(r, nest, choice) || !read_kind(r, choice))
    return false;
  if (choice->kind == CHOICE_TILE &&
      (!read_number(r, 1, INT32_MAX, &choice->tile.src) || !expect(r, "by") ||
       !read_number(r, 1, INT32_MAX, &choice->tile.dst)))
    return false;
  if (choice->kind == CHOICE_BLOCK &&
      (!expect(r, "of") || !read_number(r, 2, INT32_MAX, &choice->block)))
    return false;
  if (choice->kind == CHOICE_TILE) {
    int64_t around = 0;
    if (accept(r, "within") && !read_number(r, 1, INT32_MAX, &choice->block))
      return false;
    if (accept(r, "around") && !read_number(r, 1, RSH_MAX_AXES, &around))
      return false;
    choice->around = (int8_t)around;
    choice->tile.packs = accept(r, "packed");
    choice->tile.prefetches = accept(r, "prefetched");
    choice->tile.near = choice->tile.prefetches && accept(r, "near");
    choice->tile.strips = accept(r, "strips");
  }
  choice->streams = accept(r, "streamed");
  skip_space(r);
  return r->at == r->end || refuse(r, "the end of the line");
}

// "x86_64 znver4", up to the mark.
static const char *read_cpu(Reader *r) {
  const char *mark = memchr(r->at, ':', (size_t)(r->end - r->at));
  if (!mark || mark == r->at) {
    refuse(r, "a processor and ':'");
    return NULL;
  }
  const char *cpu = arena_text(r->tuning->arena, r->at, (size_t)(mark - r->at));
  r->at = mark + 1;
  return cpu;
}

static bool refuse_row(const Reader *r, Span span, const char *why) {
  diag_error(r->diag, span, "bad_choice", "no machine has this: %s", why);
  return false;
}

// The rest of a line, after "x86_64 znver4: machine".
static bool read_row(Reader *r, const char *cpu, const char *begin) {
  Arena *arena = r->tuning->arena;
  const char *first = r->at;
  // The name that explain shows: "znver4, measured".
  const char *name = strrchr(cpu, ' ');
  name = name ? name + 1 : cpu;
  // Omitted fields have the values of the table.
  TuningRow row = {
      .cpu = cpu, .span = span_of(r, begin, r->end), .processor = *processor_find(name)};
  Processor *p = &row.processor;
  p->name = arena_printf(arena, "%s, measured", name);
  for (int i = 0; i < FIELDS; i++)
    if (!expect(r, fields[i].name) ||
        !read_number(r, fields[i].least, fields[i].most, number_of(p, i)))
      return false;
  skip_space(r);
  if (r->at != r->end)
    return refuse(r, "the end of the line");
  Span numbers = span_of(r, first + strspn(first, " \t"), r->end);
  if (p->l1 / p->ways < CACHE_LINE)
    return refuse_row(r, numbers, "a way of L1 is smaller than a line of 64 bytes");
  if (p->l2 < p->l1 || p->last < p->l2)
    return refuse_row(r, numbers, "a cache is smaller than the one before it");
  if ((p->tile & (p->tile - 1)) != 0)
    return refuse_row(r, numbers, "a vector has 16, 32 or 64 bytes");
  const TuningRow *other = find_row(r->tuning, cpu);
  if (other) {
    diag_error(r->diag, row.span, "duplicate", "a second machine for the same processor");
    diag_note(r->diag, other->span, "the first is here");
    return false;
  }
  VEC_PUSH(arena, r->tuning->row, row);
  return true;
}

// Refuses control characters: reports show the name of the processor, which may contain any other character but ':'.
static bool is_plain(const Reader *r) {
  const char *at = r->at;
  while (at < r->end && (*at == '\t' || ((unsigned char)*at >= ' ' && *at != 127)))
    at++;
  if (at < r->end)
    diag_error(r->diag, span_of(r, at, at + 1), "syntax", "a control character, 0x%02x",
               (unsigned char)*at);
  return at == r->end;
}

static bool read_line(Reader *r) {
  Arena *arena = r->tuning->arena;
  const char *begin = r->at;
  if (!is_plain(r))
    return false;
  Loop loop[RSH_MAX_AXES] = {{.extent = {0}}};
  Nest nest = {.loop = loop};
  TuningEntry entry = {.cpu = read_cpu(r)};
  if (!entry.cpu)
    return false;
  if (accept(r, "machine"))
    return read_row(r, entry.cpu, begin);
  if (!read_move(r, &nest) || !expect(r, ":"))
    return false;
  skip_space(r);
  const char *choice = r->at;
  if (!read_choice(r, &nest, &entry.choice))
    return false;
  if (!choice_fits(arena, &nest, &entry.choice)) {
    diag_error(r->diag, span_of(r, choice, r->end), "bad_choice",
               "this choice does not fit the move on this line");
    return false;
  }
  entry.move = move_text(arena, &nest);
  entry.loop_count = nest.loop_count;
  entry.span = span_of(r, begin, r->end);
  const TuningEntry *other = find(r->tuning, entry.cpu, entry.move);
  if (other) {
    diag_error(r->diag, entry.span, "duplicate", "a second choice for the same move");
    diag_note(r->diag, other->span, "the first is here");
    return false;
  }
  VEC_PUSH(arena, r->tuning->entry, entry);
  return true;
}

bool tuning_read(Tuning *tuning, const Source *source, Diag *diag) {
  const char *at = source->text, *end = at + source->length;
  bool good = true;
  while (at < end) {
    const char *newline = memchr(at, '\n', (size_t)(end - at)), *next = newline ? newline : end;
    const char *comment = memchr(at, '#', (size_t)(next - at));
    Reader r = {tuning, source, diag, at, comment ? comment : next};
    while (r.end > r.at && strchr(" \t\r", r.end[-1]))
      r.end--;
    skip_space(&r);
    good = (r.at == r.end || read_line(&r)) && good;
    at = newline ? newline + 1 : end;
  }
  return good;
}
