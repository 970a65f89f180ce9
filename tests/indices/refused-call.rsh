# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An index outside its axis is known only when the call reads it: the message names the graph and the status.
# RUN: %{reshapec} run -e 'save(arange(4, f32), "%t.x.npy"); save(arange(10)[9:], "%t.i.npy")'
# RUN: %{python} %{root}/tests/support/exits.py 1 %{reshapec} run %s static x=%t.x.npy i=%t.i.npy y=%t.y.npy 2>&1 | FileCheck %s
# RUN: %{python} %{root}/tests/support/exits.py 1 %{reshapec} run %s open x=%t.x.npy i=%t.i.npy y=%t.y.npy 2>&1 | FileCheck %s
# RUN: %{python} %{root}/tests/support/exits.py 1 %{reshapec} run %s dynamic x=%t.x.npy i=%t.i.npy y=%t.y.npy 2>&1 | FileCheck %s
# CHECK: reshapec: error: graph '{{static|open|dynamic}}' cannot take these arguments: bad_index: index outside the axis
graph static(x: f32[4], i: i64[1]) -> y {
    y = gather(x, i)
}

graph open(x: f32[4], i: i64[N]) -> y {
    y = gather(x, i)
}

graph dynamic(x: f32[*], i: i64[N]) -> y {
    y = gather(x, i)
}
