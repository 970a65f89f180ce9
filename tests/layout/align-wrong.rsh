# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An alignment is a power of two, and at least the alignment of an element.
# RUN: %{python} %{root}/tests/support/exits.py 1 %{reshapec} check %s 2>&1 | FileCheck %s
# CHECK: [[#@LINE+1]]:25: error: an alignment of f32 is at least 4 bytes
graph f(x: f32[4] align 2) -> y { y = flip(x, [0]) }
# CHECK: [[#@LINE+1]]:24: error: an alignment is a power of two up to 4096 bytes
graph g(x: u8[3] align 3) -> y { y = flip(x, [0]) }
# CHECK: [[#@LINE+1]]:45: error: an alignment is a power of two up to 4096 bytes
graph h(x: u8[3] align 4) -> y: u8[3] align 0 { y = flip(x, [0]) }
# CHECK: [[#@LINE+1]]:26: error: an alignment is a power of two up to 4096 bytes
graph i(x: c128[3] align 8192) -> y { y = flip(x, [0]) }
