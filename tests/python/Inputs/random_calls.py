# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random calls of the package, against einops and numpy: random_calls.py --seed S --count N

Patterns are made from axes with sizes: groups on the left, another grouping of the same on the right. Arrays have all
kinds of elements and are sometimes not row-major. Half of the functions for rs.jit are also run twice, so that the kernel is found again.
"""
import argparse
import math
import random

import einops
import numpy as np

import reshapec as rs

TYPES = ["?", "i1", "u1", "i2", "u2", "f2", "i4", "f4", "i8", "f8", "c8", "c16", "M8[s]", "S4"]


def array(rng, shape, types=TYPES):
    dtype = np.dtype(rng.choice(types))
    raw = rng.randbytes(math.prod(shape) * dtype.itemsize)
    x = np.frombuffer(raw, dtype=dtype).reshape(shape) if dtype != np.dtype("?") else np.frombuffer(bytes(b & 1 for b in raw), dtype).reshape(shape)
    if x.ndim > 1 and rng.random() < 0.2:
        order = list(range(x.ndim))
        rng.shuffle(order)
        x = np.ascontiguousarray(x.transpose(order)).transpose(np.argsort(order))
    return x


def same(got, wanted, what):
    assert isinstance(got, np.ndarray) and got.dtype == wanted.dtype and got.shape == wanted.shape, (what, got.shape, wanted.shape, got.dtype, wanted.dtype)
    assert got.tobytes() == wanted.tobytes(), what


def groups(rng, axes):
    result, i = [], 0
    while i < len(axes):
        count = rng.choice([1, 1, 1, 2, 3])
        result.append(axes[i:i + count])
        i += count
    if rng.random() < 0.15:
        result.insert(rng.randrange(len(result) + 1), [])
    return result


def text(rng, parts):
    return " ".join("1" if not part and rng.random() < 0.5 else "()" if not part else part[0] if len(part) == 1 else f"({' '.join(part)})" for part in parts)


def pattern_case(rng, which):
    names = list("abcdefg")[:rng.randint(1, 5)]
    size = {name: rng.choice([1, 2, 2, 3, 4, 5]) for name in names}
    left = groups(rng, names)
    right_names = names[:]
    rng.shuffle(right_names)
    given = {}
    if which == "repeat":
        for name in "xy"[:rng.randint(0, 2)]:
            given[name] = rng.randint(1, 3)
            right_names.insert(rng.randrange(len(right_names) + 1), name)
    right = groups(rng, right_names)
    for part in left:
        open_axis = rng.choice(part) if part else None
        given.update({name: size[name] for name in part if name != open_axis})
    shape = tuple(math.prod(size[n] for n in part) for part in left)
    a, b = text(rng, left), text(rng, right)
    if rng.random() < 0.3:  # some axes in front, behind or in the middle, as dots
        dots = tuple(rng.randint(1, 3) for _ in range(rng.randint(0, 2)))
        if rng.random() < 0.5:
            shape, a, b = dots + shape, "... " + a, ("... " if rng.random() < 0.5 else "(...) ") + b
        else:
            shape, a, b = shape + dots, a + " ...", b + " ..."
    return f"{a} -> {b}", shape, given


def check_pattern(rng, which):
    pattern, shape, given = pattern_case(rng, which)
    x = array(rng, shape)
    wanted = np.ascontiguousarray(getattr(einops, which)(x, pattern, **given)).reshape(getattr(einops, which)(x, pattern, **given).shape)
    what = f"rs.{which}({x.dtype}{list(shape)}, {pattern!r}, {given})"
    same(getattr(rs, which)(x, pattern, **given), wanted, what)
    if rng.random() < 0.3:
        out = np.empty(wanted.shape, x.dtype)
        assert getattr(rs, which)(x, pattern, out=out, **given) is out
        same(out, wanted, what)


def check_pack(rng):
    before, after = rng.randint(0, 2), rng.randint(0, 2)
    dtype = [rng.choice(TYPES)]
    outer = [rng.randint(1, 4) for _ in range(before + after)]
    shapes = [tuple(outer[:before] + [rng.randint(1, 4) for _ in range(rng.randint(0, 2))] + outer[before:]) for _ in range(rng.randint(1, 4))]
    arrays = [array(rng, shape, dtype) for shape in shapes]
    pattern = " ".join(["a", "b"][:before] + ["*"] + ["c", "d"][:after])
    wanted, wanted_shapes = einops.pack(arrays, pattern)
    got, got_shapes = rs.pack(arrays, pattern)
    same(got, wanted, f"rs.pack({shapes}, {pattern!r})")
    assert list(map(tuple, got_shapes)) == list(map(tuple, wanted_shapes))
    for part, x in zip(rs.unpack(got, got_shapes, pattern), einops.unpack(wanted, wanted_shapes, pattern)):
        same(part, np.array(x, order="C"), f"rs.unpack({shapes}, {pattern!r})")


def check_jit(rng):
    shape = tuple(rng.randint(1, 6) for _ in range(rng.randint(1, 4)))
    x = array(rng, shape, ["i2", "u1", "i4", "f4", "f8"])
    if x.dtype.kind == "f":
        x = np.arange(x.size, dtype=x.dtype).reshape(shape) - x.size // 2
    steps, value = [], x
    for _ in range(rng.randint(1, 5)):
        step = random_step(rng, value)
        value = apply(step, value, np)
        steps.append(step)

    def function(a):
        for step in steps:
            a = apply(step, a, rs)
        return a

    jitted = rs.jit(function)
    for _ in range(rng.choice([1, 2])):
        same(jitted(x), np.array(value, order="C"), f"rs.jit of {steps} for {x.dtype}{list(shape)}")


def random_step(rng, x):
    kind = rng.choice(["transpose", "reshape", "slice", "pad", "concat", "stack", "astype", "arithmetic", "swapaxes",
                       "flip", "roll", "tile", "repeat", "expand_dims", "moveaxis", "broadcast_to"])
    if kind == "transpose" or (kind == "swapaxes" and x.ndim < 2):
        order = list(range(x.ndim))
        rng.shuffle(order)
        return "transpose", order
    if kind == "swapaxes":
        return kind, rng.sample(range(x.ndim), 2)
    if kind == "reshape":
        factors = []
        for size in x.shape:
            divisors = [d for d in range(1, size + 1) if size % d == 0] or [1]
            d = rng.choice(divisors)
            factors += [d, size // d]
        return kind, (factors if len(factors) < 7 else list(x.shape))
    if kind == "slice":
        key = []
        for size in x.shape:
            a, b = rng.randint(-size - 1, size), rng.randint(-size - 1, size)
            key.append(rng.choice([slice(None), slice(None), slice(a, b), slice(None, None, -1), slice(a, None, 2), slice(a, b, -1), rng.randrange(size) if size else slice(None)]))
        if rng.random() < 0.2:
            key.insert(rng.randrange(len(key) + 1), None)
        return kind, tuple(key)
    if kind == "pad" and x.ndim:  # numpy takes no empty list
        return kind, [(rng.randint(0, 2), rng.randint(0, 2)) for _ in x.shape]
    if kind in ("concat", "stack") and x.ndim:
        return kind, rng.randrange(x.ndim)
    if kind == "astype":
        return kind, rng.choice(["f4", "f8"])
    if kind in ("flip", "roll", "tile", "repeat", "expand_dims", "moveaxis", "broadcast_to") and x.ndim and x.size < 500:
        axes = rng.sample(range(x.ndim), rng.randint(1, x.ndim))
        axes = [a - x.ndim * rng.randrange(2) for a in axes]
        return kind, {
            "flip": lambda: (rng.choice([None, tuple(axes), axes[0]]),),
            "roll": lambda: rng.choice([(rng.randint(-9, 9),), (rng.randint(-9, 9), axes[0]), ([rng.randint(-9, 9) for _ in axes], tuple(axes))]),
            "tile": lambda: (rng.choice([2, [rng.randint(1, 2) for _ in range(min(rng.randint(0, x.ndim + 1), 6))]]),),
            "repeat": lambda: (rng.randint(0 if rng.random() < 0.1 else 1, 3), rng.choice([None, axes[0]])),
            "expand_dims": lambda: (rng.choice([0, -1, (0, -1)]),),
            "moveaxis": lambda: (axes, rng.sample(range(x.ndim), len(axes))),
            "broadcast_to": lambda: ([rng.randint(1, 2) for _ in range(rng.randint(0, 1))] + [d if d != 1 else rng.randint(1, 3) for d in x.shape],),
        }[kind]()
    return "arithmetic", (rng.choice("+-*") if x.dtype.kind in "iu" else rng.choice("+-*/r"), rng.randint(1, 3))


def apply(step, x, library):
    kind, value = step
    if kind == "transpose":
        return x.transpose(value)
    if kind == "swapaxes":
        return x.swapaxes(*value)
    if kind == "reshape":
        return x.reshape(value)
    if kind == "slice":
        return x[value]
    if kind == "pad":
        return library.pad(x, value)
    if kind in ("concat", "stack"):
        join = {"concat": getattr(library, "concat", None) or np.concatenate, "stack": library.stack}[kind]
        return join([x, x], axis=value)
    if kind == "astype":
        return x.astype(value)
    if kind not in ("arithmetic",):
        return getattr(np, kind)(x, *value)
    sign, number = value
    return x + number if sign == "+" else x - number if sign == "-" else x * number if sign == "*" else x / number if sign == "/" else number - x


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    checks = [lambda: check_pattern(rng, "rearrange"), lambda: check_pattern(rng, "repeat"), lambda: check_pack(rng), lambda: check_jit(rng)]
    for i in range(options.count):
        checks[i % len(checks)]()
    print(f"{options.count} calls agree")


main()
