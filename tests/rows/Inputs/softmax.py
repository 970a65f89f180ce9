# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""softmax.py RESHAPEC CC FOLDER [-v]: softmax in chains of all kinds against numpy in higher precision.

Kernels are called between guard pages, with guard pages around their scratch buffer, too. Every operator of a chain is
evaluated in long double and rounded to the element type, except the last one: the difference is the error of the
kernel, in units in the last place.
"""
import os
import sys

import ml_dtypes
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "support"))
import harness

D = np.longdouble
np.seterr(all="ignore")
TYPES = {"f32": np.dtype("f4"), "f64": np.dtype("f8"), "f16": np.dtype("f2"), "bf16": np.dtype(ml_dtypes.bfloat16)}
BITS = {"f32": 24, "f64": 53, "f16": 11, "bf16": 8}
LEAST = {"f32": -149, "f64": -1074, "f16": -24, "bf16": -133}
# Of one softmax; each before it adds half as much. Four roundings of half a unit: of exp (libm's is a little
# worse), its correction, the sum and the quotient; the first three count twice where their unit is coarser.
BOUND = {"f32": 3.6, "f64": 3.6, "f16": 1, "bf16": 1}
CHAINS = 240


def softmax(x):
    if x.ndim == 0:
        return softmax(x.reshape(1)).reshape(())
    if x.size == 0:
        return x
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


class Chain:
    """A graph as text, and its values: as stored, and with the last step unrounded."""

    def __init__(self, name, kind, x, dims=None, where=""):
        self.name, self.kind, self.x, self.dims, self.where = name, kind, x, dims, where
        self.lines, self.outputs, self.count = [], [], 0
        self.sums = {"x": 0}  # number of softmaxes before a value
        self.stored, self.precise = {"x": x}, {"x": x.astype("f8").astype(D)}

    def add(self, text, value, of, is_softmax=False):
        self.count += 1
        name = f"v{self.count}"
        self.lines.append(f"{name} = {text}")
        self.precise[name] = value
        self.stored[name] = value.astype("f8").astype(TYPES[self.kind])
        self.sums[name] = self.sums[of] + is_softmax
        return name

    def operand(self, name):
        return self.stored[name].astype("f8").astype(D)

    def softmax(self, of):
        return self.add(f"softmax({of})", softmax(self.operand(of)), of, True)

    def step(self, rng, of):
        """Adds an operator that moves elements, or an element-wise one."""
        v = self.operand(of)
        choice = rng.integers(8)
        if choice < 2 and v.ndim > 1:
            perm = [int(i) for i in rng.permutation(v.ndim)]
            return self.add(f"transpose({of}, {perm})", v.transpose(perm), of)
        if choice == 2:
            return self.add(f"relu({of})", np.maximum(v, 0), of)
        if choice == 3 and v.ndim:
            axis = int(rng.integers(v.ndim))
            return self.add(f"flip({of}, {axis})", np.flip(v, axis), of)
        if choice == 4 and v.ndim:
            axis = int(rng.integers(v.ndim))
            return self.add(f"concat({of}, {of}, {axis})", np.concatenate([v, v], axis), of)
        if choice == 5 and v.ndim and v.shape[-1] > 1:
            return self.add(f"{of}[..., 1:]", v[..., 1:], of)
        if choice == 6 and v.ndim > 1:
            dims = [v.shape[0] * v.shape[1], *v.shape[2:]]
            return self.add(f"reshape({of}, {dims})", v.reshape(dims), of)
        return self.add(f"abs({of})", np.abs(v), of)

    def text(self):
        dims = self.dims or (list(self.x.shape) if self.x.ndim else "")
        results = ", ".join(f"r{i}" for i in range(len(self.outputs)))
        body = "".join(f"    {line}\n" for line in self.lines)
        body += "".join(f"    r{i} = {name}\n" for i, name in enumerate(self.outputs))
        return f"graph {self.name}(x: {self.kind}{dims}) -> ({results}) {self.where}{{\n{body}}}\n"


def numbers(rng, kind, dims):
    x = rng.normal(size=dims) * rng.choice([0.1, 1, 10, 60])
    return np.asarray(x).astype(TYPES[kind])


def random_chain(seed):
    rng = np.random.default_rng(seed)
    kind = list(TYPES)[seed % 4]
    dims = [int(n) for n in rng.integers(1, 7, size=seed // 4 % 6)]
    chain = Chain(f"chain{seed}", kind, numbers(rng, kind, dims))
    ends = ["x"]
    for _ in range(int(rng.integers(1, 4))):
        of = ends[int(rng.integers(len(ends)))]
        for _ in range(int(rng.integers(0, 3))):
            of = chain.step(rng, of)
        of = chain.softmax(of)
        ends.append(of)
        for _ in range(int(rng.integers(0, 3))):
            of = chain.step(rng, of)
        ends.append(of)
    chain.outputs = [ends[-1]] + [e for e in ends[1:-1] if rng.integers(2)]
    return chain


def special(name, kind):
    """Rows that hold infinities, NaN, the ends of the type, and long rows."""
    inf, nan = np.inf, np.nan
    top = float(ml_dtypes.finfo(TYPES[kind]).max)
    rows = [[0, 1, 2], [inf, 0, 1], [-inf, 0, 1], [-inf] * 3, [nan, 0, 1], [inf, -inf, 0], [top, top, -top],
            [-top, top, 0], [0.0, -0.0, -0.0], [top, 0, -inf], [-inf, -inf, -3]]
    chain = Chain(name, kind, np.array(rows).astype(TYPES[kind]))
    chain.outputs = [chain.softmax("x")]
    return chain


def long_row(name, kind):
    rng = np.random.default_rng(7)
    chain = Chain(name, kind, numbers(rng, kind, [3, 30000]))
    chain.outputs = [chain.softmax("x")]
    return chain


def far(name, kind):
    """Pieces too many to fold, before a softmax and between two; a table of rows after it."""
    rng = np.random.default_rng(3)
    chain = Chain(name, kind, numbers(rng, kind, [61, 67]))
    of = "x"
    for _ in range(2):
        for text in ("transpose({})", "reshape({}, [61, 67])", "transpose({})"):
            v = chain.operand(of)
            of = chain.add(text.format(of), v.reshape(61, 67) if "reshape" in text else v.T, of)
        of = chain.softmax(of)
        of = chain.add(f"reshape({of}, [61, 67])", chain.operand(of).reshape(61, 67), of)
    rows = [int(i) for i in rng.integers(61, size=80)]
    picked = chain.add(f"gather({of}, {rows})", chain.operand(of)[rows], of)
    chain.outputs = [of, picked, chain.softmax(picked)]
    return chain


def error_of(kind, got, want):
    """Returns the largest error, in units in the last place of the type."""
    got = got.astype("f8").astype(D)
    same = (np.isnan(got) & np.isnan(want)) | (got == want)
    unit = np.exp2(np.maximum(np.floor(np.log2(np.where(want > 0, want, 1))) - BITS[kind] + 1, LEAST[kind]))
    error = np.where(same, 0, np.abs(got - want) / unit)
    return float(np.nan_to_num(error, nan=np.inf).max(initial=0))


def scratch_bytes(header, name):
    """Returns GRAPH_SCRATCH_BYTES from the header, or [] if it has none."""
    start = f"#define {name.upper()}_SCRATCH_BYTES "
    return [int(line[len(start):]) for line in header.splitlines() if line.startswith(start)]


def main(reshapec, cc, folder):
    compiler, caller = harness.Compiler(reshapec, cc, folder), harness.Caller()
    chains = [random_chain(seed) for seed in range(CHAINS)]
    chains += [make(f"{make.__name__}_{kind}", kind) for kind in TYPES for make in (special, long_row, far)]
    path = compiler.path("softmax.rsh")
    with open(path, "w", encoding="utf-8") as out:
        out.writelines(chain.text() for chain in chains)
    library = compiler.library(path, "softmax")
    with open(compiler.path("softmax.h"), encoding="utf-8") as file:
        header = file.read()
    worst, staged = {}, 0
    for chain in chains:
        element = TYPES[chain.kind].itemsize
        data = np.ascontiguousarray(chain.x).reshape(-1).view(np.uint8)
        sizes = [chain.precise[name].size * element for name in chain.outputs]
        scratch = scratch_bytes(header, chain.name)
        staged += len(scratch)
        made = caller.run(library[chain.name], [data], sizes + scratch, element)
        for name, got in zip(chain.outputs, made):
            want = chain.precise[name]
            error = error_of(chain.kind, got.view(TYPES[chain.kind]).reshape(want.shape), want)
            key = (chain.kind, chain.sums[name])
            worst[key] = max(worst.get(key, 0), error)
            if error > BOUND[chain.kind] * (1 + chain.sums[name]) / 2 and "-v" not in sys.argv:
                sys.exit(f"{name} is wrong by {error:.2f} units in the last place:\n{chain.text()}")
    assert 0 < staged < len(chains)
    for key, error in sorted(worst.items()):
        if "-v" in sys.argv:
            print(*key, f"{error:.3f}")
    print(len(chains), "chains")


if __name__ == "__main__":
    main(*sys.argv[1:4])
