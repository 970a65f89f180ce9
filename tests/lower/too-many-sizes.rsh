# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A graph has at most 32 sizes known only at run time.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s
# RUN: not %{reshapec} check --json %s | grep '"kind"' | grep -v '"note"' | FileCheck --check-prefix=KIND %s

# KIND: "kind": "limit"
# CHECK: [[FILE]]:[[#@LINE+4]]:11: error: more than 32 sizes known only at run time in one graph
graph f(
    x: u8[A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P],
    y: u8[Q, R, S, T, U, V, W, X, Y, Z, AA, AB, AC, AD, AE, AF],
    z: u8[?]
) -> r {
    r = z
}
# KIND-NOT: kind
