#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the compiler with ONNX's own node tests: models of one operator, with inputs and outputs.

The cases are those that the onnx package generates and those it holds as files, or with --folder the directories
below a folder that have a model.onnx and its test_data_set_*. The compiler reads each model, with the inputs that are
not data as initializers (cases.py), and its code is called on the test's inputs; the resulting bytes must be the
test's outputs. Models without weights are first written as text, and compiled together from it. Cases with targets of
Reshape are run again with these as inputs, resolved at run time. Cases that cannot be run are counted by their
reason.
"""

import collections
import concurrent.futures
import ctypes
import glob
import os
import re
import subprocess
import sys
import warnings

import numpy as np
import onnx
import onnx.backend.test as backend_test
from onnx import numpy_helper

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True  # no __pycache__ next to the sources
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import dynamic  # noqa: E402
import harness  # noqa: E402
from cases import ARITHMETIC, Case, LeftOut, targets_as_inputs  # noqa: E402
from graph import write_file  # noqa: E402

REFUSED = "support|unknown|does more than move elements|adds elements|does not convert (.* to string|string to)|must be known when the model is compiled"
RELATIVE, ABSOLUTE = 1e-3, 1e-7  # what ONNX's own runner allows, of functions such as tanh


# ---- where cases come from: (name, model, function that gives inputs and outputs) ----------------


def tensors_only(model, values):
    """Refuse a case that has other things than tensors among its inputs and outputs."""
    for value in [*model.graph.input, *model.graph.output]:
        kind = value.type.WhichOneof("value")
        if kind != "tensor_type":
            raise LeftOut(f"type {kind.removesuffix('_type')}" if kind else "a value without type")
    return values()


def generated_cases():
    """The cases that the package has as code, at the newest opsets."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some divide by zero on purpose
        from onnx.backend.test.case.node import collect_testcases

        cases = collect_testcases()

    def proto(value, info):
        if isinstance(value, onnx.TensorProto):
            return value
        return numpy_helper.from_array(np.asarray(value), info.name)

    for case in cases:
        graph = case.model.graph
        for at, (inputs, outputs) in enumerate(case.data_sets):
            yield (
                f"{case.name}_{at}" if at else case.name,
                case.model,
                lambda i=inputs, o=outputs, g=graph: (
                    [proto(v, info) for v, info in zip(i, g.input)],
                    [proto(v, info) for v, info in zip(o, g.output)],
                ),
            )


def read_tensors(folder, kind):
    """input_0.pb, input_1.pb, ... of one test."""
    tensors = []
    while os.path.exists(path := os.path.join(folder, f"{kind}_{len(tensors)}.pb")):
        with open(path, "rb") as file:
            tensors.append(onnx.TensorProto.FromString(file.read()))
    return tensors


def folder_cases(folder):
    """The cases in a folder, at any depth."""
    for path in sorted(glob.glob(os.path.join(folder, "**", "model.onnx"), recursive=True)):
        home = os.path.dirname(path)
        model = onnx.load(path)
        for at, data in enumerate(sorted(glob.glob(os.path.join(home, "test_data_set_*")))):
            name = os.path.basename(home) + (f"_{at}" if at else "")
            yield (
                name,
                model,
                lambda d=data: (read_tensors(d, "input"), read_tensors(d, "output")),
            )


# ---- the checks ----------------------------------------------------------------------------------


def read(compiler, model):
    """The model as text, None for one with weights; model.errors is what is wrong with it."""
    path = compiler.path(f"models/{model.name}.onnx")
    with open(path, "wb") as file:
        file.write(model.model.SerializeToString())
    done = compiler.call(path, "--emit=rsh", "-o", "-")
    if done.returncode == 0:
        return done.stdout
    model.errors = re.findall(r"onnx: error: (.*)", done.stderr)
    if "which the language cannot express" in model.errors[0]:
        model.errors = []
    return None


def is_refused_always(model):
    """Whether the model is refused for an operator that no other number or size would let through."""
    error = model.errors[0] if model.errors else ""
    operator = re.search(r"'(\w+)' does more than move", error)
    picks = ARITHMETIC | {"Resize"}  # of another mode it moves
    return "operators of domain" in error or bool(operator and operator[1] not in picks)


def read_all(models, compiler):
    """Read every model; of those with the same operators one is enough where these are refused.

    Starting a process costs more than what it does here, and most models are refused.
    """
    same = collections.defaultdict(list)
    for model in models:
        same[frozenset((n.domain, n.op_type) for n in model.model.graph.node)].append(model)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:

        def read_each(some):
            for model, text in zip(some, pool.map(lambda m: read(compiler, m), some)):
                model.text = text

        read_each([first for first, *_ in same.values()])
        rest = []
        for first, *others in same.values():
            if not is_refused_always(first):
                rest += others
                continue
            for model in others:
                model.text, model.errors = None, first.errors
        read_each(rest)


def readable(cases, compiler):
    """The models that can be run, and {reason: names} of those that are left out."""
    models, left_out, names = [], collections.defaultdict(list), set()
    os.makedirs(compiler.path("models"), exist_ok=True)
    for name, model, values in cases:
        try:
            inputs, outputs = tensors_only(model, values)
            label = re.sub(r"\W", "_", name)
            while label in names:
                label += "_"
            names.add(label)
            case = Case(label, model, inputs, outputs)
            case.errors, case.source = [], (model, inputs, outputs)
            models.append(case)
        except LeftOut as why:
            left_out[str(why)].append(name)
    read_all(models, compiler)
    for case in models:
        reasons = [e for e in case.errors if re.search(REFUSED, e)]
        for error in reasons[:1]:
            left_out[re.sub(r"^(node|input|output) .*?: (?=')", "", error)].append(case.name)
    reasons = {name for names in left_out.values() for name in names}
    return [m for m in models if m.name not in reasons], left_out


def with_targets(models, compiler):
    """Those of the models that have targets, with them as inputs; of element types that numpy has."""
    found = []
    for model in models:
        source, inputs, outputs = model.source
        source, inputs, targets = targets_as_inputs(source, inputs)
        if targets and all(t.dtype in harness.NUMPY_TYPES for t in model.inputs + model.outputs):
            case = Case(model.name + "_data", source, inputs, outputs, targets)
            case.errors = []
            case.text = read(compiler, case)
            if case.text or case.errors:  # else it has weights
                found.append(case)
    return found


def difference(model, made):
    """What is wrong with the output bytes, "" if nothing is."""
    for i, (tensor, data) in enumerate(zip(model.outputs, made)):
        is_body = "_expanded" in model.name  # of a function, whose test data it did not make: -0 may be 0 there
        if is_body and tensor.dtype in ("f16", "f32", "f64"):
            values = np.frombuffer(data.tobytes(), tensor.array.dtype).reshape(tensor.array.shape)
            if np.array_equal(values, tensor.array, equal_nan=True):
                continue
        if not model.is_exact:
            values = np.frombuffer(data.tobytes(), tensor.array.dtype).reshape(tensor.array.shape)
            if np.allclose(values, tensor.array, RELATIVE, ABSOLUTE, equal_nan=True):
                continue
        if not np.array_equal(tensor.data, data):
            at = int(np.flatnonzero(tensor.data != data)[0])
            size = max(1, tensor.data.size // max(1, tensor.array.size))
            low = at - at % size
            got, want = data[low : low + size].tobytes(), tensor.data[low : low + size].tobytes()
            return (
                f"output {i}, {tensor.dtype}{tensor.dims}: element {low // size}: "
                f"got {got[::-1].hex()}, expected {want[::-1].hex()}"
            )
    return ""


def link(compiler, paths, stem, options):
    """The functions of these files: a compilation each, one library."""
    objects = [os.path.splitext(path)[0] + ".o" for path in paths]
    for path, obj in zip(paths, objects):
        done = compiler.call(path, "-o", obj, "--header", obj[:-2] + ".h", *options)
        if done.returncode:
            raise RuntimeError(f"compile {path}: exit {done.returncode}\n{done.stderr[-2000:]}")
    library = os.path.abspath(compiler.path(stem + ".so"))
    subprocess.run([compiler.cc, "-shared", "-o", library, *objects], check=True, timeout=600)
    return ctypes.CDLL(library)


def scratch_bytes(paths):
    """{name of a function in capitals: bytes of scratch memory that it takes}, as the headers state."""
    found = {}
    for path in paths:
        with open(os.path.splitext(path)[0] + ".h", encoding="utf-8") as file:
            found.update(re.findall(r"^#define (\w+)_SCRATCH_BYTES (\d+)$", file.read(), re.MULTILINE))
    return {name: int(number) for name, number in found.items()}


def check(models, compiler, options):
    """{name: what is wrong} of the models that are."""
    wrong = {m.name: "; ".join(m.errors) for m in models if m.errors}
    good = [m for m in models if not m.errors]
    path, texts = compiler.path("node_tests.rsh"), [m.text for m in good if m.text]
    write_file(path, texts)
    own = [compiler.path(f"models/{m.name}.onnx") for m in good if not m.text]
    paths = [path, *own] if texts else own
    library, scratch = link(compiler, paths, "node_tests", options.option), scratch_bytes(paths)
    caller = harness.Caller()

    def run(job):
        model, at_end = job
        sizes = [t.data.size for t in model.outputs]
        inputs = [t.data for t in model.inputs]
        memory = scratch.get(model.name.upper(), 0)
        made = caller.run(getattr(library, model.name), inputs, sizes, 1, at_end, scratch=memory)
        return difference(model, made)

    jobs = [(model, at_end) for model in good for at_end in (True, False)]
    for (model, _), verdict in harness.isolated(jobs, run):
        if verdict:
            wrong[model.name] = verdict
    return wrong


def check_with_targets(models, compiler, options):
    """{name: what is wrong} of models whose targets are inputs."""
    wrong = {m.name: "; ".join(m.errors) for m in models if m.errors}
    good = [m for m in models if not m.errors]
    path = compiler.path("with_targets.rsh")
    write_file(path, [m.text for m in good])
    program = dynamic.Program(compiler, path, "with_targets", *options.option)

    def run(model):
        names = [name for _, name in program.parameters[model.name]]
        count = len(model.inputs)
        outputs = dict(zip(names[count:], [t.array.dtype for t in model.outputs]))
        inputs = dict(zip(names, [t.array.copy() for t in model.inputs]))  # writable
        made = program.run(model.name, {}, inputs, outputs)
        if isinstance(made, str):
            return f"status {made}"
        for name, tensor in zip(outputs, model.outputs):
            if list(made[name].shape) != tensor.dims:
                return f"'{name}' is {list(made[name].shape)}, expected {tensor.dims}"
        return difference(model, [made[n].reshape(-1).view(np.uint8) for n in outputs])

    wrong.update({model.name: verdict for model, verdict in harness.isolated(good, run) if verdict})
    return wrong


def main():
    parser = harness.parser_of(__doc__)
    parser.add_argument("--folder", help="run the cases in this folder, not the package's")
    parser.add_argument("--only", help="run the cases whose name matches this expression")
    parser.add_argument("--option", action="append", default=[], help="an option of the compiler")
    parser.add_argument("--step", type=int, default=1, help="run every N-th case")
    parser.add_argument("--at-least", type=int, default=1, help="fail when fewer cases are run")
    parser.add_argument("--at-least-data", type=int, default=0, help="the same of targets as data")
    parser.add_argument("--list", action="store_true", help="name the cases that are left out")
    parser.add_argument("--print", action="store_true", help="print the graphs and stop")
    options = parser.parse_args()

    compiler = harness.Compiler(options.reshapec, options.cc, options.work)
    # The package's own files are older models, exported by PyTorch.
    found = folder_cases(options.folder or os.path.dirname(backend_test.__file__))
    cases = [*found] if options.folder else [*generated_cases(), *found]
    cases = [c for c in cases if re.search(options.only or "", c[0])]
    cases = cases[::options.step]
    models, left_out = readable(cases, compiler)
    if options.print:
        print("\n".join(m.text for m in models if m.text), end="")
        return 0
    wrong = check(models, compiler, options) if models else {}
    data = with_targets(models, compiler)
    wrong_data = check_with_targets(data, compiler, options) if data else {}
    for why, names in sorted(left_out.items(), key=lambda item: (-len(item[1]), item[0])):
        print(f"left out, {why}: " + (" ".join(names) if options.list else str(len(names))))
    by_name = {m.name: m for m in [*models, *data]}
    for name, what in {**wrong, **wrong_data}.items():
        print(f"{name}: {what}\n{by_name[name].text or ''}")
    print(
        f"{len(cases)} cases found, {len(models)} run, {len(models) - len(wrong)} right; "
        f"{len(data)} run with targets as data, {len(data) - len(wrong_data)} right"
    )
    too_few = len(models) * options.step < options.at_least or len(data) * options.step < options.at_least_data
    if too_few:
        print(f"fewer cases were run than {options.at_least} and {options.at_least_data}")
    return 1 if wrong or wrong_data or too_few else 0


if __name__ == "__main__":
    sys.exit(main())
