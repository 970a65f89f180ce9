# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Python package against einops, NumPy and PyTorch, those that are installed: python.py [--seconds S]

Prints the processor, what a call costs above its kernel, what the first call of a shape takes, compiled and from kept code, and for
each case the time of one call and how many times as long the others take. einops and NumPy end with their elements in row-major
order, as kernels do. One thread each.
"""
import argparse
import math
import os
import tempfile
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ["RESHAPEC_CACHE"] = ""

import einops
import numpy as np

import reshapec as rs

try:
    import torch

    torch.set_num_threads(1)
except ImportError:
    torch = None

# name, shape, type, pattern, sizes
CASES = [
    ("small", (2, 3, 4), "f4", "a b c -> c b a", {}),
    ("heads", (8, 384, 768), "f4", "b s (h d) -> b h s d", {"h": 12}),
    ("heads-f16", (8, 384, 768), "f2", "b s (h d) -> b h s d", {"h": 12}),
    ("nhwc-nchw", (16, 112, 112, 64), "f4", "n h w c -> n c h w", {}),
    ("image-u8", (1080, 1920, 3), "u1", "h w c -> c h w", {}),
    ("patches", (8, 224, 224, 3), "u1", "b (h p) (w q) c -> b (h w) (p q c)", {"p": 16, "q": 16}),
    ("square", (1024, 1024), "f4", "a b -> b a", {}),
    ("pixel-shuffle", (4, 256, 64, 64), "f4", "b (c p q) h w -> b c (h p) (w q)", {"p": 2, "q": 2}),
]


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        return next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), "unknown")


def timed(function, seconds):
    """Seconds of one call: the least mean of many short batches, since others may run on the machine."""
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


def by_hand(x, pattern, sizes):
    """The views that einops makes of a pattern, to be copied: reshape, transpose, reshape."""
    return np.ascontiguousarray(einops.rearrange(x, pattern, **sizes))


def numpy_way(x, pattern, sizes):
    """What one writes without einops; the steps are found once."""
    left, right = pattern.split("->")
    names = left.replace("(", "").replace(")", "").split()
    split = [int(size) for size in einops.rearrange(np.empty(x.shape, "?"), f"{left} -> {' '.join(names)}", **sizes).shape]
    order = [names.index(name) for name in right.replace("(", "").replace(")", "").split()]
    shape = einops.rearrange(np.empty(x.shape, "?"), pattern, **sizes).shape
    return lambda: np.ascontiguousarray(x.reshape(split).transpose(order)).reshape(shape), split, order, shape


def first_calls():
    """Of a kernel that was never compiled, and of one whose code an earlier process has kept."""
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

    print(f"{'case':14} {'array':26} {'kernel':>10} {'einops':>8} {'NumPy':>8}{' PyTorch' if torch else ''}")
    ratios = []
    for name, shape, dtype, pattern, sizes in CASES:
        x = (np.arange(math.prod(shape)) % 251).astype(dtype).reshape(shape)
        numpy_call, split, order, result = numpy_way(x, pattern, sizes)
        assert (rs.rearrange(x, pattern, **sizes) == by_hand(x, pattern, sizes)).all() and (numpy_call() == by_hand(x, pattern, sizes)).all()
        ours = timed(lambda: rs.rearrange(x, pattern, **sizes), options.seconds)
        others = [timed(lambda: by_hand(x, pattern, sizes), options.seconds), timed(numpy_call, options.seconds)]
        if torch:
            t = torch.from_numpy(x)
            others.append(timed(lambda: t.reshape(split).permute(order).contiguous().reshape(result), options.seconds))
        ratios.append([other / ours for other in others])
        print(f"{name:14} {dtype + str(list(shape)):26} {ours * 1e6:7.1f} µs" + "".join(f" {ratio:7.2f}x" for ratio in ratios[-1]))
    means = [math.exp(sum(map(math.log, column)) / len(column)) for column in zip(*ratios)]
    print(f"{'geometric mean':52}" + "".join(f" {mean:7.2f}x" for mean in means))


main()
