# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A crop of an axis that runs backwards is not taken for one that leaves nothing.
# RUN: %{reshapec} explain %s | FileCheck %s
# RUN: %{reshapec} verify %s

# CHECK: graph reversed(
# CHECK: y symbolic
graph reversed(s: u8[C], x: u8[2, 9 - C, C]) -> y { y = x[::-1, :, 1:][1:] }
