// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// move: carries moves out on memory. The plain engine; also the reference that kernels are held to.
#ifndef RSH_MOVE_H
#define RSH_MOVE_H

#include "runtime/fold.h"
#include "runtime/map.h"

#ifdef __cplusplus
extern "C" {
#endif

// Writes a value of known sizes: `element_bytes` (1, 2, 4, 8, 16 ...) bytes an element, sources[k] is
// the tensor that moves call source k, fills[k] one element that they fill with (`fills` may be NULL
// where none does). Of a value in parts (rsh_moves.parts), of a part. `dst` and the sources must not overlap.
// RSH_null_pointer where a needed pointer is NULL; RSH_unknown_size for symbolic moves;
// RSH_unsupported where elements pass through a chain of functions.
rsh_status rsh_run_moves(const rsh_moves *m, uint32_t element_bytes, const void *const *sources,
                         const void *const *fills, void *dst);

// The same of elements of `element_bits` (1, 2 or 4) bits, packed, the first in the lowest bits: what the last
// byte has beyond them becomes 0. fills[k] holds its element in the lowest bits of a byte. RSH_unsupported
// for elements of other sizes.
rsh_status rsh_run_packed(const rsh_moves *m, uint32_t element_bits, const void *const *sources,
                          const void *const *fills, void *dst);

// rsh_run_moves where they may: `maps` are the chains that moves name, `element_bytes` those of the value.
// RSH_unsupported for activations, and for elements of less than a byte.
rsh_status rsh_run_mapped(const rsh_moves *m, const rsh_maps *maps, uint32_t element_bytes,
                          const void *const *sources, const void *const *fills, void *dst);

// Whether no size, stride or offset of the moves depends on symbols.
bool rsh_moves_are_known(const rsh_moves *m);

// The map itself: element[i] is the number of the source's element that value element i comes from, for
// moves of known sizes, -1 where it is filled; which source it is, source[i] says (`source` may be NULL).
rsh_status rsh_map_moves(const rsh_moves *m, int64_t *element, int32_t *source);

#ifdef __cplusplus
}
#endif
#endif
