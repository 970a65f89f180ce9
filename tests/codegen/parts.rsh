# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A kernel of very many nests is built as functions of 24 each, so that compile time stays linear. A pad that mirrors on
# four axes has 3^4 pieces; those that differ only in their offset are one loop.
# RUN: %{reshapec} %s -o %t.o
# RUN: llvm-nm %t.o | FileCheck %s
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} "%{cc}" %t.dir %s
#
# CHECK-NOT: U
# CHECK: T g
# CHECK: t g.part.0.0
# CHECK: t g.part.0.1
# CHECK-NOT: U
graph g(x: f32[3, 4, 5, 6]) -> y {
    # EXPECT y static [6, 7, 8, 9] = np.pad(x, ((1, 2), (2, 1), (1, 2), (1, 2)), mode="reflect")
    y = pad(x, [1, 2, 1, 1, 2, 1, 2, 2], mode="reflect")
}
