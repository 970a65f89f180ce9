# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""casts.py RESHAPEC FILE: runs each graph of FILE on random elements and compares with its NUMPY line."""
import re
import subprocess
import sys

import numpy as np

TYPES = {"f16": "f2", "f32": "f4", "f64": "f8", "bool": "?", **{f"{k}{8 * n}": f"{k}{n}" for k in "iu" for n in (1, 2, 4, 8)}}
rng = np.random.default_rng(7)


def array(dtype, dims):
    shape = [int(d) for d in dims.split(",")] if dims else []
    values = rng.integers(-200, 200, shape) if dtype[0] in "iu" else rng.normal(0, 50, shape)
    if dtype[1:] in ("1", "2", "4"):  # numpy has a byte for each
        low = -(1 << int(dtype[1:]) - 1) if dtype[0] == "i" else 0
        return rng.integers(low, low + (1 << int(dtype[1:])), shape).astype(dtype[0] + "1")
    return np.asarray(values).astype(TYPES[dtype])


def main(reshapec, path):
    text = open(path, encoding="utf-8").read()
    graphs = re.findall(r"^graph (\w+)\((.*?)\) ->.*\n *# NUMPY (.*)", text, re.MULTILINE)
    for name, inputs, expression in graphs:
        given = {n: array(t, d) for n, t, d in re.findall(r"(\w+): (\w+)(?:\[([^\]]*)\])?", inputs)}
        for n, value in given.items():
            np.save(f"{n}.npy", value)
        files = [f"{n}={n}.npy" for n in given]
        subprocess.run([reshapec, "run", path, name, *files, "y=out.npy"], check=True)
        found, wanted = np.load("out.npy"), np.asarray(eval(expression, {"np": np, **given}))  # the tests' own
        if found.dtype != wanted.dtype or found.shape != wanted.shape or not np.array_equal(found, wanted):
            sys.exit(f"{name}: {found.dtype}{found.shape} {found.ravel()}, not {wanted.dtype}{wanted.shape} {wanted.ravel()}")
    print(len(graphs), "graphs")


main(*sys.argv[1:])
