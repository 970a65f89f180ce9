# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes FOLDER/choices.rsh, random transpositions, and FOLDER/choices.tuning, a random way for each: any order of the
# loops around the tile, blocks of any shape, rows in blocks around any number of loops, columns in blocks outermost,
# buffers, prefetches, strips, non-temporal stores.
#
#   choices.py FOLDER COUNT SEED CPU
import random
import sys
from pathlib import Path

WIDTH = {"u8": 1, "f16": 2, "f32": 4, "f64": 8, "c128": 16}
LINE, LANE = 64, 16


def steps_of(shape, width):
    steps = [width] * len(shape)
    for i in range(len(shape) - 2, -1, -1):
        steps[i] = steps[i + 1] * shape[i + 1]
    return steps


def loops_of(shape, order, width):
    """Returns (extent, dst, src) of each axis of the result. Axes that are contiguous on both sides are merged."""
    source, result = steps_of(shape, width), [shape[axis] for axis in order]
    loops = []
    for extent, dst, src in zip(result, steps_of(result, width), (source[axis] for axis in order)):
        if loops and loops[-1][1:] == (extent * dst, extent * src):
            extent *= loops.pop()[0]
        loops.append((extent, dst, src))
    return loops


def random_choice(rng, loops, along, across, width):
    others = [i for i in range(len(loops)) if i not in (along, across)]
    rng.shuffle(others)
    src, dst = rng.choice([64, 128, 256, 512]), rng.choice([64, 128, 192])
    text = "order " + " ".join(map(str, [*others, along, across])) + f" transpose {src} by {dst}"
    columns, rows, least = loops[along][0], loops[across][0], LINE // width
    block = rng.randrange(least, columns) if columns > least else 0
    if block and columns % block in (0, *range(least, block)) and rng.random() < 0.7:
        text += f" within {block}"
    if rows * width > dst and rows * width % dst == 0 and rng.random() < 0.8:
        text += f" around {rng.randint(1, len(loops) - 1)}"
    if columns >= least and rng.random() < 0.2:
        text += " packed"
    text += rng.choice(["", " prefetched", " prefetched near"]) + rng.choice(["", " strips"])
    is_in_lines = rows * width % LINE == 0 and all(
        dst % LINE == 0 for i, (_, dst, _) in enumerate(loops) if i != across
    )
    return text + (" streamed" if is_in_lines and rng.random() < 0.7 else "")


def random_graph(rng):
    """Returns the type, the shape, the order of the axes, the loops, and the loops that form a tile."""
    while True:
        dtype = rng.choice(list(WIDTH))
        width = WIDTH[dtype]
        lines = [LINE // width * n for n in (1, 2, 3, 4)]
        shape = [rng.choice([*lines, rng.randint(2, 90)]) for _ in range(rng.randint(2, 4))]
        order = rng.sample(range(len(shape)), len(shape))
        loops = loops_of(shape, order, width)
        along = [i for i, loop in enumerate(loops) if loop[2] == width]
        across = [i for i, loop in enumerate(loops) if loop[1] == width]
        is_wide = min(loops[along[0]][0], loops[across[0]][0]) * width >= LANE
        elements = 1
        for extent in shape:
            elements *= extent
        if along != across and is_wide and elements < 60000:
            return dtype, shape, order, loops, along[0], across[0]


def main():
    folder, count, seed, cpu = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
    rng = random.Random(seed)
    graphs, moves = [], {}
    while len(moves) < count:
        dtype, shape, order, loops, along, across = random_graph(rng)
        move = f"{WIDTH[dtype]} bytes to 0" + "".join(
            f", for {extent} dst {dst} src {src}" for extent, dst, src in loops
        )
        if move in moves:
            continue
        moves[move] = random_choice(rng, loops, along, across, WIDTH[dtype])
        graphs.append(f"graph g{len(graphs)}(x: {dtype}{shape}) -> y {{ y = transpose(x, {order}) }}")
    (folder / "choices.rsh").write_text("\n".join(graphs) + "\n")
    lines = [f"x86_64 {cpu}: {move}: {choice}" for move, choice in moves.items()]
    (folder / "choices.tuning").write_text("\n".join(lines) + "\n")


main()
