# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs models whose indices count up to an open size: positions.py RESHAPEC FOLDER."""

import itertools
import os
import subprocess
import sys

import numpy as np
from onnx import parser, save
from onnx.reference import ReferenceEvaluator

TABLE = "<float[6, 2] table = {%s}, int64[1, 6] ids = {0, 1, 2, 3, 4, 5}, %s>" % (
    ", ".join(str(i) for i in range(12)),
    "int64 n0 = {0}, int64 n1 = {1}, int64 n2 = {2}, int64[1] a0 = {0}, int64[1] a1 = {1}, int64[1] last = {-1}",
)
SIZES = """
    shape = Shape (x)
    b = Gather (shape, n0)
    s = Gather (shape, n1)
    rows = Range (n0, b, n1)
    columns = Range (n0, s, n1)"""
# x[:, start:end] = u, as torch.onnx.export writes it.
SET_COLUMNS = """
    some = Slice (columns, start, end, a0)
    down = Unsqueeze (rows, a1)
    both = Add (down, some)
    each = Shape (both)
    wide = Expand (down, each)
    i = Unsqueeze (wide, last)
    high = Expand (some, each)
    k = Unsqueeze (high, last)
    index = Concat <axis = -1> (i, k)
    y = ScatterND (x, index, u)"""

# name: inputs, more constants, nodes
MODELS = {
    # GPT-2, with and without keys of earlier tokens; OPT, whose table begins at 2
    "learned": ("float[B, S] x", "", SIZES + "at = Unsqueeze (columns, a0) y = Gather (table, at)"),
    "later": (
        "float[B, S] x", "",
        SIZES + "end = Add (b, s) after = Range (b, end, n1) y = Gather (table, after)",
    ),
    "offset": ("float[B, S] x", "", SIZES + "at = Add (columns, n2) y = Gather (table, at)"),
    # BERT
    "stored": (
        "float[B, S] x", "",
        SIZES + "end = Unsqueeze (s, a0) at = Slice (ids, a0, end, a1) y = Gather (table, at)",
    ),
    "expanded": ("float[B, S] x", "", SIZES + "at = Expand (columns, shape) y = Gather (table, at)"),
    # An older GPT-2; of no tokens, the first size would be ambiguous.
    "viewed": (
        "float[B, S] x", "",
        SIZES + """end = Unsqueeze (s, a0) as_rows = Concat <axis = 0> (last, end)
        at = Reshape (columns, as_rows) y = Gather (table, at)""",
    ),
    "inner": ("float[B, S] x", "", SIZES + "y = Gather <axis = 1> (x, columns)"),
    # The places of a grid, as a list; of both its axes, in pairs; and both lists, one beside the other
    "as_list": (
        "float[B, S] x", "", SIZES + "grid = Expand (columns, shape) at = Reshape (grid, last) y = Gather (table, at)",
    ),
    "in_list": (
        "float[B, S] x", "",
        SIZES + "grid = Expand (columns, shape) at = Reshape (grid, last) y = Gather <axis = 1> (x, at)",
    ),
    "grid_of_pairs": (
        "float[B, S] x", "",
        SIZES + """down = Unsqueeze (rows, a1) high = Expand (down, shape) wide = Expand (columns, shape)
        i = Unsqueeze (high, last) k = Unsqueeze (wide, last) at = Concat <axis = -1> (i, k) y = Gather (table, at)""",
    ),
    "list_of_pairs": (
        "float[B, S] x", ", int64[2] two = {-1, 2}",
        SIZES + """down = Unsqueeze (rows, a1) high = Expand (down, shape) wide = Expand (columns, shape)
        i = Unsqueeze (high, last) k = Unsqueeze (wide, last) both = Concat <axis = -1> (i, k)
        at = Reshape (both, two) y = Gather (table, at)""",
    ),
    "pairs_turned": (
        "float[B, S] x", "",
        SIZES + """down = Unsqueeze (rows, a1) high = Expand (down, shape) wide = Expand (columns, shape)
        i = Reshape (high, last) k = Reshape (wide, last) first = Unsqueeze (i, a0) second = Unsqueeze (k, a0)
        both = Concat <axis = 0> (first, second, first) at = Transpose (both) y = Gather (table, at)""",
    ),
    "after_numbers": (
        "float[B, S] x", ", int64[2] numbers = {1, 0}",
        SIZES + "at = Concat <axis = 0> (numbers, columns) y = Gather (table, at)",
    ),
    # Every second, in order and reversed; from the end; and from an index that an axis may not have
    "evens": ("float[B, S] x", "", SIZES + "even = Range (n0, s, n2) y = Gather <axis = 1> (x, even)"),
    "odd_positions": (
        "float[B, S] x", ", int64[1] two = {2}, int64[1] end = {9223372036854775807}",
        SIZES + "odd = Slice (columns, a1, end, a0, two) y = Gather <axis = 1> (x, odd)",
    ),
    "reversed": (
        "float[B, S] x", ", int64 minus1 = {-1}, int64 minus2 = {-2}",
        SIZES + """high = Sub (s, n1) down = Range (high, minus1, minus1) p = Gather <axis = 1> (x, down)
        twos = Range (high, minus1, minus2) q = Gather <axis = 1> (x, twos) y = Concat <axis = 1> (p, q)""",
    ),
    "from_end": (
        "float[B, S] x", "", SIZES + "low = Neg (s) at = Range (low, n0, n1) y = Gather <axis = 1> (x, at)",
    ),
    "from_2": ("float[B, S] x", "", SIZES + "at = Range (n2, s, n1) y = Gather <axis = 1> (x, at)"),
    # Empty for most sizes
    "between_sizes": (
        "float[B, S] x", ", int64 n3 = {3}",
        SIZES + "at = Range (b, s, n3) y = Gather <axis = 1> (x, at)",
    ),
    # Unfold in patches of 2, and the same with the places of a patch last
    "patches": (
        "float[B, S] x", ", int64[2, 1] places = {0, 1}",
        SIZES + """limit = Sub (s, n1) begin = Range (n0, limit, n2) across = Unsqueeze (begin, a0)
        at = Add (across, places) y = Gather <axis = 1> (x, at)""",
    ),
    "pairs": (
        "float[B, S] x", ", int64[1, 2] places = {0, 1}",
        SIZES + """limit = Sub (s, n1) begin = Range (n0, limit, n2) down = Unsqueeze (begin, a1)
        at = Add (down, places) y = Gather <axis = 1> (x, at)""",
    ),
    # In windows that overlap, or have gaps
    "windows": (
        "float[B, S] x", ", int64[3, 1] places = {0, 1, 2}",
        SIZES + """limit = Sub (s, n2) begin = Range (n0, limit, n1) across = Unsqueeze (begin, a0)
        at = Add (across, places) y = Gather <axis = 1> (x, at)""",
    ),
    "hops": (
        "float[B, S] x", ", int64[1, 2] places = {0, 1}, int64 n3 = {3}",
        SIZES + """limit = Sub (s, n1) frames = Div (limit, n3) begin = Range (n0, frames, n1) starts = Mul (begin, n3)
        down = Unsqueeze (starts, a1) at = Add (down, places) y = Gather <axis = 1> (x, at)""",
    ),
    "gaps": (
        "float[B, S] x", ", int64[1, 2] places = {0, 1}, int64 n3 = {3}",
        SIZES + """limit = Sub (s, n1) begin = Range (n0, limit, n3) down = Unsqueeze (begin, a1)
        at = Add (down, places) y = Gather <axis = 1> (x, at)""",
    ),
    # The indices are needed as a tensor too, or are no slice of the table.
    "twice": (
        "float[B, S] x", "",
        SIZES + """end = Unsqueeze (s, a0) at = Slice (ids, a0, end, a1) p = Gather (table, at)
        q = Cast <to = 1> (at) r = Unsqueeze (q, last) y = Concat <axis = -1> (p, r)""",
    ),
    "diagonals": (
        "float[B, S] x", ", int64[2, 3] diagonals = {0, 1, 2, 1, 2, 3}",
        SIZES + "end = Unsqueeze (s, a0) at = Slice (diagonals, a0, end, a1) y = Gather (table, at)",
    ),
    # Numbers that only the call may expand: S must be 1 or 3.
    "expanded_numbers": (
        "float[B, S] x", ", int64[3, 1] three = {0, 1, 2}",
        SIZES + """end = Unsqueeze (s, a0) wide = Concat <axis = 0> (end, a1)
        at = Expand (three, wide) y = Gather (table, at)""",
    ),
    "set_columns": (
        "float[B, S] x", ", int64[1] start = {1}, int64[1] end = {3}, float[1] zero = {0}",
        SIZES + SET_COLUMNS.replace("y =", "u = Expand (zero, each) y ="),
    ),
    "shift_right": (
        "float[B, S] x", ", int64[1] start = {1}, int64[1] end = {9223372036854775807}",
        SIZES + "u = Slice (x, a0, last, a1)" + SET_COLUMNS,
    ),
    # x[:, :3] = t: only the call knows whether t has as many columns.
    "set_given": (
        "float[B, S] x, float[1, S] u", ", int64[1] start = {0}, int64[1] end = {3}",
        SIZES + SET_COLUMNS.replace("y =", "t = Expand (u, each) y =").replace("index, u", "index, t"),
    ),
    "set_last": (
        "float[B, S] x", ", int64[1] start = {-2}, int64[1] end = {1000000}, float[1] one = {1}",
        SIZES + SET_COLUMNS.replace("y =", "u = Expand (one, each) y ="),
    ),
    # x[:, ::2] = 0, x[:, 1::2] = -x[:, 1::2] and x[1::3, 2:] = 1
    "set_evens": (
        "float[B, S] x", ", int64[1] start = {0}, int64[1] end = {1000000}, int64[1] two = {2}, float[1] zero = {0}",
        SIZES + SET_COLUMNS.replace("end, a0)", "end, a0, two)").replace("y =", "u = Expand (zero, each) y ="),
    ),
    "set_odds": (
        "float[B, S] x", ", int64[1] start = {1}, int64[1] end = {1000000}, int64[1] two = {2}",
        SIZES + SET_COLUMNS.replace("end, a0)", "end, a0, two)")
        .replace("y =", "t = Gather <axis = 1> (x, some) u = Neg (t) y ="),
    ),
    "set_rows": (
        "float[B, S] x",
        ", int64[1] start = {2}, int64[1] end = {1000000}, int64[1] three = {3}, float[1] one = {1}",
        SIZES + "every = Slice (rows, a1, end, a0, three)" + SET_COLUMNS.replace("(rows, a1)", "(every, a1)")
        .replace("y =", "u = Expand (one, each) y ="),
    ),
    "set_first_row": (
        "float[B, S] x, float[1, S] u", ", int64[1, 1] row = {0}", "y = ScatterND (x, row, u)",
    ),
    "set_last_row": (
        "float[B, S] x, float[1, S] u", ", int64[1, 1] row = {-1}", "y = ScatterND (x, row, u)",
    ),
}  # fmt: skip
# Below 0, an index counts from the end.
REFUSED = {
    "maybe_below_0": "less = Sub (b, s) at = Range (less, b, n1) y = Gather (table, at)",
    "overlap": "down = Unsqueeze (columns, a1) at = Add (down, rows) y = Gather (table, at)",
    "product": "at = Mul (columns, columns) y = Gather (table, at)",
    "list_scattered": """grid = Expand (columns, shape) list = Reshape (grid, last) at = Unsqueeze (list, a1)
        y = ScatterND (table, at, x)""",
    "blocks": "at = Div (columns, n2) y = Gather (table, at)",
}


def model_of(name, inputs, more, nodes):
    text = f'<ir_version: 8, opset_import: ["" : 17]> {name} ({inputs}) => (float y)'
    model = parser.parse_model(f"{text} {TABLE[:-1]}{more}> {{ {nodes} }}")
    model.graph.output[0].type.tensor_type.ClearField("shape")
    return model


def outcome(model, inputs):
    try:
        return ReferenceEvaluator(model).run(None, inputs)[0]
    except (IndexError, ValueError):
        return None


tool, folder = sys.argv[1:]
os.makedirs(folder + "/refused")
os.chdir(folder)
for name, nodes in REFUSED.items():
    save(model_of(name, "float[B, S] x", "", SIZES + nodes), f"refused/{name}.onnx")
for name, (inputs, more, nodes) in MODELS.items():
    model = model_of(name, inputs, more, nodes)
    save(model, name + ".onnx")
    answered = 0
    for b, s in itertools.product((0, 1, 3), (0, 1, 2, 3, 7)):
        x = np.arange(b * s, dtype=np.float32).reshape(b, s)
        given = {"x": x, "u": np.full((1, s), -1, np.float32)}
        given = {k: given[k] for k in given if f"] {k}" in inputs}
        for k, array in given.items():
            np.save(k + ".npy", array)
        words = [f"{k}={k}.npy" for k in given]
        ran = subprocess.run([tool, "run", name + ".onnx", *words, "y=y.npy"], stderr=subprocess.PIPE)
        wanted = None if name == "viewed" and s == 0 else outcome(model, given)
        if wanted is None:
            assert ran.returncode == 1, (name, b, s)
        elif ran.returncode and name != "between_sizes":  # an index of an empty tensor may be outside of it
            assert b"takes only sizes with" in ran.stderr and wanted.size == 0, (name, b, s, ran.stderr)
        else:
            assert ran.returncode == 0, (name, b, s, ran.stderr)
            answered += 1
            made = np.load("y.npy")
            assert made.shape == wanted.shape and np.array_equal(made, wanted), (name, b, s, made)
    assert answered >= 6, (name, answered)
