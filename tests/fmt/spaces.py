# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gives reshapec fmt texts with other white space between their tokens, and expects the same layout.

    spaces.py RESHAPEC DIR FILE...
"""

import os
import random
import re
import subprocess
import sys

TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|->|\|>|\.\.\.|==|!=|<=|>=|[A-Za-z_0-9]+(?:\.\d+)?|.')


def spaced(line, rng):
    """The tokens of a line with other spaces between them, and newlines inside brackets."""
    code = re.match(r'(?:"(?:\\.|[^"\\])*"|[^#"])*', line).group()
    comment, tokens = line[len(code) :], TOKEN.findall(re.sub(r"\s+(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", " ", code.strip()))
    short = code.startswith("graph") and code.rstrip().endswith("}")
    out, depth = rng.choice(["", " ", "\t"]) if not comment or code.strip() else "", 0
    for before, token in zip([""] + tokens, tokens):
        depth += (token in "([") - (token in ")]")
        if token == " ":
            out += rng.choice([" ", "  ", "\t"])
        elif depth > 0 and before in ("(", "[", ",") and not short and not comment:
            out += rng.choice(["", " ", "\n", "\r\n  "]) + token
        elif before in "([{,=" or token in ")],=;":
            out += rng.choice(["", " "]) + token
        else:
            out += token
    return out + comment


def main():
    compiler, work, *files = sys.argv[1:]
    rng, pairs = random.Random(1), []
    for number, name in enumerate(files):
        with open(name, encoding="utf-8", newline="") as file:
            text = file.read()
        pairs.append([os.path.join(work, f"{number}{kind}.rsh") for kind in "ab"])
        other = "\n".join(spaced(line, rng) for line in text.split("\n"))
        for path, content in zip(pairs[-1], (text, other)):
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(content)
    done = subprocess.run([compiler, "fmt"] + [p for pair in pairs for p in pair], check=False)
    assert done.returncode == 0
    for name, (a, b) in zip(files, pairs):
        with open(a, "rb") as one, open(b, "rb") as other:
            assert one.read() == other.read(), f"{name}: {a} and {b} differ"
    print(f"{len(files)} texts")


main()
