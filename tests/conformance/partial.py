#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks static inference against the rows of reshape.tsv with partial=1: sizes that are names, intervals or unknown.

Each row becomes a graph, and `explain --json` gives its dims. What the file leaves open (`?`, or `*`) may be known
better here; an interval a..b must contain every possible value. Rows with errors have exactly that error.
"""

import csv
import itertools
import os
import re
import sys
from fractions import Fraction

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import harness  # noqa: E402
from graph import write_file  # noqa: E402


def read_rows():
    with open(os.path.join(HERE, "reshape.tsv"), encoding="utf-8", newline="") as lines:
        texts = [line for line in lines if not line.startswith("#")]
    for row in csv.DictReader(texts, delimiter="\t", quoting=csv.QUOTE_NONE):
        row["flags"] = dict(flag.split("=") for flag in row["flags"].split(";") if flag != "-")
        if "partial" in row["flags"]:
            yield row


def input_of(row):
    """The input's type, and the bounds of the symbols that stand for its intervals: 1..3 is I0 between these."""
    bounds, sizes = {}, []
    for size in row["input_shape"].split(","):
        if ".." in size:
            name = f"I{len(bounds)}"
            bounds[name] = [int(n) for n in size.split("..")]
            size = name
        sizes.append(size)
    return f"f32[{', '.join(sizes)}]", bounds


def target_of(row):
    """The target as an argument, and the inputs that it takes."""
    kind = "i32" if row["dialect"] == "paddle" else "i64"
    entries = row["shape"].split(",")
    if entries == ["*"]:
        return "s", [f"s: {kind}[?]"]
    if "shape_tensor" in row["flags"] or set(entries) == {"?"}:
        return "s", [f"s: {kind}[{len(entries)}]"]
    inputs = []
    for i in (int(n) for n in row["flags"].get("tensors", "").split(",") if n):
        entries[i] = f"t{i}"
        inputs.append(f"t{i}: {kind}[1]")
    return f"[{', '.join(entries)}]", inputs


def graph_text(name, row):
    dialect = row["dialect"].rstrip("0123456789")
    x, bounds = input_of(row)
    target, inputs = target_of(row)
    options = [f"special_zero={row['flags']['special_zero']}"] if "special_zero" in row["flags"] else []
    options += [f"opset={row['dialect'][4:]}"] if dialect == "onnx" else []
    where = ", ".join(f"{n} >= {least}, {n} <= {most}" for n, (least, most) in bounds.items())
    return (f"graph {name}({', '.join(['x: ' + x] + inputs)}) -> y {'where ' + where if where else ''} "
            f"{{ y = {dialect}.reshape({', '.join(['x', target] + options)}) }}\n")


def values_of(size, bounds):
    """The least and the most that a size of ours can be: over all sizes of which no quotient leaves a rest."""
    if re.fullmatch(r"\d+\.\.\d+", str(size)):
        return tuple(int(n) for n in size.split(".."))
    names = sorted(set(re.findall(r"I\d+", str(size))))
    spans = [range(bounds[n][0], bounds[n][1] + 1) for n in names]
    values = [eval(str(size), {}, dict(zip(names, map(Fraction, sizes))))  # pylint: disable=eval-used
              for sizes in itertools.product(*spans)]
    values = [int(value) for value in values if value == int(value)]
    return min(values), max(values)


def agrees(ours, expected, bounds):
    if expected == "?":
        return True
    if ".." in expected:
        if ours == "?":
            return False
        least, most = values_of(ours, bounds)
        wanted = [int(n) for n in expected.split("..")]
        return wanted[0] <= least <= most <= wanted[1]
    return str(ours) == expected


def judge(row, dims):
    expected = row["expect"].split(",")
    if expected == ["*"]:
        return True
    return (isinstance(dims, list) and len(dims) == len(expected) and
            all(agrees(o, e, input_of(row)[1]) for o, e in zip(dims, expected)))


def main():
    compiler = harness.Compiler(sys.argv[1], "cc", sys.argv[2])
    rows = list(read_rows())
    texts = [graph_text(f"r{i}", row) for i, row in enumerate(rows)]
    wrong, good = 0, []
    for row, text, found in zip(rows, texts, compiler.errors_by_graph("partial", texts)):
        kinds = ["error:" + d["kind"] for d in found]
        if not kinds:
            good.append((row, text))
        elif kinds != [row["expect"]]:
            print(f"{row['id']}: got {kinds}, expected {row['expect']}\n    {text.strip()}")
            wrong += 1
    path = compiler.path("partial-good.rsh")
    write_file(path, [text for _, text in good])
    explained = compiler.explain(path)
    for row, text in good:
        dims = explained[text.split("(")[0][len("graph "):]]["outputs"][0]["dims"]
        if not judge(row, dims):
            print(f"{row['id']}: got {dims}, expected {row['expect']}\n    {text.strip()}")
            wrong += 1
    print(f"{len(rows) - wrong} of {len(rows)} symbolic rows right, {len(rows) - len(good) - wrong} of them errors")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
