# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Functions of one operator that differ only in the type that they take, the type that they return, whether they
# saturate, a constant, or in that the constant is a table: each element gets the function of its own step.
# RUN: rm -rf %t && mkdir %t && cd %t
# RUN: %{python} -c "import numpy as n; n.save('x.npy', n.array([[-1, 2], [3, 1000]], 'f4')); n.save('w.npy', n.array([[-4, 5], [-6, 7]], 'f2')); n.save('s.npy', n.array([4, 1]))"
# RUN: %{reshapec} run %s x=x.npy w=w.npy s=s.npy a=a.npy b=b.npy c=c.npy d=d.npy e=e.npy f=f.npy g=g.npy h=h.npy i=i.npy
# RUN: %{python} -c "import numpy as n; [print(k, n.load(k + '.npy').ravel().tolist()) for k in 'abcdefghi']" | FileCheck %s
# CHECK:      a [0.0, 2.0, 3.0, 1000.0]
# CHECK-NEXT: b [0.0, 5.0, 0.0, 7.0]
# CHECK-NEXT: c [-2, 4, 6, 127]
# CHECK-NEXT: d [0, 4, 6, 255]
# The bits of -2, 4, 6 and the largest value, 448, or NaN: f8e4m3fn has no infinity.
# CHECK-NEXT: e [192, 72, 76, 126]
# CHECK-NEXT: f [192, 72, 76, 127]
# CHECK-NEXT: g [0.0, 3.0, 4.0, 1001.0]
# CHECK-NEXT: h [1.0, 4.0, 5.0, 1002.0]
# CHECK-NEXT: i [0.0, 4.0, 4.0, 1002.0]
graph alike(x: f32[A, 2], w: f16[A, 2], s: i64[2]) -> (a, b, c, d, e, f, g, h, i) {
    v = reshape(x, s)
    a = relu(v)
    b = relu(reshape(w, s))
    c = quantize(v, 0.5, dtype=i8)
    d = quantize(v, 0.5, dtype=u8)
    e = v |> quantize(0.5, dtype=f8e4m3fn) |> bitcast(u8)
    f = v |> quantize(0.5, dtype=f8e4m3fn, saturate=false) |> bitcast(u8)
    g = v + 1.0
    h = v + 2.0
    i = reshape(x + [1.0, 2.0], s)
}
