# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layouts of tensors in memory: random layouts and strides, stores and loads.

dims [2, 6] layout "a (b 3) -> b a 3" strides [-8, 4, 1]
store([2, 6] elements)    memory, from the lowest address on; GAP if there is no element
load(memory)              the [2, 6] elements
"""

import math

import numpy as np

GAP = -2  # the element number of gaps between the elements of a result


class Pattern:
    """A layout: splits, permutes and joins axes of the tensor, as text and as numpy calls."""

    def __init__(self, rng, dims):
        self.dims, self.parts, left = dims, [], []
        for axis, size in enumerate(dims):
            inner = [k for k in range(2, size + 1) if size % k == 0]
            if inner and rng.random() < 0.4:
                k = rng.choice(inner)
                self.parts += [size // k, k]
                left.append([f"a{axis}", f"b{axis}={k}"])
            else:
                self.parts.append(size)
                left.append([f"a{axis}"])
        names = [name.split("=")[0] for group in left for name in group]
        self.order = list(range(len(self.parts)))
        rng.shuffle(self.order)
        right, at = [], 0
        while at < len(self.order):
            count = rng.choice([1, 1, 1, 2, 3])
            right.append(self.order[at : at + count])
            at += count
        if rng.random() < 0.2:
            right.insert(rng.randint(0, len(right)), [])  # 1
        self.memory = [math.prod(self.parts[i] for i in group) for group in right]
        sides = [left, [[names[i] for i in group] or ["1"] for group in right]]
        self.text = " -> ".join(" ".join(self.group(names) for names in side) for side in sides)
        self.kinds = ["layout"]
        self.kinds += ["blocked layout"] if len(self.parts) > len(dims) else []

    @staticmethod
    def group(names):
        return names[0] if len(names) == 1 else f"({' '.join(names)})"

    def store(self, x):
        return x.reshape(self.parts).transpose(self.order).reshape(self.memory)

    def load(self, memory):
        opened = memory.reshape([self.parts[i] for i in self.order])
        return opened.transpose(np.argsort(self.order)).reshape(self.dims)


class Strides:
    """Random strides for these sizes, in elements. Elements of a result do not overlap."""

    def __init__(self, rng, dims, is_result):
        axes, self.step, reach = list(range(len(dims))), [0] * len(dims), 0
        if rng.random() < 0.6:
            axes.reverse()  # row-major
        else:
            rng.shuffle(axes)
        self.kinds = ["strides"]
        for i in axes:
            free = not is_result and rng.random() < 0.25
            gap = rng.choice([0, 0, 1, 3])
            step = rng.randint(0, 3) if free else reach + 1 + gap
            reach += step * (dims[i] - 1)
            self.step[i] = step * rng.choice([1, 1, -1])
            if dims[i] > 1:
                self.kinds += ["negative strides"] if self.step[i] < 0 else []
                self.kinds += ["zero strides"] if step == 0 else []
                self.kinds += ["padded rows"] if gap and not free else []
        self.first = sum(-s * (d - 1) for s, d in zip(self.step, dims) if s < 0)
        self.dims, self.span = dims, 1 + reach

    def view(self, memory):
        steps = [s * memory.itemsize for s in self.step]
        return np.lib.stride_tricks.as_strided(memory[self.first :], self.dims, steps)


class Storage:
    """A layout, strides, both, or row-major order."""

    def __init__(self, rng, dims, is_result, plain=False):
        dims = list(dims)
        self.dims, self.memory, self.pattern, self.strides = dims, dims, None, None
        if not plain and 0 not in dims:
            self.pattern = Pattern(rng, dims) if rng.random() < 0.6 else None
            self.memory = self.pattern.memory if self.pattern else dims
            some = rng.random() < (0.4 if self.pattern else 1)
            self.strides = Strides(rng, self.memory, is_result) if some else None
        self.span = self.strides.span if self.strides else math.prod(dims)

    def kinds(self):
        return [k for part in (self.pattern, self.strides) if part for k in part.kinds] or [
            "row-major"
        ]

    def text(self):
        layout = f' layout "{self.pattern.text}"' if self.pattern else ""
        return layout + (f" strides {self.strides.step}" if self.strides else "")

    def load(self, memory):
        stored = self.strides.view(memory) if self.strides else memory.reshape(self.memory)
        return self.pattern.load(stored) if self.pattern else stored

    def store(self, x):
        stored = self.pattern.store(x) if self.pattern else x
        if not self.strides:
            return np.ascontiguousarray(stored).reshape(-1)
        memory = np.full(self.span, GAP, dtype=np.int64)
        self.strides.view(memory)[...] = stored
        return memory
