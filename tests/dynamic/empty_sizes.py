#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shapes with a 0 and huge other sizes: if numpy can hold them in bytes they are a tensor in every tier, otherwise
`overflow` in all of them.

    empty_sizes.py --reshapec build/reshapec --cc cc --work DIR
"""

import os
import sys

import numpy as np

sys.dont_write_bytecode = True  # no __pycache__ next to the sources
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

import dynamic  # noqa: E402
import harness  # noqa: E402
from graph import write_file  # noqa: E402

SHAPES = [
    (0, 2**63 - 1, 1),
    (2**62, 0, 1),
    (0, 2**62, 2),
    (2**62, 2, 0),
    (2**62, 0, 2),
    (2**31, 2**32 - 1, 0),
    (2**31, 2**32, 0),
    (0, 2**32, 2**32),
    (0, 2**63 - 1, 0),
    (0, 0, 0),
]
# The same in the symbolic tier, with a target that is data, and of any rank.
GRAPHS = """
graph symbols(x: u8[N, M, K]) -> y {
    y = transpose(x, [2, 0, 1])
}
graph target(x: u8[N, M, K], s: i64[3]) -> y {
    y = reshape(x, s, allowzero=1)
}
graph any(x: u8[*]) -> y {
    y = transpose(x, [2, 0, 1])
}
"""


def numpy_holds(dims):
    try:
        return np.zeros(dims, np.uint8)
    except ValueError:
        return None


def static_verdict(compiler, dims):
    n, m, k = dims
    text = f"graph f(x: u8[{n}, {m}, {k}]) -> y {{ y = transpose(x, [2, 0, 1]) }}\n"
    kinds = [d["kind"] for d in compiler.errors_by_graph("static", [text])[0]]
    return kinds or [k, n, m]


def call(program, name, dims, array):
    n, m, k = dims
    empty, sizes = np.zeros(0, np.uint8), {"N": n, "M": m, "K": k}
    if name == "symbols":
        inputs = {"x": empty}
    elif name == "target":
        inputs = {"x": empty, "s": np.array([k, n, m])}
    else:
        sizes, inputs = {}, {"x": array}
    made = program.run(name, sizes, inputs, {"y": "u1"})
    return [made] if isinstance(made, str) else list(made["y"].shape)


def main():
    compiler, _ = harness.parse_arguments(__doc__)
    path, wrong, held = compiler.path("graphs.rsh"), 0, 0
    write_file(path, [GRAPHS])
    programs = {
        "object": dynamic.Program(compiler, path, "graphs"),
        "C": dynamic.Program(compiler, path, "graphs_c", "--emit=c"),
    }
    for dims in SHAPES:
        array = numpy_holds(dims)
        held += array is not None
        expect = ["overflow"] if array is None else [dims[2], dims[0], dims[1]]
        found = {"static": static_verdict(compiler, dims)}
        for name in ("symbols", "target", "any"):
            if name != "any" or array is not None:  # what numpy cannot hold, it cannot pass on
                for kind, program in programs.items():
                    found[f"{name}, {kind}"] = call(program, name, dims, array)
        for tier, verdict in found.items():
            if verdict != expect:
                wrong += 1
                print(f"{dims} {tier}: {verdict}, expected {expect}")
    print(f"{len(SHAPES)} shapes, numpy holds {held}, {wrong} wrong")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
