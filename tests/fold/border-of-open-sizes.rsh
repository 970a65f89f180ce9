# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A border that continues an axis of open size is loops if it is shorter than the axis: edges for any size, reflected
# and wrapped elements if the conditions say so.
# RUN: %{reshapec} verify %s && %{reshapec} verify %s --emit=c
# RUN: %{reshapec} explain %s | FileCheck %s

# CHECK-LABEL: graph edge
# CHECK-NEXT:    needs  W >= 1 or bad_dim
# CHECK-NEXT:    y  symbolic
# CHECK-NEXT:      moves  4*H*W+16*H bytes from x, in 2 parts
graph edge(x: f32[H, W]) -> y {
    y = pad(x, [0, 2, 0, 2], mode="edge")
}

# CHECK-LABEL: graph reflected
# CHECK:         y  symbolic
graph reflected(x: f32[C, H, W]) -> y where H >= 2, W >= 4 {
    y = pad(x, [0, 1, 3, 0, 1, 2], mode="reflect")
}

# CHECK-LABEL: graph mirrored
# CHECK:         y  symbolic
graph mirrored(x: u8[H, W]) -> y {
    y = pad(x, [H, 0, 0, W], mode="symmetric")
}

# CHECK-LABEL: graph around
# CHECK:         y  symbolic
graph around(x: u16[H, W]) -> y where H <= W {
    y = pad(x, [0, H, 0, H], mode="wrap") |> transpose([1, 0])
}

# CHECK-LABEL: graph cropped
# CHECK:         y  symbolic
graph cropped(x: f32[W]) -> y where W >= 8 {
    y = pad(x, [-2, 3], mode="reflect")
}

# The number of turns depends on W here.
# CHECK-LABEL: graph turns
# CHECK:         y  dynamic
# CHECK-NEXT:      why    pad moves pieces whose number depends on sizes
graph turns(x: f32[W]) -> y {
    y = pad(x, [3, 0], mode="reflect")
}
