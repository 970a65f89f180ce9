// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/plan/zip.h"

#include "codegen/plan/plan_internal.h"

enum { LEAST_VECTOR = 16, MOST_PIXEL = 64, MOST_PLANES = 4 };

// ---- selection of nests

// The extent of an innermost loop over planes, whose elements are adjacent in a pixel; 1: there is no such loop, 0: the
// nest cannot be zipped.
//
//   u8[3, N] transposed, next to a constant    {N, dst 4, src 1} {3, dst 1, src N}, run 1: 3 planes
static int planes_inside(const Nest *nest) {
  enum { MOST = 8 };
  const Loop *last = &nest->loop[nest->loop_count - 1];
  if (nest->loop_count < 2 || !rsh_equal(last->dst, nest->run))
    return nest->loop_count > 0;
  return rsh_is_known(last->extent) && last->extent.n <= MOST ? (int)last->extent.n : 0;
}

static const Loop *pixel_loop(const Nest *nest) {
  int planes = planes_inside(nest);
  return planes > 0 ? &nest->loop[nest->loop_count - (planes > 1 ? 2 : 1)] : NULL;
}

// Whether a nest may be zipped with others, in pixels of this many bytes.
static bool is_strand(const Graph *graph, const Nest *nest, int64_t pixel) {
  NestLines lines = nest_lines(nest);
  const Loop *along = pixel_loop(nest);
  return along && !plan_is_staged(graph, nest->source) && !nest_is_by_element(nest) &&
         nest->kind != NEST_SHIFTED && !nest->places && !lines.streams && !lines.large &&
         rsh_is_known(nest->run) && plan_element_bits(nest->to) >= 8 && rsh_is(along->dst, pixel) &&
         rsh_is_known(along->src) && nest->run.n * planes_inside(nest) < pixel;
}

static bool has_loops_of(const Nest *nest, const Nest *model) {
  bool is_same = nest->loop_count == model->loop_count;
  for (int i = 0; is_same && i < nest->loop_count; i++)
    is_same = rsh_equal(nest->loop[i].extent, model->loop[i].extent) &&
              rsh_equal(nest->loop[i].dst, model->loop[i].dst);
  return is_same;
}

// Gives a nest the loops of `model`, which visits the same places of the result in more loops. False: it does not.
//
//   zeros, {2048, dst 8}, next to {64, dst 256, src 512} {32, dst 8, src 4}    {64, dst 256} {32, dst 8}
static bool fit_loops(Arena *arena, Nest *nest, const Nest *model) {
  if (has_loops_of(nest, model))
    return true;
  if (!plan_nest_is_known(nest) || !plan_nest_is_known(model))
    return false;
  Loop *loop = ARENA_ARRAY(arena, Loop, model->loop_count + 1);
  int at = nest->loop_count - 1;
  Loop left = nest->loop[at];
  for (int i = model->loop_count - 1; i >= 0; i--) {
    int64_t extent = model->loop[i].extent.n;
    if (left.extent.n == 1 && at > 0)
      left = nest->loop[--at];
    if (left.dst.n != model->loop[i].dst.n || left.extent.n % extent != 0)
      return false;
    loop[i] = left;
    loop[i].extent.n = extent;
    left.extent.n /= extent;
    left.dst.n *= extent;
    left.src.n *= extent;
  }
  nest->loop = loop;
  nest->loop_count = model->loop_count;
  return at == 0 && left.extent.n == 1;
}

// The number of leading nests that fill each other's gaps; 0: they do not.
static int count_strands(const Graph *graph, const Nest *nest, int count) {
  const Loop *along = pixel_loop(nest);
  if (!along || !rsh_is_known(along->dst) || along->dst.n > MOST_PIXEL)
    return 0;
  int64_t pixel = along->dst.n, filled = 0;
  for (int i = 0; i < count && is_strand(graph, &nest[i], pixel); i++) {
    rsh_num here;
    if (!rsh_add(graph->symbols, nest->dst_offset, rsh_int(filled), &here) ||
        !rsh_equal(here, nest[i].dst_offset))
      return 0;
    filled += nest[i].run.n * planes_inside(&nest[i]);
    if (filled >= pixel)
      return filled == pixel ? i + 1 : 0;
  }
  return 0;
}

// Adds a nest for each plane. False: there are too many, or an offset overflows.
static bool add_strands(Arena *arena, rsh_symbols *symbols, const Nest *nest, NestZip *zip,
                        Nest *strand) {
  int planes = planes_inside(nest);
  const Loop *inner = &nest->loop[nest->loop_count - 1];
  for (int i = 0; i < planes; i++) {
    if (zip->count == MOST_ZIPPED)
      return false;
    Nest *one = &strand[zip->count++];
    *one = nest_copy(arena, nest);
    nest_make_plain(one);
    one->loop_count -= planes > 1;
    if (!nest_start_at(symbols, one, inner, rsh_int(i)))
      return false;
  }
  return true;
}

// The result size in bytes from which nests with these loops bypass the cache; 0: it is smaller, or overflows.
static int64_t past_of(const Processor *cpu, const Nest *nest, int64_t pixel) {
  int64_t bytes = pixel;
  if (!plan_nest_is_known(nest))
    return cpu->past;
  for (int i = 0; i < nest->loop_count; i++)
    if (__builtin_mul_overflow(bytes, nest->loop[i].extent.n, &bytes))
      return 0;
  return bytes >= cpu->past ? cpu->past : 0;
}

static bool zip(const Planner *p, Nest *nest, int count) {
  Arena *arena = p->arena;
  Nest *strand = ARENA_ARRAY(arena, Nest, MOST_ZIPPED);
  NestZip *all = ARENA_NEW(arena, NestZip);
  *all = (NestZip){.nest = strand};
  for (int i = 0; i < count; i++)
    if (!add_strands(arena, p->graph->symbols, &nest[i], all, strand))
      return false;
  const Nest *model = strand;
  for (int i = 1; i < all->count; i++)
    if (strand[i].loop_count > model->loop_count)
      model = &strand[i];
  for (int i = 0; i < all->count; i++)
    if (!fit_loops(arena, &strand[i], model))
      return false;
  all->past = past_of(p->plan->processor, strand, pixel_loop(nest)->dst.n);
  for (int i = 0; i < count; i++)
    nest[i].zip = all;
  return true;
}

void nests_zip(const Planner *p, Nest *nest, int count) {
  for (int i = 0; i < count;) {
    int strands = count_strands(p->graph, nest + i, count - i);
    i += strands > 0 && zip(p, nest + i, strands) ? strands : 1;
  }
}

// ---- vectors of a machine

bool nest_leads(const Nest *nest) {
  return rsh_equal(nest->dst_offset, nest->zip->nest[0].dst_offset);
}

static const Loop *last_loop(const Nest *nest) { return &nest->loop[nest->loop_count - 1]; }

static void set_parts(ZipPiece *piece, const NestZip *zip) {
  int64_t grain = 8, offset = 0;
  for (int i = 0; i < zip->count; i++) {
    const Nest *nest = &zip->nest[i];
    bool is_fill = rsh_is_fill(nest->source);
    int64_t step = is_fill ? 0 : last_loop(nest)->src.n;
    piece->part[i] =
        (ZipPart){.is_fill = is_fill, .offset = offset, .run = nest->run.n, .step = step};
    offset += nest->run.n;
    grain |= nest->run.n | step;
  }
  piece->pixel = offset;
  piece->grain = grain & -grain;
}

bool zip_is_pixels(const ZipPiece *piece, const ZipPart *part) {
  return !part->is_fill && part->run == 3 * piece->grain;
}

// The number of planes if they can be woven: their elements have one size and are contiguous in their sources, or
// pixels of all three are contiguous; else 0.
static int planes_of(const ZipPiece *piece, const NestZip *zip, const Machine *machine) {
  int64_t planes = piece->pixel / piece->grain;
  bool can_split = weaves_in_rounds(machine, piece->grain, false);
  for (int i = 0; i < zip->count; i++) {
    const ZipPart *part = &piece->part[i];
    bool is_plane = part->run == piece->grain || (can_split && zip_is_pixels(piece, part));
    if (!part->is_fill && (!is_plane || part->step != part->run))
      return 0;
  }
  bool is_good = planes <= MOST_PLANES && plan_element_bits(zip->nest->to) / 8 <= piece->grain &&
                 (planes != 3 || piece->grain >= machine->shuffled ||
                  weaves_in_rounds(machine, piece->grain, true));
  return is_good ? (int)planes : 0;
}

// Whether assembling each vector of the result takes fewer shuffles than weaving all of them; or as many, if some bytes
// are constants.
static bool is_shorter_gathered(const ZipPiece *piece, const NestZip *zip, int planes) {
  int sources = 0, rounds = planes == 2 ? 1 : 2;
  bool has_fill = false;
  for (int i = 0; i < zip->count; i++) {
    has_fill = has_fill || piece->part[i].is_fill;
    sources += !piece->part[i].is_fill;
  }
  return sources + has_fill - 1 < rounds || (has_fill && sources == rounds);
}

// Sets the source vectors of a piece. False: there are too many.
static bool set_vectors(ZipPiece *piece, const NestZip *zip) {
  int64_t count = 0;
  for (int i = 0; i < zip->count; i++) {
    ZipPart *part = &piece->part[i];
    int64_t way;
    if (part->is_fill)
      continue;
    if (__builtin_mul_overflow(piece->count - 1, part->step, &way) || way > MOST_SHUFFLE_BYTES ||
        way < -MOST_SHUFFLE_BYTES)
      return false;
    part->first = way < 0 ? way : 0;
    part->span = (way < 0 ? -way : way) + part->run;
    part->vector = piece->result;
    while (part->vector > part->span)
      part->vector /= 2;
    count += plan_divide_up(part->span, part->vector);
  }
  return count <= MOST_SHUFFLE_VECTORS;
}

int64_t zip_source(const ZipPiece *piece, int64_t at, int *part) {
  int64_t in_pixel = at % piece->pixel;
  *part = 0;
  while (in_pixel >= piece->part[*part].offset + piece->part[*part].run)
    ++*part;
  const ZipPart *p = &piece->part[*part];
  return at / piece->pixel * p->step + in_pixel - p->offset - p->first;
}

// The bytes of a source that a vector of the result takes.
static void find_window(const ZipPiece *piece, int64_t begin, int part, int64_t *from,
                        int64_t *end) {
  *from = INT64_MAX, *end = 0;
  for (int64_t at = begin; at < begin + piece->result; at += piece->grain) {
    int other;
    int64_t here = zip_source(piece, at, &other);
    if (other == part && here < *from)
      *from = here;
    if (other == part && here + piece->grain > *end)
      *end = here + piece->grain;
  }
}

int64_t zip_load(const ZipPiece *piece, int64_t begin, int part, int64_t src) {
  const ZipPart *p = &piece->part[part];
  int64_t from, end;
  find_window(piece, begin, part, &from, &end);
  if (end - from > p->vector)
    return shuffle_begin(p->span, p->vector, (int)(src / p->vector));
  return from + p->vector <= p->span ? from : p->span - p->vector;
}

// Whether a vector of the result needs more than one load from a source.
static bool is_split(const ZipPiece *piece, const NestZip *zip) {
  for (int64_t at = 0; at < piece->count * piece->pixel; at += piece->result)
    for (int i = 0; i < zip->count; i++) {
      int64_t from, end;
      find_window(piece, at, i, &from, &end);
      if (!piece->part[i].is_fill && end > from && end - from > piece->part[i].vector)
        return true;
    }
  return false;
}

// The loads, stores and shuffles of a piece whose vectors are assembled one by one.
static int64_t gathered(const ZipPiece *piece, const Machine *machine) {
  int64_t bytes = piece->count * piece->pixel, all = 0;
  for (int64_t begin = 0; begin < bytes; begin += piece->result) {
    struct {
      int part;
      int64_t start;
    } load[MOST_SHUFFLE_VECTORS];
    int loads = 0, part, i;
    bool has_fill = false;
    for (int64_t at = begin; at < begin + piece->result; at += piece->grain) {
      int64_t src = zip_source(piece, at, &part);
      has_fill = has_fill || piece->part[part].is_fill;
      if (piece->part[part].is_fill)
        continue;
      int64_t start = zip_load(piece, begin, part, src);
      for (i = 0; i < loads && (load[i].part != part || load[i].start != start);)
        i++;
      if (i == MOST_SHUFFLE_VECTORS)
        return INT64_MAX / 2;
      load[i].part = part;
      load[i].start = start;
      loads += i == loads;
    }
    all += loads == 0
               ? 1
               : 1 + loads + has_fill + shuffles_of(loads, machine, piece->grain, piece->result);
  }
  return all;
}

static int64_t woven(const ZipPiece *piece, const NestZip *zip, const Machine *machine) {
  int64_t all =
      piece->planes + weave_shuffles(machine, piece->planes, piece->count, piece->grain, true);
  for (int i = 0; i < zip->count; i++)
    if (zip_is_pixels(piece, &piece->part[i]))
      all += 3 + weave_shuffles(machine, 3, piece->count, piece->grain, false);
    else
      all += !piece->part[i].is_fill;
  return all;
}

// Whether vectors take fewer instructions than separate nests.
static bool is_profitable(ZipPiece *piece, const NestZip *zip, const Machine *machine) {
  int64_t alone = 0;
  for (int i = 0; i < zip->count; i++) {
    const ZipPart *part = &piece->part[i];
    bool is_word = (part->run & (part->run - 1)) == 0; // else it needs two that overlap
    alone += piece->count * (part->is_fill ? 1 : 2) * (is_word ? 1 : 2);
  }
  piece->instructions = piece->planes > 0 ? woven(piece, zip, machine) : gathered(piece, machine);
  return piece->instructions < alone;
}

// Sets the pixels of a piece: whole vectors of the result, and more of them if rows are long enough and a result vector
// would otherwise need more than one load from a source.
static bool set_count(ZipPiece *piece, const NestZip *zip, rsh_num extent) {
  enum { MOST_TIMES = 4 };
  int64_t most = likely_size(extent);
  piece->count = piece->planes > 0 ? piece->result / piece->grain
                                   : piece->result / rsh_gcd(piece->result, piece->pixel);
  if (piece->count > most || !set_vectors(piece, zip))
    return false;
  for (int times = 2; times <= MOST_TIMES && piece->planes == 0 && is_split(piece, zip);
       times *= 2) {
    ZipPiece longer = *piece;
    longer.count *= 2;
    if (longer.count > most || !set_vectors(&longer, zip))
      break;
    *piece = longer;
  }
  return true;
}

// Whether each row of the result is aligned to a vector, as far as sizes are known.
static bool may_stream(const ZipPiece *piece, const NestZip *zip, const Machine *machine) {
  return zip->past > 0 && machine->streams && piece->result == machine->vector &&
         shuffle_is_even(zip->nest, zip->nest->loop_count - 1, piece->result);
}

bool nest_zip(const Nest *nest, const Machine *machine, ZipPiece *piece) {
  const NestZip *zip = nest->zip;
  if (!zip || machine->walks || machine->vector == 0)
    return false;
  *piece = (ZipPiece){0};
  set_parts(piece, zip);
  bool is_any = shuffle_widest(machine, piece->grain) > 0;
  int planes = planes_of(piece, zip, machine);
  bool prefers_planes = planes > 0 && (!is_any || !is_shorter_gathered(piece, zip, planes));
  rsh_num extent = last_loop(zip->nest)->extent;
  for (piece->result = machine->vector; piece->result >= LEAST_VECTOR; piece->result /= 2)
    for (int i = 0; i < 2; i++) {
      bool is_woven = prefers_planes == (i == 0);
      piece->planes = is_woven ? planes : 0;
      if ((is_woven ? planes > 0 : is_any) && set_count(piece, zip, extent) &&
          is_profitable(piece, zip, machine)) {
        piece->streams = may_stream(piece, zip, machine);
        return true;
      }
    }
  return false;
}
