#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random models that OpenVINO writes, against what it computes of them.

    random_models.py --reshapec build/reshapec --work DIR --seed 1 --count 100

Each is a chain of one to four layers that move elements, of known sizes or of some that are open. OpenVINO (the package
`openvino` of tests/requirements-soak.txt) checks the layers, writes the model and computes the result, in a process of its own,
for it may die; tensors without elements are left out, for which it does. Of its results for one model, by the CPU's plugin and by
its reference implementation, one has to be ours: both are wrong at times.
"""

import argparse
import collections
import math
import multiprocessing
import os
import random
import re
import subprocess
import sys

import numpy as np
import openvino as ov
from openvino import opset1, opset2, opset7, opset8, opset13

MOST_ELEMENTS = 20000
TYPES = {"f32": np.float32, "i32": np.int32, "u8": np.uint8, "i64": np.int64}
BOUNDS = [0, 1, -1, 2, -2, 3, 5, -5, 100, -100, 2**31 - 1, -(2**31) + 1, 2**63 - 1, -(2**63)]


class Dead(Exception):
    """This layer does not go here."""


def shape_of(value):
    return list(value.get_partial_shape().to_shape())


class Maker:
    def __init__(self, seed):
        self.dice = random.Random(seed)

    def pick(self, *options):
        return self.dice.choice(options)

    def chance(self, p):
        return self.dice.random() < p

    def list(self, numbers):
        return opset13.constant(np.array(numbers, self.pick(np.int64, np.int64, np.int32)))

    def axis(self, dims):
        """An axis as it is written, and counted from the front."""
        if not dims:
            raise Dead
        at = self.dice.randrange(len(dims))
        return at - len(dims) * self.dice.randrange(2), at

    # -- one layer each: gives its result --

    def reshape(self, x, dims):
        target, left = [], math.prod(dims)
        while left > 1 and self.chance(0.8) and len(target) < 4:
            target.append(self.dice.choice([d for d in range(1, left + 1) if left % d == 0]))
            left //= target[-1]
        target.append(left)
        special = self.chance(0.5)
        for i in range(min(len(target), len(dims)) if special else 0):
            target[i] = 0 if target[i] == dims[i] and self.chance(0.5) else target[i]
        if self.chance(0.4):
            target[self.dice.randrange(len(target))] = -1
        return opset13.reshape(x, self.list(target), special)

    def reshape_by_shape(self, x, dims):
        order = self.dice.sample(range(len(dims)), len(dims))
        sizes = opset13.shape_of(x, self.pick("i64", "i32"))
        return opset13.reshape(x, opset13.gather(sizes, self.list(order), self.list(0)), self.chance(0.5))

    def transpose(self, x, dims):
        return opset13.transpose(x, self.list(self.dice.sample(range(len(dims)), len(dims)) if self.chance(0.85) else []))

    def squeeze(self, x, dims):
        ones = [i for i, d in enumerate(dims) if d == 1]
        return opset13.squeeze(x, self.list([i - len(dims) * self.dice.randrange(2) for i in self.dice.sample(ones, self.dice.randint(0, len(ones)))]))

    def unsqueeze(self, x, dims):
        rank = len(dims) + self.pick(1, 2)
        axes = [i - rank * self.dice.randrange(2) for i in self.dice.sample(range(rank), rank - len(dims))]
        return opset13.unsqueeze(x, self.list(axes if len(axes) > 1 or self.chance(0.7) else axes[0]))

    def concat(self, x, dims):
        return opset13.concat([x] * self.pick(1, 2, 3), self.axis(dims)[0])

    def split(self, x, dims):
        axis, at = self.axis(dims)
        parts = self.dice.choice([d for d in range(1, 5) if dims[at] % d == 0])
        return opset13.split(x, self.list(axis), parts).output(self.dice.randrange(parts))

    def variadic_split(self, x, dims):
        axis, at = self.axis(dims)
        lengths, left = [], dims[at]
        for _ in range(self.pick(1, 2, 3)):
            lengths.append(self.dice.randint(0, left))
            left -= lengths[-1]
        lengths.append(left)
        if self.chance(0.5):
            lengths[self.dice.randrange(len(lengths))] = -1
        return opset13.variadic_split(x, self.list(axis), self.list(lengths)).output(self.dice.randrange(len(lengths)))

    def slice(self, x, dims):
        axes = self.dice.sample(range(len(dims)), self.dice.randint(1, max(len(dims), 1)) if dims else 0)
        lists = [[self.dice.choice(BOUNDS) for _ in axes], [self.dice.choice(BOUNDS) for _ in axes],
                 [self.pick(1, 1, 1, 2, -1, -2, 3) for _ in axes], [a - len(dims) * self.dice.randrange(2) for a in axes]]  # fmt: skip
        return opset8.slice(x, *[opset13.constant(np.array(n, np.int64)) for n in lists])

    def strided_slice(self, x, dims):
        count = self.dice.randint(0, len(dims) + 1)
        lists = [[self.pick(0, 0, 1, -1, 2, -2, 3, 5, -5, 100) for _ in range(count)] for _ in range(2)]
        lists.append([self.pick(1, 1, 1, 2, -1) for _ in range(count)])
        masks = [[int(self.chance(p)) for _ in range(count)] for p in (0.2, 0.2, 0.1, 0.15, 0)]
        if count and self.chance(0.3):
            masks[-1][self.dice.randrange(count)] = 1
        return opset1.strided_slice(x, *[opset13.constant(np.array(n, np.int64)) for n in lists], *masks)

    def indices(self, dims, least, size):
        if size == 0:
            raise Dead
        kind = self.pick(np.int32, np.int64)
        return opset13.constant(np.array([self.dice.randrange(least, size) for _ in range(math.prod(dims))], kind).reshape(dims))

    def gather(self, x, dims):
        axis, at = self.axis(dims)
        least = self.pick(0, -dims[at])
        layer = opset8.gather if least else self.pick(opset8.gather, opset7.gather)
        return layer(x, self.indices(self.pick([], [2], [3], [2, 2], [1, 3]), least, dims[at]), self.list(axis), 0)

    def gather_elements(self, x, dims):
        axis, at = self.axis(dims)
        return opset13.gather_elements(x, self.indices([d if i != at else self.pick(1, 2, 3) for i, d in enumerate(dims)], -dims[at], dims[at]), axis)

    def gather_nd(self, x, dims):
        batch = self.dice.randint(0, min(len(dims) - 1, 2))
        length = self.dice.randint(1, len(dims) - batch)
        indices = self.indices(dims[:batch] + self.pick([], [2], [2, 2]) + [length], 0, min(dims[batch : batch + length]))
        return opset8.gather_nd(x, indices, batch)

    def pad(self, x, dims):
        mode = self.pick("constant", "edge", "reflect", "symmetric")
        amounts = [[], []]
        for d in dims:
            most = min(3, {"reflect": d - 1, "symmetric": d}.get(mode, 3))
            both = [self.dice.randint(0, most), self.dice.randint(0, most)]
            if self.chance(0.3):
                both[self.dice.randrange(2)] = -self.dice.randint(0, min(d - 1, 2))
            for list_, n in zip(amounts, both):
                list_.append(n)
        value = [opset13.constant(np.array(3, x.get_element_type().to_dtype()))] * (mode == "constant" and self.chance(0.7))
        return opset13.pad(x, self.list(amounts[0]), self.list(amounts[1]), mode, *value)

    def tile(self, x, dims):
        return opset13.tile(x, self.list([self.pick(1, 2, 3) for _ in range(max(0, len(dims) + self.pick(-1, 0, 1)))]))

    def broadcast(self, x, dims):
        mode = self.pick("numpy", "bidirectional", "explicit")
        fits = [d if d != 1 or self.chance(0.5) else self.pick(1, 2, 3) for d in dims]
        if mode == "explicit":
            rank = len(dims) + self.pick(0, 1, 2)
            axes = sorted(self.dice.sample(range(rank), len(dims)))
            target = [self.pick(1, 2, 3) for _ in range(rank)]
            for size, axis in zip(fits, axes):
                target[axis] = size
            return opset13.broadcast(x, self.list(target), self.list(axes), mode)
        if mode == "bidirectional":
            fits = [1 if self.chance(0.3) else d for d in fits][self.pick(0, 0, 1) :]
        return opset13.broadcast(x, self.list([self.pick(1, 2, 3) for _ in range(self.pick(0, 1, 2))] + fits), broadcast_spec=mode)

    def depth_to_space(self, x, dims):
        return opset13.depth_to_space(x, self.pick("blocks_first", "depth_first"), self.pick(1, 2))

    def space_to_depth(self, x, dims):
        return opset13.space_to_depth(x, self.pick("blocks_first", "depth_first"), self.pick(1, 2, 3))

    def reverse_sequence(self, x, dims):
        batch, time = self.dice.sample(range(len(dims)), 2)
        lengths = opset13.constant(np.array([self.dice.randint(1, dims[time]) for _ in range(dims[batch])], np.int32))
        return opset13.reverse_sequence(x, lengths, batch - len(dims) * self.dice.randrange(2), time - len(dims) * self.dice.randrange(2))

    def roll(self, x, dims):
        axes = [self.axis(dims)[0] for _ in range(self.pick(1, 2))]
        return opset13.roll(x, self.list([self.dice.randint(-7, 7) for _ in axes]), self.list(axes))

    def gather_in_batches(self, x, dims):
        batch = self.dice.randint(0, len(dims) - 1)
        at = self.dice.randint(batch, len(dims) - 1)
        indices = self.indices(dims[:batch] + self.pick([], [2], [3, 2]), -dims[at], dims[at])
        return opset8.gather(x, indices, self.list(at - len(dims) * self.pick(0, 1)), batch)

    def shuffle_channels(self, x, dims):
        axis, at = self.axis(dims)
        return opset13.shuffle_channels(x, axis, self.dice.choice([d for d in range(1, 9) if dims[at] % d == 0]))

    def batch_to_space(self, x, dims):
        blocks = [1] + [self.pick(1, 1, 2, 3) for _ in dims[1:]]
        begin = [0] + [self.dice.randint(0, min(1, d * b - 1)) for d, b in zip(dims[1:], blocks[1:])]
        end = [0] + [self.dice.randint(0, min(1, d * b - 1 - c)) for d, b, c in zip(dims[1:], blocks[1:], begin[1:])]
        return opset2.batch_to_space(x, *[opset13.constant(np.array(n, np.int64)) for n in (blocks, begin, end)])

    def computed(self, x, dims, numbers):
        """A list of which some entries are sizes less a number."""
        sizes, entries = opset13.shape_of(x, "i64"), []
        for n in numbers:
            axis = self.dice.randrange(len(dims))
            size = opset8.gather(sizes, opset13.constant(np.array([axis], np.int64)), opset13.constant(np.int64(0)), 0)
            number = opset13.constant(np.array([n], np.int64))
            entries.append(opset13.add(size, opset13.constant(np.array([n - dims[axis]], np.int64))) if self.chance(0.5) else number)
        return opset13.concat(entries, 0)

    def strided_slice_by_sizes(self, x, dims):
        count = self.dice.randint(1, len(dims) + 1)
        lists = [self.computed(x, dims, [self.pick(*options) for _ in range(count)]) for options in ((0, 0, 1, -1, 2, -2), (1, 2, 3, -1, 5, 100))]
        lists.append(opset13.constant(np.array([self.pick(1, 1, 2) for _ in range(count)], np.int64)))
        masks = [[int(self.chance(p)) for _ in range(count)] for p in (0.3, 0.3, 0.1, 0.1, 0)]
        return opset1.strided_slice(x, *lists, *masks)

    def variadic_split_by_sizes(self, x, dims):
        axis, at = self.axis(dims)
        first = self.dice.randint(0, dims[at])
        return opset13.variadic_split(x, self.list(axis), self.computed(x, dims, [first, dims[at] - first])).output(self.pick(0, 1))

    def convert(self, x, dims):
        return opset13.convert(x, self.pick("f32", "i32", "f16", "i64", "u8", "i8", "boolean"))

    def relu(self, x, dims):
        return opset13.relu(x)

    LAYERS = [reshape, reshape, reshape_by_shape, transpose, squeeze, unsqueeze, concat, split, variadic_split, slice, strided_slice, strided_slice,
              gather, gather_elements, gather_nd, pad, pad, tile, broadcast, broadcast, depth_to_space, space_to_depth, reverse_sequence, roll, convert,
              relu, gather_in_batches, shuffle_channels, batch_to_space, strided_slice_by_sizes, variadic_split_by_sizes]  # fmt: skip

    def layer(self, x):
        for _ in range(40):
            try:
                made = self.dice.choice(self.LAYERS)(self, x, shape_of(x))
                made = made.output(0) if isinstance(made, ov.Node) else made
                if 0 < math.prod(shape_of(made)) <= MOST_ELEMENTS and len(shape_of(made)) <= 8:
                    return made
            except (Dead, RuntimeError, ValueError, TypeError, IndexError):
                pass
        return x

    def model(self):
        """(model, data)"""
        kind, dims = self.dice.choice(list(TYPES)), [self.pick(1, 1, 2, 2, 3, 4, 4, 6, 8) for _ in range(self.pick(1, 2, 3, 4, 5))]
        given = opset13.parameter(dims, TYPES[kind], name="x")
        given.output(0).set_names({"x"})
        value = given.output(0)
        for _ in range(self.pick(1, 2, 3, 4)):
            value = self.layer(value)
        if value.get_node() is given or len(value.get_node().outputs()) > 1:
            value = opset13.relu(value).output(0)
        value.set_names({"y"})
        model = ov.Model([opset13.result(value)], [given], "m")
        data = (np.arange(math.prod(dims)) % 120).reshape(dims).astype(TYPES[kind])
        if self.chance(0.4):
            model.reshape({model.inputs[0]: ov.PartialShape([-1 if self.chance(0.5) else d for d in dims])})
        return model, data


def path_in(work, name):
    return os.path.join(work, name)


def make(work, seed):
    """In a process of its own: writes the model, its data, and both results."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    model, data = Maker(seed).model()
    ov.serialize(model, path_in(work, "m.xml"), path_in(work, "m.bin"))
    np.save(path_in(work, "x.npy"), data)
    compiled = ov.Core().compile_model(path_in(work, "m.xml"), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    result = compiled([data])[0].copy()
    if np.array_equal(result, compiled([data])[0]):  # else it is memory that the plugin did not write
        np.save(path_in(work, "plugin.npy"), result)
    tensor = ov.Tensor(model.outputs[0].get_element_type(), list(result.shape))
    if model.evaluate([tensor], [ov.Tensor(data)]):
        np.save(path_in(work, "reference.npy"), tensor.data)


def load(work, name):
    path = path_in(work, name)
    try:
        return np.load(path) if os.path.exists(path) else None
    except (EOFError, ValueError):  # it died while it wrote
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reshapec", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    options = parser.parse_args()
    work = options.work
    os.makedirs(work, exist_ok=True)
    counts, why = collections.Counter(), collections.Counter()
    for n in range(options.first, options.first + options.count):
        for name in ("m.xml", "x.npy", "y.npy", "plugin.npy", "reference.npy"):
            if os.path.exists(path_in(work, name)):
                os.remove(path_in(work, name))
        maker = multiprocessing.get_context("fork").Process(target=make, args=(work, f"{options.seed} {n}"))
        maker.start()
        maker.join()
        wanted = [w for w in (load(work, "plugin.npy"), load(work, "reference.npy")) if w is not None]
        if not wanted:
            counts["no model"] += 1
            continue
        command = [options.reshapec, "run", path_in(work, "m.xml"), f"x={path_in(work, 'x.npy')}", f"y={path_in(work, 'y.npy')}"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        if done.returncode == 1:
            counts["refused"] += 1
            why[re.sub(r"'[^']*'|\d+", "_", done.stderr.split("error: ")[-1].split("\n")[0])[:100]] += 1
            continue
        got = load(work, "y.npy")
        is_right = got is not None and any(got.dtype == w.dtype and np.array_equal(got, w) for w in wanted)
        counts["right" if is_right else "wrong"] += 1
        if not is_right:
            print(f"model {n} of seed {options.seed}: exit {done.returncode} {done.stderr}\n  {got}\n  {wanted[0]}", flush=True)
    print(", ".join(f"{counts[k]} {k}" for k in ("right", "wrong", "refused", "no model")))
    print(*[f"refused {n}: {k}" for k, n in why.most_common()], sep="\n")
    return 1 if counts["wrong"] or not counts["right"] else 0


if __name__ == "__main__":
    sys.exit(main())
