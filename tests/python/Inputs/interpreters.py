# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A second interpreter of a process cannot import the package, and the first one goes on."""
import sys
import warnings

try:
    import _interpreters as interpreters  # Python 3.13
    run = interpreters.exec
except ImportError:
    import _xxsubinterpreters as interpreters
    run = interpreters.run_string

import numpy as np

import reshapec as rs

warnings.simplefilter("ignore")
x = np.arange(12, dtype="f4").reshape(3, 4)
assert (rs.rearrange(x, "a b -> b a") == x.T).all()
other = interpreters.create()
code = f"""
import sys, warnings
warnings.simplefilter("ignore")
sys.path[:] = {sys.path}
try:
    import reshapec
except ImportError as error:
    assert "one of them only" in str(error) or "subinterpreters" in str(error), error
else:
    raise AssertionError("imported twice")
"""
try:
    failure = run(other, code)
    assert failure is None, failure
finally:
    interpreters.destroy(other)
# New patterns and texts are compiled, and errors are those of this interpreter.
assert (rs.rearrange(x[:2], "a b -> b a") == x[:2].T).all()
try:
    rs.compile("graph f(")
except rs.CompileError as error:
    assert "expected" in str(error)
