# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Flatten at every axis. Systems refused rank 1, took negative axes as they stood, or gave 1-D
# results (opencv/opencv#28812, apache/tvm#20145, NVIDIA/TensorRT#1134, tracel-ai/burn-onnx#349,
# pytorch/pytorch#74142).
# RUN: split-file %s %t
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %t/good.rsh
# RUN: not %{reshapec} check --json %t/bad.rsh | FileCheck %t/bad.rsh

#--- good.rsh
graph zero(x: f32[2, 3, 4]) -> view y {
    # EXPECT y alias [1, 24] = x
    y = flatten(x, axis=0)
}
graph three(x: f32[2, 3, 4]) -> view y {
    # EXPECT y alias [24, 1] = x
    y = flatten(x, axis=3)
}
graph minus_one(x: f32[2, 3, 4]) -> view y {
    # EXPECT y alias [6, 4] = x
    y = flatten(x, axis=-1)
}
graph minus_three(x: f32[2, 3, 4]) -> view y {
    # EXPECT y alias [1, 24] = x
    y = flatten(x, axis=-3)
}
graph row(x: f32[5]) -> view y {
    # EXPECT y alias [1, 5] = x
    y = flatten(x, axis=0)
}
graph column(x: f32[5]) -> view y {
    # EXPECT y alias [5, 1] = x
    y = flatten(x)
}
graph scalar(x: f32[]) -> view y {
    # EXPECT y alias [1, 1] = 0
    y = flatten(x, axis=0)
}
#--- bad.rsh
# CHECK: "kind": "bad_axis"
# CHECK-NEXT: axis 4 {{.*}} -3 to 3
graph four(x: f32[2, 3, 4]) -> y {
    y = flatten(x, axis=4)
}
# CHECK: "kind": "bad_axis"
# CHECK-NEXT: axis -4 {{.*}} -3 to 3
graph minus_four(x: f32[2, 3, 4]) -> y {
    y = flatten(x, axis=-4)
}
# CHECK: "kind": "bad_axis"
# CHECK-NEXT: axis 1 {{.*}} 0 to 0
graph scalar(x: f32[]) -> y {
    y = flatten(x)
}
