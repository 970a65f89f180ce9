# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sizes with the same name in several operands of a pattern are compared as soon as the operators before it have run:
# any status but bad_pattern would come from an operator that no text shows.
# RUN: %{python} %S/Inputs/by_data.py --reshapec %{reshapec} --cc %{cc} --work %t %s

# CALL joined(C=0, s=zeros(0), x=zeros((9, 1))) is bad_pattern
# CALL joined(C=1, s=zeros(1), x=zeros((8, 1))) is zeros((4, 2))
graph joined(s: u8[C], x: i32[9 - C, 1]) -> y {
    a, b = split(x, 0, 2)
    y = rearrange(a, b, "a b, a c -> a (b + c)")
}

# CALL turned(C=0, s=zeros(0), x=zeros((9, 2))) is bad_pattern
# CALL turned(C=1, s=zeros(1), x=zeros((8, 2))) is zeros((2, 4))
graph turned(s: u8[C], x: i32[9 - C, 2]) -> (y, z) {
    a, b = split(x, 0, 2)
    y, z = rearrange(a, b, "a b, a c -> b a, c a")
}
