# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Known sizes, and too many pieces for loops: adjacent elements are looked up together, also in a table of elements.
# RUN: %{reshapec} explain %s | FileCheck %s
# RUN: %{reshapec} --dump=plan %s | FileCheck %s --check-prefix=PLAN
# RUN: %{python} -c "import numpy as n; x = n.arange(8174, dtype='i4'); t = lambda a, c=2: a.transpose(1, 0, 2).reshape(-1, c); far = x.reshape(61, 67, 2); deep = x[:442].reshape(13, 17, 2); n.save('%t.far.npy', far); n.save('%t.deep.npy', deep); n.save('%t.want_far.npy', t(t(far).reshape(61, 67, 2)).reshape(67, 61, 2)); n.save('%t.want_deep.npy', t(t(t(t(deep).reshape(13, 17, 2)).reshape(13, 17, 2)).reshape(13, 17, 2)).reshape(17, 13, 2))"
# RUN: %{reshapec} run %s far x=%t.far.npy y=%t.y.npy
# RUN: cmp %t.y.npy %t.want_far.npy
# RUN: %{reshapec} run %s table x=%t.deep.npy y=%t.y.npy
# RUN: cmp %t.y.npy %t.want_deep.npy
# RUN: %{reshapec} verify %s
# LLVM reads several entries of the table at once.
# RUN: %{reshapec} verify %s -mcpu=native

# CHECK: graph far(x: i32[61, 67, 2]) -> y: i32[67, 61, 2]
# CHECK: why too many pieces for loops: each run of 2 elements of y is looked up
graph far(x: i32[61, 67, 2]) -> y {
    y = transpose(x, [1, 0, 2]) |> reshape([61, 67, 2]) |> transpose([1, 0, 2])
}

# CHECK: graph table(x: i32[13, 17, 2]) -> y: i32[17, 13, 2]
# CHECK: why too many pieces for loops: each run of 2 elements of y is looked up
# PLAN: graph table
# PLAN-NEXT: stage {{.*}}, a table of elements of x
# PLAN: copy 8, align 4
graph table(x: i32[13, 17, 2]) -> y {
    a = transpose(x, [1, 0, 2]) |> reshape([13, 17, 2]) |> transpose([1, 0, 2]) |> reshape([13, 17, 2])
    y = transpose(a, [1, 0, 2]) |> reshape([13, 17, 2]) |> transpose([1, 0, 2])
}
