# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the examples of pages, `>>>` in fences of Python, each page in one session: page.py PAGE..."""
import doctest
import re
import sys

failed = tried = 0
for page in sys.argv[1:]:
    with open(page, encoding="utf-8") as file:
        text = "\n".join(re.findall(r"^```python\n(.*?)^```$", file.read(), re.M | re.S))
    test = doctest.DocTestParser().get_doctest(text, {}, page, page, 0)
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    failed, tried = failed + result.failed, tried + result.attempted
print(f"{tried} examples")
sys.exit(failed > 0 or tried == 0)
