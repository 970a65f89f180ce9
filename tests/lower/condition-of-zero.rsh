# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A condition that only a size of 0 breaks is like any other: it is listed, and checked first.
# RUN: %{reshapec} explain %s | FileCheck %s
# RUN: %{reshapec} verify %s | FileCheck %s --check-prefix=VERIFY

# CHECK: needs  N >= 1, M != 0
# VERIFY: some {{ *}}proved for {{.*}} {{[1-9][0-9]*}} of them refused
graph some(x: u8[N, M]) -> y where N >= 1, M != 0 { y = transpose(x) }

# CHECK: needs  N >= 2{{$}}
graph implied(x: u8[N]) -> y where N >= 2, N >= 1, N >= 0 { y = flip(x, [0]) }

# A product known to be 0 leaves moves without elements, even if not all factors are 0: they are dropped.
# CHECK: graph square(x: u8[2, 0]) -> y: u8[2, 0]
# CHECK-NEXT: needs A*A == 2*A*A or shape_mismatch
# VERIFY: square {{ *}}{{proved|sampled}} for
graph square(x: u8[2, A]) -> y {
    one = tile(x, [1, A])
    y = tile(one, [A, 2]) |> concat(one, axis=0)
}

# VERIFY: product {{ *}}{{proved|sampled}} for
graph product(x: u8[2, A], s: u8[B]) -> y {
    one = tile(x, [1, B])
    y = tile(one, [A, 2]) |> concat(one, axis=0)
}

# A known divisor may turn out to be 0.
# VERIFY: quotient {{ *}}{{proved|sampled}} for
graph quotient(s: u8[A, B], x: u8[A % 3, A//(B + 1)]) -> y {
    none, _ = reshape(x, [-1, 3]) |> split(0, sizes=[0, 0])
    y = concat([x, none], 1)
}
