# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The TextMate grammar on all texts of the tree, against a scanner written here from grammar/language.md.

textmate.py GRAMMAR ROOT: for each character of each file, the grammar's classification is right.
The engine does what TextMate's does with one line after another: of all patterns the one that begins first, and of those the
first; begin and end keep a state from line to line. Expressions are those of Oniguruma, as in VS Code."""

import json
import os
import pathlib
import re
import sys

import onigurumacffi

GRAMMAR = json.load(open(sys.argv[1], encoding="utf-8"))
ROOT = sys.argv[2]

# ---- the engine


def compiled(pattern, cache={}):
    if pattern not in cache:
        cache[pattern] = onigurumacffi.compile(pattern)
    return cache[pattern]


def rules(patterns):
    """Yields rules, with the included ones in place of their includes."""
    for rule in patterns:
        if "include" in rule:
            part = GRAMMAR["repository"][rule["include"][1:]]
            yield from rules([part] if "match" in part or "begin" in part else part["patterns"])
        else:
            yield rule


def paint(scopes, begin, end, name):
    for i in range(begin, end):
        scopes[i] = scopes[i] + [name] if name else scopes[i]


def tokenize(text):
    """Returns the scopes of each character."""
    stack, result = [], []
    for line in text.splitlines(keepends=True) if text else []:
        scopes, at = [[] for _ in line], 0
        outer = [rule.get("name") for rule in stack]
        while True:
            here = stack[-1]["patterns"] if stack else GRAMMAR["patterns"]
            found = []
            if stack:
                found.append((compiled(stack[-1]["end"]).search(line, at), None))
            found += [(compiled(rule.get("match") or rule["begin"]).search(line, at), rule) for rule in rules(here)]
            found = [(m, rule) for m, rule in found if m]
            first = min((m.start() for m, _ in found), default=len(line))
            for i in range(at, first):
                scopes[i] = [name for name in outer if name]
            if not found:
                break
            match, rule = next((m, rule) for m, rule in found if m.start() == first)
            names = list(outer)
            if rule is not None:
                names.append(rule.get("name"))
            for i in range(match.start(), match.end()):
                scopes[i] = [name for name in names if name]
            for number, capture in {**(rule or {}).get("captures", {}), **(rule or {}).get("beginCaptures", {})}.items():
                if match.start(int(number)) >= 0:
                    paint(scopes, *match.span(int(number)), capture["name"])
            if rule is None:
                stack.pop()
                outer.pop()
            elif "begin" in rule:
                stack.append(rule)
                outer.append(rule.get("name"))
            at = match.end()
            if match.start() == match.end() and (rule is not None or at >= len(line)):
                if at >= len(line):
                    break
                at += 1
        result += scopes
    return result


# ---- what a text is: "Text" of grammar/language.md

TYPES = ("i2 i4 i8 i16 i32 i64 u1 u2 u4 u8 u16 u32 u64 f16 bf16 f32 f64 f8e4m3fn f8e4m3fnuz f8e5m2 f8e5m2fnuz f8e8m0 f4e2m1 "
         "bool c64 c128 string").split()
CONSTANTS = "true false True False None inf nan newaxis".split()
LOOP = re.compile(r"for[ \t]+[A-Za-z_][A-Za-z_0-9]*[ \t]+in\b")
OF_LOOP = re.compile(r"\bfor[ \t]+[A-Za-z_][A-Za-z_0-9]*[ \t]+\Z")
TOKEN = re.compile(r'(?P<comment>#[^\n]*)|(?P<string>"(?:\\.|[^"\\\n])*(?:"|(?=\n)|\Z))'
                   r"|(?P<number>[0-9]+(?:\.[0-9]+(?:[eE][-+]?[0-9]+)?|[eE][-+]?[0-9]+)\b|[0-9]+(?:_[0-9]+)*\b)"
                   r"|(?P<word>[A-Za-z_][A-Za-z_0-9]*)|(?P<sign>\|>|->|\.\.\.|==|!=|<=|>=|//|<<|>>|[^\s])")


def is_call(tokens, i, text):
    """name (  and  name . name (  from its first name on, in one line"""
    first = i
    while i + 2 < len(tokens) and tokens[i + 1][1] == "." and tokens[i + 2][0] == "word":
        i += 2
    return i + 1 < len(tokens) and tokens[i + 1][1] == "(" and "\n" not in text[tokens[first][2]:tokens[i + 1][2]]


def expected(text):
    """Yields (begin, end, kind) for comments, strings, numbers and words."""
    found = [(m.lastgroup, m.group(), m.start(), m.end()) for m in TOKEN.finditer(text)]
    for kind, _, begin, end in found:
        if kind == "comment":
            yield begin, end, "comment"
    tokens = [one for one in found if one[0] != "comment"]
    where = "file"

    def on_line(one, begin, end):
        return one if text.count("\n", begin, end) == 0 else ("", "", 0, 0)

    for i, (kind, word, begin, end) in enumerate(tokens):
        # The grammar sees one line: a word whose meaning depends on another line is a name.
        before, after = ("", "", 0, 0), ("", "", 0, 0)
        if i > 0:
            before = on_line(tokens[i - 1], tokens[i - 1][3], begin)
        if i + 1 < len(tokens):
            after = on_line(tokens[i + 1], end, tokens[i + 1][2])
        if kind in ("string", "number"):
            yield begin, end, kind
        if word == "graph":
            where = "header"
        elif word == "{":
            where = "body"
        elif word == "}":
            where = "file"
        if kind != "word":
            continue
        if word == "graph":
            yield begin, end, "keyword"
        elif word == "where" and where == "header":
            yield begin, end, "keyword"
        elif where == "header" and before[1] == "graph":
            yield begin, end, "graph"
        elif where == "header":
            ends_type = before[0] in ("word", "string", "number") or before[1] in ("]",)
            modifier = (word in ("view", "inplace") and after[0] == "word"
                        or ends_type and (word in ("lod", "placed") or word == "layout" and after[0] == "string"
                                          or word == "strides" and after[1] == "[" or word == "align" and after[0] == "number"))
            if word in TYPES and before[1] != ":" and after[1] != ":":
                continue  # a mistake, or a size of that name
            yield begin, end, ("modifier" if modifier else "in" if word == "in" and ends_type and after[1] == "[" else
                               "type" if word in TYPES and before[1] == ":" else
                               "parameter" if after[1] == ":" else "name")
        elif word == "for" and LOOP.match(text, begin) or word == "in" and OF_LOOP.search(text[:begin]):
            yield begin, end, "keyword"
        elif word == "import" and where == "file" and after[0] == "string":
            yield begin, end, "import"
        elif word == "view" and after[0] == "word":
            yield begin, end, "modifier"
        elif is_call(tokens, i, text):
            yield begin, end, "call"
        elif before[1] == ".":
            continue  # of a call, or a mistake
        else:
            yield begin, end, "constant" if word in CONSTANTS else "type" if word in TYPES else "name"


SCOPES = {
    "comment": "comment.line", "string": "string.quoted", "number": "constant.numeric", "keyword": "keyword.", "graph": "entity.name.function.graph",
    "modifier": "storage.modifier", "in": "keyword.operator.in", "type": "support.type", "parameter": "variable.parameter", "import": "keyword.control.import",
    "call": "entity.name.function.call", "constant": "constant.language",
}
NAMED = tuple(prefix for kind, prefix in SCOPES.items() if kind not in ("comment", "string", "number"))
seen, wrong = {kind: 0 for kind in [*SCOPES, "name"]}, 0
files = sorted(str(path.relative_to(ROOT)) for folder in ("bench", "examples", "tests") for path in pathlib.Path(ROOT, folder).rglob("*.rsh"))
for path in files:
    with open(os.path.join(ROOT, path), "rb") as file:
        text = file.read().decode(errors="replace").replace("\r", " ")
    text = re.sub("[\v\f\x1c-\x1e\x85\u2028\u2029]", " ", text)  # only Python treats these as line ends
    scopes = tokenize(text)
    assert len(scopes) == len(text)
    for begin, end, kind in expected(text):
        seen[kind] += 1
        names = [" ".join(scopes[i]) for i in range(begin, end)]
        is_good = (all(SCOPES[kind] in one for one in names) if kind in SCOPES
                   else not any(prefix in one for one in names for prefix in NAMED))
        if not is_good:
            wrong += 1
            if wrong <= 20:
                line = text.count("\n", 0, begin) + 1
                print(f"{path}:{line}: {text[begin:end]!r} is {kind}, the grammar says {sorted(set(names))}")
print(f"{len(files)} files, {wrong} wrong")
print(" ".join(f"{kind} {count}" for kind, count in seen.items()))
sys.exit(wrong > 0 or min(seen.values()) == 0)
