# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A pipe passes one value; a fault in one stage hides the faults that follow from it, but no others.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s
# RUN: not %{reshapec} check --json %s | grep '"kind"' | grep -v '"note"' | FileCheck --check-prefix=KIND %s

graph several(x: f16[4, 6]) -> y {
    # KIND: "kind": "arity"
    # CHECK: [[FILE]]:[[#@LINE+2]]:40: error: the left of '|>' has 2 results, but a pipe passes one
    # CHECK: note: this is the left side
    y = x |> split(parts=2, axis=0) |> flip(0)
}
graph second_fault(x: f16[4, 6]) -> y {
    # KIND-NEXT: "kind": "volume_mismatch"
    # CHECK: [[FILE]]:[[#@LINE+6]]:22: error: 'x' (f16[4, 6]) has 24 elements, target [5] has 5
    # CHECK: note: 'x' is declared here: f16[4, 6]
    # KIND-NEXT: "kind": "unknown_name"
    # CHECK: [[FILE]]:[[#@LINE+3]]:41: error: no operator or graph is called 'nonsense'
    # KIND-NEXT: "kind": "unknown_argument"
    # CHECK: [[FILE]]:[[#@LINE+1]]:71: error: 'flip' has no argument 'dir'; it takes axes
    y = x |> reshape([5]) |> flip(7) |> nonsense(1) |> flip(axis=[0], dir=1)
}
graph not_a_tensor(x: f16[4, 6]) -> y {
    # KIND-NEXT: "kind": "bad_arg"
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: a tensor is needed here; this is a list
    y = [4, 6] |> reshape([24])
}
# KIND-NOT: kind
