# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The lists of a slice may be tensors that are read at run time: one of them, some, or all. They mean the same as lists
# in the text, and errors in them are a status.
# RUN: %{python} %S/Inputs/by_data.py --reshapec %{reshapec} --cc %{cc} --work %t %s
# RUN: %{reshapec} verify %s
# RUN: %{reshapec} explain %s | FileCheck --check-prefix=WHY %s
# RUN: %{reshapec} --emit=rsh -o - %s | FileCheck --check-prefix=TEXT %s
# RUN: %{reshapec} --dump=graph %s | FileCheck --check-prefix=SIZES %s

# WHY: graph rows
# WHY: why    'starts' of slice is data
# TEXT: y = slice(x, starts=s, ends=e)
# SIZES: y: i32[0..4, 3] = slice(%0, starts=i64 [?], ends=i32 [?])
# CALL rows(x=arange(12).reshape(4, 3), s=[1], e=[3]) is x[1:3]
# CALL rows(x=arange(12).reshape(4, 3), s=[-2], e=[100]) is x[-2:]
# CALL rows(x=arange(12).reshape(4, 3), s=[3], e=[1]) is x[3:1]
# CALL rows(x=arange(12).reshape(4, 3), s=[-2**63], e=[2**31 - 1]) is x
graph rows(x: i32[4, 3], s: i64[1], e: i32[1]) -> y { y = slice(x, s, e) }

# WHY: graph ends
# WHY: why    'ends' of slice is data
# CALL ends(N=5, x=arange(10).reshape(5, 2), e=[-1]) is x[1:-1]
# CALL ends(N=0, x=zeros((0, 2)), e=[-1]) is x
graph ends(x: i32[N, 2], e: i64[1]) -> y { y = slice(x, [1], e) }

# An entry may be a tensor, of one element or with a subscript.
# TEXT: y = slice(x, starts=[0, n], ends=[e[1], 3])
# CALL entries(x=arange(12).reshape(4, 3), n=1, e=[7, 2]) is x[0:2, 1:3]
graph entries(x: i32[4, 3], n: i64, e: i64[2]) -> y { y = slice(x, [0, n], [e[1], 3]) }

# A single integer means a list of one.
# CALL one(x=arange(12).reshape(4, 3), n=2) is x[2:]
graph one(x: i32[4, 3], n: u8) -> y { y = slice(x, n, 4) }

# WHY: graph steps
# WHY: why    'steps' of slice is data
# CALL steps(x=arange(12).reshape(4, 3), t=[2, -1]) is x[::2, ::-1]
# CALL steps(x=arange(12).reshape(4, 3), t=[1, 1]) is x[:, 2:0]
# CALL steps(x=arange(12).reshape(4, 3), t=[1, 0]) is bad_step
graph steps(x: i32[4, 3], t: i64[2]) -> y { y = slice(x, [0, 2], [4, -9], steps=t) }

# Data may decide how many axes are cut, and which.
# SIZES: y: i32[0..4, 0..3] = slice(%0, starts=i64 [...], ends=i64 [...], axes=i64 [...])
# CALL any_axes(K=1, x=arange(12).reshape(4, 3), s=[1], e=[2], a=[-1]) is x[:, 1:2]
# CALL any_axes(K=2, x=arange(12).reshape(4, 3), s=[1, 2], e=[2, 4], a=[1, 0]) is x[2:4, 1:2]
# CALL any_axes(K=0, x=arange(12).reshape(4, 3), s=[], e=[], a=[]) is x
# CALL any_axes(K=1, x=arange(12).reshape(4, 3), s=[1], e=[2], a=[2]) is bad_axis
# CALL any_axes(K=2, x=arange(12).reshape(4, 3), s=[1, 1], e=[2, 2], a=[1, -1]) is duplicate_axis
# CALL any_axes(K=40, x=arange(12).reshape(4, 3), s=zeros(40), e=ones(40), a=zeros(40)) is duplicate_axis
graph any_axes(x: i32[4, 3], s: i64[K], e: i64[K], a: i64[K]) -> y { y = slice(x, s, e, a) }

# CALL lengths(K=2, x=arange(12).reshape(4, 3), s=[1, 2]) is bad_length
# CALL lengths(K=1, x=arange(12).reshape(4, 3), s=[3]) is x[3:4]
graph lengths(x: i32[4, 3], s: i64[K]) -> y { y = slice(x, s, [4]) }

# CALL too_many(K=3, x=arange(12).reshape(4, 3), s=[0, 0, 0]) is bad_axis
# CALL too_many(K=2, x=arange(12).reshape(4, 3), s=[0, 1]) is x[0:0, 1:1]
graph too_many(x: i32[4, 3], s: i64[K]) -> y { y = slice(x, s, s) }

# Later operators use the resulting sizes.
# CALL on(x=arange(12).reshape(4, 3), s=[2]) is concatenate([x[2:].T, x[2:].T]).reshape(-1, 2)
# CALL on(x=arange(12).reshape(4, 3), s=[3]) is concatenate([x[3:].T, x[3:].T]).reshape(-1, 2)
graph on(x: i32[4, 3], s: i64[1]) -> y {
    t = slice(x, s, [4]) |> transpose([1, 0])
    y = concat(t, t, axis=0) |> reshape([-1, 2])
}

# Declared sizes are checked.
# CALL declared(x=arange(12).reshape(4, 3), s=[2]) is x[2:]
# CALL declared(x=arange(12).reshape(4, 3), s=[1]) is shape_mismatch
graph declared(x: i32[4, 3], s: i64[1]) -> y: i32[2, 3] { y = slice(x, s, [4]) }

# Tensors of any rank: a single integer is a list of one, two axes are not a list.
# CALL any_rank(x=arange(12).reshape(4, 3), s=[1], e=[3]) is x[1:3]
# CALL any_rank(x=arange(12).reshape(2, 2, 3), s=1, e=[3]) is x[1:3]
# CALL any_rank(x=arange(12).reshape(4, 3), s=[1, 2], e=[3]) is bad_length
# CALL any_rank(x=arange(12).reshape(4, 3), s=[[1]], e=[3]) is bad_arg
# CALL any_rank(x=5, s=[1], e=[3]) is bad_axis
graph any_rank(x: i32[*], s: i64[*], e: i64[*]) -> y { y = slice(x, s, e) }
