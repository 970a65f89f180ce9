# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An input that cannot reside in a result is refused, with the reason. `placed` is an ordinary name everywhere else.
# RUN: not %{reshapec} check %s > %t.log 2>&1; FileCheck %s -DFILE=%s < %t.log
# RUN: not %{reshapec} check --json %s | FileCheck %s --check-prefix=JSON
# JSON: "kind": "not_placed"

# CHECK: error: an input that is placed in a result has no separate memory, so 'layout' does not apply
graph laid(x: f32[4] layout "(a 2) -> 2 a" placed, z: f32[4]) -> y { y = concat(x, z, axis=0) }
# CHECK: error: an input that is placed in a result has no separate memory, so 'align' does not apply
graph aligned(x: f32[4] align 8 placed, z: f32[4]) -> y { y = concat(x, z, axis=0) }
# CHECK: error: only an input can be placed in a result
graph result(x: f32[4], z: f32[4]) -> y: f32[8] placed { y = concat(x, z, axis=0) }

# CHECK: [[FILE]]:[[#@LINE+1]]:23: error: 'x' cannot be placed in a result: its elements go to 2 places, but it can be in only one
graph twice(x: f32[4] placed, z: f32[4]) -> (y, w) { y = concat(x, z, axis=0); w = flip(x, [0]) }
# CHECK: error: 'x' cannot be placed in a result: 'y' has each of its elements more than once
graph repeated(x: f32[1, 3] placed, z: f32[3, 3]) -> y { y = concat(expand(x, [2, 3]), z, axis=0) }
# CHECK: error: 'x' cannot be placed in a result: its elements are changed on the way to 'y'
graph changed(x: u8[4] placed, z: f32[4]) -> y { y = concat(cast(x, f32), z, axis=0) }
# CHECK: error: 'x' cannot be placed in a result: only a part of it goes to 'y' in one piece
graph cut(x: f32[4] placed, z: f32[4]) -> y { y = concat(x[1:], z, axis=0) }
# CHECK: error: 'x' cannot be placed in a result: one of its axes has no single stride in 'y'
graph split_axis(x: f32[6] placed, z: f32[3, 2]) -> y { y = concat(transpose(reshape(x, [2, 3])), z, axis=0) }
# CHECK: error: 'x' cannot be placed in a result: its elements are smaller than a byte and share bytes with others
graph nibbles(x: i4[8] placed, z: i4[8]) -> y { y = concat(x, z, axis=0) }
# CHECK: error: 'x' cannot be placed in a result: no result contains it
graph unread(x: f32[4] placed, z: f32[4]) -> y { y = flip(z, [0]); _x = x }
# CHECK: error: 'y' cannot be computed in place: 'x' is placed in it
graph over(x: f32[4] placed, z: f32[4]) -> inplace y: f32[8] { y = concat(x, z, axis=0) }
# CHECK: error: 'x' cannot be placed in a result: where its elements go is known only at run time
graph dynamic(x: f32[4] placed, s: i64[2]) -> y { y = reshape(x, s) }
# CHECK: error: 'x' cannot be placed in a result: it takes more than one copy to get into 'y'
graph rows(x: f32[4, 4] placed, z: f32[4, 4]) -> y { y = concat(x, z, axis=0) |> softmax() }
# CHECK-NOT: error
graph placed(placed: f32[4] placed, z: f32[4]) -> y { y = concat(placed, z, axis=0) }
# A called graph has no memory of its own.
graph calls(x: u8[4], z: f32[4]) -> y { y = placed(cast(x, f32), z) |> flip([0]) }
