# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A function of a border's constant is worked out by the compiler: the border is filled, and only elements of x are
# computed.
# RUN: %{reshapec} explain %s | FileCheck %s
# RUN: %{reshapec} verify %s && %{reshapec} verify --emit=c %s
# RUN: %{reshapec} --emit=c -fno-verify %s -o - | FileCheck %s --check-prefix=C

# CHECK-LABEL: graph scaled(
# CHECK: loops a constant to y
# CHECK: fill 1 element
# CHECK: loops x to y
# CHECK: load, mul, store
# C: y[{{.*}}] = 6.0F;
graph scaled(x: f32[A, B]) -> y {
    v = pad(x, pads=[1, 1, 1, 1], value=3)
    y = v*2.0
}

# libm's last bits are its own: these are left to it.
# CHECK-LABEL: graph power(
# CHECK: loops a constant to y
# CHECK: load, exp, store
graph power(x: f32[5]) -> y {
    v = pad(x, pads=[1, 0], value=3)
    y = exp(v)
}

# A machine makes its own NaN.
# CHECK-LABEL: graph none(
# CHECK: loops a constant to y
# CHECK: load, add, store
graph none(x: f32[5]) -> y {
    v = pad(x, pads=[1, 0], value=nan)
    y = v + 1.0
}
