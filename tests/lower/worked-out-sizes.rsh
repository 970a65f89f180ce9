# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A condition does not replace a size by one computed from it: N stays N here, even if it must be N//2 + 1.
# RUN: %{reshapec} --dump=graph %s | FileCheck %s
# RUN: mkdir -p %t && cd %t && %{python} -c "import numpy as np; [np.save(f'x{n}.npy', np.arange(4 * n, dtype='f4').reshape(n, 4)) for n in (0, 1, 2, 3)]"
# RUN: cd %t && %{reshapec} run %s half x=x2.npy y=y.npy && %{python} -c "import numpy as np; print(np.load('y.npy').tolist())" | FileCheck %s --check-prefix=HALF
# RUN: cd %t && not %{reshapec} run %s half x=x3.npy y=y.npy 2>&1 | FileCheck %s --check-prefix=REFUSED

#      CHECK:graph half
# CHECK-NEXT:x: f32[N, 4] = input
# CHECK-NEXT:where 1 == N-N//2 or bad_length
#       HALF:{{^}}{{\[\[}}5.0, 4.0, 6.0, 7.0]]
#    REFUSED:graph 'half' takes only sizes with 1 == N-N//2, but N = 3: lists that belong together differ in length
graph half(x: f32[N, 4]) -> y {
    y = x[N//2:] |> reverse_sequence(lengths=[2], batch_axis=0, time_axis=1)
}

#      CHECK:graph last
# CHECK-NEXT:x: f32[N, N, 4] = input
graph last(x: f32[N, N, 4]) -> y {
    y = x[N - 1:] |> reverse_sequence(lengths=[1], batch_axis=0, time_axis=1)
}

# M determines N.
#      CHECK:graph other
# CHECK-NEXT:x: f32[M//2+1, M] = input
graph other(x: f32[N, M]) -> y where N == M//2 + 1 { y = transpose(x) }
