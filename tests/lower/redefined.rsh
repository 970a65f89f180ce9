# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# One name, one meaning; a note points to the first definition.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s
# RUN: not %{reshapec} check --json %s | grep '"kind"' | grep -v '"note"' | FileCheck --check-prefix=KIND %s

# KIND: "kind": "redefined"
# CHECK: [[FILE]]:[[#@LINE+2]]:24: error: 'x' is already the name of an input
# CHECK: note: 'x' is defined here
graph inputs(x: u8[2], x: u8[3]) -> y {
    y = x
}
# KIND-NEXT: "kind": "redefined"
# CHECK: [[FILE]]:[[#@LINE+2]]:35: error: 'B' is already the name of a size
# CHECK: note: 'B' is defined here
graph size_and_input(x: u8[B, 4], B: u8[2]) -> y {
    y = x
}
graph values(x: u8[2]) -> y {
    y = flip(x, 0)
    # KIND-NEXT: "kind": "redefined"
    # CHECK: [[FILE]]:[[#@LINE+2]]:5: error: 'y' is already the name of a value
    # CHECK: note: 'y' is defined here
    y = flip(y, 0)
}
graph shadow(x: u8[2]) -> y {
    # KIND-NEXT: "kind": "redefined"
    # CHECK: [[FILE]]:[[#@LINE+2]]:5: error: 'x' is already the name of an input
    # CHECK: note: 'x' is defined here
    x = flip(x, 0)
    y = x
}
# KIND-NEXT: "kind": "redefined"
# CHECK: [[FILE]]:[[#@LINE+2]]:32: error: two results have the name 'y'
# CHECK: note: the first is here
graph results(x: u8[2]) -> (y, y) {
    y = flip(x, 0)
}
# KIND-NEXT: "kind": "redefined"
# CHECK: [[FILE]]:[[#@LINE+2]]:36: error: result 'x' has the name of an input
# CHECK: note: the input is declared here
graph result_is_input(x: u8[2]) -> x {
}
# KIND-NEXT: "kind": "redefined"
# CHECK: [[FILE]]:[[#@LINE+2]]:7: error: graph 'values' is already defined
# CHECK: note: the first is here
graph values(x: u8[2]) -> y {
    y = flip(x, 0)
}
# KIND-NOT: kind
