# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A graph for each pair of element types, and a table of them for a C program: pairs.py FOLDER [few]. `few`: only pairs
that may lack instructions: from and to floats, one integer type of each width and sign, fewer elements."""
import sys

TYPES = ["bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "bf16", "f32", "f64",
         "f8e4m3fn", "f8e4m3fnuz", "f8e5m2", "f8e5m2fnuz", "f8e8m0", "i4", "u4", "f4e2m1", "i2", "u2"]
FEW = len(sys.argv) > 2
FLOATS = ["f16", "bf16", "f32", "f64", "f8e4m3fn", "f8e4m3fnuz", "f8e5m2", "f8e5m2fnuz", "f8e8m0", "f4e2m1"]


def count(type):
    return 65536 if not FEW or type in ("f16", "bf16") else 4096 if type in ("i16", "i32", "i64", "u32", "u64", "f32", "f64") else 256


def is_wanted(a, b):
    left_out = {"u16", "u4", "i2", "u2"} & {a, b}
    return not FEW or (a != b and b != "bool" and (a in FLOATS or b in FLOATS) and not left_out)


def rules(to):
    """Returns the arguments of cast, and the runtime's numbers for saturation and rounding."""
    if to == "f8e8m0":
        return [(f', saturate={s}, round_mode="{m}"', s, i) for s in (0, 1) for i, m in enumerate(["up", "down", "nearest"])]
    if to.startswith("f8"):
        return [("", 1, 0), (", saturate=0", 0, 0)]
    return [("", 1, 0)]


graphs, table = [], []
for a in TYPES:
    for b in filter(lambda b: is_wanted(a, b), TYPES):
        for i, (arguments, saturate, mode) in enumerate(rules(b)):
            name = f"from_{a}_to_{b}_{i}"
            graphs.append(f"graph {name}(x: {a}[{count(a)}]) -> y: {b}[{count(a)}] {{\n    y = cast(x, {b}{arguments})\n}}\n")
            call = f"{a}_{b}_{i}"
            table.append((name, call, a, b, saturate, mode))

with open(f"{sys.argv[1]}/pairs.rsh", "w") as out:
    out.writelines(graphs)
with open(f"{sys.argv[1]}/pairs.def", "w") as out:
    for name, _, a, b, saturate, mode in table:
        out.write(f'PAIR({name}, "{a}", "{b}", {saturate}, {mode}, {count(a)})\n')
