#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Invalid calls of dynamic functions: they return a status and write nothing; valid calls still work right after.

    wrong_calls.py --reshapec build/reshapec --cc cc --work DIR
"""

import ctypes
import os
import sys

import numpy as np

sys.dont_write_bytecode = True  # no __pycache__ next to the sources
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

import dynamic  # noqa: E402
import harness  # noqa: E402
from graph import write_file  # noqa: E402

GRAPHS = """
graph whole(x: f32[2, 3], s: i64[2]) -> y {
    y = reshape(x, s) |> transpose([1, 0])
}
graph sized(x: f32[B, S], n: i64) -> y where S <= 100, B != 7 {
    y = reshape(x, [n, B])
}
graph ranked(x: f32[*]) -> y {
    y = transpose(x, [1, 0])
}
graph paired(x: f32[*], z: f32[B, 2]) -> y {
    y = concat(x, z, axis=0)
}
graph declared(x: i32[6], s: i64[2]) -> y: i32[3, ?] {
    y = reshape(x, s)
}
graph any(x: i32[6], s: i64[N]) -> y: i32[N, 3] {
    y = reshape(x, s)
}
graph summed(x: u8[B, 0], z: u8[A, 0], s: i64[1]) -> y where 1125899906842624*A*B + 5*B > 1125899906842624*A + B*A {
    y = reshape(x, s, allowzero=1)
}
graph loose(x: f32[2, 3], s: i64[*]) -> y {
    y = reshape(x, s)
}
graph chosen(x: u8[B, 0], s: i64[1]) -> y where B in [2, 9] {
    y = reshape(x, s, allowzero=1)
}
graph whole_parts(x: u8[B, 0], z: u8[A, 0], s: i64[1]) -> y where B % A == 0, A < 100, B >= A {
    y = reshape(x, s, allowzero=1)
}
graph second(x: f32[*], z: f32[2, B]) -> y {
    y = concat(x, z, axis=0)
}
graph less(z: u8[A, 0], x: f32[A - 3, 2], s: i64[1]) -> y {
    y = reshape(x, s)
}
graph padded(x: u8[A, 0], s: i64[2]) -> y {
    y = reshape(x, s, allowzero=1) |> pad([4611686018427387904 * A, 0, 0, 0])
}
graph stated(z: u8[A, 0], x: i32[6], s: i64[2]) -> y: i32[4611686018427387904 * A, ?] {
    y = reshape(x, s)
}
graph any_list(x: f32[*], s: i64[*]) -> y {
    y = reshape(x, s)
}
graph twice(z: u8[A, 0], x: f32[B, 3*A], s: i64[2]) -> y {
    y = reshape(x, s)
}
graph parted(x: u8[B, 0], z: u8[A, 0], s: i64[1]) -> y where B % (4611686018427387904*A) == 0 {
    y = reshape(x, s, allowzero=1)
}
graph added(x: u8[A, 0], z: u8[B, 0], w: u8[C, 0], s: i64[1]) -> y where A*B + A*C != 3 {
    y = reshape(x, s, allowzero=1)
}
graph two(x: f32[A], s: i64[3], t: i64[2]) -> (y, z) {
    y = expand(x, s)
    z = expand(x, t)
}
graph opened(x: f32[*], s: i64[2]) -> y {
    y = rearrange(reshape(x, s), "(a b) c -> b a c", a=2)
}
graph handles(x: string[*]) -> y {
    y = transpose(x, [1, 0])
}
graph named(x: f32[2, 3], s: i32[2]) -> y {
    y = paddle.reshape(x, s, name="rows")
}
graph rows(x: f32[A, B] strides [A*A*A, 1], s: i64[2]) -> y {
    y = reshape(x, s)
}
graph spaced(x: f32[A, B], s: i64[2]) -> (y: f32[A, B] strides [A*B*B + B, 1], z) {
    y = reshape(x, s)
    z = reshape(x, s)
}
graph flat_picked(x: f32[A], i: i64[B], s: i64[1]) -> y {
    y = reshape(gather(x, i), s)
}
graph quarters(x: f32[*]) -> (y, z, v, w) {
    y, z, v, w = split(x, 0, parts=4)
}
graph bits(x: u8[A], s: i64[1]) -> (y, z) {
    y = bitcast(x, u1)
    z = reshape(x, s)
}
"""
X = np.arange(6, dtype=np.float32).reshape(2, 3)
SEVEN = np.zeros((7, 1), np.float32)
NONE = np.zeros(0, np.uint8)


def target(*entries):
    return np.array(entries, np.int64)


def longs(*numbers):
    return (ctypes.c_int64 * len(numbers))(*numbers)


def tensor(**fields):
    """X, with other fields in its DLTensor."""
    return dynamic.spoilt(X.copy(), **fields)


# graph, sizes, inputs, the result: a status or the dims
CALLS = [
    ("whole", {}, {"x": X, "s": target(6, 1)}, [1, 6]),
    ("whole", {}, {"x": X, "s": target(5, -1)}, "not_divisible"),
    ("whole", {}, {"x": X, "s": target(2, 4)}, "volume_mismatch"),
    ("whole", {}, {"x": X, "s": target(-1, -1)}, "multiple_infer"),
    ("whole", {}, {"x": X, "s": target(-2, 3)}, "bad_dim"),
    ("whole", {}, {"x": X, "s": target(2**40, 2**40)}, "overflow"),
    ("whole", {}, {"x": X, "s": target(-(2**63), 2**63 - 1)}, "bad_dim"),
    ("whole", {}, {"x": X, "s": target(0, 0)}, [3, 2]),
    ("whole", {}, {"x": X, "s": None}, "null_pointer"),
    ("sized", {"B": 2, "S": 3}, {"x": X, "n": np.array(3)}, [3, 2]),
    ("sized", {"B": 2, "S": 3}, {"x": X, "n": np.array(-1)}, [3, 2]),
    ("sized", {"B": 2, "S": 3}, {"x": X, "n": np.array(4)}, "volume_mismatch"),
    ("sized", {"B": -1, "S": 3}, {"x": X, "n": np.array(3)}, "bad_dim"),
    ("sized", {"B": 2, "S": -(2**63)}, {"x": X, "n": np.array(3)}, "bad_dim"),
    ("sized", {"B": 2, "S": 101}, {"x": X, "n": np.array(3)}, "guard_failed"),
    ("sized", {"B": 7, "S": 1}, {"x": SEVEN, "n": np.array(1)}, "guard_failed"),
    ("sized", {"B": 2**60, "S": 90}, {"x": X, "n": np.array(1)}, "overflow"),
    ("sized", {"B": 2**60, "S": 4}, {"x": X, "n": np.array(4)}, "overflow"),  # of bytes
    ("sized", {"B": 0, "S": 3}, {"x": X[:0], "n": np.array(5)}, [5, 0]),
    ("sized", {"B": 0, "S": 3}, {"x": X[:0], "n": np.array(-1)}, "ambiguous_infer"),
    ("ranked", {}, {"x": X}, [3, 2]),
    ("ranked", {}, {"x": np.asfortranarray(X)}, [3, 2]),
    ("ranked", {}, {"x": X.reshape(6)}, "bad_perm"),
    ("ranked", {}, {"x": X.astype(np.float64)}, "type_mismatch"),
    ("ranked", {}, {"x": X[:0]}, [3, 0]),
    ("ranked", {}, {"x": None}, "null_pointer"),
    ("ranked", {}, {"x": tensor(shape=None)}, "null_pointer"),
    ("ranked", {}, {"x": tensor(shape=None, ndim=0)}, "bad_perm"),  # that has no shape
    ("ranked", {}, {"x": tensor(ndim=-1)}, "rank_limit"),
    ("ranked", {}, {"x": tensor(ndim=17, shape=longs(*[1] * 17))}, "rank_limit"),
    ("ranked", {}, {"x": tensor(shape=longs(2, -3))}, "bad_dim"),
    ("ranked", {}, {"x": tensor(shape=longs(2**40, 2**40))}, "overflow"),
    ("ranked", {}, {"x": tensor(lanes=2)}, "type_mismatch"),
    ("ranked", {}, {"x": tensor(bits=64)}, "type_mismatch"),
    ("paired", {}, {"x": X[:, :2].copy(), "z": X[:, :2].copy()}, [4, 2]),
    ("paired", {}, {"x": X, "z": X[:, :2].copy()}, "shape_mismatch"),
    ("paired", {}, {"x": X, "z": X}, "shape_mismatch"),
    ("paired", {}, {"x": X, "z": X.reshape(6)}, "bad_rank"),
    ("second", {}, {"x": X, "z": X}, [4, 3]),
    ("second", {}, {"x": X, "z": X.reshape(6)}, "bad_rank"),  # it has no axis 1
    ("less", {"A": 5}, {"z": NONE, "x": X[:, :2].copy(), "s": target(-1)}, [4]),
    ("less", {"A": 2}, {"z": NONE, "x": X[:, :2].copy(), "s": target(-1)}, "bad_dim"),
    ("padded", {"A": 0}, {"x": NONE, "s": target(1, 0)}, [1, 0]),
    ("padded", {"A": 1}, {"x": NONE, "s": target(0, 0)}, [2**62, 0]),
    ("padded", {"A": 2}, {"x": NONE, "s": target(0, 0)}, "overflow"),  # of an entry
    ("stated", {"A": 0}, {"x": np.arange(6, dtype=np.int32), "z": NONE, "s": target(6, 1)}, "shape_mismatch"),
    ("stated", {"A": 2}, {"x": np.arange(6, dtype=np.int32), "z": NONE, "s": target(6, 1)}, "overflow"),
    ("any_list", {}, {"x": X, "s": target(6)}, [6]),
    ("any_list", {}, {"x": X, "s": dynamic.spoilt(target(1), shape=longs(2**31), strides=longs(0))}, "rank_limit"),
    ("summed", {"A": 1, "B": 1}, {"x": NONE, "z": NONE, "s": target(0)}, [0]),
    ("summed", {"A": 8, "B": 1}, {"x": NONE, "z": NONE, "s": target(0)}, "guard_failed"),
    ("summed", {"A": 2**31, "B": 1}, {"x": NONE, "z": NONE, "s": target(0)}, "overflow"),
    ("summed", {"A": 2**40, "B": 2**40}, {"x": NONE, "z": NONE, "s": target(0)}, "overflow"),
    ("chosen", {"B": 2}, {"x": NONE, "s": target(0)}, [0]),
    ("chosen", {"B": 9}, {"x": NONE, "s": target(0)}, [0]),
    ("chosen", {"B": 3}, {"x": NONE, "s": target(0)}, "guard_failed"),
    ("whole_parts", {"A": 2, "B": 6}, {"x": NONE, "z": NONE, "s": target(0)}, [0]),
    ("whole_parts", {"A": 2, "B": 7}, {"x": NONE, "z": NONE, "s": target(0)}, "guard_failed"),
    ("whole_parts", {"A": 0, "B": 6}, {"x": NONE, "z": NONE, "s": target(0)}, "guard_failed"),
    ("whole_parts", {"A": 100, "B": 200}, {"x": NONE, "z": NONE, "s": target(0)}, "guard_failed"),
    ("whole_parts", {"A": 6, "B": 0}, {"x": NONE, "z": NONE, "s": target(0)}, "guard_failed"),
    ("twice", {"A": 1, "B": 2}, {"x": X, "z": NONE, "s": target(2, 3)}, [2, 3]),
    ("twice", {"A": 2**62, "B": 0}, {"x": NONE, "z": NONE, "s": target(2, 3)}, "overflow"),  # of a declared size
    ("parted", {"A": 1, "B": 0}, {"x": NONE, "z": NONE, "s": target(0)}, [0]),
    ("parted", {"A": 1, "B": 5}, {"x": NONE, "z": NONE, "s": target(0)}, "guard_failed"),
    ("parted", {"A": 2, "B": 0}, {"x": NONE, "z": NONE, "s": target(0)}, "overflow"),  # of a divisor
    ("added", {"A": 1, "B": 1, "C": 1}, {"x": NONE, "z": NONE, "w": NONE, "s": target(0)}, [0]),
    ("added", {"A": 1, "B": 1, "C": 2}, {"x": NONE, "z": NONE, "w": NONE, "s": target(0)}, "guard_failed"),
    ("added", {"A": 2**32, "B": 2**31, "C": 2**31}, {"x": NONE, "z": NONE, "w": NONE, "s": target(0)}, "overflow"),
    ("two", {"A": 2}, {"x": X[0, :2].copy(), "s": target(3, 1, 2), "t": target(5, 2)}, [3, 1, 2]),
    ("two", {"A": 2}, {"x": X[0, :2].copy(), "s": target(2**40, 2**40, 2), "t": target(5, 2)}, "overflow"),
    ("bits", {"A": 2}, {"x": np.arange(2, dtype=np.uint8), "s": target(-1)}, [2, 8]),
    ("bits", {"A": 2**61}, {"x": NONE, "s": target(-1)}, "overflow"),  # 2^64 bits
    ("opened", {}, {"x": X, "s": target(6, 1)}, [3, 2, 1]),
    ("opened", {}, {"x": X, "s": target(3, 2)}, "not_divisible"),
    ("named", {}, {"x": X, "s": target(-1, 2).astype(np.int32)}, [3, 2]),  # whatever the name is
    ("handles", {}, {"x": np.arange(6).reshape(2, 3)}, [3, 2]),  # DLPack has no type for strings
    ("declared", {}, {"x": np.arange(6, dtype=np.int32), "s": target(3, -1)}, [3, 2]),
    ("declared", {}, {"x": np.arange(6, dtype=np.int32), "s": target(2, 3)}, "shape_mismatch"),
    ("declared", {}, {"x": np.arange(6, dtype=np.int32), "s": target(4, 3)}, "volume_mismatch"),
    ("any", {"N": 2}, {"x": np.arange(6, dtype=np.int32), "s": target(2, 3)}, [2, 3]),
    ("any", {"N": 2}, {"x": np.arange(6, dtype=np.int32), "s": target(3, 2)}, "shape_mismatch"),
    ("any", {"N": 1}, {"x": np.arange(6, dtype=np.int32), "s": target(6)}, "shape_mismatch"),
    ("loose", {}, {"x": X, "s": target(6)}, [6]),
    ("loose", {}, {"x": X, "s": np.array(6)}, "bad_shape_rank"),
    ("loose", {}, {"x": X, "s": target(3, 2).reshape(2, 1)}, "bad_shape_rank"),
    ("loose", {}, {"x": X, "s": target().reshape(2, 0)}, "bad_shape_rank"),  # no memory is read
]


def judge(program, call):
    name, sizes, inputs, expect = call
    if any(a is None for a in inputs.values()):
        values = {**sizes, **inputs, "y": np.zeros(6, np.float32), "y_dims": np.zeros(2, np.int64)}
        values["plan"] = program.plan(name)
        made = program.call(name, values)
        return "" if made == expect and not values["y"].any() else f"got {made}"
    results = [r for _, r in program.parameters[name] if r in ("y", "z") and r not in inputs]
    made = program.run(name, sizes, inputs, dict.fromkeys(results, inputs["x"].dtype.str[1:]))
    if not isinstance(made, str):
        made = list(made["y"].shape)
    return "" if made == expect else f"got {made}"


# What only a call that moves elements finds: the last number is the elements of each result.
LARGE = [
    ("rows", {"A": 2, "B": 3}, {"x": np.arange(11, dtype=np.float32), "s": target(3, 2)}, "ok", 6),
    ("rows", {"A": 2**21, "B": 1}, {"x": X, "s": target(1, -1)}, "overflow", 6),  # of a stride
    ("spaced", {"A": 2, "B": 3}, {"x": X, "s": target(2, 3)}, "ok", 24),
    ("spaced", {"A": 2**3, "B": 2**30}, {"x": X, "s": target(2**3, -1)}, "overflow", 24),  # of a stride
    ("quarters", {}, {"x": X.reshape(6)[:4].copy()}, "ok", 1),
    ("quarters", {}, {"x": tensor(ndim=1, shape=longs(4), strides=longs(2**62))}, "overflow", 1),  # of an address
]


def too_large(program):
    for name, sizes, inputs, expect, count in LARGE:
        values = {**sizes, **inputs, "plan": program.plan(name)}
        results = {r: np.zeros(count, np.float32) for _, r in program.parameters[name] if r not in values}
        values |= {r: None if r.endswith("_dims") else y for r, y in results.items()}
        status = program.call(name, values)
        is_written = any(y.any() for y in results.values())
        yield f"{name} {sizes}", (status, is_written), (expect, expect == "ok")


def missing_memory(program):
    """NULL for a tensor that has elements, for one that has none, and for the plan."""
    plan = program.plan("whole")
    good = {"x": X, "s": target(3, 2), "y": np.zeros(6, np.float32), "y_dims": None, "plan": plan}
    none = {"B": 0, "S": 3, "x": None, "n": np.array(5), "y": None, "plan": program.plan("sized")}
    yield "all there", program.call("whole", good), "ok"
    for missing in ("x", "y", "plan"):
        yield missing, program.call("whole", {**good, missing: None}), "null_pointer"
    empty = {"x": tensor(data=None), "y": np.zeros((3, 2), np.float32), "y_dims": None, "plan": program.plan("ranked")}
    yield "a tensor without data", program.call("ranked", empty), "null_pointer"
    other = {"x": X, "y": np.zeros((2, 3), np.float32), "y_dims": None, "plan": program.plan("ranked")}
    yield "a result of other sizes", program.call("ranked", other), "shape_mismatch"
    yield "nothing", program.call("sized", {**none, "y_dims": np.zeros(2, np.int64)}), "ok"
    no_picks = {"A": 0, "B": 0, "x": None, "i": None, "s": target(0), "y": None, "y_dims": None, "plan": program.plan("flat_picked")}
    yield "no indices into nothing", program.call("flat_picked", no_picks), "ok"
    yield "all there again", program.call("whole", good), "ok"


# Calls with one plan, in turns: whatever differs from the call before is seen.
KEPT = [
    ("ranked", {}, [X, X.reshape(3, 2), np.asfortranarray(X), X, X.reshape(6), None, X, tensor(shape=None), X], "x"),
    ("ranked", {}, [X, tensor(lanes=2), X, X[:, :1].copy(), X[:1].copy()], "x"),
    ("whole", {"x": X}, [target(3, 2), target(2, 3), None, target(2, 3), target(4, 2), target(-1, 1)], "s"),
    ("any_list", {"x": X}, [target(6), dynamic.spoilt(target(6), data=None), target(6), target(-1), target(2, 3)], "s"),
    ("sized", {"x": X, "B": 2, "S": 3}, [np.array(3), np.array(-1), np.array(4), np.array(3)], "n"),
    ("sized", {"x": X, "S": 3, "n": np.array(-1)}, [2, 1, -1, 0, 2], "B"),
]


def shape_of(name, value):
    """Of the memory for the result: that of ranked has a shape."""
    return value.shape[::-1] if name == "ranked" and value is not None and value.ndim == 2 else 6


def kept_plans(program):
    """Each call with the plan of those before, and with a new one: they do the same."""
    for name, others, turns, changed in KEPT:
        kept = program.plan(name)
        for turn, value in enumerate(turns):
            made = []
            for plan in kept, program.plan(name):
                y, dims = np.zeros(shape_of(name, value), np.float32), np.full(16, -7, np.int64)
                values = {**others, changed: value, "y": y, "y_dims": dims, "plan": plan}
                made.append((program.call(name, values), y.tolist(), dims.tolist()))
            yield f"{name}, turn {turn}", *made


def main():
    compiler, _ = harness.parse_arguments(__doc__)
    path, wrong = compiler.path("graphs.rsh"), 0
    write_file(path, [GRAPHS])
    program = dynamic.Program(compiler, path, "graphs")
    for call, verdict in harness.isolated(CALLS, lambda call: judge(program, call)):
        if verdict:
            wrong += 1
            print(f"{call[0]} {call[1]} {call[2]}: {verdict}, expected {call[3]}")
    for what, made, expect in [*missing_memory(program), *too_large(program), *kept_plans(program)]:
        if made != expect:
            wrong += 1
            print(f"{what}: got {made}, expected {expect}")
    print(f"{len(CALLS)} calls, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
