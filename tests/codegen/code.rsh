# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What a function with sizes checks before it writes is data, from which the object and the C are printed. Each condition
# stands once, in the order of the text; what was ruled out is not checked again.
# RUN: %{reshapec} --dump=code %s | FileCheck %s
# RUN: %{reshapec} --dump=code --target=thumbv7em-none-eabi %s | FileCheck %s --check-prefix=SMALL

graph rows(x: f32[B, S]) -> y where B*S >= 3 {
    y = reshape(x, [-1, 4])
}
# CHECK:      code rows
# CHECK-NEXT:   %[[B:[0-9]+]] = size B
# CHECK-NEXT:   %[[ZERO:[0-9]+]] = integer 0
# CHECK-NEXT:   %[[B_BELOW:[0-9]+]] = less %[[B]], %[[ZERO]]
# CHECK-NEXT:   %[[S:[0-9]+]] = size S
# CHECK-NEXT:   %[[S_BELOW:[0-9]+]] = less %[[S]], %[[ZERO]]
# CHECK-NEXT:   %[[BELOW:[0-9]+]] = or %[[B_BELOW]], %[[S_BELOW]]
# CHECK-NEXT:   fail %[[BELOW]], bad_dim
# CHECK:        %[[PRODUCT:[0-9]+]] = times
# CHECK:        fail {{.*}}, overflow
# CHECK:        %[[FEW:[0-9]+]] = less {{.*}}
# CHECK-NEXT:   fail %[[FEW]], guard_failed
# CHECK-NOT:    = past %[[PRODUCT]]
# CHECK:        fail {{.*}}, not_divisible
# CHECK:        = missing x
# CHECK:        fail {{.*}}, null_pointer
# CHECK:      code rows_shape
# CHECK:        store {{.*}}, output 0[0]

# Pointers of 32 bits count fewer bytes.
# SMALL: count 536870911

# Without sizes there is nothing to check.
graph fixed(x: f32[2, 3]) -> y {
    y = transpose(x)
}
# CHECK-NOT: code fixed

# Twice a size may not fit; where `where` keeps it small it does, and nobody asks.
graph twice(x: u8[B]) -> y {
    y = concat(x, x, axis=0)
}
# CHECK:      code twice
# CHECK:        above
# CHECK:        fail {{.*}}, overflow
graph small(x: u8[B]) -> y where B <= 1000 {
    y = concat(x, x, axis=0)
}
# CHECK:      code small
# CHECK-NOT:  overflow
# CHECK:      code small_shape
