# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls the functions of dynamic graphs, as declared in a header, on memory between guard pages."""

import ctypes
import os
import re
import subprocess

import harness
import numpy as np

RUNTIME = "librsh_runtime.a"
CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}
# Types of ml_dtypes, whose numpy kind is no help: float8_e5m2 has the kind "f".
CODES_BY_NAME = {
    "bfloat16": 4, "float8_e4m3fn": 10, "float8_e4m3fnuz": 11, "float8_e5m2": 12, "float8_e5m2fnuz": 13, "float8_e8m0fnu": 14,
}  # fmt: skip


class DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", ctypes.c_int32 * 2),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


def tensor_at(address, array, strided):
    """Returns the array as a DLTensor whose elements are stored at the address."""
    longs = ctypes.c_int64 * max(array.ndim, 1)
    strides = [s // array.itemsize for s in array.strides] if strided else None
    kind = array.dtype
    return DLTensor(
        address - 64,
        (ctypes.c_int32 * 2)(1, 0),
        array.ndim,
        CODES_BY_NAME[kind.name] if kind.name in CODES_BY_NAME else CODES[kind.kind],
        8 * kind.itemsize,
        1,
        longs(*array.shape),
        longs(*strides) if strided else None,
        64,
    )


class Spoilt(np.ndarray):
    """An array whose DLTensor has wrong fields: see spoilt."""


def spoilt(array, **fields):
    made = array.view(Spoilt)
    made.fields = fields
    return made


def order_of(array):
    return "C" if array.flags.c_contiguous else "F"


class Program:
    """A file of dynamic graphs as a shared library, with functions as the header declares them."""

    def __init__(self, compiler, path, stem, *options):
        kind = ".c" if "--emit=c" in options else ".o"
        obj, header = (compiler.path(stem + end) for end in (kind, ".h"))
        done = compiler.call(path, "-o", obj, "--header", header, *options)
        if done.returncode:
            raise RuntimeError(f"compile {path}: exit {done.returncode}\n{done.stderr[-2000:]}")
        with open(header, encoding="utf-8") as text:
            self.open(compiler, stem, [obj], text.read())

    def open(self, compiler, stem, objects, text):
        """Links objects. `text` is the text of their headers."""
        lib = compiler.path(stem + ".so")
        runtime = os.path.join(os.path.dirname(os.path.abspath(compiler.reshapec)), RUNTIME)
        subprocess.run(
            [compiler.cc, "-shared", "-fPIC", "-o", lib, *objects, runtime, "-lm"], check=True, timeout=600
        )
        self.library = ctypes.CDLL(os.path.abspath(lib))
        names = re.search(r"typedef enum rsh_status \{(.*?)\}", text, re.S)
        self.statuses = re.findall(r"RSH_(\w+), ", names.group(1)) if names else ["ok"]
        self.macros = {m: int(n) for m, n in re.findall(r"#define (\w+_BYTES) (\d+)", text)}
        self.parameters = {}
        self.is_void = set()
        for result, name, parameters in re.findall(r"^(rsh_status|void) (\w+)\((.*)\);$", text, re.M):
            self.parameters[name] = [self.parameter(p) for p in parameters.split(", ")]
            if result == "void":
                self.is_void.add(name)
        self.arenas = []
        self.libc = ctypes.CDLL(None, use_errno=True)

    @staticmethod
    def parameter(text):
        """Returns ("size", "B") for `int64_t B`, and ("pointer", "y_dims") for `int64_t *y_dims`."""
        kind = "tensor" if "DLTensor" in text else "pointer" if "*" in text else "size"
        return kind, re.search(r"\w+$", text).group(0)

    def place(self, index, nbytes):
        """Returns the address and the bytes of memory that ends at a guard page."""
        while len(self.arenas) <= index:
            self.arenas.append(harness.Arena(self.libc))
        return self.arenas[index].place(nbytes, True, 1)

    def call(self, name, values):
        """Makes one call and returns its status. `values` maps each parameter to an integer or an array of bytes.

        Arrays are copied in and out. A byte written next to one raises an error.
        """
        arguments, views = [], []
        for kind, parameter in self.parameters[name]:
            value = values[parameter]
            if kind == "size":
                arguments.append(ctypes.c_int64(value))
                continue
            if value is None:
                arguments.append(ctypes.c_void_p(0))
                continue
            # a multiple of 16 bytes before the guard page, so that the start is aligned
            address, view = self.place(len(views), -(-value.nbytes // 16) * 16)
            raw = np.asarray(value).reshape(-1, order="A").view(np.uint8)
            view[: raw.size] = raw
            strided = not value.flags.c_contiguous
            tensor = kind == "tensor" and tensor_at(address, value, strided)
            for field, given in getattr(value, "fields", {}).items():
                setattr(tensor, field, given)
            arguments.append(ctypes.byref(tensor) if tensor else ctypes.c_void_p(address))
            views.append((value, raw, view, parameter))
        function = getattr(self.library, name)
        function.restype = None if name in self.is_void else ctypes.c_int
        status = function(*arguments) or 0
        for k, (value, raw, view, parameter) in enumerate(views):
            if not self.arenas[k].rim_is_whole():
                raise RuntimeError(f"bytes beside '{parameter}' were written")
            if (view[raw.size :] != harness.POISON).any():
                raise RuntimeError(f"bytes behind '{parameter}' were written")
            np.copyto(
                value, view[: raw.size].view(value.dtype).reshape(value.shape, order=order_of(value))
            )
        return self.statuses[status]

    def plan(self, name):
        return np.zeros(self.macros.get(f"{name.upper()}_PLAN_BYTES", 0), np.uint8)

    def run(self, name, sizes, inputs, outputs, plan=None, known=None):
        """Returns the sizes and elements of each result, or the status of a call that fails.

        `known` are the sizes of static graphs, which have no NAME_shape.

        `outputs` maps results to numpy element types. NAME_shape and NAME must agree, in two calls: the second reuses
        the plan of the first. A call that fails must write nothing.
        """
        values = {**sizes, **inputs, "scratch": np.zeros(1 << 14, np.uint8), "plan": self.plan(name) if plan is None else plan}
        before = {n: a.copy() for n, a in inputs.items() if a is not None}
        for n in outputs:
            values[n + "_dims"] = np.full(16, -7, np.int64)
            values[n + "_rank"] = np.full(1, -7, np.int32)
        status = "ok" if known else self.call(name + "_shape", values)
        dims = dict(known or {})
        for n, kind in outputs.items():
            rank = int(values[n + "_rank"][0])
            given = values[n + "_dims"]
            rank = rank if rank >= 0 else int((given != -7).sum())
            if not known:
                dims[n] = [int(d) for d in given[:rank]]
            count = int(np.prod(dims[n], dtype=np.int64)) if status == "ok" else 64
            values[n] = np.full(count, 0, kind)
            values[n].view(np.uint8)[:] = harness.POISON
            if status == "ok":
                values[n] = values[n].reshape(dims[n])
            values[n + "_dims"] = np.full(16, -7, np.int64)
        untouched = {n: values[n].copy() for n in outputs}
        for _ in range(2):
            again = self.call(name, values)
            status = again if (status, again) == ("ok", "bad_index") else status  # NAME_shape does not check indices
            if again != status:
                raise RuntimeError(f"{name}_shape says {status}, {name} {again}")
            for n in outputs:
                told = values[n + "_dims"][: len(dims[n])]
                if status == "ok" and (told != -7).any() and list(told) != dims[n]:
                    raise RuntimeError(f"{name}_shape says {dims[n]}, {name} {list(told)}")
                if status != "ok" and values[n].tobytes() != untouched[n].tobytes():
                    raise RuntimeError(f"'{n}' was written by a call that failed")
        for n, a in before.items():
            if a.tobytes() != values[n].tobytes():
                raise RuntimeError(f"input '{n}' was written")
        if status != "ok":
            return status
        return {n: values[n].reshape(dims[n]) for n in outputs}
