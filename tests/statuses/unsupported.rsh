# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Parts of the language that no stage can compile: a message that says so, and no file.
# RUN: rm -f %t.o
# RUN: not %{reshapec} %s -o %t.o 2>&1 | FileCheck -DFILE=%s %s
# RUN: test ! -e %t.o
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s
# RUN: echo 'graph g(x: f32[M], z: f32[N]) -> (a, b) where M %% 2 == N %% 2 { a = x; b = z }' > %t.where.rsh
# RUN: not %{reshapec} check --json %t.where.rsh | FileCheck %s --check-prefix=WHERE

# CHECK: [[FILE]]:[[#@LINE+1]]:71: error: cannot generate code for 'rows': it is dynamic ('reshapec explain' says why), and the runtime library does not have 'softmax'
graph rows(x: f32[B, 4], n: i64[1]) -> y { y = reshape(x, [n, -1]) |> softmax() }

# WHERE: "kind": "unsupported",
# WHERE-NEXT: "message": "a remainder on both sides is not supported"
