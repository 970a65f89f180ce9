# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The amounts of a pad, positive or negative, may be a tensor, and so may the sizes of a center_crop_pad.
# RUN: %{python} %S/Inputs/by_data.py --reshapec %{reshapec} --cc %{cc} --work %t %s
# RUN: %{reshapec} verify %s

# CALL border(x=arange(6).reshape(2, 3), p=[1, 0, 0, 2]) is pad(x, ((1, 0), (0, 2)))
# CALL border(x=arange(6).reshape(2, 3), p=[0, -1, 0, 1]) is pad(x[:, 1:], ((0, 0), (0, 1)))
# CALL border(x=arange(6).reshape(2, 3), p=[0, -3, 0, -1]) is bad_dim
# CALL border(x=arange(6).reshape(2, 3), p=[2**62, 2**62, 0, 0]) is overflow
graph border(x: i32[2, 3], p: i64[4]) -> y { y = pad(x, p) }

# CALL of_any_length(K=4, x=arange(6).reshape(2, 3), p=[1, 0, 0, 2]) is pad(x, ((1, 0), (0, 2)), constant_values=7)
# CALL of_any_length(K=3, x=arange(6).reshape(2, 3), p=[1, 0, 0]) is bad_length
# CALL of_any_length(K=60, x=arange(6).reshape(2, 3), p=ones(60)) is bad_length
graph of_any_length(x: i32[2, 3], p: i64[K]) -> y { y = pad(x, p, value=7) }

# CALL edges(x=arange(6).reshape(2, 3), p=[1, 2]) is pad(x, ((0, 0), (1, 2)), mode="edge")
# CALL edges(x=arange(6).reshape(2, 3), p=[-3, 1]) is bad_dim
graph edges(x: i32[2, 3], p: i64[2]) -> y { y = pad(x, p, mode="edge", axes=[1]) }

# Four axes are done one after another.
# CALL reflected(x=arange(24).reshape(1, 2, 3, 4), p=[0, 1, 2, 5, 0, 0, 1, 7]) is pad(x, ((0, 0), (1, 0), (2, 1), (5, 7)), mode="reflect")
# CALL reflected(x=arange(24).reshape(1, 2, 3, 4), p=[0, 0, 0, 0, 0, 0, 0, 0]) is x
# CALL reflected(x=arange(24).reshape(1, 2, 3, 4), p=[0, -1, -1, 9, 0, 0, 9, 9]) is pad(x[:, 1:, 1:], ((0, 0), (0, 0), (0, 9), (9, 9)), mode="reflect")
graph reflected(x: i32[1, 2, 3, 4], p: i32[8]) -> y { y = pad(x, p, mode="reflect") }

# CALL wrapped(x=arange(24).reshape(1, 2, 3, 4), p=[0, 1, 2, 5, 0, 0, 1, 7], q=3) is pad(x, ((0, 3), (1, 0), (2, 1), (5, 7)), mode="wrap")
graph wrapped(x: i32[1, 2, 3, 4], p: i32[8], q: i32) -> y {
    y = pad(x, [p[0], p[1], p[2], p[3], q, p[5], p[6], p[7]], mode="wrap")
}

# CALL centered(x=arange(12).reshape(4, 3), s=[2, 6]) is pad(x[1:3], ((0, 0), (1, 2)))
# CALL centered(x=arange(12).reshape(4, 3), s=[5, 0]) is zeros((5, 0))
# CALL centered(x=arange(12).reshape(4, 3), s=[5, -1]) is bad_dim
graph centered(x: i32[4, 3], s: i64[2]) -> y { y = center_crop_pad(x, s) }

# CALL centered_of_any_length(K=2, x=arange(12).reshape(4, 3), s=[2, 3]) is x[1:3]
# CALL centered_of_any_length(K=1, x=arange(12).reshape(4, 3), s=[2]) is bad_length
# CALL centered_of_any_length(K=90, x=arange(12).reshape(4, 3), s=ones(90)) is bad_length
graph centered_of_any_length(x: i32[4, 3], s: i64[K]) -> y { y = center_crop_pad(x, s) }
