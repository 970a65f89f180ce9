#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs random ONNX models in every way, and compares them with ONNX's evaluator and onnxruntime.

    models.py --reshapec build/reshapec --cc cc --work DIR --seed 1 --count 300
    models.py ... --seed 1 --first 17 --count 1 --print      runs one model again, and prints it

Model N of seed S depends only on N and S (model_maker.py). Each has up to four calls, with different sizes and
elements. The expected results are those on which ONNX's reference evaluator and onnxruntime agree. Calls on which they
differ are counted and skipped. Each model runs in five ways:

    object    reshapec MODEL -o ..., or --emit=c; its functions are called as the header declares them, between guard
              pages; every sixteenth model is also verified
    run       reshapec run MODEL x=... y=...
    chains    reshapec chains MODEL -o ..., each function is called as the manifest describes it
    split     reshapec chains --split -o ..., of each fourth model: parts run in onnxruntime
    optimize  reshapec optimize MODEL -o ..., the evaluators run the new model

A wrong result, a status other than ok, a crash, or a compile of more than SLOW seconds is a fault. A model that the
compiler refuses is counted by its message. A fault is reduced as long as it fails in the same way, and printed with the
command, the actual and the expected result. The files stay in DIR/faults.
"""

import collections
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import time
import warnings

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from onnx.reference.ops.op_split import Split_18

sys.dont_write_bytecode = True  # no __pycache__ next to the sources
HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("support", "onnx", "model/Inputs"):
    sys.path.insert(0, os.path.join(HERE, "..", folder))

import dynamic  # noqa: E402
import harness  # noqa: E402
import optimize  # noqa: E402
import split  # noqa: E402
from cases import PACKED_BITS, packed, type_name  # noqa: E402
from model_maker import Maker, needed, numpy_type  # noqa: E402
from split import number_of  # noqa: E402

try:
    import onnxruntime

    onnxruntime.set_default_logger_severity(4)
except ImportError:  # then only the reference evaluator runs
    onnxruntime = None

BATCH = 20  # models that are linked and called together
SLOW = 5  # seconds
CALL_SECONDS = 20  # for all calls of one model
CHECKER_ERRORS = (onnx.checker.ValidationError, onnx.shape_inference.InferenceError)
TIERS = ["object", "run", "chains", "split", "optimize"]
# Tolerance of element-wise functions, by type.
RELATIVE = {"FLOAT16": 5e-3, "FLOAT": 1e-5, "DOUBLE": 1e-6}


class Fault(Exception):
    """A wrong result or a failure: `kind` is a short name, `what` describes it in one line."""

    def __init__(self, kind, what):
        super().__init__(what)
        self.kind, self.what = kind, what


class Refused(Exception):
    """The compiler refuses the model, with a message."""


# ---- Expected results ----------------------------------------------------------------------------


def runtime_session(model):
    """Returns a session of onnxruntime; None if it is not installed or refuses the model."""
    if onnxruntime is None or any(a.name == "sparse_value" for f in model.functions for n in f.node for a in n.attribute):
        return None  # of sizes computed with a sparse constant of a function, onnxruntime 1.32 ends the process
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    try:
        return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    except Exception:  # onnxruntime has an exception class for each kind of failure
        return None


def kinds_of(values):
    return {v.name: TensorProto.DataType.Name(v.type.tensor_type.elem_type) for v in values}


def is_alike(a, b, kind, exact=True):
    """Whether two arrays have the same values, or almost the same if the last bits are not specified."""
    a, b = np.asarray(a), np.asarray(b)
    if a.shape != b.shape:
        return False
    if kind in RELATIVE:
        zeros = (a == 0) & (b == 0)
        if not np.array_equal(np.signbit(a[zeros]), np.signbit(b[zeros])):
            return False
        if exact:
            return np.array_equal(a, b, equal_nan=True)
        return np.allclose(a, b, RELATIVE[kind], RELATIVE[kind], equal_nan=True)
    if kind == "STRING":
        return [str(s) for s in a.reshape(-1)] == [str(s) for s in b.reshape(-1)]
    return a.tobytes() == b.tobytes()


def check_model(model, feeds):
    """Raises an error if the model is invalid. Adds the ranks of inputs that have none: the checker requires them. It takes
    axes of Pad, and axes and steps of Slice, for absent if they have no rank."""
    ranked = onnx.ModelProto.FromString(model.SerializeToString())
    for value in ranked.graph.input:
        kind = value.type.tensor_type
        if feeds and value.name in feeds[0] and not kind.HasField("shape"):
            kind.shape.SetInParent()
            for _ in np.shape(feeds[0][value.name]):
                kind.shape.dim.add()
    declared = {value.name for value in [*ranked.graph.value_info, *ranked.graph.output]}
    unranked = {name for node in ranked.graph.node for name in node.output} - declared
    lists = [name for node in ranked.graph.node if node.op_type in ("Pad", "Slice") for name in node.input[3:] if name in unranked]
    inferred = onnx.shape_inference.infer_shapes(ranked).graph.value_info if lists else []
    kinds = {value.name: value.type.tensor_type.elem_type for value in inferred}
    for name in sorted(set(lists)):
        kind = kinds.get(name) or onnx.TensorProto.INT64
        ranked.graph.value_info.append(onnx.helper.make_tensor_value_info(name, kind, [None]))
    onnx.checker.check_model(ranked, full_check=True)


class Split(Split_18):
    """Split with parts that fill the axis; before opset 18, without sizes, of equal parts; with num_outputs, without a last
    part of negative length (an axis of 1, in 3 parts: 1, 1, -1). onnxruntime refuses others, and ONNX's evaluator makes
    some parts smaller or leaves a rest."""

    op_domain = ""

    def _run(self, mat, split=None, axis=None, num_outputs=None):
        if split is None and num_outputs is None and mat.shape[axis] % self.n_outputs:
            raise ValueError("parts are not equal")
        if num_outputs and mat.shape[axis] < -(-mat.shape[axis] // num_outputs) * (num_outputs - 1):
            raise ValueError("the last part has a negative length")
        if split is not None and sum(split) != mat.shape[axis]:
            raise ValueError("parts do not fill the axis")
        return super()._run(mat, split, axis, num_outputs)


def has_unread_axes(model):
    """Whether ONNX's inference, without which onnxruntime loads no model, may take the axes of a node for absent: they are
    computed, and what it pads or slices by is not."""
    constants = {i.name for i in model.graph.initializer}
    nodes = [n for part in [model.graph, *model.functions] for n in part.node]
    return any(n.op_type in ("Pad", "Slice") and any(name and name not in constants for name in n.input[3:]) for n in nodes)


def has_stacks(model):
    """Whether a Loop stacks the results of its iterations. ONNX's evaluator joins them, so its values are not compared."""
    return any(n.op_type == "Loop" and len(n.output) > len(n.input) - 2 for n in model.graph.node)


class Evaluators:
    """ONNX's evaluator and onnxruntime, for one model."""

    def __init__(self, model):
        self.outputs = kinds_of(model.graph.output)
        self.session = None
        if all(k in harness_kinds() for k in [*self.outputs.values(), *kinds_of(model.graph.input).values()]):
            self.session = runtime_session(model)
        try:
            self.reference = ReferenceEvaluator(model, new_ops=[Split])
        except Exception:  # it refuses the model, for any reason
            self.reference = None
        if self.session is None and has_stacks(model):
            self.reference = None

    def run(self, feed, exact):
        """Returns ({name: array} of all tensors, "") or (None, reason)."""
        made, ours = None, None
        if self.reference is not None:
            try:
                made = self.reference.run(None, feed, intermediate=True)
            except Exception:  # sizes that do not fit
                made = None
        if self.session is not None:
            try:
                ours = dict(zip(self.outputs, self.session.run(None, feed)))
            except Exception:
                ours = None
            if made is None and ours is None:
                return None, "invalid"
            if made is None or ours is None:
                return None, "differ"
            for name, kind in self.outputs.items():
                if not is_alike(made[name], ours[name], kind, exact.get(name, False)):
                    return None, "differ"
        return made, "invalid" if made is None else ""


def harness_kinds():
    """Returns the element types that onnxruntime accepts as arrays."""
    return {"FLOAT", "DOUBLE", "FLOAT16", "BOOL", "STRING"} | {f"{s}INT{b}" for s in ("", "U") for b in (8, 16, 32, 64)}


def is_as_declared(model, feed, made):
    """Whether inputs and results have the declared shapes. Not if M of a target `[-1, 2, 8, M]` is 0: it copies."""
    sizes = {}
    for values, arrays in ((model.graph.input, feed), (model.graph.output, made)):
        for value in values:
            array, kind = arrays.get(value.name), value.type.tensor_type
            if array is None or not kind.HasField("shape"):
                continue
            if len(kind.shape.dim) != np.ndim(array):
                return False
            for dim, size in zip(kind.shape.dim, np.shape(array)):
                said = dim.dim_value if dim.HasField("dim_value") else sizes.setdefault(dim.dim_param, size) if dim.dim_param else size
                if said != size:
                    return False
    return True


class Case:
    """A model and its calls, each {name: array}. The expected results are those of `plain`, a simpler form of it."""

    def __init__(self, number, model, feeds, exact, plain=None):
        self.number, self.model, self.exact = number, model, exact
        defaults = {t.name for t in model.graph.initializer}
        self.inputs = kinds_of(v for v in model.graph.input if v.name not in defaults)
        self.outputs = kinds_of(model.graph.output)
        self.inner = {o for f in model.functions for n in f.node for o in n.output}  # values outside may share these
        self.has_stacks = has_stacks(model)
        self.feeds, self.wanted, self.wrong, self.skipped = [], [], [], collections.Counter()
        evaluators = Evaluators(plain or model)
        for feed in feeds:
            made, why = evaluators.run(feed, exact)
            if made is not None and not is_as_declared(model, feed, made):
                made, why = None, "contradict"
            if made is not None:
                self.feeds.append(feed)
                self.wanted.append({**feed, **made})
            else:
                self.skipped[why] += 1
                if why == "invalid":
                    self.wrong.append(feed)

    def is_exact(self, name):
        return self.exact.get(name, False)

    def has_functions(self):
        moving = {"Reshape", "Transpose", "Slice", "Concat", "Split", "Identity", "Cast", "Pad", "Gather"}
        return any(n.op_type not in moving for n in self.model.graph.node)


# ---- Elements as reshapec stores them ------------------------------------------------------------


def raw(array, kind, handles):
    """Returns the bytes of a tensor. Strings become handles: the same number for the same text."""
    name = type_name(getattr(TensorProto, kind))
    array = np.ascontiguousarray(array)
    if kind == "STRING":
        numbers = [handles.setdefault(str(s), len(handles) + 1) for s in array.reshape(-1)]
        return np.array(numbers, "<u8").view(np.uint8)
    if name in PACKED_BITS:
        return packed(array, PACKED_BITS[name])
    return array.reshape(-1).view(np.uint8)


def byte_count(count, kind):
    name = type_name(getattr(TensorProto, kind))
    if name in PACKED_BITS:
        return -(-count * PACKED_BITS[name] // 8)
    return count * harness.ELEMENT_BYTES[name]


def check_elements(case, name, kind, got, want, handles):
    """Raises a Fault unless the bytes `got` match the array `want`, within the tolerance."""
    if case.is_exact(name) and kind not in RELATIVE:
        if np.array_equal(got, raw(want, kind, handles)):
            return
    want = np.asarray(want)
    if kind in RELATIVE or kind in harness_kinds() - {"STRING"}:
        made = np.frombuffer(got.tobytes(), want.dtype).reshape(want.shape)
        if is_alike(made, want, kind, case.is_exact(name)):
            return
        raise Fault("wrong elements", f"{name}: {short(made)}, right is {short(want)}")
    if not np.array_equal(got, raw(want, kind, handles)):
        raise Fault("wrong elements", f"{name}: bytes {got.tolist()[:40]}, right is {raw(want, kind, handles).tolist()[:40]}")


def short(array):
    text = np.array2string(np.asarray(array), threshold=60, edgeitems=4, max_line_width=1000).replace("\n", "")
    return re.sub(r" +", " ", f"{list(np.asarray(array).shape)} {text}")


# ---- The compiler --------------------------------------------------------------------------------


def word(name):
    """Returns the C identifier of a name in the model."""
    return re.sub(r"\W", "_", name)


class Files:
    """Compiles models in one folder."""

    def __init__(self, options):
        self.compiler = harness.Compiler(options.reshapec, options.cc, options.work, timeout=4 * SLOW)
        self.options, self.libraries = options, 0

    def path(self, name):
        return self.compiler.path(name)

    def call(self, *args):
        """Runs the compiler. Raises an exception if it refuses the model or fails."""
        started = time.time()
        try:
            done = self.compiler.call(*args)
        except subprocess.TimeoutExpired as late:
            raise Fault("hangs", f"{args[0]}: more than {4 * SLOW} s") from late
        except RuntimeError as bad:
            raise Fault("compiler fails", str(bad)[-600:]) from bad
        if done.returncode:
            first = next((line for line in done.stderr.split("\n") if "error: " in line), done.stderr[:200])
            raise Refused(first.partition("error: ")[2] or first)
        if time.time() - started > SLOW:
            raise Fault("slow", f"{args[0]}: {time.time() - started:.1f} s")
        return done

    def save(self, case):
        path = self.path(f"m{case.number}.onnx")
        onnx.save(case.model, path)
        return path

    def level(self, case):
        return "-O2" if case.number % 8 == 0 else "-O0"


# Bytes of a buffer whose size is known at run time: enough for all models.
OPEN_SCRATCH = 1 << 18


class Library(dynamic.Program):
    """Objects with their headers, as one shared library."""

    def __init__(self, files, objects):
        files.libraries += 1  # dlopen would not open a file of the same name again
        stem, text = f"library{files.libraries}", ""
        for path in objects:
            with open(path[:-2] + ".h", encoding="utf-8") as header:
                text += header.read()
        self.open(files.compiler, stem, objects, text)
        os.remove(files.path(stem + ".so"))
        self.dims = {
            name: [int(n) for n in re.findall(r"-?\d+", dims)] for name, dims in
            re.findall(r"#define (\w+)_DIMS \{ ([-\d, ]*) ?\}", text)
        }  # fmt: skip
        self.ranks = {name: int(n) for name, n in re.findall(r"#define (\w+)_RANK (\d+)", text)}
        self.macros.update({m: int(n) for m, n in re.findall(r"#define (\w+_BYTES) (\d+)", text)})

    def static_dims(self, function, name):
        prefix = f"{function}_{name}".upper()
        return self.dims.get(prefix, [])[: self.ranks.get(prefix, 0)]

    def once(self, name, values, outputs):
        """Makes one call and returns the status. A call that fails must write nothing."""
        before = {o: values[o].copy() for o in outputs}
        status = self.call(name, values)
        if status != "ok" and any(before[o].tobytes() != values[o].tobytes() for o in outputs):
            raise Fault("writes and fails", f"{name}: status {status}, and a result was written")
        return status


def tensor_or_bytes(is_tensor, array, kind, handles):
    # ascontiguousarray would turn a scalar into a vector.
    return np.array(array, order="C") if is_tensor else raw(array, kind, handles).copy()


def check_call(library, function, case, feed, want):
    """Calls the function of a model as its header declares it."""
    parameters, handles = library.parameters[function], {}
    pointers = [p for k, p in parameters if k != "size"]
    given, results = list(case.inputs), list(case.outputs)
    if len(pointers) < len(given) + len(results):
        raise Fault("wrong header", f"{function}: {parameters}")
    is_tensor = any(k == "tensor" for k, _ in parameters)
    values = {p: size_of(p, case, feed) for k, p in parameters if k == "size"}
    inputs = dict(zip(given, pointers))
    outputs = dict(zip(results, pointers[len(given) :]))
    for name, parameter in inputs.items():
        values[parameter] = tensor_or_bytes(is_tensor, feed[name], case.inputs[name], handles)
    for parameter in pointers[len(given) + len(results) :]:
        size = library.macros.get(f"{function}_{parameter}_BYTES".upper(), OPEN_SCRATCH)
        values[parameter] = np.zeros(max(size, 0), np.uint8)
    for p in [o + end for o in outputs.values() for end in ("_dims", "_rank")]:
        values[p] = np.full(16, -7, np.int64) if p.endswith("_dims") else np.full(1, -7, np.int32)
    is_static = function in library.is_void
    status = "ok" if is_static else library.call(function + "_shape", values)
    if status != "ok":
        raise Fault("status", f"{function}_shape returns {status}")
    dims = {}
    for name, parameter in outputs.items():
        told = values[parameter + "_dims"]
        rank = int(values[parameter + "_rank"][0])
        rank = int((told != -7).sum()) if rank < 0 else rank
        dims[name] = library.static_dims(function, parameter) if is_static else [int(n) for n in told[:rank]]
        right = list(np.shape(want[name])) if want else dims[name]
        if dims[name] != right:
            raise Fault("wrong sizes", f"{name}: {dims[name]}, right is {right}")
        count = int(np.prod(dims[name], dtype=np.int64))
        if is_tensor:
            values[parameter] = np.zeros(dims[name], numpy_type(case.outputs[name]))
        else:
            values[parameter] = np.full(byte_count(count, case.outputs[name]), harness.POISON, np.uint8)
        values[parameter + "_dims"] = np.full(16, -7, np.int64)
    before = {p: values[p].copy() for p in inputs.values()}
    for _ in range(2):  # the second call of a dynamic graph reuses the plan of the first
        status = library.once(function, values, list(outputs.values()))
        if status != "ok":
            raise Fault("status", f"{function} returns {status}, {function}_shape ok")
        for name, parameter in outputs.items():
            got = values[parameter].reshape(-1).view(np.uint8)
            if want:
                check_elements(case, name, case.outputs[name], got, want[name], handles)
    for parameter, array in before.items():
        if array.tobytes() != values[parameter].tobytes():
            raise Fault("input written", parameter)


def declared_names(case):
    """Returns {C name of a size: (input, axis)}. A size without a name is named after its input and axis. Names that
    become the same identifier get a number: "a.b" is a_b, "a/b" is a_b_2."""
    found, given = {}, set()
    for value in case.model.graph.input:
        for axis, dim in enumerate(value.type.tensor_type.shape.dim):
            if dim.HasField("dim_value") or dim.dim_param in given:
                continue
            base = name = word(dim.dim_param or f"{value.name}_{axis}")
            numbers = itertools.count(2)
            while name in found:
                name = f"{base}_{next(numbers)}"
            found[name] = (value.name, axis)
            given |= {dim.dim_param} - {""}
    return found


def size_of(name, case, feed):
    found = declared_names(case)
    name = name if name in found else name.removesuffix("_")  # a word of C: int is int_
    if name not in found:
        raise Fault("wrong header", f"no input has a size '{name}'")
    at, axis = found[name]
    return int(np.shape(feed[at])[axis])


# ---- The four ways -------------------------------------------------------------------------------


def compile_object(files, case):
    """Compiles an object, for every fourth model through C."""
    path = files.path(f"m{case.number}")
    if case.number % 4 != 1:
        verify = ["-fverify"] if case.number % 16 == 3 else []  # which takes as long as everything else together
        files.call(path + ".onnx", "-o", path + ".o", "--header", path + ".h", files.level(case), *verify)
        return path + ".o"
    files.call(path + ".onnx", "--emit=c", "-o", path + ".c", "--header", path + ".h")
    command = [files.compiler.cc, "-std=c99", "-Wall", "-Wextra", "-Werror", "-fPIC", "-c", "-o", path + ".o", path + ".c"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Fault("wrong C", done.stderr[-600:])
    return path + ".o"


def compile_chains(files, case):
    """Returns the object, or None if no chain has a function."""
    path, stem = files.path(f"m{case.number}.onnx"), files.path(f"m{case.number}_chains")
    files.call("chains", path, "-o", stem + ".o", "--header", stem + ".h", files.level(case))
    with open(stem + ".json", encoding="utf-8") as file:
        chains = json.load(file)["chains"]
    return stem + ".o" if any(c["function"] for c in chains) else None


def check_chain(library, chain, case, feed, want):
    """Calls the function of a chain as the manifest describes it."""
    if case.has_stacks:
        return
    sizes = {n: size_of(n, case, feed) for n in declared_names(case)}
    for p in chain["parameters"]:  # a size without a name in the model is that of a tensor's axis
        if p["kind"] == "size":
            if p["tensor"] in case.inner or (want.get(p["tensor"]) is None and p["tensor"] not in feed):
                return
            array = feed[p["tensor"]] if p["tensor"] in feed else want[p["tensor"]]
            sizes[p["name"]] = int(np.shape(array)[p["axis"]])
    tensors = {t["name"]: t for t in chain["inputs"] + chain["outputs"]}
    if any(want.get(name) is None or name in case.inner for name in tensors):
        return
    arrays = {name: np.asarray(want[name]) for name in tensors}
    kinds = {name: kind_of(array) for name, array in arrays.items()}
    for name, tensor in tensors.items():
        if type_name(getattr(TensorProto, kinds[name])) != tensor["dtype"]:
            raise Fault("wrong manifest", f"'{name}' is {tensor['dtype']}, the evaluator's {kinds[name]}")
        if tensor["dims"] is None:  # the rank is unknown: the shape that the call writes is checked below
            continue
        told = [number_of(d, sizes) for d in tensor["dims"]]
        right = list(arrays[name].shape)
        if 0 not in sizes.values() and any(a not in (None, b) for a, b in zip(told, right)):
            raise Fault("wrong manifest", f"'{name}' has {tensor['dims']}, right is {right}, of {sizes}")
    handles = {}
    values = {f"size {name}": number for name, number in sizes.items()}
    for t in chain["inputs"]:
        values[f"input {t['name']}"] = raw(arrays[t["name"]], kinds[t["name"]], handles).copy()
    for t in chain["outputs"]:
        name = t["name"]
        values[f"output {name}"] = np.full(byte_count(arrays[name].size, kinds[name]), harness.POISON, np.uint8)
        values[f"dims {name}"], values[f"rank {name}"] = np.full(16, -7, np.int64), np.full(1, -7, np.int32)
    values["plan plan"] = np.zeros(chain.get("plan_bytes", 0), np.uint8)
    values["scratch scratch"] = np.zeros(number_of(chain.get("scratch_bytes", 0), sizes), np.uint8)
    if "shape" in chain:
        call_chain(library, chain["shape"]["function"], chain["shape"]["parameters"], "rsh_status", values)
        for t in chain["outputs"]:
            told, right = values[f"dims {t['name']}"], list(arrays[t["name"]].shape)
            if told[: len(right)].tolist() != right:
                raise Fault("wrong sizes", f"{t['name']}: {told.tolist()}, right is {right}")
    call_chain(library, chain["function"], chain["parameters"], chain["returns"], values)
    for t in chain["outputs"]:
        name = t["name"]
        check_elements(case, name, kinds[name], values[f"output {name}"], arrays[name], handles)


def kind_of(array):
    if array.dtype.kind in "OUT":
        return "STRING"
    return TensorProto.DataType.Name(helper.np_dtype_to_tensor_dtype(array.dtype))


def call_chain(library, function, parameters, returns, values):
    """Calls a function with the parameters of a manifest."""
    library.parameters[function] = [
        ("size" if p["kind"] == "size" else "pointer", f"{p['kind']} {p['name']}") for p in parameters
    ]
    (library.is_void.add if returns == "void" else library.is_void.discard)(function)
    status = library.once(function, values, [k for k in values if k.startswith("output ")])
    if status != "ok":
        raise Fault("status", f"chain {function} returns {status}")


def check_chains(files, library, case):
    with open(files.path(f"m{case.number}_chains.json"), encoding="utf-8") as file:
        chains = json.load(file)["chains"]
    for chain in chains:
        for feed, want in zip(case.feeds, case.wanted):
            if chain["function"]:
                check_chain(library, chain, case, feed, want)


def has_sparse_bodies(model):
    """Whether a body has a sparse constant: onnxruntime refuses some of them as results, depending on what is beside."""
    return any(b"sparse_value" in a.SerializeToString() for n in model.graph.node for a in n.attribute if a.name != "sparse_value")


def runs_in_runtime(case):
    """Whether onnxruntime runs the model. It refuses some that it loads: a Scan whose results have no inferred shape."""
    session = None if has_sparse_bodies(case.model) else runtime_session(case.model)
    try:
        return session is not None and [session.run(None, feed) for feed in case.feeds] != []
    except Exception:  # onnxruntime has an exception class for each kind of failure
        return False


def write_split(files, case):
    """Splits a model into its chains and parts for onnxruntime. Returns where, or None if onnxruntime cannot run it."""
    base = files.path(f"m{case.number}_split")
    whole = "--split=all" if case.number % 3 == 0 else "--split"
    files.call("chains", files.path(f"m{case.number}.onnx"), whole, files.level(case), "-fno-verify", "-o", base + ".o")
    with open(base + ".json", encoding="utf-8") as file:
        manifest = json.load(file)
    steps = [t["dtype"] for s in [manifest, *manifest["steps"], *manifest["chains"]] for t in s.get("inputs", []) + s.get("outputs", [])]
    return base if all(t in split.NUMPY for t in steps) and is_npy(case) and runs_in_runtime(case) else None


def check_split(files, base, case):
    try:
        made = split.Split(base, files.options.cc)
    except subprocess.CalledProcessError as bad:
        raise Fault("does not compile", str(bad)) from bad
    except Exception as bad:
        raise Fault("wrong part", str(bad)[:300]) from bad
    for feed, want in zip(case.feeds, case.wanted):
        try:
            ways = list(made.run(feed))
        except Exception as bad:
            raise Fault("status", f"split: {type(bad).__name__} {str(bad)[:300]}") from bad
        for way, results in ways:
            for name, got in zip(made.outputs, results):
                if not is_alike(got, want[name], case.outputs[name], case.is_exact(name)):
                    raise Fault("wrong elements", f"{way}: {name}: {short(got)}, right is {short(want[name])}")


def run_once(files, case, feed, want):
    """Calls `reshapec run`, for element types that .npy supports."""
    arguments = []
    for i, (name, array) in enumerate(feed.items()):
        path = files.path(f"m{case.number}_in{i}.npy")
        np.save(path, array)
        arguments.append(f"{name}={path}")
    paths = {name: files.path(f"m{case.number}_out{i}.npy") for i, name in enumerate(case.outputs)}
    try:
        results = [f"{name}={path}" for name, path in paths.items()]
        files.call("run", files.path(f"m{case.number}.onnx"), files.level(case), *arguments, *results)
    except Refused as why:
        raise Fault("status", f"run: {why}") from why
    for name, path in paths.items():
        made = np.load(path)
        right = np.asarray(want[name])
        if list(made.shape) != list(right.shape) or made.dtype != right.dtype:
            raise Fault("wrong sizes", f"{name}: {made.dtype}{list(made.shape)}, right is {right.dtype}{list(right.shape)}")
        if not is_alike(made, right, case.outputs[name], case.is_exact(name)):
            raise Fault("wrong elements", f"{name}: {short(made)}, right is {short(right)}")


def is_npy(case):
    types = harness_kinds() - {"STRING"} | {"COMPLEX64", "COMPLEX128"}
    return all(k in types for k in [*case.inputs.values(), *case.outputs.values()])


def check_optimized(files, case):
    path, new = files.path(f"m{case.number}.onnx"), files.path(f"m{case.number}_new.onnx")
    files.call("optimize", path, "-o", new)
    made = onnx.load(new)
    try:
        what = optimize.difference(case.model, made, lambda m: check_model(m, case.feeds))
    except CHECKER_ERRORS as bad:
        what = str(bad)
    if what:
        raise Fault("wrong model", what)
    evaluators = Evaluators(made)
    for feed, want in zip(case.feeds, case.wanted):
        got, why = evaluators.run(feed, case.exact)
        if got is None and why == "invalid" and not has_unread_axes(made) and Evaluators(case.model).run(feed, case.exact)[1] != "invalid":
            raise Fault("wrong model", "the evaluators refuse what was written")
        for name, kind in case.outputs.items() if got else ():
            if not is_alike(got[name], want[name], kind, case.is_exact(name)):
                raise Fault("wrong elements", f"{name}: {short(got[name])}, right is {short(want[name])}")


# ---- Batches -------------------------------------------------------------------------------------


class Tally:
    """Counts of models, calls and refusals."""

    def __init__(self):
        self.counts = collections.Counter()
        self.refused = collections.Counter()

    def refuse(self, tier, why):
        why = re.sub(r"'[^']*'", "'_'", re.sub(r"^node .*?\): ", "", str(why)))
        self.refused[f"{tier}: {re.sub(r'-?[0-9]+', '#', why)[:110]}"] += 1


def guarded(work, *args):
    """Calls `work`. Returns [kind, what] of a fault, or None."""
    try:
        work(*args)
    except Fault as fault:
        return [fault.kind, fault.what]
    except RuntimeError as bad:  # from the harness: bytes next to a buffer were written
        return ["memory", str(bad)]
    return None


def attempt(tier, work, case, tally, faults):
    """Returns the result of a step. Records a fault or a refusal."""
    try:
        return work()
    except Refused as why:
        tally.refuse(tier, why)
    except Fault as fault:
        faults.append((case, tier, fault.kind, fault.what))
    return None


def all_calls(library, case, calls):
    for feed, want in calls:
        check_call(library, f"m{case.number}", case, feed, want)


def call_jobs(files, cases, objects, chained, parted):
    """Returns (case, tier, work) for each case that is called in memory."""
    jobs = [(c, "split", lambda c=c: check_split(files, parted[c.number], c)) for c in cases if c.number in parted]
    if objects:
        library = Library(files, [objects[c.number] for c in cases if c.number in objects])
        jobs += [
            (c, "object", lambda c=c: all_calls(library, c, zip(c.feeds, c.wanted)))
            for c in cases if c.number in objects
        ]  # fmt: skip
    if chained:
        chains = Library(files, [chained[c.number] for c in cases if c.number in chained])
        jobs += [(c, "chains", lambda c=c: check_chains(files, chains, c)) for c in cases if c.number in chained]
    return jobs


def call_all(jobs):
    """Runs jobs in a child process; yields those that fail."""

    def work(job):
        signal.alarm(CALL_SECONDS)
        verdict = guarded(job[2])
        signal.alarm(0)
        return verdict

    for (case, tier, _), verdict in harness.isolated(jobs, work):
        if isinstance(verdict, str):  # it ended the process, or raised another exception
            yield case, tier, "crash" if "ended the process" in verdict else "harness", verdict
        elif verdict:
            yield case, tier, *verdict


def run_batch(files, cases, tally, tiers=TIERS):
    """Runs cases in these tiers. Returns the faults as [(case, tier, kind, what)]."""
    faults, objects, chained, parted = [], {}, {}, {}
    for case in cases:
        files.save(case)
        if "object" in tiers or "run" in tiers:
            made = attempt("object", lambda: compile_object(files, case), case, tally, faults)
            if made:
                objects[case.number] = made
        if "chains" in tiers:
            made = attempt("chains", lambda: compile_chains(files, case), case, tally, faults)
            if made:
                chained[case.number] = made
                tally.counts["models with chains"] += 1
        if "split" in tiers and (case.number % 4 == 0 or tiers == ["split"]):
            made = attempt("split", lambda: write_split(files, case), case, tally, faults)
            if made:
                parted[case.number] = made
                tally.counts["models split"] += 1
        if "optimize" in tiers:
            attempt("optimize", lambda: check_optimized(files, case), case, tally, faults)
        if "run" in tiers and case.number in objects and is_npy(case):
            count = len(case.feeds) if tiers == ["run"] else 1 + case.number % 2
            for feed, want in list(zip(case.feeds, case.wanted))[-count:]:
                tally.counts["runs"] += 1
                before = len(faults)
                attempt("run", lambda: run_once(files, case, feed, want), case, tally, faults)
                if len(faults) > before:
                    break
    if "object" not in tiers:
        objects = {}
    tally.counts["models compiled"] += len(objects)
    tally.counts["calls"] += sum(len(c.feeds) for c in cases if c.number in objects)
    try:
        faults += call_all(call_jobs(files, cases, objects, chained, parted))
    except (subprocess.CalledProcessError, OSError) as bad:
        if len(cases) == 1:
            return [*faults, (cases[0], "object", "does not link", str(bad)[-300:])]
        for case in cases:
            faults += run_batch(files, [case], Tally(), [t for t in tiers if t in ("object", "chains", "split")])
    return faults


# ---- Smaller models ------------------------------------------------------------------------------


class Shrinker:
    """Shrinks a case as long as it fails in the same way."""

    def __init__(self, files, case, tier, kind, seconds):
        self.files, self.case, self.tier, self.kind = files, case, tier, kind
        self.ends = time.time() + seconds
        self.what = ""
        self.tries = 0

    def fails(self, model, feeds, exact=None):
        """Returns the case of this model if it fails in the same way, else None."""
        self.tries += 1
        try:
            check_model(model, feeds)
            case = Case(self.case.number, model, feeds, exact or self.case.exact)
        except Exception:  # not a valid model
            return None
        if not case.feeds or not model.graph.node or set(case.outputs) & set(case.inputs):
            return None
        tiers = ["object"] if self.kind in ("compiler fails", "slow", "hangs") and self.tier == "run" else [self.tier]
        try:
            faults = run_batch(self.files, [case], Tally(), tiers)
        except Exception:  # the harness cannot read it
            return None
        for _, tier, kind, what in faults:
            if kind == self.kind:
                self.what = what
                return case
        return None

    def take(self, model, feeds, exact=None):
        if time.time() > self.ends:
            return False
        case = self.fails(model, feeds, exact)
        if case:
            self.case = case
        return case is not None

    def run(self):
        self.take(self.case.model, self.case.feeds)
        before = None
        while time.time() < self.ends and before != self.size():
            before = self.size()
            for step in (self.fewer_feeds, self.fewer_outputs, self.fewer_nodes, self.given_values, self.bypass,
                         self.known_sizes, self.fewer_inputs, self.smaller_constants):  # fmt: skip
                step()
        return self.case

    def size(self):
        graph = self.case.model.graph
        elements = sum(int(numpy_helper.to_array(t).size) for t in graph.initializer)
        return len(graph.node), len(graph.input), len(graph.output), len(self.case.feeds), elements, \
            self.case.model.ByteSize()  # fmt: skip

    def copy(self):
        return onnx.ModelProto.FromString(self.case.model.SerializeToString())

    def fewer_feeds(self):
        feeds = self.case.feeds
        for feed in feeds if len(feeds) > 1 else ():
            if self.take(self.case.model, [feed]):
                return

    def fewer_outputs(self):
        for value in list(self.case.model.graph.output):
            if len(self.case.model.graph.output) > 1:
                model = self.copy()
                kept = [v for v in model.graph.output if v.name != value.name]
                del model.graph.output[:]
                model.graph.output.extend(kept)
                self.take(pruned(model), self.case.feeds)

    def fewer_nodes(self):
        """Tries an earlier value as the only output."""
        for node in list(self.case.model.graph.node):
            for name in node.output:
                array = self.case.wanted[0].get(name)
                if array is None or isinstance(array, list) or name in self.case.outputs:
                    continue  # a list is a sequence, whose type is not that of its tensors
                model = self.copy()
                del model.graph.output[:]
                model.graph.output.append(type_of(name, array, [None] * np.ndim(array)))
                if self.take(pruned(model), self.case.feeds, {name: False}):
                    return

    def given_values(self):
        """Tries to replace each result of a node with an input."""
        for name in [o for n in self.case.model.graph.node for o in n.output]:
            arrays = [w.get(name) for w in self.case.wanted]
            if any(a is None for a in arrays) or name in self.case.outputs:
                continue
            if any(name in n.output for n in self.case.model.graph.node):
                model = self.copy()
                for node in model.graph.node:
                    for i, made in enumerate(node.output):
                        if made == name:
                            node.output[i] = name + "_not"
                model.graph.input.append(type_of(name, arrays[0], self.sizes_of(arrays)))
                feeds = [{**f, name: np.asarray(a)} for f, a in zip(self.case.feeds, arrays)]
                self.take(*pruned(model, feeds))

    def sizes_of(self, arrays):
        """Returns sizes for a new input: numbers, or names if calls differ, of known sizes if they match."""
        dims = list(np.shape(arrays[0]))
        known = {}
        for text, (name, axis) in declared_names(self.case).items():
            known.setdefault(tuple(np.shape(f[name])[axis] for f in self.case.feeds), text)
        for axis in range(len(dims)):
            vector = tuple(np.shape(a)[axis] for a in arrays)
            if vector in known:
                dims[axis] = known[vector]
            elif len(set(vector)) > 1:
                dims[axis] = f"S{len(known)}_{axis}"
        return dims

    def bypass(self):
        for index in range(len(self.case.model.graph.node) - 1, -1, -1):
            if index >= len(self.case.model.graph.node):
                continue
            node = self.case.model.graph.node[index]
            for given in node.input:
                model = self.copy()
                mine = model.graph.node[index]
                model.graph.node[index].CopyFrom(helper.make_node("Identity", [given], [mine.output[0]], mine.name))
                if node.op_type != "Identity" and given and len(node.output) == 1:
                    array = self.case.wanted[0].get(given)
                    if array is not None and self.take(pruned(retyped(model, mine.output[0], array)), self.case.feeds):
                        break
                model = renamed(self.copy(), index, given)
                if given and self.take(pruned(model), self.case.feeds):
                    break

    def known_sizes(self):
        """Tries to replace named sizes with numbers, one after another, if only one call is left."""
        if len(self.case.feeds) > 1:
            return
        for value in range(len(self.case.model.graph.input)):
            for axis in range(len(self.case.model.graph.input[value].type.tensor_type.shape.dim)):
                model = self.copy()
                given = model.graph.input[value]
                if given.type.tensor_type.shape.dim[axis].HasField("dim_value"):
                    continue
                given.type.tensor_type.shape.dim[axis].dim_value = np.shape(self.case.feeds[0][given.name])[axis]
                self.take(model, self.case.feeds)

    def fewer_inputs(self):
        model = self.copy()
        self.take(*pruned(model, self.case.feeds, True))

    def smaller_constants(self):
        for at, tensor in enumerate(self.case.model.graph.initializer):
            array = numpy_helper.to_array(tensor)
            if array.size > 12 or array.dtype.kind not in "iu":
                continue
            for place in range(array.size):
                for number in (0, 1, 2):
                    current = numpy_helper.to_array(self.case.model.graph.initializer[at]).copy()
                    if abs(int(current.reshape(-1)[place])) <= number:
                        break
                    current.reshape(-1)[place] = number
                    model = self.copy()
                    model.graph.initializer[at].CopyFrom(numpy_helper.from_array(current, tensor.name))
                    if self.take(model, self.case.feeds):
                        break


def type_of(name, array, dims):
    return helper.make_tensor_value_info(name, getattr(TensorProto, kind_of(np.asarray(array))), dims)


def retyped(model, name, array):
    """Changes the type of an output to that of `array`."""
    for value in model.graph.output:
        if value.name == name:
            value.CopyFrom(type_of(name, array, [None] * np.ndim(array)))
    return model


def renamed(model, index, given):
    """Removes node `index` and replaces its results with `given`."""
    gone = set(model.graph.node[index].output)
    del model.graph.node[index]
    for node in model.graph.node:
        for i, name in enumerate(node.input):
            if name in gone:
                node.input[i] = given
    return model


def pruned(model, feeds=None, inputs=False):
    """Removes what no output needs from the model, and from `feeds` if these are given."""
    graph = model.graph
    seen = needed(graph.node, [o.name for o in graph.output])
    for field in ("node", "initializer", "input"):
        kept = [
            m for m in getattr(graph, field)
            if (seen.intersection(m.output) if field == "node" else m.name in seen or field == "input" and not inputs)
        ]  # fmt: skip
        copies = [type(m).FromString(m.SerializeToString()) for m in kept]
        graph.ClearField(field)
        getattr(graph, field).extend(copies)
    if feeds is None:
        return model
    names = {i.name for i in graph.input}
    return model, [{n: a for n, a in f.items() if n in names} for f in feeds]


def report(files, options, fault):
    """Prints a fault: the smallest model, the command, the actual and the expected result."""
    case, tier, kind, what = fault
    shrinker = Shrinker(files, case, tier, kind, options.shrink)
    small = shrinker.run() if options.shrink else case
    folder = files.path("faults")
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, f"s{options.seed}_m{case.number}_{tier}.onnx")
    onnx.save(small.model, path)
    print(f"---- seed {options.seed} model {case.number}: {tier}: {kind}: {what}")
    if options.shrink:
        print(f"smallest, after {shrinker.tries} tries: {shrinker.what or 'fails no more'}")
    for feed in small.feeds[:1]:
        for name, array in feed.items():
            if is_npy(small):
                np.save(f"{path[:-5]}.{name[:80]}.npy", array)
            print(f"  {name} = {short(array)}")
    print(onnx.printer.to_text(small.model))
    print(f"command: reshapec {command_of(tier)} {os.path.basename(path)} ...", flush=True)
    return shrinker.what or what


def is_documented(fault):
    """Whether a fault is the documented ambiguous_infer: a computed 0 next to a -1 (grammar/language.md)."""
    case, _, kind, what = fault
    is_empty = any(0 in array.shape for feed in case.feeds for array in feed.values())
    told = "ambiguous_infer" in what or "-1 cannot be inferred" in what
    return kind == "status" and told and is_empty


def command_of(tier):
    return {"object": "-o m.o --header m.h", "run": "run", "chains": "chains -o m.o", "split": "chains --split -o m.o", "optimize": "optimize -o new.onnx"}[tier]


# ---- All of it -----------------------------------------------------------------------------------


def make_cases(options, tally):
    for number in range(options.first, options.first + options.count):
        made = Maker(options.seed, number, options.swarm).model()
        tally.counts["models"] += 1
        if options.print:
            print(f"# model {number}\n{onnx.printer.to_text(made[0])}")
        try:
            check_model(*made[:2])
        except CHECKER_ERRORS:  # the operator does not support the type
            tally.counts["no models"] += 1
            continue
        case = Case(number, *made)
        for why, count in case.skipped.items():
            tally.counts[f"calls of which the evaluators {'differ' if why == 'differ' else 'refuse both'}"] += count
        if case.feeds:
            yield case
        else:
            tally.counts["models without a call"] += 1


def batches(cases, size):
    batch = []
    for case in cases:
        batch.append(case)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


def main():
    parser = harness.parser_of(__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first model")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--tier", action="append", choices=TIERS, help="run only these ways")
    parser.add_argument("--print", action="store_true", help="print each model")
    parser.add_argument("--shrink", type=float, default=30, help="seconds to shrink one fault")
    parser.add_argument("--most", type=int, default=20, help="stop after this number of faults")
    parser.add_argument("--swarm", action="store_true", help="few operators in each model, in longer chains")
    parser.add_argument("--list", action="store_true", help="count refusals by their messages")
    options = parser.parse_args()
    options.work = os.path.abspath(options.work)
    warnings.simplefilter("ignore")

    files, tally, found = Files(options), Tally(), []
    for batch in batches(make_cases(options, tally), BATCH):
        for fault in run_batch(files, batch, tally, options.tier or TIERS):
            if is_documented(fault):
                tally.counts["refused as documented"] += 1
                continue
            report(files, options, fault)
            found.append(fault)
        for name in os.listdir(options.work):
            if re.match(r"m\d+(_|\.)", name):
                os.remove(files.path(name))
        if len(found) >= options.most:
            print(f"stopped after {len(found)} faults")
            break
    if options.list:
        for why, count in tally.refused.most_common():
            print(f"{count:6} refused, {why}")
    for what, count in sorted(tally.counts.items()):
        print(f"{what}: {count}")
    for kind, count in collections.Counter((t, k) for _, t, k, _ in found).most_common():
        print(f"{count:6} faults: {kind[0]}: {kind[1]}")
    evaluators = "ONNX's evaluator and onnxruntime" if onnxruntime else "ONNX's evaluator"
    print(f"{tally.counts['models']} models against {evaluators}: {sum(tally.refused.values())} refused, {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
