# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A strided result, written by vectors over its gaps only on some machines (uxlfoundation/oneDNN#3280): 24 writes in a
# span of 168.
# RUN: %{python} %{root}/tests/layout/Inputs/stored.py %{root} %{reshapec} "%{cc}" %t.dir %s

graph a19(x: f32[2, 2, 3, 2]) -> y: f32[2, 2, 3, 2] strides [48, 100, 8, 3] {
    # STORED x [24]
    # EXPECT y static [2, 2, 3, 2] = spread(x.reshape(2, 2, 3, 2), 0, [48, 100, 8, 3])
    y = x
}
