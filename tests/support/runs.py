# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs reshapec many times, in child processes of one process (runs.c)."""

import subprocess
from typing import NamedTuple


class Ended(NamedTuple):
    """How a run ended. `status` is as in subprocess, time and memory are from getrusage."""

    status: int
    seconds: float
    kib: int
    out: bytes
    err: bytes


class Runs:
    """A running `program`: runs.c with the compiler. A run may take `seconds` of processor time."""

    def __init__(self, program, seconds):
        self.process = subprocess.Popen(
            [program, str(seconds)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        assert self.process.wait() == 0, "runs.c has ended"

    def run(self, *arguments, text=b""):
        self.process.stdin.write("\t".join([str(len(text)), *arguments]).encode() + b"\n" + text)
        self.process.stdin.flush()
        status, seconds, kib, out, err = self.process.stdout.readline().split()
        printed = [self.process.stdout.read(int(length)) for length in (out, err)]
        return Ended(int(status), float(seconds), int(kib), *printed)
