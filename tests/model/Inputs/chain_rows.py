# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small models and their chains: chain_rows.py RESHAPEC FOLDER.

A row has the graph in ONNX's text format, with the functions after it, and a line for each chain: its name, its tier, its
parameters, and why it has none.
"""

import json
import os
import subprocess
import sys

from onnx import helper, parser, save

LATER = "is known only at run time"


def function(body):
    return f'<opset_import: ["" : 17], domain: "f"> F {body}'


def choice(result, then, other):
    """An If with the bodies `then` and `other`, whose result is t."""
    return f"t = If (c) <then_branch = a () => ({result} p) {then}, else_branch = b () => ({result} q) {other}>"


def joined(count):
    """As many tensors, each of two sizes of its own."""
    inputs = ", ".join(f"float[A{i},B{i}] x{i}" for i in range(count))
    flat = " ".join(f"f{i} = Flatten <axis = 0> (x{i})" for i in range(count))
    return f"({inputs}) => (float[] y) {{ {flat} y = Concat <axis = 1> ({', '.join(f'f{i}' for i in range(count))}) }}"


SCAN = "(float[2,3] s, float[4,2,3] e) => (float[] y, float[] z) { y, z = Scan <num_scan_inputs = 1, "
ROWS = [
    # A size that the sizes of the chain's inputs do not give: a quarter of N.
    ("(float[N] x, float[M,K] z) => (float[] y, float[] w) <int64[2] t = {4, -1}, int64[1] o = {1}, int64[1] two = {2}, "
     "int64[1] m = {-1}> { r = Reshape (x, t) y = Relu (r) s = Shape (r) q = Slice (s, o, two) "
     "c = Concat <axis = 0> (q, m) w = Reshape (z, c) }",
     ["Reshape_0 alias N", f"Reshape_5 - : a size {LATER}"]),
    # The quarter is a size of the input.
    ("(float[N] x) => (float[] y) <int64[2] t = {4, -1}> { r = Reshape (x, t) u = Relu (r) y = Transpose (u) }",
     ["Reshape_0 alias N", "Transpose_2 symbolic u_1"]),
    # At most 32 parameters
    (joined(16), ["Flatten_0_to_Concat_16 symbolic " + " ".join(f"A{i} B{i}" for i in range(16))]),
    (joined(17), ["Flatten_0_to_Concat_17 - : more than 32 sizes known only at run time in one graph"]),
    # A tensor of a function's body that has no rank, in a branch too
    ("(float[6] x) => (float[] y) { y = f.F (x) } "
     + function("(u) => (v) { w = Unique (u) v = Transpose (w) }"), ["Transpose_1 alias w_0"]),
    ("(float[6] x, bool c) => (float[] y) { y = f.F (x, c) } "
     + function("(u, c) => (v) { " + choice("float[]", "{ w = com.e.G (u) p = Transpose (w) }", "{ q = Transpose (u) }")
                + " v = Identity (t) }"),
     ["Transpose_1 - : input 0 'w': its shape is unknown: node 0 (F): node 0 (If): node 0 (G): there is no shape rule for "
      "operators of domain 'com.e'; declare the shapes of the results of 'F'", "Transpose_0 alias ",
      "Identity_1 - : input 0 't': its shape is unknown: node 0 (F): node 0 (If): the rank of the result of 'If' depends on "
      "data; declare the shapes of the results of 'F'"]),
    # A result of a call that is left out has no type that a model could declare.
    ("(float[6] x) => (float[] y) <float[M] b> { , b = f.F (x) y = Transpose (b) } "
     + function("(u) => (v, w) { v = com.e.G (u) w = com.e.G (u) }"), ["Transpose_1 alias b_0"]),
    ("(float[6] x) => (float[] y) { , b = f.F (x) y = Transpose (b) } "
     + function("(u) => (v, w) { v = com.e.G (u) w = com.e.G (u) }"),
     ["Transpose_1 - : input 0 'b': its shape is unknown: node 0 (F): node 1 (G): there is no shape rule for operators of "
      "domain 'com.e'; declare the shapes of the results of 'F'"]),
    # Results of bodies that are numbers, weights, texts, outer values, or that no node computes
    ("(bool c, float[6] x) => (float[] y) { "
     + choice("int64[2]", "{ p = Constant <value_ints = [2, 3]> () }", "{ q = Constant <value_ints = [3, 2]> () }")
     + " y = Reshape (x, t) }", ["Reshape_1 - : a list of integers is read at run time"]),
    ("(bool c, float[6] x) => (float[] y) <int64[2] n = {4, 5}> { "
     + choice("int64[2]", "{ m = Neg (x) p = Slice (n, k, k) k = Constant <value_ints = [0]> () }",
              "{ q = Constant <value_ints = [3, 2]> () }")
     + " y = Transpose (t) }", ["Transpose_1 alias t_0"]),
    ("(bool c, float[6] x) => (float[] y) { "
     + choice("string[1]", '{ p = Constant <value_strings = ["s"]> () }', '{ q = Constant <value_strings = ["t"]> () }')
     + " y = Transpose (t) }", ["Transpose_1 alias "]),
    ("(bool c, float[6] x) => (float[] y) { " + choice("float[6]", "{ m = Neg (x) }", "{ q = Neg (x) }").replace("p)", "x)", 1)
     + " y = Transpose (t) }", ["Transpose_1 alias "]),
    ("(bool c, float[6] x) => (float[] y) { " + choice("float[6]", "{ m = Neg (x) }", "{ q = Neg (x) }")
     + " y = Transpose (t) }", ["Transpose_1 alias "]),
    # A sequence has no shape that a model could declare; the tensors that are taken out of it have.
    ("(float[6] x) => (float[] y) <int64 i = {0}> { s = SequenceConstruct (x, x) t = SequenceAt (s, i) y = Transpose (t) }",
     ["Transpose_2 - : input 0 't': its shape is unknown: node 1 (SequenceAt): input 0 's' is a sequence of tensors; declare "
      "the shape of 't'"]),
    ("(float[6] x) => (float[] y) <int64 i = {0}, float[6] t> "
     "{ s = SequenceConstruct (x, x) t = SequenceAt (s, i) y = Transpose (t) }", ["Transpose_2 alias "]),
    ("(float[6] x) => (float[] y) { s = SplitToSequence (x) t = SequenceErase (s) y = Transpose (t) }",
     ["Transpose_2 - : input 0 't': a sequence of tensors"]),
    ("(float[6] x) => (float[] y) { s = com.e.SequenceEmpty (x) y = Transpose (s) }",
     ["Transpose_1 - : input 0 's': its shape is unknown: node 0 (SequenceEmpty): there is no shape rule for operators of "
      "domain 'com.e'; declare the shape of 's'"]),
    # What Scan gives to its body, if the body declares no ranks
    (SCAN + "body = b (float[] p, float[] q) => (float[] p2, float[] r) { p2 = Identity (p) r = Transpose (q) }> (s, e) }",
     ["Identity_0 alias ", "Transpose_1 static "]),
    (SCAN + "scan_input_axes = [-1], body = b (float[] p, float[] q) => (float[] p2, float[] r) "
     "{ p2 = Identity (p) r = Transpose (q) }> (s, e) }", ["Identity_0 alias ", "Transpose_1 static "]),
    (SCAN + "scan_input_axes = [3], body = b (float[] p, float[] q) => (float[] p2, float[] r) "
     "{ p2 = Identity (p) r = Transpose (q) }> (s, e) }", ["Identity_0 alias ", f"Transpose_1 - : a rank {LATER}"]),
    (SCAN + "body = b (float[] p, float[] q, float[] o) => (float[] p2, float[] r) "
     "{ p2 = Identity (p) r = Transpose (o) }> (s, e) }", ["Identity_0 alias ", f"Transpose_1 - : a rank {LATER}"]),
    (SCAN.replace("{ y", "{ n = Shape (s) y") + "body = b (float[] p, int64[] q) => (float[] p2, int64[] r) "
     "{ p2 = Transpose (p) r = Identity (q) }> (s, n) }", ["Transpose_0 static ", f"Identity_1 - : a rank {LATER}"]),
]  # fmt: skip


def long_chain(count):
    """Transposes whose results are all results of the model. Each result of a chain has a plan of its own."""
    nodes = [helper.make_node("Transpose", [f"v{i}"], [f"v{i + 1}"]) for i in range(count)]
    infos = [helper.make_tensor_value_info(f"v{i}", 1, [2, 3] if i % 2 == 0 else [3, 2]) for i in range(count + 1)]
    return helper.make_graph(nodes, "g", infos[:1], infos[1:])


def same_words():
    """Tensors whose names become the same identifier."""
    graph = parser.parse_graph("g (int64[1] b, float[2,A] x) => (float[] y) "
                               "{ u = Relu (s) v = Abs (s) y = Concat <axis = 0> (w, z) w = Transpose (u) z = Transpose (v) "
                               "s = com.e.G (x) }")  # fmt: skip
    graph.value_info.extend(helper.make_tensor_value_info(name, 1, [None, None]) for name in "uv")
    for names in [node.input for node in graph.node] + [node.output for node in graph.node]:
        names[:] = [{"u": "a/b", "v": "a_b"}.get(name, name) for name in names]
    for value in graph.value_info:
        value.name = {"u": "a/b", "v": "a_b"}[value.name]
    return graph


def model_of(graph):
    head = '<ir_version: 8, opset_import: ["" : 17, "f" : 1, "com.e" : 1]> g '
    if isinstance(graph, str):
        return parser.parse_model(head + graph)
    opsets = [helper.make_opsetid(domain, version) for domain, version in (("", 17), ("com.e", 1))]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


def main():
    reshapec, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    rows = [*ROWS, (long_chain(3000), ["Transpose_0_to_Transpose_2999 - : it has too many outputs"]),
            (same_words(), ["Transpose_3_to_Concat_2 symbolic a_b_0 a_b_1 a_b_1_2"])]  # fmt: skip
    wrong = 0
    for number, (graph, want) in enumerate(rows):
        path = os.path.join(folder, f"row{number}.onnx")
        save(model_of(graph), path)
        done = subprocess.run([reshapec, "chains", path, "--json"], capture_output=True, text=True, check=True)
        got = []
        for chain in json.loads(done.stdout)["chains"]:
            why = f": {chain['why']}" if "why" in chain else ""
            got.append(f"{chain['name']} {chain.get('tier', '-')} {' '.join(chain['symbols'])}{why}")
        if got != want:
            print(f"{graph if isinstance(graph, str) else number}\n  want {want}\n  got  {got}")
            wrong += 1
    print(f"{len(rows)} models, {wrong} wrong")


main()
