# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the manual page with the compiler's help: man.py RESHAPEC PAGE. Prints what the page lacks."""
import re
import subprocess
import sys

reshapec, path = sys.argv[1:]
with open(path) as file:
    page = file.read().replace("\\-", "-")
# "reshapec explain FILE --json --svg": without the macros and marks of fonts.
synopsis = re.sub(r"(?m)^\.[BRI]+ |[][\"|]|\\fR|\\fI|\\&", " ", page[page.index(".SH SYNOPSIS"):page.index(".SH DESCRIPTION")])
usages = [set(re.findall(r"--[a-z-]+", usage)) | set(usage.split()[:2]) for usage in synopsis.split(".br")]


def help_of(*command):
    return subprocess.run([reshapec, "help", *command], check=True, capture_output=True, text=True).stdout


for name in re.findall(r"(?m)^ +reshapec ([a-z-]+) ", help_of()):
    text = help_of(name)
    usage = text[text.index("\nusage:"):text.index("\noptions:")]
    shown = set().union(*(words for words in usages if name in words))
    for option in sorted(set(re.findall(r"--[a-z-]+", usage)) - shown):
        print(f"synopsis of {name}: {option}")
options = set()
for name in ("", *re.findall(r"(?m)^ +reshapec ([a-z-]+) ", help_of())):
    options |= set(re.findall(r"(?m)^  (-[-a-zA-Z]+)", help_of(*name.split())))
for option in sorted(options):
    if not re.search(rf"{option}\b", page):
        print(f"options: {option}")
