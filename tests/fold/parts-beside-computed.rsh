# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Elements in eight parts beside elements that are computed, which have no parts: these are stored first, although they
# are a single run.
# RUN: %{reshapec} --dump=moves %s | FileCheck %s
# RUN: %{reshapec} verify %s | FileCheck %s --check-prefix=VERIFY
# VERIFY: 1 of 1 graphs verified
# CHECK: [[SUM:%[0-9]*]]: u8[5] staged
# CHECK: y: u8[9]
# CHECK-NEXT: from [[SUM]] at 0 to 0: {40, dst 1, src 1}
# CHECK-NEXT: from %0 at 3 to 40: {32, dst 1, src 1}
graph beside(x: u8[8], z: u8[5]) -> y {
    bits = reshape(bitcast(x, u1), [64])
    y = concat([z + 1, bits[3:35] |> reshape([4, 8]) |> bitcast(u8)], 0)
}
