// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// engine: copies one box of elements of whole bytes, from strides to strides. Part of move.
#ifndef RSH_ENGINE_H
#define RSH_ENGINE_H

#include "runtime/fold.h"

// For each index i in extent[0] x extent[1] x ... of the axes: the `width` bytes at src + width * sum
// i[k]*src[k] go to dst + width * sum i[k]*dst[k]. All numbers are known; addresses need no alignment.
void rsh_copy_box(const rsh_axis *axis, int32_t count, uint32_t width, unsigned char *dst,
                  const unsigned char *src);

#endif
