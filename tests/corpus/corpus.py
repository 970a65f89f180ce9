#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the compiler against the chains of real models: chains.tsv, with the results in chains-checks.tsv.

Every row (with --bindings: every binding of a symbolic row, as numbers) becomes one graph. The sizes and the
tier, offset and nest from `explain --json` are compared, and the checksum of the compiled kernel's element map,
at the row's own element width. With --oracle the compiler is not run: the same checksums come from the numpy
interpreter.
"""

import ast
import csv
import hashlib
import operator
import os
import re
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True  # no __pycache__ next to the sources
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import harness  # noqa: E402
import oracle  # noqa: E402
from graph import Graph, Input, write_file  # noqa: E402

csv.field_size_limit(1 << 20)


# ---- the chain notation --------------------------------------------------------------------------


def size(text, symbols):
    """A size such as "14*H-P": integers, symbols, + - *, exact / and brackets."""
    exact = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul}

    def value(node):
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return symbols[node.id]
        if isinstance(node, ast.UnaryOp):
            return -value(node.operand)
        left, right = value(node.left), value(node.right)
        if isinstance(node.op, ast.Div):
            if left % right:
                raise ValueError(f"{text} is no integer")
            return left // right
        return exact[type(node.op)](left, right)

    return value(ast.parse(text, mode="eval").body)


def bindings_of(shapes_text):
    """ "B,S {B=1,S=2} {B=4,S=1}" as ("B,S", ["B=1,S=2", "B=4,S=1"])."""
    return shapes_text.split("{")[0].strip(), re.findall(r"\{([^}]*)\}", shapes_text)


def operators_in(chain):
    """The names of the operators a chain uses."""
    names = set()
    for statement in chain.split(" ; "):
        for part in re.sub(r"^[\w,]+ = ", "", statement).split(" | "):
            if " " in part and not part.startswith("out "):
                names.add(part.split()[0])
    return names


class Translation:
    """One row with numbers for its symbols, as a Graph."""

    def __init__(self, row, symbols, constants, dtype):
        self.symbols, self.constants, self.dtype = symbols, constants, dtype
        shapes, _ = bindings_of(row["input_shapes"])
        named = (
            [s.strip().split(":") for s in shapes.split(";")] if ":" in shapes else [["x", shapes]]
        )
        label = re.sub(r"\W", "_", row["id"])
        bound = "".join(f"_{k}{v}" for k, v in symbols.items())
        # An unnamed result is y, so an input of that name gets another one.
        inputs = [
            Input({"y": "y_in"}.get(n, n), dtype or row["dtype"], self.sizes(d)) for n, d in named
        ]
        self.graph = Graph(f"c_{label}{bound}", inputs)
        arrays, _ = oracle.element_numbers([i.dims for i in inputs])
        self.values = {i.name: a for i, a in zip(inputs, arrays)}
        # A name of the row -> a value of the graph.
        self.named = {name: i.name for (name, _), i in zip(named, inputs)}
        for statement in row["chain"].split(" ; "):
            self.statement(statement)
        self.finish()

    def sizes(self, text):
        return [size(d, self.symbols) for d in text.split(",")]

    def statement(self, text):
        if text.startswith("out "):
            self.last = text[4:].split(",")
            return
        named = re.match(r"([\w,]+) = (.*)", text)
        names = named[1].split(",") if named else ["y"]
        parts = (named[2] if named else text).split(" | ")
        source = parts.pop(0) if re.fullmatch(r"\w+", parts[0]) else "x"
        made = [self.named.get(source)]
        for part in parts:
            made = self.apply(part.split(), made[0])
        self.named.update(zip(names, made))
        self.last = names

    def add(self, op, args, results=1, **attrs):
        made = self.graph.add(op, args, results, style=len(self.graph.nodes), **attrs)
        Graph.step(self.graph.nodes[-1], self.values)
        return [made] if results == 1 else made

    def apply(self, words, x):
        op, rest = words[0], words[1:]
        if op == "concat":
            return self.add(op, [self.named[n] for n in rest[1:]], axis=int(rest[0]))
        if op == "reshape":
            return self.add(op, [x], dims=self.sizes(rest[0]))
        if op == "flatten":
            dims = list(self.values[x].shape)
            first, last = (int(a) for a in rest[0].split(":"))
            merged = int(np.prod(dims[first : last + 1]))
            return self.add("reshape", [x], dims=dims[:first] + [merged] + dims[last + 1 :])
        if op == "transpose":
            return self.add(op, [x], perm=self.sizes(rest[0]))
        if op in ("squeeze", "unsqueeze", "flip"):
            return self.add(op, [x], axes=self.sizes(rest[0]))
        if op == "expand":
            return self.add(op, [x], dims=self.sizes(rest[0]))
        if op == "tile":
            return self.add(op, [x], repeats=self.sizes(rest[0]))
        if op == "split":
            parts = self.sizes(rest[1])
            return self.add(op, [x], len(parts), axis=int(rest[0]), sizes=parts)
        if op == "slice":
            return self.slice(rest[0], x)
        if op == "pad":
            return self.pad(rest, x)
        if op == "gather":
            at = self.constants[rest[1][1:]] if rest[1].startswith("@") else self.sizes(rest[1])
            return self.add(op, [x], indices=at, axis=int(rest[0]))
        if op == "cast":
            return self.add(op, [x], to=self.dtype or rest[0])
        if op == "depth_to_space":
            return self.add(op, [x], block=int(rest[0]), mode=rest[1])
        if op == "space_to_depth":
            return self.add(op, [x], block=int(rest[0]))
        raise ValueError(f"unknown operator {op}")

    def slice(self, text, x):
        axes, starts, ends, steps = [], [], [], []
        for item in text.split(","):
            axis, bounds = item.split("=")
            low, high, *step = bounds.split(":")
            axes.append(int(axis))
            starts.append(size(low, self.symbols) if low else None)
            ends.append(size(high, self.symbols) if high else None)
            steps.append(int(step[0]) if step else 1)
        plain = all(s == 1 for s in steps)
        return self.add(
            "slice", [x], starts=starts, ends=ends, axes=axes, steps=None if plain else steps
        )

    def pad(self, rest, x):
        pads = {}
        for item in rest[0].split(","):
            axis, amounts = item.split("=")
            pads[int(axis)] = tuple(size(a, self.symbols) for a in amounts.split(":"))
        key, value = rest[1].split("=")
        if key == "mode":
            return self.add("pad", [x], pads=pads, mode=value)
        return self.add("pad", [x], pads=pads, mode="constant", value=value)

    def finish(self):
        """Give the outputs the names of the row; an input or an earlier output is copied."""
        for name in self.last:
            made = self.named[name]
            owner = next((n for n in self.graph.nodes if made in n.results), None)
            if owner is None or made in self.graph.outputs:
                self.add("identity", [made])
                made = self.graph.nodes[-1].results[0]
                owner = self.graph.nodes[-1]
            assert name not in self.values
            for node in self.graph.nodes:
                node.args = [name if a == made else a for a in node.args]
            owner.results = [name if r == made else r for r in owner.results]
            self.values[name] = self.values.pop(made)
            self.graph.outputs.append(name)


# ---- the checks ----------------------------------------------------------------------------------


def read_tsv(name):
    with open(os.path.join(HERE, name), encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


class Case:
    """One row and binding: its graph, the published checks of its outputs, what was found wrong."""

    def __init__(self, row, binding, checks, constants):
        symbols = (
            {k: int(v) for k, v in (b.split("=") for b in binding.split(","))}
            if binding != "-"
            else {}
        )
        casts = "cast" in operators_in(row["chain"])
        # A kernel that casts cannot carry element numbers: its map is that of the row in one wide type,
        # where casts do nothing; what becomes of it is asked of the row as it is written.
        built = Translation(row, symbols, constants, "i32" if casts else None)
        self.written = Translation(row, symbols, constants, None).graph if casts else built.graph
        self.label = row["id"] + ("" if binding == "-" else " {" + binding + "}")
        self.graph = built.graph
        self.shapes = {name: list(built.values[name].shape) for name in self.graph.outputs}
        self.sums = {name: oracle.checksum(built.values[name]) for name in self.graph.outputs}
        values = {n.attrs.get("value", 0) or 0 for n in self.graph.nodes if n.op == "pad"}
        assert len(values) < 2, "one checksum, one constant"
        self.fill = [harness.fill_bytes(float(v), self.graph.inputs[0].dtype) for v in values]
        self.fill = self.fill[0] if self.fill else None
        # The start of the one input of an affine output in the common numbering.
        self.source = {n: int(built.values[n].max(initial=-1)) for n in self.graph.outputs}
        self.checks = checks
        self.text = self.graph.text(built.values, pipes=True)
        self.written_text = self.written.text(built.values, pipes=True) if casts else self.text
        self.wrong = []

    def expect(self, what, output, got, want):
        if got != want:
            self.wrong.append((what, f"{output}: got {got}, expected {want}"))

    def check_oracle(self):
        self.expect("outputs", "", self.graph.outputs, list(self.checks))
        for name, check in self.checks.items():
            self.expect(
                "dims", name, self.shapes.get(name), [int(d) for d in check["shape"].split(",")]
            )
            self.expect("checksum", name, self.sums.get(name), check["checksum"])

    def check_explain(self, entry):
        found = {o["name"]: o for o in entry["outputs"]}
        self.expect("outputs", "", list(found), list(self.checks))
        for name, check in self.checks.items():
            if name not in found:
                continue
            out, kind = found[name], check["class"]
            dims = [int(d) for d in check["shape"].split(",")]
            self.expect("dims", name, out["dims"], dims)
            self.expect("dtype", name, out["dtype"], self.written.types()[name])
            self.expect("tier", name, out["tier"], "alias" if kind == "alias" else "static")
            if kind == "noncopyable-as-one-affine-nest":
                continue
            nest = [[int(n) for n in loop.split("@")] for loop in check["nest"].split()]
            single = all(extent == 1 for extent, _ in nest)
            self.expect("nest", name, [] if single else out.get("nest"), [] if single else nest)
            bases = oracle.element_numbers([i.dims for i in self.graph.inputs])[1]
            owner = max(i for i, base in enumerate(bases) if base <= self.source[name])
            self.expect("source", name, out["sources"], [self.graph.inputs[owner].name])
            if kind == "alias" or "nest" in out:
                self.expect("offset", name, out["offset"], int(check["offset"]) - bases[owner])

    def check_kernel(self, caller, library, at_end):
        """Published checksum of the map that the kernel carries out."""
        function = getattr(library, self.graph.name)
        arrays, _ = oracle.element_numbers([i.dims for i in self.graph.inputs])
        volumes = [int(np.prod(self.shapes[n])) for n in self.graph.outputs]
        maps = harness.kernel_maps(
            caller, function, arrays, volumes, self.graph.inputs[0].dtype, at_end, self.fill
        )
        for name, numbers in zip(self.graph.outputs, maps):
            got = "torn elements" if numbers is None else oracle.checksum(numbers)
            if got != self.checks[name]["checksum"]:
                return f"{name}: checksum {got}, expected {self.checks[name]['checksum']}"
        return ""

    def check_run(self, compiler, path):
        """The same through `reshapec run` and .npy files, for element types that numpy has."""
        kind = np.dtype(harness.NUMPY_TYPES[self.graph.inputs[0].dtype])
        arrays, _ = oracle.element_numbers([i.dims for i in self.graph.inputs])
        values = self.graph.evaluate()[0]
        args, wide = [], np.dtype(f"u{kind.itemsize}")
        for i, array in zip(self.graph.inputs, arrays):
            name = compiler.path(f"{self.graph.name}.{i.name}.npy")
            data = (array % 2 == 0).astype(wide) if kind == "?" else array.astype(wide)
            np.save(name, data.view(kind).reshape(array.shape))
            args.append(f"{i.name}={name}")
        results = {n: compiler.path(f"{self.graph.name}.{n}.npy") for n in self.graph.outputs}
        for name in results.values():
            if os.path.exists(name):
                os.remove(name)
        done = compiler.call(
            "run", path, self.graph.name, *args, *[f"{n}={p}" for n, p in results.items()]
        )
        if done.returncode:
            self.wrong.append(("run", f"exit {done.returncode}: {done.stderr.strip()[:300]}"))
            return
        for name, path_of in results.items():
            got = np.load(path_of)
            want = (
                (values[name] % 2 == 0).astype(wide) if kind == "?" else values[name].astype(wide)
            )
            if self.fill is not None:
                want = np.where(values[name] < 0, self.fill.view(wide)[0], want)
            self.expect("run dtype", name, got.dtype.str, kind.newbyteorder("<").str)
            self.expect("run dims", name, list(got.shape), list(want.shape))
            if got.shape == want.shape and not np.array_equal(got.view(wide), want):
                self.wrong.append(("run", f"{name}: wrong elements"))


def load_cases(options):
    constants = {
        r["name"]: [int(v) for v in r["values"].split(",")] for r in read_tsv("chains-consts.tsv")
    }
    checks = {}
    for check in read_tsv("chains-checks.tsv"):
        checks.setdefault((check["id"], check["binding"]), {})[check["output"]] = check
    wanted = set(options.operators.split(",")) if options.operators else set(oracle.OPERATORS)
    cases, left_out = [], 0
    for row in read_tsv("chains.tsv"):
        bindings = bindings_of(row["input_shapes"])[1] or ["-"]
        symbolic = bindings != ["-"]
        if (options.only and not re.search(options.only, row["id"])) or operators_in(
            row["chain"]
        ) - wanted:
            left_out += 1
        elif symbolic and not options.bindings:
            left_out += 1
        else:
            for binding in bindings:
                cases.append(Case(row, binding, checks[row["id"], binding], constants))
    return cases, left_out


def in_sample(label, every):
    """A choice that does not depend on which other rows are run."""
    return every and int(hashlib.sha256(label.encode()).hexdigest(), 16) % every == 0


def check_compiled(cases, options):
    compiler = harness.Compiler(options.reshapec, options.cc, options.work)
    errors = compiler.errors_by_graph("checked", [c.written_text for c in cases])
    good = []
    for case, found in zip(cases, errors):
        for d in found:
            case.wrong.append(("refused", f"line {d['line']}: {d['kind']}: {d['message']}"))
        if not found:
            good.append(case)
    path = compiler.path("corpus.rsh")
    write_file(path, [c.text for c in good])
    written = compiler.path("written.rsh")
    write_file(written, [c.written_text for c in good])
    explained = compiler.explain(written)
    for case in good:
        case.check_explain(explained[case.graph.name])
    library = compiler.library(path, "corpus", *options.option)
    caller = harness.Caller()
    jobs = [(case, at_end) for case in good for at_end in (True, False)]
    for (case, _), verdict in harness.isolated(
        jobs, lambda j: j[0].check_kernel(caller, library, j[1])
    ):
        if verdict:
            case.wrong.append(("kernel", verdict))
    ran = [c for c in good if in_sample(c.label, options.run_every)]
    ran = [c for c in ran if c.graph.inputs[0].dtype in harness.NUMPY_TYPES]
    for case in ran:
        try:
            case.check_run(compiler, path)
        except (RuntimeError, OSError, ValueError) as broken:
            case.wrong.append(("run", str(broken)))
    print(f"{len(good)} kernels called, {len(ran)} graphs run on .npy files")


def main():
    parser = harness.parser_of(__doc__)
    parser.add_argument(
        "--operators", help="run the rows made of these operators only, comma separated"
    )
    parser.add_argument(
        "--bindings", action="store_true", help="also symbolic rows, numbers put in"
    )
    parser.add_argument("--only", help="run the rows whose id matches this expression")
    parser.add_argument(
        "--run-every", type=int, default=16, help="`reshapec run` for one row in this many, 0: none"
    )
    parser.add_argument(
        "--skip", default="", help="comma separated checks not to make, such as nest,offset"
    )
    parser.add_argument(
        "--at-least", type=int, default=1, help="fail when fewer rows and bindings were checked"
    )
    parser.add_argument(
        "--oracle", action="store_true", help="check the numpy interpreter, run no compiler"
    )
    parser.add_argument(
        "--print", action="store_true", help="print the .rsh text of the chosen rows and stop"
    )
    parser.add_argument(
        "--option", action="append", default=[], help="handed to reshapec when it compiles"
    )
    options = parser.parse_args()

    cases, left_out = load_cases(options)
    if options.print:
        print("\n".join(c.text for c in cases), end="")
        return 0
    for case in cases:
        case.check_oracle()
    if not options.oracle:
        check_compiled(cases, options)
    skipped, kinds, failed = set(options.skip.split(",")), {}, 0
    for case in cases:
        wrong = [w for w in case.wrong if w[0] not in skipped]
        failed += bool(wrong)
        for what, text in wrong:
            kinds[what] = kinds.get(what, 0) + 1
            print(f"{case.label}: {what}: {text}")
    print(
        f"{len(cases) - failed} of {len(cases)} rows and bindings right, {left_out} rows left out"
    )
    if kinds:
        print("wrong: " + ", ".join(f"{n} {what}" for what, n in sorted(kinds.items())))
    return 1 if failed or len(cases) < options.at_least else 0


if __name__ == "__main__":
    sys.exit(main())
