# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The header of a dynamic graph says which parameter's sequence offsets belong to a tensor, like those of other graphs.
# RUN: %{reshapec} %s -o %t.o --header %t.h && FileCheck %s < %t.h

# CHECK:       *   w: input, f32[3], aligned to 4 bytes
# CHECK-NEXT:  *   x: input, f32[T, 8], aligned to 4 bytes,
# CHECK-NEXT:  *     with offsets of sequences along axis 0
# CHECK:       *   y: output, f32[?, ?], aligned to 4 bytes,
# CHECK-NEXT:  *     with the offsets of x along axis 0,
# CHECK-NEXT:  *     must not overlap another tensor
# CHECK-NEXT:  *   z: output, f32[?, ?], aligned to 4 bytes,
# CHECK-NEXT:  *     without offsets: paddle.reshape does not keep the rows,
# CHECK-NEXT:  *     must not overlap another tensor
# CHECK:      rsh_status sizes(int64_t T, const float *RSH_RESTRICT w, const float *RSH_RESTRICT x,
# CHECK:      #define SIZES_PLAN_BYTES
# CHECK-NEXT: #define SIZES_X_LOD 2
# CHECK-NEXT: #define SIZES_Y_LOD 2
# CHECK-EMPTY:
graph sizes(w: f32[3], x: f32[T, 8] lod, s: i32[2], n: i32) -> (y, z, v) {
    y = paddle.reshape(x, s)
    z = paddle.reshape(x, [n, -1])
    v = w + 1.0
}

# CHECK:       *   y: output, f32[*], in memory of the host,
# CHECK-NEXT:  *     with the offsets of x along axis 0,
# CHECK:      rsh_status ranks(const DLTensor *w, const DLTensor *x,
# CHECK:      #define RANKS_PLAN_BYTES
# CHECK-NEXT: #define RANKS_X_LOD 1
# CHECK-NEXT: #define RANKS_Y_LOD 1
# CHECK-EMPTY:
graph ranks(w: f32[*], x: f32[*] lod) -> (y, z) {
    y = relu(x)
    z = relu(w)
}
