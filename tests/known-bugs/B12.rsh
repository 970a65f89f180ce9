# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Squeeze of an axis that is not 1, of axes out of range, and of "all" where sizes are not known
# (onnx/onnx#2204 #2305 #6313).
# RUN: split-file %s %t
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %t/good.rsh
# RUN: %{reshapec} explain %t/unknown.rsh | FileCheck --check-prefix=UNKNOWN %t/unknown.rsh
# RUN: not %{reshapec} check --json %t/bad.rsh | FileCheck %t/bad.rsh

#--- good.rsh
graph last(x: f32[3, 1]) -> view y {
    # EXPECT y alias [3] = x
    y = squeeze(x, -1)
}
#--- unknown.rsh
# UNKNOWN: unknown(x: f32[N, 1]) -> y: f32[*]
graph unknown(x: f32[N, 1]) -> y {
    y = squeeze(x)
}
#--- bad.rsh
# CHECK: "kind": "not_one"
# CHECK-NEXT: axis 0 of 'x' (f32[2, 3]) has size 2
graph not_one(x: f32[2, 3]) -> y {
    y = squeeze(x, 0)
}
# CHECK: "kind": "bad_axis"
# CHECK-NEXT: axis -3 {{.*}} -2 to 1
graph outside(x: f32[3, 1]) -> y {
    y = squeeze(x, -3)
}
