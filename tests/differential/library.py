# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs graphs with the runtime library, without the compiler: resolves, folds and runs one operator after another."""

import ctypes
import os
import subprocess

import numpy as np

import arithmetic
import oracle
import tiers
from elements import BITS
from graphs import INT64_MAX, INT64_MIN, names_in, number, numbers

RANK, ARGUMENTS = 16, 6
ABSENT, LIST, TEXT, VALUE = range(4)


class Argument(ctypes.Structure):
    _fields_ = [(n, ctypes.c_int32) for n in ("kind", "rank", "count")] + [
        ("list", ctypes.c_void_p), ("text", ctypes.c_char_p), ("dims", ctypes.c_void_p), ("sizes", ctypes.c_uint32)]


class Operands(ctypes.Structure):
    _fields_ = [("count", ctypes.c_int32), ("rank", ctypes.c_void_p), ("dims", ctypes.c_void_p),
                ("types", ctypes.c_void_p)]


class Skipped(Exception):
    """The library does not do this; only the compiler does."""


class Runtime:
    """Inputs/library.c with librsh_runtime.a."""

    def __init__(self, cc, runtime, work, statuses):
        here = os.path.dirname(os.path.abspath(__file__))
        path = os.path.join(work, "library.so")
        root = os.path.join(here, "..", "..")
        subprocess.run([*cc.split(), "-O1", "-shared", "-fPIC", "-I", root, "-o", path,
                        os.path.join(here, "Inputs", "library.c"), runtime], check=True)
        self.library, self.statuses = ctypes.CDLL(os.path.abspath(path)), statuses

    def arguments(self, row, call, want):
        made, kept = (Argument * ARGUMENTS)(), []
        for i, (name, kind) in enumerate(row.arguments.items()):
            if name not in call.attrs or call.attrs[name] == "None":
                continue
            value, to = call.attrs[name], made[i]
            if kind == "dtype":
                raise Skipped
            if kind in ("text", "name"):
                to.kind, to.text = TEXT, value.encode()
                continue
            if kind == "value":
                to.kind, to.text = VALUE, str(value).encode()
                continue
            if kind in ("target", "data") and isinstance(value, str):
                value = number(value, want.env)
            if isinstance(value, list) and not (value and isinstance(value[0], list)):
                to.sizes = sum(1 << k for k, e in enumerate(value[:32]) if any(n not in want.held for n in names_in(e)))
                value = numbers(value, want.env)
            elif isinstance(value, str):
                value = number(value, want.env)
            whole = np.clip(np.array(value, object), INT64_MIN, INT64_MAX)  # a larger u64 fits in no product anyway
            array = np.array(whole, np.int64)
            dims = np.array(array.shape, np.int32)
            kept += [array, dims]
            to.kind, to.rank, to.count = LIST, array.ndim, array.size
            to.list, to.dims = array.ctypes.data, dims.ctypes.data
        return made, kept

    def operands(self, shapes, types):
        rank = np.array([len(s) for s in shapes], np.int32)
        dims = np.zeros((len(shapes), RANK), np.int64)
        for i, s in enumerate(shapes):
            dims[i, : len(s)] = s
        names = (ctypes.c_char_p * len(types))(*[t.encode() for t in types])
        return Operands(len(shapes), rank.ctypes.data, dims.ctypes.data, ctypes.cast(names, ctypes.c_void_p)), (rank, dims, names)

    def plain(self, call, shapes):
        """Returns a call as calls of operators of the table: x[1:, 0] is a slice and a gather."""
        if call.op == "rearrange":
            raise Skipped
        if call.op != "subscript":
            return [call]
        at, made, value = call.attrs["at"], [], call.args[0]
        kind = type(call)
        ranges = [(i, a) for i, a in enumerate(at) if isinstance(a, (list, tuple)) and any(b is not None for b in a)]
        if len(at) > len(shapes[value]):
            raise Skipped
        if ranges:
            steps = [1 if a[2] is None else a[2] for _, a in ranges]
            starts = [(0 if t > 0 else INT64_MAX) if a[0] is None else a[0] for (_, a), t in zip(ranges, steps)]
            ends = [(INT64_MAX if t > 0 else INT64_MIN) if a[1] is None else a[1] for (_, a), t in zip(ranges, steps)]
            made.append(kind("slice", [value], {"starts": starts, "ends": ends, "axes": [i for i, _ in ranges], "steps": steps}, ["part_"]))
            value = "part_"
        for i in range(len(at) - 1, -1, -1):
            if not isinstance(at[i], (list, tuple)):
                made.append(kind("gather", [value], {"indices": at[i], "axis": i}, [f"part_{i}"]))
                value = f"part_{i}"
        if not made:
            made.append(kind("identity", [value], {}, ["part_"]))
        made[-1].results = list(call.results)
        return made

    def run(self, table, want):
        """Runs a graph and compares it with `want`; raises tiers.Wrong if they differ."""
        if want.is_of_result or want.is_of_fact:  # in the text only
            return
        if want.graph.layouts or want.status == "overflow" or any(n < 0 for n in want.symbols.values()):
            return
        if any(n < 0 for i in want.graph.inputs for n in numbers(i.dims, want.symbols)):
            return
        data, shapes, types = {}, {}, {}
        for each in want.graph.inputs:
            data[each.name] = np.ascontiguousarray(want.stored(want.values[each.name].reshape(-1), each.dtype))
            shapes[each.name], types[each.name] = numbers(each.dims, want.symbols), each.dtype
            if each.name not in want.values or list(want.values[each.name].shape) != shapes[each.name]:
                return  # too large
        try:
            for call in want.graph.calls:
                for one in self.plain(call, shapes):
                    self.step(table, one, want, data, shapes, types)
        except Skipped:
            return
        except oracle.Refused as why:
            if why.kind != want.status:
                raise tiers.Wrong(f"status {why.kind}, not {want.status}") from why
            return
        if want.status != "ok":
            raise tiers.Wrong(f"status ok, not {want.status}")
        for name in want.graph.outputs:
            if shapes[name] != list(want.values[name].shape):
                raise tiers.Wrong(f"sizes of {name}: {shapes[name]}, not {list(want.values[name].shape)}")
            if (at := want.differs(name, data[name])) is not None:
                raise tiers.Wrong(f"{name}: element {at} is wrong")

    def resolve(self, table, call, want, shapes, types):
        """The call as the library is given it; the sizes and types of its results are known after."""
        if call.op in ("cast", "bitcast", "quantize", "dequantize", "requantize", "lookup", *arithmetic.FUNCTIONS) or call.op not in table or call.attrs.get("act"):
            raise Skipped
        if table[call.op].rule_is_of_elements or len(call.args) > RANK or len(call.results) > RANK:
            raise Skipped
        in_types = [types[a] for a in call.args]
        arguments, kept = self.arguments(table[call.op], call, want)
        operands, also = self.operands([shapes[a] for a in call.args], in_types)
        count = len(call.results)
        rank, dims = np.zeros(count, np.int32), np.zeros((count, RANK), np.int64)
        given = (call.op.encode(), ctypes.byref(operands), arguments, ctypes.c_int32(count))
        status = self.library.net_resolve(*given, ctypes.c_void_p(rank.ctypes.data), ctypes.c_void_p(dims.ctypes.data))
        if status:
            raise oracle.Refused(self.statuses[status])
        for k, name in enumerate(call.results):
            shapes[name], types[name] = [int(d) for d in dims[k, : rank[k]]], in_types[0]
        return given, (kept, also, operands)

    def status(self, table, want):
        """What the operators of a graph say of sizes, the first that says something; None where not all can be asked."""
        shapes = {i.name: numbers(i.dims, want.symbols) for i in want.graph.inputs}
        types = {i.name: i.dtype for i in want.graph.inputs}
        try:
            for call in want.graph.calls:
                for one in self.plain(call, shapes):
                    self.resolve(table, one, want, shapes, types)
        except (Skipped, OverflowError):
            return None
        except oracle.Refused as why:
            return why.kind
        return "ok"

    def step(self, table, call, want, data, shapes, types):
        given, kept = self.resolve(table, call, want, shapes, types)
        in_type = types[call.args[0]]
        is_picked = want.is_picked(call)
        bits = BITS[in_type]
        sources = (ctypes.c_void_p * len(call.args))(*[data[a].ctypes.data for a in call.args])
        fill = want.fill_of(call, in_type)
        for k, name in enumerate(call.results):
            size = int(np.prod(shapes[name], dtype=np.int64))
            if size > 200000:
                raise Skipped
            room = -(-size * bits // 8)
            out = np.full(room + 64, 0xA5, np.uint8)
            status = self.library.net_move(*given, ctypes.c_int32(k), ctypes.c_int32(bits), sources,
                                           ctypes.c_void_p(fill.ctypes.data), ctypes.c_void_p(out.ctypes.data))
            if is_picked and self.statuses[status] == "unsupported":  # sizes only: continue with numpy's
                if name not in want.values:  # a call that fails ended before it
                    raise Skipped
                data[name] = want.stored(want.values[name].reshape(-1), in_type)
                continue
            if status:
                raise tiers.Wrong(f"{call.op}: moves end with {self.statuses[status]}")
            if (out[room:] != 0xA5).any():
                raise tiers.Wrong(f"bytes behind {name} were written")
            data[name] = out[:room]
        del kept
