# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""names_left_out.py RESHAPEC FOLDER: leaves each text of a model out, and gives "" for it: commands do the same.

A file may lack any text. Readers of protobuf give "" for it.
"""

import os
import subprocess
import sys

from onnx import ModelProto, parser, save

MODEL = """<ir_version: 9, opset_import: ["" : 17, "f" : 1]>
g (float[2,3] x, bool c) => (float[3,2] y, float[3,2] z) <bool k = {1}, float[3,2] w = {1, 2, 3, 4, 5, 6}> {
    a = f.F (x)
    b, y = If (k) <then_branch = t () => (float[3,2] p, float[3,2] q) {
        p = Transpose <perm = [1, 0]> (x)
        q = Add (p, w)
    }, else_branch = e () => (float[3,2] p2, float[3,2] q2) {
        p2 = Transpose <perm = [1, 0]> (a)
        q2 = Sub (p2, w)
    }>
    d = If (c) <then_branch = t2 () => (float[3,2] r) {
        r = Mul (w, b)
    }, else_branch = e2 () => (float[3,2] s) {
        s = Div (w, b)
    }>
    z = Identity (d)
}
<opset_import: ["" : 17], domain: "f">
F (u) => (v) {
    t = Relu (u)
    v = Reshape (t, n)
    n = Constant <value_ints = [2, 3]> ()
}"""


def texts(message):
    """The (message, field) of each text that may be left out."""
    for field, value in message.ListFields():
        if field.message_type:
            for inner in value if field.is_repeated else [value]:
                yield from texts(inner)
        elif field.type == field.TYPE_STRING and not field.is_repeated and not field.containing_oneof:
            yield message, field.name


def run(reshapec, model, folder):
    """The status and the messages of each command, and the model that `optimize` writes."""
    path = os.path.join(folder, "model.onnx")
    made = os.path.join(folder, "new.onnx")
    save(model, path)
    done = []
    for options in ["check", path], ["chains", path, "--split", "-fno-verify", "-o", folder + "/"], ["optimize", path, "-o", made]:
        command = subprocess.run([reshapec, *options], capture_output=True, text=True, check=False)
        done.append((command.returncode, command.stdout, command.stderr))
    return done, sorted(os.listdir(folder))


def main():
    reshapec, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    whole = parser.parse_model(MODEL)
    count, wrong = len(list(texts(whole))), 0
    for i in range(count):
        model = ModelProto()
        model.CopyFrom(whole)
        message, name = list(texts(model))[i]
        message.ClearField(name)
        without = run(reshapec, model, folder)
        setattr(message, name, "")
        empty = run(reshapec, model, folder)
        if without != empty or any(status not in (0, 1) for status, *_ in without[0]):
            print(f"{name} of {message.DESCRIPTOR.name} left out: {without}\n  empty: {empty}")
            wrong += 1
    print(f"{count} texts, {wrong} wrong")


main()
