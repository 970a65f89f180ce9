# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls compiled graphs and checks sizes, statuses, bytes, and the memory around them."""

import ctypes
import json
import math
import mmap
import os
import re
import signal
import subprocess
import traceback

import harness
import numpy as np
from dynamic import DLTensor
from elements import BITS
from graphs import Steps, numbers
from meaning import EXTRA

C_FLAGS = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-fPIC", "-O0"]
TENSOR_CODES = {"i": 0, "u": 1, "f": 2, "bf": 4, "c": 5, "bool": 6}  # DLPack's codes by element type
Dims = ctypes.c_int64 * 16  # of one value; NOTHING if no call wrote it
Rank = ctypes.c_int32 * 1
NOTHING = -7
NO_DIMS, NO_RANK = bytes(Dims(*[NOTHING] * 16)), bytes(Rank(NOTHING))


def value_of(parameter, symbols):
    """Returns the value of a size parameter: a symbol, or size_2, which is the third."""
    return symbols[parameter] if parameter in symbols else list(symbols.values())[int(parameter[5:])]


class Library:
    """A shared library and its functions, as the header declares them."""

    def __init__(self, path, header):
        with open(header, encoding="utf-8") as file:
            text = file.read()
        self.path, self.loaded = path, None
        self.functions = {}
        names = re.search(r"typedef enum rsh_status \{(.*?)\}", text, re.S)
        self.statuses = re.findall(r"RSH_(\w+), ", names[1]) if names else ["ok"]
        self.plans, self.scratch = ({m.lower(): int(n) for m, n in re.findall(rf"#define (\w+)_{what}_BYTES (\d+)", text)} for what in ("PLAN", "SCRATCH"))
        self.homes = self.read_homes(text)
        self.parameters = {}
        for result, name, given in re.findall(r"^(rsh_status|void|int32_t) (\w+)\((.*)\);$", text, re.M):
            self.parameters[name] = (result, [self.parameter(p) for p in given.split(", ")])

    @staticmethod
    def read_homes(text):
        """Returns {function: {result: (input, element)}}: results that may share memory of an input."""
        homes = {}
        for name, comment in re.findall(r"^ \* graph (\w+)\((.*?)\*/", text, re.M | re.S):
            found = re.findall(r"^ \*   (\w+): output[^:]*?may point to element (\d+) of (\w+)\b", comment, re.M | re.S)
            homes[name] = {result: (given, int(element)) for result, element, given in found}
        return homes

    @staticmethod
    def parameter(text):
        kind = "tensor" if "DLTensor" in text else "pointer" if "*" in text else "size"
        return kind, re.search(r"\w+$", text)[0]

    def function(self, name):
        if name not in self.functions:
            if self.loaded is None:
                self.loaded = ctypes.CDLL(os.path.abspath(self.path))
            self.functions[name] = found = getattr(self.loaded, name)
            found.restype = None if self.parameters[name][0] == "void" else ctypes.c_int
        return self.functions[name]


class Macros:
    """The macros of a header for sizes, compiled as functions of symbols."""

    def __init__(self, cc, header, path):
        with open(header, encoding="utf-8") as file:
            text = file.read()
        ranks = dict(re.findall(r"#define (\w+)_RANK (\d+)", text))
        self.found, lines = {}, [f'#include "{os.path.abspath(header)}"']
        self.scratch = {graph.lower(): given.split(", ") for graph, given in re.findall(r"#define (\w+)_SCRATCH_BYTES\(([^)]*)\)", text)}
        for graph, names in self.scratch.items():
            given = ", ".join(f"int64_t {n}" for n in names)
            lines.append(f"int64_t scratch_{graph}({given}) {{ return {graph.upper()}_SCRATCH_BYTES({', '.join(names)}); }}")
        for macro, given in re.findall(r"#define (\w+)_BYTES\(([^)]*)\)", text):
            graph, name = re.match(r"(G\d+)_(\w+)", macro).groups() if re.match(r"G\d+_", macro) else (None, None)
            if not graph or macro not in ranks:
                continue
            names = given.split(", ")
            self.found.setdefault(graph.lower(), []).append((name.lower(), names, int(ranks[macro]), macro))
            lines.append(f"void at_{macro}(int64_t *o, {', '.join('int64_t ' + n for n in names)}) {{ {' '.join(f'(void){n};' for n in names)}")
            lines.append(f"  o[0] = {macro}_BYTES({given});")
            if f"#define {macro}_DIMS(" in text:
                lines.append(f"  int64_t d[] = {macro}_DIMS({given});")
            elif ranks[macro] != "0":
                lines.append(f"  int64_t d[] = {macro}_DIMS;")
            lines.append(f"  for (int i = 0; i < {ranks[macro]}; i++) o[i + 1] = d[i]; }}" if ranks[macro] != "0" else "}")
        with open(path + ".c", "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        subprocess.run([*cc.split(), "-O0", "-shared", "-fPIC", "-o", path + ".so", path + ".c"], check=True, capture_output=True)
        self.path, self.loaded = path + ".so", None

    def function(self, name):
        if self.loaded is None:
            self.loaded = ctypes.CDLL(os.path.abspath(self.path))
        return getattr(self.loaded, name)

    def scratch_bytes(self, name, symbols):
        function = self.function("scratch_" + name)
        function.restype = ctypes.c_int64
        return function(*[ctypes.c_int64(value_of(s, symbols)) for s in self.scratch[name]])

    def check(self, name, want):
        for value, given, rank, macro in self.found.get(name, []):
            if value not in want.values:
                continue
            out = np.zeros(rank + 1, np.int64)
            self.function("at_" + macro)(ctypes.c_void_p(out.ctypes.data), *[ctypes.c_int64(value_of(s, want.symbols)) for s in given])
            right = list(want.values[value].shape)
            elements = want.memory[value].size if value in want.memory else math.prod(right)
            nbytes = -(-elements * BITS[want.dtypes[value]] // 8)
            if [int(n) for n in out] != [nbytes, *right]:
                raise Wrong(f"macros of {value}: {[int(n) for n in out]}, not {[nbytes, *right]}")


def run_files(reshapec, path, graph, name, want, work):
    """Calls `reshapec run` with files and checks its results. Returns False if a type cannot be in a file."""
    types = {**{i.name: i.dtype for i in graph.inputs}, **{o: want.dtypes.get(o) for o in graph.outputs}}
    if any(t not in harness.NUMPY_TYPES for t in types.values()) or graph.layouts or any(i.storage or i.placed for i in graph.inputs):
        return False
    files = []
    for each in graph.inputs:
        file = os.path.join(work, each.name + ".npy")
        dims = numbers(each.dims, want.symbols)
        if any(d < 0 for d in dims) or np.prod(dims, dtype="f8") != want.memory[each.name].size:
            return False
        np.save(file, want.stored(want.memory[each.name], each.dtype).view(harness.NUMPY_TYPES[each.dtype]).reshape(dims))
        files.append(f"{each.name}={file}")
    outs = {o: os.path.join(work, f"out_{o}.npy") for o in graph.outputs}
    for file in outs.values():
        if os.path.exists(file):
            os.remove(file)
    done = subprocess.run([reshapec, "run", path, name, *files, *[f"{o}={f}" for o, f in outs.items()]], capture_output=True, text=True, timeout=60)
    if want.status != "ok" or want.of_indices != "ok":
        if done.returncode != 1 or any(os.path.exists(f) for f in outs.values()):
            raise Wrong(f"exit {done.returncode}, where {want.status} is right: {done.stderr[-300:]}")
        return True
    if done.returncode:
        raise Wrong(f"exit {done.returncode}: {done.stderr[-500:]}")
    for o, file in outs.items():
        came = np.load(file)
        if list(came.shape) != list(want.values[o].shape):
            raise Wrong(f"sizes of {o}: {list(came.shape)}, not {list(want.values[o].shape)}")
        raw = np.ascontiguousarray(came).reshape(-1).view("u1")
        if (at := want.differs(o, raw)) is not None:
            raise Wrong(f"{o}: element {at} is wrong: {shown(raw)}")
    return True


def link(cc, sources, path, runtime, flags=()):
    subprocess.run([*cc.split(), *flags, "-shared", "-o", path, *sources, runtime, "-lm"], check=True, capture_output=True, timeout=600)


class Wrong(Exception):
    """A call returned or wrote something wrong."""


class Caller:
    def __init__(self):
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.arenas, self.plans = [], {}
        self.macros = None  # of the header of functions with sizes

    def scratch_bytes(self, lib, name, want):
        """Returns the size of `scratch` that the header requires; sizes that are not valid need none."""
        if want.status != "ok":
            return 0
        return lib.scratch[name] if name in lib.scratch else self.macros.scratch_bytes(name, want.symbols)

    def place(self, k, nbytes, at_end, align=1):
        while len(self.arenas) <= k:
            self.arenas.append(harness.Arena(self.libc))
        if at_end and nbytes % align:
            at_end = False
        return self.arenas[k].place(nbytes, at_end, align)

    def check_null(self, lib, name, want, given):
        """Calls NAME_shape with valid sizes and one null pointer: for a target, this is an error; for the sizes of a
        result, the call does not write these."""
        for kind, p in lib.parameters[name + "_shape"][1]:
            if kind != "pointer":
                continue
            is_needed = p in given and given[p].size
            said, dims = self.shape(lib, name, want, given, p)
            if said != ("null_pointer" if is_needed else "ok"):
                raise Wrong(f"status of {name}_shape without {p}: {said}")
            for n in [] if is_needed else dims:
                if n in want.values and dims[n] != list(want.values[n].shape):
                    raise Wrong(f"sizes of {n} without {p}: {dims[n]}, not {list(want.values[n].shape)}")

    def shape(self, lib, name, want, given, without=None):
        """Returns the status of NAME_shape, and the sizes that it writes."""
        result, parameters = lib.parameters[name + "_shape"]
        arguments, dims = [], {}
        for kind, p in parameters:
            if p == without:
                arguments.append(ctypes.c_void_p(None))
            elif kind == "size":
                arguments.append(ctypes.c_int64(value_of(p, want.symbols)))
            elif p.endswith("_dims"):
                dims[p[:-5]] = Dims.from_buffer_copy(NO_DIMS)
                arguments.append(dims[p[:-5]])
            elif p.endswith("_rank"):
                dims[p] = Rank.from_buffer_copy(NO_RANK)
                arguments.append(dims[p])
            else:
                arguments.append(ctypes.c_void_p(given[p].ctypes.data if given is not None else None))
        status = lib.statuses[lib.function(name + "_shape")(*arguments) or 0]
        return status, {n: [d for d in a if d != NOTHING] for n, a in dims.items()}

    def plan(self, lib, name):
        """Returns memory for a plan. It contains the last call's plan, for calls with the same sizes to reuse."""
        return self.plans.setdefault((lib, name), np.zeros(lib.plans.get(name, 0), np.uint8))

    def run(self, lib, name, want, at_end, tasks=None, in_place=()):
        """Makes one call and checks it. With `tasks`, a random generator, it runs as tasks in a random order. Results
        in `in_place` share memory of inputs if the header allows it."""
        given, status = want.bytes_given(), want.status
        if name + "_shape" in lib.parameters:
            said, dims = self.shape(lib, name, want, given)
            if said != status:
                raise Wrong(f"status of {name}_shape: {said}, not {status}")
            for n in want.graph.outputs if status == "ok" else []:
                if n in dims and dims[n] != list(want.values[n].shape):
                    raise Wrong(f"sizes of {n}: {dims[n]}, not {list(want.values[n].shape)}")
            if status == "ok" and at_end:
                self.check_null(lib, name, want, given)
        status = want.of_indices if status == "ok" else status
        outputs = list(want.graph.outputs) + (["zz_"] if "zz_" in [p for _, p in lib.parameters[name][1]] else [])
        right = {}
        for n in outputs:
            if n == "zz_":
                right[n] = 2
            elif status == "ok":
                right[n] = -(-want.values[n].size * BITS[want.dtypes[n]] // 8)
            else:
                right[n] = 64
        arguments, views, places = [], [], {}

        def start(i, element):
            return element * BITS[want.dtypes[i]] // 8

        # Results of less than a byte per element are not aliased: they would share a byte with the rest of the input.
        said = lib.homes.get(name, {}) if status == "ok" else {}
        homes = {n: home for n, home in said.items() if n in in_place and BITS[want.dtypes[n]] >= 8}
        given_away = {i: n for n, (i, _) in homes.items()}
        plan = self.plan(lib, name)
        for kind, p in lib.parameters[name][1]:
            if kind == "size":
                arguments.append(ctypes.c_int64(value_of(p, want.symbols)))
            elif p in homes:
                arguments.append(ctypes.c_void_p(places[homes[p][0]] + start(*homes[p])))
            elif p in given or p in right:
                nbytes = given[p].size if p in given else right[p]
                align = 1 if p in ("q_", "zz_") else max(1, BITS[want.dtypes[p]] // 8) if p in want.dtypes else 8
                if p in given_away:  # the result may be larger than the input
                    nbytes = max(nbytes, start(p, homes[given_away[p]][1]) + right[given_away[p]])
                address, view = self.place(len(views), nbytes, at_end, min(align, 16))
                if p in given:
                    view[: given[p].size] = given[p]
                elif status == "ok" and p != "zz_" and (there := want.placed_in(p)) is not None:
                    there = np.repeat(there, BITS[want.dtypes[p]] // 8)
                    view[there] = want.stored(want.in_memory(p), want.dtypes[p])[there]
                views.append((p, view))
                places[p] = address
                arguments.append(ctypes.c_void_p(address))
            elif p == "plan":
                arguments.append(ctypes.c_void_p(plan.ctypes.data))
            elif p == "scratch":
                address, view = self.place(len(views), self.scratch_bytes(lib, name, want), at_end, 8)
                views.append((p, view))
                arguments.append(ctypes.c_void_p(address))
            else:
                arguments.append((Dims if p.endswith("_dims") else Rank)())
        if tasks is None:
            statuses = [lib.function(name)(*arguments) or 0 for _ in range(2 if plan.size else 1)]
        else:
            sizes = arguments[: len(lib.parameters[name + "_tasks"][1])]
            if lib.parameters[name + "_tasks"][1][0][0] != "size":
                sizes = []
            order = list(range(lib.function(name + "_tasks")(*sizes)))
            tasks.shuffle(order)
            statuses = [lib.function(name + "_task")(ctypes.c_int32(i), *arguments) or 0 for i in order]
        for s in statuses:
            if lib.statuses[s] != status:
                raise Wrong(f"status {lib.statuses[s]}, not {status}")
        for k, (p, view) in enumerate(views):
            if not self.arenas[k].rim_is_whole():
                raise Wrong(f"bytes beside {p} were written")
            if p == "scratch":
                continue
            if p in given_away:
                first = start(p, homes[given_away[p]][1])
                p = given_away[p]
                view = view[first : first + right[p]]
            if p in given:
                if view.tobytes() != given[p].tobytes():
                    raise Wrong(f"input {p} was written")
            elif status != "ok":
                if view.tobytes() != bytes([harness.POISON]) * view.size:
                    raise Wrong(f"{p} was written by a call that failed")
            elif p == "zz_":
                if list(view) != [1, 2]:
                    raise Wrong("zz_ is wrong")
            elif (at := want.differs(p, view)) is not None:
                raise Wrong(f"{p}: element {at} is wrong: {shown(view)}, not {shown(want.stored(want.values[p].reshape(-1), want.dtypes[p]))}")

    def run_tensors(self, lib, name, want, dice):
        """Calls a graph of any rank. Tensors carry their sizes, and occasionally strides, which `dice` chooses."""
        status, given, kept, k = want.status, {}, [], 0
        symbols = {s: n for s, n in want.symbols.items()}
        sizes = {"s0": list(symbols.values())}
        data = {}
        for each in want.graph.inputs:
            if each.name != "s0":
                sizes[each.name] = numbers(each.dims, want.symbols)
                data[each.name] = want.stored(want.memory[each.name], each.dtype)
                if np.prod(sizes[each.name], dtype="f8") != want.memory[each.name].size:
                    return
        if math.prod(sizes["s0"]) > 100000:
            return
        data["s0"] = np.zeros(math.prod(sizes["s0"]), "u1")
        types = {**want.dtypes, "s0": "u8"}

        def tensor(p, dims, dtype):
            """Returns a tensor, its bytes, and the indices in them of the elements' bytes, in row-major order."""
            nonlocal k
            bits = BITS[dtype]
            steps = Steps(dice.randrange(3), [dice.choice([1, 1, -1]) for _ in dims]) if dice.random() < 0.3 and bits >= 8 else None
            steps = steps.of(dims) if steps else None
            elements = steps.span if steps else math.prod(dims)
            address, view = self.place(k, -(-elements * bits // 8), True, 1)
            k += 1
            longs = (ctypes.c_int64 * max(len(dims), 1))(*dims)
            strides = (ctypes.c_int64 * max(len(dims), 1))(*steps.strides) if steps else None
            before = -steps.lowest * bits // 8 if steps and elements else 0
            made = DLTensor(address - 64, (ctypes.c_int32 * 2)(1, 0), len(dims), TENSOR_CODES[dtype.rstrip("0123456789")], bits, 1, longs,
                            ctypes.cast(strides, ctypes.POINTER(ctypes.c_int64)) if steps else None, 64 + before)
            kept.append((p, view, longs, strides, made))
            places = np.arange(view.size)
            if steps and elements:
                at = steps.load(np.arange(elements)).reshape(-1, 1)
                places = (at * (bits // 8) + np.arange(bits // 8)).reshape(-1)
            return made, view, places[: view.size if elements else 0]

        parameters = lib.parameters[name][1]
        given = {}
        for _, p in parameters:
            if p in data:
                given[p], view, places = tensor(p, sizes[p], types[p])
                view[places] = data[p]
        dims = {}
        arguments = []
        for kind, p in lib.parameters[name + "_shape"][1]:
            if kind == "tensor":
                arguments.append(ctypes.byref(given[p]))
            else:
                dims[p] = np.full(16, -7, np.int64 if p.endswith("_dims") else np.int32)
                arguments.append(ctypes.c_void_p(dims[p].ctypes.data))
        said = lib.statuses[lib.function(name + "_shape")(*arguments)]
        if said != status:
            raise Wrong(f"status of {name}_shape: {said}, not {status}")
        if status != "ok":
            return
        results = []
        for n in want.graph.outputs:
            found = [int(d) for d in dims[n + "_dims"] if d != -7]
            right = list(want.values[n].shape)
            if found != right:
                raise Wrong(f"sizes of {n}: {found}, not {right}")
            given[n], view, places = tensor(n, right, types[n])
            results.append((n, view, places))
        plan = self.plan(lib, name)
        status = want.of_indices
        arguments = [ctypes.byref(given[p]) if kind == "tensor" else ctypes.c_void_p(plan.ctypes.data) for kind, p in parameters]
        for _ in range(2):
            said = lib.statuses[lib.function(name)(*arguments)]
            if said != status:
                raise Wrong(f"status {said}, not {status}")
        self.run_spoilt(lib, name, arguments, given, want.graph, dice)
        for i in range(k):
            if not self.arenas[i].rim_is_whole():
                raise Wrong(f"bytes beside {kept[i][0]} were written")
        for n, view, places in results:
            if status != "ok":
                places = places[:0]
            elif (at := want.differs(n, view[places])) is not None:
                raise Wrong(f"{n}: element {at} is wrong: {shown(view[places])}")
            if (np.delete(view, places) != harness.POISON).any():
                raise Wrong(f"{n}: bytes between elements were written")

    @staticmethod
    def run_spoilt(lib, name, arguments, tensors, graph, dice):
        """Repeats the call with one error in one of its tensors: it must return a status and write nothing."""
        p, t = dice.choice(list(tensors.items()))
        before = bytes(t)
        is_known, elements = p == "s0" or p not in graph.any_rank(), math.prod(t.shape[: t.ndim])
        declared = next((i.dims for i in graph.inputs if i.name == p), [])
        fixed = [a for a in range(t.ndim) if a >= len(declared) or not str(declared[a]).startswith("size_")]  # a `?` may be any size
        wrongs = {"rank_limit": 3, "type_mismatch": 1}
        if t.ndim:
            wrongs.update(null_pointer=1, bad_dim=1, **({"bad_rank": 1} if is_known else {}),
                          **({"shape_mismatch": 1} if is_known and fixed and p != "s0" else {}))
        elif elements:
            wrongs["null_pointer"] = 1
        status = dice.choice(list(wrongs))
        dims = (ctypes.c_int64 * 16)(*t.shape[: t.ndim])
        if status == "rank_limit":
            t.ndim = dice.choice([-1, 17, 2**31 - 1])
        elif status == "type_mismatch":
            t.lanes = 2
        elif status == "null_pointer" and t.ndim and (not elements or dice.random() < 0.5):
            t.shape = None
        elif status == "null_pointer":
            t.data = None
        elif status == "bad_rank":
            t.ndim -= 1
        else:
            dims[dice.choice(fixed if status == "shape_mismatch" else range(t.ndim))] += -2**62 if status == "bad_dim" else 1
            t.shape, t.strides = dims, None
        if status == "null_pointer" and dice.random() < 0.3:
            at = [n for _, n in lib.parameters[name][1]].index(p)
            arguments = [*arguments[:at], None, *arguments[at + 1 :]]
        said = lib.statuses[lib.function(name)(*arguments)]
        ctypes.memmove(ctypes.addressof(t), before, len(before))
        if said != status:
            raise Wrong(f"{p} is spoilt: status {said}, not {status}")

    @staticmethod
    def ends_of_tasks(lib, name, symbols):
        """Returns the numbers of the first and the last task of a call."""
        sizes = [ctypes.c_int64(value_of(p, symbols)) for kind, p in lib.parameters[name + "_tasks"][1] if kind == "size"]
        count = lib.function(name + "_tasks")(*sizes)
        if count < 1:
            raise Wrong(f"{name}_tasks returns {count}")
        return sorted({0, count - 1})

    def nothing(self, lib, name, symbols, held=(), task=None):
        """Returns the status of a call with null pointers for all tensors except targets, `held`."""
        plan = np.zeros(lib.plans.get(name, 0), np.uint8)
        there = {"plan": plan, "t_": EXTRA["t_"], **dict(held)}
        arguments = [] if task is None else [ctypes.c_int32(task)]
        for kind, p in lib.parameters[name][1]:
            if kind == "size":
                arguments.append(ctypes.c_int64(value_of(p, symbols)))
            elif name.endswith("_shape") and p.endswith(("_dims", "_rank")):
                there[p] = np.zeros(16, np.int64)
                arguments.append(ctypes.c_void_p(there[p].ctypes.data))
            else:
                arguments.append(ctypes.c_void_p(there[p].ctypes.data or 0 if p in there else None))
        function = name if task is None else name + "_task"
        return lib.statuses[lib.function(function)(*arguments) or 0]


    def no_tensors(self, lib, name, sizes, types):
        """Returns the status of NAME_shape of a graph of any rank, for tensors of these sizes without memory."""
        arguments, kept = [], []
        for kind, p in lib.parameters[name + "_shape"][1]:
            if kind == "tensor":
                dims = (ctypes.c_int64 * max(len(sizes[p]), 1))(*sizes[p])
                code = TENSOR_CODES[types[p].rstrip("0123456789")]
                made = DLTensor(None, (ctypes.c_int32 * 2)(1, 0), len(sizes[p]), code, BITS[types[p]], 1, dims, None, 0)
                kept += [dims, made]
                arguments.append(ctypes.byref(made))
            else:
                kept.append(np.zeros(16, np.int64))
                arguments.append(ctypes.c_void_p(kept[-1].ctypes.data))
        return lib.statuses[lib.function(name + "_shape")(*arguments)]


def shown(view):
    return str(view[:24].tolist()) + ("..." if view.size > 24 else "")


def do_jobs(jobs, work, writer):
    with os.fdopen(writer, "w", encoding="utf-8") as out:
        for job in jobs:
            signal.alarm(60)  # ends a call that hangs
            try:
                verdict = work(job)
            except Exception as bad:  # any exception is this job's verdict
                verdict = [["harness", {}, "".join(traceback.format_exception(bad)[-3:])]]
            out.write(json.dumps(verdict) + "\n")
            out.flush()


def isolated(jobs, work, label):
    """Like harness.isolated. If a job ends its process, its verdict names the tier and sizes in `label`."""
    at = 0
    while at < len(jobs):
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.close(reader)
                do_jobs(jobs[at:], work, writer)
            finally:
                harness.end_child()
        os.close(writer)
        with os.fdopen(reader, encoding="utf-8") as lines:
            for line in lines:
                if not line.endswith("\n"):
                    break
                yield jobs[at], json.loads(line)
                at += 1
        status = os.waitpid(child, 0)[1]
        if at < len(jobs):
            name = signal.Signals(status & 127).name if status & 127 else f"exit {status >> 8}"
            tier, symbols = json.loads(label.read())
            yield jobs[at], [[tier, symbols, f"the call ended the process ({name})"]]
            at += 1


class Label:
    """A tier and sizes in shared memory, which outlive the process that wrote them."""

    def __init__(self):
        self.map = mmap.mmap(-1, 4096)

    def write(self, tier, symbols):
        data = f'["{tier}", {str(symbols).replace(chr(39), chr(34))}]'.encode()
        self.map[: len(data) + 1] = data + b"\0"

    def read(self):
        return self.map[:4096].split(b"\0")[0].decode() or '["?", {}]'
