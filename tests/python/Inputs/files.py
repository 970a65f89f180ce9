# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Texts, ONNX models and OpenVINO IR in files: files.py FOLDER, where tests/openvino wrote models."""
import os
import pathlib
import sys

import numpy as np
import onnx.parser

import reshapec as rs
from refused import refused

folder = pathlib.Path(sys.argv[1])
x = np.arange(24, dtype="f4").reshape(2, 3, 4)


def texts():
    text = folder / "turn.rsh"
    text.write_text("graph turn(x: f32[N, M]) -> y { y = transpose(x) }")
    for path in (text, str(text)):
        assert (rs.compile(path)(x[0]) == x[0].T).all()
    # A byte that is not UTF-8 has a line and a column, as on the command line.
    text.write_bytes(b"graph turn(x: f32[2]) -> y {\n    y = x # \xff\n}")
    error = refused(rs.CompileError, "turn.rsh:2:13: error: stray byte \\xff", rs.compile, text)
    assert (error.messages[0]["line"], error.messages[0]["column"]) == (2, 13)
    refused(rs.CompileError, "<text>:1:30: error: stray byte \\xed", rs.compile, "graph turn(x: f32[2]) -> y { \ud800 }")
    # A name that is not UTF-8 is a name.
    odd = os.fsencode(folder) + b"/\xff.rsh"
    with open(odd, "w") as file:
        file.write("graph turn(x: f32[2]) -> y { y = turned(x) }")
    assert refused(rs.CompileError, "no operator or graph is called 'turned'", rs.compile, pathlib.Path(os.fsdecode(odd))).messages[0]["file"] == os.fsdecode(odd)


def models():
    path = folder / "turn.onnx"
    path.write_bytes(onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 18]>
    turn (float[2, 3, 4] x) => (float[4, 3, 2] y) { y = Transpose (x) }""").SerializeToString())
    assert (rs.compile(str(path))(x) == x.T).all()
    content = path.read_bytes()
    for model in (content, bytearray(content), memoryview(content)):
        assert (rs.compile(model)(x) == x.T).all()
    assert refused(rs.CompileError, "is not an ONNX model", rs.compile, bytearray(b"nothing")).messages[0]["file"] == "<model>"


def odd_names():
    """Names of a model that are not UTF-8, which protobuf does not check, are escaped, as in messages."""
    model = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 18]>
    turn (float[B, 3] inp) => (float[3, B] y) { y = Transpose (inp) }""").SerializeToString()
    turn = rs.compile(model.replace(b"inp", b"in\xff"))
    assert (turn(x[0, :2, :3]) == x[0, :2, :3].T).all()
    assert turn.inputs[0]["name"] == "in\\xff" and "from in\\xff" in turn.explain() and turn.emit("c")[1]
    refused(rs.CallError, "parameter 'in\\xff' is f32[B, 3]", turn, x[0])


def openvino():
    for path in (folder / "sizes.xml", str(folder / "sizes.xml")):
        assert (rs.compile(path)(x) == x.reshape(6, 4)).all()
    error = refused(rs.CompileError, "the layer does more than move elements", rs.compile, folder / "chains.xml")
    assert error.messages[0]["file"] == str(folder / "chains.xml")
    # Weights are in the file of the same name.
    (folder / "sizes.bin").rename(folder / "other.bin")
    refused(rs.CompileError, "are in a .bin file, which is missing or empty", rs.compile, folder / "sizes.xml")


texts()
models()
odd_names()
openvino()
refused(FileNotFoundError, "none.rsh", rs.compile, "none.rsh")
for word in ("net.pt", "model"):
    refused(rs.CallError, f"rs.compile: '{word}' is neither source text nor the path of a .rsh, .onnx or .xml file", rs.compile, word)
# Files of other frameworks are not parsed as texts.
(folder / "net.pt").write_bytes(b"PK\3\4\0")
error = refused(rs.CompileError, "it is a PyTorch file; export the model with torch.onnx.export", rs.compile, folder / "net.pt")
assert len(error.messages) == 1
