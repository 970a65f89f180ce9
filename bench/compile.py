# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times the compiler itself.

compile.py --reshapec R --cc CC --work W [--kernels N] [--runs N]

Times one kernel from text to object against the C compiler on the same loops written by hand, as whole
processes; then many kernels in one file. Times are CPU times, so that other programs disturb them
less, and medians of several alternating runs. Memory is the peak resident size.
"""
import argparse
import os
import random
import statistics
import subprocess
import sys
from pathlib import Path

ONE = """graph nhwc(x: f32[8, 64, 56, 56]) -> y: f32[8, 56, 56, 64] {
    y = transpose(x, [0, 2, 3, 1])
}
"""
BY_HAND = """#include <stdint.h>
void nhwc(const float *restrict x, float *restrict y) {
  for (int64_t n = 0; n < 8; n++)
    for (int64_t p = 0; p < 56 * 56; p++)
      for (int64_t c = 0; c < 64; c++)
        y[(n * 56 * 56 + p) * 64 + c] = x[(n * 64 + c) * 56 * 56 + p];
}
"""


def many(count):
    """Transpositions of 2 to 4 axes and four widths; some around a reshape, some with a border."""
    rng = random.Random(1)
    for i in range(count):
        rank = rng.randint(2, 4)
        dims = [rng.randint(2, 64) for _ in range(rank)]
        perm = rng.sample(range(rank), rank)
        chain = rng.choice([f"transpose({perm})"] * 3 + [
            f"transpose({perm}) |> flatten(1) |> transpose([1, 0])",
            f"pad({[1] * 2 * rank}) |> transpose({perm})"])
        yield f"graph k{i}(x: {rng.choice(['u8', 'f16', 'f32', 'f64'])}{dims}) -> y {{\n    y = x |> {chain}\n}}\n"


def run(command, stdout=None):
    """CPU seconds, and MiB. Disables the compiler cache."""
    child = subprocess.Popen(command, env=os.environ | {"CCACHE_DISABLE": "1"}, stdout=stdout)
    _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        raise SystemExit(f"compile.py: {' '.join(map(str, command))} failed")
    child.returncode = 0
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    for name in ("reshapec", "cc", "work"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--kernels", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=11)
    options = parser.parse_args()
    work = Path(options.work)
    work.mkdir(parents=True, exist_ok=True)
    (work / "one.rsh").write_text(ONE)
    (work / "one.c").write_text(BY_HAND)
    (work / "many.rsh").write_text("".join(many(options.kernels)))
    ours = [options.reshapec, work / "one.rsh", "-o", work / "one.o"]
    theirs = [*options.cc.split(), "-O2", "-c", work / "one.c", "-o", work / "by-hand.o"]
    measured = [(run(ours), run(theirs)) for _ in range(options.runs)]
    for column, label in enumerate(("reshapec", f"{options.cc} -O2 -c")):
        seconds = statistics.median(row[column][0] for row in measured)
        print(f"one kernel, {label:15} {1000 * seconds:6.1f} ms {max(row[column][1] for row in measured):6.0f} MiB")
    for options_of in ([], ["-O3", "-mcpu=native"]):
        seconds, memory = run([options.reshapec, work / "many.rsh", *options_of, "-o", work / "many.o"])
        print(f"{options.kernels} kernels, {' '.join(options_of) or '-O2':16} {1000 * seconds / options.kernels:6.2f} ms each "
              f"{memory:4.0f} MiB, {(work / 'many.o').stat().st_size // 1024} KiB of object")
    return 0


if __name__ == "__main__":
    sys.exit(main())
