# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A result of packed elements that are contiguous in an input, in a graph that also picks by a tensor of indices: this
# result has no pick.
# RUN: rm -rf %t && mkdir %t && cd %t
# RUN: %{python} -c "import numpy as n; n.save('x.npy', n.arange(3, dtype='u1')); n.save('i.npy', n.array([2, 0, 2])); n.save('s.npy', n.array([4, 6]))"
# RUN: %{reshapec} run %s x=x.npy i=i.npy s=s.npy y=y.npy z=z.npy
# RUN: %{python} -c "import numpy as n; assert n.load('y.npy').ravel().tolist() == [int(b) for x in (0, 1, 2) for b in f'{x:08b}'[::-1]] and n.load('z.npy').tolist() == [2, 0, 2]"
graph both(x: u8[A], i: i64[B], s: i64[2]) -> (y, z) {
    y = reshape(bitcast(x, u1), s)
    z = gather(x, i)
}
