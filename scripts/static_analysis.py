#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the findings of static analyzers: a finding without a deviation is an error, and so is the reverse.

    static_analysis.py --deviations scripts/deviations.txt [--part] FOUND ...

FOUND are the outputs of gcc, clang-tidy and cppcheck, `FILE:LINE:COLUMN: warning: TEXT [CHECK]`. With --part, not all
checkers and files were run, so a deviation may have no finding.
"""

import argparse
import fnmatch
import functools
import os
import re
import sys

FINDING = re.compile(r"^(\S+?):(\d+):(\d+): (?:warning|error|style|performance|portability): .* \[(?:-W)?([\w.-]+)[^]]*\]$")
ANYWHERE = "*"


@functools.lru_cache
def lines_of(file):
    with open(file, encoding="utf-8") as source:
        return source.read().split("\n")


class Deviation:
    def __init__(self, number, line):
        fields = [field.strip() for field in line.split(" | ")]
        if len(fields) != 4 or not all(fields):
            sys.exit(f"error: line {number} of the deviations is not 'CHECK | FILE | PART OF THE LINE | REASON'")
        self.number, (self.check, self.file, self.text, _), self.count = number, fields, 0
        if self.file != ANYWHERE and not os.path.exists(self.file):
            sys.exit(f"error: line {number} of the deviations: there is no '{self.file}'")
        if self.file != ANYWHERE and self.text != ANYWHERE and not any(self.text in line for line in lines_of(self.file)):
            sys.exit(f"error: line {number} of the deviations: no line of {self.file} has '{self.text}'")

    def allows(self, check, file, text):
        allowed = fnmatch.fnmatchcase(check, self.check) and self.file in (ANYWHERE, file) and (self.text == ANYWHERE or self.text in text)
        self.count += allowed
        return allowed


def text_of(file, number):
    lines = lines_of(file)
    return lines[number - 1] if 0 < number <= len(lines) else ""


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--deviations", required=True)
    options.add_argument("--part", action="store_true")
    options.add_argument("found", nargs="+")
    options = options.parse_args()
    with open(options.deviations, encoding="utf-8") as file:
        rows = [Deviation(n, line) for n, line in enumerate(file, 1) if line.strip() and not line.startswith("#")]
    seen, wrong = set(), 0
    for path in options.found:
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = file.read().split("\n")
        for line in lines:
            match = FINDING.match(line)
            if not match or line in seen:
                continue
            seen.add(line)
            file, number, _, check = match.groups()
            file = os.path.relpath(file)
            if not any([row.allows(check, file, text_of(file, int(number))) for row in rows]):
                print(line)
                wrong += 1
    unused = [] if options.part else [row for row in rows if not row.count]
    for row in unused:
        print(f"{options.deviations}:{row.number}: error: nothing is found any more of {row.check} in {row.file}: remove the line")
    print(f"{len(options.found)} outputs, {len(seen)} findings, {len(rows)} deviations, {wrong + len(unused)} errors")
    sys.exit(1 if wrong or unused else 0)


main()
