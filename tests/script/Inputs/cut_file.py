# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Truncates a file after a script has loaded it and before it is used: the script waits for a pipe.
usage: cut_file.py RESHAPEC"""
import io
import os
import subprocess
import sys

import numpy as np

np.save("large.npy", np.zeros((1 << 20, 4), "u1"))
small = io.BytesIO()
np.save(small, np.zeros(2))
os.mkfifo("pipe.npy")
text = 'x = load("large.npy"); y = load("pipe.npy"); save(flip(x, axis=0), "out.npy")'
run = subprocess.Popen([sys.argv[1], "run", "-e", text], stderr=subprocess.PIPE, text=True)
with open("pipe.npy", "wb") as pipe:
    os.truncate("large.npy", 4096)
    pipe.write(small.getvalue())
print(run.communicate()[1], run.returncode, os.path.exists("out.npy"))
