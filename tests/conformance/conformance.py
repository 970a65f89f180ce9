#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the compiler against the reshape vectors of reshape.tsv: exact sizes, or one error of one kind.

Every row with a constant target becomes a graph, in each equivalent spelling (other opsets, the plain
`reshape`, arguments by name, DynamicReshape with a constant). Valid rows must be aliases, and their
compiled kernels must copy every element in order. --fuzz N adds N random rows, judged by the resolver of
the numpy oracle instead of the file. --runtime judges the rows again with the target as data, read at run
time.
"""

import csv
import math
import os
import random
import sys
from dataclasses import dataclass, field

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True  # no __pycache__ next to the sources
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import dynamic  # noqa: E402
import harness  # noqa: E402
import oracle  # noqa: E402
from graph import bracket, write_file  # noqa: E402

DTYPES = {
    "float": "f32",
    "float32": "f32",
    "float16": "f16",
    "bfloat16": "bf16",
    "float64": "f64",
    "complex64": "c64",
    "complex128": "c128",
    "int4": "i4",
    "uint4": "u4",
    "int2": "i2",
    "uint2": "u2",
    "float4e2m1": "f4e2m1",
    "float8e8m0": "f8e8m0",
    "float8e4m3fn": "f8e4m3fn",
    "s32": "i32",
    "int8": "i8",
    "int32": "i32",
    "int64": "i64",
}
PACKED_BITS = {"i4": 4, "u4": 4, "f4e2m1": 4, "i2": 2, "u2": 2}
LATER_OPSETS = [19, 21, 23, 24, 25, 26, 28]


def ints(text):
    return [] if text == "-" else [int(n) for n in text.split(",")]


@dataclass
class Row:
    """One vector: `expect` is the result's sizes, or the kind of the error."""

    label: str
    dialect: str
    opset: int
    dims: list
    target: list  # None: no target is given
    expect: object
    dtype: str = "f32"
    target_dtype: str = None
    target_rank: int = 1
    flags: dict = field(default_factory=dict)

    @property
    def run_time(self):
        """Whether the row itself asks for a target that is data."""
        given = self.flags.get("actual_shape")
        return bool({"tensors", "shape_tensor"} & self.flags.keys()) or given not in (None, "int")

    def number_flag(self, name):
        words = {"true": True, "false": False, None: None}
        text = self.flags.get(name)
        return words[text] if text in words else int(text)

    def by_oracle(self):
        """The expectation as the oracle's resolver has it."""
        target, given = self.target, self.flags.get("actual_shape", "int")
        if given != "int" and not {"tensors", "shape_tensor"} & self.flags.keys():
            target = ints(given)
        try:
            return oracle.reshape_dialect(
                self.dialect,
                self.dims,
                target,
                self.dtype,
                self.target_dtype or "i64",
                self.target_rank,
                self.opset,
                self.number_flag("allowzero"),
                self.number_flag("special_zero"),
                bad_argument=self.flags.get("actual_shape") == "int",
            )
        except oracle.Refused as refused:
            return refused.kind


def read_rows():
    """The rows of reshape.tsv that are not symbolic inference, and the number of those that are."""
    with open(os.path.join(HERE, "reshape.tsv"), encoding="utf-8", newline="") as lines:
        texts = [line for line in lines if not line.startswith("#")]
    rows, partial = [], 0
    for r in csv.DictReader(texts, delimiter="\t", quoting=csv.QUOTE_NONE):
        flags = dict(f.split("=") for f in r["flags"].split(";")) if r["flags"] != "-" else {}
        if "partial" in flags:
            partial += 1
            continue
        dialect = r["dialect"].rstrip("0123456789")
        version = r["dialect"][len(dialect) :]
        error = r["expect"].startswith("error:")
        rows.append(
            Row(
                r["id"],
                dialect,
                int(flags.get("opset", version or 0)),
                ints(r["input_shape"]),
                None if r["shape"] == "absent" else ints(r["shape"]),
                r["expect"][6:] if error else ints(r["expect"]),
                DTYPES.get(flags.get("dtype", "f32"), flags.get("dtype", "f32")),
                DTYPES.get(flags.get("shape_dtype"), flags.get("shape_dtype")),
                int(flags.get("shape_rank", 1)),
                flags,
            )
        )
    return rows, partial


# ---- a row as text -------------------------------------------------------------------------------


def typed(dtype, dims):
    return dtype + (bracket(dims) if dims else "")


def graph_text(name, row, call):
    """One graph on one line; `call` holds the operator, its arguments, and inputs besides x."""
    operator, arguments, more = call
    inputs = ", ".join([f"x: {typed(row.dtype, row.dims)}"] + more)
    return f"graph {name}({inputs}) -> y {{ y = {operator}({', '.join(['x'] + arguments)}) }}\n"


def literal_target(row):
    """The target as a constant argument: a list, a bare integer for 0-D, a nested list for 2-D."""
    if row.target_dtype and row.target_dtype != "i64":
        return "s"
    if row.target_rank == 0:
        return str(row.target[0])
    return "[" * (row.target_rank - 1) + bracket(row.target) + "]" * (row.target_rank - 1)


def options_of(row):
    """The named arguments of a row after its target."""
    names = {
        "onnx": ["allowzero", "consumed_inputs"],
        "openvino": ["special_zero"],
        "onednn": ["special_zero"],
        "paddle": ["inplace", "actual_shape"],
    }[row.dialect]
    texts = []
    for name in names:
        value = row.flags.get(name)
        if name == "consumed_inputs" and value is not None:
            value = bracket(ints(value))
        if name == "inplace" and value is not None:
            value = "True"
        if name == "actual_shape":
            value = "6" if value == "int" else None
        if value is not None:
            texts.append(f"{name}={value}")
    return texts


def spellings(row):
    """Every way to write a row with a constant target: (operator, arguments, more inputs)."""
    target = [] if row.target is None else [literal_target(row)]
    more = [f"s: {typed(row.target_dtype, [len(row.target)])}"] if target == ["s"] else []
    named = [f"shape={t}" for t in target]
    rest = options_of(row)
    if row.dialect == "onnx":
        yield "onnx.reshape", target + rest + [f"opset={row.opset}"], more
        yield "onnx.reshape", rest + [f"opset={row.opset}"] + named, more
        if row.opset == 14 and row.expect != "bad_type":
            for opset in LATER_OPSETS:
                yield "onnx.reshape", target + rest + [f"opset={opset}"], more
            yield "onnx.reshape", target + rest, more
            yield "reshape", target + rest, more
    elif row.dialect == "openvino":
        yield "openvino.reshape", target + rest, more
        yield "openvino.reshape", rest + named, more
    elif row.dialect == "onednn":
        yield "onednn.static_reshape", named + rest, more
        yield "onednn.static_reshape", target + rest, more
        yield "onednn.dynamic_reshape", target + rest, more
    else:
        yield "paddle.reshape", named + rest, more
        yield "paddle.reshape", target + ["act=None"] + rest, more


def run_time_call(row):
    """The row with its target as data, and the inputs besides x; None if it cannot be said so."""
    kind = row.target_dtype or ("i32" if row.dialect == "paddle" else "i64")
    if row.target is None or row.opset == 1:
        return None
    rest, more, values = options_of(row), [], {}

    def tensor(name, numbers, dims):
        more.append(f"{name}: {typed(kind, dims)}")
        values[name] = np.array(numbers, harness.NUMPY_TYPES[kind]).reshape(dims)
        return name

    actual = row.flags.get("actual_shape", "int")
    if actual != "int":
        rest.append("actual_shape=" + tensor("a", ints(actual), [len(ints(actual))]))
    if "tensors" in row.flags:
        entries = [str(t) for t in row.target]
        for i in ints(row.flags["tensors"]):
            entries[i] = tensor(f"t{i}", [row.target[i]], [1])
        target = bracket(entries)
    elif actual != "int" and "shape_tensor" not in row.flags:
        target = bracket(row.target)
    else:
        target = tensor("s", row.target, [[], [len(row.target)], [1, len(row.target)]][row.target_rank])
    operator = {
        "onnx": "onnx.reshape",
        "openvino": "openvino.reshape",
        "onednn": "onednn.dynamic_reshape",
        "paddle": "paddle.reshape",
    }[row.dialect]
    if row.dialect == "onnx":
        rest.append(f"opset={row.opset}")
    return (operator, [target] + rest, more), values


# ---- random rows ---------------------------------------------------------------------------------


def random_row(rng, number):
    """A row of a random dialect whose target is near enough to the input to resolve often."""
    dialect = rng.choice(["onnx", "onnx", "openvino", "onednn", "paddle"])
    small = [0, 1, 1, 2, 2, 3, 4, 5, 6, 7, 12]
    dims = [rng.choice(small) for _ in range(rng.randint(0, 5))]
    if rng.random() < 0.05 and dims and dialect != "paddle":
        dims[rng.randrange(len(dims))] = rng.choice([2**31 - 1, 2**31, 2**32, 2**40])
        dims = [d if d > 12 else 1 + d % 2 for d in dims]
    if not dims and dialect == "paddle":
        dims = [1]
    target, left = [], math.prod(dims)
    for _ in range(rng.randint(0, 5)):
        factors = [f for f in (1, 2, 3, 4, 5, 6, 7, 12) if left and left % f == 0]
        target.append(rng.choice(factors or [0, 1, 2]))
        left //= max(target[-1], 1)
    if rng.random() < 0.8:
        target.insert(rng.randint(0, len(target)), left)
    for i, _ in enumerate(target):
        roll = rng.random()
        if roll < 0.2:
            target[i] = -1
        elif roll < 0.4:
            target[i] = 0
        elif roll < 0.44:
            target[i] = rng.choice(
                [-2, 1, 5, 2**32, 2**62, -(2**63)] if dialect != "paddle" else [-2, 1, 5]
            )
    if rng.random() < 0.04:
        target += [1] * rng.randint(5, 12)
    dtype, opset, flags, target_rank = "f32", 0, {}, 1
    if dialect == "onnx":
        opset = rng.choice([1, 5, 6, 12, 13, 14, 14, 18, 19, 20, 21, 22, 23, 24, 25, 28])
        if rng.random() < 0.2:
            dtype = rng.choice(oracle.onnx_types(25))
        if rng.random() < (0.6 if opset >= 14 else 0.05):
            flags["allowzero"] = rng.choice(["0", "1", "1", "1"]) if rng.random() < 0.98 else "2"
    elif dialect != "paddle":
        flags["special_zero"] = rng.choice(["true", "false"])
        if dialect == "onednn":
            dtype = rng.choice(["f32"] * 6 + ["f16", "bf16", "i8", "f64"])
        elif rng.random() < 0.05:
            target, target_rank = [rng.choice([1, 1, 0, 2, -1])], 0
    row = Row(
        f"random-{number}", dialect, opset, dims, target, None, dtype, None, target_rank, flags
    )
    row.expect = row.by_oracle()
    return row


# ---- the checks ----------------------------------------------------------------------------------


def judge(compiler, rows, report, stem):
    """Check one spelling of each (row, call). Gives the graphs that can be compiled."""
    names = [f"r{i}" for i in range(len(rows))]
    texts = [graph_text(n, row, call) for n, (row, call) in zip(names, rows)]
    errors = compiler.errors_by_graph(stem, texts)
    good = []
    for name, text, (row, _), found in zip(names, texts, rows, errors):
        kinds = [d["kind"] for d in found]
        if isinstance(row.expect, str):
            if kinds != [row.expect]:
                report(row, text, f"got {kinds or 'no error'}, expected one {row.expect}")
        elif kinds:
            report(row, text, f"got {kinds}, expected {row.expect}")
        else:
            good.append((name, text, row))
    if good:
        path = compiler.path(stem + "-good.rsh")
        write_file(path, [text for _, text, _ in good])
        explained = compiler.explain(path)
        for name, text, row in good:
            out = explained[name]["outputs"][0]
            got = (out["dims"], out["tier"], out["offset"], out["dtype"])
            if got != (row.expect, "alias", 0, row.dtype):
                report(row, text, f"got {got}, expected {row.expect}, an alias at 0")
    return good


def call_kernels(compiler, good, report):
    """Compile the graphs and have each kernel copy numbered elements."""
    small = [
        g for g in good if math.prod(g[2].dims) <= 1 << 20 and g[2].dtype in harness.ELEMENT_BYTES
    ]
    path = compiler.path("kernels.rsh")
    write_file(path, [text for _, text, _ in small])
    library, caller = compiler.library(path, "kernels"), harness.Caller()

    def work(job):
        name, _, row = job
        arrays, _ = oracle.element_numbers([row.dims])
        made = harness.kernel_maps(
            caller, getattr(library, name), arrays, [arrays[0].size], row.dtype
        )
        same = made[0] is not None and np.array_equal(made[0], arrays[0].reshape(-1))
        return "" if same else "the kernel does not copy the elements in order"

    for (_, text, row), verdict in harness.isolated(small, work):
        if verdict:
            report(row, text, verdict)
    return len(small)


def of_any_length(row, call, values):
    """The same call with targets whose length is a size too: all that is wrong is found at run time."""
    operator, arguments, more = call
    lengths = {f"N_{n}": len(v) for n, v in values.items() if n in ("s", "a") and v.ndim == 1}
    names = [m.split(":")[0] for m in more]
    more = [
        m.split("[")[0] + f"[N_{name}]" if f"N_{name}" in lengths else m
        for name, m in zip(names, more)
    ]
    return (operator, arguments, more), lengths


def judge_run_time(compiler, rows, report):
    """Each row with its target as data, through the functions of one object."""
    jobs = []
    for row in rows:
        made = run_time_call(row)
        if made is None or row.flags.get("actual_shape") == "int":
            continue
        # Elements that numpy has not are bytes; those that share a byte have one for each here.
        kind = harness.NUMPY_TYPES.get(row.dtype) or f"u{harness.ELEMENT_BYTES.get(row.dtype, 1)}"
        call, values = made
        for more, sizes in ((call, {}), of_any_length(row, call, values)):
            jobs.append((row, graph_text(f"r{len(jobs)}", row, more), values, sizes, kind))
    errors = compiler.errors_by_graph("runtime", [job[1] for job in jobs])
    good = []
    for number, (job, found) in enumerate(zip(jobs, errors)):
        kinds = [d["kind"] for d in found]
        if not kinds and math.prod(job[0].dims) < 1 << 60:  # else no code: it fits no address space
            good.append((f"r{number}", job))
        elif not kinds:
            continue
        elif kinds != [job[0].expect]:  # what no value of the target could mend is said at once
            report(job[0], job[1], f"got {kinds}, expected {job[0].expect}")
    path = compiler.path("runtime-good.rsh")
    write_file(path, [job[1] for _, job in good])
    program = dynamic.Program(compiler, path, "runtime-good")

    def work(item):
        name, (row, _, values, sizes, kind) = item
        count = math.prod(row.dims)
        huge = count > 1 << 20  # is refused by its sizes, before memory is looked at
        x = np.arange(0 if huge else count).astype(kind)
        if huge and not isinstance(row.expect, str):
            return ""
        made = program.run(name, sizes, {"x": x, **values}, {"y": kind})
        if isinstance(made, str) or isinstance(row.expect, str):
            return "" if made == row.expect else f"got {made}, expected {row.expect}"
        y = made["y"]
        bits = PACKED_BITS.get(row.dtype, 8 * x.itemsize)
        used = [np.unpackbits(a.view(np.uint8), bitorder="little")[: count * bits] for a in (x, y.reshape(-1))]
        same = list(y.shape) == row.expect and np.array_equal(*used)
        return "" if same else f"got {list(y.shape)}, expected {row.expect} with the same elements"

    for (_, job), verdict in harness.isolated(good, work):
        if verdict:
            report(job[0], job[1], verdict)
    print(f"{len(good)} functions called, {len(jobs) - len(good)} refused when compiled")
    return len({job[0].label for job in jobs})


def main():
    parser = harness.parser_of(__doc__)
    parser.add_argument(
        "--fuzz", type=int, default=0, help="this many random rows instead of the file's"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--runtime", action="store_true", help="targets as data"
    )
    parser.add_argument(
        "--oracle", action="store_true", help="check the oracle against the file, run no compiler"
    )
    parser.add_argument("--at-least", type=int, default=1, help="fail when fewer rows were judged")
    options = parser.parse_args()

    rng = random.Random(options.seed)
    rows, partial = read_rows()
    if options.fuzz:
        rows, partial = [random_row(rng, i) for i in range(options.fuzz)], 0
    wrong = {}

    def report(row, text, what):
        label = row.label
        wrong.setdefault(label, []).append(what)
        if len(wrong[label]) == 1:
            print(f"{label}: {what}\n    {text.strip()}")

    judged = rows
    if options.oracle:
        for row in rows:
            if row.by_oracle() != row.expect:
                report(row, "", f"the oracle has {row.by_oracle()}, the file {row.expect}")
    elif options.runtime:
        compiler = harness.Compiler(options.reshapec, options.cc, options.work)
        print(f"{judge_run_time(compiler, rows, report)} rows with the target as data")
    else:
        compiler = harness.Compiler(options.reshapec, options.cc, options.work)
        # Refused for the type of its target: judged here. Fine there: its target is data.
        judged = [
            r for r in rows if not r.run_time and (r.target_dtype is None or r.expect == "bad_type")
        ]
        every = [[(row, call) for call in spellings(row)] for row in judged]
        good = judge(compiler, [ways[0] for ways in every], report, "rows")
        others = [way for ways in every for way in ways[1:]]
        judge(compiler, others, report, "spellings")
        called = 0 if options.fuzz else call_kernels(compiler, good, report)
        print(f"{len(others)} other spellings, {called} kernels called")
    failed = len(wrong)
    print(
        f"{len(judged) - failed} of {len(judged)} rows right, "
        f"{len(rows) - len(judged)} run-time and {partial} symbolic rows left out"
    )
    return 1 if failed or len(judged) < options.at_least else 0


if __name__ == "__main__":
    sys.exit(main())
