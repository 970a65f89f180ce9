#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the symbolic rows of chains.tsv, with one object for all sizes of a row.

Every row is compiled once, with open symbols. The object is called with each published binding, and
must give its checksum, and with random other ones: the element map equals the numpy interpreter's, or
the call returns the status that the compiler reports for the same chain with these numbers in its
text.
"""

import ctypes
import os
import random
import re
import sys

import numpy as np

sys.dont_write_bytecode = True  # no __pycache__ next to the sources
import corpus  # noqa: E402
import harness  # noqa: E402
import oracle  # noqa: E402
from graph import write_file  # noqa: E402

INT64_MAX = 2**63 - 1
ROUND = 25  # random bindings of each row that are held in memory at once


def symbols_in(text):
    """The symbols of a size, in order."""
    return re.findall(r"[A-Za-z_]\w*", text)


class Row:
    """A row with its symbols left open, as the text of a graph."""

    def __init__(self, row, name, dtype):
        self.row, self.name = row, name
        self.dtype = dtype or row["dtype"]
        shapes, self.bindings = corpus.bindings_of(row["input_shapes"])
        named = (
            [s.strip().split(":") for s in shapes.split(";")] if ":" in shapes else [["x", shapes]]
        )
        self.rename = {"y": "y_in"}
        self.inputs = [(self.rename.get(n, n), d.split(",")) for n, d in named]
        self.lines = [self.statement(s, dtype) for s in row["chain"].split(" ; ")]
        self.symbols = self.order()
        self.lines = [line for line in self.lines if line]

    def order(self):
        """Symbols in order of first appearance. Those that no input has alone get one that has."""
        alone = [d for _, dims in self.inputs for d in dims if re.fullmatch(r"[A-Za-z]\w*", d)]
        every = [s for _, dims in self.inputs for d in dims for s in symbols_in(d)]
        every += [s for s in self.bindings[0].replace("=", ",").split(",") if s in every or s.isalpha()]
        self.extra = [s for s in dict.fromkeys(every) if s not in alone]
        if self.extra:
            self.inputs.insert(0, ("open_sizes", self.extra))
        found = [d for _, dims in self.inputs for d in dims if re.fullmatch(r"[A-Za-z]\w*", d)]
        return list(dict.fromkeys(found))

    def statement(self, text, dtype):
        if text.startswith("out "):
            self.outputs = text[4:].split(",")
            return ""
        named = re.match(r"([\w,]+) = (.*)", text)
        self.outputs = named[1].split(",") if named else ["y"]
        parts = (named[2] if named else text).split(" | ")
        source = parts.pop(0) if re.fullmatch(r"\w+", parts[0]) else "x"
        value = self.rename.get(source, source)
        for part in parts:
            value = self.call(part.split(), value, dtype)
        return f"    {', '.join(self.outputs)} = {value}"

    def call(self, words, x, dtype):
        op, rest = words[0], words[1:]
        if op == "concat":
            return f"concat({', '.join(self.rename.get(n, n) for n in rest[1:])}, axis={rest[0]})"
        if op == "flatten":
            kept = int(rest[0].split(":")[0])
            return f"{x} |> reshape([{', '.join(['0'] * kept + ['-1'])}])"
        if op in ("reshape", "transpose", "squeeze", "unsqueeze", "flip", "expand", "tile"):
            return f"{x} |> {op}([{rest[0]}])"
        if op == "split":
            return f"{x} |> split(axis={rest[0]}, sizes=[{rest[1]}])"
        if op == "slice":
            return f"{x} |> slice({self.slice(rest[0])})"
        if op == "pad":
            items = [item.split("=") for item in rest[0].split(",")]
            amounts = [a.split(":") for _, a in items]
            both = [b for b, _ in amounts] + [a for _, a in amounts]
            axes = ", ".join(a for a, _ in items)
            return f"{x} |> pad([{', '.join(both)}], axes=[{axes}], {rest[1]})"
        if op == "cast":
            return f"{x} |> cast({dtype or rest[0]})"
        if op == "depth_to_space":
            return f'{x} |> depth_to_space({rest[0]}, mode="{rest[1]}")'
        return f"{x} |> {op}({', '.join(rest)})"

    @staticmethod
    def slice(text):
        axes, starts, ends, steps = [], [], [], []
        for item in text.split(","):
            axis, bounds = item.split("=")
            low, high, *step = bounds.split(":")
            axes.append(axis)
            starts.append(low or "0")
            ends.append(high or str(INT64_MAX))
            steps.append(step[0] if step else "1")
        lists = [starts, ends, axes, steps]
        return ", ".join(f"[{', '.join(entries)}]" for entries in lists)

    def text(self):
        types = ", ".join(f"{n}: {self.dtype}[{', '.join(d)}]" for n, d in self.inputs)
        body = "\n".join(self.lines)
        return f"graph {self.name}({types}) -> ({', '.join(self.outputs)}) {{\n{body}\n}}\n"


class Translation(corpus.Translation):
    """With numbers that are sizes: a 0 in the target of a reshape is a size of 0, and copies none."""

    def add(self, op, args, results=1, **attrs):
        if op == "reshape":
            attrs["allowzero"] = True
        return super().add(op, args, results, **attrs)


class Call:
    """One row and the numbers that it is called with."""

    def __init__(self, row, symbols, checksums):
        self.row, self.symbols, self.checksums = row, symbols, checksums
        self.label = f"{row.row['id']} {symbols}"
        self.built, self.expected = None, None
        try:
            self.built = Translation(row.row, symbols, {}, row.dtype)
            self.values = self.built.values
        except (ValueError, AssertionError, IndexError, oracle.Refused):
            self.built = None  # numpy refuses it: the compiler says why

    def numbers(self, dims):
        return [corpus.size(d, self.symbols) for d in dims]

    def has_negative_target(self):
        """A size of a target below 0: as a number in the text -1 would be an instruction."""
        lists = re.findall(r"reshape\(\[([^]]*)\]", self.row.text())
        sizes = [e for entries in lists for e in entries.split(",") if symbols_in(e)]
        return any(n < 0 for n in self.numbers([e.strip() for e in sizes]))

    def static_text(self, name):
        """The same row with numbers in place of symbols."""
        sizes = "|".join(sorted(self.symbols, key=len, reverse=True))
        text = re.sub(
            rf"(?<![\w])({sizes})(?!\w)(?=[^()\n]*[\],:*+\- )])",
            lambda m: f"{self.symbols[m[1]]}",
            self.row.text(),
        )
        text = re.sub(r"reshape\(\[((?!0, |-1)[^]]*)\]\)", r"onnx.reshape([\1], allowzero=1)", text)
        return text.replace(f"graph {self.row.name}(", f"graph {name}(", 1)

    def run(self, caller, library, at_end):
        function = getattr(library, self.row.name)
        sizes = [self.symbols[s] for s in self.row.symbols]
        try:
            dims = [self.numbers(d) for _, d in self.row.inputs]
        except ValueError:
            return ""
        if self.expected or self.built is None:
            status = function(
                *[ctypes.c_int64(s) for s in sizes],
                *[ctypes.c_void_p(64)] * (len(dims) + len(self.row.outputs)),
            )
            return "" if status and status == self.expected else f"{status}, not {self.expected}"
        arrays, _ = oracle.element_numbers(dims[1:] if self.row.extra else dims)
        fill = [n.attrs.get("value", 0) or 0 for n in self.built.graph.nodes if n.op == "pad"]
        fill = harness.fill_bytes(float(fill[0]), self.row.dtype) if fill else None
        if self.row.extra:
            arrays = [np.zeros(dims[0], np.int64)] + arrays
        want = [self.values[n] for n in self.built.graph.outputs]
        volumes = [int(np.prod(w.shape)) for w in want]
        maps = harness.kernel_maps(
            caller, function, arrays, volumes, self.row.dtype, at_end, fill, sizes
        )
        for name, numbers, right in zip(self.built.graph.outputs, maps, want):
            if numbers is None or not np.array_equal(numbers, right.reshape(-1)):
                return f"{name}: wrong elements"
            if self.checksums and oracle.checksum(numbers) != self.checksums[name]:
                return f"{name}: another checksum"
        return ""


def load_rows(only):
    rows = []
    for row in corpus.read_tsv("chains.tsv"):
        if not corpus.bindings_of(row["input_shapes"])[1]:
            continue
        if only and not re.search(only, row["id"]):
            continue
        casts = "cast" in corpus.operators_in(row["chain"])
        name = "s_" + re.sub(r"\W", "_", row["id"])
        rows.append(Row(row, name, "i32" if casts else None))
    return rows


def published(rows):
    checks = {}
    for check in corpus.read_tsv("chains-checks.tsv"):
        checks.setdefault((check["id"], check["binding"]), {})[check["output"]] = check["checksum"]
    calls = []
    for row in rows:
        for binding in row.bindings:
            numbers = {k: int(v) for k, v in (b.split("=") for b in binding.split(","))}
            calls.append(Call(row, numbers, checks[row.row["id"], binding]))
    return calls


def random_calls(rows, count, seed):
    calls = []
    for row in rows:
        rng = random.Random(f"{seed} {row.name}")
        for _ in range(count):
            numbers = {s: rng.choice([0, 1, 1, 2, 3, 4, 5, 7, 9]) for s in row.symbols}
            calls.append(Call(row, numbers, None))
    return calls


def main():
    parser = harness.parser_of(__doc__)
    parser.add_argument("--only", help="the rows whose id matches this expression")
    parser.add_argument("--count", type=int, default=24, help="random bindings of each row")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--at-least", type=int, default=1, help="fail with fewer rows")
    parser.add_argument("--statuses", required=True, help="runtime/statuses.def")
    parser.add_argument(
        "--option", action="append", default=[], help="handed to reshapec when it compiles"
    )
    options = parser.parse_args()
    with open(options.statuses, encoding="utf-8") as table:
        statuses = re.findall(r"^RSH_STATUS\((\w+),", table.read(), re.M)

    compiler = harness.Compiler(options.reshapec, options.cc, options.work)
    rows = load_rows(options.only)
    wrong = []
    for row, errors in zip(rows, compiler.errors_by_graph("checked", [r.text() for r in rows])):
        row.good = not errors
        wrong += [f"{row.name}: {e['kind']}: {e['message']}" for e in errors]
    rows = [r for r in rows if r.good]
    path = compiler.path("symbolic.rsh")
    write_file(path, [r.text() for r in rows])
    explained = compiler.explain(path)
    for row in list(rows):
        tiers = [o["tier"] for o in explained[row.name]["outputs"]]
        if not set(tiers) <= {"symbolic", "alias"}:
            wrong.append(f"{row.name}: {tiers}")
            rows.remove(row)
    write_file(path, [r.text() for r in rows])
    library = compiler.library(path, "symbolic", *options.option)

    caller, bindings, refused = harness.Caller(), 0, 0
    for done in range(0, max(options.count, 1), ROUND):
        known = published(rows) if done == 0 else []
        count = min(ROUND, options.count - done)
        asked = random_calls(rows, count, f"{options.seed} {done}")
        # The compiler's answer with the sizes in the text.
        texts = [c.static_text(f"{c.row.name}_{i}") for i, c in enumerate(asked)]
        for call, errors in zip(asked, compiler.errors_by_graph("numbers", texts)):
            if errors:
                negative = call.has_negative_target()
                call.expected = statuses.index("bad_dim" if negative else errors[0]["kind"])
        calls = known + asked
        bindings += len(calls)
        refused += sum(bool(c.expected) for c in calls)
        jobs = [(call, at_end) for call in calls for at_end in (True, False)]
        for (call, _), verdict in harness.isolated(
            jobs, lambda j: j[0].run(caller, library, j[1])
        ):
            if verdict:
                wrong.append(f"{call.label}: {verdict}")
    for line in wrong:
        print(line)
    print(f"{len(rows)} rows, {bindings} bindings, {refused} refused, {len(wrong)} wrong")
    return 1 if wrong or len(rows) < options.at_least else 0


if __name__ == "__main__":
    sys.exit(main())
