# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# depth_to_space(x, blocksize, mode="DCR"): channels to blocks of pixels, x is N, C, H, W. Within the channels, "DCR"
# has the pixel of the block outermost, "CRD" innermost.
# RUN: split-file %s %t
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %t/good.rsh
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh --implicit-check-not=error:

#--- good.rsh
graph dcr(x: f32[1, 8, 2, 3]) -> y {
    # EXPECT y static [1, 2, 4, 6] = x.reshape(1, 2, 2, 2, 2, 3).transpose(0, 3, 4, 1, 5, 2)
    y = depth_to_space(x, 2)
}
graph crd(x: f32[1, 8, 2, 3]) -> y {
    # EXPECT y static [1, 2, 4, 6] = x.reshape(1, 2, 2, 2, 2, 3).transpose(0, 1, 4, 2, 5, 3)
    y = depth_to_space(x, blocksize=2, mode="CRD")
}
graph one(x: f32[2, 3, 2, 2]) -> view y {
    # EXPECT y alias [2, 3, 2, 2] = x
    y = depth_to_space(x, 1, mode="DCR")
}
graph pixel(x: u8[5, 9, 1, 1]) -> view y {
    # EXPECT y alias [5, 1, 3, 3] = x
    y = depth_to_space(x, 3)
}
graph and_back(x: f32[1, 8, 2, 3]) -> view y {
    # EXPECT y alias [1, 8, 2, 3] = x
    y = x |> depth_to_space(2) |> space_to_depth(2)
}
#--- bad.rsh
graph channels(x: f32[1, 6, 2, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:24: error: {{.*}}block size 2{{.*}}size 6 of 'x' (f32[1, 6, 2, 3])
    y = depth_to_space(x, 2)
}
graph none(x: f32[1, 8, 2, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:27: error: block size 0; at least 1 is needed
    y = depth_to_space(x, 0)
}
graph mode(x: f32[1, 8, 2, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:35: error: unknown mode "RCD"; 'depth_to_space' has "DCR" and "CRD"
    y = depth_to_space(x, 2, mode="RCD")
}
graph rank(x: f32[8, 2, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:24: error: 'depth_to_space' needs rank 4; 'x' (f32[8, 2, 3]) has rank 3
    y = depth_to_space(x, 2)
}
graph size(x: f32[1, 8, 2, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: 'depth_to_space' needs the argument 'blocksize'
    y = depth_to_space(x)
}
