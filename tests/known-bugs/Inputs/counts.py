# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints graphs of 1, 2, 3 and about 4, 8, 16, 32, 64 and 256 elements, and what they must give."""

COUNTS = [1, 2, 3] + [n for width in (4, 8, 16, 32, 64, 256) for n in (width - 1, width, width + 1)]
COUNTS = sorted(set(COUNTS))


def graph(name, inputs, expect, body):
    print(f"graph {name}({inputs}) -> y {{\n    # EXPECT y {expect}\n    y = {body}\n}}")


for t in ("u8", "i16", "f32", "f64", "c128"):
    for n in COUNTS:
        graph(f"copy_{t}_{n}", f"x: {t}[{n}]", f"alias [1, {n}] = x", f"reshape(x, [1, {n}])")
        graph(f"flip_{t}_{n}", f"x: {t}[{n}]",
              f"{'alias' if n == 1 else 'static'} [{n}] = x[::-1]", "flip(x, 0)")
        graph(f"join_{t}_{n}", f"a: {t}[{n}], b: {t}[{n + 1}]",
              f"static [{2 * n + 1}] = np.concatenate([a, b])", "concat(a, b, axis=0)")
        tier = "alias" if n == 1 else "static"
        graph(f"three_{t}_{n}", f"x: {t}[{n}, 3]", f"{tier} [3, {n}] = x.T", "transpose(x)")
        graph(f"apart_{t}_{n}", f"x: {t}[3, {n}]", f"{tier} [{n}, 3] = x.T", "transpose(x)")
    for n in (2, 7, 8, 9, 16, 17):
        graph(f"square_{t}_{n}", f"x: {t}[{n}, {n}]", f"static [{n}, {n}] = x.T", "transpose(x)")
