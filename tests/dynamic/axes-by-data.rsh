# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The axes of size 1 to add or drop may be a tensor; its length decides the rank of the result.
# RUN: %{python} %S/Inputs/by_data.py --reshapec %{reshapec} --cc %{cc} --work %t %s
# RUN: %{reshapec} verify %s
# RUN: %{reshapec} --dump=graph %s | FileCheck --check-prefix=SIZES %s

# SIZES: y: i32[?, ?, ?, ?] = unsqueeze(%0, axes=i64 [?, ?])
# CALL added(x=arange(6).reshape(2, 3), a=[0, -1]) is x.reshape(1, 2, 3, 1)
# CALL added(x=arange(6).reshape(2, 3), a=[1, 1]) is duplicate_axis
# CALL added(x=arange(6).reshape(2, 3), a=[0, 4]) is bad_axis
graph added(x: i32[2, 3], a: i64[2]) -> y { y = unsqueeze(x, a) }

# SIZES: y: i32[*] = unsqueeze(%0, axes=i64 [...])
# CALL any_added(K=3, x=arange(6).reshape(2, 3), a=[0, 1, 4]) is x.reshape(1, 1, 2, 3, 1)
# CALL any_added(K=15, x=arange(6).reshape(2, 3), a=arange(15)) is rank_limit
graph any_added(x: i32[2, 3], a: i64[K]) -> y { y = unsqueeze(x, a) }

# SIZES: y: i32[?, ?] = squeeze(%0, axes=i32 [?])
# CALL dropped(x=arange(6).reshape(1, 6, 1), a=[2]) is x.reshape(1, 6)
# CALL dropped(x=arange(6).reshape(1, 6, 1), a=[0]) is x.reshape(6, 1)
# CALL dropped(x=arange(6).reshape(1, 6, 1), a=[1]) is not_one
# CALL dropped(x=arange(6).reshape(1, 6, 1), a=[3]) is bad_axis
graph dropped(x: i32[1, 6, 1], a: i32[1]) -> y { y = squeeze(x, a) }

# Two axes that may be the same.
# SIZES: y: i32[*] = squeeze(%0, axes=i64 [?, ?])
# CALL two(x=arange(6).reshape(1, 6, 1), a=[2, 0]) is x.reshape(6)
# CALL two(x=arange(6).reshape(1, 6, 1), a=[2, -1]) is x.reshape(1, 6)
graph two(x: i32[1, 6, 1], a: i64[2]) -> y { y = squeeze(x, a) }
