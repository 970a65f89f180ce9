# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls the functions of dynamic graphs: what a header declares, on memory between guard pages."""

import ctypes
import os
import re
import subprocess

import harness
import numpy as np

RUNTIME = "librsh_runtime.a"


class Program:
    """A file of dynamic graphs as a shared library, its functions by what the header says of them."""

    def __init__(self, compiler, path, stem, *options):
        obj, header, lib = (compiler.path(stem + end) for end in (".o", ".h", ".so"))
        done = compiler.call(path, "-o", obj, "--header", header, *options)
        if done.returncode:
            raise RuntimeError(f"compile {path}: exit {done.returncode}\n{done.stderr[-2000:]}")
        runtime = os.path.join(os.path.dirname(os.path.abspath(compiler.reshapec)), RUNTIME)
        subprocess.run(
            [compiler.cc, "-shared", "-o", lib, obj, runtime, "-lm"], check=True, timeout=600
        )
        self.library = ctypes.CDLL(os.path.abspath(lib))
        with open(header, encoding="utf-8") as text:
            text = text.read()
        names = re.search(r"typedef enum rsh_status \{(.*?)\}", text, re.S).group(1)
        self.statuses = re.findall(r"RSH_(\w+), ", names)
        self.macros = {m: int(n) for m, n in re.findall(r"#define (\w+_BYTES) (\d+)", text)}
        self.parameters = {}
        for name, parameters in re.findall(r"^rsh_status (\w+)\((.*)\);$", text, re.M):
            self.parameters[name] = [self.parameter(p) for p in parameters.split(", ")]
        self.arenas = []
        self.libc = ctypes.CDLL(None, use_errno=True)

    @staticmethod
    def parameter(text):
        """(False, "B") of `int64_t B`, (True, "y_dims") of `int64_t *y_dims`."""
        return "*" in text, re.search(r"\w+$", text).group(0)

    def place(self, index, nbytes):
        """Memory flush with a guard page: its address and its bytes."""
        while len(self.arenas) <= index:
            self.arenas.append(harness.Arena(self.libc))
        return self.arenas[index].place(nbytes, True, 1)

    def call(self, name, values):
        """Status of one call: `values` are an integer or an array of bytes for each parameter, by name.

        Arrays are copied in and out; a byte written beside one raises.
        """
        arguments, views = [], []
        for is_pointer, parameter in self.parameters[name]:
            value = values[parameter]
            if not is_pointer:
                arguments.append(ctypes.c_int64(value))
            elif value is None:
                arguments.append(ctypes.c_void_p(0))
            else:
                # what has to be aligned ends where its last whole unit does
                address, view = self.place(len(views), -(-value.nbytes // 16) * 16)
                raw = value.reshape(-1).view(np.uint8)
                view[: raw.size] = raw
                arguments.append(ctypes.c_void_p(address))
                views.append((raw, view, parameter))
        function = getattr(self.library, name)
        function.restype = ctypes.c_int
        status = function(*arguments)
        for k, (raw, view, parameter) in enumerate(views):
            if not self.arenas[k].rim_is_whole():
                raise RuntimeError(f"bytes beside '{parameter}' were written")
            if (view[raw.size :] != harness.POISON).any():
                raise RuntimeError(f"bytes behind '{parameter}' were written")
            raw[:] = view[: raw.size]
        return self.statuses[status]

    def plan(self, name):
        return np.zeros(self.macros[f"{name.upper()}_PLAN_BYTES"], np.uint8)

    def run(self, name, sizes, inputs, outputs, plan=None):
        """Dims and elements of each result, or the status of a call that fails.

        `outputs` are the element types by name (numpy's). NAME_shape and NAME must agree, twice: the second
        call finds the plan of the first. A call that fails must leave everything as it is.
        """
        values = {**sizes, **inputs, "plan": self.plan(name) if plan is None else plan}
        before = {n: a.copy() for n, a in inputs.items() if a is not None}
        for n in outputs:
            values[n + "_dims"] = np.full(16, -7, np.int64)
            values[n + "_rank"] = np.full(1, -7, np.int32)
        status = self.call(name + "_shape", values)
        dims = {}
        for n, kind in outputs.items():
            rank = int(values[n + "_rank"][0])
            given = values[n + "_dims"]
            rank = rank if rank >= 0 else int((given != -7).sum())
            dims[n] = [int(d) for d in given[:rank]]
            count = int(np.prod(dims[n], dtype=np.int64)) if status == "ok" else 64
            values[n] = np.full(count, 0, kind)
            values[n].view(np.uint8)[:] = harness.POISON
            values[n + "_dims"] = np.full(16, -7, np.int64)
        untouched = {n: values[n].copy() for n in outputs}
        for _ in range(2):
            again = self.call(name, values)
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
