# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An entry of a u64 list from 2^63 on does not fit a size, even if the result has no elements. Entries that are not used
# are not checked.
# RUN: %{python} %S/Inputs/by_data.py --reshapec %{reshapec} --cc %{cc} --work %t %s
# RUN: %{reshapec} verify %s

# CALL tiled(A=0, x=zeros((1, 0)), t=[2**64 - 1, 2]) is overflow
# CALL tiled(A=0, x=zeros((1, 0)), t=[3, 2**63]) is overflow
# CALL tiled(A=0, x=zeros((1, 0)), t=[3, 2]) is zeros((3, 0))
# CALL tiled(A=0, x=zeros((1, 0)), t=[3, 2**63 - 1]) is zeros((3, 0))
graph tiled(x: i32[1, A], t: u64[2]) -> y { y = tile(x, t) }

# CALL taken(A=2, x=[[1, 2]], t=[2**64 - 1, 2]) is tile(x, (2, 1))
# CALL taken(A=0, x=zeros((1, 0)), t=[5, 2**64 - 1]) is overflow
graph taken(x: i32[1, A], t: u64[2]) -> y { y = tile(x, [t[1], 1]) }

# CALL shaped(A=0, x=zeros((1, 0)), t=[2**63, 0]) is overflow
graph shaped(x: i32[1, A], t: u64[2]) -> y { y = openvino.reshape(x, t, special_zero=true) }

# CALL cut(A=2, x=[[1, 2]], e=[1, 2**63]) is overflow
# CALL cut(A=2, x=[[1, 2]], e=[1, 2**63 - 1]) is x
graph cut(x: i32[1, A], e: u64[2]) -> y { y = slice(x, [0, 0], e) }
