# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""symbolic.py RESHAPEC CC FOLDER: softmax with sizes from the call, against numpy in higher precision.

Each graph is compiled once for each element type, and called with many sizes between guard pages. Its scratch buffer
has exactly the size that the header's macro gives for these sizes.
"""
import ctypes
import itertools
import re
import subprocess
import sys

import numpy as np

import softmax as rows
from softmax import harness

SIZES = (0, 1, 2, 3, 7, 8, 13, 31, 64)


def plain(c):
    return [c.softmax("x")]


def moved(c):
    s = c.softmax("x")
    return [c.add(f"transpose({s})", c.operand(s).T, s)]


def both(c):
    s = c.softmax("x")
    t = c.add(f"transpose({s})", c.operand(s).T, s)
    return [s, t, c.softmax(t)]


def again(c):
    s = c.softmax("x")
    s = c.softmax(c.add(f"transpose({s}, [2, 0, 1])", c.operand(s).transpose(2, 0, 1), s))
    s = c.softmax(c.add(f"relu({s})", np.maximum(c.operand(s), 0), s))
    return [c.add(f"flip({s}, 0)", c.operand(s)[::-1], s)]


def line(c):
    s = c.softmax(c.add("reshape(x, [B*S])", c.operand("x").reshape(-1), "x"))
    return [c.add(f"flip({s}, 0)", c.operand(s)[::-1], s)]


def fewer_rows(c):
    s = c.softmax(c.add("x[1:]", c.operand("x")[1:], "x"))
    return [c.add(f"transpose({s})", c.operand(s).T, s)]


def shorter_rows(c):
    return [c.softmax(c.add("x[:, 1:]", c.operand("x")[:, 1:], "x"))]


def padded(c):
    """Two kept values; one of them has rows even if B is 0."""
    x = c.operand("x")
    a = c.softmax(c.add("x[1:]", x[1:], "x"))
    b = c.softmax(c.add("pad(x, [2, 0, 0, 0])", np.pad(x, [(2, 0), (0, 0)]), "x"))
    return [c.add(f"transpose({s})", c.operand(s).T, s) for s in (a, b)]


def joined(c):
    s = c.softmax("x")
    t = c.add(f"concat({s}, x, {s}, 0)", np.concatenate([c.operand(s), c.operand("x"), c.operand(s)]), s)
    return [c.softmax(t)]


# Graph, its input's sizes, and the sizes for which it is valid.
GRAPHS = [
    (plain, "B, S", ""),
    (moved, "B, S", ""),
    (both, "B, S", ""),
    (line, "B, S", ""),
    (fewer_rows, "B, S", ""),
    (shorter_rows, "B, S", ""),
    (padded, "B, S", ""),
    (joined, "B, S", ""),
    (again, "B, S, 8", ""),
    (again, "S, 5, B", "where B in [1, 8], S % 4 == 0 "),
    (moved, "B, S", "where B in [0, 7] "),
    (fewer_rows, "B, S", "where B >= 2 "),
]


def allows(where, b, s):
    if "S % 4" in where and s % 4:
        return False
    choice = re.search(r"B in \[(\d+), (\d+)\]", where)
    return (b in map(int, choice.groups()) if choice else True) and not ("B >= 2" in where and b < 2)


def chain_of(index, kind, b, s):
    make, dims, where = GRAPHS[index]
    shape = [{"B": b, "S": s}.get(d) if d in "BS" else int(d) for d in dims.split(", ")]
    rng = np.random.default_rng([index, b, s])
    chain = rows.Chain(f"{make.__name__}{index}_{kind}", kind, rows.numbers(rng, kind, shape), f"[{dims}]", where)
    chain.outputs = make(chain)
    return chain


def symbols_of(chain, b, s):
    """Returns symbols in order of first appearance."""
    return [{"B": b, "S": s}[d] for d in chain.dims if d in "BS"]


def scratch_functions(compiler, chains, header):
    """For each graph that asks for scratch: its macro, as a function of the sizes."""
    text, names = '#include "symbolic.h"\n', []
    for chain in chains:
        macro = re.search(rf"#define ({chain.name.upper()}_SCRATCH_BYTES(\(.*?\))?) ", header)
        if macro:
            names.append(chain.name)
            head = f"int64_t scratch_of_{chain.name}(int64_t B, int64_t S)"
            text += f"{head};\n{head} {{ return (void)B, (void)S, {macro[1]}; }}\n"
    source, path = compiler.path("scratch.c"), compiler.path("scratch.so")
    with open(source, "w", encoding="utf-8") as out:
        out.write(text)
    flags = ["-std=c99", "-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror", "-shared", "-fPIC"]
    subprocess.run([compiler.cc, *flags, "-o", path, source], check=True)
    library = ctypes.CDLL(path)
    found = {name: library[f"scratch_of_{name}"] for name in names}
    for function in found.values():
        function.restype, function.argtypes = ctypes.c_int64, [ctypes.c_int64] * 2
    return found


def check_call(caller, library, scratch, chain, b, s, at_end):
    element = rows.TYPES[chain.kind].itemsize
    data = np.ascontiguousarray(chain.x).reshape(-1).view(np.uint8)
    sizes = [chain.precise[name].size * element for name in chain.outputs]
    if chain.name in scratch:
        sizes.append(scratch[chain.name](b, s))
    made = caller.run(library[chain.name], [data], sizes, element, at_end, symbols_of(chain, b, s))
    for name, got in zip(chain.outputs, made):
        want = chain.precise[name]
        error = rows.error_of(chain.kind, got.view(rows.TYPES[chain.kind]).reshape(want.shape), want)
        if error > rows.BOUND[chain.kind] * (1 + chain.sums[name]) / 2:
            return f"{name} is wrong by {error:.2f} units in the last place"
    return ""


def status_of(function, sizes, pointers):
    function.restype = ctypes.c_int
    return function(*map(ctypes.c_int64, sizes), *map(ctypes.c_void_p, pointers))


def check_faults(library, names):
    """`moved`, whose parameters are B, S, x, y, scratch."""
    moved_f32 = library["moved1_f32"]
    buffer = ctypes.addressof(ctypes.create_string_buffer(64))
    assert status_of(moved_f32, [-1, 2], [None] * 3) == names["bad_dim"]
    assert status_of(moved_f32, [1 << 31, 1 << 31], [buffer] * 3) == names["overflow"]
    assert status_of(moved_f32, [2, 2], [buffer, buffer + 16, None]) == names["null_pointer"]
    assert status_of(moved_f32, [0, 2], [None] * 3) == 0
    assert status_of(moved_f32, [2, 0], [None] * 3) == 0
    # each of the two kept values fits, both do not
    assert status_of(library["both2_f32"], [1 << 60, 1], [None] * 5) == names["null_pointer"]
    assert status_of(library["again8_f64"], [1 << 56, 1], [None] * 3) == names["overflow"]
    assert status_of(library["again8_f64"], [1 << 55, 1], [None] * 3) == names["null_pointer"]


def main(reshapec, cc, folder):
    compiler, caller = harness.Compiler(reshapec, cc, folder), harness.Caller()
    kinds = list(itertools.product(range(len(GRAPHS)), rows.TYPES))
    chains = [chain_of(index, kind, 8, 8) for index, kind in kinds]
    path = compiler.path("symbolic.rsh")
    with open(path, "w", encoding="utf-8") as out:
        out.writelines(chain.text() for chain in chains)
    tiers = {o["tier"] for g in compiler.explain(path).values() for o in g["outputs"]}
    assert tiers == {"symbolic"}, tiers
    library = compiler.library(path, "symbolic")
    with open(compiler.path("symbolic.h"), encoding="utf-8") as file:
        header = file.read()
    scratch = scratch_functions(compiler, chains, header)
    assert {name.split("_f")[0] for name in scratch} >= {"moved1", "padded6", "again8", "again9"}, scratch.keys()
    assert "plain0_f32" not in scratch and "shorter_rows5_f32" not in scratch
    jobs = [(index, kind, b, s) for (index, kind) in kinds for b in SIZES for s in SIZES
            if allows(GRAPHS[index][2], b, s)]

    def work(job):
        chain = chain_of(*job)
        return (check_call(caller, library, scratch, chain, *job[2:], True)
                or check_call(caller, library, scratch, chain, *job[2:], False))

    for (index, kind, b, s), verdict in harness.isolated(jobs, work):
        if verdict:
            sys.exit(f"B = {b}, S = {s}: {verdict}\n{chain_of(index, kind, 8, 8).text()}")
    enum = re.findall(r"^  RSH_(\w+), /", header, re.M)
    check_faults(library, {name: i for i, name in enumerate(enum)})
    print(len(jobs), "calls")


main(*sys.argv[1:4])
