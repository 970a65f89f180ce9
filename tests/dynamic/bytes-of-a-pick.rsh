# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The four bytes of one picked f32 are as many elements as a pick of four of f32, and are not the runs of that pick.
# RUN: rm -rf %t && mkdir %t && cd %t
# RUN: %{reshapec} verify %s | FileCheck %s
# RUN: %{reshapec} verify --emit=c %s | FileCheck %s
# RUN: %{python} -c "import numpy as n; n.save('x.npy', n.arange(8, dtype='f4') + 0.5); n.save('i.npy', n.array([4, 7, -4, 1], 'i4')); n.save('q.npy', n.arange(6, dtype='u1')); n.save('s.npy', n.array([2, 3]))"
# RUN: %{reshapec} run %s x=x.npy i=i.npy q=q.npy s=s.npy y=y.npy z=z.npy
# RUN: %{python} -c "import numpy as n; assert n.load('y.npy').tobytes() == n.array([4.5], 'f4').tobytes(), n.load('y.npy')"
# CHECK: first  {{proved|sampled|tested}} for
graph first(x: f32[8], i: i32[A], q: u8[6], s: i64[2]) -> (y, z) {
    picked = gather_elements(x, i, axis=0)
    y = picked |> gather(0, axis=0) |> bitcast(u8)
    z = reshape(q, s)
}
