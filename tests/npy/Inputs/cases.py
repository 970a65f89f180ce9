# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the cases of a test file: a line "# IN type expression" and the message expected after it.

    # IN f32  f4("(3,)", bytes(16))
    # IS bad_file: shape (3,) of '<f4' takes 12 bytes, but the file has 16
    # PIPE bad_file: shape (3,) of '<f4' takes 12 bytes, but the file has more than 12

The expression is Python with the names of npytest.py; its bytes are read from a file and from a
pipe. PIPE: the message from the pipe, where it differs.
"""

import sys

import npytest


def cases(path):
    """Returns (line number, type, expression, message, message from a pipe)."""
    found = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            word, _, rest = line.strip().removeprefix("# ").partition(" ")
            if word == "IN":
                found.append([number, *rest.split(maxsplit=1), None, None])
            elif word == "IS":
                found[-1][3] = found[-1][4] = rest.strip()
            elif word == "PIPE":
                found[-1][4] = rest.strip()
    return found


def main(path, tool, folder):
    run = npytest.Tool(tool, folder)
    names = {"npy": npytest.npy, "f4": npytest.f4, "save": npytest.save, "np": npytest.np}
    wrong = 0
    listed = cases(path)
    for number, dtype, expression, message, from_pipe in listed:
        data = eval(expression, names)  # the expressions are our own
        for pipe, expected in ((False, message), (True, from_pipe)):
            text = run.error(dtype, data, pipe)
            if text != expected:
                print(f"{path}:{number}: {expression}{' (pipe)' if pipe else ''}")
                print(f"  expected  {expected}\n  found     {text}")
                wrong += 1
    if not listed:
        raise SystemExit("no cases")
    return 1 if wrong else 0


sys.exit(main(*sys.argv[1:]))
