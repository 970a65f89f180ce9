# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# N = 0 has its own variant, whose clamped sizes differ from those of N >= 1. `run` took them for the same.
# RUN: %{python} -c 'import numpy, sys; numpy.save(sys.argv[1], numpy.zeros(0, "f4")); numpy.save(sys.argv[2], numpy.zeros((0, 1), "f4"))' %t.a.npy %t.x.npy
# RUN: %{reshapec} run %s a=%t.a.npy x=%t.x.npy y=%t.y.npy
# RUN: %{python} -c 'import numpy, sys; print(numpy.load(sys.argv[1]).shape)' %t.y.npy | FileCheck %s
# CHECK: (0, 1)
graph f(a: f32[N], x: f32[0, M]) -> y { y = x[:, N:3] }
