# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fewer_nodes.py RESHAPEC WORK: a model whose masks need N == K, which shows after its other nodes were read. With this
fact the masks have a known size, so the graph has fewer nodes before the condition than when it was found."""
import subprocess
import sys
from pathlib import Path

import numpy as np
from onnx import parser, reference, save

MODEL = """<ir_version: 8, opset_import: ["" : 20]>
m (float[K, N] x, int64[1] a, int64[1] b, float[16] w) => (float[?] y, int64[1] n)
<int64 zero = {0}, int64 one = {1}, int64 two = {2}, int64 four = {4}, int64[1] first = {0}, int64[1] step = {1},
 int64[1] last = {1}, int64[0] none = {}> {
  rows_1 = Shape <start: int = 0, end: int = 1> (x)
  columns_1 = Shape <start: int = 1> (x)
  rows = Reshape(rows_1, none)
  columns = Reshape(columns_1, none)
  row = Range(zero, rows, one)
  column = Range(zero, columns, one)
  places = Range(zero, four, one)
  place = Unsqueeze(places, last)
  same = Equal(two, row)
  above = Greater(column, place)
  mask = Or(same, above)
  y = Slice(w, a, b, first, step)
  n = Shape <start: int = 0, end: int = 1> (mask)
}"""


def main(reshapec, work):
    folder = Path(work)
    folder.mkdir(parents=True, exist_ok=True)
    model = parser.parse_model(MODEL)
    save(model, folder / "m.onnx")
    given = {"x": np.ones((3, 3), np.float32), "a": np.array([2]), "b": np.array([-3]),
             "w": np.arange(16, dtype=np.float32)}
    for name, array in given.items():
        np.save(folder / f"{name}.npy", array)
    files = [f"{name}={folder / name}.npy" for name in (*given, "y", "n")]
    subprocess.run([reshapec, "run", folder / "m.onnx", *files], check=True)
    for name, want in zip(("y", "n"), reference.ReferenceEvaluator(model).run(None, given)):
        np.testing.assert_array_equal(np.load(folder / f"{name}.npy"), want)


main(*sys.argv[1:])
