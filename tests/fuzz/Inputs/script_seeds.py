# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""script_seeds.py FOLDER FILE ...: the scripts of tests: files of statements, and the texts of run -e."""
import os
import re
import sys

FOLDER, FILES = sys.argv[1], sys.argv[2:]
os.makedirs(FOLDER, exist_ok=True)
texts = []
for path in FILES:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    texts += re.findall(r"run -e '([^'\n]+)'", text)
    texts += [text] if path.endswith(".rsh") else re.findall(r"^#--- .*\.rsh\n(.*?)(?=^#---|\Z)", text, re.M | re.S)
texts += ['x = range(6)\nprint(x)\nfor i in x { print(i * 2) }\n', "a, b = [1, 2]\nassert a < b\n", "y = [[1, 2], [3]]\n",
          'x = reshape(load("x.npy"), [2, -1])\nsave(x, "y.npy")\n']  # fmt: skip
for number, text in enumerate(texts):
    for end in ("", "\n"):  # an odd length is typed, an even one is run
        with open(os.path.join(FOLDER, f"{number}{'n' if end else ''}"), "w", encoding="utf-8") as seed:
            seed.write(text + end)
