# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A graph has at most 16 sizes known only at run time.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s
# RUN: not %{reshapec} check --json %s | grep '"kind"' | grep -v '"note"' | FileCheck --check-prefix=KIND %s

# KIND: "kind": "limit"
# CHECK: [[FILE]]:[[#@LINE+1]]:77: error: more than 16 sizes known only at run time in one graph
graph f(x: u8[A, B, C, D, E, F, G, H], y: u8[I, J, K, L, M, N, O, P], z: u8[?]) -> r {
    r = z
}
# KIND-NOT: kind
