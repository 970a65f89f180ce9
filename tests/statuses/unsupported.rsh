# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What the language has and no stage can do: a message that says so, and no file.
# RUN: rm -f %t.o
# RUN: not %{reshapec} %s -o %t.o 2>&1 | FileCheck -DFILE=%s %s
# RUN: test ! -e %t.o

# CHECK: [[FILE]]:[[#@LINE+1]]:7: error: no code can be made of 'rows': what 'y' becomes depends on sizes known only at run time (B)
graph rows(x: f32[B, 4]) -> y { y = softmax(x) }
