# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sizes and axes truncated to 32 bits (CVE-2020-15202, CVE-2022-21728, microsoft/onnxruntime#29448): 2^32 + 4 is not 4,
# axis 2^32 is not axis 0, and messages show the original numbers.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s

graph size(x: f32[4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: 'x' (f32[4]) has 4 elements, target [4294967300] has 4294967300
    y = reshape(x, [4294967300])
}
graph flattened(x: f32[4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:25: error: axis 4294967296 is outside rank 1
    y = flatten(x, axis=4294967296)
}
graph squeezed(x: f32[1, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:20: error: axis 4294967296 is outside rank 2
    y = squeeze(x, 4294967296)
}
graph unsqueezed(x: f32[4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:23: error: axis -9223372036854775808 is outside rank 2
    y = unsqueeze(x, [-9223372036854775808])
}
graph flipped(x: f32[4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:17: error: axis -4294967296 is outside rank 1
    y = flip(x, -4294967296)
}
graph joined(x: f32[4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:27: error: axis -9223372036854775808 is outside rank 1
    y = concat(x, x, axis=-9223372036854775808)
}
graph sliced(x: f32[4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:34: error: axis 4294967296 is outside rank 1
    y = slice(x, [0], [1], axes=[4294967296])
}
graph cut(x: f32[4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:27: error: an axis of size 4 of 'x' (f32[4]) cannot be split into 4294967297 parts
    y, z = split(x, parts=4294967297)
}
