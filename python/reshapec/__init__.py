# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Chains of reshape and layout operators, compiled to one kernel.

>>> import numpy as np, reshapec as rs
>>> x = np.arange(24, dtype="f4").reshape(1, 4, 6)
>>> rs.rearrange(x, "b s (h d) -> b h s d", h=2).shape
(1, 2, 4, 3)
>>> swap = rs.compile("graph swap(x: u8[N, 4]) -> y { y = x |> reshape([-1, 2, 2]) |> transpose([0, 2, 1]) }")
>>> swap(np.arange(4, dtype="u1").reshape(1, 4)).tolist()
[[[0, 2], [1, 3]]]
"""
from reshapec._core import version as _version
from reshapec._errors import CallError, CompileError, PatternError
from reshapec._kernel import Kernel, Module, compile
from reshapec._pattern import pack, rearrange, repeat, unpack
from reshapec._trace import concat, jit, pad, stack

__version__ = _version()
__all__ = ["CallError", "CompileError", "Kernel", "Module", "PatternError", "compile", "concat", "jit", "pack", "pad", "rearrange",
           "repeat", "stack", "unpack"]
