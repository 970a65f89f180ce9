# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A graph of operator calls, which prints as .rsh text and which the oracle evaluates.

    g = Graph("heads", [Input("x", "f32", [2, 6])])
    v = g.add("reshape", ["x"], dims=[2, 3, 2])
    g.outputs = [g.add("transpose", [v], perm=[1, 0, 2])]

The corpus and the random chains use it.
"""

import copy
from dataclasses import dataclass, field

import numpy as np

import oracle


def bracket(values):
    return "[" + ", ".join(str(v) for v in values) + "]"


@dataclass
class Input:
    name: str
    dtype: str
    dims: list
    storage: object = None  # storage in memory, with text(); None: row-major


@dataclass
class Node:
    op: str
    args: list
    results: list
    attrs: dict = field(default_factory=dict)
    style: int = 0  # which of the operator's spellings the text uses; no effect on the meaning

    def apply(self, arrays):
        """Returns the results of the call on arrays of element numbers."""
        attrs = {k: v for k, v in self.attrs.items() if v is not None}
        made = oracle.OPERATORS[self.op](*arrays, **attrs)
        return made if isinstance(made, list) else [made]


def keyword_list(attrs):
    """Returns the text of all attributes by name: `sizes=[1, 2], axis=0`."""
    texts = []
    for name, value in attrs.items():
        if isinstance(value, (list, tuple)):
            texts.append(f"{name}={bracket(value)}")
        else:
            texts.append(f'{name}="{value}"' if isinstance(value, str) else f"{name}={value}")
    return texts


def slice_call(attrs):
    """Returns the text of a slice as a call. An omitted bound becomes the far end in the step's direction."""
    steps = attrs.get("steps") or [1] * len(attrs["starts"])
    first = [0 if t > 0 else oracle.INT64_MAX for t in steps]
    last = [oracle.INT64_MAX if t > 0 else oracle.INT64_MIN for t in steps]
    starts = [f if s is None else s for s, f in zip(attrs["starts"], first)]
    ends = [f if e is None else e for e, f in zip(attrs["ends"], last)]
    texts = [f"starts={bracket(starts)}", f"ends={bracket(ends)}"]
    if attrs.get("axes") is not None:
        texts.append(f"axes={bracket(attrs['axes'])}")
    if attrs.get("steps") is not None:
        texts.append(f"steps={bracket(steps)}")
    return texts


def slice_subscript(attrs, rank):
    """Returns the text of a slice as `[:, 1:3, ::2]`, without trailing whole axes."""
    places = [":"] * rank
    axes = attrs.get("axes")
    for i, start in enumerate(attrs["starts"]):
        axis = oracle.axis_of(i if axes is None else axes[i], rank)
        end, step = attrs["ends"][i], attrs["steps"][i] if attrs.get("steps") else 1
        text = ("" if start is None else str(start)) + ":" + ("" if end is None else str(end))
        places[axis] = text + (f":{step}" if step != 1 else "")
    while len(places) > 1 and places[-1] == ":":
        places.pop()
    return "[" + ", ".join(places) + "]"


def name_and_attributes(node):
    """Returns the operator as spelled in the text, and its arguments after the operands."""
    op, attrs = node.op, node.attrs
    if op == "reshape" or op in oracle.DIALECTS:
        flags = {k: v for k, v in attrs.items() if k != "dims" and v is not None}
        return op, [
            f"shape={bracket(attrs['dims'])}" if flags else bracket(attrs["dims"])
        ] + keyword_list(flags)
    if op == "transpose":
        return op, [] if attrs.get("perm") is None else [bracket(attrs["perm"])]
    if op in ("squeeze", "unsqueeze", "flip"):
        return op, [] if attrs.get("axes") is None else [bracket(attrs["axes"])]
    if op == "expand":
        return op, [bracket(attrs["dims"])]
    if op == "slice":
        return op, slice_call(attrs)
    if op in ("depth_to_space", "space_to_depth"):
        mode = attrs.get("mode", "DCR")
        return op, [str(attrs["block"])] + ([f'mode="{mode}"'] if mode != "DCR" else [])
    if op == "rearrange":
        sizes = {k: v for k, v in attrs.items() if k != "pattern"}
        return op, [f'"{attrs["pattern"]}"'] + keyword_list(sizes)
    if op in ("cast", "bitcast"):
        return op, [attrs["to"]] + keyword_list({k: v for k, v in attrs.items() if k != "to"})
    if op == "gather":
        return op, [str(attrs["indices"]), f"axis={attrs['axis']}"]
    if op == "tile":
        return op, [bracket(attrs["repeats"])]
    if op == "pad":
        # ONNX's order for the named axes: all amounts before, then all after.
        amounts = list(attrs["pads"].values())
        both = [before for before, _ in amounts] + [after for _, after in amounts]
        rest = [bracket(both), f"axes={bracket(attrs['pads'])}"]
        if attrs.get("mode", "constant") != "constant":
            return op, rest + [f'mode="{attrs["mode"]}"']
        return op, rest if attrs.get("value") is None else rest + [f"value={attrs['value']}"]
    return op, keyword_list(attrs)


def expression(node, args, rank, piped):
    """Returns the text of one call. `piped` puts the first operand before a `|>`."""
    if node.op == "slice" and node.style % 2 and rank:
        return f"{args[0]}{slice_subscript(node.attrs, rank)}"
    name, rest = name_and_attributes(node)
    if len(args) > 1 and node.style % 2:
        return f"{name}({', '.join([bracket(args)] + rest)})"
    if piped and len(args) == 1:
        return f"{args[0]} |> {name}({', '.join(rest)})"
    return f"{name}({', '.join(args + rest)})"


class Graph:
    def __init__(self, name, inputs):
        self.name = name
        self.inputs = list(inputs)
        self.nodes = []
        self.outputs = []
        self.storage = {}  # of outputs, like that of inputs
        self.inner = 0  # the number of first calls that are in another graph, which this one calls
        self.count = 0

    def copy(self):
        return copy.deepcopy(self)

    def fresh(self):
        self.count += 1
        return f"v{self.count}"

    def add(self, op, args, results=1, style=0, **attrs):
        """Appends a call and returns the names of its results. `results` is their number, or their names."""
        names = (
            [self.fresh() for _ in range(results)] if isinstance(results, int) else list(results)
        )
        self.nodes.append(Node(op, list(args), names, attrs, style))
        return names[0] if results == 1 else list(names)

    def evaluate(self):
        """Returns {value: element numbers}, and the first number of each input."""
        arrays, bases = oracle.element_numbers([i.dims for i in self.inputs])
        values = {i.name: a for i, a in zip(self.inputs, arrays)}
        for node in self.nodes:
            self.step(node, values)
        return values, bases

    @staticmethod
    def step(node, values):
        values.update(zip(node.results, node.apply([values[a] for a in node.args])))

    def types(self):
        """Returns {value: element type}."""
        types = {i.name: i.dtype for i in self.inputs}
        for node in self.nodes:
            for result in node.results:
                types[result] = node.attrs["to"] if node.op in ("cast", "bitcast") else types[node.args[0]]
        return types

    def statements(self, values, pipes):
        """Returns the calls, one per line. With `pipes`, a value that is used once is written into its user."""
        uses = {}
        for node in self.nodes:
            for arg in node.args:
                uses[arg] = uses.get(arg, 0) + 1
        held = {}  # value name -> its expression, waiting to be written into its only user
        lines = []
        for node in self.nodes:
            rank = np.ndim(values[node.args[0]])
            piped = pipes and len(node.args) == 1 and not (node.op == "slice" and node.style % 2)
            args = []
            for arg in node.args:
                if arg in held and not piped:
                    lines.append(f"{arg} = {held.pop(arg)}")
                args.append(held.pop(arg, arg))
            text = expression(node, args, rank, piped)
            only = node.results[0]
            used_once = uses.get(only) == 1 and only not in self.outputs
            if pipes and len(node.results) == 1 and used_once:
                held[only] = text
            else:
                lines.append(f"{', '.join(node.results)} = {text}")
        return lines

    def declared(self, name, values, types):
        """Returns the text of a result: its name, and its type if it has a storage."""
        if name not in self.storage:
            return name
        return f"{name}: {types[name]}{bracket(np.shape(values[name]))}{self.storage[name].text()}"

    def cut(self, values):
        """Returns the first calls as a graph, and a graph that calls it and contains the rest."""
        head, tail = Graph(self.name + "_inner", []), Graph(self.name, [])
        head.nodes, tail.nodes = self.nodes[: self.inner], self.nodes[self.inner :]
        tail.outputs = self.outputs
        wanted = set(self.outputs).union(*(n.args for n in tail.nodes))
        needed = set().union(*(n.args for n in head.nodes))
        head.inputs = [Input(i.name, i.dtype, i.dims) for i in self.inputs if i.name in needed]
        head.outputs = [r for n in head.nodes for r in n.results if r in wanted]
        call = f"{', '.join(head.outputs)} = {head.name}({', '.join(i.name for i in head.inputs)})"
        return head.text(values), [call] + tail.statements(values, False)

    def text(self, values=None, pipes=False):
        """Returns the graph as .rsh text, after the graph that it calls."""
        values = self.evaluate()[0] if values is None else values
        above, lines = self.cut(values) if self.inner else ("", self.statements(values, pipes))
        types = self.types()
        ins = ", ".join(
            f"{i.name}: {i.dtype}"
            + (bracket(i.dims) if i.dims else "")
            + (i.storage.text() if i.storage else "")
            for i in self.inputs
        )
        outs = [self.declared(name, values, types) for name in self.outputs]
        outs = outs[0] if len(outs) == 1 else f"({', '.join(outs)})"
        head = f"graph {self.name}({ins}) -> {outs} {{"
        return above + head + "\n" + "".join(f"    {line}\n" for line in lines) + "}\n"


def write_file(path, texts):
    """Writes graph texts into one .rsh file. Returns the number of the first line after each."""
    ends, line = [], 1
    with open(path, "w", encoding="utf-8") as out:
        for text in texts:
            out.write(text)
            line += text.count("\n")
            ends.append(line)
    return ends
