# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A constant with an entry for each channel, and the table of a lookup, in statements, in a loop and after it.
# RUN: %{reshapec} run %s | FileCheck %s --match-full-lines
# RUN: %{reshapec} fmt --check %s

x = zeros(3) + [1.0, 2.0, 3.0]
# CHECK:      f32[3]
# CHECK-NEXT: [ 4. 10. 18.]
# CHECK-NEXT: f32[3]
# CHECK-NEXT: [ 5. 11. 19.]
for i in range(2) {
    y = x*[4.0, 5.0, 6.0]
    print(y + i)
}
# CHECK-NEXT: f32[3]
# CHECK-NEXT: [ 7. 16. 27.]
print(x*[7.0, 8.0, 9.0])
# CHECK-NEXT: u8[4]
# CHECK-NEXT: [9 8 7 6]
print(arange(4, u8) |> cast(u2) |> lookup([9, 8, 7, 6], u8))
