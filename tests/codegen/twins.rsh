# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Outputs that move memory the same way share one kernel within a file, whatever their element type, graph, or start in
# the input: here q, k, v of both graphs. The odd one out has a kernel of its own.
# RUN: %{reshapec} %s --dump=llvm | FileCheck %s
# RUN: %{reshapec} %s -o %t.o
# RUN: llvm-nm %t.o | FileCheck %s --check-prefix=SYMBOLS
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} "%{cc}" %t.dir %s

# SYMBOLS: t copy.0
# SYMBOLS-NOT: copy.
# SYMBOLS: T fused
# SYMBOLS: T numbers
# SYMBOLS: T other

# CHECK: define void @fused(
# CHECK: call void @copy.0(ptr %qkv, ptr %q)
# CHECK: call void @copy.0(ptr %first, ptr %k)
# CHECK: call void @copy.0(ptr %first{{.*}}, ptr %v)
graph fused(qkv: f32[2, 3, 96]) -> (q, k, v) {
    # EXPECT q static [2, 4, 3, 8] = qkv[:, :, 0:32].reshape(2, 3, 4, 8).transpose(0, 2, 1, 3)
    # EXPECT k static [2, 4, 3, 8] = qkv[:, :, 32:64].reshape(2, 3, 4, 8).transpose(0, 2, 1, 3)
    # EXPECT v static [2, 4, 3, 8] = qkv[:, :, 64:96].reshape(2, 3, 4, 8).transpose(0, 2, 1, 3)
    a, b, c = split(qkv, axis=2, parts=3)
    q = a |> reshape([0, 0, 4, 8]) |> transpose([0, 2, 1, 3])
    k = b |> reshape([0, 0, 4, 8]) |> transpose([0, 2, 1, 3])
    v = c |> reshape([0, 0, 4, 8]) |> transpose([0, 2, 1, 3])
}

# CHECK: define void @numbers(
# CHECK: call void @copy.0(
graph numbers(x: i32[2, 3, 96]) -> y {
    # EXPECT y static [2, 4, 3, 8] = x[:, :, 8:40].reshape(2, 3, 4, 8).transpose(0, 2, 1, 3)
    y = x[:, :, 8:40] |> reshape([0, 0, 4, 8]) |> transpose([0, 2, 1, 3])
}

# CHECK: define void @other(
# CHECK-NOT: call
graph other(x: i32[2, 3, 95]) -> y {
    # EXPECT y static [2, 4, 3, 8] = x[:, :, 8:40].reshape(2, 3, 4, 8).transpose(0, 2, 1, 3)
    y = x[:, :, 8:40] |> reshape([0, 0, 4, 8]) |> transpose([0, 2, 1, 3])
}
