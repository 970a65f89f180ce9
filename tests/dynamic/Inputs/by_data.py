#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls the graphs of a file as its comments say, as an object and as C.

    by_data.py --reshapec build/reshapec --cc cc --work DIR FILE

    # CALL rows(x=arange(12).reshape(4, 3), s=[1], e=[3]) is x[1:3]
    # CALL rows(x=arange(12).reshape(4, 3), s=[1, 2], e=[3]) is bad_length

After `is` are numpy's results, or the status. A call that fails writes nothing. Sizes of the graph that are arguments
of their own are listed with the tensors: N=4.
"""

import os
import re
import sys

import numpy as np

sys.dont_write_bytecode = True  # no __pycache__ next to the sources
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))

import dynamic  # noqa: E402
import harness  # noqa: E402

CALL = re.compile(r"^# CALL (\w+)\((.*)\) is (.*)$", re.MULTILINE)
GRAPH = re.compile(r"^graph (\w+)\((.*)\) -> (.*?) (?:where .*? )?\{", re.MULTILINE)


def types_of(text):
    """Returns {graph: ({input: element type}, names of results)}."""
    return {
        name: (
            {n: harness.NUMPY_TYPES[t] for n, t in re.findall(r"(\w+): (\w+)", inputs)},
            re.findall(r"\w+", re.sub(r": \w+(\[.*?\])?", "", results)),
        )
        for name, inputs, results in GRAPH.findall(text)
    }


def difference(program, types, name, arguments, meaning):
    inputs, results = types[name]
    given = eval(f"dict({arguments})", vars(np).copy())
    sizes = {n: v for n, v in given.items() if n not in inputs}
    given = {n: np.array(given[n], inputs[n]) for n in inputs}
    kind = inputs["x"]
    made = program.run(name, sizes, {n: a.copy() for n, a in given.items()}, dict.fromkeys(results, kind))
    if meaning in program.statuses:
        return "" if made == meaning else f"got {made}"
    want = eval(meaning, {**vars(np), "np": np, **given})
    if isinstance(made, str):
        return f"got {made}"
    for result, array in zip(results, want if isinstance(want, (tuple, list)) else [want]):
        if made[result].shape != array.shape or not np.array_equal(made[result], array):
            return f"{result} is {made[result].tolist()}, expected {array.tolist()}"
    return ""


def main():
    compiler, options = harness.parse_arguments(__doc__, lambda parser: parser.add_argument("file"))
    with open(options.file, encoding="utf-8") as file:
        text = file.read()
    calls, types, wrong = CALL.findall(text), types_of(text), 0
    assert calls and len(calls) == text.count("# CALL")
    for stem, flags in ("object", []), ("c", ["--emit=c"]):
        program = dynamic.Program(compiler, options.file, stem, *flags)
        for call, verdict in harness.isolated(calls, lambda call: difference(program, types, *call)):
            if verdict:
                wrong += 1
                print(f"{stem}: {call[0]}({call[1]}): {verdict}")
    print(f"{len(calls)} calls, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
