# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The number of repetitions of each axis, as a whole or element by element, may be a tensor.
# RUN: %{python} %S/Inputs/by_data.py --reshapec %{reshapec} --cc %{cc} --work %t %s
# RUN: %{reshapec} verify %s

# CALL tiles(x=arange(6).reshape(2, 3), r=[2, 3]) is tile(x, (2, 3))
# CALL tiles(x=arange(6).reshape(2, 3), r=[1, 0]) is x[:, :0]
# CALL tiles(x=arange(6).reshape(2, 3), r=[1, -1]) is bad_dim
# CALL tiles(x=arange(6).reshape(2, 3), r=[2**62, 2]) is overflow
graph tiles(x: i32[2, 3], r: i64[2]) -> y { y = tile(x, r) }

# CALL of_any_length(K=2, x=arange(6).reshape(2, 3), r=[2, 1]) is tile(x, (2, 1))
# CALL of_any_length(K=3, x=arange(6).reshape(2, 3), r=[2, 1, 1]) is bad_length
# CALL of_any_length(K=100, x=arange(6).reshape(2, 3), r=ones(100)) is bad_length
graph of_any_length(x: i32[2, 3], r: i64[K]) -> y { y = tile(x, r) }

# CALL elements(x=arange(6).reshape(2, 3), r=[2, 3]) is repeat(repeat(x, 2, 0), 3, 1)
# CALL elements(x=arange(6).reshape(2, 3), r=[1, 1]) is x
# CALL elements(x=arange(6).reshape(2, 3), r=[-1, 1]) is bad_dim
graph elements(x: i32[2, 3], r: i64[2]) -> y { y = repeat(x, r) }

# CALL elements_of_any_length(K=2, x=arange(6).reshape(2, 3), r=[1, 2]) is repeat(x, 2, 1)
# CALL elements_of_any_length(K=50, x=arange(6).reshape(2, 3), r=ones(50)) is bad_length
graph elements_of_any_length(x: i32[2, 3], r: i64[K]) -> y { y = repeat(x, r) }
