# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# space_to_depth(x, blocksize, mode="DCR"): blocks of pixels to channels, x is N, C, H, W. The inverse of depth_to_space
# with the same mode: in "CRD" the pixels of a block are adjacent in the channels.
# RUN: split-file %s %t
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %t/good.rsh
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh --implicit-check-not=error:

#--- good.rsh
graph two(x: f32[1, 2, 4, 6]) -> y {
    # EXPECT y static [1, 8, 2, 3] = x.reshape(1, 2, 2, 2, 3, 2).transpose(0, 3, 5, 1, 2, 4)
    y = space_to_depth(x, 2)
}
graph dcr(x: f32[2, 3, 4, 6]) -> y {
    # EXPECT y static [2, 12, 2, 3] = x.reshape(2, 3, 2, 2, 3, 2).transpose(0, 3, 5, 1, 2, 4)
    y = space_to_depth(x, 2, mode="DCR")
}
graph crd(x: f32[2, 3, 4, 6]) -> y {
    # EXPECT y static [2, 12, 2, 3] = x.reshape(2, 3, 2, 2, 3, 2).transpose(0, 1, 3, 5, 2, 4)
    y = space_to_depth(x, 2, "CRD")
}
graph crd_of_one_channel(x: f32[1, 1, 4, 4]) -> y {
    # EXPECT y static [1, 4, 2, 2] = 0 2 8 10 1 3 9 11 4 6 12 14 5 7 13 15
    y = space_to_depth(x, 2, mode="CRD")
}
graph back_dcr(x: f32[2, 12, 3, 5]) -> view y {
    # EXPECT y alias [2, 12, 3, 5] = x
    y = x |> depth_to_space(2, "DCR") |> space_to_depth(2, "DCR")
}
graph back_crd(x: f32[2, 12, 3, 5]) -> view y {
    # EXPECT y alias [2, 12, 3, 5] = x
    y = x |> depth_to_space(2, "CRD") |> space_to_depth(2, "CRD")
}
graph other_mode(x: f32[1, 8, 1, 1]) -> y {
    # EXPECT y static [1, 8, 1, 1] = 0 2 4 6 1 3 5 7
    y = x |> depth_to_space(2, "DCR") |> space_to_depth(2, "CRD")
}
graph one(x: f32[2, 3, 2, 2]) -> view y {
    # EXPECT y alias [2, 3, 2, 2] = x
    y = space_to_depth(x, blocksize=1)
}
graph empty(x: f32[0, 3, 4, 4]) -> view y {
    # EXPECT y alias [0, 12, 2, 2] = empty
    y = space_to_depth(x, 2)
}
#--- bad.rsh
graph height(x: f32[1, 2, 3, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:24: error: block size 2 does not divide size 3 of 'x' (f32[1, 2, 3, 4])
    y = space_to_depth(x, 2)
}
graph width(x: f32[1, 2, 4, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:24: error: block size 2 does not divide size 3 of 'x' (f32[1, 2, 4, 3])
    y = space_to_depth(x, 2)
}
graph negative(x: f32[1, 2, 4, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:27: error: block size -1; at least 1 is needed
    y = space_to_depth(x, -1)
}
graph mode(x: f32[1, 2, 4, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:30: error: unknown mode "RDC"; 'space_to_depth' has "DCR" and "CRD"
    y = space_to_depth(x, 2, "RDC")
}
graph rank(x: f32[4, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:24: error: 'space_to_depth' needs rank 4; 'x' (f32[4, 4]) has rank 2
    y = space_to_depth(x, 2)
}
