# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Casts before and after a chain that is evaluated element by element, in a border, and in a gather.
# RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir
# RUN: %{python} %S/Inputs/casts.py %{reshapec} %s
# RUN: %{reshapec} --dump=plan %s | FileCheck %s

# CHECK-LABEL: graph far
# CHECK: stage
# CHECK: element, align 4
graph far(x: i16[61, 67]) -> y: f32[67, 61] {
    # NUMPY x.T.astype("f4").reshape(61, 67).T
    y = x |> transpose() |> cast(f32) |> reshape([61, 67]) |> transpose()
}
graph twice(x: f32[61, 67]) -> y: f64[67, 61] {
    # NUMPY np.maximum(x.T.reshape(61, 67), 0).T.reshape(61, 67).T[::-1].astype("f8")
    y = x
        |> transpose()
        |> reshape([61, 67])
        |> relu()
        |> transpose()
        |> reshape([61, 67])
        |> transpose()
        |> cast(f64)
        |> flip(0)
}
graph packed(x: i8[61, 67]) -> y: i8[67, 61] {
    # NUMPY (((x.T.reshape(61, 67).T & 15) ^ 8) - 8).astype("i1")
    y = x |> cast(i4) |> transpose() |> reshape([61, 67]) |> transpose() |> cast(i8)
}
graph padded(x: u8[5, 7]) -> y: f32[7, 9] {
    # NUMPY np.pad(x, 1, constant_values=3).astype("f4")
    y = x |> pad([1, 1, 1, 1], 3) |> cast(f32)
}
graph gathered(x: i16[40, 7]) -> y: f32[20, 7] {
    # NUMPY x[[3,1,4,1,5,9,2,6,5,35,8,9,7,39,3,2,38,4,6,26]].astype("f4")
    y = x |> gather([3, 1, 4, 1, 5, 9, 2, 6, 5, 35, 8, 9, 7, 39, 3, 2, 38, 4, 6, 26]) |> cast(f32)
}
