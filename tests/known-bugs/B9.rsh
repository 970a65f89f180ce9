# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# 0 % 0 in the inference of reshape, a crash (pytorch/pytorch#96493, microsoft/onnxruntime#3720, opencv/opencv#18209).
# An empty tensor has a size for the -1 if the others are not 0.
# RUN: split-file %s %t
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %t/good.rsh
# RUN: not %{reshapec} check --json %t/bad.rsh | FileCheck %t/bad.rsh

#--- good.rsh
graph literal(x: f32[1, 1, 0]) -> view y {
    # EXPECT y alias [6, 0] = empty
    y = reshape(x, [6, 0], allowzero=1)
}
graph inferred(x: f32[0]) -> view y {
    # EXPECT y alias [0, 3] = empty
    y = reshape(x, [-1, 3])
}
#--- bad.rsh
# CHECK: "kind": "volume_mismatch"
# CHECK-NEXT: "message": "'x' (f32[3]) has 3 elements, target [0] has 0; [-1] makes it [3]"
graph none_left(x: f32[3]) -> y {
    y = reshape(x, [0], allowzero=1)
}
# CHECK: "kind": "ambiguous_infer"
graph undetermined(x: f32[5, 0]) -> y {
    y = reshape(x, [-1, 0])
}
