# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Elements that change during a transposition but keep their width are transposed in registers, and the functions are
# applied to whole vectors.
# RUN: rm -rf %t && mkdir -p %t && cd %t && %{python} %{root}/tests/cast/Inputs/casts.py %{reshapec} %s
# RUN: %{reshapec} verify -mcpu=native %s | FileCheck %s --check-prefix=PROVED
# PROVED: 8 of 8 graphs verified
# RUN: %{reshapec} --emit=llvm-ir %s --target=x86_64-linux-gnu -mcpu=x86-64-v3 -o - | FileCheck %s
# Permuted bits are moved by words.
# CHECK-LABEL: define{{.*}}@zero_point(
# CHECK: shufflevector <32 x i8>
# CHECK: add <32 x i8> {{.*}}i8 3
# CHECK-LABEL: define{{.*}}@halves(
# CHECK: fmul <16 x float>
# CHECK-LABEL: define{{.*}}@looked_up(
# CHECK-NOT: shufflevector <32 x i8>
# CHECK-LABEL: define{{.*}}@opened(

graph zero_point(x: i8[70, 90]) -> y: i8[90, 70] {
    # NUMPY (x + np.int8(3)).T
    y = transpose(x) + 3
}
graph halves(x: f16[33, 45]) -> y: f16[45, 33] {
    # NUMPY (x * np.float16(0.5)).T
    y = transpose(x)*0.5
}
graph listed(x: f32[40, 70]) -> y: f32[70, 40] {
    # NUMPY x.T * np.float32(0.5)
    y = transpose(x)*[0.5]
}
graph converted(x: f32[40, 70]) -> y: i32[70, 40] {
    # NUMPY x.T.astype("i4")
    y = cast(transpose(x), i32)
}
graph wide(x: i64[20, 31]) -> y: f64[31, 20] {
    # NUMPY x.T.astype("f8") + 1.5
    y = cast(transpose(x), f64) + 1.5
}
graph heads(x: u8[3, 20, 4, 32]) -> y: i8[20, 3, 32, 4] {
    # NUMPY (x ^ 128).view("i1").transpose(1, 0, 3, 2)
    y = bitcast(transpose(x, [1, 0, 3, 2]) ^ 128, i8)
}
graph looked_up(x: u8[70, 90]) -> y: u8[90, 70] {
    # NUMPY (np.uint8([16*(i % 16) + i//16 for i in range(256)])[x]).T
    y = transpose(x) |> bitcast(u4) |> flip(2) |> bitcast(u8)
}
graph opened(x: i16[N, M]) -> y { y = clip(transpose(x), -5, 100) }
