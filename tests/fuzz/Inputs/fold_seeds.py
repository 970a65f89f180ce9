#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fold_seeds.py FOLDER: bytes of chains of operators, and of calls of one operator."""

import os
import random
import sys

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
for seed in range(40):
    with open(os.path.join(folder, str(seed)), "wb") as file:
        file.write(random.Random(seed).randbytes(8 + 10 * seed))
