# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The checks that a function with sizes makes before it writes are data, from which both the object and the C are
# printed. Each condition appears once, in source order; what is already ruled out is not checked again.
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
# CHECK:        store_size {{.*}}, output 0[0]

# 32-bit pointers count fewer bytes.
# SMALL: count 536870911

# Without sizes there is nothing to check.
graph fixed(x: f32[2, 3]) -> y {
    y = transpose(x)
}
# CHECK-NOT: code fixed

# Twice a size may overflow; if `where` keeps it small, it does not, and the check is left out.
graph twice(x: u8[B]) -> y {
    y = concat(x, x, axis=0)
}
# CHECK:      code twice
# CHECK:        = more
# CHECK:        fail {{.*}}, overflow
graph small(x: u8[B]) -> y where B <= 1000 {
    y = concat(x, x, axis=0)
}
# CHECK:      code small
# CHECK-NOT:  overflow
# CHECK:      code small_shape

# A lookup: the digits of an address, each below its extent, are the indices of a nest's loops.
# CHECK:      code far.stage.0
# CHECK-NEXT:   %[[ARGUMENT:[0-9]+]] = argument
# CHECK-NEXT:   %[[BEGIN:[0-9]+]] = extent 0
# CHECK-NEXT:   %[[AT:[0-9]+]] = sub %[[ARGUMENT]], %[[BEGIN]]
# CHECK:        %[[STRIDE:[0-9]+]] = extent 244
# CHECK-NEXT:   %[[DIGIT:[0-9]+]] = div %[[AT]], %[[STRIDE]]
# CHECK:        %[[TAKEN:[0-9]+]] = mul %[[DIGIT]], %[[STRIDE]]
# CHECK-NEXT:   %[[REST:[0-9]+]] = sub %[[AT]], %[[TAKEN]]
# CHECK:        return_found {{.*}}, 0
graph far(x: i32[61, 67]) -> y { y = x |> transpose() |> reshape([61, 67]) |> transpose() }

# A permutation in place: two cycles from a table; their pieces move up by one, over a saved one.
# CHECK:      code planes.cycles.0
# CHECK:        %[[CYCLE:[0-9]+]] = for {{.*}} by 1
# CHECK-NEXT:     %[[LEADER:[0-9]+]] = entry %[[CYCLE]] of 2 leader
# CHECK:          %[[SAVED:[0-9]+]] = load
# CHECK-NEXT:     %[[PLACE:[0-9]+]] = loop %[[LEADER]]
# CHECK:            %[[CLOSED:[0-9]+]] = equal %[[FROM:[0-9]+]], %[[LEADER]]
# CHECK-NEXT:       break %[[CLOSED]]
# CHECK:            store
# CHECK-NEXT:     next %[[FROM]]
# CHECK:          store {{.*}}, %[[SAVED]]
# CHECK-NEXT:   end
graph planes(x: u8[28, 28, 3]) -> inplace y { y = transpose(x, [2, 0, 1]) }
