# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls the compiler, links what it emits, and runs kernels between guard pages.

Kernels run in a child process, so out-of-bounds accesses are a line of the report, and not the end of the run. Inputs
and outputs end (or start) at an inaccessible page; the other side, and the output before the call, hold a pattern that
is checked afterwards.
"""

import bisect
import ctypes
import json
import math
import mmap
import os
import signal
import subprocess

import numpy as np

from graph import write_file

# Arrays come and go by the thousand: malloc keeps their memory, since each new page would cost a fault.
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, 32 << 20)
ctypes.CDLL(None).mallopt(M_TRIM_THRESHOLD, 1 << 30)

PAGE = mmap.PAGESIZE
MARGIN = 256  # bytes of pattern kept on the open side of a buffer
POISON = 0xA5
MANY_ERRORS = 50  # well below the number of errors that the compiler prints for one file

# Element types that .npy files have, as numpy spells them.
NUMPY_TYPES = {
    "bool": "?",
    **{f"{kind}{8 * size}": f"{kind}{size}" for kind in "iu" for size in (1, 2, 4, 8)},
    **{f"f{8 * size}": f"f{size}" for size in (2, 4, 8)},
    **{f"c{8 * size}": f"c{size}" for size in (8, 16)},
}
ELEMENT_BYTES = {name: np.dtype(kind).itemsize for name, kind in NUMPY_TYPES.items()}
ELEMENT_BYTES.update({"bf16": 2, "string": 8})
ELEMENT_BYTES.update(
    {f"f8{form}": 1 for form in ("e4m3fn", "e4m3fnuz", "e5m2", "e5m2fnuz", "e8m0")}
)

# What emitted C is compiled with: no warning is left.
C_FLAGS = ["-std=c99", "-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror", "-fPIC"]


class Refused(RuntimeError):
    """The compiler has something against a file."""


class Compiler:
    """One reshapec binary, one C compiler, one folder for everything they write."""

    def __init__(self, reshapec, cc, work, timeout=600):
        self.reshapec, self.cc, self.work, self.timeout = reshapec, cc, work, timeout
        os.makedirs(work, exist_ok=True)

    def path(self, name):
        return os.path.join(self.work, name)

    def call(self, *args):
        """Run reshapec; gives the finished process. A signal or an internal fault is an error."""
        done = subprocess.run(
            [self.reshapec, *args],
            capture_output=True,
            text=True,
            check=False,
            timeout=self.timeout,
        )
        if done.returncode not in (0, 1):
            raise RuntimeError(
                f"reshapec {' '.join(args)}: exit {done.returncode}\n{done.stderr[-2000:]}"
            )
        return done

    def check(self, path):
        """(exit status, list of diagnostics) of one file."""
        done = self.call("check", path, "--json")
        try:
            return done.returncode, json.loads(done.stdout)["diagnostics"]
        except (ValueError, KeyError) as bad:
            raise RuntimeError(
                f"check {path}: no JSON on standard output: {done.stdout[:200]}"
            ) from bad

    def errors_by_graph(self, stem, texts):
        """The errors reported inside each of these graphs, checked as one file or several.

        A file's errors are printed up to a limit, so one with many is cut in two and tried again.
        """
        path = self.path(stem + ".rsh")
        ends = write_file(path, texts)
        code, diagnostics = self.check(path)
        found = [d for d in diagnostics if d["severity"] == "error"]
        if len(found) >= MANY_ERRORS and len(texts) > 1:
            half = len(texts) // 2
            return self.errors_by_graph(stem, texts[:half]) + self.errors_by_graph(
                stem, texts[half:]
            )
        if code != (1 if found else 0):
            raise RuntimeError(f"check {path}: exit {code} with {len(found)} errors")
        errors = [[] for _ in texts]
        for d in found:
            at = bisect.bisect_right(ends, d["line"])
            if not 0 < d["line"] < ends[-1]:
                raise RuntimeError(f"check {path}: an error outside every graph: {d}")
            errors[at].append(d)
        return errors

    def explain(self, path):
        """What each graph became: {graph name: its entry}."""
        done = self.call("explain", path, "--json")
        if done.returncode:
            raise Refused(f"explain {path}: exit {done.returncode}\n{done.stderr[-2000:]}")
        return {g["name"]: g for g in json.loads(done.stdout)["graphs"]}

    def library(self, path, stem, *options):
        """Compile a file into an object, or into C and that, link a shared library and load it."""
        kind = ".c" if "--emit=c" in options else ".o"
        obj, header, lib = self.path(stem + kind), self.path(stem + ".h"), self.path(stem + ".so")
        done = self.call(path, "-o", obj, "--header", header, *options)
        if done.returncode:
            raise RuntimeError(f"compile {path}: exit {done.returncode}\n{done.stderr[-2000:]}")
        flags = C_FLAGS if "--emit=c" in options else []
        subprocess.run(
            [self.cc, *flags, "-shared", "-o", lib, obj], check=True, timeout=self.timeout
        )
        return ctypes.CDLL(os.path.abspath(lib))


class Arena:
    """A buffer with an untouchable page on each side, reused from call to call."""

    def __init__(self, libc):
        self.libc, self.size, self.base, self.map = libc, 0, 0, None
        self.rim = []  # where bytes of pattern lie beside the buffer

    def place(self, nbytes, at_end, align):
        """Address and view of `nbytes` flush with a guard page, what lies beside them poisoned."""
        room = -(-(nbytes + 2 * MARGIN) // PAGE) * PAGE
        if room > self.size:
            self.size = room
            self.map = mmap.mmap(-1, room + 2 * PAGE)
            self.base = ctypes.addressof(ctypes.c_char.from_buffer(self.map))
            for guard in (self.base, self.base + PAGE + room):
                if self.libc.mprotect(ctypes.c_void_p(guard), ctypes.c_size_t(PAGE), 0):
                    raise OSError("mprotect failed")
            self.whole = np.frombuffer(self.map, np.uint8)
            self.pattern = bytes([POISON]) * room
        start = PAGE + (self.size - nbytes if at_end else 0)
        assert start % align == 0
        end = start + nbytes
        low, high = max(PAGE, start - MARGIN), min(PAGE + self.size, end + MARGIN)
        self.map[low:high] = self.pattern[: high - low]
        self.rim = [(low, start), (end, high)]
        return self.base + start, self.whole[start:end]

    def rim_is_whole(self):
        return all(self.map[low:high] == self.pattern[: high - low] for low, high in self.rim)


class Caller:
    """Calls kernels on prepared bytes: `void f(const T *in.., T *out..)`, or with sizes in front."""

    def __init__(self):
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.arenas = []

    def run(self, function, inputs, out_sizes, element, at_end=True, symbols=None, scratch=0):
        """Output bytes of one call. `inputs` are byte arrays; raises when a rim byte changed.

        With `symbols`, which are numbers, the function takes them first and returns a status. With `scratch`, a number
        of bytes, it takes memory for itself last, aligned to 64.
        """
        scratch = -(-scratch // 64) * 64
        kinds = ["input"] * len(inputs) + ["output"] * len(out_sizes) + ["scratch memory"] * (scratch > 0)
        while len(self.arenas) < len(kinds):
            self.arenas.append(Arena(self.libc))
        pointers, views = [], []
        sizes = [i.size for i in inputs] + list(out_sizes) + [scratch] * (scratch > 0)
        for arena, nbytes in zip(self.arenas, sizes):
            address, view = arena.place(nbytes, at_end, element)
            pointers.append(ctypes.c_void_p(address))
            views.append(view)
        for view, data in zip(views, inputs):
            view[:] = data
        function.restype = None if symbols is None else ctypes.c_int
        status = function(*[ctypes.c_int64(s) for s in symbols or []], *pointers)
        if status:
            raise RuntimeError(f"status {status}")
        for arena, what in zip(self.arenas, kinds):
            if not arena.rim_is_whole():
                raise RuntimeError(f"bytes outside the {what} were written")
        if any(not np.array_equal(v, d) for v, d in zip(views, inputs)):
            raise RuntimeError("an input was written")
        return [v.copy() for v in views[len(inputs) : len(inputs) + len(out_sizes)]]


def planes_for(count, element, fill=None):
    """How many runs it takes for `count` numbers to be told apart in elements of this width.

    The first number is 1, so that no element of the first plane looks like an untouched byte of 0.
    What `fill` looks like in all planes must be no number either.
    """
    usable = min(element, 8)
    planes = max(1, math.ceil((count + 1).bit_length() / (8 * usable)))
    while fill is not None and 0 < int.from_bytes(bytes(fill[:usable]) * planes, "little") <= count:
        planes += 1
    return planes


def numbers_as_bytes(numbers, element, plane):
    """Part `plane` of each number + 1 as the bytes of an element; 16-byte ones are padded."""
    usable = min(element, 8)
    part = (numbers.reshape(-1).astype(np.uint64) + np.uint64(1)) >> np.uint64(8 * usable * plane)
    data = part.astype(f"<u{usable}").view(np.uint8)  # its low bytes
    if element > 8:
        data = data.reshape(-1, 8)
        data = np.concatenate([data, 0xFF - data], axis=1).reshape(-1)
    return data


def fill_bytes(value, dtype):
    """A constant of a pad as the bytes of an element."""
    if dtype == "bf16":
        return np.array([value], np.float32).view(np.uint8)[2:]  # of numbers that fit
    return np.array(value).astype(NUMPY_TYPES[dtype]).reshape(1).view(np.uint8)


def bytes_as_numbers(planes, element, fill=None):
    """Undo numbers_as_bytes over all planes; None if half of a 16-byte element is wrong.

    An element that is `fill` in every plane is a filled one: -1.
    """
    usable = min(element, 8)
    kind = f"<u{usable}"
    total, filled = np.uint64(0), True
    for plane, data in enumerate(planes):
        low = data.view(kind)
        same = False
        if element > 8:
            halves = data.view(np.uint8).reshape(-1, 2, 8)
            low = np.ascontiguousarray(halves[:, 0]).reshape(-1).view(kind)
            if fill is not None:
                same = (data.reshape(-1, element) == fill).all(axis=1)
            if not np.all((halves[:, 1] == 0xFF - halves[:, 0]).all(axis=1) | same):
                return None
        elif fill is not None:
            same = low == fill.view(kind)
        filled = filled & same
        total = total | low.astype(np.uint64) << np.uint64(8 * usable * plane)
    numbers = total.view(np.int64) - 1
    return numbers if fill is None else np.where(filled, -1, numbers)


def kernel_maps(
    caller, function, arrays, out_volumes, dtype, at_end=True, fill=None, symbols=None
):
    """Run a kernel on element numbers; the element map of each output as it came out.

    `fill` are the bytes of the one constant that its pads fill with.
    """
    element = ELEMENT_BYTES[dtype]
    count = sum(a.size for a in arrays)
    runs = []
    for plane in range(planes_for(count, element, fill)):
        data = [numbers_as_bytes(a, element, plane) for a in arrays]
        sizes = [v * element for v in out_volumes]
        runs.append(caller.run(function, data, sizes, element, at_end, symbols))
    return [
        bytes_as_numbers([run[i] for run in runs], element, fill) for i in range(len(out_volumes))
    ]


def end_child():
    """Ends a forked process. Code that counts what ran writes that when a process ends as others do."""
    if {"GCOV_PREFIX", "LLVM_PROFILE_FILE"} & os.environ.keys():
        ctypes.CDLL(None).exit(0)
    os._exit(0)


def isolated(jobs, work):
    """Yield (job, verdict) for work(job) run in a child; if that dies, a new child goes on.

    `work` returns a string: "" is good. It must not depend on state made by earlier jobs.
    """
    at = 0
    while at < len(jobs):
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            with os.fdopen(writer, "w", encoding="utf-8") as out:
                for job in jobs[at:]:
                    try:
                        verdict = work(job)
                    except Exception as bad:  # whatever went wrong is this job's verdict
                        verdict = f"{type(bad).__name__}: {bad}"
                    out.write(json.dumps(verdict) + "\n")
                    out.flush()
            end_child()
        os.close(writer)
        with os.fdopen(reader, encoding="utf-8") as lines:
            for line in lines:
                yield jobs[at], json.loads(line)
                at += 1
        status = os.waitpid(child, 0)[1]
        if at < len(jobs):
            name = signal.Signals(status & 127).name if status & 127 else f"exit {status >> 8}"
            yield jobs[at], f"the kernel ended the process ({name})"
            at += 1
