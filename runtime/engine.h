// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// engine: copies one box of elements of whole bytes, from strides to strides. Part of move.
#ifndef RSH_ENGINE_H
#define RSH_ENGINE_H

#include "runtime/fold.h"

#include <stddef.h>

// Steps in bytes.
typedef struct rsh_loop {
  ptrdiff_t extent, dst, src;
} rsh_loop;

enum { RSH_BOX_LOOPS = 4 };

// A box split into loops, before its addresses are known.
typedef struct rsh_box {
  ptrdiff_t unit;    // bytes that are contiguous on both sides
  rsh_loop row, col; // the inner loops; row is the one with the smaller steps in dst
  rsh_loop inner;    // the loop around row and col; `around` has the outer ones, outermost first
  rsh_loop around[RSH_BOX_LOOPS];
  int32_t count;
  bool may_stream;    // non-temporal stores are allowed, if dst is a multiple of 64
  ptrdiff_t dst, src; // offsets of the first unit, in bytes
} rsh_box;

// False: there is nothing to copy, or the box needs more loops than fit.
bool rsh_box_of(rsh_box *box, const rsh_axis *axis, int32_t count, uint32_t width);
// Copies the box. To copy it elsewhere, change its `dst` and `src`.
void rsh_run_box(const rsh_box *box, unsigned char *dst, const unsigned char *src);

// For each index i in extent[0] x extent[1] x ... of the axes: the `width` bytes at src + width * sum
// i[k]*src[k] go to dst + width * sum i[k]*dst[k]. All numbers are known; addresses need no alignment.
void rsh_copy_box(const rsh_axis *axis, int32_t count, uint32_t width, unsigned char *dst,
                  const unsigned char *src);

void rsh_copy_bytes(unsigned char *dst, const unsigned char *src, size_t bytes);

#endif
