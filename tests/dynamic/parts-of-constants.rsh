# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A constant bitcast to smaller elements becomes as many moves as an element has parts: 32 for f32, 64 for f64. If a
# plan's list has no room for them, the constant is looked up instead.
# RUN: %{reshapec} verify %s | FileCheck %s --check-prefix=PROVED
# RUN: %{reshapec} verify --emit=c %s | FileCheck %s --check-prefix=PROVED
# PROVED: 3 of 3 graphs verified
# RUN: mkdir -p %t && cd %t
# RUN: %{python} -c "import numpy as n; n.save('x', n.zeros((0, 2), 'f4')); n.save('t', n.array([-1, 2, 8]))"
# RUN: %{reshapec} run %s filled x=x.npy t=t.npy y=y.npy
# RUN: %{python} -c "import numpy as n; print((n.load('y.npy') == n.full(4, 2.5, 'f4').view('u1').reshape(-1, 2, 8)).all())" | FileCheck %s
# CHECK: True

graph filled(x: f32[0, 2], t: i64[3]) -> y {
    y = x |> pad([0, 1, 1, 1], value=2.5) |> bitcast(u1) |> reshape([4, 4, 8]) |> bitcast(u8) |> reshape(t)
}
graph open(x: f32[0, A], t: i64[1]) -> y {
    y = x |> pad([0, 1, 1, 1], value=2.5) |> bitcast(u1) |> reshape(t)
}
graph longest(x: f64[0], t: i64[2]) -> y {
    y = x |> pad([3, 0], value=0.1) |> bitcast(u1) |> flip(1) |> reshape(t)
}
