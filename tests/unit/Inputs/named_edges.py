# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks with NumPy what tests/unit/named-edges.c wrote."""
import numpy as np

for path, names in ("far.npz", ["near", "far"]), ("many.npz", ["m0", "m65535"]), ("long.npz", ["n" * 65531, "x"]):
    archive = np.load(path)
    assert all(archive[name].tolist() == [1, 2, 3, 4] for name in names), path
    archive.close()
