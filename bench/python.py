# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the Python package with einops, NumPy and, if installed, PyTorch: python.py [--only REGEX] [--seconds S]

Prints the processor, the overhead of a call, the time of the first call of a shape, compiled and from cached code, and
for each chain of cases.tsv the time of the first call, which compiles, the time of a later one, and how many times as
long the others take. Each makes a new row-major array. einops has only permutations and repetitions. All use one
thread.
"""
import argparse
import math
import os
import tempfile
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ["RESHAPEC_CACHE"] = ""

import bench
import einops
import numpy as np

import reshapec as rs

try:
    import torch

    torch.set_num_threads(1)
except ImportError:
    torch = None


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        return next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), "unknown")


def timed(function, seconds):
    """Seconds of one call: the least mean of many short batches, because other programs may be running."""
    for _ in range(3):
        begin = time.perf_counter()
        function()
        once = time.perf_counter() - begin
    count = max(1, int(seconds / 100 / max(once, 1e-7)))
    best, end = math.inf, time.perf_counter() + seconds
    while time.perf_counter() < end or best == math.inf:
        begin = time.perf_counter()
        for _ in range(count):
            function()
        best = min(best, (time.perf_counter() - begin) / count)
    return best


class Atom:
    """An axis that may be split later: 768 into 12 and 64."""

    def __init__(self, size):
        self.size, self.parts = size, []

    def leaves(self):
        return [leaf for part in self.parts for leaf in part.leaves()] if self.parts else [self]


def leaves(groups):
    return [[leaf for atom in group for leaf in atom.leaves()] for group in groups]


def regrouped(groups, shape):
    """The axes after a reshape; None: einops patterns cannot express it."""
    atoms, result = [leaf for group in leaves(groups) for leaf in group if leaf.size != 1], []
    for size in shape:
        group = []
        while size > 1:
            atom = atoms.pop(0)
            if size % atom.size:
                if atom.size % size:
                    return None
                atom.parts = [Atom(size), Atom(atom.size // size)]
                atom, rest = atom.parts
                atoms.insert(0, rest)
            group.append(atom)
            size //= atom.size
        result.append(group)
    return result


def pattern_of(shape, steps):
    """A chain as rearrange or repeat, with its pattern and sizes; None: it is neither."""
    first = groups = [[Atom(size)] if size > 1 else [] for size in shape]
    which = "rearrange"
    for name, numbers, _, _ in steps:
        if name == "transpose":
            groups = [groups[axis] for axis in numbers]
        elif name == "reshape":
            groups = regrouped(groups, numbers)
        elif name == "expand":
            which = "repeat"
            groups = [group or [Atom(size)] for group, size in zip(groups, numbers)]
        else:
            return None
        if groups is None:
            return None
    names = {leaf: f"a{i}" for i, leaf in enumerate(dict.fromkeys(leaf for group in leaves(first) + leaves(groups) for leaf in group))}
    left, right = (" ".join(f"({' '.join(names[leaf] for leaf in group)})" for group in leaves(side)) for side in (first, groups))
    return which, f"{left} -> {right}", {name: leaf.size for leaf, name in names.items()}


def by_torch(x, steps):
    for name, numbers, _, _ in steps:
        if name == "transpose":
            x = x.permute(numbers)
        elif name == "reshape":
            x = x.reshape(numbers)
        elif name == "expand":
            x = x.expand(numbers)
        elif name == "flip":
            x = x.flip(numbers)
        elif name == "slice":
            x = x[tuple(numbers)]
        else:
            x = torch.cat([x[0], x[1]], 1)
    return x.contiguous()


def by_numpy(x, steps):
    for *_, function in steps:
        x = function(x)
    return np.ascontiguousarray(x)


def first_calls():
    """Times the first call of a kernel that was never compiled, and of one whose code is cached."""
    def pass_over(what):
        begin = time.perf_counter()
        for n in range(2, 22):
            rs.compile(f"graph f(x: f32[{n}, 8, 6]) -> y {{ y = reshape(x, [{n}, 8, 2, 3]) |> transpose([0, 2, 1, 3]) }}")(np.zeros((n, 8, 6), "f4"))
        print(f"  {what:26} {(time.perf_counter() - begin) / 20 * 1e3:8.1f} ms")

    pass_over("first call of a shape")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["RESHAPEC_CACHE"] = folder
        pass_over("... and to keep its code")
        pass_over("... from kept code")
        os.environ["RESHAPEC_CACHE"] = ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=0.5, help="of each measurement")
    parser.add_argument("--only", default="", help="cases whose names have this")
    options = parser.parse_args()
    print(f"{processor()}, one thread; reshapec {rs.__version__}, einops {einops.__version__}, NumPy {np.__version__}, "
          f"PyTorch {torch.__version__ if torch else 'not installed'}")

    tiny = np.zeros(1, "f4")
    kernel, out = rs.compile("graph tiny(x: f32[1]) -> y { y = neg(x) }"), np.zeros(1, "f4")
    lines = [("rs.rearrange, a view", lambda: rs.rearrange(tiny, "a -> a 1")), ("kernel(x)", lambda: kernel(tiny)),
             ("kernel(x, out=y)", lambda: kernel(tiny, out=out)), ("numpy.empty", lambda: np.empty((1,), tiny.dtype)),
             ("numpy.negative(x)", lambda: np.negative(tiny)), ("einops.rearrange, a view", lambda: einops.rearrange(tiny, "a -> a 1"))]
    for name, function in lines:
        print(f"  {name:26} {timed(function, options.seconds) * 1e9:8.0f} ns")
    first_calls()

    print(f"{'case':28} {'first':>9} {'later':>11} {'einops':>9} {'NumPy':>8}{'  PyTorch' if torch else ''}")
    ratios = []
    for name, dtype, shape, steps in bench.read_cases("cases", options.only):
        x = np.frombuffer(np.random.default_rng(1).bytes(math.prod(shape) * np.dtype(bench.NUMPY[dtype]).itemsize), bench.NUMPY[dtype]).reshape(shape)
        text = f"graph f(x: {dtype}{shape}) -> y {{ y = x |> {' |> '.join(step[2] for step in steps)} }}"
        pattern, others = pattern_of(shape, steps), [None]
        begin = time.perf_counter()
        if pattern:
            which, words, sizes = pattern
            ours, theirs = (lambda f: lambda: f(x, words, **sizes))(getattr(rs, which)), getattr(einops, which)
            others = [lambda: np.ascontiguousarray(theirs(x, words, **sizes))]
        else:
            kernel = rs.compile(text)
            ours = lambda: kernel(x)
        result = ours()
        first = time.perf_counter() - begin
        others.append(lambda: by_numpy(x, steps))
        if torch:
            t = torch.from_numpy(x.view(bench.NUMPY[dtype]).copy())
            others.append(lambda: by_torch(t, steps))
        for other in others:
            assert other is None or result.tobytes() == np.asarray(other()).tobytes(), name
        later = timed(ours, options.seconds)
        ratios.append([other and timed(other, options.seconds) / later for other in others])
        print(f"{name:28} {first * 1e3:6.1f} ms {later * 1e6:8.1f} µs" + "".join("        -" if r is None else f" {r:7.2f}x" for r in ratios[-1]), flush=True)
    means = [math.exp(sum(math.log(r) for r in column if r) / sum(r is not None for r in column)) for column in zip(*ratios)]
    print(f"{'geometric mean':51}" + "".join(f" {mean:7.2f}x" for mean in means))


main()
