// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs moves: the copy engine copies unchanged elements; packed and converted elements, and maps, go one by one.
#include "runtime/move.h"

#include "runtime/engine.h"

// An iteration over the rows of one move, in elements.
typedef struct Walk {
  const rsh_axis *axis; // all but the innermost
  int32_t count;
  int64_t index[RSH_MAX_AXES];
  int64_t dst, src;                   // of the row's first element
  int64_t extent, dst_step, src_step; // of the row
} Walk;

bool rsh_moves_are_known(const rsh_moves *m) {
  for (int32_t i = 0; i < m->count; i++)
    if (!rsh_is_known(m->move[i].src_offset) || !rsh_is_known(m->move[i].dst_offset))
      return false;
  for (int32_t i = 0; i < m->axis_count; i++)
    if (!rsh_is_known(m->axis[i].extent) || !rsh_is_known(m->axis[i].dst) ||
        !rsh_is_known(m->axis[i].src))
      return false;
  return true;
}

static void walk_begin(Walk *w, const rsh_moves *m, const rsh_move *move) {
  w->axis = m->axis + move->first;
  w->count = move->axis_count > 0 ? move->axis_count - 1 : 0;
  w->dst = move->dst_offset.n;
  w->src = move->src_offset.n;
  w->extent = 1;
  w->dst_step = w->src_step = 0;
  if (move->axis_count > 0) {
    w->extent = w->axis[w->count].extent.n;
    w->dst_step = w->axis[w->count].dst.n;
    w->src_step = w->axis[w->count].src.n;
  }
  for (int32_t k = 0; k < w->count; k++)
    w->index[k] = 0;
}

static bool walk_next(Walk *w) {
  for (int32_t k = w->count - 1; k >= 0; k--) {
    w->dst += w->axis[k].dst.n;
    w->src += w->axis[k].src.n;
    if (++w->index[k] < w->axis[k].extent.n)
      return true;
    w->index[k] = 0;
    w->dst -= w->axis[k].dst.n * w->axis[k].extent.n;
    w->src -= w->axis[k].src.n * w->axis[k].extent.n;
  }
  return false;
}

// The memory that a move reads: a tensor, or a constant.
static const void *source_of(const rsh_move *move, const void *const *sources,
                             const void *const *fills) {
  if (!rsh_is_fill(move->source))
    return sources[move->source];
  return fills != 0 ? fills[-1 - move->source] : 0;
}

// Applies a chain of functions to a row.
static rsh_status map_row(const rsh_maps *maps, int32_t map, uint32_t width, unsigned char *dst,
                          const unsigned char *src, const Walk *w) {
  int64_t from_width = rsh_dtype_bits(rsh_map_takes(maps, map)) / 8;
  rsh_status status = from_width > 0 ? RSH_ok : RSH_unsupported;
  for (int64_t i = 0; i < w->extent && status == RSH_ok; i++)
    status = rsh_map_element(maps, map, src + (w->src + i * w->src_step) * from_width,
                             dst + (w->dst + i * w->dst_step) * width);
  return status;
}

static rsh_status map_move(const rsh_moves *m, const rsh_move *move, const rsh_maps *maps,
                           uint32_t element_bytes, unsigned char *dst, const unsigned char *src) {
  rsh_status status;
  Walk w;
  walk_begin(&w, m, move);
  do
    status = map_row(maps, move->map, element_bytes, dst, src, &w);
  while (status == RSH_ok && walk_next(&w));
  return status;
}

// The checks of all functions that run moves. `maps` is NULL if element-wise functions are not supported.
static rsh_status check_moves(const rsh_moves *m, const rsh_maps *maps, const void *const *sources,
                              const void *const *fills, const void *dst) {
  rsh_status status = rsh_moves_are_known(m) ? RSH_ok : RSH_unknown_size;
  for (int32_t i = 0; i < m->count && status == RSH_ok; i++)
    if (m->move[i].map != 0 && maps == 0)
      status = RSH_unsupported;
    else if (dst == 0 || source_of(&m->move[i], sources, fills) == 0)
      status = RSH_null_pointer;
  return status;
}

static void copy_move(const rsh_moves *m, const rsh_move *move, uint32_t element_bytes,
                      unsigned char *dst, const unsigned char *src) {
  rsh_copy_box(m->axis + move->first, move->axis_count, element_bytes,
               dst + move->dst_offset.n * element_bytes, src + move->src_offset.n * element_bytes);
}

rsh_status rsh_run_mapped(const rsh_moves *m, const rsh_maps *maps, uint32_t element_bytes,
                          const void *const *sources, const void *const *fills, void *dst) {
  rsh_status status = check_moves(m, maps, sources, fills, dst);
  for (int32_t i = 0; i < m->count && status == RSH_ok; i++) {
    const rsh_move *move = &m->move[i];
    const unsigned char *from = source_of(move, sources, fills);
    if (move->map != 0)
      status = map_move(m, move, maps, element_bytes, dst, from);
    else
      copy_move(m, move, element_bytes, dst, from);
  }
  return status;
}

// Does not call rsh_run_mapped, so that programs that only copy do not link conversions.
rsh_status rsh_run_moves(const rsh_moves *m, uint32_t element_bytes, const void *const *sources,
                         const void *const *fills, void *dst) {
  rsh_status status = check_moves(m, 0, sources, fills, dst);
  for (int32_t i = 0; i < m->count && status == RSH_ok; i++)
    copy_move(m, &m->move[i], element_bytes, dst, source_of(&m->move[i], sources, fills));
  return status;
}

// Elements of `bits` bits, the first in the lowest.
static unsigned packed_get(const unsigned char *base, int64_t at, unsigned bits) {
  unsigned per_byte = 8 / bits;
  return base[at / per_byte] >> (unsigned)(at % per_byte) * bits & ((1u << bits) - 1);
}

static void packed_put(unsigned char *base, int64_t at, unsigned bits, unsigned element) {
  unsigned per_byte = 8 / bits, shift = (unsigned)(at % per_byte) * bits;
  unsigned char *byte = &base[at / per_byte];
  *byte = (unsigned char)((*byte & ~(((1u << bits) - 1) << shift)) | element << shift);
}

// Eight unaligned bytes; each is shifted separately, so their order has no effect.
typedef uint64_t Word __attribute__((aligned(1), may_alias));

// Copies `count` whole bytes, from bit `shift` of src on.
static void shift_bytes(unsigned char *dst, const unsigned char *src, int64_t count,
                        unsigned shift) {
  if (shift == 0) {
    const rsh_axis axis = {rsh_int(count), rsh_int(1), rsh_int(1), rsh_int(0)};
    rsh_copy_box(&axis, 1, 1, dst, src);
    return;
  }
  const uint64_t ones = UINT64_C(0x0101010101010101);
  const uint64_t low = (0xffu >> shift) * ones, high = (0xffu << (8 - shift) & 0xffu) * ones;
  int64_t i = 0;
  for (; i + 8 <= count; i += 8)
    *(Word *)(dst + i) = (*(const Word *)(src + i) >> shift & low) |
                         (*(const Word *)(src + i + 1) << (8 - shift) & high);
  for (; i < count; i++)
    dst[i] = (unsigned char)(src[i] >> shift | src[i + 1] << (8 - shift));
}

// Copies elements from ... to-1 of a row, one by one.
static void packed_elements(const Walk *w, unsigned bits, int64_t from, int64_t to,
                            unsigned char *dst, const unsigned char *src) {
  for (int64_t i = from; i < to; i++)
    packed_put(dst, w->dst + i * w->dst_step, bits,
               packed_get(src, w->src + i * w->src_step, bits));
}

// A row that is contiguous on both sides: whole bytes between the ends, which may share bytes with other rows.
static void packed_run(const Walk *w, unsigned bits, unsigned char *dst, const unsigned char *src) {
  int64_t per_byte = 8 / bits, head = (per_byte - w->dst % per_byte) % per_byte;
  head = head < w->extent ? head : w->extent;
  int64_t bytes = (w->extent - head) / per_byte, from = w->src + head;
  packed_elements(w, bits, 0, head, dst, src);
  if (bytes > 0)
    shift_bytes(dst + (w->dst + head) / per_byte, src + from / per_byte, bytes,
                (unsigned)(from % per_byte) * bits);
  packed_elements(w, bits, head + bytes * per_byte, w->extent, dst, src);
}

static void clear_rest(const rsh_moves *m, unsigned bits, unsigned char *dst) {
  int64_t total = 0, per_byte = 8 / bits;
  for (int32_t i = 0; i < m->count; i++) {
    int64_t elements = 1;
    for (int32_t k = 0; k < m->move[i].axis_count; k++)
      elements *= m->axis[m->move[i].first + k].extent.n;
    total += elements;
  }
  for (; total % per_byte != 0; total++)
    packed_put(dst, total, bits, 0);
}

rsh_status rsh_run_packed(const rsh_moves *m, uint32_t element_bits, const void *const *sources,
                          const void *const *fills, void *dst) {
  if (element_bits != 1 && element_bits != 2 && element_bits != 4)
    return RSH_unsupported;
  rsh_status status = check_moves(m, 0, sources, fills, dst);
  if (status != RSH_ok)
    return status;
  for (int32_t i = 0; i < m->count; i++) {
    const unsigned char *from = source_of(&m->move[i], sources, fills);
    Walk w;
    walk_begin(&w, m, &m->move[i]);
    do
      if (w.dst_step == 1 && w.src_step == 1)
        packed_run(&w, element_bits, dst, from);
      else
        packed_elements(&w, element_bits, 0, w.extent, dst, from);
    while (walk_next(&w));
  }
  clear_rest(m, element_bits, dst);
  return RSH_ok;
}

rsh_status rsh_map_moves(const rsh_moves *m, int64_t *element, int32_t *source) {
  if (!rsh_moves_are_known(m))
    return RSH_unknown_size;
  for (int32_t i = 0; i < m->count; i++) {
    Walk w;
    bool is_fill = rsh_is_fill(m->move[i].source);
    walk_begin(&w, m, &m->move[i]);
    do {
      for (int64_t k = 0; k < w.extent; k++) {
        element[w.dst + k * w.dst_step] = is_fill ? -1 : w.src + k * w.src_step;
        if (source != 0)
          source[w.dst + k * w.dst_step] = m->move[i].source;
      }
    } while (walk_next(&w));
  }
  return RSH_ok;
}
