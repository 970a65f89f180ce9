# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs models that compute with open sizes, for small sizes: shown_sizes.py RESHAPEC FOLDER limited|divisors|conditions."""

import itertools
import os
import subprocess
import sys

import numpy as np
from onnx import parser, save
from onnx.reference import ReferenceEvaluator

# The length of y shows q, which may be negative.
MODEL = """<ir_version: 8, opset_import: ["" : 17]>
g (float[H] x, float[W] z) => (float[Q] y)
<float[48] base = {%s}, int64[1] zero = {0}, int64[1] middle = {16}, int64[1] three = {3}, float half = {0.5},
 int64 first = {0}, int64 second = {1}, int64 third = {2}> {
    h = Shape (x)
    w = Shape (z)
    d = Sub (h, w)
    f = Cast <to = 1> (h)
    e = Cast <to = 1> (d)
    %s
    end = Add (q, middle)
    y = Slice (base, zero, end)
}"""
BASE = ", ".join(str(i) for i in range(48))
COUNT = " c = Shape (r) q = Identity (c)"
LIMITED = {
    "smaller": "q = Min (h, three)",
    "larger": "q = Max (three, h)",
    "smaller_of_sizes": "q = Min (h, w)",
    "larger_of_sizes": "q = Max (w, h, three)",
    "clipped": "a = Sub (h, three) q = Max (a, zero)",
    # Clip, with one limit, or with a smallest above the largest
    "clip": "q = Clip (h, second, third)",
    "clip_below": "q = Clip (d, first)",
    "clip_above": "q = Clip (d, , third)",
    "clip_crossed": "q = Clip (h, third, second)",
    "clip_float": "a = Cast <to = 1> (third) b = Clip (e, , a) q = Cast <to = 7> (b)",
    "apart": "q = Abs (d)",
    "of_differences": "q = Min (d, w)",
    "of_halves": "a = Mul (f, half) b = Cast <to = 1> (three) c = Max (a, b) g = Ceil (c) q = Cast <to = 7> (g)",
    "halves_apart": "a = Mul (e, half) b = Abs (a) c = Ceil (b) q = Cast <to = 7> (c)",
    # Halves below 0, rounded down, up and toward 0
    "floor": "a = Mul (e, half) b = Floor (a) q = Cast <to = 7> (b)",
    "ceil": "a = Mul (e, half) b = Ceil (a) q = Cast <to = 7> (b)",
    "truncated": "a = Mul (e, half) q = Cast <to = 7> (a)",
    # Ranges that may be empty
    "from_2": "s = Squeeze (h) r = Range (third, s, second)" + COUNT,
    "between": "s = Squeeze (h) t = Squeeze (w) r = Range (s, t, third)" + COUNT,
}  # fmt: skip
DIVISORS = {
    "number_by_size": "q = Div (three, h)",
    "rest_of_number": "q = Mod (three, h)",
    "rest_below_0": "a = Neg (three) q = Mod (a, h)",
    "rest_of_sizes": "q = Mod <fmod = 1> (d, h)",
    "sizes_by_size": "q = Div (d, h)",
    "whole": "p = Mul (h, w) q = Div (p, h)",
    "whole_rest": "p = Mul (h, w) q = Mod (p, h)",
    "by_third": "t = Div (h, three) q = Div (h, t)",
    "by_smaller": "t = Min (h, w) q = Mod (h, t)",
}
# Comparisons of sizes, which are numbers as well: 0 or 1
CONDITIONS = {
    "pad_to": "c = Less (h, w) a = Sub (w, h) q = Where (c, a, zero)",
    "pad_to_twice": "c = GreaterOrEqual (h, w) a = Sub (w, h) b = Add (a, a) q = Where (c, zero, b)",
    "larger_chosen": "c = Greater (h, w) q = Where (c, h, w)",
    "of_numbers": "c = LessOrEqual (h, three) q = Where (c, zero, three)",
    "below_0": "c = Greater (h, w) q = Where (c, d, three)",
    "to_multiple": "r = Mod (h, three) c = Equal (r, zero) a = Sub (three, r) b = Where (c, zero, a) q = Add (h, b)",
    "broadcast": "c = Equal (h, three) q = Where (c, w, h)",
    "both": "a = Less (h, w) b = Greater (h, zero) c = And (a, b) q = Where (c, h, three)",
    "any": "a = Less (h, w) b = Equal (h, three) c = Or (a, b) n = Not (c) q = Where (n, h, w)",
    "one_of": "a = Less (h, w) b = LessOrEqual (h, three) c = Xor (a, b) q = Where (c, w, three)",
    "as_number": "c = Less (h, w) n = Cast <to = 7> (c) q = Mul (n, three)",
    "of_number": "c = Cast <to = 9> (d) n = Cast <to = 7> (c) q = Sub (three, n)",
    # tf2onnx rounds quotients down so
    "floor_div": """t = Div (h, three) p = Mul (t, three) same = Equal (p, h) u = Not (same) a = Less (h, zero)
        b = Less (three, zero) o = Xor (a, b) c = And (u, o) n = Cast <to = 7> (c) q = Sub (t, n)""",
    "of_vector": "s = Concat <axis = 0> (h, w) c = Less (s, three) n = Where (c, s, three) q = ReduceSum (n, zero)",
}  # fmt: skip
ARE_0 = {"by_third": lambda height, width: height < 3, "by_smaller": lambda height, width: width == 0}

tool, folder, group = sys.argv[1:]
GROUPS = {"limited": LIMITED, "divisors": DIVISORS, "conditions": CONDITIONS}
heights, numbers = (1 if group == "divisors" else 0, 3, 4, 7), GROUPS[group]
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
for name, nodes in numbers.items():
    model = parser.parse_model(MODEL % (BASE, nodes))
    save(model, f"{name}.onnx")
    reference = ReferenceEvaluator(model)
    for height, width in itertools.product(heights, (0, 5)):
        x, z = np.zeros(height, np.float32), np.zeros(width, np.float32)
        np.save("x.npy", x)
        np.save("z.npy", z)
        words = [tool, "run", f"{name}.onnx", "x=x.npy", "z=z.npy", "y=y.npy"]
        if name in ARE_0 and ARE_0[name](height, width):
            ran = subprocess.run(words, stderr=subprocess.PIPE)
            assert b"takes only sizes with" in ran.stderr, (name, height, width, ran.stderr)
            continue
        subprocess.run(words, check=True)
        wanted = reference.run(None, {"x": x, "z": z})[0]
        assert np.array_equal(np.load("y.npy"), wanted), (name, height, width)
