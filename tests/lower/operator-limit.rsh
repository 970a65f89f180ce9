# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Calls double a graph at each step; a limit on operators stops them.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s
# RUN: not %{reshapec} check --json %s | grep '"kind"' | grep -v '"note"' | FileCheck --check-prefix=KIND %s

graph g0(x: u8[4]) -> y {
    y = x |> flip(0) |> flip(0) |> flip(0) |> flip(0) |> flip(0) |> flip(0) |> flip(0) |> flip(0)
}
graph g1(x: u8[4]) -> y { y = g0(x) |> g0() |> g0() |> g0() }
graph g2(x: u8[4]) -> y { y = g1(x) |> g1() |> g1() |> g1() }
graph g3(x: u8[4]) -> y { y = g2(x) |> g2() |> g2() |> g2() }
graph g4(x: u8[4]) -> y { y = g3(x) |> g3() |> g3() |> g3() }
graph g5(x: u8[4]) -> y { y = g4(x) |> g4() |> g4() |> g4() }
graph g6(x: u8[4]) -> y { y = g5(x) |> g5() |> g5() |> g5() }
graph g7(x: u8[4]) -> y { y = g6(x) |> g6() |> g6() |> g6() }
graph g8(x: u8[4]) -> y { y = g7(x) |> g7() |> g7() |> g7() }
# KIND: "kind": "limit"
# CHECK: [[FILE]]:[[#@LINE+1]]:31: error: more than 1000000 operators in one file, counting those of called graphs at each call
graph g9(x: u8[4]) -> y { y = g8(x) |> g8() |> g8() |> g8() }
# KIND-NOT: kind
