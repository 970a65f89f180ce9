# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A shift by more than one along an axis of open size may go round it several times. What is left after whole turns is
# a size, so one kernel serves all sizes; it copies rows.
# RUN: %{reshapec} explain %s | FileCheck %s --implicit-check-not="y dynamic" --implicit-check-not="looked up"
# RUN: %{reshapec} verify %s | FileCheck %s --check-prefix=PROOF
# RUN: %{reshapec} verify --emit=c --cc=%{cc} %s | FileCheck %s --check-prefix=PROOF
# PROOF: 6 of 6 graphs verified
# RUN: %{reshapec} run -e 'print(roll(arange(4, u8), 7, axes=0)); print(roll(arange(4, u8), -7, axes=0))' | FileCheck %s --check-prefix=NUMBERS
# NUMBERS:      [1 2 3 0]
# NUMBERS:      [3 0 1 2]

# CHECK: graph rows(x: u8[A, B]) -> y: u8[A, B]
# CHECK: copy B*edge(-A*(3//A)+3, A) elements
graph rows(x: u8[A, B]) -> y {
    y = roll(x, 3, axes=0)
}

graph back(x: u8[A, B]) -> y {
    y = roll(x, -3, axes=0)
}

# With at least three rows there is no turn.
# CHECK: graph short(
# CHECK: copy 3*B elements
graph short(x: u8[A, B]) -> y where A >= 3 {
    y = roll(x, 3, axes=0)
}

graph both(x: f32[A, B]) -> y {
    y = roll(x, [-3, 5], axes=[0, 1]) |> transpose()
}

# CHECK: graph flat(
graph flat(x: u8[A, B]) -> y {
    y = roll(x, 5)
}

# CHECK: graph undone(
# CHECK-NEXT: y alias
graph undone(x: u8[A, B]) -> y {
    v = roll(x, 3, axes=0)
    y = roll(v, -3, axes=0)
}
