# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The operand of a row function is stored in the output, if that has its order, otherwise in scratch.
# RUN: %{reshapec} %s --dump=plan | FileCheck %s

# CHECK-LABEL: graph in_place
# CHECK-NEXT: pass y: f32[3, 2] in y: softmax of 3 rows of 2
# CHECK-NEXT:   from x+0 to 0
# CHECK-NEXT:     for 3: dst 8, src 4
# CHECK-NEXT:       for 2: dst 4, src 12
# CHECK-NEXT:         {{copy|weave}} 4, align 4
# CHECK-NEXT: y: f32[3, 2]: static, 24 bytes: transpose moves axes 0 and 1: 3 x 2 elements, then softmax of 3 rows of 2 in place
graph in_place(x: f32[2, 3]) -> y { y = x |> transpose() |> softmax() }

# Later operators that move no element work in the same place, and so does the next softmax.
# CHECK-LABEL: graph again
# CHECK-NEXT: pass %1: f32[2, 3] in y: softmax of 2 rows of 3
# CHECK-NEXT:   from x+0 to 0
# CHECK-NEXT:     copy 24, align 4
# CHECK-NEXT: pass %3: f32[6] in y: softmax of 1 row of 6
# CHECK-NEXT: pass %5: f32[6] in y: softmax of 1 row of 6
# CHECK-NEXT:   from %3+0 to 0
# CHECK-NEXT:     for 6: dst 4, src 4
# CHECK-NEXT:       element relu, align 4
# CHECK-NEXT: y: i32[6]: static, 24 bytes: cast to i32: 6 elements, after softmax of 2 rows of 3, after softmax of 1 row of 6, after softmax of 1 row of 6
# CHECK-NEXT:   from %5+0 to 0
# CHECK-NEXT:     for 6: dst 4, src 4
# CHECK-NEXT:       element cast f32 to i32, align 4
graph again(x: f32[2, 3]) -> y { y = x |> softmax() |> reshape([6]) |> softmax() |> relu() |> softmax() |> cast(i32) }

# CHECK-LABEL: graph moved
# CHECK-NEXT: scratch: 24 bytes, align 4
# CHECK-NEXT: pass %2: f32[2, 3] in scratch+0: softmax of 2 rows of 3
# CHECK-NEXT:   from x+0 to 0
# CHECK-NEXT:     for 6: dst 4, src 4
# CHECK-NEXT:       element abs, align 4
# CHECK-NEXT: y: f32[3, 2]: static, 24 bytes: transpose moves axes 0 and 1: 3 x 2 elements, after softmax of 2 rows of 3
# CHECK-NEXT:   from %2+0 to 0
# CHECK-NEXT:     for 3: dst 8, src 4
# CHECK-NEXT:       for 2: dst 4, src 12
# CHECK-NEXT:         {{copy|weave}} 4, align 4
graph moved(x: f32[2, 3]) -> y { y = x |> abs() |> softmax() |> transpose() }

# One output can be read for another, as long as nothing changes it.
# CHECK-LABEL: graph both
# CHECK-NEXT: pass y: f16[2, 3] in y: softmax of 2 rows of 3
# CHECK: z: f16[3, 2]
# CHECK-NEXT:   from y+0 to 0
graph both(x: f16[2, 3]) -> (y, z) {
    y = softmax(x)
    z = transpose(y)
}
# CHECK-LABEL: graph changed
# CHECK-NEXT: scratch: 12 bytes, align 2
# CHECK-NEXT: pass s: f16[2, 3] in scratch+0
# CHECK: z: f16[3, 2]
# CHECK-NEXT:   from s+0 to 0
graph changed(x: f16[2, 3]) -> (y, z) {
    s = softmax(x)
    y = relu(s)
    z = transpose(s)
}

# Elements narrower than the kept ones cannot reuse their memory. In scratch the widest come first, so that all are
# aligned.
# CHECK-LABEL: graph narrower
# CHECK-NEXT: scratch: 42 bytes, align 4
# CHECK-NEXT: pass %2: f32[1, 7] in scratch+0
# CHECK: pass %6: f16[7] in scratch+28
graph narrower(x: f32[7, 1]) -> y {
    y = x |> transpose([1, 0]) |> softmax() |> cast(f16) |> flip(1) |> squeeze() |> softmax() |> flip(0)
}

# Sizes may be symbols, as long as they determine all offsets.
# CHECK-LABEL: graph symbolic
# CHECK-NEXT: scratch: 6*B*S bytes, align 4
# CHECK-NEXT: pass %1: f16[B, S] in scratch+4*B*S: softmax of B rows of S
# CHECK-NEXT: from x+0 to 0
# CHECK-NEXT: copy 2*B*S, align 2
# CHECK:      pass %4: f32[S, B] in scratch+0: softmax of S rows of B
# CHECK: y: f32[B, S]: symbolic:
graph symbolic(x: f16[B, S]) -> y { y = x |> softmax() |> transpose() |> cast(f32) |> softmax() |> transpose() }

# Strided results are moved into place; a scalar is a row of one; an empty tensor has no rows.
# CHECK-LABEL: graph strided
# CHECK-NEXT: scratch: 24 bytes
# CHECK-LABEL: graph scalar
# CHECK-NEXT: pass y: f64 in y: softmax of 1 row of 1
# CHECK-LABEL: graph empty
# CHECK-NEXT: y: f64[3, 0]: alias, 0 bytes: y has no elements
graph strided(x: f32[2, 3]) -> y: f32[2, 3] strides [4, 1] { y = softmax(x) }
graph scalar(x: f64) -> y { y = softmax(x) }
graph empty(x: f64[3, 0]) -> y { y = softmax(x) }

# The axis has two elements at most, so a condition on A refuses every call, but the graph has a plan.
# CHECK-LABEL: graph refused
# CHECK: y: f64[2, A]: symbolic: split picks elements, with sizes known only at run time, then softmax of 2 rows of A in place
graph refused(s: u8[A], x: f64[(A % 2)*(A % 3), A]) -> y {
    _first, last = split(x, axis=0, sizes=[2, 2])
    y = softmax(last)
}
