# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The output of `reshapec --list-ops`, as data.

    operators.py RESHAPEC    prints the name of each operator
"""

import subprocess
import sys

COLUMNS = ("operator", "tensors", "arguments", "meaning")


def rows(reshapec):
    """Returns (name, tensors, arguments, meaning) of each operator. Lines without a name continue a row."""
    listed = subprocess.run([reshapec, "--list-ops"], capture_output=True, text=True, check=True).stdout
    head, *lines = listed.split("\n\n")[0].splitlines()
    starts = [head.index(word) for word in COLUMNS]
    found = []
    for line in lines:
        cells = [line[a:b].strip() for a, b in zip(starts, [*starts[1:], None])]
        if cells[0]:
            found.append(cells)
        else:
            found[-1] = [f"{old} {new}".strip() for old, new in zip(found[-1], cells)]
    return [tuple(row) for row in found]


def names(reshapec):
    return [row[0] for row in rows(reshapec)]


if __name__ == "__main__":
    print("\n".join(names(sys.argv[1])))
