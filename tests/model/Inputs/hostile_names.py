#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that names in a model never become code, with one table of names, in all outputs.

    hostile_names.py RESHAPEC CC CXX FOLDER

Each name is used for a model's graph, tensors, sizes, nodes and file. C and C++ compile the outputs, after all standard
headers and with trigraphs; make reads the rules; JSON, SARIF, SVG and HTML can be parsed, and JSON contains the name as
text.
"""
import json
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

from onnx import TensorProto, helper, save

NAMES = [
    # words of C and C++, macros of common headers, functions of the library
    *"int restrict class template co_await and I unix linux errno NULL main complex assert stdin INT64_MAX".split(),
    *"memcpy uint8_t size_t rsh_status _Bool __x _ __LINE__ __func__ alias i n x y s EOF signbit offsetof".split(),
    # words of the language
    *"graph where in view inplace layout strides align placed lod import for newaxis None true False inf f32 string".split(),
    # ends of comments, of lines and of texts
    "*/ POISON /*", "*/", "/*", "//", "a\\", "a\\\nPOISON", "a\nPOISON", "a\r\nPOISON", "??/\nPOISON", "??/", "a*??/\n/POISON",
    '"; POISON; "', "'", "\"", "`POISON`", "$(POISON)", "%s%n%d", "\\\"", "\\n", "\\u000aPOISON", "#error POISON",
    "\n#error POISON\n", "_Pragma(\"POISON\")", "@POISON", "a,b", "a;b", "{POISON}", "}POISON{", "<POISON", "&POISON;",
    "]]>POISON", "<!--", "--><POISON/>", "</text><script>POISON</script>", "<?POISON?>", "' onload='POISON", "&#0;",
    # invisible characters, and those that reorder or hide others
    "\t", "\x01", "\x07\x1b[31mPOISON", "\x7f", "\x0b", "a\u202ePOISON\u202c", "\u2066POISON\u2069", "\u200b", "\ufeff",
    "\u2028POISON", "\u0085POISON", "\ufffe", "\U0001f600", "e\u0301", "caf\u00e9", "\u4e2d\u6587", "\u0130", "\xad",
    # empty and long names, and names that look like something else
    "", " ", ".", "..", "-", "-o", "--help", "0", "3d", "-1", "nan", "a b", "a/b", "../a", "C:\\a", "a.b:0", "x" * 3000,
    "x" * 250 + "*/", "y_dims", "g_Y_BYTES", "\u00df" * 200,
]  # fmt: skip
WORDS = NAMES.index("*/ POISON /*")  # names before it differ as identifiers
HEADERS = "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg " \
          "stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype".split()
CXX = ["cassert", "cerrno", "cmath", "cstdint", "cstdio", "cstring", "complex", "vector", "string", "algorithm"]


def model(path, name):
    def value(what, dims):
        return helper.make_tensor_value_info(what, TensorProto.FLOAT, dims)

    nodes = [
        helper.make_node("Transpose", [name or "x"], [name + "t"], name=name, perm=[0, 2, 1]),
        helper.make_node("Reshape", [name + "t", name + "c"], [name + "y"], name=name),
        helper.make_node("Sin", [name + "t"], [name + "u"], name=name + "2"),
        helper.make_node("Transpose", [name + "u"], [name + "z"], name=name + "3", perm=[1, 2, 0]),
    ]
    constant = helper.make_tensor(name + "c", TensorProto.INT64, [2], [0, -1])
    graph = helper.make_graph(
        nodes, name, [value(name or "x", [name or "N", 3, 4])],
        [value(name + "y", [name or "N", 12]), value(name + "z", None)], [constant], doc_string=name)  # fmt: skip
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], producer_name=name, doc_string=name)
    made.ir_version = 8
    save(made, path)


def file_name(name):
    """Returns the name, or a similar one that a file can have."""
    return name.replace("/", "|").encode()[:200].decode(errors="ignore") + ".onnx"


class Trial:
    def __init__(self, reshapec, folder):
        self.reshapec, self.folder = reshapec, folder

    def run(self, *command, good=0):
        done = subprocess.run(command, cwd=self.folder, capture_output=True, timeout=120, check=False)
        assert done.returncode == good, (command, done.returncode, done.stderr.decode(errors="replace")[:2000])
        return done.stdout

    def make(self, rule, target):
        """Checks that make reads the rule and that all files on which its target depends exist."""
        printed = self.run("make", "-rR", "-f", rule, target).decode(errors="replace")
        assert printed.endswith("is up to date.\n") or printed.startswith("make: Nothing"), printed

    def json(self, text, *names):
        def strings(value):
            if isinstance(value, dict):
                for key, inner in value.items():
                    yield key
                    yield from strings(inner)
            elif isinstance(value, list):
                for inner in value:
                    yield from strings(inner)
            elif isinstance(value, str):
                yield value

        found = set(strings(json.loads(text)))
        for name in names:
            assert any(name in text for text in found), (name, sorted(found)[:40])

    def xml(self, text):
        root = xml.fromstring(text)
        tags = {e.tag.split("}")[-1] for e in root.iter()}
        assert not tags & {"POISON", "script"} and all(not k.startswith("on") for e in root.iter() for k in e.attrib)


def check(t, name, number):
    path = file_name(name)
    model(t.folder / path, name)
    at = f"./{path}"  # a name may begin with -
    n = f"n{number}"
    options = ["-fno-verify"] + ([] if number < WORDS else [f"--prefix={n}_"])  # others may be equal identifiers
    t.run(t.reshapec, at, "-o", f"{n}.o", "--header", f"{n}.h", "-g", *options)
    can_be_ruled = not set(path) & set(";|=*?[%~&\n\r")
    t.run(t.reshapec, at, "-o", "d.o", "-MD", "-MP", *options, good=0 if can_be_ruled else 1)
    assert can_be_ruled == (t.folder / "d.d").exists()
    if can_be_ruled:
        t.make("d.d", "d.o")
        (t.folder / "d.d").unlink()
    t.run(t.reshapec, at, "-o", f"{n}.c", "--header", f"{n}c.h", "--emit=c", "--parallel", *options)
    t.json(t.run(t.reshapec, "explain", at, "--json"), name)
    t.json(t.run(t.reshapec, "check", at, "--json"))
    t.json(t.run(t.reshapec, "check", at, "--sarif"))
    t.xml(t.run(t.reshapec, "explain", at, "--svg"))
    t.xml(t.run(t.reshapec, "chains", at, "--html"))
    t.json(t.run(t.reshapec, "chains", at, "--json"), name)
    t.run(t.reshapec, "chains", at, "-o", "chains.o", "--header", f"{n}ch.h", f"--prefix={n}_", "-fno-verify")
    t.json((t.folder / "chains.json").read_bytes(), name)
    t.run(t.reshapec, "optimize", at, "-o", "new.onnx")
    (t.folder / "again.rsh").write_bytes(t.run(t.reshapec, at, "--emit=rsh", "-o", "-"))
    t.run(t.reshapec, "check", "again.rsh")


def compile_all(t, cc, cxx):
    """Compiles the outputs for all names."""
    numbers = range(len(NAMES))
    flags = ["-Wall", "-Wextra", "-Werror", "-pedantic", "-Wno-trigraphs", "-Wno-unused-function", "-fsyntax-only"]
    lines = [f"#include <{h}.h>" for h in HEADERS]
    (t.folder / "standard.h").write_text("\n".join(lines) + "\n")
    t.run(*cc, "-std=c11", *flags, "-include", "standard.h", *(f"n{n}.c" for n in numbers))
    lines = [f"#include <{h}>" for h in CXX] + [f'#include "n{n}.h"\n#include "n{n}ch.h"' for n in numbers]
    (t.folder / "use.cc").write_text("\n".join(lines) + "\n")
    t.run(*cxx, "-std=c++17", *flags, "use.cc")


def main():
    reshapec, cc, cxx, folder = sys.argv[1], sys.argv[2].split(), sys.argv[3].split(), Path(sys.argv[4]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    trial, failed = Trial(reshapec, folder), 0
    for number, name in enumerate(NAMES):
        try:
            check(trial, name, number)
        except AssertionError as error:
            failed += 1
            print(f"{name[:60]!r}: {str(error)[:1500]}", flush=True)
    compile_all(trial, cc, cxx)
    print(f"{len(NAMES)} names, {failed} failed")
    sys.exit(failed > 0)


main()
