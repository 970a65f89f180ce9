# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a graph with one expression of 100,000 levels, and a mistake in the next statement.

    deep.py open '('             ((((...
    deep.py closed 'f(' x ')'    f(f(f(...x...)))
"""

import sys

mode, before, *rest = sys.argv[1:]
inner, after = rest if mode == "closed" else ("1", "")
print("graph g(x: f32[2]) -> y {")
print("  y = " + before * 100000 + inner + after * 100000)
print("  z * * 2")
print("}")
