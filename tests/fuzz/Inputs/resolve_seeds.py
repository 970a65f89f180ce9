#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""resolve_seeds.py FOLDER: bytes of a few calls of each operator."""

import os
import random
import sys

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
for op in range(80):
    for seed in range(3):
        with open(os.path.join(folder, f"{op}-{seed}"), "wb") as file:
            file.write(bytes([op]) + random.Random(100 * op + seed).randbytes(40))
