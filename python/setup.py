# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The Makefile has already compiled the extension. This tells setuptools so, and that it is for Python 3.11 and later.
import re

from setuptools import Distribution, setup


class Compiled(Distribution):
    def has_ext_modules(self):
        return True


with open("reshapec.h", encoding="utf-8") as header:
    version = re.search(r'RESHAPEC_VERSION "(.*)"', header.read()).group(1)
setup(version=version, distclass=Compiled, options={"bdist_wheel": {"py_limited_api": "cp311"}})
