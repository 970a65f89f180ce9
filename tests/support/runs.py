# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs reshapec many times, in children of one process (runs.c)."""

import subprocess
from typing import NamedTuple


class Ended(NamedTuple):
    """How a run ended; `status` as in subprocess, times and memory as getrusage has them."""

    status: int
    seconds: float
    kib: int
    out: bytes
    err: bytes


class Runs:
    """`program` is runs.c with the compiler; `seconds` of processor time are too long."""

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
