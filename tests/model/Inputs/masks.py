# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs Where by masks that compare positions, for small sizes: masks.py RESHAPEC FOLDER."""

import itertools
import os
import subprocess
import sys

import numpy as np
from onnx import parser, save
from onnx.reference import ReferenceEvaluator

TEXT = """<ir_version: 8, opset_import: ["" : 17]>
g (float[B, S] x, float[S, S] w) => (float y)
<int64 n0 = {0}, int64 n1 = {1}, int64 n2 = {2}, int64 minus1 = {-1}, int64[1] a0 = {0}, int64[1] a1 = {1}, int64[1] a2 = {2},
 int64[2] two = {0, 1}, float low = {-9}, float zero = {0}, float one = {1},
 int32 three = {3}, float[1] three_f = {3}, bool no = {0}, bool yes = {1},
 bool[1, 5, 5] triangle = {%s}> {
    shape = Shape (x)
    b = Gather (shape, n0)
    bs = Unsqueeze (b, a0)
    s = Gather (shape, n1)
    ss = Unsqueeze (s, a0)
    squares = Concat <axis = 0> (ss, ss)
    count = Range (n0, s, n1)
    across = Unsqueeze (count, a0)
    down = Unsqueeze (count, a1)
    %s
}"""
MASKS = {
    "causal": "mask = Less (down, across) y = Where (mask, low, w)",
    "strict": "mask = Greater (down, across) y = Where (mask, w, low)",
    "denied": "some = LessOrEqual (across, down) mask = Not (some) y = Where (mask, low, w)",
    # Of keys that include earlier tokens; and of all heads
    "later": """total = Add (b, s) keys = Range (n0, total, n1) queries = Range (b, total, n1)
        rows = Unsqueeze (queries, a1) mask = GreaterOrEqual (rows, keys) y = Where (mask, low, zero)""",
    "heads": "mask = Less (across, down) each = Unsqueeze (mask, two) y = Where (each, w, low)",
    # Along one axis
    "first": "mask = Less (across, n2) y = Where (mask, x, low)",
    "last": "end = Sub (s, n1) back = Range (end, minus1, minus1) mask = GreaterOrEqual (back, n2) y = Where (mask, low, x)",
    "up_to_size": "mask = Greater (across, b) y = Where (mask, low, x)",
    # A band: two triangles
    "window": """mask = Less (down, across) y0 = Where (mask, low, w) least = Sub (down, n2)
        early = Less (across, least) y = Where (early, low, y0)""",
    "diagonal": "mask = Equal (down, across) y = Where (mask, low, w)",
    "off_diagonal": "same = Equal (down, across) mask = Not (same) y = Where (mask, low, w)",
    # Combined masks
    "band": """least = Sub (down, n2) now = LessOrEqual (across, down) late = Greater (across, least)
        mask = And (now, late) y = Where (mask, w, low)""",
    "outside": """least = Sub (down, n2) now = LessOrEqual (across, down) late = Greater (across, least)
        mask = And (now, late) other = Not (mask) y = Where (other, low, w)""",
    "either": """now = LessOrEqual (across, down) first = Less (count, n2) mask = Xor (now, first)
        y = Where (mask, w, low)""",
    "prefix": """now = LessOrEqual (across, down) first = Less (count, n2) mask = Or (now, first)
        each = Unsqueeze (mask, a0) y = Where (each, w, low)""",
    # Masks as numbers, and results
    "result": "mask = Less (down, across) y = Cast <to = 1> (mask)",
    "additive": """mask = LessOrEqual (across, down) ones = Cast <to = 1> (mask) rest = Sub (one, ones)
        y = Mul (rest, low)""",
    "as_bool": """mask = LessOrEqual (across, down) ones = Cast <to = 1> (mask) rest = Sub (one, ones)
        hidden = Cast <to = 9> (rest) y = Where (hidden, low, w)""",
    "of_numbers": """mask = LessOrEqual (across, down) y0 = Where (mask, zero, low) hidden = Less (y0, zero)
        y1 = Where (hidden, low, w) both = Concat <axis = 0> (y0, y1) y = Identity (both)""",
    "batch": """mask = LessOrEqual (across, down) each = Unsqueeze (mask, a0)
        repeats = Concat <axis = 0> (bs, a1, a1) many = Tile (each, repeats) y = Cast <to = 1> (many)""",
    "half": "mask = Less (across, n2) y0 = Cast <to = 10> (mask) y = Cast <to = 1> (y0)",
    "eye": "y = EyeLike <k = 1> (w)",
    # A stored mask, as GPT-2 has
    "stored": """rows = Slice (triangle, a0, ss, a1) part = Slice (rows, a0, ss, a2) y = Where (part, w, low)""",
    "tril": """ones = ConstantOfShape <value = float[1] {2}> (squares) kept = Trilu <upper = 0> (ones)
        hidden = Equal (kept, zero) y = Where (hidden, low, w)""",
    "tall": """sizes = ReduceSum <keepdims = 1> (shape) all = Concat <axis = 0> (sizes, ss)
        ones = ConstantOfShape <value = float[1] {2}> (all) y = Trilu (ones)""",
    # As Transformers makes it: a triangle times the keys after a query. Its constants are multiplied by the compiler.
    "cached": """total = Add (b, s) keys = Range (n0, total, n1) queries = Range (b, total, n1) rows = Unsqueeze (queries, a1)
        totals = Unsqueeze (total, a0) sizes = Concat <axis = 0> (ss, totals) full = ConstantOfShape <value = float[1] {-9}> (sizes)
        kept = Trilu <upper = 1> (full, n1) mask = Greater (keys, rows) after = Cast <to = 1> (mask) y = Mul (kept, after)""",
    "tril_triu": """ones = ConstantOfShape <value = float[1] {2}> (squares) kept = Trilu <upper = 0> (ones)
        y = Trilu (kept, minus1)""",
    # Masks of several parts, as with earlier tokens that all are visible; a part may have one value
    "after_past": """now = LessOrEqual (across, down) sizes = Concat <axis = 0> (ss, bs)
        past = ConstantOfShape <value: tensor = bool[1] {1}> (sizes) mask = Concat <axis = 1> (past, now)
        turned = Transpose (x) wide = Concat <axis = 1> (turned, w) y = Where (mask, wide, low)""",
    "parts": """now = LessOrEqual (across, down) first = Less (across, n2) late = Greater (across, n1)
        mask = Concat <axis = 0> (first, now, late, first) ones = Cast <to = 1> (mask)
        sizes = Concat <axis = 0> (bs, ss) none = ConstantOfShape (sizes) y = Concat <axis = 0> (ones, none)""",
    "hidden_part": """now = Greater (across, down) none = Cast <to = 9> (zero) part = Expand (none, a1)
        sizes = Concat <axis = 0> (a1, ss) row = Expand (part, sizes) mask = Concat <axis = -2> (now, row)
        y = Where (mask, low, one)""",
    # Masks of two axes, products of numbers, a mask that is turned, the same one again
    "outer": """first = Less (across, n2) ones = Cast <to = 1> (first) late = Greater (down, n1)
        others = Cast <to = 1> (late) both = Mul (ones, others) y = Mul (both, w)""",
    "of_ones": """ones = ConstantOfShape <value: tensor = float[1] {1}> (shape) u = Unsqueeze (ones, a1)
        v = Unsqueeze (ones, a2) both = Mul (u, v) rest = Sub (one, both) y = Mul (rest, low)""",
    "of_zeros": """zeros = ConstantOfShape (squares) same = Equal (zeros, zero) y = Where (same, w, low)""",
    "plus_zeros": """zeros = ConstantOfShape (squares) y = Add (w, zeros)""",
    "turned": """now = LessOrEqual (across, down) past = Transpose (now) y = Where (past, w, low)""",
    "again": """now = LessOrEqual (across, down) ones = Cast <to = 1> (now) hidden = Equal (ones, zero)
        scores = Where (hidden, low, ones) seen = Equal (scores, one) y = Where (seen, w, zero)""",
    # Blocks: of the same one, of this and the one before, places in them, and rows that count twice as fast
    "same_block": "block = Div (count, n2) at = Unsqueeze (block, a0) of = Unsqueeze (block, a1) mask = Equal (at, of) y = Where (mask, w, low)",
    "chunks": """block = Div (count, n2) next = Add (block, n1) end = Mul (n2, next) to = Unsqueeze (end, a1)
        before = Sub (block, n1) start = Mul (before, n2) from = Unsqueeze (start, a1) late = Less (across, to)
        early = GreaterOrEqual (across, from) mask = And (late, early) y = Where (mask, w, low)""",
    "seconds": "place = Mod (count, n2) mask = Equal (place, n1) y = Where (mask, low, x)",
    "twice_as_fast": "rows = Mul (down, n2) mask = LessOrEqual (rows, across) y = Where (mask, w, low)",
    "block_and_past": """block = Div (count, n2) at = Unsqueeze (block, a0) of = Unsqueeze (block, a1) same = Equal (at, of)
        now = LessOrEqual (across, down) mask = And (same, now) turned = Transpose (mask) y = Where (turned, w, low)""",
    # Distances, as of local attention; these also of blocks, shifted, transposed, and next to a bound that varies
    "near": "by = Sub (across, down) away = Abs (by) mask = LessOrEqual (away, n2) y = Where (mask, w, low)",
    "far": "by = Sub (down, across) away = Abs (by) mask = Less (n2, away) y = Where (mask, w, low)",
    "at_distance": "by = Sub (down, across) away = Abs (by) mask = Equal (away, n2) y = Where (mask, w, low)",
    "at_no_distance": "by = Sub (down, across) away = Abs (by) mask = Equal (away, minus1) y = Where (mask, w, low)",
    "around": "by = Sub (across, n2) away = Abs (by) mask = Less (away, n2) y = Where (mask, x, low)",
    "within_size": "by = Sub (across, n1) away = Abs (by) mask = Less (away, b) y = Where (mask, x, low)",
    "same_block_and_past": """block = Div (count, n2) at = Unsqueeze (block, a0) of = Unsqueeze (block, a1) by = Sub (at, of)
        away = Abs (by) same = Equal (away, n0) now = LessOrEqual (across, down) mask = And (same, now)
        y = Where (mask, w, low)""",
    "near_turned": """by = Sub (across, down) away = Abs (by) turned = Transpose (away) u = Unsqueeze (turned, a0)
        v = Unsqueeze (w, a0) mask = Greater (u, n1) y = Where (mask, low, v)""",
    "near_ones": "by = Sub (across, down) away = Abs (by) mask = Less (away, n2) y = Cast <to = 1> (mask)",
    # Along other axes than the last
    "heads_last": """now = LessOrEqual (across, down) each = Unsqueeze (now, a2) deep = Unsqueeze (w, a2)
        repeats = Concat <axis = 0> (a1, a1, bs) many = Tile (deep, repeats) y = Where (each, many, low)""",
    # With data: padding and causal masks
    "and_data": """now = LessOrEqual (across, down) real = Cast <to = 9> (w) both = And (real, now)
        y = Cast <to = 1> (both)""",
    "times_data": "now = LessOrEqual (across, down) ones = Cast <to = 1> (now) y = Mul (w, ones)",
    "less_data": "now = LessOrEqual (across, n1) ones = Cast <to = 1> (now) y = Sub (ones, x)",
    "of_two": """now = LessOrEqual (across, down) ones = Cast <to = 1> (now) first = Less (across, n2)
        firsts = Cast <to = 1> (first) y = Max (ones, firsts)""",
    "padding": "ids = Cast <to = 6> (x) pad = Equal (ids, three) real = Not (pad) y = Cast <to = 1> (real)",
    "at_least": """ids = Cast <to = 6> (x) late = GreaterOrEqual (ids, three) low_ids = Less (three, ids)
        both = And (late, yes) first = Cast <to = 1> (both) second = Cast <to = 1> (low_ids)
        y = Concat <axis = 0> (first, second)""",
    "equal_floats": "same = Equal (three_f, x) y = Cast <to = 1> (same)",
    "equal_bools": "some = Cast <to = 9> (x) same = Equal (some, no) y = Cast <to = 1> (same)",
    "one_value": """mask = Less (down, across) ones = Cast <to = 1> (mask) nine = GreaterOrEqual (ones, zero)
        y = Where (nine, w, low)""",
}  # fmt: skip
TRIANGLE = ", ".join(str(int(k <= i)) for i in range(5) for k in range(5))
REFUSED = {
    "sum": "both = Add (down, across) mask = Less (both, n2) y = Where (mask, low, w)",
    "distance": "by = Sub (down, across) away = Abs (by) y = Cast <to = 1> (away)",
    "two_distances": """by = Sub (down, across) first = Abs (by) from = Sub (across, n2) other = Abs (from)
        mask = Less (first, other) y = Where (mask, low, w)""",
    "output": "both = Add (down, across) y0 = Less (both, n2) y = Cast <to = 1> (y0)",
}


def model_of(nodes, size="S"):
    text = TEXT.replace("[B, S] x, float[S, S] w", f"[B, {size}] x, float[{size}, {size}] w")
    model = parser.parse_model(text % (TRIANGLE, nodes))
    model.graph.output[0].type.tensor_type.ClearField("shape")
    return model


tool, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
for name, nodes in REFUSED.items():
    save(model_of(nodes), f"refused_{name}.onnx")
# With a known size, masks are numbers.
KNOWN = {f"{name}_known": MASKS[name] for name in ("tril", "tril_triu", "either")}
for name, nodes in {**MASKS, **KNOWN}.items():
    model = model_of(nodes, "5" if name in KNOWN else "S")
    save(model, f"{name}.onnx")
    reference = ReferenceEvaluator(model)
    for b, s in itertools.product((0, 3), (5,) if name in KNOWN else (0, 1, 2, 5)):
        given = {"x": np.arange(b * s, dtype=np.float32).reshape(b, s),
                 "w": np.arange(s * s, dtype=np.float32).reshape(s, s) - 1}  # fmt: skip
        for k, array in given.items():
            np.save(f"{k}.npy", array)
        words = ["x=x.npy", "w=w.npy", "y=y.npy"]
        subprocess.run([tool, "run", f"{name}.onnx", *words], check=True)
        wanted, made = reference.run(None, given)[0], np.load("y.npy")
        assert made.shape == wanted.shape and np.array_equal(made, wanted), (name, b, s, made, wanted)
