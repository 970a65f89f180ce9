# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs models that once gave wrong results.

    models.py RESHAPEC WORK FOLDER NAME...

FOLDER/NAME.onnx takes FOLDER/NAME.INPUT.npy, and must give FOLDER/NAME.OUTPUT.right.npy, written by onnx's reference
evaluator.
"""

import glob
import os
import subprocess
import sys

import numpy as np


def arrays(folder, name, end):
    """{input or output: path} of the arrays of a model."""
    paths = glob.glob(os.path.join(folder, f"{name}.*.npy"))
    found = {os.path.basename(p)[len(name) + 1 : -len(".npy")]: p for p in sorted(paths)}
    is_right = {k: v for k, v in found.items() if k.endswith(".right")}
    return is_right if end == ".right" else {k: v for k, v in found.items() if k not in is_right}


def main():
    reshapec, work, folder, *names = sys.argv[1:]
    os.makedirs(work, exist_ok=True)
    for name in names:
        right = {k[: -len(".right")]: v for k, v in arrays(folder, name, ".right").items()}
        made = {k: os.path.join(work, f"{name}.{k}.npy") for k in right}
        given = [f"{k}={v}" for k, v in [*arrays(folder, name, "").items(), *made.items()]]
        subprocess.run([reshapec, "run", os.path.join(folder, f"{name}.onnx"), *given], check=True)
        for output, path in made.items():
            got, want = np.load(path), np.load(right[output])
            same = got.shape == want.shape and got.dtype == want.dtype and np.array_equal(got, want)
            print(f"{name}.{output}: {'right' if same else f'got {got.tolist()}, not {want.tolist()}'}")


if __name__ == "__main__":
    main()
