// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executes the first iterations of each loop and draws the memory that they access in order of addresses; "..." marks
// memory that they do not access. So all numbers in the picture are actual addresses:
//
//   for 2   x + 1  y + 3         x   0 2 4 1 3 5       step 1 reads element 2 of x
//     for 3 x + 2  y + 1         y   0 1 2 3 4 5       and writes element 1 of y
//
// A blocked transposition has too many steps for that: its blocks are drawn on both matrices instead. Symbolic sizes
// are replaced by small values.
#include "driver/pictures/walk.h"

#include "codegen/plan/nest_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_STEPS = 24,     // steps that are drawn,
  MOST_ITERATIONS = 4, // iterations of one loop, if not all are drawn,
  MOST_NESTS = 6,      // nests that are drawn
  CELL = 26,           // width of a cell
  STRIP = 22,          // height of a strip
  GAP = 22,            // width of "..."
  THREADS = 64,        // between strips
  BLOCK = 34,          // width of a block of a matrix
  BLOCK_LINE = 24,     // and its height
  MOST_BLOCKS = 5,     // in a row or column
  INDENT = 14,         // of an inner loop
  READ_COLUMN = 200,   // column of the source strides of loops,
  WRITE_COLUMN = 380,  // and of the destination strides
};

typedef struct Step {
  int source; // as Nest.source
  int64_t src, src_size, dst, dst_size;
} Step;

typedef struct Walker {
  Svg *svg;
  Arena *arena;
  const Plan *plan;
  const Machine *machine;
  const Value *to;
  const char *name;
  int64_t atom[RSH_MAX_SYMBOLS]; // values of symbols
  bool failed;                   // a number has no value
  bool streams;                  // some nest uses streaming stores
  VEC(Step) step;
} Walker;

// ---- numbers ----

static int64_t value_of(Walker *w, rsh_num n) {
  int64_t value = 0;
  if (!rsh_eval(w->plan->graph->symbols, n, w->atom, &value))
    w->failed = true;
  return value;
}

// Chooses small distinct numbers, as far as the bounds of the atoms allow.
static void choose_atoms(Walker *w) {
  const Graph *graph = w->plan->graph;
  const rsh_symbols *s = graph->symbols;
  int64_t symbol[RSH_MAX_SYMBOLS] = {0};
  for (int i = 0; i < w->plan->graph->symbol.count && i < RSH_MAX_SYMBOLS; i++) {
    int64_t value = 4 + i, least = i < s->symbol_count ? s->least[i] : 1;
    int64_t most = i < s->symbol_count ? s->most[i] : INT64_MAX;
    w->atom[i] = value < least ? least : value > most ? most : value;
  }
  for (int i = 0; i < graph->symbol.count; i++)
    if (!rsh_eval(s, graph->symbol.item[i].num, w->atom, &symbol[i]))
      return;
  for (int i = 0; i < graph->symbol.count && graph_edges(graph, symbol); i++)
    if (graph->symbol.item[i].is_edge)
      w->atom[i] = symbol[i] / graph->symbol.item[i].divisor;
}

// ---- loops as a table ----

// How the innermost loops of a nest run on the machine.
static NestStrategy inner_strategy(const Walker *w, const Nest *nest) {
  NestStrategy strategy = nest_strategy(w->plan, nest, w->machine, WHOLE_NEST);
  return strategy == STRATEGY_STREAM ? nest_strategy_inside(nest, w->machine) : strategy;
}

static bool streams(const Walker *w, const Nest *nest) {
  return nest_lines(nest).streams &&
         nest_strategy(w->plan, nest, w->machine, WHOLE_NEST) == STRATEGY_STREAM;
}

// from x to y
//   for 8      x + 294912    y + 294912
//     for 12   x + 64        y + 24576
//       copy 64 elements
static int draw_nest_table(Walker *w, const Nest *nest, int x, int y) {
  const NestText text = nest_text(w->arena, w->plan, w->machine, nest, w->to, w->name);
  svg_text(w->svg, x, y += SVG_LINE + 3, "start", "faint",
           arena_printf(w->arena, "from %s to %s", text.from, text.to));
  int at = x + INDENT;
  for (int i = 0; i < text.loop_count; i++, at += INDENT) {
    svg_text(w->svg, at, y += SVG_LINE, "start", "", text.loop[i].head);
    svg_text(w->svg, x + READ_COLUMN, y, "start", "", text.loop[i].read);
    svg_text(w->svg, x + WRITE_COLUMN, y, "start", "", text.loop[i].written);
  }
  svg_text(w->svg, at, y += SVG_LINE, "start", "", text.body);
  return y;
}

// ---- steps ----

// Chooses the number of iterations of each loop that are drawn; the places are the outermost loop. All of them, if
// there are at most `budget` steps, else the numbers are increased alternately, the inner loops first.
static void choose_counts(Walker *w, const Nest *nest, int budget, int64_t *shown) {
  int64_t extent[RSH_MAX_AXES + 1], steps = 1, all = 1;
  for (int i = 0; i <= nest->loop_count; i++) {
    extent[i] = i > 0 ? value_of(w, nest->loop[i - 1].extent) : 1;
    if (i == 0 && nest->places)
      extent[i] = nest->places->count;
    shown[i] = extent[i] > 0 ? 1 : 0;
    steps *= shown[i];
    all = all > budget || extent[i] > budget ? budget + 1 : all * extent[i];
  }
  int most = all <= budget ? budget : MOST_ITERATIONS;
  for (bool grown = steps > 0; grown;) {
    grown = false;
    for (int i = nest->loop_count; i >= 0; i--)
      if (shown[i] < extent[i] && shown[i] < most && steps / shown[i] * (shown[i] + 1) <= budget) {
        steps = steps / shown[i] * (shown[i] + 1);
        shown[i]++;
        grown = true;
      }
  }
}

static void take_steps(Walker *w, const Nest *nest, int budget) {
  int64_t shown[RSH_MAX_AXES + 1], at[RSH_MAX_AXES + 1] = {0}, total = 1;
  choose_counts(w, nest, budget, shown);
  for (int i = 0; i <= nest->loop_count; i++)
    total *= shown[i];
  int64_t run = value_of(w, nest->run);
  Step first = {.source = nest->source,
                .src = value_of(w, nest->src_offset),
                .dst = value_of(w, nest->dst_offset),
                .src_size = nest_is_by_element(nest) ? nest_source_unit(nest, w->to) : run,
                .dst_size = nest_is_by_element(nest) ? nest_result_unit(nest, w->to) : run};
  for (int64_t count = 0; count < total; count++) {
    Step step = first;
    if (nest->places) {
      step.src += nest->places->place[at[0]].src;
      step.dst += nest->places->place[at[0]].dst;
    }
    for (int i = 0; i < nest->loop_count; i++) {
      step.src += at[i + 1] * value_of(w, nest->loop[i].src);
      step.dst += at[i + 1] * value_of(w, nest->loop[i].dst);
    }
    VEC_PUSH(w->arena, w->step, step);
    for (int i = nest->loop_count; i >= 0 && ++at[i] == shown[i]; i--)
      at[i] = 0;
  }
}

// Non-temporal stores, used for results larger than the cache.
static const char past_cache[] = ", written past the cache";

// ---- strips of memory ----

typedef struct Cell {
  int64_t at, size;
  int step, visits, x;
  bool is_fill;
} Cell;

typedef struct Strip {
  VEC(Cell) cell;
  const char *name, *type;
  int64_t unit, bytes; // of an element; of the tensor, 0 if unknown
} Strip;

static int by_address(const void *a, const void *b) {
  const Cell *x = a, *y = b;
  return x->at != y->at ? (x->at > y->at) - (x->at < y->at)
                        : (x->step > y->step) - (x->step < y->step);
}

// Sorts cells by address and merges those with the same address. A cell keeps the number of its first visit.
static void sort_strip(Strip *strip) {
  int kept = 0;
  qsort(strip->cell.item, (size_t)strip->cell.count, sizeof *strip->cell.item, by_address);
  for (int i = 0; i < strip->cell.count; i++) {
    Cell *last = kept > 0 ? &strip->cell.item[kept - 1] : NULL;
    if (last && last->at == strip->cell.item[i].at)
      last->visits++;
    else
      strip->cell.item[kept++] = strip->cell.item[i];
  }
  strip->cell.count = kept;
}

// Bytes of the tensor; 0 if unknown: with strides and symbols, or after an overflow.
static int64_t bytes_of(Walker *w, const Value *value) {
  int64_t bits = plan_element_bits(value->dtype);
  if (plan_is_known(value))
    return (int64_t)plan_value_bytes(value);
  if (value->shape.rank == RSH_RANK_UNKNOWN || value_is_strided(value))
    return 0;
  for (int32_t i = 0; i < value->shape.rank; i++)
    if (__builtin_mul_overflow(bits, value_of(w, value->shape.dim[i]), &bits))
      return 0;
  return bits / 8;
}

static Strip make_strip(Walker *w, int source) {
  bool is_destination = source < 0;
  const Value *value = is_destination ? w->to : w->plan->graph->value.item[source];
  Strip strip = {.name = is_destination ? w->name : nest_source_name(w->arena, w->plan, source)};
  strip.type = value_text(w->arena, w->plan->graph, value);
  if (!is_destination && !graph_is_source(w->plan->graph, source))
    strip.type = arena_printf(w->arena, "%s, not stored: each element is looked up", strip.type);
  int bits = plan_element_bits(value->dtype);
  strip.unit = bits < 8 ? 1 : bits / 8;
  if (is_destination && w->streams)
    strip.type = arena_printf(w->arena, "%s%s", strip.type, past_cache);
  strip.bytes = bytes_of(w, value);
  for (int i = 0; i < w->step.count; i++) {
    const Step *step = &w->step.item[i];
    Cell cell = {step->src, step->src_size, i, 1, 0, false};
    if (is_destination)
      cell = (Cell){step->dst, step->dst_size, i, 1, 0, step->source < 0};
    if (is_destination || step->source == source)
      VEC_PUSH(w->arena, strip.cell, cell);
  }
  sort_strip(&strip);
  return strip;
}

// Draws the strip, sets the places of its cells, and returns its end. Addresses are above a source, and below the
// destination.
static int draw_strip(Walker *w, Strip *strip, int x, int y, bool above) {
  svg_text(w->svg, x, above ? y - 18 : y + STRIP + 30, "start", "bold",
           arena_printf(w->arena, "%s: %s", strip->name, strip->type));
  int free = 0; // where the next address fits
  int64_t end = 0;
  for (int i = 0; i < strip->cell.count; i++) {
    Cell *cell = &strip->cell.item[i];
    if (cell->at > end) {
      svg_text(w->svg, x + GAP / 2, y + STRIP / 2 + 4, "middle", "faint", "\xE2\x8B\xAF");
      x += GAP;
    }
    if ((i == 0 || cell->at > end) && x >= free) {
      const char *address = arena_printf(w->arena, "%" PRId64, cell->at / strip->unit);
      svg_text(w->svg, x, above ? y - 4 : y + STRIP + 12, "start", "small faint", address);
      free = x + SVG_SMALL_CHAR * (int)strlen(address) + 6;
    }
    const char *number = arena_printf(w->arena, "%d%s", cell->step, cell->visits > 1 ? "+" : "");
    if (cell->is_fill) {
      svg_rect(w->svg, x, y, CELL - 1, STRIP, 0, "fill");
      svg_text(w->svg, x + CELL / 2, y + STRIP / 2 + 4, "middle", "small", number);
    } else {
      svg_cell(w->svg, x, y, CELL - 1, STRIP, cell->step, w->step.count, number);
    }
    cell->x = x + CELL / 2;
    x += CELL;
    end = cell->at + cell->size > end ? cell->at + cell->size : end;
  }
  if (strip->bytes == 0 || end < strip->bytes) {
    svg_text(w->svg, x + GAP / 2, y + STRIP / 2 + 4, "middle", "faint", "\xE2\x8B\xAF");
    x += GAP;
  }
  return x;
}

static int cell_at(const Strip *strip, int64_t address) {
  for (int i = 0; i < strip->cell.count; i++)
    if (strip->cell.item[i].at == address)
      return strip->cell.item[i].x;
  return 0;
}

static int draw_strips(Walker *w, int x, int y) {
  Strip to = make_strip(w, -1);
  VEC(int) source = {0};
  int top = y + 44, bottom = top + STRIP + THREADS;
  for (int i = 0; i < w->step.count; i++) {
    bool is_new = w->step.item[i].source >= 0;
    for (int k = 0; k < source.count; k++)
      is_new = is_new && source.item[k] != w->step.item[i].source;
    if (is_new)
      VEC_PUSH(w->arena, source, w->step.item[i].source);
  }
  if (source.count == 0)
    bottom = y + 8;
  (void)draw_strip(w, &to, x, bottom, false);
  for (int k = 0, at = x; k < source.count; k++) {
    Strip from = make_strip(w, source.item[k]);
    int end = draw_strip(w, &from, at, top, true);
    int title = at + svg_text_width(from.name) + svg_text_width(from.type) + 24;
    at = (end > title ? end : title) + 16;
    for (int i = 0; i < w->step.count; i++)
      if (w->step.item[i].source == source.item[k])
        svg_thread(w->svg, cell_at(&from, w->step.item[i].src), top + STRIP,
                   cell_at(&to, w->step.item[i].dst), bottom, i, w->step.count);
  }
  return bottom + STRIP + 36;
}

// ---- blocks of a transposition ----

typedef struct Blocks {
  int64_t rows, columns; // of the source's matrix, in elements
  int64_t block_rows, block_columns;
  int down, across;            // blocks drawn
  int64_t all_down;            // all blocks down a column, drawn or not
  bool more_down, more_across; // some blocks are not drawn
} Blocks;

static int least_blocks(int64_t extent, int64_t size, bool *more) {
  int64_t count = (extent + size - 1) / size;
  *more = count > MOST_BLOCKS;
  return *more ? MOST_BLOCKS : (int)count;
}

static bool find_blocks(Walker *w, const Nest *nest, Blocks *b) {
  if (inner_strategy(w, nest) != STRATEGY_TILES || nest->loop_count < 2)
    return false;
  int64_t run = value_of(w, nest->run);
  if (run <= 0)
    return false;
  b->columns = value_of(w, nest->loop[nest->loop_count - 2].extent);
  b->rows = value_of(w, nest->loop[nest->loop_count - 1].extent);
  const Tile *tile = &nest->tiles.tile;
  int64_t element = nest_tile_element(nest), pixel = element * nest_tile_pixel(nest);
  int64_t columns = tile->src / (nest_tile_form(nest) == TILE_APART ? pixel : element),
          rows = tile->dst / (nest_tile_form(nest) == TILE_JOINED ? pixel : element);
  b->block_columns = columns < b->columns ? columns : b->columns;
  b->block_rows = rows < b->rows ? rows : b->rows;
  if (w->failed || b->block_columns < 1 || b->block_rows < 1)
    return false;
  b->across = least_blocks(b->columns, b->block_columns, &b->more_across);
  b->all_down = (b->rows + b->block_rows - 1) / b->block_rows;
  b->down = least_blocks(b->rows, b->block_rows, &b->more_down);
  return b->across * b->down > 1;
}

// Draws one of the two matrices, its blocks numbered in processing order: down the rows of the source.
static int draw_matrix(Walker *w, const Blocks *b, int x, int y, bool is_transposed,
                       const char *title) {
  int wide = is_transposed ? b->down : b->across, high = is_transposed ? b->across : b->down;
  svg_text(w->svg, x, y, "start", "bold", title);
  y += 10;
  for (int i = 0; i < high; i++)
    for (int k = 0; k < wide; k++) {
      int column = is_transposed ? i : k, row = is_transposed ? k : i;
      bool is_rest =
          (b->more_across && column == b->across - 1) || (b->more_down && row == b->down - 1);
      int step = column * b->down + row; // among those drawn
      int64_t number = column * b->all_down + row;
      int left = x + k * (BLOCK + 1), top = y + i * (BLOCK_LINE + 1);
      if (is_rest)
        svg_rect(w->svg, left, top, BLOCK, BLOCK_LINE, 0, "bar");
      else
        svg_cell(w->svg, left, top, BLOCK, BLOCK_LINE, step, b->across * b->down,
                 arena_printf(w->arena, "%" PRId64, number));
      if (is_rest)
        svg_text(w->svg, left + BLOCK / 2, top + BLOCK_LINE / 2 + 4, "middle", "faint",
                 "\xE2\x8B\xAF");
    }
  return x + wide * (BLOCK + 1);
}

static int draw_blocks(Walker *w, const Nest *nest, const Blocks *b, int x, int y) {
  const char *from = nest_source_name(w->arena, w->plan, nest->source);
  const char *left =
      arena_printf(w->arena, "%s: %" PRId64 " rows of %" PRId64, from, b->rows, b->columns);
  const char *right = arena_printf(w->arena, "%s: %" PRId64 " rows of %" PRId64 "%s", w->name,
                                   b->columns, b->rows, streams(w, nest) ? past_cache : "");
  int high = b->across > b->down ? b->across : b->down;
  y += 26;
  int end = draw_matrix(w, b, x, y, false, left), title = x + svg_text_width(left);
  (void)draw_matrix(w, b, (end > title ? end : title) + 40, y, true, right);
  y += 14 + high * (BLOCK_LINE + 1) + 14;
  svg_text(w->svg, x, y, "start", "",
           arena_printf(w->arena,
                        "done block by block in the order of the numbers: %" PRId64
                        " rows of %" PRId64
                        " of %s at a time, so that both sides stay in the cache",
                        b->block_rows, b->block_columns, from));
  return y + 8;
}

// ---- the whole picture ----

// "drawn for B = 4, S = 5", or NULL without symbols.
static const char *sample_text(Walker *w) {
  const Graph *graph = w->plan->graph;
  const char *text = NULL;
  for (int i = 0; i < graph->symbol.count; i++) {
    const Symbol *symbol = &graph->symbol.item[i];
    if (!symbol_is_parameter(symbol))
      continue;
    text = arena_printf(w->arena, "%s%s = %" PRId64,
                        text ? arena_printf(w->arena, "%s, ", text) : "drawn for ",
                        symbol->name ? symbol->name : "?", value_of(w, symbol->num));
  }
  return text;
}

int walk_draw(Svg *svg, int x, int y, const Plan *plan, const Machine *machine, const Nest *nest,
              int nest_count, const Value *to, const char *name) {
  Walker w = {.svg = svg, .arena = svg->arena, .plan = plan, .to = to, .name = name};
  w.machine = machine;
  int drawn = nest_count < MOST_NESTS ? nest_count : MOST_NESTS;
  Blocks blocks;
  choose_atoms(&w);
  for (int i = 0; i < drawn; i++)
    y = draw_nest_table(&w, &nest[i], x, y);
  if (drawn < nest_count)
    svg_text(svg, x, y += SVG_LINE, "start", "faint",
             arena_printf(svg->arena, "... and %d more", nest_count - drawn));
  const char *sample = sample_text(&w);
  if (sample && !w.failed)
    svg_text(svg, x, y += SVG_LINE, "start", "faint", sample);
  if (nest_count == 1 && find_blocks(&w, nest, &blocks))
    return draw_blocks(&w, nest, &blocks, x, y);
  for (int i = 0; i < drawn; i++) {
    take_steps(&w, &nest[i], MOST_STEPS / drawn);
    w.streams = w.streams || streams(&w, &nest[i]);
  }
  return w.failed || w.step.count == 0 ? y : draw_strips(&w, x, y);
}
