# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the examples in the docstrings of the package."""
import doctest
import importlib
import pkgutil
import sys

import reshapec

results = [doctest.testmod(importlib.import_module(f"reshapec.{module.name}"), optionflags=doctest.ELLIPSIS)
           for module in pkgutil.iter_modules(reshapec.__path__) if module.name not in ("_core", "__main__", "torch")]
results.append(doctest.testmod(reshapec))
print(sum(result.attempted for result in results), "examples")
sys.exit(any(result.failed for result in results) or results[-1].attempted == 0)
