# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the moves of graphs with open sizes without code: eight times as many graphs in the same time.

This covers what the compiler decides before it emits code: sizes, conditions and moves. It omits graphs with
element-wise functions other than casts, and graphs that gather by index tensors unless they are dynamic.
"""

import ctypes
import os
import shlex
import subprocess

import numpy as np

from elements import BITS
from harness import POISON
from tiers import Wrong

LEFT = {-1: "refused by the compiler", -2: "beyond moves"}
FAULTS = {-3: "a move reads or writes outside of a tensor", -4: "an element is written twice, or never"}
RANK = 16


class Given(ctypes.Structure):
    _fields_ = [("sizes", ctypes.c_int32), ("inputs", ctypes.c_int32)] + [(n, ctypes.c_void_p) for n in (
        "size_name", "size", "input_name", "input", "input_bytes", "output", "output_bits", "dims")]


def texts(names):
    return (ctypes.c_char_p * len(names))(*[n.encode() for n in names])


def longs(numbers):
    return (ctypes.c_int64 * len(numbers))(*numbers)


def addresses(arrays):
    return (ctypes.c_void_p * len(arrays))(*[a.ctypes.data for a in arrays])


class Folded:
    """Inputs/folded.c with libreshapec.a."""

    def __init__(self, cc, flags, libs, work, statuses):
        here = os.path.dirname(os.path.abspath(__file__))
        path = os.path.join(work, "folded.so")
        subprocess.run([*shlex.split(cc), *shlex.split(flags), "-shared", "-o", path, os.path.join(here, "Inputs", "folded.c"), *shlex.split(libs)], check=True)
        self.library, self.statuses = ctypes.CDLL(os.path.abspath(path)), statuses
        self.library.folded_open.restype = ctypes.c_void_p

    def open(self, text):
        self.text = ctypes.c_void_p(self.library.folded_open(text.encode()))

    def run(self, name, want):
        """Calls a graph of the text and checks status, sizes and bytes. Returns "run", or why the graph was not run."""
        given, is_dynamic = want.bytes_given(), name[0] == "d"
        outputs = list(want.graph.outputs)
        is_ok = want.status == "ok" and want.of_indices == "ok"
        bits = [want.values[o].size * BITS[want.dtypes[o]] if is_ok else 0 for o in outputs] + [16] * is_dynamic
        results = [np.full(-(-n // 8), POISON, np.uint8) for n in bits]
        dims = np.full(len(bits) * RANK, -7, np.int64)
        lists = [texts(want.symbols), longs(list(want.symbols.values())), texts(given), addresses(list(given.values())),
                 longs([d.size for d in given.values()]), addresses(results), longs(bits), dims.ctypes]
        at = [ctypes.addressof(i) if isinstance(i, ctypes.Array) else i.data for i in lists]
        if not is_ok:
            at[5] = None
        status = self.library.folded_call(self.text, name.encode(), ctypes.byref(Given(len(want.symbols), len(given), *at)))
        if status in LEFT:
            return LEFT[status]
        if status in FAULTS:
            raise Wrong(FAULTS[status])
        said = self.statuses[status]
        if said != want.status and (said == "ok" or want.status == "ok"):
            raise Wrong(f"status {said}, not {want.status}")
        for k, o in enumerate(outputs if is_ok else []):
            found = [int(d) for d in dims[k * RANK : (k + 1) * RANK] if d != -7]
            if found != list(want.values[o].shape):
                raise Wrong(f"sizes of {o}: {found}, not {list(want.values[o].shape)}")
            if bits[k] % 8:  # the bits after the last element
                results[k][-1] &= (1 << bits[k] % 8) - 1
            if (at := want.differs(o, results[k])) is not None:
                raise Wrong(f"{o}: element {at} is wrong")
        return "run"
