# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Traced methods: of instances, classes and neither."""
import dataclasses
import gc
import pickle
import weakref

import numpy as np

import reshapec as rs
from refused import refused

x = np.arange(6, dtype="f4").reshape(2, 3)
runs = []


@dataclasses.dataclass(eq=True)  # has no hash
class Scale:
    factor: float

    @rs.jit
    def turned(self, a):
        """The transpose, scaled."""
        runs.append(self.factor)
        return a.T * self.factor

    @rs.jit(threads=2)
    def both(self, a, b):
        return rs.concat([a, b]) * self.factor

    @rs.jit
    @classmethod
    def of_class(cls, a):
        return a.reshape(-1) + len(cls.__name__)

    @rs.jit
    @staticmethod
    def of_none(a):
        return a[::-1]

    @staticmethod
    @rs.jit
    def of_none_too(a):
        return a[::-1]


class Shifted(Scale):
    @rs.jit
    def turned(self, a):
        return a.T - 1.0


two, three = Scale(2.0), Scale(3.0)
for _ in range(2):
    assert (two.turned(x) == x.T * 2).all() and (three.turned(x) == x.T * 3).all()
    assert (two.both(x, x) == np.concatenate([x, x]) * 2).all()
assert runs == [2.0, 3.0], "an instance is traced once for a shape"
assert two.turned.__doc__ == "The transpose, scaled." and two.turned.__name__ == "turned"
assert "mul" in two.turned.explain(x) and two.turned.kernel(x)(x).shape == (3, 2)
out = np.empty((3, 2), "f4")
assert two.turned(x, out=out) is out and (out == x.T * 2).all()

assert (Shifted(2.0).turned(x) == x.T - 1).all() and (super(Shifted, Shifted(4.0)).turned(x) == x.T * 4).all()
assert (two.of_class(x) == x.ravel() + 5).all() and (Shifted.of_class(x) == x.ravel() + 7).all()
assert (two.of_none(x) == x[::-1]).all() and (Scale.of_none_too(x) == x[::-1]).all()

# The kernels of an instance end with it, and do not hinder its copies.
again = pickle.loads(pickle.dumps(two))
again.factor = 5.0
assert (again.turned(x) == x.T * 5).all() and (two.turned(x) == x.T * 2).all()
seen = weakref.ref(again)
del again
gc.collect()
assert seen() is None


class Slots:
    __slots__ = ()

    @rs.jit
    def same(self, a):
        return a


refused(rs.CallError, "add '__weakref__' to its __slots__", lambda: Slots().same(x))
