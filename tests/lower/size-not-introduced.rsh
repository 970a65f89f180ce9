# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A size is introduced by standing alone; a missing one is reported once, without follow-up errors.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s
# RUN: not %{reshapec} check --json %s | grep '"kind"' | grep -v '"note"' | FileCheck --check-prefix=KIND %s

# KIND: "kind": "unknown_name"
# CHECK: [[FILE]]:[[#@LINE+2]]:22: error: no size is called 'H'
# CHECK: note: a size must first appear by itself between commas, as in f32[N, 3]
graph f(x: f16[B, 12*H]) -> y: f16[B, 12, H] where H <= 64 {
    y = reshape(x, [B, 12, H])
}
# KIND-NOT: kind
