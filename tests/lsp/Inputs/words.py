# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The element types and constants that editors color are those that the server completes: words.py RESHAPEC ROOT."""

import json
import re
import subprocess
import sys

reshapec, root = sys.argv[1:]


def frame(**message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


place = {"textDocument": {"uri": "a:b"}, "position": {"line": 0, "character": 29}}
opened = {"textDocument": {"uri": "a:b", "version": 1, "text": "graph g(x: u8[2]) -> y { y = x }"}}
sent = (frame(id=1, method="initialize", params={"capabilities": {}}) + frame(method="textDocument/didOpen", params=opened)
        + frame(id=2, method="textDocument/completion", params=place) + frame(id=3, method="shutdown") + frame(method="exit"))
out = subprocess.run([reshapec, "lsp"], input=sent, check=True, capture_output=True).stdout
items = next(m for m in map(json.loads, re.findall(rb"\r\n\r\n(\{.*?\})(?=Content-Length|\Z)", out)) if m.get("id") == 2)["result"]["items"]
types = {item["label"] for item in items if item["kind"] == 25}
constants = {item["label"] for item in items if item["kind"] == 14} - {"view"}


def read(path):
    with open(f"{root}/editors/{path}", encoding="utf-8") as file:
        return file.read()


def words(text):
    return set(re.findall(r"[A-Za-z][A-Za-z_0-9]*", text))


grammar = json.loads(read("vscode/syntaxes/rsh.tmLanguage.json"))
pattern = re.compile(grammar["repository"]["type"]["match"])
known = words(read("../grammar/language.md")) | types
assert {word for word in known if pattern.fullmatch(word)} == types
vim = re.findall(r"syntax keyword (rshType|rshConstant) (.*)", read("vim/syntax/rsh.vim"))
assert {word for kind, line in vim if kind == "rshType" for word in line.split()} == types
emacs = read("emacs/rsh-mode.el")
assert words(re.search(r"defconst rsh-types\s+'\((.*?)\)", emacs, re.S).group(1)) == types
for text in (next(line for kind, line in vim if kind == "rshConstant"), re.search(r"defconst rsh-constants '\((.*?)\)", emacs).group(1)):
    assert words(text) >= constants, constants
print(len(types), "types")
