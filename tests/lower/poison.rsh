# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Consequences of a mistake are not reported; independent mistakes are.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s
# RUN: not %{reshapec} check --json %s | grep '"kind"' | grep -v '"note"' | FileCheck --check-prefix=KIND %s

# KIND: "kind": "unknown_type"
# CHECK: [[FILE]]:[[#@LINE+1]]:26: error: unknown element type 'f33'; did you mean 'f32'?
graph f(x: f32[2, 6], w: f33[2]) -> (a, b, c, d, e) {
    # KIND-NEXT: "kind": "volume_mismatch"
    # CHECK: [[FILE]]:[[#@LINE+2]]:20: error: 'x' (f32[2, 6]) has 12 elements, target [5] has 5
    # CHECK: note: 'x' is declared here: f32[2, 6]
    a = reshape(x, [5])
    b = flip(a, 9)
    c = concat(b, w, x, axis=7)
    # KIND-NEXT: "kind": "unknown_argument"
    # CHECK: [[FILE]]:[[#@LINE+1]]:17: error: 'flip' has no argument 'axs'; did you mean 'axes'?
    d = flip(c, axs=0)
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:25: error: '(' without ')'
    e = rearrange(d, "a (b -> b")
}
# KIND-NOT: kind
