# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tile_extents.py RESHAPEC WORK EVERY OPTION...: transpositions and rotations of all extents from 1 to 67, both ways,
picks and repeats along their rows, stores to every other element, and transpositions with casts.

Of elements of 1, 2, 4, 8 and 16 bytes, alone, between axes that stay, and to rows of 4096 bytes, and of 3, 5, 6 and 7
bytes; EVERY 1 takes them all, EVERY n each n-th. Each is proved: run on elements that say where they come from, at every alignment, between guard pages.
"""
import itertools
import subprocess
import sys
from pathlib import Path

MOST = 67  # above a line of bytes and every tile, plus a partial tile
SIZES = {"u8": 1, "f16": 2, "f32": 4, "f64": 8, "c128": 16}
CASTS = (("f32", "u8"), ("f32", "f16"), ("f64", "f32"), ("i64", "i16"), ("u8", "f32"), ("f16", "f32"), ("i8", "f64"))
STEPS = (2, 3, 4, -1, -2)
IN_FILE = 500


def graphs():
    for i, (m, n, dtype) in enumerate(itertools.product(range(1, MOST + 1), range(1, MOST + 1), SIZES)):
        if i % 7 == 5:
            yield (f"graph t_{dtype}_in_{m}_{n}(x: {dtype}[{m}, {n}]) -> y {{\n"
                   f"    y = pad(transpose(x, [1, 0]), [0, 0, 0, {4096 // SIZES[dtype] - m}])\n}}\n")
        elif i % 7 < 5:
            yield f"graph t_{dtype}_{m}_{n}(x: {dtype}[{m}, {n}]) -> y {{\n    y = transpose(x, [1, 0])\n}}\n"
        else:
            yield f"graph t_{dtype}_2_{m}_{n}(x: {dtype}[2, {m}, {n}]) -> y {{\n    y = transpose(x, [0, 2, 1])\n}}\n"


def rotated():
    """The rows of the source run against those of the result, or both do."""
    for i, (m, n) in enumerate(itertools.product(range(1, MOST + 1), range(1, MOST + 1))):
        dtype = list(SIZES)[i % len(SIZES)]
        yield (f"graph rotated_{dtype}_{m}_{n}(x: {dtype}[{m}, {n}]) -> y {{\n"
               f"    y = flip(transpose(x, [1, 0]), [{'0, 1' if i % 2 else '0'}])\n}}\n")


def padded():
    """Elements of 3, 5, 6 and 7 bytes, alone, rotated, between axes that stay, and to rows of 3072 bytes."""
    for i, (m, n) in enumerate(itertools.product(range(1, MOST + 1), range(1, MOST + 1))):
        width, kind = (3, 6, 5, 7)[i % 4], i // 4 % 4
        name = f"padded_{width}_{kind}_{m}_{n}"
        shape = f"{'2, ' if kind == 2 else ''}{m}, {n}, {width}"
        moved = ("transpose(x, [1, 0, 2])", "flip(transpose(x, [1, 0, 2]), [0])", "transpose(x, [0, 2, 1, 3])",
                 f"pad(transpose(x, [1, 0, 2]), [0, 0, 0, 0, {3072 // width - m}, 0])")[kind]
        yield f"graph {name}(x: u8[{shape}]) -> y {{\n    y = {moved}\n}}\n"


def pixels():
    """Pixels of 2 to 8 elements to transposed planes, and back; some rotated, some cast."""
    kinds = ("u8", "f16", "f32")
    for i, (m, n) in enumerate(itertools.product(range(1, MOST + 1), range(1, MOST + 1))):
        count, dtype, way = 2 + i % 7, kinds[i // 7 % 3], i // 21 % 5
        to_planes = i % 2
        moved = "transpose(x, [2, 1, 0])"
        shape = f"{m}, {n}, {count}" if to_planes else f"{count}, {m}, {n}"
        axis = i // 105 % 3
        moved = f"flip({moved}, [{axis}])" if way in (1, 4) else moved
        moved = f"cast({moved}, {'f32' if dtype == 'u8' else 'u8'})" if way in (2, 4) else moved
        yield (f"graph pixels_{dtype}_{count}_{way}_{to_planes}_{m}_{n}(x: {dtype}[{shape}]) -> y {{\n"
               f"    y = {moved}\n}}\n")


def casts():
    """Transpositions, and 2 to 4 planes woven both ways, whose elements also change their width."""
    for i, (m, n) in enumerate(itertools.product(range(1, MOST + 1), range(1, MOST + 1))):
        before, after = CASTS[i % len(CASTS)]
        moved = "flip(transpose(x, [1, 0]), [0])" if i % 5 == 4 else "transpose(x, [1, 0])"
        yield (f"graph c_{before}_{after}_{m}_{n}(x: {before}[{m}, {n}]) -> y {{\n"
               f"    y = cast({moved}, {after})\n}}\n")
    for n, (before, after), k in itertools.product(range(1, MOST + 1), CASTS, (2, 3, 4)):
        for shape, name in ((f"{k}, {n}", "joined"), (f"{n}, {k}", "apart")):
            yield (f"graph {name}_{before}_{after}_{n}_{k}(x: {before}[{shape}]) -> y {{\n"
                   f"    y = cast(transpose(x, [1, 0]), {after})\n}}\n")


def picks():
    for n, dtype in itertools.product(range(1, MOST + 1), SIZES):
        for step in STEPS:
            name = f"p_{dtype}_{n}_{abs(step)}{'_back' if step < 0 else ''}"
            yield f"graph {name}(x: {dtype}[3, {n}]) -> y {{\n    y = x[:, ::{step}]\n}}\n"
        yield (f"graph r_{dtype}_{n}(x: {dtype}[{n}]) -> y {{\n"
               f"    y = x |> reshape([{n}, 1]) |> expand([{n}, 2])\n}}\n")


def zips():
    """Stacks, and constants between elements, also at the ends of the result."""
    for n, dtype in itertools.product(range(1, MOST + 1), SIZES):
        at = f"{dtype}_{n}"
        for k in (2, 3, 4, 5, 8):
            inputs = ", ".join(f"x{i}: {dtype}[{n}, 1]" for i in range(k))
            all_of = ", ".join(f"x{i}" for i in range(k))
            yield f"graph stack_{at}_{k}({inputs}) -> y {{\n    y = concat({all_of}, axis=1)\n}}\n"
            yield f"graph zeros_{at}_{k}(x: {dtype}[{n}, 1]) -> y {{\n    y = pad(x, [0, 0, 0, {k - 1}], 3)\n}}\n"
            yield f"graph among_{at}_{k}(x: {dtype}[{n}, 1]) -> y {{\n    y = pad(x, [0, 1, 0, {k - 1}], 7)\n}}\n"
        yield (f"graph both_{at}(x: {dtype}[3, 1, {n}, 1]) -> y {{\n"
               f"    y = pad(x, [0, 0, 0, 0, 0, 1, 0, 1]) |> reshape([6, {2 * n}])\n}}\n")
        yield f"graph alpha_{at}(x: {dtype}[{n}, 3]) -> y {{\n    y = pad(x, [0, 0, 0, 1], 9)\n}}\n"
        yield (f"graph planes_{at}(x: {dtype}[3, {n}], a: {dtype}[{n}, 1]) -> y {{\n"
               f"    y = concat(transpose(x), a, axis=1)\n}}\n")
        yield (f"graph beside_{at}(x: {dtype}[{n}, 3], a: {dtype}[{n}, 1]) -> y {{\n"
               f"    y = concat(x, a, axis=1)\n}}\n")
        yield (f"graph picked_{at}(x: {dtype}[2, {2 * n}], z: {dtype}[2, {n}]) -> y {{\n"
               f"    y = concat(reshape(x[:, ::2], [2, {n}, 1]), reshape(z[:, ::-1], [2, {n}, 1]), axis=2)\n}}\n")


def main(reshapec, work, every, *options):
    folder = Path(work)
    folder.mkdir(parents=True, exist_ok=True)
    chosen = [*graphs(), *rotated(), *padded(), *pixels(), *picks(), *zips(), *casts()][::int(every)]
    for begin in range(0, len(chosen), IN_FILE):
        part = chosen[begin:begin + IN_FILE]
        path = folder / "extents.rsh"
        path.write_text("".join(part))
        done = subprocess.run([reshapec, "verify", path, *options], capture_output=True, text=True, check=False)
        last = (done.stdout.splitlines() or [""])[-1]
        if done.returncode or last != f"{len(part)} of {len(part)} graphs verified":
            print(done.stderr or last)
            raise SystemExit(f"tile_extents.py: kernels {begin} to {begin + len(part)} of {path}")
    print(f"{len(chosen)} kernels verified, {' '.join(options)}")


main(*sys.argv[1:])
