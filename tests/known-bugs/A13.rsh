# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A converter chose a wrong permutation unnoticed: with equal sizes, shapes do not show it (PINTO0309/onnx2tf#479).
# Every permutation, and the data compared.
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %s

graph twenty(x: f32[1, 20, 20, 20]) -> (
    p0123, p0132, p0213, p0231, p0312, p0321, p1023, p1032, p1203, p1230, p1302, p1320, p2013, p2031, p2103, p2130,
    p2301, p2310, p3012, p3021, p3102, p3120, p3201, p3210
) {
    # EXPECT p0123 alias [1, 800, 10] = x.transpose(0, 1, 2, 3)
    p0123 = x |> transpose([0, 1, 2, 3]) |> reshape([1, 800, 10])
    # EXPECT p0132 static [1, 800, 10] = x.transpose(0, 1, 3, 2)
    p0132 = x |> transpose([0, 1, 3, 2]) |> reshape([1, 800, 10])
    # EXPECT p0213 static [1, 800, 10] = x.transpose(0, 2, 1, 3)
    p0213 = x |> transpose([0, 2, 1, 3]) |> reshape([1, 800, 10])
    # EXPECT p0231 static [1, 800, 10] = x.transpose(0, 2, 3, 1)
    p0231 = x |> transpose([0, 2, 3, 1]) |> reshape([1, 800, 10])
    # EXPECT p0312 static [1, 800, 10] = x.transpose(0, 3, 1, 2)
    p0312 = x |> transpose([0, 3, 1, 2]) |> reshape([1, 800, 10])
    # EXPECT p0321 static [1, 800, 10] = x.transpose(0, 3, 2, 1)
    p0321 = x |> transpose([0, 3, 2, 1]) |> reshape([1, 800, 10])
    # EXPECT p1023 alias [1, 800, 10] = x.transpose(1, 0, 2, 3)
    p1023 = x |> transpose([1, 0, 2, 3]) |> reshape([1, 800, 10])
    # EXPECT p1032 static [1, 800, 10] = x.transpose(1, 0, 3, 2)
    p1032 = x |> transpose([1, 0, 3, 2]) |> reshape([1, 800, 10])
    # EXPECT p1203 alias [1, 800, 10] = x.transpose(1, 2, 0, 3)
    p1203 = x |> transpose([1, 2, 0, 3]) |> reshape([1, 800, 10])
    # EXPECT p1230 alias [1, 800, 10] = x.transpose(1, 2, 3, 0)
    p1230 = x |> transpose([1, 2, 3, 0]) |> reshape([1, 800, 10])
    # EXPECT p1302 static [1, 800, 10] = x.transpose(1, 3, 0, 2)
    p1302 = x |> transpose([1, 3, 0, 2]) |> reshape([1, 800, 10])
    # EXPECT p1320 static [1, 800, 10] = x.transpose(1, 3, 2, 0)
    p1320 = x |> transpose([1, 3, 2, 0]) |> reshape([1, 800, 10])
    # EXPECT p2013 static [1, 800, 10] = x.transpose(2, 0, 1, 3)
    p2013 = x |> transpose([2, 0, 1, 3]) |> reshape([1, 800, 10])
    # EXPECT p2031 static [1, 800, 10] = x.transpose(2, 0, 3, 1)
    p2031 = x |> transpose([2, 0, 3, 1]) |> reshape([1, 800, 10])
    # EXPECT p2103 static [1, 800, 10] = x.transpose(2, 1, 0, 3)
    p2103 = x |> transpose([2, 1, 0, 3]) |> reshape([1, 800, 10])
    # EXPECT p2130 static [1, 800, 10] = x.transpose(2, 1, 3, 0)
    p2130 = x |> transpose([2, 1, 3, 0]) |> reshape([1, 800, 10])
    # EXPECT p2301 static [1, 800, 10] = x.transpose(2, 3, 0, 1)
    p2301 = x |> transpose([2, 3, 0, 1]) |> reshape([1, 800, 10])
    # EXPECT p2310 static [1, 800, 10] = x.transpose(2, 3, 1, 0)
    p2310 = x |> transpose([2, 3, 1, 0]) |> reshape([1, 800, 10])
    # EXPECT p3012 static [1, 800, 10] = x.transpose(3, 0, 1, 2)
    p3012 = x |> transpose([3, 0, 1, 2]) |> reshape([1, 800, 10])
    # EXPECT p3021 static [1, 800, 10] = x.transpose(3, 0, 2, 1)
    p3021 = x |> transpose([3, 0, 2, 1]) |> reshape([1, 800, 10])
    # EXPECT p3102 static [1, 800, 10] = x.transpose(3, 1, 0, 2)
    p3102 = x |> transpose([3, 1, 0, 2]) |> reshape([1, 800, 10])
    # EXPECT p3120 static [1, 800, 10] = x.transpose(3, 1, 2, 0)
    p3120 = x |> transpose([3, 1, 2, 0]) |> reshape([1, 800, 10])
    # EXPECT p3201 static [1, 800, 10] = x.transpose(3, 2, 0, 1)
    p3201 = x |> transpose([3, 2, 0, 1]) |> reshape([1, 800, 10])
    # EXPECT p3210 static [1, 800, 10] = x.transpose(3, 2, 1, 0)
    p3210 = x |> transpose([3, 2, 1, 0]) |> reshape([1, 800, 10])
}
graph seven(x: f32[7, 7]) -> y {
    # EXPECT y static [7, 7] = x.T
    y = transpose(x)
}
graph five(x: f32[5, 5, 5]) -> (p012, p021, p102, p120, p201, p210) {
    # EXPECT p012 alias [5, 5, 5] = x.transpose(0, 1, 2)
    p012 = transpose(x, [0, 1, 2])
    # EXPECT p021 static [5, 5, 5] = x.transpose(0, 2, 1)
    p021 = transpose(x, [0, 2, 1])
    # EXPECT p102 static [5, 5, 5] = x.transpose(1, 0, 2)
    p102 = transpose(x, [1, 0, 2])
    # EXPECT p120 static [5, 5, 5] = x.transpose(1, 2, 0)
    p120 = transpose(x, [1, 2, 0])
    # EXPECT p201 static [5, 5, 5] = x.transpose(2, 0, 1)
    p201 = transpose(x, [2, 0, 1])
    # EXPECT p210 static [5, 5, 5] = x.transpose(2, 1, 0)
    p210 = transpose(x, [2, 1, 0])
}
