# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what a script prints for many arrays with NumPy's str().
usage: compare_print.py RESHAPEC, in a folder for the arrays"""
import subprocess
import sys

import numpy as np

rng = np.random.default_rng(8)
nan, inf = np.nan, np.inf
arrays = [np.array(v, t) for t in ("f4", "f8", "f2") for v in (
    [1, 0.25, -3], [1.5, nan, inf], [-inf, 1], [nan], [0, -0.0], [[1e-5, 1]], [0.1, 0.2, 0.3],
    [100.125, 0.5, 7], [1 / 3, 2 / 3, 1e-2])]
arrays += [np.array(v) for v in ([1e10, 1.5, -2e-7], [1e100, nan], [123456.789, 1000], [2.0**-1074])]
arrays += [np.array([1 + 2j, -0.5 - 1.25j, 3]), np.array([1e10 + 1j, nan - inf * 1j]), np.array([[True], [False]])]
arrays += [np.array(v, t) for t in ("i1", "i8", "u8") for v in ([[1, 100], [5, 7]], [0], [[[[3]]]])]
arrays += [np.array([np.iinfo("i8").min, 5]), np.array([2**64 - 1, 0], "u8"), np.zeros((2, 0, 3)), np.array(7)]
arrays += [np.arange(n, dtype=t) for n in (20, 40, 1000, 1001) for t in ("i4", "f8")]
for shape in ((3, 30), (2, 3, 20), (40, 40), (7, 6, 30), (2, 2, 2, 2, 2), (3, 1, 500), (1001, 1)):
    arrays.append(rng.integers(-900, 900, shape).astype("i2"))
    arrays.append(rng.standard_normal(shape))
    arrays.append(rng.standard_normal(shape).astype("f4"))
    arrays.append(rng.random(shape).astype("f2").round(2) + np.float16(0.01))
    arrays.append((10.0 ** rng.uniform(-6, 7, shape)).astype("f8"))
    arrays.append(rng.standard_normal(shape) + 1j * rng.standard_normal(shape))

with open("script.rsh", "w", encoding="utf-8") as script:
    for i, array in enumerate(arrays):
        np.save(f"{i}.npy", array)
        script.write(f'load("{i}.npy") |> print()\nprint("----")\n')
printed = subprocess.run([sys.argv[1], "run", "script.rsh"], check=True, capture_output=True, text=True).stdout
names = {"f2": "f16", "f4": "f32", "f8": "f64", "b1": "bool", "c16": "c128"}
names |= {f"{k}{n}": f"{k}{8 * n}" for k in "iu" for n in (1, 2, 4, 8)}
for array, found in zip(arrays, printed.split("----\n"), strict=False):
    sizes = ", ".join(map(str, array.shape))
    wanted = names[array.dtype.str[1:]] + (f"[{sizes}]" if array.shape else "") + "\n" + str(array) + "\n"
    if found != wanted:
        sys.exit(f"wanted:\n{wanted}found:\n{found}")
assert printed.count("----") == len(arrays)
