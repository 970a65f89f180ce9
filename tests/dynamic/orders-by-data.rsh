# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The order of axes, and which axes are flipped, rolled, padded or cropped, may be tensors, or lists that hold them.
# RUN: %{python} %S/Inputs/by_data.py --reshapec %{reshapec} --cc %{cc} --work %t %s
# RUN: %{reshapec} verify %s
# RUN: %{reshapec} --dump=graph %s | FileCheck --check-prefix=SIZES %s

# SIZES: y: i32[?, ?, ?] = transpose(%0, perm=i64 [?, ?, ?])
# CALL order(x=arange(24).reshape(2, 3, 4), p=[2, 0, 1]) is x.transpose(2, 0, 1)
# CALL order(x=arange(24).reshape(2, 3, 4), p=[0, 1, 2]) is x
# CALL order(x=arange(24).reshape(2, 3, 4), p=[0, 1, 1]) is bad_perm
# CALL order(x=arange(24).reshape(2, 3, 4), p=[-1, 1, 0]) is bad_perm
# CALL order(x=arange(24).reshape(2, 3, 4), p=[0, 1, 3]) is bad_perm
graph order(x: i32[2, 3, 4], p: i64[3]) -> y { y = transpose(x, p) }

# A tensor without a known length: the rank is the operand's.
# SIZES: y: i32[?, ?, ?] = transpose(%0, perm=i32 [...])
# CALL any_order(K=3, x=arange(24).reshape(2, 3, 4), p=[1, 2, 0]) is x.transpose(1, 2, 0)
# CALL any_order(K=2, x=arange(24).reshape(2, 3, 4), p=[1, 0]) is bad_perm
graph any_order(x: i32[2, 3, 4], p: i32[K]) -> y { y = transpose(x, p) }

# CALL last_two(A=2, B=3, x=arange(24).reshape(2, 3, 4), p=[2, 1]) is x.transpose(0, 2, 1)
# CALL last_two(A=2, B=3, x=arange(24).reshape(2, 3, 4), p=[0, 1]) is bad_perm
graph last_two(x: i32[A, B, 4], p: u8[2]) -> y { y = transpose(x, [0, p[0], p[1]]) }

# SIZES: y: i32[2, 3, 4] = flip(%0, axes=i64 [?, ?])
# CALL turned(x=arange(24).reshape(2, 3, 4), a=[0, -1]) is x[::-1, :, ::-1]
# CALL turned(x=arange(24).reshape(2, 3, 4), a=[2, -1]) is duplicate_axis
# CALL turned(x=arange(24).reshape(2, 3, 4), a=[2, 3]) is bad_axis
graph turned(x: i32[2, 3, 4], a: i64[2]) -> y { y = flip(x, a) }

# SIZES: y: i32[2, 3, 4] = flip(%0, axes=i64 [...])
# CALL any_turned(K=0, x=arange(24).reshape(2, 3, 4), a=zeros(0)) is x
# CALL any_turned(K=3, x=arange(24).reshape(2, 3, 4), a=[0, 1, 2]) is x[::-1, ::-1, ::-1]
# CALL any_turned(K=4, x=arange(24).reshape(2, 3, 4), a=[0, 1, 2, 1]) is duplicate_axis
graph any_turned(x: i32[2, 3, 4], a: i64[K]) -> y { y = flip(x, a) }

# CALL shifted(x=arange(24).reshape(2, 3, 4), s=[1, -2], a=[1, 2]) is roll(x, (1, -2), (1, 2))
# CALL shifted(x=arange(24).reshape(2, 3, 4), s=[1, -2], a=[1, 1]) is roll(x, -1, 1)
# CALL shifted(x=arange(24).reshape(2, 3, 4), s=[1, -2], a=[1, -4]) is bad_axis
graph shifted(x: i32[2, 3, 4], s: i64[2], a: i64[2]) -> y { y = roll(x, s, axes=a) }

# More axes than are cut at once are done one by one.
# CALL often(A=2, x=arange(48).reshape(2, 3, 8), a=[2, 2, 1, 0, -1]) is roll(x, (3, 1, 1), (2, 1, 0))
# CALL often(A=2, x=arange(48).reshape(2, 3, 8), a=[2, 2, 1, 0, 3]) is bad_axis
graph often(x: i32[A, 3, 8], a: i64[5]) -> y { y = roll(x, 1, axes=a) }

# SIZES: y: i32[?, ?, ?] = pad(%0, pads=[1, 0, 2, 1], axes=i64 [?, ?])
# CALL bordered(x=arange(24).reshape(2, 3, 4), a=[2, 0]) is pad(x, [(0, 1), (0, 0), (1, 2)])
# CALL bordered(x=arange(24).reshape(2, 3, 4), a=[2, -1]) is duplicate_axis
# CALL bordered(x=arange(24).reshape(2, 3, 4), a=[2, 5]) is bad_axis
graph bordered(x: i32[2, 3, 4], a: i64[2]) -> y { y = pad(x, [1, 0, 2, 1], axes=a) }

# CALL any_bordered(L=2, K=1, x=arange(24).reshape(2, 3, 4), s=[1, 2], a=[1]) is pad(x, [(0, 0), (1, 2), (0, 0)])
# CALL any_bordered(L=2, K=2, x=arange(24).reshape(2, 3, 4), s=[1, 2], a=[1, 0]) is bad_length
graph any_bordered(x: i32[2, 3, 4], s: i64[L], a: i64[K]) -> y { y = pad(x, s, axes=a) }

# CALL repeated(A=2, B=3, x=arange(24).reshape(2, 3, 4), a=[2, 1]) is pad(x, [(0, 0), (0, 1), (5, 2)], "wrap")
# CALL repeated(A=0, B=3, x=zeros((0, 3, 4)), a=[0, 1]) is bad_dim
graph repeated(x: i32[A, B, 4], a: i64[2]) -> y { y = pad(x, [5, 0, 2, 1], axes=a, mode="wrap") }

# CALL cut(x=arange(24).reshape(2, 3, 4), a=[2, 0]) is pad(x[:, :, 1:3], [(1, 1), (0, 0), (0, 0)])
# CALL cut(x=arange(24).reshape(2, 3, 4), a=[2, 2]) is duplicate_axis
graph cut(x: i32[2, 3, 4], a: i64[2]) -> y { y = center_crop_pad(x, [2, 4], axes=a) }
