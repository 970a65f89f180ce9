// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// move: executes moves on memory. This is the plain engine, and the reference that kernels are compared with.
#ifndef RSH_MOVE_H
#define RSH_MOVE_H

#include "runtime/fold.h"
#include "runtime/map.h"

#ifdef __cplusplus
extern "C" {
#endif

// Writes a value of known sizes with `element_bytes` (1, 2, 4, 8, 16 ...) per element, or per part if it has parts
// (rsh_moves.parts). sources[k] is the tensor that moves call source k; fills[k] is one element of fill k (`fills`
// may be NULL if no move is a fill). `dst` must not overlap the sources.
// RSH_null_pointer: a needed pointer is NULL; RSH_unknown_size: a move is symbolic; RSH_unsupported: a move has an
// element-wise function.
rsh_status rsh_run_moves(const rsh_moves *m, uint32_t element_bytes, const void *const *sources,
                         const void *const *fills, void *dst);

// The same for packed elements of `element_bits` (1, 2 or 4) bits, the first in the lowest bits. Unused bits of the
// last byte become 0. fills[k] holds its element in the lowest bits of a byte. RSH_unsupported: another number of
// bits.
rsh_status rsh_run_packed(const rsh_moves *m, uint32_t element_bits, const void *const *sources,
                          const void *const *fills, void *dst);

// rsh_run_moves for moves with element-wise functions: `maps` has the chains, `element_bytes` is the size of the
// value's elements. RSH_unsupported: activations, and elements of less than a byte.
rsh_status rsh_run_mapped(const rsh_moves *m, const rsh_maps *maps, uint32_t element_bytes,
                          const void *const *sources, const void *const *fills, void *dst);

// True if no size, stride or offset of the moves depends on symbols.
bool rsh_moves_are_known(const rsh_moves *m);

// The map of moves of known sizes: value element i is element element[i] of source source[i]; a filled element has
// -1. `source` may be NULL.
rsh_status rsh_map_moves(const rsh_moves *m, int64_t *element, int32_t *source);

#ifdef __cplusplus
}
#endif
#endif
