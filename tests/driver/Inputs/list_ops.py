# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""list_ops.py ROOT RESHAPEC: checks that the rows of --list-ops match the tables of operators, word for word."""

import os
import re
import sys

root, reshapec = sys.argv[1:]
sys.path.insert(0, os.path.join(root, "tests", "support"))
from operators import rows  # noqa: E402

STRING = r'"((?:[^"\\]|\\.)*)"'


def table(name, macro, arguments, summary):
    """Yields (name, arguments, meaning) for each row. `arguments` and `summary` are indices of a row's strings."""
    with open(os.path.join(root, "runtime", name), encoding="utf-8") as file:
        for row in re.findall(rf"^{macro}\((.*)\)$", file.read(), re.MULTILINE):
            strings = [s.replace('\\"', '"') for s in re.findall(STRING, row)]
            yield strings[0], strings[arguments] if arguments else "", strings[summary]


wanted = [
    *table("ops.def", "RSH_OP", 1, -1),
    *table("activations.def", "RSH_ACTIVATION", 0, -1),
    *table("arithmetic.def", "RSH_ARITHMETIC", 1, -1),
]
listed = [(name, arguments, meaning) for name, _, arguments, meaning in rows(reshapec)]
assert sorted(listed[1:]) == sorted(wanted), set(listed[1:]) ^ set(wanted)
assert len(listed) > 100
print(len(listed))
