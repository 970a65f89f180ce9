#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which packages of Debian a program is linked from: linked.py PROGRAM MAP

MAP is what the linker wrote with -Map. Prints a line for each package, sorted: name, version, and how, `static` or `shared`.
A file that no package has is named by its path, with version `-`.
"""

import os
import re
import subprocess
import sys
import tempfile


def archives(text):
    """The archives of which the program has a member, and the objects beside its own: crt1.o and the like."""
    members, _, rest = text.partition("\nDiscarded input sections")
    found = set(re.findall(r"^(/\S+\.a)\(\S+\)", members, re.MULTILINE))
    return found | set(re.findall(r"^LOAD (/\S+\.o)$", rest or text, re.MULTILINE))


def libraries(program):
    """The shared libraries that the program names itself, by path."""
    dynamic = subprocess.run(["readelf", "-d", program], capture_output=True, text=True, check=True).stdout
    needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic))
    if not needed:
        return set()
    found = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    return {path for name, path in re.findall(r"(\S+) => (/\S+)", found) if name in needed}


def query(*arguments):
    return subprocess.run(["dpkg-query", *arguments], capture_output=True, text=True, check=False).stdout.splitlines()


def owners(paths):
    """{path: package}; a path that no package has is its own. Older systems list /lib, which now is /usr/lib."""
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
    """Sorted (package, version, how), each once; what is linked in both ways is there twice."""
    with open(map_file, encoding="utf-8", errors="replace") as file:
        text = file.read()
    # Objects of the compiler's driver, such as what it made of a file in the command, are not of others.
    how = {path: "static" for path in archives(text) if not path.startswith(tempfile.gettempdir() + os.sep)}
    how.update(dict.fromkeys(libraries(program), "shared"))
    owner = owners(how)
    version = dict(line.split() for line in query("-W", "-f", "${binary:Package} ${Version}\n${Package} ${Version}\n", *set(owner.values())))
    return sorted({(owner[p].split(":")[0], version.get(owner[p], "-"), how[p]) for p in how})


if __name__ == "__main__":
    for line in packages(*sys.argv[1:]):
        print(*line)
