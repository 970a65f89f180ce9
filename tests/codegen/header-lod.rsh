# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What explain and the header say of sequence offsets: which parameter's offsets belong to a tensor.
# RUN: %{reshapec} explain %s | FileCheck --check-prefix=EXPLAIN --match-full-lines --strict-whitespace %s
# RUN: %{reshapec} explain --json %s | %{python} -c "import json, sys; print([o.get('lod') for o in json.load(sys.stdin)['graphs'][0]['outputs']])" | FileCheck --check-prefix=JSON %s
# RUN: %{reshapec} %s -o %t.o --header %t.h && FileCheck --check-prefix=HEADER %s < %t.h
# RUN: %{cc} -std=c99 -Wall -Wextra -Wconversion -pedantic -Werror -x c -c -include %t.h -o %t.h.o /dev/null

#      EXPLAIN:graph heads(w: f32[8, 6], x: f32[6, 8] lod) -> (y: f32[6, 2, 4] lod, rows: f32[12, 4], t: f32[8, 6], z: f32[6, 8])
# EXPLAIN-NEXT:  y     alias
# EXPLAIN-NEXT:      is     x from element 0 on; nothing moves
# EXPLAIN-NEXT:      lod    the offsets of x
#      EXPLAIN:  rows  alias
#      EXPLAIN:      lod    none: paddle.reshape does not keep the rows
#      EXPLAIN:  t     static
#      EXPLAIN:      lod    none: transpose does not keep the rows
#      EXPLAIN:  z     static
#  EXPLAIN-NOT:      lod
#      EXPLAIN:      why    {{.*}}

# JSON: ['x', None, None, None]

# HEADER:       *   w: input, 192 bytes, aligned to 4 bytes
# HEADER-NEXT:  *   x: input, 192 bytes, aligned to 4 bytes,
# HEADER-NEXT:  *     with offsets of sequences along axis 0
# HEADER-NEXT:  *   y: output, 192 bytes, aligned to 4 bytes,
# HEADER-NEXT:  *     with the offsets of x along axis 0,
# HEADER-NEXT:  *     may point to element 0 of x: then nothing is copied
# HEADER:       *   rows: output, 192 bytes, aligned to 4 bytes,
# HEADER-NEXT:  *     without offsets: paddle.reshape does not keep the rows,
# HEADER:      void heads(const float *RSH_RESTRICT w, const float *x,
# HEADER:      #define HEADS_W_BYTES 192
# HEADER-NEXT: #define HEADS_X_RANK 2
# HEADER-NEXT: #define HEADS_X_DIMS { 6, 8 }
# HEADER-NEXT: #define HEADS_X_BYTES 192
# HEADER-NEXT: #define HEADS_X_LOD 1
# HEADER:      #define HEADS_Y_BYTES 192
# HEADER-NEXT: #define HEADS_Y_LOD 1
# HEADER-NEXT: #define HEADS_Y_IS_ALIAS 1
# HEADER-NOT:  #define {{.*}}_LOD
graph heads(w: f32[8, 6], x: f32[6, 8] lod) -> (y: f32[6, 2, 4] lod, rows, t, z) {
    y = paddle.reshape(x, [0, 2, 4])
    rows = paddle.reshape(x, [-1, 4])
    t = transpose(x)
    z = transpose(w)
}
