#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares symbolic graphs with the same graphs with numbers.

Random chains over the symbols A, B and C are compiled once as they are, and then with random numbers, including 0, in
place of the symbols. For these sizes, the variant, guard or graph of the first result must lead to the status, the
sizes and the element map of the second.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
from fractions import Fraction

import numpy as np

SYMBOLS = "ABC"


# ---- random graphs -----------------------------------------------------------------------------------


class Chain:
    """Builds one graph, whose sizes are texts. Steps do not track sizes exactly: they guess."""

    def __init__(self, chooser):
        self.chooser = chooser
        pick = chooser.choice
        self.dims = [pick(["A", "B", "C", "2", "4", "2*B", "A*C"]) for _ in range(pick([1, 2, 2, 3]))]
        self.header = list(self.dims)
        self.targets = []  # entries of target shapes
        self.steps = []
        value = "x"
        for i in range(pick([1, 1, 2, 3])):
            rank = len(self.dims)
            op = pick(["reshape"] * 4 + ["transpose", "slice", "flip", "pad", "split", "concat", "tile", "blocks"])
            code = getattr(self, op)(value, rank)
            value = f"v{i}"
            self.steps.append(f"{value} = {code}" if not code.startswith("=") else code[1:].replace("$", value))
        self.body = "; ".join(self.steps + [f"y = {value}"])
        where = pick(["", "", "", "A % 4 == 0", "B >= 2, B <= 6", "A == B", "C == 4", "C in [2, 4]", "A != 1"])
        self.where = f" where {where}" if where else ""

    def text(self, name):
        header = ", ".join(self.header)
        return f"graph {name}(s: u8[A, B, C], x: f32[{header}]) -> (y, z){self.where} {{ {self.body}; z = s }}"

    def is_plain(self, symbols):
        """Whether numbers can replace symbols in the text: a 0 or -1 in a target would have another meaning."""
        return all(number(t, symbols) > 0 for t in self.targets if re.search("[ABC]", t))

    def reshape(self, value, rank):
        pick = self.chooser.choice
        dims = list(self.dims)
        kind = pick(["flat", "split", "infer", "merge", "any"])
        if kind == "flat":
            dims = ["-1"]
        elif kind == "split":
            at = self.chooser.randrange(rank)
            dims[at : at + 1] = ["-1", pick(["2", "3", "4", "A"])]
        elif kind == "infer":
            dims[self.chooser.randrange(rank)] = "-1"
        elif kind == "merge" and rank > 1:
            dims[0:2] = [f"({dims[0]})*({dims[1]})"] if "-1" not in dims[0:2] else ["-1"]
        else:
            dims = [pick(["A", "B", "C", "2", "0", "-1", "8", "A*B", "B-1"]) for _ in range(pick([1, 2]))]
        if dims.count("-1") > 1:
            dims = ["-1"]
        self.dims = dims
        self.targets += dims
        return f"reshape({value}, [{', '.join(dims)}])"

    def transpose(self, value, rank):
        perm = list(range(rank))
        self.chooser.shuffle(perm)
        self.dims = [self.dims[i] for i in perm]
        return f"transpose({value}, {perm})"

    def slice(self, value, rank):
        pick = self.chooser.choice
        at = [":"] * rank
        axis = self.chooser.randrange(rank)
        at[axis] = pick([":2", "1:", "::-1", ":-1", "::2", "-2:", "1:-1", ":A", "1"])
        if at[axis] == "1":
            del self.dims[axis]
            if not self.dims:
                self.dims = ["1"]
                return f"{value}[1:2]"
        else:
            self.dims[axis] = "-1"
        return f"{value}[{', '.join(at)}]"

    def flip(self, value, rank):
        return f"flip({value}, {self.chooser.randrange(rank)})"

    def pad(self, value, rank):
        amounts = [self.chooser.choice(["0", "0", "1", "2", "-1", "A"]) for _ in range(2 * rank)]
        self.dims = [d if amounts[i] == amounts[rank + i] == "0" else "-1" for i, d in enumerate(self.dims)]
        return f"pad({value}, [{', '.join(amounts)}], value=0)"

    def split(self, value, rank):
        axis = self.chooser.randrange(rank)
        self.dims[axis] = "-1"
        sizes = self.chooser.choice(["", "", "parts=2", "sizes=[1, A]", "sizes=[2, B-2]"])
        return f"=$, _{value} = split({value}, axis={axis}{', ' + sizes if sizes else ''})"

    def concat(self, value, rank):
        axis = self.chooser.randrange(rank)
        self.dims[axis] = "-1"
        return f"concat({value}, {value}, axis={axis})"

    def tile(self, value, rank):
        return f"tile({value}, [{', '.join(self.chooser.choice(['1', '2', 'A']) for _ in range(rank))}])"

    def blocks(self, value, rank):
        names = "abcd"[:rank]
        right = " ".join([f"({names[0]} 2)"] + list(names[1:]))
        return f'rearrange({value}, "{right} -> 2 {" ".join(names)}")' if rank < 4 else f"identity({value})"


# ---- results of the compiler -------------------------------------------------------------------------


def run(reshapec, *args):
    return subprocess.run([reshapec, *args], capture_output=True, text=True)


def edge(at, size):
    """Returns where [:at] ends on an axis of this size."""
    return max(0, min(at + size if at < 0 else at, size))


def number(text, symbols):
    """Returns the integer value of an expression: "3*A/2-min(B, 1)"."""
    numbers = {k: Fraction(v) for k, v in symbols.items()}
    value = eval(text, {"edge": edge}, numbers)  # only names, + - * / and functions
    assert value == int(value), (text, symbols)
    return int(value)


def split_sizes(text):
    """Splits "2, min(A, 3), B" into its parts."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [p.strip() for p in parts if p.strip()]


def read_moves(dump):
    """Returns {graph: the sizes of y and its moves}, with None if they are unknown or read intermediate values."""
    graphs, value = {}, None
    for line in dump.splitlines():
        if line.startswith("graph "):
            name, value = line[6:], None
        elif found := re.match(r"  %\d+ (\w+): \w+(?:\[(.*)\])?( staged)?$", line):
            value = None
            if found[1] == "y":
                sizes = split_sizes(found[2] or "")
                value = graphs[name] = None if "?" in sizes or found[3] else (sizes, [])
        elif line.startswith("  %"):
            value = None
        elif found := re.match(r"    (?:from %(\d+) at (.+?)|fill %\d+) to ([^:]+):(.*)", line):
            axes = re.findall(r"\{(.+?), dst (.+?), src ([^}]+)\}", found[4])
            if value is not None:
                value[1].append((found[1] and int(found[1]), found[2], found[3], axes))
    return graphs


def elements(sizes, moves, symbols):
    """Returns the element number at each index of the result: -1 for a constant, -2 if no move writes it."""
    dims = [number(s, symbols) for s in sizes]
    out = np.full(int(np.prod(dims)), -2)
    for source, start, to, axes in moves:
        if source not in (None, 1):
            return None
        dst, src = np.array([number(to, symbols)]), np.array([number(start, symbols) if start else 0])
        for axis in axes:
            extent, d, s = (number(n, symbols) for n in axis)
            steps = np.arange(extent)
            dst = np.add.outer(dst, steps * d).ravel()
            src = np.add.outer(src, steps * s).ravel()
        if dst.size and (dst.min() < 0 or dst.max() >= out.size):
            return f"writes {dst.min()} to {dst.max()} of {out.size}"
        out[dst] = -1 if source is None else src
    return out.reshape(dims)


def holds(condition, symbols):
    return bool(eval(re.sub(r"/", "//", condition), {"edge": edge}, dict(symbols)))


def expected(graph, variants, symbols):
    """Returns the status of a call with these sizes; "graph" if the graph applies, None if a variant does."""
    for guard in graph["guards"]:
        if guard["status"] in ("guard_failed", "bad_dim") and not holds(guard["condition"], symbols):
            return guard["status"]
        if guard["status"] not in ("guard_failed", "bad_dim"):
            break
    for bound, outcome in variants:
        if all(symbols[s] >= 1 if v is None else symbols[s] == v for s, v in bound.items()):
            return {"its own graph": None, "empty": "ok"}.get(outcome, outcome)
    for guard in graph["guards"]:
        if not holds(guard["condition"], symbols):
            return guard["status"]
    return "graph"


def read_variants(dump):
    graphs = {}
    for line in dump.splitlines():
        if line.startswith("graph "):
            variants = graphs[line[6:]] = []
        elif found := re.match(r"  for (.*): (.*)$", line):
            bound = {}
            for part in found[1].split(", "):
                name, sign, value = part.split()
                bound[name] = int(value) if sign == "=" else None
            variants.append((bound, found[2]))
    return graphs


def check_numbers(options, chains, cases, first, faults, known):
    """Checks the graphs with numbers. Adds the error of each case to `faults`, or its moves to `known`."""
    path = os.path.join(options.work, "known.rsh")
    lines = []
    for i, (name, symbols) in enumerate(cases):
        text = chains[name].text(f"k{first + i}")
        lines.append(re.sub(r"\b[ABC]\b", lambda m: f"({symbols[m[0]]})", text))
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    wrong = {}
    for d in json.loads(run(options.reshapec, "check", "--json", path).stdout)["diagnostics"]:
        if d["severity"] == "error":
            wrong.setdefault(d["line"] - 1, d["kind"])
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(line for i, line in enumerate(lines) if i not in wrong) + "\n")
    faults.update((first + i, kind) for i, kind in wrong.items())
    known.update(read_moves(run(options.reshapec, "--dump=moves", path).stdout))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reshapec", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    chooser = random.Random(options.seed)
    chains = {}
    for i in range(options.count):
        chain = Chain(chooser)
        path = os.path.join(options.work, "one.rsh")
        with open(path, "w", encoding="utf-8") as file:
            file.write(chain.text("g") + "\n")
        if run(options.reshapec, "check", path).returncode == 0:
            chains[f"g{i}"] = chain
    path = os.path.join(options.work, "symbolic.rsh")
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(c.text(n) + "\n" for n, c in chains.items()))
    graphs = {g["name"]: g for g in json.loads(run(options.reshapec, "explain", "--json", path).stdout)["graphs"]}
    moves = read_moves(run(options.reshapec, "--dump=moves", path).stdout)
    variants = read_variants(run(options.reshapec, "--dump=graph", path).stdout)

    cases = []
    for name, chain in chains.items():
        if moves.get(name) is None or any(o["tier"] == "dynamic" for o in graphs[name]["outputs"]):
            continue
        for _ in range(6):
            symbols = {s: chooser.choice([0, 1, 1, 2, 3, 4, 4, 6]) for s in SYMBOLS}
            if chain.is_plain(symbols):
                cases.append((name, symbols))
    faults, known = {}, {}
    for first in range(0, len(cases), 50):  # the compiler reports a limited number of errors per file
        check_numbers(options, chains, cases[first : first + 50], first, faults, known)

    wrong, compared = [], 0
    for i, (name, symbols) in enumerate(cases):
        want = faults.get(i, "ok")
        got = expected(graphs[name], variants[name], symbols)
        where = f"{chains[name].text(name)}\n  {symbols}: "
        if got is None:
            continue
        if got != "graph" or want != "ok":
            if (got if got != "graph" else "ok") != want:
                wrong.append(where + f"symbols say {got}, numbers {want}")
            continue
        if known.get(f"k{i}") is None:
            continue
        a, b = elements(*moves[name], symbols), elements(*known[f"k{i}"], {})
        if a is None or b is None:
            continue
        compared += 1
        if isinstance(a, str) or a.shape != b.shape or not np.array_equal(a, b):
            wrong.append(where + f"{a if isinstance(a, str) else a.tolist()}, not {b.tolist()}")
    print(f"{len(chains)} graphs, {len(cases)} bindings, {compared} maps compared, {len(wrong)} wrong")
    print(*wrong[:10], sep="\n")
    return 1 if wrong or compared < options.count / 4 else 0


if __name__ == "__main__":
    sys.exit(main())
