# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""make_npy.py FILE EXPRESSION: saves what the expression gives, numpy being np."""

import sys

import numpy as np

np.save(sys.argv[1], eval(sys.argv[2]))  # the tests' own expressions
