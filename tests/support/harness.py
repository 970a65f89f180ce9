# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls the compiler, links what it emits, and runs kernels between guard pages.

Kernels run in a child process, so an out-of-bounds access is reported and does not end the run. Inputs and outputs end
(or start) at an inaccessible page. The other side, and the output before the call, contain a pattern that is checked
afterwards.
"""

import argparse
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

# Thousands of arrays are allocated and freed: malloc keeps their memory, to avoid page faults.
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, 32 << 20)
ctypes.CDLL(None).mallopt(M_TRIM_THRESHOLD, 1 << 30)

PAGE = mmap.PAGESIZE
MARGIN = 256  # bytes of pattern kept on the open side of a buffer
POISON = 0xA5
MANY_ERRORS = 50  # well below the number of errors that the compiler prints for one file

# Element types that .npy files support, with numpy's names.
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

# Flags for emitted C, which must compile without warnings.
C_FLAGS = ["-std=c99", "-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror", "-fPIC"]


class Refused(RuntimeError):
    """The compiler refuses a file."""


class Compiler:
    """A reshapec binary, a C compiler, and a folder for the files that they write."""

    def __init__(self, reshapec, cc, work, timeout=600):
        self.reshapec, self.cc, self.work, self.timeout = reshapec, cc, work, timeout
        os.makedirs(work, exist_ok=True)

    def path(self, name):
        return os.path.join(self.work, name)

    def call(self, *args):
        """Runs reshapec and returns the finished process. A signal or an internal fault raises an error."""
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
        """Checks one file. Returns (exit status, list of diagnostics)."""
        done = self.call("check", path, "--json")
        try:
            return done.returncode, json.loads(done.stdout)["diagnostics"]
        except (ValueError, KeyError) as bad:
            raise RuntimeError(
                f"check {path}: no JSON on standard output: {done.stdout[:200]}"
            ) from bad

    def errors_by_graph(self, stem, texts):
        """Returns the errors inside each of these graphs, which are checked as one file or several.

        The compiler prints a limited number of errors per file, so a file with many is split in two and checked again.
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
        """Runs `explain`. Returns {graph name: its entry}."""
        done = self.call("explain", path, "--json")
        if done.returncode:
            raise Refused(f"explain {path}: exit {done.returncode}\n{done.stderr[-2000:]}")
        return {g["name"]: g for g in json.loads(done.stdout)["graphs"]}

    def library(self, path, stem, *options):
        """Compiles a file into an object, directly or through C, links a shared library and loads it."""
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


def parser_of(doc):
    """A parser of --reshapec, --cc and --work, described by the first line of a text."""
    parser = argparse.ArgumentParser(description=doc.split("\n", maxsplit=1)[0])
    for name, default in {"--reshapec": None, "--cc": "cc", "--work": "."}.items():
        parser.add_argument(name, default=default)
    return parser


def parse_arguments(doc, add=lambda parser: None):
    """Parses --reshapec, --cc, --work, and what `add` adds to the parser. Returns a Compiler and the options."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--reshapec", "--cc", "--work"):
        parser.add_argument(name, required=True)
    add(parser)
    options = parser.parse_args()
    return Compiler(options.reshapec, options.cc, options.work), options


def tiers_of(reshapec, cc, path):
    """Compiles a file as code for any machine of the kind and for this one, and as C. Returns {tier: library}."""
    libraries = {}
    for tier, flags in {"object": [], "native": ["-mcpu=native"], "c": ["--emit=c"]}.items():
        out = f"{tier}.c" if tier == "c" else f"{tier}.o"
        subprocess.run([reshapec, path, *flags, "-o", out], check=True)
        extra = [*C_FLAGS, "-O2", "-march=native"] if tier == "c" else []
        subprocess.run([*cc.split(), *extra, "-shared", "-fPIC", out, "-o", f"{tier}.so", "-lm"], check=True)
        libraries[tier] = ctypes.CDLL(os.path.abspath(f"{tier}.so"))
    return libraries


class Arena:
    """A buffer with an inaccessible page on each side, reused by all calls."""

    def __init__(self, libc):
        self.libc, self.size, self.base, self.map = libc, 0, 0, None
        self.rim = []  # where the pattern is, next to the buffer

    def place(self, nbytes, at_end, align):
        """Returns address and view of `nbytes` next to a guard page. Fills the memory around them with the pattern."""
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
    """Calls kernels on bytes: `void f(const T *in.., T *out..)`, or with sizes first."""

    def __init__(self):
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.arenas = []

    def run(self, function, inputs, out_sizes, element, at_end=True, symbols=None, scratch=0):
        """Makes one call and returns its output bytes. `inputs` are byte arrays. Raises an error if a rim byte changed.

        With `symbols`, which are numbers, the function takes them first and returns a status. With `scratch`, a number
        of bytes, its last argument is scratch memory, aligned to 64.
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
    """Returns how many runs are needed to tell `count` numbers apart in elements of this width.

    The first number is 1, so that no element of the first plane looks like an unwritten byte of 0. The bytes of `fill`
    in all planes must not be a number either.
    """
    usable = min(element, 8)
    planes = max(1, math.ceil((count + 1).bit_length() / (8 * usable)))
    while fill is not None and 0 < int.from_bytes(bytes(fill[:usable]) * planes, "little") <= count:
        planes += 1
    return planes


def numbers_as_bytes(numbers, element, plane):
    """Returns part `plane` of each number + 1 as the bytes of an element; 16-byte elements are padded."""
    usable = min(element, 8)
    part = (numbers.reshape(-1).astype(np.uint64) + np.uint64(1)) >> np.uint64(8 * usable * plane)
    data = part.astype(f"<u{usable}").view(np.uint8)  # its low bytes
    if element > 8:
        data = data.reshape(-1, 8)
        data = np.concatenate([data, 0xFF - data], axis=1).reshape(-1)
    return data


def fill_bytes(value, dtype):
    """Returns the fill constant of a pad as the bytes of an element."""
    if dtype == "bf16":
        return np.array([value], np.float32).view(np.uint8)[2:]  # exact for the constants of the tests
    return np.array(value).astype(NUMPY_TYPES[dtype]).reshape(1).view(np.uint8)


def bytes_as_numbers(planes, element, fill=None):
    """Inverts numbers_as_bytes over all planes. Returns None if half of a 16-byte element is wrong.

    An element that is `fill` in every plane is a fill element: -1.
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
    """Runs a kernel on element numbers. Returns the element map of each output.

    `fill` are the bytes of the only constant with which its pads fill.
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
    """Ends a forked process. Coverage counters are only written at a normal exit.

    Exit handlers of a library may wait for its threads, which a fork does not copy: onnxruntime's do.
    """
    if {"GCOV_PREFIX", "LLVM_PROFILE_FILE"} & os.environ.keys():
        signal.alarm(10)
        ctypes.CDLL(None).exit(0)
    os._exit(0)


def isolated(jobs, work):
    """Yields (job, verdict) for work(job), which runs in a child process. If the child dies, a new one continues.

    `work` returns a string: "" is good. It must not depend on the state of earlier jobs.
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
                    except Exception as bad:  # any exception is this job's verdict
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
