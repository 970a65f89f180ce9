# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""odd_layers.py RESHAPEC FOLDER: the layers of layers.py, each with one input or attribute that is odd.

It is of another type, length or rank, an input of the model, left out, or beyond all bounds. Each model is read; where
it is refused, the message names a line of the file, or an input or output.
"""

import os
import re
import subprocess
import sys

import numpy as np
from layers import CASES, SQUARE, X, model

MOST = 2**63 - 1
PLACES = {"strides": "1,1", "pads_begin": "0,0", "pads_end": "0,0", "dilations": "1,1", "auto_pad": "explicit"}
# Layers that compute.
MORE = [
    ("convolution", "Convolution", SQUARE, [np.zeros((4, 4, 1, 1), "f4")], PLACES, SQUARE),
    ("maximum", "ReduceMax", X, [[1]], {"keep_dims": "true"}, X[:, :1]),
    ("type of another", "ConvertLike", X, [np.zeros(1, "i4")], {}, X),
]
WORDS = ["", "x", "-1", "1,x", str(2**64), "TRUE"]


def odd_lists(kind, given):
    array = np.array(given, "i8")
    yield from (("i64", list(array.shape)), ("i32", [-1] * array.ndim), ("f32", list(array.shape)), ("u8", [2, 2]))
    if kind == "Squeeze":
        yield from (array.astype(t) for t in ("i1", "i2", "i4", "u1", "u2", "u4", "u8", "f4", "b1"))
    yield from (np.full(array.shape, n) for n in (MOST, -MOST - 1, -1, 0))
    yield from (array.reshape(-1)[:0], array.reshape(-1)[:1], np.append(array, array), array.reshape(-1, 1))
    yield from (np.zeros(70, "i8"), np.zeros((2, 0), "i8"))


def odd_models():
    seen = set()
    for name, kind, x, others, attributes, expected in CASES + MORE:
        form = (kind, len(others), *(attributes.items() if kind == "StridedSlice" else attributes))
        if expected is None or form in seen:
            continue
        seen.add(form)
        for i, other in enumerate(others):
            for odd in odd_lists(kind, other):
                yield name, kind, x, [*others[:i], odd, *others[i + 1 :]], attributes, expected
        yield name, kind, x, others[:-1], attributes, expected
        yield name, kind, x, [*others, [1]], attributes, expected
        highest = x.reshape((*x.shape, *[1] * (16 - x.ndim)))
        for odd in (x.reshape(-1)[:1].reshape(()), x.reshape(-1), x[None], x[:0], highest):
            yield name, kind, odd, others, attributes, expected
        yield name, kind, x, others, {**attributes, "open": True}, expected
        yield name, kind, x, others, {**attributes, "opset": 1}, expected
        yield name, kind, x, others, attributes, []
        yield name, kind, x, others, attributes, [x, x, x]
        for key in set(attributes) - {"open", "opset"}:
            yield name, kind, x, others, {k: v for k, v in attributes.items() if k != key}, expected
            for word in WORDS:
                yield name, kind, x, others, {**attributes, key: word}, expected


def main():
    reshapec, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    paths = []
    for _, *parts in odd_models():
        paths.append(f"odd{len(paths)}")
        model(*parts, path=paths[-1])
    command = [reshapec, "check", *(f"{p}.xml" for p in paths)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    said = [line for line in done.stderr.split("\n") if re.match(r"odd\d+\.xml: ", line)]
    clear = r", line \d+: |error: (in|out)put '|error: graph: it has no output"
    unclear = [line for line in said if ": error: " in line and not re.search(clear, line)]
    print(*unclear[:20], sep="\n")
    refused = {line.split(":")[0] for line in said if ": error: " in line}
    print(f"{len(paths)} models, {len(refused)} refused, {len(unclear)} without a line or a name")
    sys.exit(done.returncode if done.returncode > 1 or done.returncode < 0 else len(unclear) > 0)


main()
