#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls the functions of symbolic.rsh with many sizes, between guard pages, and compares with numpy."""

import ctypes
import itertools
import math
import os
import re
import sys

import numpy as np

sys.dont_write_bytecode = True  # no __pycache__ next to the sources
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..")
sys.path.insert(0, os.path.join(ROOT, "tests", "support"))

import harness  # noqa: E402

with open(os.path.join(ROOT, "runtime", "statuses.def"), encoding="utf-8") as table:
    STATUS = re.findall(r"^RSH_STATUS\((\w+),", table.read(), re.M)

SIZES = [0, 1, 2, 3, 4, 5, 8, 15, 16, 17, 31, 33, 64, 65]
LARGE = [100, 255, 257, 300, 1000]


def heads(x):
    b, s = x.shape[:2]
    return [x.reshape(b, s, 12, 64).transpose(0, 2, 1, 3)]


def planes(x):
    return [x.transpose(2, 0, 1)[None].astype("f4")]


def cyclic(x):
    x = np.concatenate([x[3:], x[:3]])
    return [np.concatenate([x[:, 3:], x[:, :3]], 1)]


def tiles(t, x):
    b, h, w, p = t.shape
    rows = x.reshape(b, h, w, 2, 3).transpose(0, 1, 3, 2, 4).reshape(b, 2 * h, 3 * w)
    return [rows[:, : 2 * h - p]]


def shifted(x):
    q, k = x.shape
    wide = np.concatenate([np.zeros((q, 1), x.dtype), x], 1).reshape(k + 1, q)
    return [wide[1:].reshape(q, k)]


# Name: symbols, the inputs' types and sizes, numpy's result.
CASES = {
    "heads": ("BS", [("u2", "B,S,768")], heads),
    "matrix": ("MN", [("u4", "M,N")], lambda x: [x.T]),
    "bytes": ("MN", [("u1", "M,N")], lambda x: [x.T]),
    "side_by_side": ("BST", [("u1", "B,S"), ("u1", "B,T")], lambda a, b: [np.concatenate([a, b], 1)]),
    "planes": ("HW", [("u1", "H,W,3")], planes),
    "bordered": (
        "HW",
        [("i2", "H,W")],
        lambda x: [np.pad(x, ((1, 3), (2, 0)), constant_values=7)],
    ),
    "rotated": (
        "ABC",
        [("i4", "A,B,C")],
        lambda x: [x.transpose(2, 0, 1), x[:, ::-1], x],
    ),
    "rolled": ("NC", [("u2", "N,C")], lambda x: [np.roll(x, (1, -1), (0, 1))]),
    "shifted": ("QK", [("u4", "Q,K")], shifted),
    "halves": ("N", [("u8", "N")], lambda x: np.split(x, 2)),
    "fours": ("N", [("u4", "N")], lambda x: [x.reshape(-1, 4).T]),
    "tail": ("NC", [("u2", "N,C")], lambda x: [x[1:]]),
    "some": ("BS", [("u4", "B,S")], lambda x: [x.T]),
    "ends_cut": ("HW", [("u1", "H,W")], lambda x: [x[2:-2, :5].T]),
    "cyclic": ("NC", [("u2", "N,C")], cyclic),
    "up_to": (
        "NM",
        [("u4", "N"), ("u4", "M")],
        lambda x, t: [np.stack([x[: len(x) - len(t)]] * 3, 1)],
    ),
    "tiles": ("BHWP", [("u1", "B,H,W,P"), ("u1", "B*H*W,2,3")], tiles),
    "last_pairs": ("N", [("u4", "N")], lambda x: [x[-6:].reshape(-1, 2).T]),
    "first_three": ("N", [("u2", "N,2")], lambda x: [x[2::-1]]),
    "to_planes": ("BP", [("u1", "B,P,3")], lambda x: [x.transpose(0, 2, 1)]),
    "to_pixels": ("BP", [("u1", "B,3,P")], lambda x: [x.transpose(0, 2, 1)]),
    "apart_in_pairs": ("N", [("u2", "N,2")], lambda x: [x.T]),
    "together_in_fours": ("N", [("u4", "4,N")], lambda x: [x.T]),
    "apart": ("BS", [("u1", "B,4"), ("u1", "S,3")], lambda a, b: [a.T, b.T]),
}


def refused(name, size):
    """Returns "ok" if these sizes meet the conditions of the graph, else the status of the call."""
    if name == "planes" and size["W"] % 4:
        return "guard_failed"
    if name == "halves" and size["N"] % 2:
        return "guard_failed"
    if name == "some" and size["B"] not in (1, 8):
        return "guard_failed"
    if name == "fours" and size["N"] % 4:
        return "not_divisible"
    if name == "last_pairs" and min(size["N"], 6) % 2:
        return "not_divisible"
    if name == "first_three" and size["N"] < 3:
        return "shape_mismatch"
    return "ok"


def bytes_of(array):
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def call(function, *arguments):
    function.restype = ctypes.c_int
    wide = [
        ctypes.c_int64(a) if isinstance(a, int) else ctypes.c_void_p(a if a is None else a.ctypes.data)
        for a in arguments
    ]
    return STATUS[function(*wide)]


def check(caller, library, name, values, at_end):
    symbols, inputs, oracle = CASES[name]
    size = dict(zip(symbols, values))
    random = np.random.default_rng(sum(values) + len(name))
    arrays = []
    for kind, dims in inputs:
        shape = [eval(d, {}, size) for d in dims.split(",")]  # products of sizes
        elements = random.integers(0, 256, (*shape, np.dtype(kind).itemsize), np.uint8)
        arrays.append(elements.view(kind)[..., 0])
    function, shape_of = getattr(library, name), getattr(library, name + "_shape")
    expected = refused(name, size)
    if expected != "ok":
        lists = [np.full(16, -7, np.int64) for _ in range(4)]
        got = [call(function, *values, *[np.zeros(1)] * 4), call(shape_of, *values, *lists)]
        return "" if got == [expected] * 2 and lists[0][0] == -7 else f"{got}, not {expected}"
    right = oracle(*arrays)
    align = max(np.dtype(k).itemsize for k, _ in inputs)
    results = caller.run(
        function, [bytes_of(a) for a in arrays], [r.nbytes for r in right], align, at_end, values
    )
    lists = [np.full(16, -7, np.int64) for _ in right]
    if call(shape_of, *values, *lists) != "ok":
        return "no sizes"
    for r, (result, dims) in enumerate(zip(results, lists)):
        want = list(right[r].shape)
        if name == "rotated" and r == 2:
            want = [want[0] * want[1], want[2]]
        if list(dims[: len(want)]) != want or dims[len(want)] != -7:
            return f"result {r}: sizes {dims}, not {want}"
        if not np.array_equal(result, bytes_of(right[r])):
            return f"result {r}: wrong elements"
    return ""


MOST_BYTES = 1 << 24  # of one tensor


def is_small(name, values):
    """Whether calls with these sizes are fast enough to test."""
    symbols, inputs, _ = CASES[name]
    size = dict(zip(symbols, values))
    return all(math.prod(eval(d, {}, size) for d in dims.split(",")) * np.dtype(kind).itemsize <= MOST_BYTES
               for kind, dims in inputs)  # fmt: skip


def bindings(name):
    symbols = CASES[name][0]
    few = {1: SIZES, 2: SIZES, 3: SIZES[:6] + [17, 64], 4: [0, 1, 3]}[len(symbols)]
    yield from itertools.product(few, repeat=len(symbols))
    if len(symbols) < 3:
        large = [*itertools.product(LARGE, *[[1, 3, 64, 300]] * (len(symbols) - 1))]
        yield from (v for v in large if is_small(name, v))


def check_packed(library):
    """Tests elements of four bits, two per byte, the first in the low half."""
    for n in range(0, 20):
        x = np.arange(3 * n, dtype=np.uint8) * 5 % 16
        pack = lambda e: np.append(e, [0] * (len(e) % 2)).astype(np.uint8)  # noqa: E731
        packed, want = pack(x), pack(x.reshape(n, 3).T.reshape(-1))
        packed = packed[::2] | packed[1::2] << 4
        want = want[::2] | want[1::2] << 4
        out = np.full(len(want) + 1, 0xA5, np.uint8)
        assert call(library.nibbles, n, np.append(packed, 0).astype(np.uint8), out) == "ok"
        assert np.array_equal(out[:-1], want) and out[-1] == 0xA5, n


def check_strides(library):
    """Tests rows with gaps, which must not be written."""
    for h, w in itertools.product(range(0, 6), repeat=2):
        x = np.arange(h * (w + 2) + 1, dtype=np.uint8)
        out = np.full(w * (h + 1) + 1, 0xA5, np.uint8)
        want = out.copy()
        for i, j in itertools.product(range(w), range(h)):
            want[i * (h + 1) + j] = x[j * (w + 2) + i]
        assert call(library.padded_rows, h, w, x, out) == "ok"
        assert np.array_equal(out, want), (h, w)


def check_refusals(library):
    """Tests the order of checks: negative sizes, conditions, overflow, null pointers."""
    some, big = np.zeros(8, np.uint8), 1 << 62
    heads_, planes_, some_ = library.heads, library.planes, library.some
    assert call(heads_, -1, 1, some, some) == "bad_dim"
    assert call(heads_, 1, -(1 << 63), None, None) == "bad_dim"
    assert call(planes_, -1, 3, None, None) == "bad_dim"
    assert call(planes_, big, 3, None, None) == "guard_failed"
    assert call(planes_, big, 4, None, None) == "overflow"
    assert call(planes_, 1 << 57, 8, None, None) == "overflow"  # as f32 alone
    assert call(some_, 2, big, None, None) == "guard_failed"
    assert call(heads_, 1 << 31, 1 << 33, None, None) == "overflow"
    assert call(heads_, 1 << 32, 1 << 32, None, None) == "overflow"
    assert call(heads_, (1 << 63) - 1, (1 << 63) - 1, some, some) == "overflow"
    assert call(heads_, 0, 1 << 62, None, None) == "overflow"  # the sizes after the 0 count too
    assert call(heads_, 0, 1 << 30, None, None) == "ok"
    assert call(heads_, 1, 1, None, some) == "null_pointer"
    assert call(heads_, 1, 1, some, None) == "null_pointer"
    assert call(library.apart, 0, 1, None, some, None, some) == "ok"
    assert call(library.apart, 0, 1, None, None, None, some) == "null_pointer"
    assert call(library.heads_shape, 1, 1, None) == "ok"  # without outputs for sizes
    assert call(library.heads_shape, 1, -1, None) == "bad_dim"


def main():
    compiler = harness.Compiler(sys.argv[1], sys.argv[2], sys.argv[3])
    library = compiler.library(os.path.join(HERE, "symbolic.rsh"), "symbolic", *sys.argv[4:])
    check_refusals(library)
    check_packed(library)
    check_strides(library)
    jobs = [(n, list(v), at_end) for n in CASES for v in bindings(n) for at_end in (0, 1)]
    caller, wrong = harness.Caller(), 0
    for job, verdict in harness.isolated(jobs, lambda j: check(caller, library, *j)):
        wrong += bool(verdict)
        if verdict:
            print(job, verdict)
    print(f"{len(jobs)} calls, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
