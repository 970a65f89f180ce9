# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Commands for fault injection, with the files that they read and write, and the files that each must leave."""

import argparse
import io
import json
import os
import re
import shutil
import subprocess
import sys

import numpy as np
from onnx import parser


def arguments():
    """Returns the argument parser of the scripts that inject faults into all commands."""
    options = argparse.ArgumentParser()
    options.add_argument("reshapec")
    options.add_argument("fault")
    options.add_argument("folder")
    options.add_argument("--share", type=int)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only")
    options.add_argument("--all-findings", action="store_true")
    return options


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


OPEN = b"""graph f(x: f32[N, 4, 6]) -> (y, z) where N > 1 {
  a = transpose(x, [2, 0, 1])
  y = reshape(a, [6, -1]) |> mul(2.0)
  z = concat(x[0:1], x[1:2], axis=1)
}
"""
MODEL = parser.parse_model("""<ir_version: 8, opset_import: ["" : 18]>
m (float[2, 3, 4] x) => (float[4, 6] y) {
  p = Transpose <perm = [2, 0, 1]> (x)
  q = Relu (p)
  t = Constant <value_ints = [4, 6]> ()
  r = Identity (q)
  y = Reshape (r, t)
}""").SerializeToString()
# One chain of two nodes between others: it leaves the model.
SPLIT = parser.parse_model("""<ir_version: 8, opset_import: ["" : 18]>
m (float[2, 3, 4] x) => (float[24] y) {
  o = Constant <value_ints = [-1]> ()
  p = Relu (x)
  q = Transpose <perm = [2, 0, 1]> (p)
  r = Reshape (q, o)
  y = Relu (r)
}""").SerializeToString()
STORED = parser.parse_model("""<ir_version: 8, opset_import: ["" : 18]>
m (float[3] x) => (float[5] y) <float[2] w = ["location": "w.bin"]> { y = Concat <axis = 0> (x, w) }""").SerializeToString()
IR = b"""<net name="m" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="2,3" element_type="f32"/>
<output><port id="0" precision="FP32" names="x"><dim>2</dim><dim>3</dim></port></output></layer>
<layer id="1" name="o" type="Const" version="opset1"><data element_type="i64" shape="2" offset="0" size="16"/>
<output><port id="0" precision="I64"><dim>2</dim></port></output></layer>
<layer id="2" name="t" type="Transpose" version="opset1">
<input><port id="0" precision="FP32"><dim>2</dim><dim>3</dim></port><port id="1" precision="I64"><dim>2</dim></port></input>
<output><port id="2" precision="FP32" names="y"><dim>3</dim><dim>2</dim></port></output></layer>
<layer id="3" name="y" type="Result" version="opset1">
<input><port id="0" precision="FP32"><dim>3</dim><dim>2</dim></port></input></layer></layers><edges>
<edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
<edge from-layer="2" from-port="2" to-layer="3" to-port="0"/></edges></net>
"""
SCRIPT = b"""graph turn(x: f32[A, B]) -> y { y = transpose(x) }
a = load(args[0])
b = turn(a)
print(b)
save(b, "out")
save(concat(b, b, axis=0), "out2")
"""
# The line for another processor must stay.
TUNING = b"""# The fastest way for each move, as 'reshapec tune' measured it; read by '--tuning'.
x86_64 x86-64-v4: 4 bytes to 0, for 20 dst 40 src 4, for 10 dst 4 src 80: order 0 1 copy
"""
READ = {
    "open.rsh": OPEN,
    "wide.rsh": b"graph g(x: f32[2, 3]) -> y {  y=transpose( x ) }\n",
    "any.rsh": b"graph d(x: f32[?, ?], s: i64[2]) -> y { y = reshape(x, s) }\n",
    "wrong.rsh": b"graph w(x: f32[2, 3]) -> y { y = reshape(x, [4, 2]) }\n",
    "part.rsh": b"graph turn(x: u8[A, B]) -> y { y = transpose(x) }\n",
    "uses.rsh": b'import "part.rsh"\ngraph g(x: u8[2, 3]) -> y { y = turn(x) }\n',
    "moves.rsh": b"graph swap(x: f32[10, 20]) -> y { y = transpose(x) }\n",
    "m.onnx": MODEL,
    "split.onnx": SPLIT,
    "stored.onnx": STORED,
    "w.bin": np.float32([7, 8]).tobytes(),
    "m.xml": IR,
    "m.bin": np.int64([1, 0]).tobytes(),
    "x.npy": npy(np.arange(24, dtype=np.float32).reshape(2, 3, 4)),
    "turn.rsh": b"graph r(x: f32[2, 3, 4]) -> (y, z) { y = transpose(x)\n z = x[::-1] }\n",
    "big.npy": npy(np.arange(1 << 18, dtype=np.float32).reshape(512, 512)),
    "big.rsh": b"graph r(x: f32[512, 512]) -> y { y = transpose(x) }\n",
    "script.rsh": SCRIPT,
    "parts.rsh": b"for i in range(6) {\n  zeros([2], u8) |> save(\"part\" + i)\n}\n",
    "flat.npy": npy(np.float32([[1, 2, 3], [4, 5, 6]])),
}
TURN_ALL = b"""for n in names("in.safetensors") {
    load("in.safetensors", n) |> transpose() |> save("out.safetensors", n)
}
"""
PACK = b"""for n in names("in.npz") {
    x = load("in.npz", n) |> flip(axis=0)
    x |> save("out.npz", n)
    x |> save("out.gguf", n)
    x |> save(n + ".bin")
}
x = load("out.gguf", "a")
y = load("a.bin", f32[-1])
"""
MANY = b"""for i in range(60) {
    zeros([2], u8) |> save("out.safetensors", "a.name.that.takes.its.place.in.the.header." + i)
}
"""
HEADER = b'{"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},"b":{"dtype":"U8","shape":[3,1],"data_offsets":[24,27]}}'
NAMED = len(HEADER).to_bytes(8, "little") + HEADER + np.arange(6, dtype="<f4").tobytes() + bytes(3)
ARCHIVE = io.BytesIO()
np.savez_compressed(ARCHIVE, a=np.arange(6, dtype="f4"))
WRITTEN = ["out", "out.h", "out.d", "out2"]  # they exist before the run, with other contents


class Command:
    def __init__(self, *arguments, stdin=b"", status=0, changes=None, mask=None):
        self.arguments, self.stdin, self.status = list(arguments), stdin, status
        self.changes = changes or {}  # files that are read and written
        self.mask = mask or (lambda text: text)  # replaces measured values in a text

    def files(self):
        return {**READ, **self.changes, **{name: b"old" for name in WRITTEN}}


def old(*names):
    """Returns files that are only written."""
    return {name: b"old" for name in names}


def times(text):
    return re.sub(rb"order .*", b"order", text)


def ways(text):
    return re.sub(rb'"choice": .*?\]', b'"choice"', times(text), flags=re.DOTALL)


def session():
    """Returns what an editor sends to the language server."""
    document = {"uri": "file:///nowhere/a.rsh", "version": 1, "text": OPEN.decode().replace("reshape(", "reshap(")}
    messages = [{"id": 1, "method": "initialize", "params": {"capabilities": {}}},
                {"method": "textDocument/didOpen", "params": {"textDocument": document}},
                {"id": 2, "method": "textDocument/hover", "params": {"textDocument": document, "position": {"line": 1, "character": 2}}},
                {"id": 3, "method": "textDocument/completion", "params": {"textDocument": document, "position": {"line": 2, "character": 6}}},
                {"id": 4, "method": "shutdown"}, {"method": "exit"}]
    bodies = [json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages]
    return b"".join(b"Content-Length: %d\r\n\r\n" % len(body) + body for body in bodies)


COMMANDS = {
    "object": Command("open.rsh", "-o", "out", "--header", "out.h", "-MD", "-MF", "out.d", "--report=json"),
    "dynamic object": Command("any.rsh", "-o", "out", "--header", "out.h"),
    "object to stdout": Command("open.rsh", "-o", "-", "--header", "out.h"),
    "object from stdin": Command("-", "-o", "out", "--header", "out.h", stdin=OPEN),
    "imported": Command("uses.rsh", "-o", "out", "--header", "out.h", "-MD", "-MF", "out.d"),
    "native": Command("moves.rsh", "-mcpu=native", "-o", "out", "--header", "out.h"),
    "unknown processor": Command("moves.rsh", "-mcpu=abacus", "-o", "out", status=1),
    "with tuning": Command("moves.rsh", "--tuning=old.tuning", "-mcpu=x86-64-v4", "-o", "out",
                           changes={"old.tuning": TUNING}),
    "code for several processors": Command("moves.rsh", "-g", "--parallel", "--multiversion=x86-64-v2,x86-64-v3",
                                           "--report=text", "--max-stack=4096", "-o", "out", "--header", "out.h"),
    "OpenVINO IR": Command("m.xml", "-o", "out", "--header", "out.h"),
    "weights in a file": Command("--external-data", "stored.onnx", "-o", "out", "--header", "out.h", "-MD", "-MF", "out.d"),
    "several files": Command("moves.rsh", "open.rsh", "-MD", "-MP", "-o", "./",
                             changes=old("moves.o", "moves.h", "moves.d", "open.o", "open.h", "open.d")),
    "several files, one wrong": Command("moves.rsh", "wrong.rsh", "any.rsh", "-o", "./", status=1,
                                        changes=old("moves.o", "moves.h", "any.o", "any.h", "wrong.o", "wrong.h")),
    "--emit=c": Command("--emit=c", "open.rsh", "-o", "out", "--header", "out.h"),
    "--emit=asm": Command("--emit=asm", "open.rsh", "-o", "out"),
    "--emit=llvm-ir": Command("--emit=llvm-ir", "open.rsh", "-o", "out"),
    "--emit=bc": Command("--emit=bc", "any.rsh", "-o", "out"),
    "--emit=dma": Command("--emit=dma", "turn.rsh", "-o", "out", "--header", "out.h"),
    "--emit=rsh": Command("--emit=rsh", "open.rsh", "-o", "out"),
    "--emit=wasm": Command("--emit=wasm", "moves.rsh", "-o", "out"),
    "--emit=so": Command("--emit=so", "moves.rsh", "-o", "out"),
    "--dump": Command("--dump=ast,graph,moves,plan,code,llvm", "open.rsh"),
    "over its input": Command("wide2.rsh", "-o", "link", status=2, changes={"wide2.rsh": OPEN, "link": "wide2.rsh"}),
    "check": Command("check", "--json", "open.rsh"),
    "check of an error": Command("check", "--sarif", "wrong.rsh", status=1),
    "check of several files": Command("check", "open.rsh", "wrong.rsh", "m.xml", "split.onnx", status=1),
    "explain": Command("explain", "--cost", "open.rsh"),
    "explain --json": Command("explain", "--json", "open.rsh"),
    "explain of a graph": Command("explain", "any.rsh", "d"),
    "explain --json of a graph": Command("explain", "--json", "open.rsh", "f"),
    "explain --svg": Command("explain", "--svg", "open.rsh"),
    "explain --dot": Command("explain", "--dot", "open.rsh"),
    "explain --html": Command("explain", "--html", "open.rsh"),
    "explain-error": Command("explain-error"),
    "explain-error of a name": Command("explain-error", "--json", "volume_mismatch"),
    "lsp": Command("lsp", stdin=session()),
    "run": Command("run", "turn.rsh", "x=x.npy", "y=out", "z=out2"),
    "run of a pipe": Command("run", "turn.rsh", "x=-", "y=-", "z=out2", stdin=READ["x.npy"]),
    "run, mapped": Command("run", "big.rsh", "x=big.npy", "y=out"),
    "run -e": Command("run", "-e", "print(transpose(x))", "x=flat.npy"),
    "run -e of files": Command("run", "-e", "transpose(x)", "x=flat.npy", "out"),
    "script": Command("run", "script.rsh", "flat.npy"),
    "script, dry run": Command("run", "--dry-run", "script.rsh", "flat.npy"),
    "script of processes": Command("run", "-j", "3", "parts.rsh", changes=old(*(f"part{i}" for i in range(6)))),
    "named tensors": Command("run", "named.rsh", changes={"in.safetensors": NAMED, "out.safetensors": b"old", "named.rsh": TURN_ALL}),
    "other named tensors": Command("run", "pack.rsh", changes={"in.npz": ARCHIVE.getvalue(), "out.npz": b"old", "out.gguf": b"old", "a.bin": b"old", "pack.rsh": PACK}),
    "long header": Command("run", "long.rsh", changes={"out.safetensors": b"old", "long.rsh": MANY}),
    "chains": Command("chains", "m.onnx"),
    "chains --json": Command("chains", "--json", "m.onnx"),
    "chains -o": Command("chains", "m.onnx", "-o", "out.o", "--header", "out.h",
                         changes={"out.o": b"old", "out.json": b"old"}),
    "chains --dot": Command("chains", "--dot", "m.onnx"),
    "chains --html": Command("chains", "--html", "m.onnx"),
    "chains --split": Command("chains", "split.onnx", "--split", "-o", "./",
                              changes=old("split.o", "split.h", "split.json", "split.part1.onnx", "split.part2.onnx",
                                          "split.split.c", "split.split.h")),
    "optimize": Command("optimize", "m.onnx", "-o", "out"),
    "optimize to stdout": Command("optimize", "m.onnx", "-o", "-"),
    "optimize --json": Command("optimize", "--json", "m.onnx", "-o", "out"),
    "optimize --check": Command("optimize", "--check", "m.onnx", "-o", "out"),
    "verify": Command("verify", "--json", "any.rsh"),
    "verify --emit=c": Command("verify", "--emit=c", "moves.rsh"),
    "verify of a graph": Command("verify", "moves.rsh", "swap", "--parallel", "--multiversion=x86-64-v2,x86-64-v3"),
    "-fverify": Command("-fverify", "moves.rsh", "-o", "out", "--header", "out.h"),
    "verify of another machine": Command("verify", "moves.rsh", "--target=riscv32-unknown-elf"),
    "fmt": Command("fmt", "mine.rsh", changes={"mine.rsh": READ["wide.rsh"]}),
    "fmt of a stream": Command("fmt", "-", stdin=READ["wide.rsh"]),
    "fmt of several files": Command("fmt", "mine.rsh", "yours.rsh", changes={"mine.rsh": READ["wide.rsh"], "yours.rsh": READ["turn.rsh"]}),
    "fmt --check": Command("fmt", "--check", "wide.rsh", status=1),
    "tune": Command("tune", "moves.rsh", "-mcpu=x86-64-v2", "-o", "old.tuning", changes={"old.tuning": TUNING}, mask=times),
    "tune --json": Command("tune", "--json", "moves.rsh", "swap", "-mcpu=x86-64-v2", "-o", "old.tuning", changes={"old.tuning": TUNING},
                           mask=ways),
    "--version": Command("--version"),
    "--help": Command("tune", "--help"),
    "--list-ops": Command("--list-ops"),
    "--list-statuses": Command("--list-statuses"),
    "--print-targets": Command("--print-targets"),
    "--completions": Command("--completions=zsh"),
}


class Run:
    """The results of one run of a command."""

    def __init__(self, bench, command, ended):
        self.command = command
        self.end = f"killed {-ended.returncode}" if ended.returncode < 0 else f"ended {ended.returncode}"
        self.calls = []
        self.stdout, self.stderr = command.mask(ended.stdout or b""), (ended.stderr or b"").decode(errors="replace")
        self.files, self.left = bench.take(command)

    def own_calls(self):
        """Returns (index, call) of the system calls after the loader's last one, the munmap of its cache."""
        first = next((i for i, call in enumerate(self.calls) if call.split()[1] == "munmap"), 0) + 1
        return [(at, call) for at, call in enumerate(self.calls, 1) if at > first]

    def untidy(self, good):
        """Returns an error if a file is neither complete nor unchanged, or if anything is left behind; else ""."""
        old = self.command.files()
        left = sorted(set(self.files) - set(old)) + self.left
        if left:
            return f"left behind: {left}"
        if self.calls and self.calls[-1] == "runs":
            return "something that it started goes on"
        wrong = [name for name, content in old.items()
                 if self.files.get(name) not in (good.files[name], masked(self.command, content))]
        return f"half-written: {wrong}" if wrong else ""

    def same(self, good):
        return (self.end, self.stdout, self.files) == (good.end, good.stdout, good.files)


def masked(command, content):
    return content if isinstance(content, str) else command.mask(content)


class Bench:
    """Runs commands in an empty folder, with another folder for temporary files."""

    def __init__(self, reshapec, fault, folder):
        self.reshapec, self.fault = os.path.abspath(reshapec), os.path.abspath(fault)
        self.folder = os.path.abspath(folder)
        self.work, self.temporary, self.list, self.read, self.printed, self.complaints = (
            os.path.join(self.folder, name) for name in ("in", "tmp", "list", "stdin", "stdout", "stderr"))
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.work)
        os.makedirs(self.temporary)
        path = os.path.dirname(os.path.abspath(sys.executable)) + os.pathsep + os.environ["PATH"]  # its python3 has onnxruntime
        self.environment = {**os.environ, "TMPDIR": self.temporary, "PATH": path}

    def put(self, command):
        for name, content in command.files().items():
            path = os.path.join(self.work, name)
            if isinstance(content, str):
                os.symlink(content, path)
            else:
                with open(path, "wb") as file:
                    file.write(content)

    def stdin(self, command):
        """Returns a file with the standard input of the command."""
        with open(self.read, "wb") as file:
            file.write(command.stdin)
        return open(self.read, "rb")

    def take(self, command):
        """Returns the files in the folder, and the names in the temporary folder, except those of other programs that a
        command starts. Empties both folders."""
        found, left = {}, [name for name in os.listdir(self.temporary) if name.startswith("reshapec-")]
        for entry in os.scandir(self.work):
            if entry.is_symlink():
                found[entry.name] = os.readlink(entry.path)
            elif not entry.is_file():
                found[entry.name] = "no file"
                continue
            else:
                with open(entry.path, "rb") as file:
                    found[entry.name] = command.mask(file.read())
        for folder in (self.work, self.temporary):
            shutil.rmtree(folder)
            os.mkdir(folder)
        return found, left

    def plain(self, command, is_put=False, **keywords):
        """Runs a command without an injected fault; `keywords` of subprocess.run may cause one."""
        if not is_put:
            self.put(command)
        with self.stdin(command) as stdin:
            ended = subprocess.run([self.reshapec, *command.arguments], cwd=self.work, timeout=120, check=False,
                                   **{"env": self.environment, "stdin": stdin, "stdout": subprocess.PIPE,
                                      "stderr": subprocess.PIPE, **keywords})
        return Run(self, command, ended)

    def run(self, command, kind="none", at=0, **environment):
        """Runs a command in which `kind` happens at system call `at`."""
        self.put(command)
        words = [self.fault, self.list, kind, str(at), self.reshapec, *command.arguments]
        said = []
        with open(self.printed, "w+b") as printed, open(self.complaints, "w+b") as complaints:  # not pipes: files can be full
            try:
                ended = subprocess.run(words, cwd=self.work, env={**self.environment, **environment}, input=command.stdin,
                                       stdout=printed, stderr=complaints, timeout=60, check=False)
            except subprocess.TimeoutExpired:
                ended = None
            for file in (printed, complaints):
                file.seek(0)
                said.append(file.read())
        if not ended:
            run = Run(self, command, subprocess.CompletedProcess([], 0, *said))
            run.end = "does not end"
            return run
        ended.stdout, ended.stderr = said
        if ended.returncode:
            sys.exit(f"fault: status {ended.returncode}, {ended.stderr}")
        run = Run(self, command, ended)
        with open(self.list, encoding="utf-8", errors="replace") as file:
            run.calls = file.read().splitlines()
        run.end = run.calls.pop()
        return run

    @staticmethod
    def expect(title, command, run):
        if run.end != f"ended {command.status}":
            sys.exit(f"{title}: {run.end}: {run.stderr}")
