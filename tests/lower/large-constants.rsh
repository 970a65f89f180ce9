# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Constants of 2^63 to 2^64 - 1 are elements of u64 and of floats, in every tier, in objects and in C; they are printed as
# they are written.
# RUN: %{reshapec} --dump=graph %s | FileCheck %s
# RUN: %{reshapec} verify %s | FileCheck %s --check-prefix=VERIFY
# RUN: %{reshapec} verify --emit=c %s | FileCheck %s --check-prefix=VERIFY
# RUN: %{python} -c "import numpy; numpy.save('%t.npy', numpy.array([5, 2**64 - 2], 'u8'))"
# RUN: %{reshapec} run -e 'pad(x |> max(9223372036854775808), [1, 0], value=18446744073709551615)' x=%t.npy | FileCheck %s --check-prefix=OUTPUT

# VERIFY: 4 of 4 graphs verified
# OUTPUT: [18446744073709551615 9223372036854775808 18446744073709551614]

graph fixed(x: u64[2]) -> (y, z, t) {
    # CHECK: add(%0, value=9223372036854775808)
    y = x + 9223372036854775808
    # CHECK: pad({{.*}}value=18446744073709551615
    z = pad(x, [1, 1], value=18_446_744_073_709_551_615)
    # CHECK: mul({{.*}}value=[18446744073709551615, 1])
    t = x*[18446744073709551615, 1]
}

graph open_size(x: u64[N]) -> y {
    y = (x & 9223372036854775808) |> pad([0, 2], value=18446744073709551615)
}

graph dynamic(x: u64[*], s: i64[2]) -> y {
    y = clip(x, 9223372036854775808, 18446744073709551614) |> reshape(s)
}

graph floats(x: f64[3]) -> y {
    # CHECK: mul({{.*}}value=18446744073709551615)
    y = x*18446744073709551615
}
