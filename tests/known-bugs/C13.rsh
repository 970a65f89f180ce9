# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A block size of 0 became a divisor (GHSA-j7rm-8ww4-xx2g); empty bounds were read (CVE-2021-29536).
# RUN: not %{reshapec} check --json %s | FileCheck %s

# CHECK: "kind": "bad_block"
# CHECK-NEXT: block size 0
graph depth(x: f32[1, 4, 2, 2]) -> y {
    y = depth_to_space(x, 0)
}
# CHECK: "kind": "bad_block"
# CHECK-NEXT: block size -2
graph space(x: f32[1, 4, 2, 2]) -> y {
    y = space_to_depth(x, -2)
}
# CHECK: "kind": "bad_block"
# CHECK-NEXT: size 4 of 'x'
graph third(x: f32[1, 4, 2, 2]) -> y {
    y = depth_to_space(x, 3)
}
# CHECK: "kind": "overflow"
graph wraps(x: f32[1, 4, 2, 2]) -> y {
    y = depth_to_space(x, 4294967296)
}
# CHECK: "kind": "bad_step"
graph stand_still(x: f32[4]) -> y {
    y = x[::0]
}
# CHECK: "kind": "not_divisible"
graph expression(x: f32[4]) -> y {
    y = reshape(x, [4/0])
}
# CHECK: "kind": "bad_parts"
graph parts(x: f32[4]) -> y {
    y = split(x, parts=0)
}
