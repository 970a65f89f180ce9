# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps of the generator of models: masks that are made of positions, and nodes that a Loop or Scan repeats.

    Where(Less(Range(0, N, 1), k), x, 0)      the first k rows of x, and zeros
    Loop(3, x) { row = Gather(x, i) }         rows 0, 1 and 2 of x, stacked
"""

import numpy as np
from onnx import TensorProto, helper, numpy_helper

CALLS = 4
MAX_RANK = 6


def of_type(name, kind, dims=None):
    return helper.make_tensor_value_info(name, kind, dims)


class Repeats:
    """Mixed into Maker, whose methods it calls."""

    # -- masks --

    def positions(self, vector):
        """Returns 0, 1, 2, ... below a size, a 1-D tensor; None if no way to compute the size was found."""
        size = self.number_node(vector)
        if not size:
            return None
        size = self.emit("Reshape", [size, self.constant(np.zeros(0, np.int64))])
        numbers = self.emit("Range", [self.constant(np.array(0)), size, self.constant(np.array(1))])
        ways = {"Add": [1, -2], "Sub": [1, 3]}
        op = self.draw(["", "", "", *ways])
        return self.emit(op, [numbers, self.constant(np.array(self.draw(ways[op])))]) if op else numbers

    def compared(self, x, axes):
        """Returns a mask that broadcasts to x: positions along one axis compared with a number, or with another axis'."""
        sides = []
        for axis in axes:
            side = self.positions(x.dims[axis])
            after = x.rank - 1 - axis
            sides.append(self.unsqueeze_node(side, list(range(1, 1 + after))) if side and after else side)
        if len(sides) == 1:
            sides.append(self.constant(np.array(self.below(-1, 6))))
        if not all(sides):
            return None
        ops = ["Less", "Less", "Greater", "Equal"] + ["LessOrEqual", "GreaterOrEqual"] * (self.opset >= 12)
        mask = self.emit(self.draw(ops), sides if self.chance(0.7) else sides[::-1])
        return self.emit("Not", [mask]) if self.chance(0.15) else mask

    def step_mask(self, x):
        """Masks a value by positions, or adds the mask."""
        if self.opset < 11 or x.rank == 0:
            return False
        axes = sorted(self.random.permutation(x.rank)[: self.draw([1, 1, 2])].tolist())
        if len(axes) == 2 and self.chance(0.8):  # as attention masks
            axes = [x.rank - 2, x.rank - 1]
        mask = self.compared(x, axes)
        if mask and self.chance(0.3):
            other = self.compared(x, axes)
            mask = other and self.emit(self.draw(["And", "Or", "Xor"]), [mask, other])
        if not mask:
            return False
        if self.chance(0.25):
            dims = [x.dims[a] if a in axes else (1,) * CALLS for a in range(axes[0], x.rank)]
            if not self.fits(dims):
                return False
            kind = "BOOL"
            if self.chance(0.5):
                kind = self.draw(["FLOAT", "INT32", "INT64"])
                mask = self.emit("Cast", [mask], to=getattr(TensorProto, kind))
            self.pool.append(type(x)(mask, kind, dims, 0, 1))
            return True
        y = self.beside(x, x.dims if self.chance(0.3) else [(1,) * CALLS])
        if y is None:
            return False
        pair = [x.name, y.name] if self.chance(0.5) else [y.name, x.name]
        return self.add("Where", x, [mask, *pair], x.dims, low=min(x.low, y.low), high=max(x.high, y.high))

    # -- Loop and Scan --

    def inner(self, op, inputs, outputs, **attributes):
        return helper.make_node(op, inputs, outputs, self.node_name(outputs[0]), **attributes)

    def inner_constant(self, array):
        name = self.name()
        return name, self.inner("Constant", [], [name], value=numpy_helper.from_array(np.array(array, np.int64)))

    def changed(self, x, dims, name):
        """Returns nodes of a body that change a tensor like x, but with these sizes, and the result's name and sizes."""
        made, ways = self.name(), ["Identity", "Transpose", "Flatten"] + ["Neg"] * (x.kind in ("FLOAT", "INT32", "INT64"))
        op = self.draw(ways)
        if op == "Transpose" and dims:
            return [self.inner(op, [name], [made])], made, dims[::-1]
        if op == "Flatten" and dims:
            rest = tuple(int(np.prod([d[c] for d in dims])) for c in range(CALLS))
            return [self.inner(op, [name], [made], axis=0)], made, [(1,) * CALLS, rest]
        op = "Neg" if op == "Neg" else "Identity"
        return [self.inner(op, [name], [made])], made, dims

    def step_loop(self, x):
        """Adds a Loop that picks a row of x in each iteration; it stacks the rows, or appends them to a value."""
        if self.opset < 11 or not 0 < x.rank < MAX_RANK or x.kind == "STRING":
            return False
        count, kind = self.below(1, 3), getattr(TensorProto, x.kind)
        going, goes, step, whole, kept, row = (self.name() for _ in range(6))
        nodes = [self.inner("Identity", [going], [goes]), self.inner("Identity", [whole], [kept]),
                 self.inner("Gather", [whole, step], [row], axis=0)]
        more, made, dims = self.changed(x, x.dims[1:], row)
        nodes += more
        given = [of_type(step, TensorProto.INT64, []), of_type(going, TensorProto.BOOL, []), of_type(whole, kind)]
        results = [of_type(goes, TensorProto.BOOL, []), of_type(kept, kind)]
        good = [n >= count for n in x.dims[0]]
        start, is_stacked = [x.name], self.chance(0.6)
        if is_stacked:
            results.append(of_type(made, kind))
            dims = [(count,) * CALLS, *dims]
        else:
            if dims != x.dims[1:]:
                return False
            grown, longer, wide = self.name(), self.name(), self.name()
            zero, node = self.inner_constant([0])
            axes = [wide, self.inner("Unsqueeze", [made, zero], [wide])] if self.opset >= 13 else \
                [wide, self.inner("Unsqueeze", [made], [wide], axes=[0])]
            nodes += [node, axes[1], self.inner("Concat", [grown, wide], [longer], axis=0)]
            given.append(of_type(grown, kind))
            results.append(of_type(longer, kind))
            start.append(x.name)
            dims = [tuple(n + count for n in x.dims[0]), *dims]
        if not self.fits(dims, good):
            return False
        body = helper.make_graph(nodes, self.name(), given, results)
        whole_of_x, result = self.name(), self.name()
        trips = self.constant(np.array(count))
        inputs = [trips, self.constant(np.array(True)), *start]  # without a condition, ONNX's evaluator stops at once
        self.nodes.append(helper.make_node("Loop", inputs, [whole_of_x, result], self.node_name(result), body=body))
        low, high = min(x.low, -x.high), max(x.high, -x.low)
        self.pool.append(type(x)(result, x.kind, dims, low, high, x.exact))
        return True

    def step_scan(self, x):
        """Adds a Scan over an axis of x: each iteration changes its row, or returns the row before it."""
        if self.opset < 9 or not 0 < x.rank < MAX_RANK or x.kind == "STRING":
            return False
        # ONNX's evaluator has only scans of axis 0, forwards.
        axis = self.below(0, x.rank - 1) if self.chance(0.3) else 0
        rest, kind = x.dims[:axis] + x.dims[axis + 1 :], getattr(TensorProto, x.kind)
        # onnxruntime crashes if it turns the axes of a tensor without elements.
        if len(set(x.dims[axis])) > 1 or x.dims[axis][0] > 8 or any(0 in d for d in x.dims):
            return False
        row = self.name()
        nodes, made, dims = self.changed(x, rest, row)
        given, results, states = [of_type(row, kind)], [of_type(made, kind)], []
        if self.chance(0.4) and dims == rest:  # the state is the row before: the first row, then the one that was made
            before, last = self.name(), self.name()
            nodes += [self.inner("Identity", [made], [last])]
            given, results = [of_type(before, kind), *given], [of_type(last, kind), of_type(self.name(), kind)]
            nodes += [self.inner("Identity", [before], [results[1].name])]
            states = [self.emit("Gather", [x.name, self.constant(np.array(0))], axis=axis)]
        axes = {"scan_input_axes": [axis], "num_scan_inputs": 1}
        if self.chance(0.15):
            axes["scan_input_directions"] = [1]
        place = self.below(0, len(dims)) if self.chance(0.2) else 0
        if place:
            axes["scan_output_axes"] = [place]
        if self.chance(0.15):
            axes["scan_output_directions"] = [1]
        dims = [*dims[:place], x.dims[axis], *dims[place:]]
        if not self.fits(dims):
            return False
        body = helper.make_graph(nodes, self.name(), given, results)
        names = [self.name() for _ in results]
        self.nodes.append(helper.make_node("Scan", [*states, x.name], names, self.node_name(names[-1]), body=body, **axes))
        low, high = min(x.low, -x.high), max(x.high, -x.low)
        self.pool.append(type(x)(names[-1], x.kind, dims, low, high, x.exact))
        return True
