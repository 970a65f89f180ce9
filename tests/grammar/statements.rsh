# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# One name or several, `view` before any of them, `;` between statements on a line.
# RUN: %{reshapec} --dump=ast %s | FileCheck %s

# CHECK: let a, view b, c
# CHECK: let view d
# CHECK: let e
# CHECK: let f
# CHECK: let y
graph g(x: f32[2]) -> y {
    a, view b, c = split(x, axis=0, parts=3)
    view d = x; e = d ;; f = e;
    ; y = f }
