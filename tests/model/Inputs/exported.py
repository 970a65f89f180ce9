# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs models as exporters write them: exported.py RESHAPEC FOLDER.

Each function below returns nodes, constants, inputs (with names for unknown sizes) and the sizes to run with. Results
must equal those of ONNX's reference evaluator, to the last bit.
"""

import os
import subprocess
import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

node = helper.make_node
MODELS = {}


def named(function):
    MODELS[function.__name__] = function
    return function


def ints(name, values):
    return numpy_helper.from_array(np.array(values, dtype=np.int64), name)


def sliced_back(end):
    """Flips an axis of unknown size; each exporter has another number for the far end."""
    last = [ints("start", [-1]), ints("end", [end]), ints("axis", [0]), ints("step", [-1])]
    return [node("Slice", ["x", "start", "end", "axis", "step"], ["y"])], last, {"x": ["S", 3]}, {"S": 5}


@named
def flip_torch():
    return sliced_back(-(2**63) + 1)


@named
def flip_int_min():
    return sliced_back(-(2**31))


@named
def flip_numpy():
    """A flip from INT_MAX, which stands for the last index."""
    nodes, constants, inputs, sizes = sliced_back(-(2**31) + 1)
    return nodes, [ints("start", [2**31 - 1]), *constants[1:]], inputs, sizes


@named
def take_rows():
    """x[:, [3, 2, 1]] of the newer exporter."""
    nodes = [
        node("Transpose", ["x"], ["t"], perm=[1, 0, 2]),
        node("GatherND", ["t", "rows"], ["g"]),
        node("Transpose", ["g"], ["y"], perm=[1, 0, 2]),
    ]
    return nodes, [ints("rows", [[3], [-2], [1]])], {"x": ["B", 4, 2]}, {"B": 3}


@named
def take_pairs():
    """x[[0, 1], :, [2, -1]] of a tensor whose last size is unknown."""
    nodes = [node("GatherND", ["x", "pairs"], ["y"])]
    return nodes, [ints("pairs", [[0, 2], [1, -1], [-2, 0]])], {"x": [2, 3, "C"]}, {"C": 5}


@named
def take_of_batches():
    nodes = [node("GatherND", ["x", "rows"], ["y"], batch_dims=1)]
    return nodes, [ints("rows", [[[1], [0]], [[2], [2]]])], {"x": [2, 3, 4]}, {}


@named
def take_along():
    """numpy.take_along_axis, with more rows of indices than of data."""
    nodes = [node("GatherElements", ["x", "places"], ["y"], axis=1)]
    places = np.random.default_rng(3).integers(0, 4, [3, 6, 3])
    return nodes, [ints("places", places)], {"x": [3, 4, 3]}, {}


@named
def cropped():
    nodes = [node("CenterCropPad", ["x", "hw"], ["y"], axes=[-2, -1])]
    return nodes, [ints("hw", [4, 9])], {"x": ["N", 3, 7, 6]}, {"N": 2}


def enlarged(how, constants, inputs):
    """Resizes to the nearest neighbor, as in a U-Net, and reshapes to rows of pixels."""
    last = node("Transpose", ["r"], ["y"], perm=[0, 2, 3, 1])
    nodes = [node("Resize", inputs, ["r"], mode="nearest", **how), last]
    return nodes, constants, {"x": ["N", 2, "H", 3]}, {"N": 2, "H": 5}


def factors(*values):
    return numpy_helper.from_array(np.array(values, dtype=np.float32), "factors")


@named
def nearest_torch():
    how = {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
    return enlarged(how, [factors(1, 1, 2, 3)], ["x", "", "factors"])


@named
def nearest_default():
    """Rounded centers of pixels; factors for some axes only."""
    return enlarged({"axes": [2, 3]}, [factors(3, 2)], ["x", "", "factors"])


@named
def nearest_sizes():
    """Resizes to twice the sizes, which nodes compute."""
    nodes, constants, inputs, sizes = enlarged({}, [ints("twice", [1, 1, 2, 2])], ["x", "", "", "sizes"])
    sized = [node("Shape", ["x"], ["shape"]), node("Mul", ["shape", "twice"], ["sizes"])]
    return [*sized, *nodes], constants, inputs, sizes


def run(reshapec, folder, name, function):
    nodes, constants, inputs, sizes = function()
    given = [helper.make_tensor_value_info(n, TensorProto.FLOAT, d) for n, d in inputs.items()]
    made = [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)]
    graph = helper.make_graph(nodes, name, given, made, constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)])
    path = os.path.join(folder, name + ".onnx")
    with open(path, "wb") as file:
        file.write(model.SerializeToString())
    data, files = {}, []
    for input_name, dims in inputs.items():
        shape = [sizes.get(d, d) for d in dims]
        data[input_name] = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
        files.append(f"{input_name}={path}.{input_name}.npy")
        np.save(f"{path}.{input_name}.npy", data[input_name])
    subprocess.run([reshapec, "run", path, *files, f"y={path}.y.npy"], check=True)
    found, wanted = np.load(path + ".y.npy"), ReferenceEvaluator(model).run(None, data)[0]
    if found.dtype != wanted.dtype or found.shape != wanted.shape or found.tobytes() != wanted.tobytes():
        sys.exit(f"{name}: {found.shape} {found.ravel()}, not {wanted.shape} {wanted.ravel()}")


def main(reshapec, folder):
    os.makedirs(folder, exist_ok=True)
    for name, function in MODELS.items():
        run(reshapec, folder, name, function)
    print(len(MODELS), "models")


if __name__ == "__main__":
    main(*sys.argv[1:])
