# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""packed_runs.py text, packed_runs.py check LIBRARY: graphs that copy runs of packed elements, and numpy's results for
them. Inputs end at an inaccessible page.
"""

import ctypes
import mmap
import sys

import numpy as np

LENGTHS = [*range(41), 130, 1001]
FIRST, LAST = 3, 5  # at most FIRST elements before a run, and LAST after it
rng = np.random.default_rng(7)


def runs(bits):
    """Yields a graph for each first bit in source and result, with a result for each length."""
    for src in range(8 // bits):
        for dst in range(8 // bits):
            size = src + LENGTHS[-1]
            names = [f"y{n}" for n in LENGTHS]
            yield (
                f"run{bits}_{src}_{dst}",
                {"a": (FIRST + LAST,), "x": (size,)},
                {
                    name: (
                        f"concat(a[:{dst}], x[{src}:{src + n}], a[{FIRST}:], axis=0)",
                        lambda a, x, n=n, src=src, dst=dst: np.concatenate(
                            [a[:dst], x[src : src + n], a[FIRST:]]
                        ),
                    )
                    for name, n in zip(names, LENGTHS)
                },
            )


def boxes(bits):
    """Yields graphs with rows that begin at different bits, also reversed; constants; several loops."""
    yield (
        f"box{bits}",
        {"x": (6, 5, 35)},
        {
            "rows": ("x[:, :, 1:30]", lambda x: x[:, :, 1:30]),
            "back": ("x[::-1, :, 2:]", lambda x: x[::-1, :, 2:]),
            "turned": ("transpose(x, [1, 0, 2])", lambda x: x.transpose(1, 0, 2)),
            "steps": ("x[::2, 1::3, :34]", lambda x: x[::2, 1::3, :34]),
            "border": (
                "pad(x, [0, 0, 3, 0, 1, 14], value=1)",
                lambda x: np.pad(x, [(0, 0), (0, 1), (3, 14)], constant_values=1),
            ),
            "tiled": ("tile(x, [1, 1, 2])", lambda x: np.tile(x, [1, 1, 2])),
            "spread": (
                "unsqueeze(x, 1) |> expand([6, 3, 5, 35])",
                lambda x: np.broadcast_to(x[:, None], (6, 3, 5, 35)),
            ),
            "rolled": ("roll(x, 5, axis=2)", lambda x: np.roll(x, 5, 2)),
        },
    )


GRAPHS = [(bits, *graph) for bits in (4, 2) for make in (runs, boxes) for graph in make(bits)]


def text():
    for bits, name, inputs, results in GRAPHS:
        given = ", ".join(f"{n}: u{bits}{list(shape)}" for n, shape in inputs.items())
        print(f"graph {name}({given}) -> ({', '.join(results)}) {{")
        for result, (expression, _) in results.items():
            print(f"    {result} = {expression}")
        print("}")


def packed(values, bits):
    """Packs elements, the first in the lowest bits."""
    values = np.asarray(values, "u1").ravel()
    values = np.concatenate([values, np.zeros(-values.size % (8 // bits), "u1")]).reshape(-1, 8 // bits)
    return (values << (np.arange(8 // bits, dtype="u1") * bits)).sum(axis=1).astype("u1")


def at_the_edge(data):
    """Returns a copy that ends at an inaccessible page."""
    libc = ctypes.CDLL(None, use_errno=True)
    pages = -(-max(data.size, 1) // mmap.PAGESIZE) * mmap.PAGESIZE
    memory = mmap.mmap(-1, pages + mmap.PAGESIZE)
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    if libc.mprotect(ctypes.c_void_p(start + pages), mmap.PAGESIZE, 0) != 0:
        sys.exit("mprotect failed")
    place = start + pages - data.size
    ctypes.memmove(place, data.ctypes.data, data.size)
    return ctypes.c_void_p(place), memory


def check(path):
    library, wrong = ctypes.CDLL(path), 0
    for bits, name, inputs, results in GRAPHS:
        given = {n: rng.integers(0, 1 << bits, shape, "u1") for n, shape in inputs.items()}
        wanted = [packed(numpy(**given), bits) for _, numpy in results.values()]
        edges = [at_the_edge(packed(value, bits)) for value in given.values()]
        found = [np.full(want.size + 16, 0xA5, "u1") for want in wanted]
        getattr(library, name)(
            *[place for place, _ in edges], *[f[8:].ctypes.data_as(ctypes.c_void_p) for f in found]
        )
        for result, want, have in zip(results, wanted, found):
            inside, around = have[8:-8], np.concatenate([have[:8], have[-8:]])
            if not np.array_equal(inside, want) or (around != 0xA5).any():
                print(f"{name} {result}: {inside}, not {want}")
                wrong += 1
    sys.exit(wrong > 0)


if sys.argv[1] == "text":
    text()
else:
    check(sys.argv[2])
