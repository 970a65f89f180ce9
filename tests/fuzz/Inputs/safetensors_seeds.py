# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""safetensors_seeds.py FOLDER: small files of named tensors, as written by the safetensors package."""
import os
import sys

import ml_dtypes
import numpy as np
from safetensors.numpy import save_file

FOLDER = sys.argv[1]
TYPES = ["f8", "f4", "f2", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "?", "c8",
         ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2]

os.makedirs(FOLDER, exist_ok=True)
for number, kind in enumerate(TYPES):
    tensors = {"w": np.ones((2, 3), kind), "none": np.ones((0, 4), kind), "one": np.ones((), kind)}
    save_file(tensors, os.path.join(FOLDER, str(number)), metadata={"format": "pt"} if number % 2 else None)
odd = {"a\"\\\n\u00e9": np.arange(3, dtype="u1"), "after": np.arange(4, dtype="i4"), "z": np.zeros((1,) * 8, "u2")}
save_file(odd, os.path.join(FOLDER, "names"))
