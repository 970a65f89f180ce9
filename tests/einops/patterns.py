#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Patterns of rearrange compared with einops: random ones, or those of table.py.

Each pattern is compiled with numbers, with a symbol for every size, and with some of both, and called with 20 bindings
of the symbols: matching sizes, sizes of 0, and sizes that break something. einops must move the same elements, or
refuse as well, and then the status must name an actual fault. No form that some sizes satisfy may be refused at compile
time.
"""

import argparse
import os
import random
import re
import sys

import einops
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", d) for d in ("support", "random", "differential")]

import harness  # noqa: E402
import tiers  # noqa: E402
from table import TABLE  # noqa: E402

MOST_ELEMENTS = 4000
BINDINGS = 20
BATCH = 100


# ---- patterns ----------------------------------------------------------------------------------------


def groups_of(side):
    """"b (h d) 1" is [["b"], ["h", "d"], []]; "..." stays as it is."""
    groups, inside = [], False
    for word in side.replace("(", " ( ").replace(")", " ) ").split():
        if word == "(":
            groups.append([])
            inside = True
        elif word == ")":
            inside = False
        elif inside:
            groups[-1] += [] if word == "1" else [word]
        else:
            groups.append([] if word == "1" else [word])
    return groups


class Pattern:
    """A pattern, the sizes of its axes, and those of them that are arguments; `dots` is what '...' stands for."""

    def __init__(self, text, sizes, given, dots=(), ours=None):
        self.text, self.sizes, self.given, self.dots = text, dict(sizes), list(given), list(dots)
        self.ours = ours or text  # einx's notation, which einops does not read
        self.left = groups_of(text.split("->")[0])

    def dims(self, sizes, dots):
        found = []
        for group in self.left:
            if group == ["..."]:
                found += dots
            else:
                found.append(int(np.prod([int(n) if n.isdigit() else sizes[n] for n in group], dtype="i8")))
        return found

    def wrong(self, dims, given):
        """The statuses of all groups that do not fit."""
        at, found = 0, set()
        for group in self.left:
            if group == ["..."]:
                at += len(self.dots)
                continue
            known = int(np.prod([given[n] for n in group if n in given], dtype="i8"))
            if all(n in given for n in group):
                found |= {"bad_pattern"} if known != dims[at] else set()
            elif known == 0:
                found |= {"ambiguous_infer"}
            elif dims[at] % known:
                found |= {"not_divisible"}
            at += 1
        return found

    def move(self, x, given):
        """What einops makes of x, or None."""
        try:
            return einops.repeat(x, self.text, **given)
        except (einops.EinopsError, ZeroDivisionError):
            return None


def random_side(dice, names, has_dots):
    """Names in groups of one to three, with a 1 or () here and there."""
    names, side = list(names) + (["..."] if has_dots else []), []
    dice.shuffle(names)
    while names:
        count = dice.choice([1, 1, 1, 2, 2, 3])
        group, names = names[:count], names[count:]
        if dice.random() < 0.1:
            group.insert(dice.randrange(len(group) + 1), "1")
        side.append(" ".join(group) if len(group) == 1 and dice.random() < 0.9 else f"({' '.join(group)})")
    for _ in range(dice.choice([0, 0, 0, 1, 1, 2])):
        side.insert(dice.randrange(len(side) + 1), dice.choice(["1", "1", "()"]))
    return side


def random_pattern(seed):
    dice = random.Random(seed)
    while True:
        names = dice.sample(["a", "b", "c", "d", "h", "w2", "t_1"], dice.choice([0, 1, 2, 2, 3, 3, 4, 4, 5]))
        new = dice.sample(["n", "r"], dice.choice([0, 0, 0, 1, 1, 2]))
        numbers = [str(dice.choice([2, 3]))] if dice.random() < 0.1 else []
        has_dots = dice.random() < 0.25
        left = random_side(dice, names, False)
        if has_dots:
            left.insert(dice.randrange(len(left) + 1), "...")
        text = " ".join(left) + " -> " + " ".join(random_side(dice, names + new + numbers, has_dots))
        sizes = {n: dice.choice([1, 2, 2, 3, 3, 4, 5, 6]) for n in names + new}
        given = [n for n in names if dice.random() < 0.15] + new
        for group in groups_of(text.split("->")[0]):
            unknown = [n for n in group if n not in given]
            dice.shuffle(unknown)
            given += unknown[1:]
        dots = [dice.choice([1, 2, 3]) for _ in range(dice.choice([0, 1, 2]))] if has_dots else []
        made = Pattern(text, sizes, given, dots)
        x = np.zeros(made.dims(sizes, dots), "u1")
        y = made.move(x, {n: sizes[n] for n in given}) if x.size <= MOST_ELEMENTS else None
        if y is not None and y.size <= MOST_ELEMENTS:
            return made


def repeated_pattern(seed):
    """(s ds)... in einx's notation, and written out for einops: (s__0 ds__0) (s__1 ds__1)."""
    dice = random.Random(seed)
    times, size = dice.choice([0, 1, 2, 2, 3]), dice.choice([1, 2, 3])
    order, parts = dice.choice(["s ds", "ds s"]), ["c", "s...", "ds..."]
    dice.shuffle(parts)
    if dice.random() < 0.4:
        parts[0:2] = [f"({' '.join(parts[0:2])})"]
    left = [f"({order})..."] + ["c"]
    dice.shuffle(left)
    ours, theirs = " ".join(left) + " -> " + " ".join(parts), []
    for side in (" ".join(left), " ".join(parts)):
        side = side.replace(f"({order})...", " ".join("(" + order.replace("s", f"s__{i}") + ")" for i in range(times)))
        for name in ("ds", "s"):
            side = re.sub(rf"\b{name}\.\.\.", " ".join(f"{name}__{i}" for i in range(times)), side)
        theirs.append(side)
    sizes = {"c": dice.choice([1, 2, 3])}
    for i in range(times):
        sizes.update({f"ds__{i}": size, f"s__{i}": dice.choice([1, 2, 3])})
    return Pattern(" -> ".join(theirs), sizes, [f"ds__{i}" for i in range(times)], (), ours)


# ---- graphs ------------------------------------------------------------------------------------------


class Form:
    """A pattern with symbols for some of its sizes, which begin with `start`."""

    def __init__(self, name, pattern, dice, share):
        self.name, self.pattern, self.dice = name, pattern, dice
        self.dims = pattern.dims(pattern.sizes, pattern.dots)
        self.given = {n: pattern.sizes[n] for n in pattern.given}
        self.start, self.entries, self.sizes = {}, [], {}
        for n in self.dims:
            self.entries.append(self.entry(n, share))
        entry = {}  # of "s__0" and "s__1" one, that of "s"
        for n, size in self.given.items():
            entry[n.split("__")[0]] = entry.get(n.split("__")[0]) or self.entry(size, share)
            self.sizes[n] = entry[n.split("__")[0]]
        self.others = [s for s in self.start if s not in self.entries]

    def entry(self, size, share):
        """A symbol, sometimes one that there is, or the number."""
        if self.dice.random() >= share:
            return str(size)
        same = [s for s, n in self.start.items() if n == size]
        if same and share < 1 and self.dice.random() < 0.3:
            return self.dice.choice(same)
        name = f"S{len(self.start)}"
        self.start[name] = size
        return name

    def text(self):
        more = f", w: u8[{', '.join(self.others)}]" if self.others else ""
        once = {n.split("__")[0]: v for n, v in self.sizes.items()}
        sizes = "".join(f", {n}={v}" for n, v in once.items())
        return (f"graph {self.name}(x: f32[{', '.join(self.entries)}]{more}) -> y {{\n"
                f'    y = rearrange(x, "{self.pattern.ours}"{sizes})\n}}\n')

    def bindings(self):
        if not self.start:
            return [{}]
        found = [self.start]
        for _ in range(BINDINGS - 1):
            kind = self.dice.choice(["fits", "fits", "fits", "zero", "broken"])
            symbols = dict(self.start)
            if kind == "fits":
                symbols = self.fitting()
            else:
                for s in self.dice.sample(sorted(symbols), self.dice.choice([1, 1, min(2, len(symbols))])):
                    symbols[s] = 0 if kind == "zero" else self.dice.choice([1, 2, 3, 4, 5, 6, 7, 8, 12])
            found.append(symbols)
        return found

    def fitting(self):
        """Symbols for other sizes of the axes, as far as numbers and shared symbols let them."""
        sizes = {n: self.dice.choice([0, 1, 1, 2, 2, 3, 4]) if self.dice.random() < 0.7 else s
                 for n, s in self.pattern.sizes.items()}
        sizes.update({n: int(e) for n, e in self.sizes.items() if e.isdigit()})
        sizes.update({n: sizes[n.split("__")[0] + "__0"] for n in self.sizes if "__" in n})
        symbols = {}
        for e, n in zip(self.entries, self.pattern.dims(sizes, [self.dice.choice([0, 1, 2, d]) for d in self.pattern.dots])):
            symbols.setdefault(e, n)
        for n, e in self.sizes.items():
            symbols.setdefault(e, sizes[n])
        return {s: symbols[s] for s in self.start}


class Want:
    """What a call has to do, as tiers.Caller asks for it. None where there would be too many elements."""

    dtypes = {"x": "f32", "w": "u8", "y": "f32"}
    of_indices = "ok"  # there are none

    class Names:
        outputs = ("y",)

    graph = Names

    @staticmethod
    def of(form, symbols):
        dims = [symbols.get(e, None) if e in symbols else int(e) for e in form.entries]
        given = {n: symbols[e] if e in symbols else int(e) for n, e in form.sizes.items()}
        if max(int(np.prod(dims, dtype="f8")), 1) * max(int(np.prod(list(given.values()), dtype="f8")), 1) > 50 * MOST_ELEMENTS:
            return None
        want = Want()
        x = np.arange(1, 1 + int(np.prod(dims, dtype="i8")), dtype="u4").reshape(dims)
        y = form.pattern.move(x, given)
        want.symbols, want.values = symbols, {"x": x, "y": y}
        wrong = form.pattern.wrong(dims, given)
        assert (y is None) == bool(wrong), (form.pattern.text, dims, given, wrong)
        want.statuses = wrong or {"ok"}
        want.status = min(want.statuses)
        others = int(np.prod([symbols[s] for s in form.others], dtype="i8"))
        want.data = {"x": x.reshape(-1).view("u1"), "w": np.zeros(others if form.others else 0, "u1")}
        return want

    def bytes_given(self):
        return self.data

    def placed_in(self, _):
        return None

    def stored(self, values, _):
        return np.ascontiguousarray(values).view("u1")

    def differs(self, name, data):
        right = np.ascontiguousarray(self.values[name]).reshape(-1).view("u1")
        at = np.flatnonzero(right != data)
        return int(at[0]) // 4 if at.size else None


# ---- runs --------------------------------------------------------------------------------------------


class Runs:
    def __init__(self, options):
        self.options, self.failures, self.forms, self.calls = options, 0, 0, 0
        self.compiler = harness.Compiler(options.reshapec, options.cc, options.work)
        self.runtime = os.path.join(os.path.dirname(options.reshapec), "librsh_runtime.a")
        self.caller, self.label = tiers.Caller(), tiers.Label()

    def tell(self, form, symbols, text):
        self.failures += 1
        if self.failures <= self.options.show:
            print(f"{form.text()}  with {symbols}: {text}")

    def checked(self, forms):
        """Those that the compiler takes; the others are failures, for their first sizes fit."""
        errors = self.compiler.errors_by_graph("check", [f.text() for f in forms])
        for form, found in zip(forms, errors):
            if found:
                self.tell(form, form.start, "refused: " + found[0]["message"])
        return [f for f, found in zip(forms, errors) if not found]

    def library(self, forms, *options):
        path = self.compiler.path("graphs.rsh")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(f.text() for f in forms))
        kind = "c" if options else "o"
        out, header, lib = (self.compiler.path(f"graphs.{k}") for k in (kind, "h", f"{kind}.so"))
        done = self.compiler.call(path, "-O1", "-o", out, "--header", header, *options)
        if done.returncode:
            raise RuntimeError(done.stderr[-2000:])
        flags = [*tiers.C_FLAGS, "-I", os.path.join(HERE, "..", "..")] if options else []
        tiers.link(self.options.cc, [out], lib, self.runtime, flags)
        return tiers.Library(lib, header)

    def call(self, lib, form):
        findings = []
        for symbols in form.binding:
            want = Want.of(form, symbols)
            if want is None:
                continue
            self.label.write(form.name, symbols)
            said = [self.attempt(lib, form, want, status) for status in sorted(want.statuses)]
            findings.append([form.name, symbols, "" if None in said else said[0]])
        return findings

    def attempt(self, lib, form, want, status):
        """What is wrong with a call that should end with this status, or None."""
        want.status = status
        try:
            self.caller.run(lib, form.name, want, True)
        except tiers.Wrong as bad:
            return str(bad)
        return None

    def batch(self, patterns):
        forms = []
        for n, pattern in patterns:
            for kind, share in (("n", 0), ("s", 1), ("m", 0.5)):
                form = Form(f"{kind}{n}", pattern, random.Random(f"{self.options.seed} {n} {kind}"), share)
                form.binding = form.bindings()
                forms.append(form)
        self.forms += len(forms)
        forms = self.checked(forms)
        for options in ([], ["--emit=c"]) if self.options.c else ([],):
            lib = self.library(forms, *options)
            for form, findings in tiers.isolated(forms, lambda f: self.call(lib, f), self.label):
                self.calls += len(findings)
                for _, symbols, text in findings:
                    if text:
                        self.tell(form, symbols, (options[0] + ": " if options else "") + text)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reshapec", required=True)
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--work", required=True)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=500, help="random patterns")
    parser.add_argument("--table", action="store_true", help="the patterns of table.py in place of random ones")
    parser.add_argument("--c", action="store_true", help="C code too")
    parser.add_argument("--show", type=int, default=20, help="failures that are printed")
    options = parser.parse_args()
    runs = Runs(options)
    if options.table:
        patterns = [(n, Pattern(*row)) for n, row in enumerate(TABLE)]
    else:
        patterns = [(n, (repeated_pattern if n % 20 == 19 else random_pattern)(f"{options.seed} {n}")) for n in range(options.first, options.first + options.count)]
    for at in range(0, len(patterns), BATCH):
        runs.batch(patterns[at : at + BATCH])
    print(f"{len(patterns)} patterns, {runs.forms} graphs, {runs.calls} calls: {runs.failures} failures")
    return 1 if runs.failures else 0


if __name__ == "__main__":
    sys.exit(main())
