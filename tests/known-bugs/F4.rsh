# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Copy loops that the compiler turned into calls of memcpy, which firmware may not have
# (analogdevicesinc/msdk#1434, raspberrypi/pico-sdk#2488). Objects have no undefined symbols and no writable
# data.
# RUN: %{reshapec} %s -o %t.o && llvm-nm --undefined-only %t.o | count 0
# RUN: %{reshapec} %s -O0 -o %t.o && llvm-nm --undefined-only %t.o | count 0
# RUN: %{reshapec} %s -O3 -o %t.o && llvm-nm --undefined-only %t.o | count 0
# RUN: %{reshapec} %s -Os -o %t.o && llvm-nm --undefined-only %t.o | count 0
# RUN: %{reshapec} %s -Oz -o %t.o && llvm-nm --undefined-only %t.o | count 0
# RUN: %{reshapec} %s -o %t.o && llvm-readelf -S %t.o | FileCheck %s --implicit-check-not=" WA "
# RUN: %{reshapec} %s -o %t.o --target=aarch64-linux-gnu && llvm-nm --undefined-only %t.o | count 0
# RUN: %{reshapec} %s -o %t.o --target=riscv64-linux-gnu -mattr=+m && llvm-nm --undefined-only %t.o | count 0
# CHECK: .text

graph copy(x: u8[100000]) -> y {
    y = reshape(x, [10, 10000])
}
graph rows(x: u8[1000, 100]) -> y {
    y = x[:, 10:90]
}
graph same(x: u8[1]) -> y {
    y = expand(x, [1000])
}
graph zeros_from(x: f64[1]) -> y {
    y = expand(x, [3, 1000])
}
graph joined(x: i32[100], z: i32[300]) -> y {
    y = concat(x, z, x, axis=0)
}
graph moved(x: f32[64, 1000]) -> y {
    y = transpose(x)
}
graph pieces(x: u8[100, 30]) -> y {
    t = transpose(x) |> reshape([100, 30]) |> flip(0)
    y = transpose(t)
}
