# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# NAME_shape returns the sizes of the result's type. In graphs for the runtime it returned the sizes in memory, which are
# those of a file.
# RUN: %{reshapec} explain %s | FileCheck %s
# CHECK: a dynamic
# RUN: %{reshapec} verify %s | grep '1 of 1 graph'
# RUN: %{reshapec} verify --emit=c --cc=%{cc} %s | grep '1 of 1 graph'
# RUN: %{python} -c 'import numpy, sys; numpy.save(sys.argv[1], numpy.arange(6, dtype="f4").reshape(2, 3))' %t.x.npy
# RUN: %{reshapec} run %s x=%t.x.npy a=%t.a.npy
# RUN: %{python} -c 'import numpy, sys; print(numpy.load(sys.argv[1]).tolist())' %t.a.npy | FileCheck %s --check-prefix=FILE
# FILE: {{\[\[3.0, 0.0\], \[4.0, 1.0\], \[5.0, 2.0\]\]}}
graph m(x: f32[A, B]) -> a: f32[A, B] layout "a b -> b a" { a = roll(x, [1, 2], axes=[0, 0]) }
