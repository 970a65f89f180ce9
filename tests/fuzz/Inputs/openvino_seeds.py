# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""openvino_seeds.py FOLDER: the models of tests/openvino, without their weights."""
import glob
import os
import subprocess
import sys

FOLDER = sys.argv[1]
MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "openvino", "Inputs", "models.py")

subprocess.run([sys.executable, "-B", MODELS, FOLDER], check=True)
for weights in glob.glob(os.path.join(FOLDER, "*.bin")):
    os.remove(weights)
