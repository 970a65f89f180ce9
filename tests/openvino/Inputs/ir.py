# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes OpenVINO IR, version 11: model.xml with model.bin beside it.

    ir = Ir()
    x = ir.parameter("x", [2, 3])                         # -1: a size that is not known; "1..8": one of these
    y = ir.layer("Transpose", [x, ir.const([1, 0])], [[3, 2]])
    ir.result(y)
    ir.write("model")

A layer's outputs are given by their sizes; layer() returns a value, or a list of several.
"""

from xml.sax.saxutils import quoteattr

import numpy as np

NAMES = {"f4": "f32", "f2": "f16", "f8": "f64", "b1": "boolean", "i1": "i8", "i2": "i16", "i4": "i32", "i8": "i64",
         "u1": "u8", "u2": "u16", "u4": "u32", "u8": "u64"}
PORTS = {"f32": "FP32", "f16": "FP16", "f64": "FP64", "boolean": "BOOL"}


class Value:
    def __init__(self, layer, port, dims, dtype):
        self.layer, self.port, self.dims, self.dtype = layer, port, dims, dtype

    def xml(self, port, names=""):
        precision = PORTS.get(self.dtype, self.dtype.upper())
        dims = "".join(f"<dim>{d}</dim>" for d in self.dims)
        return f'<port id="{port}" precision="{precision}"{names}>{dims}</port>\n'


class Ir:
    def __init__(self):
        self.layers, self.edges, self.weights = [], [], b""

    def layer(self, kind, inputs, outputs, dtype=None, name=None, version="opset1", **attributes):
        number = len(self.layers)
        name = name or f"{kind.lower()}_{number}"
        dtype = dtype or inputs[0].dtype
        data = "".join(f" {key}={quoteattr(str(value))}" for key, value in attributes.items())
        text = f'<layer id="{number}" name={quoteattr(name)} type="{kind}" version="{version}">\n'
        text += f"<data{data}/>\n" if data else ""
        if inputs:
            text += "<input>\n" + "".join(value.xml(i) for i, value in enumerate(inputs)) + "</input>\n"
        made = [Value(number, len(inputs) + i, dims, dtype) for i, dims in enumerate(outputs)]
        if made:
            names = [name] if len(made) == 1 else [f"{name}.{i}" for i in range(len(made))]
            text += "<output>\n"
            text += "".join(v.xml(v.port, f" names={quoteattr(n)}") for v, n in zip(made, names)) + "</output>\n"
        self.layers.append(text + "</layer>\n")
        for i, value in enumerate(inputs):
            self.edges.append(f'<edge from-layer="{value.layer}" from-port="{value.port}" '
                              f'to-layer="{number}" to-port="{i}"/>\n')
        return made[0] if len(made) == 1 else made

    def parameter(self, name, dims, dtype="f32"):
        shape = ",".join("?" if d == -1 else str(d) for d in dims)
        sizes = [-1 if isinstance(d, str) else d for d in dims]
        return self.layer("Parameter", [], [sizes], dtype, name, shape=shape, element_type=dtype)

    def const(self, values, kind="i8"):
        array = np.array(values, kind)
        dtype, offset = NAMES[kind], len(self.weights)
        self.weights += array.tobytes() or b"\0"  # as OpenVINO does
        return self.layer("Const", [], [list(array.shape)], dtype, element_type=dtype, offset=offset,
                          shape=", ".join(map(str, array.shape)), size=array.nbytes or 1)

    def result(self, value):
        self.layer("Result", [value], [])

    def write(self, path):
        with open(path + ".xml", "w") as file:
            file.write('<?xml version="1.0"?>\n<net name="m" version="11">\n<layers>\n' + "".join(self.layers) +
                       "</layers>\n<edges>\n" + "".join(self.edges) + "</edges>\n</net>\n")
        with open(path + ".bin", "wb") as file:
            file.write(self.weights)
