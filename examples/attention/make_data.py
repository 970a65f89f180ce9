# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a fused projection as .npy, and NumPy's results: make_data.py FOLDER."""
import sys
from pathlib import Path

import numpy as np

folder = Path(sys.argv[1])
qkv = np.random.default_rng(1).standard_normal((8, 384, 2304), dtype=np.float32)
np.save(folder / "qkv.npy", qkv)
for name, part in zip("qkv", np.split(qkv, 3, axis=-1)):
    heads = part.reshape(8, 384, 12, 64).transpose(0, 2, 1, 3)
    np.save(folder / f"{name}.npy", np.ascontiguousarray(heads))
    if name == "q":
        np.save(folder / "merged.npy", np.ascontiguousarray(heads.transpose(0, 2, 1, 3).reshape(8, 384, 768)))
