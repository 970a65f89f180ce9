# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Strides of a result with sizes that are data: its first element is known once the call has resolved them.
# RUN: %{reshapec} explain %s | FileCheck %s
# RUN: %{reshapec} verify %s | FileCheck %s --check-prefix=VERIFY
# RUN: rm -rf %t && mkdir %t && cd %t
# RUN: %{python} -c "import numpy as n; n.save('x.npy', n.arange(4, dtype='u1')); n.save('n.npy', n.array([1], 'u1')); n.save('two.npy', n.array([2], 'u1'))"
# RUN: %{reshapec} run %s backwards x=x.npy n=n.npy y=y.npy
# RUN: %{python} -c "import numpy as n; assert n.load('y.npy').tolist() == n.arange(4).repeat(3)[::-1].tolist()"
# RUN: %{reshapec} run %s gaps x=x.npy n=two.npy y=y.npy
# RUN: %{python} -c "import numpy as n; y = n.load('y.npy'); assert y[::2].tolist() == n.tile(n.arange(4), 2).tolist() and not y[1::2].any()"
# RUN: %{python} -c "import numpy as n; n.save('m.npy', n.arange(600, dtype='f4').reshape(20, 30)); n.save('s.npy', n.array([20, 30])); n.save('t.npy', n.array([30, 20]))"
# RUN: %{reshapec} run %s columns x=m.npy s=s.npy y=y.npy
# RUN: %{python} -c "import numpy as n; y, m = n.load('y.npy'), n.load('m.npy'); assert (n.append(y, [0, 0]).reshape(30, 22)[:, :20] == m.T).all()"
# RUN: not %{reshapec} run %s columns x=m.npy s=t.npy y=z.npy 2>&1 | FileCheck %s --check-prefix=COLUMNS
# RUN: not %{reshapec} run %s backwards x=x.npy n=two.npy y=z.npy 2>&1 | FileCheck %s --check-prefix=OTHER
# RUN: %{python} -c "import numpy as n; n.save('w.npy', n.arange(10403, dtype='f4').reshape(101, 103)); n.save('r.npy', n.array([101, 103]))"
# RUN: %{reshapec} run %s crossed x=w.npy s=r.npy y=y.npy
# RUN: %{python} -c "import numpy as n; y, w = n.load('y.npy'), n.load('w.npy'); assert (n.append(y, [0] * 3).reshape(101, 106)[:, :103] == w.T.reshape(101, 103)).all()"

# RUN: %{reshapec} run %s turned x=m.npy s=s.npy y=y.npy
# RUN: %{python} -c "import numpy as n; y, m = n.load('y.npy'), n.load('m.npy'); assert (n.append(y, 0).reshape(30, 21)[:, :20] == m.T).all()"

# CHECK-LABEL: graph backwards
# CHECK: y  dynamic
# VERIFY: 5 of 5 graphs verified
# OTHER: error: graph 'backwards' cannot take these arguments: shape_mismatch
graph backwards(x: u8[A], n: u8[1]) -> y: u8[3*A] strides [-1] {
    y = tile(x, [n]) |> repeat([3])
}

# CHECK-LABEL: graph gaps
graph gaps(x: u8[A], n: u8[1]) -> y: u8[?] strides [2] {
    y = tile(x, [n])
}

# The declared sizes keep the columns apart; the call compares them with the data's before it writes.
# CHECK-LABEL: graph columns
# COLUMNS: error: graph 'columns' cannot take these arguments: shape_mismatch
graph columns(x: f32[A, B], s: i64[2]) -> y: f32[A, B] strides [1, A + 2] {
    y = reshape(x, s)
}

# Rows of the result end within columns of the operand: one move cannot leave gaps there, so the value is stored first.
# CHECK-LABEL: graph crossed
graph crossed(x: f32[A, B], s: i64[2]) -> y: f32[A, B] strides [B + 3, 1] {
    y = reshape(transpose(x, [1, 0]), s)
}

# A layout reorders the declared sizes too.
# CHECK-LABEL: graph turned
graph turned(x: f32[A, B], s: i64[2]) -> y: f32[A, B] layout "a b -> b a" strides [A + 1, 1] {
    y = reshape(x, s)
}
