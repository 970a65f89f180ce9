# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""symbolic_large.py RESHAPEC CC WORK OPTION...: kernels of symbolic_large.rsh around the size from which they store
past the cache (4 MiB; constants 32 MiB), at several places within a line, as functions and as tasks, compared with
numpy."""
import ctypes
import subprocess
import sys
from pathlib import Path

import numpy as np

LINE, MARGIN, LARGE, LAST = 64, 4096, 4 << 20, 32 << 20


def turned(*perm):
    return lambda x: x.transpose(perm)


def heads(x):
    return x.reshape(*x.shape[:2], 12, 64).transpose(0, 2, 1, 3)


def joined(a, b):
    return np.concatenate([a, b], 1)


# Graph: type, shapes of inputs by sizes, numpy's result, the sizes to test.
CASES = {
    "matrix": ("u4", lambda m, n: [(m, n)], turned(1, 0),
               [(1024, 1023), (1024, 1024), (1040, 1025), (1025, 1024), (2048, 515), (128, 9000), (112, 9400),
                (16, 65536), (300000, 4), (9, 120000), (400000, 3), (1 << 20, 1)]),
    "halves": ("u2", lambda m, n: [(m, n)], turned(1, 0),
               [(2048, 1023), (2048, 1024), (1504, 1500), (1504, 2047), (32, 66000), (256, 8200), (700000, 3)]),
    "bytes_": ("u1", lambda m, n: [(m, n)], turned(1, 0),
               [(2048, 2047), (2048, 2048), (2240, 2051), (64, 65536), (512, 8193), (1000003, 5)]),
    "pixels": ("u4", lambda b, p: [(b, 64, p)], turned(0, 2, 1),
               [(1, 16383), (1, 16384), (6, 3136), (340, 49), (2731, 6), (20000, 1)]),
    "planes": ("u2", lambda b, p, c: [(b, p, c)], turned(0, 2, 1),
               [(1, 3136, 700), (11, 3136, 64), (700, 64, 49), (700, 64, 50), (5000, 32, 16), (3, 1, 800000)]),
    "heads": ("u2", lambda b, s: [(b, s, 768)], heads, [(1, 2730), (1, 2731), (8, 400), (3000, 1)]),
    "merged": ("u2", lambda b, s: [(b, 12, s, 64)], turned(0, 2, 1, 3), [(1, 2730), (1, 2731), (8, 400), (3000, 1)]),
    "cache": ("u4", lambda b, s, t: [(b, s, 16), (b, t, 16)], joined,
              [(1, 65536, 1), (1, 65535, 65537), (9, 8000, 9000), (70000, 1, 1), (1, 0, 66000)]),
    "side_by_side": ("u1", lambda b, s, t: [(b, s), (b, t)], joined,
                     [(1, LARGE, 64), (64, LARGE // 64, LARGE // 64), (64, 65600, 65601), (64, 65601, 65601),
                      (70000, 64, 64), (9, 500032, 64 * 7001)]),
    "stacked": ("u4", lambda n: [(n,), (n,)], lambda a, b: np.stack([a, b], 1),
                [(LARGE // 8 - 1,), (LARGE // 8,), (LARGE // 8 + 5,), (3,)]),
    "stacked_rows": ("u1", lambda m, n: [(m, n), (m, n)], lambda a, b: np.stack([a[:, 1:], b[:, 1:]], 2),
                     [(1, LARGE // 2), (1, LARGE // 2 + 1), (100, 22401), (100, 22402), (70000, 33)]),
    "with_alpha": ("u1", lambda n: [(n, 3)], lambda x: np.pad(x, ((0, 0), (0, 1)), constant_values=255),
                   [(LARGE // 4 - 1,), (LARGE // 4,), (LARGE // 4 + 7,)]),
    "above_and_beside": ("f4", lambda m, n: [(m, n)],
                         lambda x: np.pad(x, ((3, 0), (2000, 0)), constant_values=1.5),
                         [(0, LAST // 12 - 2000), (0, LAST // 12 - 1999), (4197, 1), (4190, 1)]),
    "below": ("f2", lambda m, n: [(m, n)], lambda x: np.pad(x, ((0, 1), (0, 300)), constant_values=-2),
              [(0, LAST // 2 - 300), (0, LAST // 2 - 297), (1, LAST // 2)]),
    "every_other": ("u4", lambda n: [(n, 2)], lambda x: x[:, 1],
                    [(LARGE // 4 - 1,), (LARGE // 4,), (LARGE // 4 + 9,), (3,)]),
    "backward": ("u2", lambda m, n: [(m, n)], lambda x: x[:, ::-1],
                 [(1, LARGE // 2), (65, 32800), (65, 32801), (65, 32832), (200000, 12)]),
    "few_of_pixels": ("u1", lambda m, n: [(m, n, 4)], lambda x: x[:, :, 1:3],
                      [(1, LARGE // 2), (1, LARGE // 2 - 1), (33, 64016), (33, 64000), (300000, 7)]),
    "small_squares": ("u1", lambda n: [(n, 8, 8)], turned(0, 2, 1), [(LARGE // 64 - 1,), (LARGE // 64,), (70001,)]),
    "known_rows": ("u4", lambda n: [(n, 4096)], lambda x: x[:, ::2], [(511,), (512,), (515,)]),
}
PLACES = [0, 4, 16, 60, 8, 2, 1]  # offsets of results in a cache line


def at_place(nbytes, place):
    block = np.full(nbytes + 2 * MARGIN, 0xA5, np.uint8)
    start = MARGIN // 2 + (-block.ctypes.data - MARGIN // 2) % LINE + place
    return block, block[start:start + nbytes]


def check(library, name, sizes, place):
    """Returns how the kernel was called if its result was wrong."""
    kind, shapes, function, _ = CASES[name]
    random = np.random.default_rng(sum(sizes) + place)
    inputs = []
    for shape in shapes(*sizes):
        data = random.integers(0, 256, int(np.prod(shape)) * np.dtype(kind).itemsize, np.uint8)
        memory = at_place(data.size, 0 if place == 8 else place)[1]
        memory[:] = data
        inputs.append(memory)
    want = function(*[i.view(kind).reshape(s) for i, s in zip(inputs, shapes(*sizes))])
    want = np.ascontiguousarray(want).reshape(-1).view(np.uint8)
    for how in ("whole", "in tasks"):
        block, result = at_place(want.nbytes, place)
        arguments = [ctypes.c_int64(s) for s in sizes] + [ctypes.c_void_p(i.ctypes.data) for i in [*inputs, result]]
        if how == "in tasks":
            count = getattr(library, name + "_tasks")(*arguments[:len(sizes)])
            status = [getattr(library, name + "_task")(ctypes.c_int32(i), *arguments) for i in reversed(range(count))]
        else:
            status = [getattr(library, name)(*arguments)]
        around = np.count_nonzero(block != 0xA5) - np.count_nonzero(result != 0xA5)
        if any(status) or around != 0 or not np.array_equal(result, want):
            yield how


def main(reshapec, cc, work, *options):
    folder = Path(work)
    folder.mkdir(parents=True, exist_ok=True)
    obj, lib = folder / "large.o", folder / "large.so"
    source = Path(__file__).with_name("symbolic_large.rsh")
    subprocess.run([reshapec, source, "--parallel", "-o", obj, *options], check=True)
    subprocess.run([*cc.split(), "-shared", "-o", lib, obj], check=True)
    library, calls, wrong = ctypes.CDLL(str(lib.resolve())), 0, 0
    for name, (kind, _, _, tried) in CASES.items():
        width = np.dtype(kind).itemsize
        for i, sizes in enumerate(tried):
            places = [p for p in PLACES if p % width == 0]
            for place in [0, places[1 + i % (len(places) - 1)]]:
                calls += 2
                for how in check(library, name, sizes, place):
                    wrong += 1
                    print(name, sizes, place, how)
    print(f"{calls} calls, {wrong} wrong")


main(*sys.argv[1:])
