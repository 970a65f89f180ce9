# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# On Thumb-1, loops and the distances of unrolled loads share four registers. Loops that need more than four by
# themselves leave none for distances.
# RUN: %{reshapec} verify --target=thumbv6m-none-eabi -O2 %s | FileCheck %s
# RUN: %{reshapec} verify --target=thumbv6m-none-eabi -Os %s | FileCheck %s
# CHECK: 1 of 1 graphs verified
graph quarters(x: u8[8, 64, 3]) -> y {
    planes = transpose(x, [2, 0, 1]) |> flip([0]) |> unsqueeze([0])
    y = concat(
        [planes[:, :, 0::2, 0::2], planes[:, :, 1::2, 0::2], planes[:, :, 0::2, 1::2], planes[:, :, 1::2, 1::2]],
        axis=1
    )
}
