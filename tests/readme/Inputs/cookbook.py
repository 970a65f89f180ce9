# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the recipes of a page on data: cookbook.py RESHAPEC PAGE, in a folder that it may write to.

A recipe is a heading, a graph (```rsh NAME.rsh) and the same in NumPy (```python). Both get the same random inputs;
results must agree to the bit, and with a softmax to a few units in the last place.
"""

import re
import subprocess
import sys

import numpy as np

RECIPE = re.compile(r"^### ([^\n]+)\n(?:(?!^##).)*?^```rsh (\S+)\n(.*?)^```$.*?^```python\n(.*?)^```$", re.M | re.S)
HEAD = re.compile(r"^graph (\w+)\((.*?)\) -> (.*?)(?: where .*)? \{$", re.M)
TENSOR = re.compile(r"(\w+): ([a-z]\w*)\[(.*?)\]( strides| layout)?")
TYPES = {"u8": "u1", "i8": "i1", "u16": "u2", "i16": "i2", "i64": "i8", "f16": "f2", "f32": "f4"}
SIZES = {"B": 2, "S": 5, "N": 3, "P": 4, "T": 6, "H": 48, "W": 32}
PADDED = 2048  # elements per row of an input with strides

reshapec, page = sys.argv[1:]
random = np.random.default_rng(1)


def make_input(kind, sizes, is_strided):
    dims = [eval(size, dict(SIZES)) for size in sizes.split(",")]  # the page is our own
    if is_strided:
        dims = [dims[0], PADDED]
    if TYPES[kind][0] == "f":
        return random.standard_normal(dims).astype(TYPES[kind])
    bounds = np.iinfo(TYPES[kind])
    return random.integers(bounds.min, bounds.max, dims, TYPES[kind], endpoint=True)


def run(title, name, text, numpy_code):
    """Returns what is wrong with a recipe, or None."""
    graph, inputs, results = HEAD.search(text).groups()
    inputs = {n: make_input(kind, sizes, memory == " strides") for n, kind, sizes, memory in TENSOR.findall(inputs)}
    results = [found[0] for found in TENSOR.findall(results)]
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)
    for n, array in inputs.items():
        np.save(f"{n}.npy", array)
    files = [f"{n}={n}.npy" for n in [*inputs, *results]]
    done = subprocess.run([reshapec, "run", name, graph, *files], capture_output=True, text=True, check=False)
    if done.returncode or done.stderr:
        return f"{title}: exit {done.returncode}\n{done.stderr}"
    names = {"np": np, **inputs}
    exec(numpy_code, names)
    for n in results:
        found, wanted = np.load(f"{n}.npy"), np.ascontiguousarray(names[n])
        if (found.dtype, found.shape) != (wanted.dtype, wanted.shape):
            return f"{title}: {n} is {found.dtype}{found.shape}, NumPy has {wanted.dtype}{wanted.shape}"
        is_near = "softmax" in text and np.allclose(found, wanted, rtol=1e-6, atol=0)
        if found.tobytes() != wanted.tobytes() and not is_near:
            return f"{title}: {n} differs from NumPy's"
    return None


with open(page, encoding="utf-8") as file:
    page = file.read()
recipes = RECIPE.findall(page)
faults = [fault for fault in (run(*recipe) for recipe in recipes) if fault]
print(*faults, sep="\n")
headings = len(re.findall(r"^### ", page, re.M))
print(f"{len(recipes)} recipes of {headings}, {len(faults)} wrong")
sys.exit(bool(faults) or len(recipes) != headings)
