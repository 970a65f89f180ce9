#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Debian packages that a program is linked from: linked.py PROGRAM MAP

MAP is the output of the linker's -Map. Prints a sorted line for each package: name, version, and `static` or `shared`.
A file that is not in a package is named by its path, with version `-`.
"""

import os
import re
import subprocess
import sys
import tempfile


def archives(text):
    """The archives with a member in the program, and the objects that are not its own, such as crt1.o."""
    members, _, rest = text.partition("\nDiscarded input sections")
    found = set(re.findall(r"^(/\S+\.a)\(\S+\)", members, re.MULTILINE))
    return found | set(re.findall(r"^LOAD (/\S+\.o)$", rest or text, re.MULTILINE))


def libraries(program):
    """The paths of the shared libraries that the program itself names."""
    dynamic = subprocess.run(["readelf", "-d", program], capture_output=True, text=True, check=True).stdout
    needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic))
    if not needed:
        return set()
    found = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    return {path for name, path in re.findall(r"(\S+) => (/\S+)", found) if name in needed}


def query(*arguments):
    return subprocess.run(["dpkg-query", *arguments], capture_output=True, text=True, check=False).stdout.splitlines()


def owners(paths):
    """Returns {path: package}; a path that is in no package maps to itself. Older systems list /lib, now /usr/lib."""
    names = {}
    for path in sorted(paths):
        real = os.path.realpath(path)
        names[path] = [real, os.path.abspath(path), real.removeprefix("/usr")]
    owner = {}
    for line in query("-S", *{n for of in names.values() for n in of}) if names else []:
        package, _, name = line.partition(": ")
        owner[name] = package.split(", ")[0]
    return {path: next((owner[n] for n in of if n in owner), path) for path, of in names.items()}


def packages(program, map_file):
    """Sorted, distinct (package, version, how); a package that is linked in both ways is listed twice."""
    with open(map_file, encoding="utf-8", errors="replace") as file:
        text = file.read()
    # Temporary objects of the compiler's driver, such as those for a source file in the command, are not third-party.
    how = {path: "static" for path in archives(text) if not path.startswith(tempfile.gettempdir() + os.sep)}
    how.update(dict.fromkeys(libraries(program), "shared"))
    owner = owners(how)
    version = dict(line.split() for line in query("-W", "-f", "${binary:Package} ${Version}\n${Package} ${Version}\n", *set(owner.values())))
    return sorted({(owner[p].split(":")[0], version.get(owner[p], "-"), how[p]) for p in how})


if __name__ == "__main__":
    for line in packages(*sys.argv[1:]):
        print(*line)
