# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# One result looks up the elements of a value whose pieces it cannot cut for all sizes. Other results of this value have
# the loops that they have without it, whichever of them is first.
# RUN: %{reshapec} explain %s | FileCheck %s
# RUN: %{reshapec} verify %s | FileCheck %s --check-prefix=PROOF
# RUN: %{reshapec} verify --emit=c --cc=%{cc} %s | FileCheck %s --check-prefix=PROOF
# PROOF: 3 of 3 graphs verified

# A convolution of a stream keeps the last samples for the next call.
# CHECK:      graph stream(
# CHECK-NEXT:   next {{ *}}symbolic
# CHECK:          why {{.*}} is looked up
# CHECK:        samples  symbolic
# CHECK-NEXT:     moves  32*B*T+128*B bytes from cache, x, in 2 parts
# CHECK-NEXT:     why    cache and x are joined
# CHECK-NOT:    looked up
graph stream(cache: f32[B, 8, 4], x: f32[B, 8, T]) -> (next, samples) {
    v = concat(cache, x, axis=2)
    next = v[:, :, -4:]
    samples = identity(v)
}

# CHECK:      graph turned(
# CHECK:        samples  symbolic
# CHECK-NEXT:     moves  32*B*T+128*B bytes from cache, x, in 2 parts
# CHECK-NOT:    looked up
# CHECK:        next {{ *}}symbolic
graph turned(cache: f32[B, 8, 4], x: f32[B, 8, T]) -> (samples, next) {
    v = concat(cache, x, axis=2)
    next = v[:, :, -4:]
    samples = transpose(v, [0, 2, 1])
}

# CHECK:      graph scaled(
# CHECK:        samples  symbolic
# CHECK-NEXT:     moves  32*B*T+128*B bytes from cache, x, in 2 parts
# CHECK-NOT:    looked up
# CHECK:        next {{ *}}symbolic
graph scaled(cache: f32[B, 8, 4], x: f32[B, 8, T]) -> (samples, next) {
    v = concat(cache, x, axis=2)
    next = v[:, :, -4:]
    samples = mul(v, 2.0)
}
