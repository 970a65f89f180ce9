# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The reshape requires N == K, unless M is 0: then nothing has elements, and the call compares the declared sizes of the
# result. x is 3 by 0, and K is 3.
# RUN: %{reshapec} run %s x=%S/Inputs/x30.npy z=%S/Inputs/z3.npy y=%t.npy
# RUN: %{python} -c 'import numpy, sys; print(numpy.load(sys.argv[1]).shape)' %t.npy | FileCheck %s
# CHECK: (3, 0)
# RUN: %{reshapec} verify %s | grep '1 of 1 graph'
# RUN: %{reshapec} verify --emit=c --cc=%{cc} %s | grep '1 of 1 graph'
graph d7(x: f32[N, M], z: f32[K]) -> y: f32[N, M] { y = reshape(x, [K, M]) }
