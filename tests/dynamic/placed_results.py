#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""placed_results.py --reshapec build/reshapec --cc cc --work DIR: a transposed and reshaped matrix, in column-major order.

For more columns, more moves are needed than a plan has room for: the result is then copied in two steps.
"""

import os
import sys

import numpy as np

sys.dont_write_bytecode = True  # no __pycache__ next to the sources
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

import dynamic  # noqa: E402
import harness  # noqa: E402
from graph import write_file  # noqa: E402

GRAPHS = """
graph turned(x: f32[*], s: i64[2]) -> y {
    y = x |> transpose([1, 0]) |> reshape(s)
}
"""


def main():
    compiler, _ = harness.parse_arguments(__doc__)
    path, wrong, calls = compiler.path("graphs.rsh"), 0, 0
    write_file(path, [GRAPHS])
    program = dynamic.Program(compiler, path, "graphs")
    for rows, columns in (5, 7), (13, 11), (61, 59), (127, 113):
        x = np.arange(rows * columns, dtype=np.float32).reshape(rows, columns)
        for sizes in (rows, columns), (columns, rows):
            y = np.zeros(sizes, np.float32, order="F")
            values = {"x": x, "s": np.array(sizes), "y": y, "plan": program.plan("turned")}
            status = program.call("turned", values)
            calls += 1
            if status != "ok" or (y != x.T.reshape(sizes)).any():
                wrong += 1
                print(f"{rows} rows, {columns} columns, as {sizes}: {status}")
    print(f"{calls} calls, {wrong} wrong")


main()
