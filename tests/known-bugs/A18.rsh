# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A vector width that does not divide the axis: reads past the end, and wrong results
# (NVIDIA/Fuser#822, csarofeen/pytorch#1630). Powers of two, and primes of their size.
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %s

graph even(x: f32[1024, 8, 1024]) -> y {
    # EXPECT y static [8192, 1024] = x.reshape(1024, 8192).T
    y = x |> reshape([1024, 8192]) |> transpose([1, 0])
}
graph odd(x: f32[1021, 7, 1031]) -> y {
    # EXPECT y static [7217, 1021] = x.reshape(1021, 7217).T
    y = x |> reshape([1021, 7217]) |> transpose([1, 0])
}
