# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""bounds.py: models whose inputs have bounded sizes, and data for them."""

import numpy as np

from ir import Ir


def transposed(name, dims):
    ir = Ir()
    x = ir.parameter("x", dims)
    ir.result(ir.layer("Transpose", [x, ir.const([1, 0])], [[-1, -1]], name="y"))
    ir.write(name)


transposed("both", ["1..8", "..3"])
transposed("least", ["2..", ".."])
for number, bound in enumerate(["8..1", "a..2", "1..b", "-1..2", "1...2"]):
    transposed(f"bad{number}", [bound, 2])

ir = Ir()
x, target = ir.parameter("x", ["1..3", -1]), ir.parameter("t", [2], "i64")
ir.result(ir.layer("Reshape", [x, target], [[-1, -1]], name="y", special_zero="true"))
ir.write("dynamic")

for dims in [(8, 3), (9, 3), (0, 3), (8, 4)]:
    np.save(f"x{dims[0]}{dims[1]}.npy", np.zeros(dims, "f4"))
np.save("t.npy", np.array([-1, 1]))
