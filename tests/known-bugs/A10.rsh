# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Each of the 24 orders of four axes of size 1: a transpose without axes that move, which crashed
# (opencv/opencv#21221).
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %s

graph a10(x: f32[1, 1, 1, 1]) -> (
    p0123, p0132, p0213, p0231, p0312, p0321, p1023, p1032, p1203, p1230, p1302, p1320, p2013, p2031, p2103, p2130,
    p2301, p2310, p3012, p3021, p3102, p3120, p3201, p3210
) {
    # EXPECT p0123 alias [1, 1, 1, 1] = 0
    p0123 = transpose(x, [0, 1, 2, 3])
    # EXPECT p0132 alias [1, 1, 1, 1] = 0
    p0132 = transpose(x, [0, 1, 3, 2])
    # EXPECT p0213 alias [1, 1, 1, 1] = 0
    p0213 = transpose(x, [0, 2, 1, 3])
    # EXPECT p0231 alias [1, 1, 1, 1] = 0
    p0231 = transpose(x, [0, 2, 3, 1])
    # EXPECT p0312 alias [1, 1, 1, 1] = 0
    p0312 = transpose(x, [0, 3, 1, 2])
    # EXPECT p0321 alias [1, 1, 1, 1] = 0
    p0321 = transpose(x, [0, 3, 2, 1])
    # EXPECT p1023 alias [1, 1, 1, 1] = 0
    p1023 = transpose(x, [1, 0, 2, 3])
    # EXPECT p1032 alias [1, 1, 1, 1] = 0
    p1032 = transpose(x, [1, 0, 3, 2])
    # EXPECT p1203 alias [1, 1, 1, 1] = 0
    p1203 = transpose(x, [1, 2, 0, 3])
    # EXPECT p1230 alias [1, 1, 1, 1] = 0
    p1230 = transpose(x, [1, 2, 3, 0])
    # EXPECT p1302 alias [1, 1, 1, 1] = 0
    p1302 = transpose(x, [1, 3, 0, 2])
    # EXPECT p1320 alias [1, 1, 1, 1] = 0
    p1320 = transpose(x, [1, 3, 2, 0])
    # EXPECT p2013 alias [1, 1, 1, 1] = 0
    p2013 = transpose(x, [2, 0, 1, 3])
    # EXPECT p2031 alias [1, 1, 1, 1] = 0
    p2031 = transpose(x, [2, 0, 3, 1])
    # EXPECT p2103 alias [1, 1, 1, 1] = 0
    p2103 = transpose(x, [2, 1, 0, 3])
    # EXPECT p2130 alias [1, 1, 1, 1] = 0
    p2130 = transpose(x, [2, 1, 3, 0])
    # EXPECT p2301 alias [1, 1, 1, 1] = 0
    p2301 = transpose(x, [2, 3, 0, 1])
    # EXPECT p2310 alias [1, 1, 1, 1] = 0
    p2310 = transpose(x, [2, 3, 1, 0])
    # EXPECT p3012 alias [1, 1, 1, 1] = 0
    p3012 = transpose(x, [3, 0, 1, 2])
    # EXPECT p3021 alias [1, 1, 1, 1] = 0
    p3021 = transpose(x, [3, 0, 2, 1])
    # EXPECT p3102 alias [1, 1, 1, 1] = 0
    p3102 = transpose(x, [3, 1, 0, 2])
    # EXPECT p3120 alias [1, 1, 1, 1] = 0
    p3120 = transpose(x, [3, 1, 2, 0])
    # EXPECT p3201 alias [1, 1, 1, 1] = 0
    p3201 = transpose(x, [3, 2, 0, 1])
    # EXPECT p3210 alias [1, 1, 1, 1] = 0
    p3210 = transpose(x, [3, 2, 1, 0])
}
