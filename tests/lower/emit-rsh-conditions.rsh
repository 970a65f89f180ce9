# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# --emit=rsh keeps every condition of a graph: those of patterns, of called graphs, of declared sizes, and those that
# give a size its value.
# RUN: %{reshapec} %s --emit=rsh -o %t.rsh && FileCheck %s < %t.rsh
# RUN: %{reshapec} %t.rsh --emit=rsh -o %t.again.rsh && diff %t.rsh %t.again.rsh
# RUN: %{reshapec} verify %t.rsh

# The pattern infers a size next to A.
# CHECK-LABEL: graph pattern(x: u8[A, 3, A]) -> y where A >= 1 {
graph pattern(x: u8[A, 3, A]) -> y { y = rearrange(x, "(k a) b c -> (a k) b c", k=A) }

# The bitcast needs 4 bytes, so A is 2.
# CHECK-LABEL: graph element(s: u8[A], x: u8[2*A]) -> (y: f32, z) {
graph element(s: u8[A], x: u8[2*A]) -> (y, z) {
    y = bitcast(x, f32)
    z = flip(s, 0)
}

# CHECK-LABEL: graph sizes(x: u8[A, B], z: u8[A, 5]) -> y: u8[A, 7] {
graph sizes(x: u8[A, B], z: u8[A, 5]) -> y: u8[A, 7] { y = concat(x, z, axis=1) }
# CHECK-LABEL: graph slice_of(x: u8[A, B]) -> y: u8[2, ?] {
graph slice_of(x: u8[A, B]) -> y: u8[2, ?] { y = x[1:5] }
# CHECK-LABEL: graph dynamic(x: u8[A, B], p: i64[2]) -> y: u8[A, ?] {
graph dynamic(x: u8[A, B], p: i64[2]) -> y: u8[A, ?] { y = transpose(x, p) }

# CHECK-LABEL: graph number(x: u8[A]) -> y: u8[A] {
graph number(x: u8[A]) -> y: u8[A] { y = reshape(x, [3]) }

# CHECK-LABEL: graph row(x: u8[1, N]) -> y {
graph row(x: u8[1, N]) -> y { y = flip(x, 1) }
# What a called graph declares of its inputs and results is declared in the text: both return shape_mismatch.
# CHECK-LABEL: graph of_row(x: u8[M, N]) -> y {
# CHECK-NEXT: _: u8[1, ?] = x
graph of_row(x: u8[M, N]) -> y { y = row(x) }
# CHECK-LABEL: graph of_sizes(x: u8[M, K], z: u8[M, 5]) -> y {
# CHECK-NEXT: y: u8[M, 7] = concat(x, z, axis=1)
graph of_sizes(x: u8[M, K], z: u8[M, 5]) -> y { y = sizes(x, z) }

# An index that is a size is a gather or a slice in the text, which needs the same.
# CHECK-LABEL: graph element_of(s: u8[A], x: u8[4, B]) -> (y, z) {
graph element_of(s: u8[A], x: u8[4, B]) -> (y, z) {
    y = x[A]
    z = x[-(A % 2)]
}

# If the text contains sizes that a rearrange divides, operators no longer find the conditions that gave other sizes
# their values.
# CHECK-LABEL: graph divided(s: u8[A], x: u8[6, B]) -> (y: u8[3, 2], z) where B % 2 == 0, 3 == A {
# CHECK: y = reshape({{.*}}, shape=[3, 2])
graph divided(s: u8[A], x: u8[6, B]) -> (y, z) {
    z = rearrange(x, "a (b c) -> b a c", c=2)
    y = reshape(x[:, 0], [A, 2])
}

# Of two quotients with the same number, one is exact: neither B/3 nor A*B/4 could be read.
# CHECK-LABEL: graph equal_quotients(x: u8[A], y: u8[B]) -> z where A*B % 4 == 0, B//3 == A*B//4 {
# CHECK: sizes=[B//3, A - B//3]
graph equal_quotients(x: u8[A], y: u8[B]) -> z where A*B % 4 == 0, B//3 == A*B//4 {
    z, _ = split(x, axis=0, sizes=[A*B//4, A - A*B//4])
}
