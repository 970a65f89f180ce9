# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# `view _` is checked like a view with a name.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s

# CHECK: [[FILE]]:[[#@LINE+3]]:5: error: '_' is declared a view, but transpose needs a copy
# CHECK: [[FILE]]:[[#@LINE+2]]:14: note: transpose of u8[4, 4] causes the copy on axes 0 and 1: it moves axes
graph one(x: u8[4, 4]) -> y {
    view _ = transpose(x)
    y = x
}
# CHECK: [[FILE]]:[[#@LINE+3]]:5: error: '_' is declared a view, but transpose needs a copy
# CHECK: [[FILE]]:[[#@LINE+2]]:13: error: '_' is declared a view, but transpose needs a copy
graph two(x: u8[4, 4]) -> y {
    view _, view _ = split(transpose(x), parts=2)
    y = x
}
# CHECK-NOT: error
graph good(x: u8[4, 4]) -> y {
    view _ = x[1:]
    view _, _ = split(x, parts=2)
    view _ = x
    _ = transpose(x)
    y = x
}
