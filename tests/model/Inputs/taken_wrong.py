# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes models whose Resize, Upsample, GatherND, GatherElements, BitCast or CenterCropPad cannot be compiled.

Called as `taken_wrong.py FOLDER`.
"""

import os
import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

node = helper.make_node


def resize(values, **how):
    """Returns a Resize by factors."""
    return [node("Resize", ["x", "", "c"], ["y"], **how)], np.array(values, dtype=np.float32), 18


def indexed(op, values, **how):
    return [node(op, ["x", "c"], ["y"], **how)], np.array(values, dtype=np.int64), 18


MODELS = {
    "bitcast_older": ([node("BitCast", ["x"], ["y"], to=TensorProto.INT32)], None, 25),
    "bitcast_to_nothing": ([node("BitCast", ["x"], ["y"])], None, 26),
    "bitcast_wider": ([node("BitCast", ["x"], ["y"], to=TensorProto.INT64)], None, 26),
    "crop_one_size": indexed("CenterCropPad", [3], axes=[2, 3]),
    "elements_axis": indexed("GatherElements", [[[[0]]]], axis=9),
    "elements_rank": indexed("GatherElements", [0, 1]),
    "elements_run_time": ([node("GatherElements", ["x", "s"], ["y"])], None, 18),
    "pairs_batches": indexed("GatherND", [[0, 1]], batch_dims=5),
    "pairs_deep": indexed("GatherND", [[0, 1, 1, 1, 1]]),
    "pairs_outside": indexed("GatherND", [[0, 1], [0, 3]]),
    "resize_axes": resize([2], axes=[4]),
    "resize_any_rank": ([node("Resize", ["r", "", "c"], ["y"])], np.array([2, 2], dtype=np.float32), 18),
    "resize_both": ([node("Resize", ["x", "", "c", "s"], ["y"])], np.array([1, 1, 2, 2], dtype=np.float32), 18),
    "resize_below": resize([1, 1, -2, 2]),
    "resize_crop": resize([1, 1, 2, 2], coordinate_transformation_mode="tf_crop_and_resize"),
    "resize_few": resize([1, 1, 2, 2], nearest_mode="round"),
    "resize_linear": resize([1, 1, 2, 2], mode="linear"),
    "resize_neither": ([node("Resize", ["x"], ["y"])], None, 18),
    "resize_short": resize([2, 2]),
    "resize_short_axes": resize([2], axes=[2, 3]),
    "resize_open": ([node("Resize", ["d", "", "c"], ["y"])], np.array([1, 2.5], dtype=np.float32), 18),
    "resize_run_time": ([node("Resize", ["x", "", "", "s"], ["y"])], None, 18),
    "resize_sizes": ([node("Resize", ["x", "", "", "c"], ["y"])], np.array([1, 3, -8, 9]), 18),
    "upsample_long": ([node("Upsample", ["x"], ["y"], scales=[1.0, 1, 2, 2, 2])], None, 7),
    "upsample_neither": ([node("Upsample", ["x"], ["y"])], None, 7),
}


def main(folder):
    os.makedirs(folder)
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 4, 4])
    r = helper.make_tensor_value_info("r", TensorProto.FLOAT, None)
    d = helper.make_tensor_value_info("d", TensorProto.FLOAT, [2, "N"])
    s = helper.make_tensor_value_info("s", TensorProto.INT64, [4])
    y = helper.make_tensor_value_info("y", TensorProto.UNDEFINED, None)
    for name, (nodes, constant, opset) in MODELS.items():
        constants = [] if constant is None else [numpy_helper.from_array(constant, "c")]
        inputs = [i for i in (x, r, s, d) if i.name in nodes[0].input]
        graph = helper.make_graph(nodes, name, inputs, [y], constants)
        save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)]), os.path.join(folder, name + ".onnx"))


if __name__ == "__main__":
    main(*sys.argv[1:])
