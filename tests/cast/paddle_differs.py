#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes the column "here" of the table of differences to Paddle in docs/activations.md.

    paddle_differs.py RESHAPEC PAGE           in a folder that it may write to

Of Paddle's column it checks that it differs: a row with two equal values would be useless.
"""

import re
import subprocess
import sys

import numpy as np

TYPES = {"f32": np.float32, "f64": np.float64}


def read_rows(page):
    """(operator, type, elements of x, here, Paddle): the rows of six cells."""
    with open(page, encoding="utf-8") as lines:
        for line in lines:
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if len(cells) == 6 and cells[0].startswith("`"):
                x = [float(number) for number in cells[3].strip("[]").split(",")]
                yield cells[0].strip("`"), cells[1], x, cells[4], cells[5]


def compute(reshapec, operator, kind, x):
    np.save("x.npy", np.array([x], TYPES[kind]))
    graph = f"graph g(x: {kind}[1, {len(x)}]) -> y {{ y = {operator}(x) }}\n"
    with open("g.rsh", "w", encoding="utf-8") as out:
        out.write(graph)
    subprocess.run([reshapec, "run", "g.rsh", "x=x.npy", "y=y.npy"], check=True)
    return float(np.load("y.npy")[0, -1])


def main(reshapec, page):
    rows, wrong = list(read_rows(page)), 0
    for operator, kind, x, here, paddle in rows:
        digits = len(re.sub(r"e.*|[-.]", "", here).lstrip("0"))
        found = f"{compute(reshapec, operator, kind, x):.{max(digits, 1)}g}"
        if float(found) != float(here) and not (found == here == "nan"):
            print(f"{operator} of {kind} {x} is {found}, the page says {here}")
            wrong += 1
        if here == paddle:
            print(f"{operator} of {kind} {x}: Paddle's {paddle} is no difference")
            wrong += 1
    print(f"{len(rows)} rows, {wrong} wrong")
    return wrong > 0


sys.exit(main(*sys.argv[1:]))
