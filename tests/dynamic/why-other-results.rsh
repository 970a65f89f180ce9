# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A result that needs no runtime library by itself names the one that does.
# RUN: %{reshapec} explain %s | FileCheck %s
# CHECK: left dynamic
# CHECK: why 'y' is dynamic, and the runtime library computes all results of a graph
# CHECK: y dynamic
# CHECK: why the target shape of reshape is data
graph halves(x: f32[B, 8], t: i64[2]) -> (left: f32[B, 4], y) {
    left = x[:, :4]
    y = reshape(x, t)
}
