# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""coverage.py statuses|ops ROOT: succeeds if each row of that table has its test.

A status NAME is provoked by tests/statuses/NAME.rsh, which expects it by name; or, if no text can, by a unit test with
the words `status: NAME`. An operator NAME is shown in tests/ops/NAME.rsh, which calls it. A test without a row is
reported as well.
"""

import os
import re
import sys

TABLES = {
    "statuses": ("runtime/statuses.def", r"^RSH_STATUS\((\w+),"),
    "ops": ("runtime/ops.def", r'^RSH_OP\(\w+, *"([\w.]+)"'),
}
BESIDES = {"ok", "rearrange"}  # ok is no error; rearrange is made of other operators


def text(path):
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


def main():
    kind, root = sys.argv[1:]
    table, row = TABLES[kind]
    names = re.findall(row, text(os.path.join(root, table)), re.MULTILINE)
    folder = os.path.join(root, "tests", kind)
    unit = os.path.join(root, "tests", "unit")
    units = "".join(text(os.path.join(unit, f)) for f in os.listdir(unit) if f.endswith(".c"))
    missing = []
    for name in set(names) - BESIDES:
        test = text(os.path.join(folder, name + ".rsh"))
        if kind == "ops":
            shown = f" {name}(" in test
        else:
            shown = f'"kind": "{name}"' in test or re.search(rf"status: {name}\b", units)
        if not shown:
            missing.append(name)
    tests = {f[:-4] for f in os.listdir(folder) if f.endswith(".rsh")}
    for name in sorted(missing):
        print(f"{table}: {name} has no test")
    for name in sorted(tests - set(names) - BESIDES):
        print(f"tests/{kind}/{name}.rsh: {table} has no such row")
    sys.exit(1 if missing or tests - set(names) - BESIDES or len(names) < 10 else 0)


main()
