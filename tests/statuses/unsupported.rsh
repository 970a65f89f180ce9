# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What the language has and no stage can do: a message that says so, and no file.
# RUN: rm -f %t.o
# RUN: not %{reshapec} %s -o %t.o 2>&1 | FileCheck -DFILE=%s %s
# RUN: test ! -e %t.o
# RUN: echo 'graph g(x: f32[M], z: f32[N]) -> (a, b) where M %% 2 == N %% 2 { a = x; b = z }' > %t.where.rsh
# RUN: not %{reshapec} check --json %t.where.rsh | FileCheck %s --check-prefix=WHERE

# CHECK: [[FILE]]:[[#@LINE+1]]:37: error: no code can be made of 'rows': 'softmax' needs sizes that are known before the program runs
graph rows(x: f32[B, 4]) -> y { y = softmax(x) }

# WHERE: "kind": "unsupported",
# WHERE-NEXT: "message": "a remainder on both sides is not supported"
