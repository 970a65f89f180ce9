# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs.py RESHAPEC DIR FILE...: the layout of the examples in pages."""

import os
import re
import subprocess
import sys

compiler, work, *pages = sys.argv[1:]
examples = []
for page in pages:
    with open(page, encoding="utf-8") as file:
        found = re.findall(r"^```rsh[^\n]*\n(.*?)^```", file.read(), re.DOTALL | re.MULTILINE)
    for text in found:
        if "graph layout_of_text" not in text:
            examples.append(os.path.join(work, f"{os.path.basename(page)}-{len(examples)}.rsh"))
            with open(examples[-1], "w", encoding="utf-8") as file:
                file.write(text)
done = subprocess.run([compiler, "fmt", "--check", *examples], capture_output=True, text=True, check=False)
print(done.stdout)
assert not done.stdout, "these are not in their layout"
print(len(examples), "examples")
