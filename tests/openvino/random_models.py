#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random models that OpenVINO writes, against what it computes of them.

    random_models.py --reshapec build/reshapec --work DIR --seed 1 --count 100

Each is a chain of one to four layers that move elements, of known sizes or of some that are open; numbers in its lists may be
computed from sizes. OpenVINO (the package `openvino` of tests/requirements-soak.txt) checks the layers, writes the model and
computes the results, in a process of its own, for it may die; tensors without elements are left out, for which it does. A model
with open sizes runs at the sizes that it was made for, and at others; each fourth model is also verified. Of OpenVINO's results
for one call, by the CPU's plugin and by its reference implementation, one has to be ours: both are wrong at times.
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
OTHER_SIZES = 2  # calls of a model with open sizes, after the one that it was made for
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

    def pad_amounts(self, dims, mode):
        """At the beginning and at the end of each axis. One of both may crop, also next to one that repeats elements."""
        amounts = [[], []]
        for d in dims:
            most = min(3, {"reflect": d - 1, "symmetric": d}.get(mode, 3))
            both = [self.dice.randint(0, most), self.dice.randint(0, most)]
            if self.chance(0.3):
                both[self.dice.randrange(2)] = -self.dice.randint(0, min(d - 1, 2))
            for list_, n in zip(amounts, both):
                list_.append(n)
        return amounts

    def pad(self, x, dims):
        mode = self.pick("constant", "edge", "reflect", "symmetric")
        amounts = self.pad_amounts(dims, mode)
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

    # -- numbers that are computed from sizes --

    def i64(self, *numbers):
        return opset13.constant(np.array(numbers, np.int64))

    def size(self, x, dims):
        """A product of sizes, as a list of one number, and its value."""
        sizes = opset13.shape_of(x, "i64")
        if self.chance(0.3):
            sizes = opset13.convert(opset13.shape_of(x, "i32"), "i64")
        first = self.dice.randrange(len(dims))
        last = first + (self.dice.randint(1, len(dims) - first) if self.chance(0.3) else 1)
        if last == first + 1 and self.chance(0.5):
            return opset8.gather(sizes, self.i64(first), self.i64(0), 0), dims[first]
        part = opset8.slice(sizes, self.i64(first), self.i64(last), self.i64(1), self.i64(0))
        return opset13.reduce_prod(part, self.i64(0), True), math.prod(dims[first:last])

    def number(self, x, dims, n):
        """A list of one number, which is n for these sizes."""
        if not dims or self.chance(0.35):
            return self.i64(n)
        (size, s), k = self.size(x, dims), self.pick(2, 2, 3, 4)
        if n > 0 and s % n == 0 and self.chance(0.4):
            return opset13.divide(size, self.i64(s // n))
        if s and n and n % s == 0 and self.chance(0.4):
            return opset13.multiply(size, self.i64(n // s))
        kind = self.dice.randrange(7)
        if kind == 0:
            size, s = opset13.divide(size, self.i64(k)), s // k
        elif kind == 1:
            size, s = opset13.divide(opset13.add(size, self.i64(k - 1)), self.i64(k)), (s + k - 1) // k
        elif kind == 2:
            size, s = opset13.floor_mod(size, self.i64(k)), s % k
        elif kind == 3:
            size, s = opset13.minimum(size, self.i64(k)), min(s, k)
        elif kind == 4:
            size, s = opset13.maximum(size, self.i64(k)), max(s, k)
        elif kind == 5:
            other, o = self.size(x, dims)
            size, s = opset13.select(opset13.greater(size, self.i64(k)), size, other), s if s > k else o
        return size if s == n else opset13.add(size, self.i64(n - s)) if self.chance(0.5) else opset13.subtract(size, self.i64(s - n))

    def numbers(self, x, dims, list_):
        return opset13.concat([self.number(x, dims, n) for n in list_], 0)

    def reshape_by_numbers(self, x, dims):
        target, left = [], math.prod(dims)
        while left > 1 and self.chance(0.8) and len(target) < 4:
            target.append(self.dice.choice([d for d in range(1, left + 1) if left % d == 0]))
            left //= target[-1]
        target.append(left)
        list_ = [self.number(x, dims, n) for n in target]
        if self.chance(0.4):
            list_[self.dice.randrange(len(list_))] = self.i64(-1)
        return opset13.reshape(x, opset13.concat(list_, 0), False)

    def reshape_by_sizes(self, x, dims):
        """Neighbors become one axis, and axes become two: [B, C * H, W / 2, 2]."""
        sizes, entries, at = opset13.shape_of(x, self.pick("i64", "i64", "i32")), [], 0
        constant = self.i64 if sizes.get_element_type() == ov.Type.i64 else lambda n: opset13.constant(np.array([n], np.int32))
        while at < len(dims):
            count = self.dice.randint(1, len(dims) - at)
            size = opset13.reduce_prod(opset8.slice(sizes, self.i64(at), self.i64(at + count), self.i64(1), self.i64(0)), self.i64(0), True)
            k = self.dice.choice([d for d in (1, 1, 1, 2, 3, 4) if math.prod(dims[at : at + count]) % d == 0])
            entries += [size] if k == 1 else self.pick([constant(k), opset13.divide(size, constant(k))], [opset13.divide(size, constant(k)), constant(k)])
            at += count
        if self.chance(0.4):
            entries[self.dice.randrange(len(entries))] = constant(-1)
        return opset13.reshape(x, opset13.concat(entries, 0), self.chance(0.3))

    def tile_by_numbers(self, x, dims):
        return opset13.tile(x, self.numbers(x, dims, [self.pick(1, 1, 2, 3) for _ in dims]))

    def broadcast_by_numbers(self, x, dims):
        fits = [d if d != 1 or self.chance(0.5) else self.pick(1, 2, 3) for d in dims]
        target = [self.pick(1, 2, 3) for _ in range(self.pick(0, 1, 2))] + fits
        return opset13.broadcast(x, self.numbers(x, dims, target), broadcast_spec=self.pick("numpy", "bidirectional"))

    def pad_by_numbers(self, x, dims):
        mode = self.pick("constant", "edge", "reflect", "symmetric")
        value = [opset13.constant(np.array(3, x.get_element_type().to_dtype()))] * (mode == "constant")
        return opset13.pad(x, *[self.numbers(x, dims, n) for n in self.pad_amounts(dims, mode)], mode, *value)

    def slice_by_numbers(self, x, dims):
        axes = self.dice.sample(range(len(dims)), self.dice.randint(1, len(dims)))
        lists = [[self.pick(0, 0, 1, -1, -2, dims[a] // 2, -dims[a]) for a in axes], [self.pick(1, 2, 3, -1, dims[a], dims[a] // 2, 100) for a in axes]]
        steps = [self.pick(1, 1, 1, 2) for _ in axes]
        return opset8.slice(x, *[self.numbers(x, dims, n) for n in lists], self.i64(*steps), self.i64(*axes))

    def gather_by_numbers(self, x, dims):
        at = self.dice.randrange(len(dims))
        if self.chance(0.5):
            return opset8.gather(x, self.numbers(x, dims, [self.dice.randrange(dims[at]) for _ in range(self.pick(1, 2, 3))]), self.i64(at), 0)
        scalar = [opset13.squeeze(self.number(x, dims, n), self.i64(0)) for n in self.pick((0, dims[at]), (dims[at] // 2, dims[at]))]
        rows = opset13.constant(np.int64(self.pick(1, 1, 2)))
        return opset8.gather(x, opset13.range(*scalar, rows, "i64"), self.i64(at), 0)

    def strided_slice_by_numbers(self, x, dims):
        count = self.dice.randint(1, len(dims) + 1)
        lists = [self.numbers(x, dims, [self.pick(*options) for _ in range(count)]) for options in ((0, 0, 1, -1, 2, -2), (1, 2, 3, -1, 5, 100))]
        lists.append(self.i64(*[self.pick(1, 1, 2) for _ in range(count)]))
        masks = [[int(self.chance(p)) for _ in range(count)] for p in (0.3, 0.3, 0.1, 0.1, 0)]
        return opset1.strided_slice(x, *lists, *masks)

    def variadic_split_by_numbers(self, x, dims):
        axis, at = self.axis(dims)
        first = self.dice.randint(0, dims[at])
        return opset13.variadic_split(x, self.list(axis), self.numbers(x, dims, [first, dims[at] - first])).output(self.pick(0, 1))

    def scatter_update(self, x, dims):
        axis, at = self.axis(dims)
        rows = self.dice.sample(range(dims[at]), self.dice.randint(1, min(3, dims[at])))
        return opset13.scatter_update(x, self.i64(*rows), self.updates(x, dims[:at] + [len(rows)] + dims[at + 1 :]), self.list(axis))

    def scatter_nd_update(self, x, dims):
        length = self.dice.randint(1, len(dims))
        rows = [[self.dice.randrange(d) for d in dims[:length]]]
        return opset13.scatter_nd_update(x, opset13.constant(np.array(rows, np.int64)), self.updates(x, [1] + dims[length:]))

    def updates(self, x, dims):
        return opset13.constant((np.arange(math.prod(dims)) % 50 + 1).reshape(dims).astype(x.get_element_type().to_dtype()))

    def space_to_batch(self, x, dims):
        blocks = [1] + [self.pick(1, 1, 2, 3) for _ in dims[1:]]
        begin = [0] + [self.pick(0, 0, 1) for _ in dims[1:]]
        end = [0] + [-(d + b) % k for d, b, k in zip(dims[1:], begin[1:], blocks[1:])]
        return opset2.space_to_batch(x, self.i64(*blocks), self.i64(*begin), self.i64(*end))

    def convert_like(self, x, dims):
        return opset13.convert_like(x, opset13.constant(np.array(0, self.pick(np.float32, np.int32, np.uint8, np.int64))))

    def with_itself(self, x, dims):
        """Two layers of x, concatenated."""
        axis, at = self.axis(dims)
        parts = [self.layer(x), self.layer(x)]
        shapes = [shape_of(p) for p in parts]
        if len(shapes[0]) != len(shapes[1]) or any(a != b for i, (a, b) in enumerate(zip(*shapes)) if i != at % len(shapes[0])):
            raise Dead
        return opset13.concat(parts, axis)

    def convert(self, x, dims):
        return opset13.convert(x, self.pick("f32", "i32", "f16", "i64", "u8", "i8", "boolean"))

    def relu(self, x, dims):
        return opset13.relu(x)

    LAYERS = [reshape, reshape, reshape_by_shape, transpose, squeeze, unsqueeze, concat, split, variadic_split, slice, strided_slice, strided_slice,
              gather, gather_elements, gather_nd, pad, pad, tile, broadcast, broadcast, depth_to_space, space_to_depth, reverse_sequence, roll, convert,
              relu, gather_in_batches, shuffle_channels, batch_to_space, strided_slice_by_numbers, variadic_split_by_numbers, reshape_by_numbers, reshape_by_sizes, reshape_by_sizes,
              tile_by_numbers, broadcast_by_numbers, pad_by_numbers, slice_by_numbers, gather_by_numbers, scatter_update, scatter_nd_update,
              space_to_batch, convert_like, with_itself]  # fmt: skip

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

    def data(self, dims, kind):
        return (np.arange(math.prod(dims)) % 120).reshape(dims).astype(TYPES[kind])

    def model(self):
        """(model, data of each call)"""
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
        calls = [self.data(dims, kind)]
        if self.chance(0.7):
            is_open = [self.chance(0.5) for _ in dims]
            model.reshape({model.inputs[0]: ov.PartialShape([-1 if o else d for o, d in zip(is_open, dims)])})
            for _ in range(OTHER_SIZES if any(is_open) else 0):
                calls.append(self.data([self.pick(1, 2, 3, 4, 5, 6, 8, 9) if o else d for o, d in zip(is_open, dims)], kind))
        return model, calls


def path_in(work, name):
    return os.path.join(work, name)


def make(work, seed):
    """In a process of its own: writes the model, the data of each call, and both results."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    model, calls = Maker(seed).model()
    ov.serialize(model, path_in(work, "m.xml"), path_in(work, "m.bin"))
    compiled = ov.Core().compile_model(path_in(work, "m.xml"), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    for k, data in enumerate(calls):
        try:
            result = compiled([data])[0].copy()
        except RuntimeError:  # it refuses these sizes
            continue
        if result.size == 0:
            continue
        if np.array_equal(result, compiled([data])[0]):  # else it is memory that the plugin did not write
            np.save(path_in(work, f"plugin{k}.npy"), result)
        tensor = ov.Tensor(model.outputs[0].get_element_type(), list(result.shape))
        if model.evaluate([tensor], [ov.Tensor(data)]):
            np.save(path_in(work, f"reference{k}.npy"), tensor.data)
        np.save(path_in(work, f"x{k}.npy"), data)


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
    parser.add_argument("--refused", action="store_true", help="print calls that are refused")
    options = parser.parse_args()
    work = options.work
    os.makedirs(work, exist_ok=True)
    counts, why = collections.Counter(), collections.Counter()
    for n in range(options.first, options.first + options.count):
        for name in os.listdir(work):
            os.remove(path_in(work, name))
        maker = multiprocessing.get_context("fork").Process(target=make, args=(work, f"{options.seed} {n}"))
        maker.start()
        maker.join()
        counts["models"] += 1
        if n % 4 == 0 and os.path.exists(path_in(work, "m.xml")):
            command = [options.reshapec, path_in(work, "m.xml"), "-fverify", "-o", path_in(work, "m.o"), "--header", path_in(work, "m.h")]
            done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
            counts["verified"] += done.returncode == 0
            if done.returncode not in (0, 1):
                counts["wrong"] += 1
                print(f"model {n} of seed {options.seed}: exit {done.returncode} {done.stderr}", flush=True)
        for k in range(1 + OTHER_SIZES):
            given = load(work, f"x{k}.npy")
            wanted = [w for w in (load(work, f"plugin{k}.npy"), load(work, f"reference{k}.npy")) if w is not None]
            if given is None or not wanted:
                continue
            command = [options.reshapec, "run", path_in(work, "m.xml"), f"x={path_in(work, f'x{k}.npy')}", f"y={path_in(work, f'y{k}.npy')}"]
            done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
            got = load(work, f"y{k}.npy")
            if done.returncode == 1:
                reason = re.sub(r"'[^']*'|\d+", "_", done.stderr.split("error: ")[-1].split("\n")[0])[:100]
                counts["refused"] += 1
                why[reason] += 1
                if options.refused:
                    print(f"call {k} of model {n} of seed {options.seed} is refused: {reason}", flush=True)
            elif got is not None and any(got.dtype == w.dtype and np.array_equal(got, w) for w in wanted):
                counts["right"] += 1
            else:
                counts["wrong"] += 1
                print(f"call {k} of model {n} of seed {options.seed}: exit {done.returncode} {done.stderr}\n  {got}\n  {wanted[0]}", flush=True)
    print(", ".join(f"{counts[k]} {k}" for k in ("models", "verified", "right", "wrong", "refused")))
    print(*[f"refused {n}: {k}" for k, n in why.most_common()], sep="\n")
    return 1 if counts["wrong"] or not counts["right"] else 0


if __name__ == "__main__":
    sys.exit(main())
