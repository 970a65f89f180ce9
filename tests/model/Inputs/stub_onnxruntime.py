# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""stub_onnxruntime.py FOLDER WAY: writes an onnxruntime to FOLDER that is missing, refuses models, or returns other
outputs for the second one."""
import os
import sys

SOURCE = """
import numpy as np
WAY = {way!r}
if WAY == "missing":
    raise ImportError("No module named 'onnxruntime'")
__version__ = "0.0"
class GraphOptimizationLevel:
    ORT_DISABLE_ALL = 0
class SessionOptions:
    pass
class Named:
    def __init__(self, name, shape, type):
        self.name, self.shape, self.type = name, shape, type
class InferenceSession:
    loaded = 0
    def __init__(self, path, *_, **__):
        InferenceSession.loaded += 1
        self.is_second = InferenceSession.loaded == 2
    def get_inputs(self):
        return [Named("x", ["N", 3], "tensor(float)")]
    def get_outputs(self):
        return [Named("y", ["N", 3], "tensor(float)")]
    def run(self, _, fed):
        if WAY == "refuses":
            raise RuntimeError("no kernel")
        y = fed["x"].copy()
        if WAY == "differs" and self.is_second:
            y[0, 0] = np.nextafter(y[0, 0], np.float32(9))
        return [y[:, :2] if WAY == "cuts" and self.is_second else y]
"""

os.makedirs(sys.argv[1], exist_ok=True)
with open(os.path.join(sys.argv[1], "onnxruntime.py"), "w") as file:
    file.write(SOURCE.format(way=sys.argv[2]))
