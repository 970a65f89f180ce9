# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# None and newaxis among subscripts insert an axis of size 1, as in NumPy.
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %s
# RUN: echo 'graph g(x: f32[2]) -> y { y = x[None, None, None, None, None, None, None, None, None, None, None, None, None, None, None, None, None] }' > %t.many.rsh
# RUN: not %{reshapec} check %t.many.rsh 2>&1 | FileCheck %s --check-prefix=MANY
# MANY: error: more than 16 new axes

graph subscripts(x: f32[2, 3]) -> (a, b, c, d, e, f) {
    # EXPECT a alias [1, 2, 3] = x[None]
    a = x[None]
    # EXPECT b alias [2, 1, 3] = x[:, np.newaxis]
    b = x[:, newaxis]
    # EXPECT c alias [1, 3, 1] = x[None, 1, :, None]
    c = x[None, 1, :, None]
    # EXPECT d alias [2, 3, 1] = x[..., None]
    d = x[..., None]
    # EXPECT e alias [1, 1, 2, 3] = x[None, None, ...]
    e = x[None, None, ...]
    # EXPECT f static [1, 2, 1] = x[None, :, None, 1]
    f = x[None, :, None, 1]
}
