# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sequence offsets are passed from value to value as long as the rows of the first axis stay the same.
# RUN: %{reshapec} --dump=graph %s | FileCheck --match-full-lines --strict-whitespace %s

# Paddle's reshape keeps them if the first size stays the same; so does its activation.
#      CHECK:graph heads
# CHECK-NEXT:  %0 x: f32[T, 8] lod = input
# CHECK-NEXT:  %1: f32[T, 2, 4] lod = paddle.reshape(%0, shape=[0, 2, 4], act="relu")
# CHECK-NEXT:  %2 y: f32[T, 2, 4] lod = relu(%1)
# CHECK-NEXT:  %3 z: f32[2*T, 4] = paddle.reshape(%0, shape=[-1, 4])
# CHECK-NEXT:  %4 w: f32[T, 8] = paddle.reshape(%3, shape=[-1, 8])
graph heads(x: f32[T, 8] lod) -> (y: f32[T, 2, 4] lod, z, w) {
    y = paddle.reshape(x, [0, 2, 4], act="relu")
    z = paddle.reshape(x, [-1, 4])
    w = paddle.reshape(z, [-1, 8])  # what is lost does not come back
}

# Of several tensors only the first counts.
#CHECK-LABEL:graph features
#      CHECK:  %2 y: f32[6, 10] lod = concat(%0, %1, axis=1)
#      CHECK:  %3 z: f32[6, 10] = concat(%1, %0, axis=1)
#      CHECK:  %4 t: f32[8, 6] = transpose(%0)
graph features(x: f32[6, 8] lod, e: f32[6, 2]) -> (y: f32[6, 10] lod, z, t) {
    y = concat(x, e, axis=1)
    z = concat(e, x, axis=1)
    t = transpose(x)
}

# Each result has the offsets of its own input.
#CHECK-LABEL:graph two
#      CHECK:  %2 p: f16[6, 2, 4] lod = reshape(%0, shape=[6, 2, 4])
#      CHECK:  %3 q: f16[4, 6] = transpose(%1, perm=[1, 0])
graph two(x: f16[6, 8] lod, y: f16[6, 4] lod) -> (p: f16[6, 2, 4] lod, q) {
    p = rearrange(x, "t (h d) -> t h d", h=2)
    q = rearrange(y, "t d -> d t")
}

# Offsets count along the first axis of the type, wherever the layout puts it in memory.
#CHECK-LABEL:graph stored
#      CHECK:  %0 x: f32[8, 6] lod = input
#      CHECK:  %1 x: f32[6, 8] lod = transpose(%0, perm=[1, 0])
#      CHECK:  %2 y: f32[6, 2, 4] lod = reshape(%1, shape=[6, 2, 4])
#      CHECK:  %3 y: f32[2, 6, 4] lod = transpose(%2, perm=[1, 0, 2])
#      CHECK:  output y = %3
graph stored(x: f32[6, 8] lod layout "t c -> c t") -> y: f32[6, 2, 4] lod layout "t h d -> h t d" {
    y = reshape(x, [6, 2, 4])
}

# A called graph passes them on as its operators do.
#CHECK-LABEL:graph called
#      CHECK:  %0 a: f32[5, 8] lod = input
#      CHECK:  %2 y: f32[5, 2, 4] lod = relu(%1)
graph called(a: f32[5, 8] lod) -> y: f32[5, 2, 4] lod {
    y, _, _ = heads(a)
}
