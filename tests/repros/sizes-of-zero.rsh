# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sizes of 0 are sizes. If a graph works only with them, the call requires them; that was an error when compiling.
# RUN: %{reshapec} explain %s | FileCheck %s
# RUN: %{reshapec} verify %s | grep '9 of 9 graphs verified'
# RUN: %{reshapec} verify --emit=c --cc=%{cc} %s | grep '9 of 9 graphs verified'

# CHECK-LABEL: graph target(x: f32[0, 4, 3]) -> y: f32[2, 0, 4]
# CHECK-NEXT:  needs N == 0 or volume_mismatch
graph target(x: f32[N, 4, 3]) -> y { y = onnx.reshape(x, [2, 0, 4], allowzero=1) }

# CHECK-LABEL: graph cut(x: i32[A, B]) -> y: i32[7, 0]
graph cut(x: i32[A, B]) -> y { y = x[:2, 4:2] |> transpose() |> reshape([7, 0], allowzero=1) }

# CHECK-LABEL: graph parts(x: i16[0]) -> y: i16[0]
# CHECK-NEXT:  needs 0 == N or bad_parts
graph parts(x: i16[N]) -> y { _p, y = split(x, sizes=[0, 0]) }

# CHECK-LABEL: graph bound(x: f32[N, 4]) -> y: f32[4, N]
# CHECK-NEXT:  needs N <= 0
graph bound(x: f32[N, 4]) -> y where N <= 0 { y = transpose(x) }

# For R = 0 the first slice does not have R-1 rows, so they are not counted.
graph rows(x: u8[R, C]) -> y { y = concat(x[1:], x[:1], axis=0) }

# If A or B is 0, this slice is valid.
# CHECK-LABEL: graph stepped(
# CHECK:       y  symbolic
graph stepped(x: u8[A], s: u8[B]) -> (y, z) {
    v = pad(x, [B, 0], value=7)
    y = v[-2:B - 1:2]
    z = identity(s)
}

# The slice is all of an axis of size 1, or nothing.
graph one_or_none(x: u8[A, 1], s: u8[B]) -> (y, z) {
    y = x[:, B - 1:2]
    z = identity(s)
}

# Without elements any number of rows works. The call checks the declared number on entry.
# CHECK-LABEL: graph declared(x: f32[N, M], z: f32[N]) -> y: f32[N, M]
# CHECK-NEXT:  needs N*M == M*K or volume_mismatch, K == N or shape_mismatch
graph declared(x: f32[N, M], z: f32[K]) -> y: f32[N, M] { y = reshape(x, [K, M]) }

# A known product is as good as a known size.
# CHECK-LABEL: graph product
# CHECK:       y  alias
graph product(x: f32[N, 6, M]) -> y where N*M == 14 { y = reshape(x, [3, 4, 7]) }
