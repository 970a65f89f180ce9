# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exceptions."""
from __future__ import annotations

from typing import Any


class CompileError(ValueError):
    """Source text or a model is invalid. The error text has the line and a caret; `messages` has each message as a dictionary.

    >>> import reshapec as rs
    >>> rs.compile("graph f(x: f32[2]) -> y { y = transpos(x) }")
    Traceback (most recent call last):
    ...
    reshapec.CompileError: <text>:1:31: error: no operator or graph is called 'transpos'; did you mean 'transpose'?
    graph f(x: f32[2]) -> y { y = transpos(x) }
                                  ^~~~~~~~
    """

    __module__ = "reshapec"  # as users import it, and as tracebacks show it
    messages: list[dict[str, Any]] = []


class CallError(ValueError):
    """Arrays do not fit a kernel."""

    __module__ = "reshapec"


class PatternError(ValueError):
    """A pattern is invalid, or does not fit the array or the sizes that are given."""

    __module__ = "reshapec"
