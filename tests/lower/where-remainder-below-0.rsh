# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The left side of a remainder in a condition may be below 0; the remainder is at least 0, as in Python.
# RUN: %{reshapec} check %s && %{reshapec} verify %s
# RUN: rm -rf %t && mkdir %t && cd %t && %{python} -c "import numpy as np; [np.save(f'x{c}.npy', np.zeros((c, 2), 'u1')) for c in range(9)]"
# RUN: for c in 0 1 2 3 4 5 6 7 8; do %{reshapec} run %s multiple x=x$c.npy y=y.npy >/dev/null 2>&1 && echo multiple $c; \
# RUN:   %{reshapec} run %s less x=x$c.npy y=y.npy >/dev/null 2>&1 && echo less $c; done > out; true
# RUN: %{python} -c "[print(n) for c in range(9) for n, ok in ((f'multiple {c}', -c %% 4 == 0), (f'less {c}', (3 - 2*c) %% 5 < 2 and c > 0)) if ok]" | diff - %t/out
graph multiple(x: u8[C, 2]) -> y where -C % 4 == 0 {
    y = flip(x, axes=0)
}

graph less(x: u8[C, 2]) -> y where (3 - 2*C) % 5 < 2, 1 <= C {
    y = flip(x, axes=0)
}
