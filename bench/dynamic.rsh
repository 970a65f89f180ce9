# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Chains with all sizes known, and with a target that is data: the difference is the cost of the dynamic tier.
# They have few elements, so that moving them does not hide it.

graph two_known(x: f32[2, 12, 24]) -> y {
    y = x |> reshape([2, 12, 4, 6]) |> transpose([0, 2, 1, 3])
}

graph two_told(x: f32[2, 12, 24], s: i64[4]) -> y {
    y = x |> reshape(s) |> transpose([0, 2, 1, 3])
}

graph ten_known(x: f32[2, 12, 24]) -> y {
    y = x
        |> reshape([2, 12, 4, 6])
        |> transpose([0, 2, 1, 3])
        |> slice([2], [10], [2])
        |> reshape([2, 4, 8, 2, 3])
        |> transpose([0, 1, 3, 2, 4])
        |> reshape([-1, 8, 3])
        |> flip([1])
        |> unsqueeze([0])
        |> transpose([0, 2, 3, 1])
        |> flatten()
}

graph ten_told(x: f32[2, 12, 24], s: i64[4]) -> y {
    y = x
        |> reshape(s)
        |> transpose([0, 2, 1, 3])
        |> slice([2], [10], [2])
        |> reshape([2, 4, 8, 2, 3])
        |> transpose([0, 1, 3, 2, 4])
        |> reshape([-1, 8, 3])
        |> flip([1])
        |> unsqueeze([0])
        |> transpose([0, 2, 3, 1])
        |> flatten()
}
