# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""split.py RESHAPEC CC WORK OPTION MODEL ...: compares models that `chains OPTION` splits with whole ones.
split.py RESHAPEC CC WORK OPTION random SEED COUNT: the same for the random models of optimize.py. OPTION: --split[=all].

Parts run in onnxruntime, chains in the object: once as the manifest describes it, and once with the driver in C, whose
callbacks run the parts. The outputs must equal onnxruntime's for the whole model, to the last bit. Its optimizer is
off, as it may compute differently if it sees more nodes at once.
"""

import ctypes
import json
import os
import re
import subprocess
import sys

import numpy as np
import onnx
import onnxruntime as ort
import optimize

SIZES = {"batch": 2, "tokens": 5}
KEPT = []  # keeps memory that C reads


def session(path):
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    return ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def in_order(array):
    """Returns a row-major copy for C; ascontiguousarray() would turn a scalar into a vector."""
    return np.asarray(array, order="C")


def random_inputs(model):
    random = np.random.default_rng(1)
    weights = {i.name for i in model.graph.initializer}
    fed = {}
    for value in model.graph.input:
        if value.name not in weights:
            tensor = value.type.tensor_type
            dims = [d.dim_value or SIZES.get(d.dim_param, 3) for d in tensor.shape.dim]
            dims = dims if tensor.HasField("shape") else [2, 3]
            kind = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)
            values = random.random(dims) if kind.kind == "f" else random.integers(0, 2, dims)
            fed[value.name] = values.astype(kind)
    return fed


def chain_arguments(parameters, arrays, dims):
    for parameter in parameters:
        kind, name = parameter["kind"], parameter["name"]
        if kind == "size":
            yield ctypes.c_int64(arrays[parameter["tensor"]].shape[parameter["axis"]])
        elif kind == "dims":
            yield ctypes.c_void_p(dims[name].ctypes.data)
        else:
            yield ctypes.c_void_p(arrays["scratch" if kind == "scratch" else name].ctypes.data)


def edge(at, size, least=0):
    at = at + size if at < 0 else at
    return min(max(at, least), size)


def number_of(text, sizes):
    """Returns a number of a manifest: 12 for "4*min(5, N)" if N is 3."""
    if isinstance(text, int):
        return text
    if "?" in text or ".." in text:
        return None
    text = re.sub(r"\b([A-Za-z_]\w*)\b(?!\()", r"size_\1", re.sub("/+", "//", text))  # Python reserves "for"
    functions = {"min": min, "max": max, "edge": edge, "either": lambda at, size: at or size}
    try:
        value = eval(text, {"__builtins__": {}}, {**functions, **{f"size_{name}": n for name, n in sizes.items()}})
    except ZeroDivisionError:  # the call refuses such sizes with a status
        return None
    return int(value)


def run_chain(library, chain, arrays):
    """Calls a chain and adds its outputs to the arrays."""
    dims = {t["name"]: np.array([d if isinstance(d, int) else -1 for d in t["dims"]], np.int64)
            for t in chain["outputs"]}
    if "shape" in chain:
        shape = chain["shape"]
        assert getattr(library, shape["function"])(*chain_arguments(shape["parameters"], arrays, dims)) == 0
    kinds = {t["name"]: np.dtype(NUMPY[t["dtype"]]) for t in chain["outputs"]}
    for name, sizes in dims.items():
        arrays[name] = np.full(sizes, 77).astype(kinds[name])
    if "scratch_bytes" in chain:
        sizes = {p["name"]: arrays[p["tensor"]].shape[p["axis"]] for p in chain["parameters"] if p["kind"] == "size"}
        arrays["scratch"] = np.zeros(number_of(chain["scratch_bytes"], sizes), np.uint8)
    status = getattr(library, chain["function"])(*chain_arguments(chain["parameters"], arrays, dims))
    assert chain["returns"] == "void" or status == 0, status


NUMPY = {"f16": "f2", "f32": "f4", "f64": "f8", "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8",
         "u8": "u1", "u16": "u2", "u32": "u4", "u64": "u8", "bool": "?"}


def by_manifest(manifest, sessions, library, fed):
    chains = {c["name"]: c for c in manifest["chains"]}
    arrays = {k: in_order(v) for k, v in fed.items()}
    for step in manifest["steps"]:
        if "chain" in step:
            run_chain(library, chains[step["chain"]], arrays)
            continue
        names = [t["name"] for t in step["outputs"]]
        given = {t["name"]: arrays[t["name"]] for t in step["inputs"]}
        made = sessions[step["part"]].run(names, given)
        arrays.update(zip(names, map(in_order, made)))
    return [arrays[t["name"]] for t in manifest["outputs"]]


def by_driver(name, manifest, sessions, library, fed, ranks):
    """Calls the driver with sizes, inputs and outputs."""

    class Tensor(ctypes.Structure):
        _fields_ = [("data", ctypes.c_void_p), ("dim", ctypes.c_int64 * ranks), ("rank", ctypes.c_int32)]

    call = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(Tensor), ctypes.POINTER(Tensor))
    room = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)

    def array(tensor, declared):
        shape = [tensor.dim[i] for i in range(tensor.rank)]
        kind = np.dtype(NUMPY[declared["dtype"]])
        bytes_ = ctypes.string_at(tensor.data, int(np.prod(shape)) * kind.itemsize) if np.prod(shape) else b""
        return np.frombuffer(bytes_, kind).reshape(shape)

    def part(step):
        def run(_, given, made):
            fed_here = {t["name"]: array(given[i], t) for i, t in enumerate(step["inputs"])}
            results = sessions[step["part"]].run([t["name"] for t in step["outputs"]], fed_here)
            for i, result in enumerate(map(in_order, results)):
                KEPT.append(result)
                made[i].data = result.ctypes.data
                for axis, size in enumerate(result.shape):
                    assert made[i].rank < 0 or made[i].dim[axis] in (-1, size)
                    made[i].dim[axis] = size
                made[i].rank = result.ndim
            return 0
        return call(run)

    def memory(_, size):
        KEPT.append(ctypes.create_string_buffer(size + 64))
        return (ctypes.addressof(KEPT[-1]) + 63) // 64 * 64

    parts = [part(s) for s in manifest["steps"] if "part" in s]

    class Engine(ctypes.Structure):
        _fields_ = [("context", ctypes.c_void_p), ("memory", room)] + [
            (f"part_{i + 1}", call) for i in range(len(parts))]

    engine = Engine(None, room(memory), *parts)
    sizes, arrays = {}, []
    for tensor in manifest["inputs"]:
        arrays.append(in_order(fed[tensor["name"]]))
        for axis, dim in enumerate(tensor["dims"] or []):
            if not isinstance(dim, int):
                sizes.setdefault(dim, fed[tensor["name"]].shape[axis])
    out = (Tensor * len(manifest["outputs"]))()
    wholes = [Tensor(a.ctypes.data, (ctypes.c_int64 * ranks)(*a.shape), a.ndim) for a in arrays]
    status = getattr(library, f"{name}_run")(
        ctypes.byref(engine), *map(ctypes.c_int64, sizes.values()),
        *[ctypes.byref(w) if t["dims"] is None else ctypes.c_void_p(a.ctypes.data)
          for t, a, w in zip(manifest["inputs"], arrays, wholes)], out)
    assert status == 0, status
    return [array(t, declared) for t, declared in zip(out, manifest["outputs"])]


class Split:
    """What `chains --split -o BASE.o` wrote, with its parts in onnxruntime."""

    def __init__(self, base, cc):
        self.name = os.path.basename(base)
        self.folder = os.path.dirname(base)
        subprocess.run([cc, "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fPIC", "-shared",
                        base + ".split.c", base + ".o", "-o", base + ".so"], check=True)
        with open(base + ".json", encoding="utf-8") as file:
            self.manifest = json.load(file)
        with open(base + ".split.h", encoding="utf-8") as file:
            self.ranks = int(file.read().split("int64_t dim[")[1].split("]")[0])
        self.outputs = [t["name"] for t in self.manifest["outputs"]]
        parts = [s["part"] for s in self.manifest["steps"] if "part" in s]
        self.parts = {part: os.path.join(self.folder, part) for part in parts}
        self.sessions = {part: session(path) for part, path in self.parts.items()}
        self.library = ctypes.CDLL(base + ".so")

    def run(self, fed):
        """Yields the results of each of two ways."""
        yield "manifest", by_manifest(self.manifest, self.sessions, self.library, fed)
        yield "driver", by_driver(self.name, self.manifest, self.sessions, self.library, fed, self.ranks)


def one(reshapec, cc, work, option, path):
    """Returns (steps, what is wrong or None)."""
    name = os.path.splitext(os.path.basename(path))[0].replace("-", "_").replace(".", "_")
    folder = os.path.join(work, name)
    os.makedirs(folder, exist_ok=True)
    base = os.path.join(folder, name)
    subprocess.run([reshapec, "chains", path, option, "-fno-verify", "-o", base + ".o"], check=True,
                   stdout=subprocess.DEVNULL)
    split = Split(base, cc)
    model = onnx.load(path)
    if all(i.type.tensor_type.HasField("shape") for i in model.graph.input):
        for part in split.parts.values():  # else no part can state a rank that the model does not state
            onnx.checker.check_model(part, full_check=True)
    fed = random_inputs(model)
    wanted = session(path).run(split.outputs, fed)
    text = " ".join(next(iter(s)) for s in split.manifest["steps"])
    for way, made in split.run(fed):
        for name, w, m in zip(split.outputs, wanted, made):
            if w.shape != m.shape or w.dtype != m.dtype or w.tobytes() != m.tobytes():
                return text, f"{way}: {name} differs"
    return text, None


def random_models(work, seed, count):
    for number in range(int(seed), int(seed) + int(count)):
        path = os.path.join(work, f"random_{number}.onnx")
        onnx.save(optimize.Maker(number).model(), path)
        yield path


def main(reshapec, cc, work, option, *paths):
    failed = False
    os.makedirs(work, exist_ok=True)
    for path in random_models(work, *paths[1:]) if paths[0] == "random" else paths:
        steps, wrong = one(reshapec, cc, work, option, path)
        print(f"{os.path.basename(path)}: {steps}: {wrong or 'equal'}")
        failed = failed or wrong
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
