#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes docs/errors.md from the compiler's descriptions of its errors.

    errors_page.py RESHAPEC PAGE            fails if PAGE is out of date, or an example does not have its error
    errors_page.py RESHAPEC PAGE --write    writes PAGE
"""

import json
import subprocess
import sys

HEAD = """<!-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception -->
<!-- Made from driver/base/errors.def by `make errors-page`. -->
# Errors

Every error has a name. Functions return it as an `rsh_status` (`RSH_volume_mismatch`), `reshapec check --json` and `--sarif` print
it as the kind or rule of a message, and `reshapec explain-error NAME` prints its section of this page.

- A function that returns anything but `RSH_ok` has written nothing.
- The compiler reports all independent errors in a file, writes no file, and ends with exit status 1. Exit status 2
  means an invalid command line, and 3 a bug in the compiler.
- If a reshape has several errors, the first in the order of this page is reported.
"""
STATUSES = "\n## Statuses\n\nFunctions return these, and the compiler reports them for sizes that it knows.\n"
KINDS = "\n## Errors of the compiler only\n"

reshapec, page, *write = sys.argv[1:]
faults = []


def check(text, name):
    """Returns (kinds, messages) for a text."""
    done = subprocess.run([reshapec, "check", "--json", "-"], input=text, capture_output=True, text=True, check=False)
    found = [d for d in json.loads(done.stdout)["diagnostics"] if d["severity"] != "note"]
    return [d["kind"] for d in found], [f"{d['severity']}: {d['message']}" for d in found]


def section(error):
    name, lines = error["name"], [f"\n### `{error['name']}`\n\n*{error['summary']}*\n\n{error['meaning']}\n"]
    if error["wrong"]:
        kinds, messages = check(error["wrong"], name)
        if kinds != [name]:
            faults.append(f"{name}: the wrong example has {kinds}")
        lines.append(f"\n```rsh\n{error['wrong']}```\n\n```text\n" + "\n".join(messages) + "\n```\n")
    if error["remedy"]:
        lines.append(f"\n{error['remedy']}\n")
    if error["right"]:
        kinds, messages = check(error["right"], name)
        if kinds:
            faults.append(f"{name}: the right example has {messages}")
        lines.append(f"\n```rsh\n{error['right']}```\n")
    return "".join(lines)


listed = subprocess.run([reshapec, "explain-error", "--json"], capture_output=True, text=True, check=True).stdout
errors = json.loads(listed)["errors"]
statuses = subprocess.run([reshapec, "--list-statuses"], capture_output=True, text=True, check=True).stdout
count = len(statuses.splitlines())
made = HEAD + STATUSES + "".join(map(section, errors[:count])) + KINDS + "".join(map(section, errors[count:]))
if [e["name"] for e in errors[:count]] != [line.split()[0] for line in statuses.splitlines()]:
    faults.append("the statuses are not in the order of runtime/statuses.def")
if write:
    with open(page, "w", encoding="utf-8") as out:
        out.write(made)
with open(page, encoding="utf-8") as file:
    if file.read() != made:
        faults.append(f"{page} is not what 'make errors-page' writes")
print(*faults, f"{len(errors)} errors, {len(faults)} faults", sep="\n")
sys.exit(bool(faults))
