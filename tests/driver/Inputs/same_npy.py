# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""same_npy.py FILE EXPRESSION: checks that the file contains the value of the expression: type, shape and elements."""

import sys

import numpy as np

found, wanted = np.load(sys.argv[1]), np.asarray(eval(sys.argv[2]))  # the tests' own expressions
if found.dtype != wanted.dtype or found.shape != wanted.shape or found.tobytes() != wanted.tobytes():
    sys.exit(f"{sys.argv[1]} holds {found.dtype}{list(found.shape)} {found.ravel()[:20]}\n"
             f"and not {wanted.dtype}{list(wanted.shape)} {wanted.ravel()[:20]}")
