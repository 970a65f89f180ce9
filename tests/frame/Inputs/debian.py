# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""debian.py ROOT TREE [DEBIAN]: checks debian/ against the files in TREE, the version, and the lists of packages."""

import fnmatch
import re
import sys
from pathlib import Path

root, tree = Path(sys.argv[1]), Path(sys.argv[2])
debian = Path(sys.argv[3]) if len(sys.argv) > 3 else root / "debian"
wrong = 0


def complain(text):
    global wrong
    print(text)
    wrong += 1


def lines(path):
    return [line.split()[0] for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def holds(pattern, path):
    """Whether a line of an install list covers the file: it names the file, or a folder above it."""
    parts, wanted = path.split("/"), pattern.split("/")
    return len(parts) >= len(wanted) and all(fnmatch.fnmatchcase(p, w) for p, w in zip(parts, wanted))


lists = {path.stem: lines(path) for path in sorted(debian.glob("*.install"))}
lists["nothing"] = lines(debian / "not-installed")
control = (debian / "control").read_text(encoding="utf-8")
assert set(lists) - {"nothing"} == set(re.findall(r"^Package: (.*)", control, re.MULTILINE)), lists

counts = dict.fromkeys(lists, 0)
for path in sorted(str(p.relative_to(tree)) for p in tree.rglob("*") if not p.is_dir() or p.is_symlink()):
    of = [package for package, patterns in lists.items() for pattern in patterns if holds(pattern, path)]
    if len(of) != 1:
        complain(f"{path}: in {', '.join(of) or 'no package'}")
    for package in of:
        counts[package] += 1
for package, count in counts.items():
    print(f"{package}: {count} files")
    if count == 0 and package != "python3-reshapec":  # of `make python`
        complain(f"{package}: no file is installed for it")

version = re.search(r'RESHAPEC_VERSION "(.*)"', (root / "include/reshapec.h").read_text(encoding="utf-8"))[1]
changes = (debian / "changelog").read_text(encoding="utf-8")
if not changes.startswith(f"reshapec ({version}) "):
    complain(f"debian/changelog begins with another version than {version}")

needs = re.search(r"^Build-Depends:\n((?: .*\n)+)", control, re.MULTILINE)[1]
needs = [re.sub(r" \(.*\)", "", need.strip(" ,")) for need in needs.splitlines()]
known = {line.split("#")[0].strip() for name in ("packages.apt", "packages-debian.apt")
         for line in (root / name).read_text(encoding="utf-8").splitlines()}
for need in needs:
    if need.replace("debhelper-compat", "debhelper") not in known:
        complain(f"{need} is in Build-Depends, but not in packages.apt or packages-debian.apt")
print(f"version {version}, {len(needs)} packages to build with")
sys.exit(wrong > 0)
