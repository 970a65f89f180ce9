# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""parallel.py RESHAPEC CC WORK OPTION...: the tasks of parallel.rsh.

Each task runs alone on outputs filled with one byte, and again with another one: what it wrote differs from one of
them. No two tasks may write to the same line of an output, and all tasks together, on threads and in any order, give
numpy's results.
"""
import ctypes
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

LINE = 64


def shifted(x, perm):
    return np.ascontiguousarray(x.transpose(perm))


def there_and_back(x):
    return np.concatenate([x, x[:, ::-1]], 1)


def nibbles(x):
    even = np.stack([x & 15, x >> 4], axis=-1).reshape(512, 600).T.reshape(-1, 2)
    return even[:, 0] | even[:, 1] << 4


def spaced(x):
    y = np.zeros((1200, 666), x.dtype)
    y[::2, ::2] = x
    return y


# Graph: its inputs as (numpy type, shape), the expected result, the minimum number of tasks.
STATIC = {
    "outer": ([("u4", (40, 33, 70))], lambda x: shifted(x, (0, 2, 1)), 5),
    "rows_of_matrix": ([("u4", (1000, 300))], lambda x: shifted(x, (1, 0)), 3),
    "bytes_of_matrix": ([("u1", (515, 1021))], lambda x: shifted(x, (1, 0)), 5),
    "weave": ([("u1", (3, 100000))], lambda x: shifted(x, (1, 0)), 4),
    "unweave": ([("u1", (90016, 3))], lambda x: shifted(x, (1, 0)), 1),
    "odd_planes": ([("u1", (90001, 3))], lambda x: shifted(x, (1, 0)), 1),
    "runs": ([("u2", (2, 128, 12, 64))], lambda x: shifted(x, (0, 2, 1, 3)), 6),
    "one_run": ([("u1", (200000,)), ("u1", (100003,))], lambda a, b: np.concatenate([a, b]), 1),
    "lines_of_runs": ([("u1", (128000,)), ("u1", (200005,))], lambda a, b: np.concatenate([a, b]), 2),
    "border": ([("u1", (64, 60, 61))], lambda x: np.pad(x, ((0, 0), (1, 1), (1, 1))), 1),
    "casts": ([("u1", (300, 400, 3))], lambda x: shifted(x, (2, 0, 1)).astype("f4"), 10),
    "bits": ([("u1", (512 * 300,))], nibbles, 1),
    "several": ([("u4", (64, 64, 64))],
                lambda x: (shifted(x, (2, 1, 0)), x[:, :, ::-1].reshape(8192, 32), x[0, :2, :3]), 10),
    "stacked": ([("u4", (100003,)), ("u4", (100003,))], lambda a, b: np.stack([a, b], 1), 12),
    "with_alpha": ([("u1", (500, 401, 3))],
                   lambda x: np.pad(x, ((0, 0), (0, 0), (0, 1)), constant_values=255), 12),
    "spaced": ([("u2", (600, 333))], spaced, 20),
    "picked": ([("u4", (3000002,))], lambda x: x[::2], 64),
    "picked_rows": ([("u4", (2000, 2240))], lambda x: x[::2, ::2], 64),
    "turned": ([("i1", (700, 513))], lambda x: x.T - np.int8(3), 5),
    "mirrored": ([("f4", (9, 300, 64))], lambda x: -shifted(x, (0, 2, 1)), 9),
    "planes": ([("i1", (400, 300, 3))], lambda x: shifted(x, (2, 0, 1)) - np.int8(1), 3),
    "tiny": ([("u1", (4, 4))], lambda x: shifted(x, (1, 0)), 1),
}
SYMBOLIC = {
    "heads": (lambda b, s: ("u2", (b, s, 96)), lambda x: shifted(x.reshape(*x.shape[:2], 6, 16), (0, 2, 1, 3)),
              [(1, 1), (2, 100), (3, 77), (0, 5), (1, 4096)]),
    "matrix": (lambda m, n: ("u4", (m, n)), lambda x: shifted(x, (1, 0)), [(1, 1), (100, 200), (0, 9), (333, 64)]),
    "open_pixels": (lambda n: ("u1", (3, n)), lambda x: shifted(x, (1, 0)), [(1,), (64,), (5000,)]),
    "static_batches": (lambda b: ("u4", (b, 500, 300)), lambda x: shifted(x, (0, 2, 1)), [(1,), (8,)]),
    "open_rows": (lambda b, s: ("u4", (b, s, 256)), lambda x: shifted(x, (0, 2, 1)), [(1, 0), (1, 301), (4, 64)]),
    "open_stack": (lambda n: [("u1", (n, 70)), ("u1", (n, 70))], lambda a, b: np.stack([a, b], 2),
                   [(0,), (1,), (500,)]),
    "open_lines": (lambda b, s: ("u4", (b, s, 16)), there_and_back, [(1, 50), (3, 20), (0, 5)]),
    "open_pieces": (lambda b, s: ("u4", (b, s, 3)), there_and_back, [(1, 50), (3, 20)]),
    "batch": (lambda b, m, n: ("u4", (b, m, n)), lambda x: shifted(x, (0, 2, 1)), [(1, 50, 40), (3, 33, 64), (3, 0, 2)]),
}


def aligned(nbytes):
    block = np.zeros(nbytes + 2 * LINE, np.uint8)
    start = -block.ctypes.data % LINE
    return block[start:start + nbytes]


def pointers(arrays):
    return [ctypes.c_void_p(a.ctypes.data) for a in arrays]


def written_lines(call, outputs):
    """Returns which cache lines of which outputs a call writes."""
    touched = [np.zeros(o.size, bool) for o in outputs]
    for byte in (0xA5, 0x5A):
        for output in outputs:
            output[:] = byte
        call()
        for output, mask in zip(outputs, touched):
            mask |= output != byte
    return {(i, line) for i, mask in enumerate(touched) for line in np.unique(np.nonzero(mask)[0] // LINE)}


def check(library, name, sizes, inputs, expected, least):
    outputs = [aligned(e.nbytes) for e in expected]
    sizes = [ctypes.c_int64(s) for s in sizes]
    task, count = getattr(library, name + "_task"), getattr(library, name + "_tasks")(*sizes)
    assert least <= count <= 64, f"{name}: {count} tasks"
    task.restype = ctypes.c_int if sizes else None

    def run(i):
        assert not task(ctypes.c_int32(i), *sizes, *pointers(inputs), *pointers(outputs)), f"{name}: status"
    owner = {}
    for i in range(count):
        for line in written_lines(lambda i=i: run(i), outputs):
            assert owner.setdefault(line, i) == i, f"{name}: tasks {owner[line]} and {i} write line {line}"
    for output in outputs:
        output[:] = 0xA5
    order = random.Random(5).sample(range(count), count)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(run, order))
    for output, want in zip(outputs, expected):
        assert output.tobytes() == want.tobytes(), f"{name}: wrong elements"
    print(f"{name}: {count} tasks")


def arrays(random_bytes, kinds):
    return [random_bytes.integers(0, 256, int(np.prod(shape)) * np.dtype(kind).itemsize, np.uint8)
            .view(kind).reshape(shape) for kind, shape in kinds]


def main(reshapec, cc, work, *options):
    folder = Path(work)
    folder.mkdir(parents=True, exist_ok=True)
    obj, lib = folder / ("parallel.c" if "--emit=c" in options else "parallel.o"), folder / "parallel.so"
    subprocess.run([reshapec, Path(__file__).with_name("parallel.rsh"), "--parallel", "-o", obj, *options], check=True)
    subprocess.run([*cc.split(), "-shared", "-fPIC", "-O1", "-o", lib, obj], check=True)
    library, rng = ctypes.CDLL(str(lib.resolve())), np.random.default_rng(7)
    for name, (kinds, function, least) in STATIC.items():
        inputs = arrays(rng, kinds)
        expected = function(*inputs)
        check(library, name, [], inputs, expected if isinstance(expected, tuple) else [expected], least)
    for name, (kind, function, cases) in SYMBOLIC.items():
        for sizes in cases:
            kinds = kind(*sizes)
            inputs = arrays(rng, kinds if isinstance(kinds, list) else [kinds])
            check(library, name, sizes, inputs, [function(*inputs)], 1)


main(*sys.argv[1:])
