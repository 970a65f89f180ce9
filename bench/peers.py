# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The libraries that bench.py compares kernels with. Each moves the same elements between the same memory, with the
code that a user of the library who knows the strides would write.

A peer is a function of a Case that returns a function of a number of calls, which returns the seconds of one call; or
None, if the library does not support the case. NumPy is always present. torch, onnxruntime (with onnx, which makes the
model), einops and cv2 are imported; oneDNN, Eigen and HPTT are C++ libraries, each with an adaptor, peer_NAME.cpp.
"""
import ctypes
import functools
import importlib
import math
import os
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
# The header and the linker flags of each, apart from the folders of HPTT.
ADAPTORS = {"onednn": ("dnnl.hpp", "-ldnnl"), "eigen": ("unsupported/Eigen/CXX11/Tensor", ""), "hptt": ("hptt.h", "-lhptt")}
NAMES = "numpy", "torch", "onnxruntime", "einops", "opencv", *ADAPTORS


@dataclass
class Case:
    """A nest of loops in the order of the result: extents, and strides in elements of the source."""
    dtype: str
    source: np.ndarray  # in its given shape
    result: np.ndarray  # row-major
    extents: list
    strides: list
    offset: int
    operators: list  # (name, numbers) of the chain
    threads: int

    def permutation(self):
        """The dims of the source, and the permutation of its axes; None: it is not a permutation."""
        by_stride = sorted(range(len(self.extents)), key=lambda i: -self.strides[i])
        inner = self.source.size
        for i in by_stride:
            inner //= self.extents[i]
            if self.strides[i] != inner:
                return None
        if self.offset or inner != 1 or len(by_stride) < 2:
            return None
        return [self.extents[i] for i in by_stride], [by_stride.index(i) for i in range(len(by_stride))]


def timed(run, after=lambda: None):
    """A function of a number of calls that returns the seconds of one; `after` is not timed."""
    def seconds(calls):
        run()
        begin = time.perf_counter()
        for _ in range(calls):
            run()
        spent = (time.perf_counter() - begin) / calls
        after()
        return spent
    return seconds


def by_numpy(case):
    source, result = case.source.reshape(-1)[case.offset:], case.result.reshape(case.extents)
    strides = [s * source.itemsize for s in case.strides]
    view = np.lib.stride_tricks.as_strided(source, case.extents, strides)
    return timed(lambda: np.copyto(result, view))


def by_torch(torch, case):
    torch.set_num_threads(case.threads)
    result, source = torch.from_numpy(case.result.reshape(case.extents)), torch.from_numpy(case.source.reshape(-1))
    if min(case.strides) >= 0:
        view = source.as_strided(case.extents, case.strides, case.offset)
        return timed(lambda: result.copy_(view))
    if [name for name, _ in case.operators] != ["flip"]:
        return None
    # PyTorch has no views with negative strides, and flip allocates its result.
    shaped, axes = torch.from_numpy(case.source), case.operators[0][1]
    last = {}
    return timed(lambda: last.update(value=shaped.flip(axes)), lambda: result.copy_(last["value"].reshape(case.extents)))


def by_einops(einops, case):
    if not case.permutation():
        return None
    dims, perm = case.permutation()
    names = [f"a{i}" for i in range(len(dims))]
    pattern = " ".join(names) + " -> " + " ".join(names[i] for i in perm)
    source, result = case.source.reshape(dims), case.result.reshape(case.extents)
    return timed(lambda: np.copyto(result, einops.rearrange(source, pattern)))


def by_opencv(cv2, case):
    """Images that are transposed, or rotated by a quarter."""
    axes = [list(numbers) for name, numbers in case.operators if name in ("transpose", "flip")]
    if case.source.ndim not in (2, 3) or len(axes) != len(case.operators) or axes[0][:2] != [1, 0] or len(axes) > 2:
        return None
    turns = {0: cv2.ROTATE_90_COUNTERCLOCKWISE, 1: cv2.ROTATE_90_CLOCKWISE}
    if len(axes) > 1 and axes[1] not in ([0], [1]):
        return None
    height, width = case.source.shape[:2]
    same = {2: np.uint16}.get(case.source.itemsize, case.source.dtype)
    source, result = case.source.view(same), case.result.view(same).reshape([width, height, *case.source.shape[2:]])
    cv2.setNumThreads(case.threads)
    if len(axes) == 1:
        return timed(lambda: cv2.transpose(source, result))
    return timed(lambda: cv2.rotate(source, turns[axes[1][0]], result))


def onnx_nodes(helper, case):
    """The shape of the input, a node, and the lists of numbers that are its further inputs."""
    if case.permutation():
        dims, perm = case.permutation()
        return dims, helper.make_node("Transpose", ["x"], ["y"], perm=perm), {}
    if len(case.operators) > 1:
        return None
    name, numbers = case.operators[0]
    shape = list(case.source.shape)
    if name == "expand":
        return shape, helper.make_node("Expand", ["x", "shape"], ["y"]), {"shape": numbers}
    lists = None
    if name == "flip":
        lists = {"starts": [-1] * len(numbers), "ends": [-2 ** 31] * len(numbers), "axes": numbers,
                 "steps": [-1] * len(numbers)}
    if name == "slice":
        lists = {"starts": [c.start for c in numbers], "ends": [c.stop for c in numbers],
                 "axes": list(range(len(numbers))), "steps": [c.step for c in numbers]}
    return lists and (shape, helper.make_node("Slice", ["x", *lists], ["y"]), lists)


def by_onnxruntime(runtime, onnx, case):
    node = onnx_nodes(onnx.helper, case)
    if not node or case.dtype.startswith("c"):
        return None
    shape, node, lists = node
    element = onnx.helper.np_dtype_to_tensor_dtype(case.source.dtype)
    graph = onnx.helper.make_graph(
        [node], "peer", [onnx.helper.make_tensor_value_info("x", element, shape)],
        [onnx.helper.make_tensor_value_info("y", element, None)],
        [onnx.helper.make_tensor(name, onnx.TensorProto.INT64, [len(v)], v) for name, v in lists.items()])
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 13)], ir_version=8)
    options = runtime.SessionOptions()
    options.intra_op_num_threads = case.threads
    options.log_severity_level = 3
    try:
        session = runtime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    except runtime.capi.onnxruntime_pybind11_state.NotImplemented:
        return None
    binding, result = session.io_binding(), list(case.result.shape)
    binding.bind_input("x", "cpu", 0, case.source.dtype, shape, case.source.ctypes.data)
    if math.prod(result) == math.prod(case.extents) and case.permutation():
        result = case.extents
    binding.bind_output("y", "cpu", 0, case.source.dtype, result, case.result.ctypes.data)
    return timed(lambda: session.run_with_iobinding(binding))


class PeerCase(ctypes.Structure):
    """As in peer.h."""
    _fields_ = [("dtype", ctypes.c_char_p), ("rank", ctypes.c_int), ("threads", ctypes.c_int),
                ("extent", ctypes.POINTER(ctypes.c_int64)), ("stride", ctypes.POINTER(ctypes.c_int64)),
                ("dims", ctypes.POINTER(ctypes.c_int)), ("perm", ctypes.POINTER(ctypes.c_int)),
                ("src", ctypes.c_void_p), ("dst", ctypes.c_void_p)]


def array(kind, values):
    return (kind * len(values))(*values)


class Adaptor:
    """A C++ library; `timer` is timer.c."""

    def __init__(self, path, timer):
        self.library, self.timer, self.plan = ctypes.CDLL(str(path)), timer, None
        self.library.peer_open.restype = ctypes.c_void_p
        self.timer.time_peer.restype = ctypes.c_double

    def __call__(self, case):
        self.close()
        dims, perm = case.permutation() or (None, None)
        asked = PeerCase(case.dtype.encode(), len(case.extents), case.threads,
                         array(ctypes.c_int64, case.extents), array(ctypes.c_int64, case.strides),
                         dims and array(ctypes.c_int, dims), perm and array(ctypes.c_int, perm),
                         case.source.ctypes.data + case.offset * case.source.itemsize, case.result.ctypes.data)
        self.plan = self.library.peer_open(ctypes.byref(asked))
        plan = ctypes.c_void_p(self.plan)
        return self.plan and (lambda calls: self.timer.time_peer(self.library.peer_run, plan, calls))

    def close(self):
        """Ends the threads of the previous case."""
        if self.plan:
            self.library.peer_close(ctypes.c_void_p(self.plan))
        self.plan = None


def build_adaptor(name, options):
    """The adaptor as a shared object; None: the library is missing. HPTT is not a package: --hptt names its folder."""
    header, link = ADAPTORS[name]
    paths, source, library = ["-I/usr/include/eigen3"], HERE / f"peer_{name}.cpp", Path(options.work) / f"peer_{name}.so"
    if name == "hptt":
        if not options.hptt:
            return None
        paths = [f"-I{options.hptt}/include", f"-L{options.hptt}/lib", f"-Wl,-rpath,{options.hptt}/lib"]
    compiler = [*options.cxx.split(), "-std=c++17", "-O2", "-march=native", "-fopenmp", *paths]
    probe = subprocess.run([*compiler, "-x", "c++", "-E", "-"], input=f"#include <{header}>\n", text=True,
                           capture_output=True, check=False)
    if probe.returncode:
        return None
    if not library.exists() or library.stat().st_mtime < source.stat().st_mtime:
        subprocess.run([*compiler, "-shared", "-fPIC", source, "-o", library, *link.split()], check=True)
    return library


def find_peers(options, timer):
    """The installed ones of the requested peers: names and functions of a case."""
    processors = os.sched_getaffinity(0)
    os.environ.update({"OMP_NUM_THREADS": str(options.threads), "OMP_PROC_BIND": "true"})  # read when they load
    found = {"numpy": by_numpy}
    for name, function, *names in (("torch", by_torch, "torch"), ("onnxruntime", by_onnxruntime, "onnxruntime", "onnx"),
                                   ("einops", by_einops, "einops"), ("opencv", by_opencv, "cv2")):
        try:
            found[name] = functools.partial(function, *map(importlib.import_module, names))
        except ImportError:
            pass
    asked = options.peers.split(",")
    for name in ADAPTORS:
        library = build_adaptor(name, options) if name in asked else None
        if library:
            found[name] = Adaptor(library, timer)
    os.sched_setaffinity(0, processors)  # OpenMP pins this thread, and those that it starts, to one processor
    return {name: peer for name, peer in found.items() if name in asked}
