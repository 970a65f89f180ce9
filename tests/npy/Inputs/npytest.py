# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes .npy files, good and bad, and runs npy-tool on them."""

import io
import os
import subprocess

import numpy as np


def npy(header, data=b"", version=(1, 0), length=None):
    """Returns a file with this header; `length` is the length that it states for the header."""
    text = header.encode("utf-8")
    width = 2 if version[0] == 1 else 4
    claimed = len(text) if length is None else length
    return b"\x93NUMPY" + bytes(version) + claimed.to_bytes(width, "little") + text + data


def f4(shape, data=b""):
    """Returns a file of f32 with the given text as its shape."""
    return npy("{'descr': '<f4', 'fortran_order': False, 'shape': %s, }" % shape, data)


def save(array, version=None):
    """Returns the file that NumPy writes for an array."""
    out = io.BytesIO()
    np.lib.format.write_array(out, array, version=version, allow_pickle=False)
    return out.getvalue()


class Tool:
    """npy-tool, and a folder for its files."""

    def __init__(self, tool, folder):
        self.tool, self.folder = tool, folder
        os.makedirs(folder, exist_ok=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, *args, **options):
        done = subprocess.run([self.tool, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              check=False, **options)
        if done.returncode not in (0, 1):
            raise SystemExit(f"npy-tool {args}: exit {done.returncode}\n{done.stderr.decode()}")
        return done

    def copy(self, dtype, data, pipe=False):
        """Returns the file after npy-tool reads it as dtype and writes it again."""
        name = self.path("in.npy")
        with open(name, "wb") as file:
            file.write(data)
        if pipe:
            done = self.run(dtype, "-", "-", input=data)
            out = done.stdout
        else:
            done = self.run(dtype, name, self.path("out.npy"))
            out = b"" if done.returncode else open(self.path("out.npy"), "rb").read()
        if done.returncode:
            raise AssertionError(f"{dtype}: {done.stdout.decode(errors='replace')}")
        return out

    def error(self, dtype, data, pipe=False):
        """Returns the message for data, or "accepted" if there is none."""
        name = self.path("in.npy")
        with open(name, "wb") as file:
            file.write(data)
        done = self.run(dtype, "-", input=data) if pipe else self.run(dtype, name)
        text = done.stdout.decode(errors="replace").strip()
        shown = "standard input: " if pipe else name + ": "
        return text.replace(shown, "", 1) if done.returncode else "accepted"
