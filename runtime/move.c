// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Carries moves out: elements as they are by the copy engine, others, and the map of numbers, one by one.
#include "runtime/move.h"

#include "runtime/engine.h"

// A walk over the rows of one move, in elements.
typedef struct Walk {
  const rsh_axis *axis; // all but the innermost
  int32_t count;
  int64_t index[RSH_MAX_AXES];
  int64_t dst, src;                   // of the row's first element
  int64_t extent, dst_step, src_step; // of the row
} Walk;

static bool is_known(const rsh_moves *m) {
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

// Where a move reads from: a tensor, or a constant.
static const void *source_of(const rsh_move *move, const void *const *sources,
                             const void *const *fills) {
  if (!rsh_is_fill(move->source))
    return sources[move->source];
  return fills != 0 ? fills[-1 - move->source] : 0;
}

// A row through a chain of functions.
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

rsh_status rsh_run_mapped(const rsh_moves *m, const rsh_maps *maps, uint32_t element_bytes,
                          const void *const *sources, const void *const *fills, void *dst) {
  rsh_status status = is_known(m) ? RSH_ok : RSH_unknown_size;
  for (int32_t i = 0; i < m->count && status == RSH_ok; i++)
    if (m->move[i].map != 0 && maps == 0)
      status = RSH_unsupported;
    else if (dst == 0 || source_of(&m->move[i], sources, fills) == 0)
      status = RSH_null_pointer;
  for (int32_t i = 0; i < m->count && status == RSH_ok; i++) {
    const rsh_move *move = &m->move[i];
    const unsigned char *from = source_of(move, sources, fills);
    if (move->map != 0)
      status = map_move(m, move, maps, element_bytes, dst, from);
    else
      rsh_copy_box(m->axis + move->first, move->axis_count, element_bytes,
                   (unsigned char *)dst + move->dst_offset.n * element_bytes,
                   from + move->src_offset.n * element_bytes);
  }
  return status;
}

rsh_status rsh_run_moves(const rsh_moves *m, uint32_t element_bytes, const void *const *sources,
                         const void *const *fills, void *dst) {
  return rsh_run_mapped(m, 0, element_bytes, sources, fills, dst);
}

rsh_status rsh_map_moves(const rsh_moves *m, int64_t *element, int32_t *source) {
  if (!is_known(m))
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
