# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A condition that a size of 0 alone breaks is one like others: it is listed, and asked first.
# RUN: %{reshapec} explain %s | FileCheck %s
# RUN: %{reshapec} verify %s | FileCheck %s --check-prefix=VERIFY

# CHECK: needs  N >= 1, M != 0
# VERIFY: some {{ *}}proved for {{.*}} {{[1-9][0-9]*}} of them refused
graph some(x: u8[N, M]) -> y where N >= 1, M != 0 { y = transpose(x) }

# CHECK: needs  N >= 2{{$}}
graph implied(x: u8[N]) -> y where N >= 2, N >= 1, N >= 0 { y = flip(x, [0]) }
