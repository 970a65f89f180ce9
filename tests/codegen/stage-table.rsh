# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A chain that falls into pieces again and again becomes a table of elements, not a tower of staged values to decode;
# the table is a constant of the object, and the only symbol is the function.
# RUN: %{reshapec} --dump=plan %s | FileCheck %s --check-prefix=PLAN
# RUN: %{reshapec} %s -o %t.o
# RUN: llvm-nm %t.o | FileCheck %s --check-prefix=SYMBOLS
# RUN: %{python} -c "import numpy as n; x = n.arange(1001, dtype='i4').reshape(7, 11, 13); n.save('%t.x.npy', x); n.save('%t.want.npy', x.transpose(2, 0, 1).reshape(11, 7, 13).transpose(1, 2, 0).reshape(13, 11, 7).transpose(2, 1, 0).reshape(11, 91).T.copy())"
# RUN: %{reshapec} run %s x=%t.x.npy y=%t.y.npy
# RUN: cmp %t.y.npy %t.want.npy
#
# PLAN: graph g
# PLAN-NEXT: stage {{.*}}, a table of elements of x
# SYMBOLS-NOT: U
# SYMBOLS: T g
graph g(x: i32[7, 11, 13]) -> y {
    y = x
        |> transpose([2, 0, 1])
        |> reshape([11, 7, 13])
        |> transpose([1, 2, 0])
        |> reshape([13, 11, 7])
        |> transpose([2, 1, 0])
        |> reshape([11, 91])
        |> transpose([1, 0])
}
