#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nodes of ONNX with a constant operand against its reference evaluator and onnxruntime, bit for bit.

    arithmetic.py RESHAPEC CC WORK TABLE [--count N] [--list]

The operators are those that TABLE (runtime/arithmetic.def) gives an ONNX name, QuantizeLinear, DequantizeLinear, and the
unary ones below that are exact; the types are those that ONNX's schema gives them. Types of 8 and 16 bits take all their values, wider ones the ends of their ranges,
what is next to powers of two, and N random bit patterns. A model has a result for each constant, and one more whose
constant is a tensor of all of them, a column each. It runs as machine code for any machine of the kind, for this one, and
as C. --list prints a line for each operator and type.

What is not compared: payloads of NaN; minus infinity in f16 that onnxruntime clips from above alone to -65504; the sign of a zero that Min, Max and Clip take from either of two; integers past 2^30
that QuantizeLinear would round to; -1 as a divisor of the least integer, which stops onnxruntime.
"""

import argparse
import collections
import ctypes
import os
import re
import subprocess
import sys
import warnings

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

import ml_dtypes  # noqa: E402
import numpy as np  # noqa: E402
import onnx  # noqa: E402
import onnxruntime  # noqa: E402
from harness import C_FLAGS  # noqa: E402
from onnx import TensorProto, helper, numpy_helper  # noqa: E402
from onnx.reference import ReferenceEvaluator  # noqa: E402

np.seterr(all="ignore")
warnings.simplefilter("ignore")
onnxruntime.set_default_logger_severity(4)
OPSET, IR = 23, 11
INTEGERS = {f"{'u' if k == 'u' else ''}int{b}": f"{k}{b // 8}" for k in "iu" for b in (8, 16, 32, 64)}
FLOATS = {"float16": "f2", "bfloat16": ml_dtypes.bfloat16, "float": "f4", "double": "f8"}
TYPES = {name: np.dtype(t) for name, t in {**INTEGERS, **FLOATS, "bool": "?"}.items()}
NARROW = {"int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2", "float8e4m3fn": ml_dtypes.float8_e4m3fn, "float8e5m2": ml_dtypes.float8_e5m2,
          "float8e4m3fnuz": ml_dtypes.float8_e4m3fnuz, "float8e5m2fnuz": ml_dtypes.float8_e5m2fnuz}
NARROW = {name: np.dtype(t) for name, t in NARROW.items()}
OF_FLOATS = (0.1, -3, 255, float("inf"), float("nan"), 1e-3, 7)
OF_INTEGERS = {"i": (1, 3, -1, -7, 100, -128), "u": (1, 3, 7, 100, 128)}
EXACT = ("Abs", "Ceil", "Floor", "Sqrt", "Reciprocal")  # of the activations: rounded once
UNARY = ("Neg", "BitwiseNot", "Round", *EXACT)


def is_float(t):
    return t in FLOATS or t.startswith("float8")


def is_unsigned(t):
    return TYPES[t].kind == "u"


def samples(t, count):
    dtype = TYPES.get(t) or NARROW[t]
    bits, word = 8 * dtype.itemsize, f"u{dtype.itemsize}"
    if t == "bool":
        return np.array([False, True])
    if bits <= 16:
        return np.arange(1 << bits).astype(word).view(dtype)
    rng = np.random.default_rng(20)
    edges = np.array([((1 << k) + d) & (1 << bits) - 1 for k in range(bits) for d in (-2, -1, 0, 1, 2)], word)
    near = (rng.integers(-4000, 4000, count // 8) / (16 if is_float(t) else 1)).astype(dtype)
    return np.concatenate([edges.view(dtype), rng.integers(0, 1 << bits, count, word if bits < 64 else "u8").view(dtype), near])


class Job:
    """One operator of one type, and all its constants."""

    def __init__(self, op, t, label, columns, attributes=None, swapped=False, to=None):
        self.op, self.t, self.label, self.columns, self.attributes = op, t, label, columns, attributes or {}
        self.swapped, self.to = swapped, to or t
        self.name = re.sub(r"\W", "_", f"{label}_{t}_{self.to}")

    def model(self, x):
        """y0, y1, ... of one constant each; columns, of all of them."""
        nodes, constants, names = [], [], []

        def constant(value):
            constants.append(numpy_helper.from_array(np.asarray(value), f"c{len(constants)}"))
            return constants[-1].name

        def node(given, operands, out):
            inputs = [given, *(constant(value) if value is not None else "" for value in operands)]
            nodes.append(helper.make_node(self.op, inputs[::-1] if self.swapped else inputs, [out], **self.attributes))
            names.append(out)

        for k, operands in enumerate(self.columns):
            node("x", operands, f"y{k}")
        if self.is_table():
            nodes.append(helper.make_node("Unsqueeze", ["x", constant(np.array([1]))], ["rows"]))
            node("rows", [np.stack(each) for each in zip(*self.columns)], "columns")
        info = helper.make_tensor_value_info
        given = info("x", helper.np_dtype_to_tensor_dtype(x.dtype), [x.size])
        made = [info(n, helper.np_dtype_to_tensor_dtype(TYPES.get(self.to) or NARROW[self.to]), [x.size, len(self.columns)] if n == "columns" else [x.size]) for n in names]
        graph = helper.make_graph(nodes, self.name, [given], made, constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR)

    def is_table(self):
        return len(self.columns) > 1 and self.op not in ("Clip", "QuantizeLinear", "DequantizeLinear") and all(self.columns)

    def values(self, count):
        x = samples(self.t, count)
        if self.op in ("Div", "Mod") and x.dtype.kind == "i":
            x = x[x != np.iinfo(x.dtype).min]
        return x


def columns_of(op, t):
    dtype = TYPES[t]
    if op in UNARY:
        return [()]
    if op == "Clip":
        pairs = ((-1.5, 6), (None, 0.5), (0, 6)) if is_float(t) else ((5, 100), (None, 9), (3, None))
        return [tuple(None if n is None else np.array(n, dtype) for n in pair) for pair in pairs]
    if t == "bool":
        return [(np.array(b),) for b in (True, False)]
    if op == "BitShift":
        return [(np.array(n, dtype),) for n in (0, 1, 5, 8 * dtype.itemsize - 1)]
    numbers = OF_FLOATS if is_float(t) else OF_INTEGERS[dtype.kind]
    return [(np.array(n).astype(dtype),) for n in numbers]


def jobs(table):
    with open(table, encoding="utf-8") as file:
        named = re.findall(r'^RSH_ARITHMETIC\(\w+, *"\w+", *"[^"]*", *\w+, *"[^"]*", *"[^"]*", *"(\w+)"', file.read(), re.MULTILINE)
    for op in [*dict.fromkeys(named), "BitShift", *EXACT]:
        schema = onnx.defs.get_schema(op, OPSET)
        allowed = next(c.allowed_type_strs for c in schema.type_constraints if c.type_param_str == "T")
        for t in [t for t in TYPES if f"tensor({t})" in allowed]:
            columns = columns_of(op, t)
            if op == "BitShift":
                for way in ("LEFT", "RIGHT"):
                    yield Job(op, t, f"{op} {way}", columns, {"direction": way})
            elif op == "Mod":
                if not is_float(t):
                    yield Job(op, t, op, columns)
                yield Job(op, t, "Mod fmod", columns, {"fmod": 1})
            else:
                yield Job(op, t, op, columns)
            if op in ("Sub", "Min", "Max") or (op == "Div" and is_float(t)):
                yield Job(op, t, f"{op} swapped", columns, swapped=True)
    for t in ("float", "float16", "bfloat16"):
        for to, dtype in NARROW.items():
            zeros = {"i": (0, 1, -3), "u": (0, 5, 11)}.get(dtype.kind, (0,))
            of = lambda scales: [(np.array(s).astype(TYPES[t]), np.array(z).astype(dtype)) for s in scales for z in zeros]  # noqa: E731
            yield Job("QuantizeLinear", t, "QuantizeLinear", of((0.5, 0.05, 3.0)), to=to)
            yield Job("DequantizeLinear", to, "DequantizeLinear", of((0.5, 0.1, 3e-3)), to=t)
        yield Job("DequantizeLinear", "int32", "DequantizeLinear", [(np.array(s).astype(TYPES[t]),) for s in (0.5, 0.1, 3e-3)], to=t)


def words(array):
    return np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}")


def differing(job, x, found, wanted, column):
    """Where two results are not the same."""
    bad = words(found) != words(wanted)
    if is_float(job.to):
        bad &= ~(np.isnan(found) & np.isnan(wanted))
        if job.op in ("Min", "Max", "Clip"):
            bad &= ~((found == 0) & (wanted == 0))
        if job.op == "Clip" and job.t == "float16":
            bad &= ~(np.isneginf(found) & (wanted == np.finfo("f2").min))
    elif job.op == "QuantizeLinear":
        ratio = (x / job.columns[column][0]).astype("f8")
        bad &= np.isfinite(ratio) & (np.abs(ratio) < 2**30)
    return np.flatnonzero(bad)


def results_of(job, made):
    """Each column, those of one constant and those of the tensor of constants."""
    count = len(job.columns)
    for k, array in enumerate(made):
        if k < count:
            yield k, array
        else:
            yield from ((c, np.ascontiguousarray(array[:, c])) for c in range(count))


def compiled(job, model, x, reshapec, cc):
    """(tier, results) of each; a text: why it is refused."""
    onnx.save(model, f"{job.name}.onnx")
    for tier, flags in {"object": [], "native": ["-mcpu=native"], "c": ["--emit=c"]}.items():
        out = f"{job.name}.{'c' if tier == 'c' else 'o'}"
        done = subprocess.run([reshapec, f"{job.name}.onnx", *flags, "-o", out], capture_output=True, text=True)
        if done.returncode:
            yield None, done.stderr.split("error: ")[-1].splitlines()[0]
            return
        extra = [*C_FLAGS, "-O2", "-march=native"] if tier == "c" else []
        shared = os.path.abspath(f"{job.name}-{tier}.so")
        subprocess.run([*cc.split(), *extra, "-shared", "-fPIC", out, "-o", shared, "-lm"], check=True)
        made = [np.zeros([d.dim_value for d in v.type.tensor_type.shape.dim], TYPES.get(job.to) or NARROW[job.to]) for v in model.graph.output]
        getattr(ctypes.CDLL(shared), job.name)(*[ctypes.c_void_p(a.ctypes.data) for a in (x, *made)])
        yield tier, made


def of_onnxruntime(model, x):
    """None: it does not take these types."""
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
        return session.run(None, {"x": x})
    except Exception:
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("reshapec")
    parser.add_argument("cc")
    parser.add_argument("work")
    parser.add_argument("table")
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--only", default="")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    table, reshapec = os.path.abspath(options.table), os.path.abspath(options.reshapec)
    os.makedirs(options.work, exist_ok=True)
    os.chdir(options.work)
    wrong, ran, totals, refused = 0, 0, collections.Counter(), collections.Counter()
    for job in jobs(table):
        if not re.search(options.only, job.label):
            continue
        x = job.values(options.count)
        model = job.model(x)
        references = {"reference": ReferenceEvaluator(model).run(None, {"x": x}), "onnxruntime": of_onnxruntime(model, x)}
        said = []
        for tier, made in compiled(job, model, x, reshapec, options.cc):
            if tier is None:
                refused[f"{job.label}: {made}"] += 1
                said = [f"refused: {made}"]
                break
            for name, wanted in references.items():
                if wanted is None:
                    continue
                values = 0
                for (column, found), (_, want) in zip(results_of(job, made), results_of(job, wanted)):
                    values += found.size
                    bad = differing(job, x, found, want.view(found.dtype) if want.dtype.itemsize == found.dtype.itemsize else want.astype(found.dtype), column)
                    if bad.size:
                        wrong += 1
                        at = bad[0]
                        print(f"{tier} and {name}: {job.label} of {job.t} to {job.to}, {[str(c) for c in job.columns[column]]}: {x[at]!r} is {found[at]!r}, not {want[at]!r}; {bad.size} differ")
                totals[name] += values if tier == "object" else 0
                said += [f"{values} {name}"] if tier == "object" else []
        else:
            ran += 1
        if options.list:
            print(f"{job.label:18} {job.t:>14} {job.to:>14}  {', '.join(said)}", flush=True)
    for why, times in sorted(refused.items()):
        print(f"refused {times}: {why}")
    print(f"{ran} operators and types, {totals['reference']} results of the reference evaluator, {totals['onnxruntime']} of onnxruntime, {wrong} wrong")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
