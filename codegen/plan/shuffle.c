// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/plan/shuffle.h"

enum { LEAST_VECTOR = 16, LEAST_RESULT = 8 };

bool weaves_in_rounds(const Machine *machine, int64_t element, bool joins) {
  return element <= (joins ? 1 : 2) && element < machine->shuffled && !machine->shuffles_lanes &&
         machine->shuffled < LEAST_VECTOR;
}

bool nest_joins(const Nest *nest) {
  return rsh_is(nest->loop[nest->loop_count - 2].src, nest_read_bytes(nest));
}

int64_t nest_weave_bytes(const Nest *nest, const Machine *machine) {
  const Loop *along = &nest->loop[nest->loop_count - 2], *planes = along + 1;
  int64_t bytes = machine->vector;
  bool is_any = planes->extent.n != 3 || nest->run.n >= machine->shuffled;
  if (!is_any)
    bytes = machine->shuffles_lanes || weaves_in_rounds(machine, nest->run.n, nest_joins(nest))
                ? LEAST_VECTOR
                : 0;
  while (rsh_is_known(along->extent) && bytes > along->extent.n * nest->run.n)
    bytes /= 2;
  return bytes >= LEAST_VECTOR ? bytes : 0;
}

int64_t weave_shuffles(const Machine *machine, int64_t planes, int64_t count, int64_t element,
                       bool joins) {
  int64_t rounds = planes == 2 ? 1 : 2;
  if (planes == 3 && weaves_in_rounds(machine, element, joins)) // of two shuffles each
    for (int64_t left = count; left > 2; left /= 2)
      rounds += 2;
  return rounds * planes;
}

static int64_t power_below(int64_t n) {
  int64_t power = 1;
  while (power <= n / 2)
    power *= 2;
  return power;
}

int64_t shuffle_widest(const Machine *machine, int64_t grain) {
  return grain >= machine->shuffled || machine->element.table > 0 ? machine->vector : 0;
}

int64_t shuffles_of(int sources, const Machine *machine, int64_t grain, int64_t bytes) {
  bool is_any = grain >= machine->shuffled || machine->element.table > 2 * LEAST_VECTOR;
  if (is_any && (machine->element.table > LEAST_VECTOR || bytes > 2 * LEAST_VECTOR))
    return sources == 1 ? 1 : sources - 1;
  return is_any || bytes <= LEAST_VECTOR ? 2 * sources - 1 : 3 * sources;
}

int64_t shuffle_begin(int64_t bytes, int64_t vector, int i) {
  int64_t begin = i * vector;
  return begin + vector <= bytes ? begin : bytes - vector;
}

int shuffle_vector(const NestShuffle *shuffle, int64_t src) { return (int)(src / shuffle->source); }

int64_t shuffle_source(const Nest *nest, const NestShuffle *shuffle, int64_t at) {
  int64_t src = at % nest->run.n - shuffle->first, index = at / nest->run.n;
  for (int i = nest->loop_count - 1; i >= shuffle->depth; i--) {
    const Loop *loop = &nest->loop[i];
    int64_t extent = shuffle->is_split && i == shuffle->depth ? shuffle->count : loop->extent.n;
    src += index % extent * loop->src.n;
    index /= extent;
  }
  return src;
}

// Adds a loop of this many iterations to a piece.
static void add_loop(NestShuffle *s, const Loop *loop, int64_t extent) {
  int64_t way = (extent - 1) * loop->src.n;
  s->bytes *= extent;
  s->span += way < 0 ? -way : way;
  s->first += way < 0 ? way : 0;
  int64_t step = s->grain | loop->src.n;
  s->grain = step & -step;
}

// Whether a loop continues a piece contiguously in the result, and both sides stay short enough.
static bool is_next(const NestShuffle *s, const Loop *loop, int64_t extent, int64_t most) {
  int64_t bytes, way;
  return rsh_is_known(loop->src) && rsh_is(loop->dst, s->bytes) &&
         !__builtin_mul_overflow(s->bytes, extent, &bytes) && bytes <= most &&
         !__builtin_mul_overflow(extent - 1, loop->src.n, &way) &&
         way < MOST_SHUFFLE_VECTORS * LEAST_VECTOR && -way < MOST_SHUFFLE_VECTORS * LEAST_VECTOR;
}

static NestShuffle empty_piece(const Nest *nest) {
  int64_t run = nest->run.n, grain = run & -run;
  return (NestShuffle){
      .depth = nest->loop_count, .bytes = run, .span = run, .grain = grain < 8 ? grain : 8};
}

// Sets the vectors of both sides. False: the piece is too short, or has too many.
static bool set_vectors(NestShuffle *s, const Machine *machine) {
  int64_t most = shuffle_widest(machine, s->grain);
  int64_t least = most < LEAST_RESULT ? most : LEAST_RESULT;
  if (most == 0 || s->bytes < least || s->span < s->grain)
    return false;
  s->result = power_below(s->bytes < most ? s->bytes : most);
  s->source = power_below(s->span < s->result ? s->span : s->result);
  int64_t count = (s->span + s->source - 1) / s->source;
  s->source_count = (int)count;
  return count <= MOST_SHUFFLE_VECTORS && s->source >= s->grain;
}

// The instructions of a piece: a load for each vector that is used, a store for each of the result, and shuffles.
static int64_t instructions(const Nest *nest, const NestShuffle *s, const Machine *machine) {
  uint64_t all = 0;
  int64_t count = 0;
  int stores = (int)((s->bytes + s->result - 1) / s->result);
  for (int i = 0; i < stores; i++) {
    uint64_t used = 0;
    int64_t begin = shuffle_begin(s->bytes, s->result, i);
    for (int64_t at = 0; at < s->result; at += s->grain)
      used |= (uint64_t)1 << shuffle_vector(s, shuffle_source(nest, s, begin + at));
    int sources = __builtin_popcountll(used);
    count += 1 + shuffles_of(sources, machine, s->grain, s->result);
    all |= used;
  }
  return count + __builtin_popcountll(all);
}

// Whether a piece takes at most half of the instructions of a loop over its runs, of which each is loaded and stored in
// words: 3 bytes are a word of two, and one of one.
static bool is_profitable(const Nest *nest, NestShuffle *s, const Machine *machine) {
  if (!set_vectors(s, machine))
    return false;
  s->instructions = instructions(nest, s, machine);
  int64_t words = __builtin_popcountll((uint64_t)nest->run.n);
  return s->instructions <= s->bytes / nest->run.n * words;
}

// Adds this many iterations of the next loop to a piece, if the loop has that many and they fill whole vectors.
static bool add_iterations(const Nest *nest, const Machine *machine, int64_t count, int64_t most,
                           NestShuffle *piece) {
  const Loop *loop = piece->depth > 0 ? &nest->loop[piece->depth - 1] : NULL;
  if (!loop || piece->bytes * count % machine->vector != 0 || !is_next(piece, loop, count, most) ||
      (rsh_is_known(loop->extent) && loop->extent.n < count))
    return false;
  NestShuffle longer = *piece;
  longer.depth--;
  add_loop(&longer, loop, count);
  longer.is_split = true;
  longer.count = count;
  if (!is_profitable(nest, &longer, machine) || longer.result != machine->vector)
    return false;
  *piece = longer;
  return true;
}

bool shuffle_is_even(const Nest *nest, int depth, int64_t vector) {
  bool is_even = !rsh_is_known(nest->dst_offset) || nest->dst_offset.n % vector == 0;
  for (int i = 0; i < depth && is_even; i++)
    is_even = !rsh_is_known(nest->loop[i].dst) || nest->loop[i].dst.n % vector == 0;
  return is_even;
}

// Whether a large result may be written in aligned vectors; the tail of a split loop overlaps them.
static bool may_stream(const Nest *nest, const NestShuffle *s, const Machine *machine) {
  return machine->streams && nest_lines(nest).past > 0 && !nest->places &&
         s->bytes % s->result == 0 && s->result == machine->vector &&
         shuffle_is_even(nest, s->depth, s->result);
}

static bool find_shuffle(const Nest *nest, const Machine *machine, NestShuffle *shuffle) {
  int last = nest->loop_count - 1;
  bool has_planes = nest->kind == NEST_WEAVE && nest_weave_bytes(nest, machine) > 0;
  if (machine->walks || machine->vector == 0 || last < 0 || nest->source < 0 || has_planes ||
      (nest->kind != NEST_RUNS && nest->kind != NEST_WEAVE) || nest_lines(nest).streams ||
      nest_elements(nest).map || !rsh_is_known(nest->run) || nest->run.n >= LEAST_VECTOR)
    return false;
  int64_t most =
      machine->vector * 8 < MOST_SHUFFLE_BYTES ? machine->vector * 8 : MOST_SHUFFLE_BYTES;
  bool is_found = false;
  NestShuffle piece = empty_piece(nest);
  for (int i = last; i >= 0 && rsh_is_known(nest->loop[i].extent) &&
                     is_next(&piece, &nest->loop[i], nest->loop[i].extent.n, most);
       i--) {
    piece.depth = i;
    add_loop(&piece, &nest->loop[i], nest->loop[i].extent.n);
    if (is_profitable(nest, &piece, machine)) {
      *shuffle = piece;
      is_found = true;
    }
  }
  if (!is_found && piece.depth > last && rsh_is(nest->loop[last].src, 0))
    return false; // LLVM vectorizes the repetition of one element
  if (!is_found)
    *shuffle = piece;
  for (int64_t count = 2; shuffle->bytes % machine->vector != 0 && count <= most / shuffle->bytes;
       count++)
    if (add_iterations(nest, machine, count, most, shuffle))
      return true;
  return is_found;
}

bool nest_shuffle(const Nest *nest, const Machine *machine, NestShuffle *shuffle) {
  if (!find_shuffle(nest, machine, shuffle))
    return false;
  shuffle->streams = may_stream(nest, shuffle, machine);
  return true;
}
