# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes random graphs that gather with indices from an input, with operators before and after, and numpy's results: a
file for tests/support/indices.py.

    random_picks.py SEED COUNT > file.rsh
"""

import random
import sys

TYPES = ["f16", "f32", "f64", "i8", "u8", "i16", "u16", "i32", "i64"]


class Maker:
    def __init__(self, dice, n):
        self.dice, self.n, self.symbols = dice, n, {}

    def size(self, least=0):
        """A size as the text has it: a number, or a symbol."""
        if self.dice.random() < 0.3:
            name = "ABCDEFGH"[len(self.symbols)] if len(self.symbols) < 8 else None
            if name:
                self.symbols[name] = least
                return name
        return str(self.dice.choice([n for n in (1, 1, 2, 3, 4, 5, 8, 0) if n >= least]))

    def shape(self, rank, least=0):
        return [self.size(least) for _ in range(rank)]

    def before(self, dims):
        """What is done with the data first: text, numpy, sizes."""
        kind = self.dice.choice(["", "", "", "transpose", "flip", "identity"])
        if kind == "transpose" and len(dims) > 1:
            order = self.dice.sample(range(len(dims)), len(dims))
            return f"transpose(x, {order})", f"x.transpose({order})", [dims[k] for k in order]
        if kind == "flip":
            axis = self.dice.randrange(len(dims))
            return f"flip(x, {axis})", f"np.flip(x, {axis})", dims
        return "x", "x", dims

    def after(self, text, expected, rank):
        kind = self.dice.choice(["", "", "", "transpose", "flip", "cast"])
        if kind == "transpose" and rank > 1:
            order = self.dice.sample(range(rank), rank)
            return f"transpose({text}, {order})", f"({expected}).transpose({order})"
        if kind == "flip" and rank > 0:
            axis = self.dice.randrange(rank)
            return f"flip({text}, {axis})", f"np.flip({expected}, {axis})"
        return text, expected

    def indices(self):
        """How they are given: type, text, numpy; each of them is used."""
        kind = self.dice.choice(["i32", "i64", "i8", "u8", "flip", "i64"])
        if kind in ("i8", "u8"):
            return kind, f"cast(i, {self.dice.choice(['i32', 'i64'])})", "i.astype('i8')"
        if kind == "flip":
            return "i64", "flip(i, 0)", "i[::-1]"
        return kind, "i", "i"

    def graph(self):
        op = self.dice.choice(["gather", "gather", "gather_elements", "gather_nd"])
        rank = self.dice.randint(1, 4)
        dims = self.shape(rank, 1)
        source, x, data = self.before(dims)
        kind, text, i = self.indices()
        conditions, at = [], []
        axis = self.dice.randrange(rank)
        if op == "gather":
            at, bound = self.shape(self.dice.randint(1, 2)), data[axis]
            made, expected = f"gather({source}, {text}, {axis})", f"np.take({x}, {i}, axis={axis})"
            rank += len(at) - 1
        elif op == "gather_elements":
            at = [*data]
            at[axis], bound = self.size(), data[axis]
            made, expected = f"gather_elements({source}, {text}, {axis})", f"np.take_along_axis({x}, {i}, axis={axis})"
        else:
            length = self.dice.randint(1, rank)
            batches = self.dice.choice([0, 0, *range(rank - length + 1)])
            at = [*data[:batches], *self.shape(self.dice.randint(0, 2)), str(length)]
            bound = "min(" + ", ".join([*data[batches : batches + length], "99"]) + ")"
            if self.dice.random() < 0.5:  # so that one past an end of one axis is past that of all
                side = self.dice.choice("23")
                data = data[:batches] + [side] * length + data[batches + length :]
                source, x, dims, bound = "x", "x", data, side
            else:
                length, at, bound = 1, [*data[:batches], *self.shape(1), "1"], data[batches]
            made, expected = f"gather_nd({source}, {text}, {batches})", f"gather_nd({x}, {i}, {batches})"
            rank = len(at) - 1 + len(data) - batches - length
        if kind == "u8":
            return None  # has no numbers below 0
        result, wanted = self.after(made, expected, rank)
        lines = []
        for _ in range(3 if self.symbols else 1):
            sizes = {s: self.dice.choice([0, 1, 1, 2, 3, 5]) for s in self.symbols}
            lines += ["# SIZES " + " ".join(f"{s}={v}" for s, v in sizes.items())] if sizes else []
        lines += [f"# INDEX i {bound}", f"# EXPECT y = {wanted}"]
        lines += [f"graph g{self.n}(x: {self.dice.choice(TYPES)}[{', '.join(dims)}], i: {kind}[{', '.join(at)}]) -> y {{"]
        lines += [f"    y = {result}", "}"]
        return "\n".join(lines)


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    for n in range(count):
        text = None
        while not text:
            text = Maker(random.Random(f"{seed} {n} {text}"), n).graph()
            seed += 0 if text else 1000
        print(text)


main()
