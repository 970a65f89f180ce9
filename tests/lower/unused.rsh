# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An unused value is a warning, unless its name begins with _; inputs may be unused.
# RUN: %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s
# RUN: %{reshapec} check --json %s | grep '"kind"' | grep -v '"note"' | FileCheck --check-prefix=KIND %s

graph f(x: f32[2, 6], w: f32[3]) -> y {
    y = flip(x, 0)
    # KIND: "kind": "unused_value"
    # CHECK: [[FILE]]:[[#@LINE+1]]:5: warning: value 'lost' is never used; begin its name with '_' if this is intended
    lost = flip(y, 0)
    # KIND-NEXT: "kind": "unused_value"
    # CHECK: [[FILE]]:[[#@LINE+1]]:5: warning: value 'q' is never used; begin its name with '_' if this is intended
    q, _k, _ = split(x, axis=1, parts=3)
}
# KIND-NOT: kind
