#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random Resize and Upsample models to the nearest neighbor, against onnxruntime and onnx's reference evaluator.

All opsets, coordinate and rounding modes, scales and sizes, parts of axes, policies and lists of axes. Scales are sums of
few powers of two, so that no rounding decides. Where the two evaluators differ, one of them has to agree.
"""

import argparse
import ctypes
import os
import random
import re
import subprocess
import sys
import warnings

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

sys.dont_write_bytecode = True  # no __pycache__ next to the sources

PLACES = {
    11: ["half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_half_pixel_for_nn", "tf_crop_and_resize"],
    13: ["half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_crop_and_resize"],
    19: ["half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_crop_and_resize"],
}  # fmt: skip
ROUNDS = ["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"]
SCALES = [1, 1, 2, 3, 0.5, 0.75, 1.5, 2.5, 0.25, 1.25, 3.5]


def draw(r, name):
    """A model, and its input."""
    opset = r.choice([7, 9, 10, 11, 13, 18, 19, 19])
    dims = [r.choice([1, 1, 2, 3, 4, 5, 7, 10]) for _ in range(r.choice([1, 2, 3, 4]))]
    attributes, inputs, constants = {"mode": "nearest"}, ["x"], []

    def give(array, kind):
        constants.append(numpy_helper.from_array(np.array(array, kind), f"c{len(constants)}"))
        inputs.append(constants[-1].name)

    axes = range(len(dims))
    if opset >= 18 and r.random() < 0.4:
        axes = sorted(r.sample(axes, r.randint(1, len(dims))))
        attributes["axes"] = [a - len(dims) if r.random() < 0.3 else a for a in axes]
    scales = [r.choice(SCALES) for _ in axes]
    if opset < 10:
        scales = [max(1, s) for s in scales]
    if opset == 7:
        attributes["scales"] = [float(s) for s in scales]
    elif opset <= 10:
        give(scales, np.float32)
    else:
        place = r.choice(PLACES[max(k for k in PLACES if k <= opset)])
        attributes.update(coordinate_transformation_mode=place, nearest_mode=r.choice(ROUNDS))
        if place == "tf_half_pixel_for_nn":
            attributes["nearest_mode"] = "floor"  # onnxruntime takes the others for floor where no size changes
        is_crop = place == "tf_crop_and_resize"
        if is_crop and "axes" in attributes:
            attributes["axes"] = list(axes)  # the evaluators err with those below 0
        has_sizes = is_crop or r.random() < 0.5
        if is_crop:
            begins = [r.choice([-0.25, 0, 0.125, 0.5]) for _ in axes]
            give(begins + [b + r.choice([0.25, 0.5, 0.75]) for b in begins], np.float32)
            attributes["extrapolation_value"] = r.choice([0.0, 1.5, -7.0])
        elif opset < 13:
            give([], np.float32)
        else:
            inputs.append("")
        if has_sizes and opset < 13:
            give([], np.float32)
        elif has_sizes:
            inputs.append("")
        if not has_sizes:
            give(scales, np.float32)
        else:
            give([r.choice([1, 2, 3, 4, 5, 6, 7, 9, 11]) if r.random() < 0.8 else dims[a] for a in axes], np.int64)
            is_plain = not is_crop and all(a >= 0 for a in attributes.get("axes", []))  # likewise
            if opset >= 18 and is_plain and r.random() < 0.3:
                attributes["keep_aspect_ratio_policy"] = r.choice(["not_larger", "not_smaller"])
    node = helper.make_node("Upsample" if opset < 10 else "Resize", inputs, ["y"], **attributes)
    x, y = helper.make_tensor_value_info("x", 1, dims), helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph([node], name, [x], [y], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    return model, np.arange(1, np.prod(dims) + 1, dtype=np.float32).reshape(dims)


def answers(model, x):
    """What each evaluator gives that can run the model."""
    runs = [
        lambda: onnxruntime.InferenceSession(model.SerializeToString()).run(None, {"x": x})[0],
        lambda: np.asarray(ReferenceEvaluator(model).run(None, {"x": x})[0]),
    ]
    found = []
    for run in runs:
        try:
            found.append(run())
        except Exception:  # noqa: BLE001 (each has its own, and modes that it lacks)
            continue
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("reshapec")
    parser.add_argument("cc")
    parser.add_argument("work")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    onnxruntime.set_default_logger_severity(4)
    r = random.Random(options.seed)
    os.makedirs(options.work, exist_ok=True)
    cases, texts, wrong = [], [], 0
    for i in range(options.count):
        model, x = draw(r, f"m{i}")
        expected = answers(model, x)
        is_crop = "tf_crop_and_resize" in str(model.graph.node[0])
        if not expected or (is_crop and expected[0].shape == x.shape):  # onnxruntime copies these
            continue
        path = os.path.join(options.work, f"m{i}.onnx")
        onnx.save(model, path)
        done = subprocess.run([options.reshapec, path, "--emit=rsh", "-o", "-"], capture_output=True, text=True)
        if done.returncode:
            wrong += 1
            print(f"{path}: {done.stderr}")
            continue
        texts.append(done.stdout)
        cases.append((f"m{i}", model, x, expected))
    text, library = os.path.join(options.work, "all.rsh"), os.path.join(os.path.abspath(options.work), "all.so")
    with open(text, "w", encoding="ascii") as file:
        file.write("\n".join(texts))
    subprocess.run([options.reshapec, text, "-O0", "-fno-verify", "-o", text[:-4] + ".o"], check=True)
    subprocess.run([options.cc, "-shared", "-o", library, text[:-4] + ".o"], check=True)
    code = ctypes.CDLL(library)
    for name, model, x, expected in cases:
        dims = re.search(rf"graph {name}\(.*-> y: f32\[([\d, ]*)\]", "\n".join(texts))
        made = np.full([int(n) for n in dims[1].split(",")], np.nan, np.float32)
        getattr(code, name)(x.ctypes.data_as(ctypes.c_void_p), made.ctypes.data_as(ctypes.c_void_p))
        if not any(e.shape == made.shape and np.array_equal(e, made) for e in expected):
            wrong += 1
            print(f"{name}: {helper.printable_node(model.graph.node[0])} of {x.shape}\n{made}\nnot any of\n{expected}")
    print(f"{len(cases)} models, {wrong} wrong")


if __name__ == "__main__":
    main()
