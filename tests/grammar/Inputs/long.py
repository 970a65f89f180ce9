# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a graph of the greatest depth and of great lengths."""

print("graph g(x: f32[2]) -> y {")
print("  pipe = x" + "\n    # a stage\n    |> f()" * 50000 + " |> f()" * 50000)
print("  list = [" + "7, " * 100000 + "]")
print("  deepest = " + "[" * 255 + "1" + "]" * 255)
print("  brackets = " + "(" * 256 + "1" + ")" * 256)
print('  text = "' + "a" * 2000000 + '"')
print("  y = x\n" * 20000 + "}")
