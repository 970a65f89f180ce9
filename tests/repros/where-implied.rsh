# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A condition that earlier ones imply is added only once. The number of rows made each pass forget this proof, so the
# compiler derived the sizes again and again, without end.
# RUN: %{reshapec} explain %s | FileCheck %s
# RUN: %{reshapec} verify %s | FileCheck %s --check-prefix=VERIFY
# VERIFY: 2 of 2 graphs verified

# CHECK-LABEL: graph halves
# CHECK-NEXT:    needs  A//2 < 2, A % 3 == 0 or not_divisible
graph halves(x: u16[A]) -> y where A//2 < 2, A <= 3 {
    y = reshape(x, [3, -1])
}

# CHECK-LABEL: graph repeated
# CHECK-NEXT:    needs  A//2 < 2, A % 3 == 0 or not_divisible
graph repeated(x: u16[A]) -> (y, z) where A//2 < 2, 5*A <= 15 {
    y = repeat(reshape(x, [3, -1]), [2, 1])
    z = pad(x, [0, 0])
}
