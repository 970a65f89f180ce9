# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the examples of the language reference, and that it names every operator.

    language_examples.py RESHAPEC language.md
"""

import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
from operators import names  # noqa: E402

reshapec, path = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    page = file.read()

wrong = 0
examples = list(re.finditer(r"^```rsh\n(.*?)^```$", page, re.MULTILINE | re.DOTALL))
for example in examples:
    done = subprocess.run([reshapec, "check", "-"], input=example[1], capture_output=True, text=True)
    if done.returncode or done.stderr:
        line = page.count("\n", 0, example.start()) + 1
        print(f"{path}:{line}: example ends with {done.returncode}:\n{done.stderr}")
        wrong += 1

operators = names(reshapec)
for name in operators:
    if f"| `{name}(" not in page:
        print(f"{path}: no row for the operator {name}")
        wrong += 1

print(f"{len(examples)} examples, {len(operators)} operators, {wrong} faults")
sys.exit(wrong > 0 or not examples or not operators)
