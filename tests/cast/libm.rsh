# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An object needs exactly the functions of libm that its header names.
# RUN: %{reshapec} %s -o %t.o --header %t.h
# RUN: llvm-nm --undefined-only --format=just-symbols %t.o | FileCheck %s --check-prefix=SYMBOLS --implicit-check-not={{.}}
# RUN: FileCheck %s < %t.h
# SYMBOLS-DAG: expf
# SYMBOLS-DAG: {{^}}tanh{{$}}
# SYMBOLS-DAG: tanhf
# SYMBOLS-DAG: erfcf

# CHECK: graph instructions
# CHECK-NOT: needs
graph instructions(x: f32[6], h: f16[6]) -> (a, b, c, d) {
    a = x |> relu() |> hard_swish() |> sqrt() |> round()
    b = h |> floor() |> cast(f8e4m3fn)
    c = x |> cast(f16) |> reciprocal() |> cast(bf16)
    d = x |> cast(i4)
}
# CHECK: graph single
# CHECK: needs: expf erfcf (libm)
graph single(x: f16[6]) -> y {
    y = x |> sigmoid() |> gelu() |> transpose()
}
# CHECK: graph double
# CHECK: needs: tanh (libm)
graph double(x: f32[6]) -> y {
    y = x |> cast(f64) |> tanh()
}
# A name in libm cannot be the name of a function of ours.
# CHECK: void tanhf_(
graph tanhf(x: f32[6]) -> y {
    y = x |> tanh()
}
