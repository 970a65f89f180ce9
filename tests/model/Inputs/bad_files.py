# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""bad_files.py RUNS WORK prefixes|flips|made STEP [MODEL ...]: runs the compiler on invalid files: generated ones, and
models truncated or changed at every STEPth byte. RUNS is the compiler linked with tests/support/runs.c.

Each run must exit with 0, or with 1 and a message, within the time limit; for a truncated file with 1.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))

from runs import Runs  # noqa: E402

SECONDS, BYTES = 2, 500 << 20


def head(number, size):
    """Returns the bytes before a protobuf field with a length."""
    length = b""
    while size > 127:
        length += bytes([size & 127 | 128])
        size >>= 7
    return bytes([number << 3 | 2]) + length + bytes([size])


def field(number, body):
    return head(number, len(body)) + body


def nested(depth):
    """Returns nested graphs, as in If and Loop: graphs in attributes of nodes of graphs, built from the inside out."""
    heads, size = [], 0
    for number in (6, 5, 1) * depth:
        heads.append(head(number, size))
        size += len(heads[-1])
    return field(7, b"".join(reversed(heads)))


def turned(count, outputs):
    """Returns a model that transposes x: f32[3, 4] again and again. The values after these nodes are outputs."""
    sizes = field(2, field(1, b"\x08\x03") + field(1, b"\x08\x04"))
    names = [b"x", *[b"v%d" % i for i in range(count)]]
    nodes = [
        field(1, field(1, a) + field(2, b) + field(4, b"Transpose")) for a, b in zip(names, names[1:])
    ]
    results = [field(12, field(1, names[i + 1])) for i in outputs]
    value = field(11, field(1, b"x") + field(2, field(1, b"\x08\x01" + sizes)))
    return b"\x08\x08" + field(7, b"".join([*nodes, value, *results])) + field(8, b"\x10\x12")


MADE = {
    "empty": b"",
    "no graph": b"\x08\x08",
    "known bug D3, 11 bytes of a number": b"\x08" + b"\xff" * 10 + b"\x01",
    "known bug D3, a 65th bit": b"\x08" + b"\xff" * 9 + b"\x02",
    "known bug D3, a length of 2^64-1": b"\x3a" + b"\xff" * 9 + b"\x01",
    "known bug D3, longer than its parent": b"\x3a\x04\x0a\x7f\x0a\x00",
    "known bug D4, 3000 subgraphs": nested(3000),
    "known bug D4, 100000 messages": nested(33000),
    "a field of number 0": b"\x02\x00",
    "a group": b"\x3b\x3c",
    "an operator without a name": field(7, field(1, b"") + field(12, b"")),
    "ten million empty nodes": field(7, field(1, b"") * 10_000_000),
    "ten million sizes of a byte": field(7, field(5, field(1, b"\x01" * 10_000_000))),
    "200,000 nodes in a row": turned(200_000, [199_999]),
    "5000 outputs, each of the one before": turned(5000, range(5000)),
    "text": b"graph f(x: f32[2]) -> y { y = x }\n",
}


def check(runs, path, what, expected, command="check", *more):
    ended = runs.run(command, path, *more)
    assert ended.status in expected, f"{what}: exit {ended.status}: {ended.err[:500]}"
    assert (ended.status == 1) == (b": error: " in ended.err), f"{what}: {ended.err[:500]}"
    assert ended.seconds < SECONDS or "asan" in path, f"{what}: {ended.seconds:.1f} s"
    assert ended.kib << 10 < BYTES or "asan" in path, f"{what}: {ended.kib} KiB"


def variants(how, step, paths):
    if how == "made":
        yield from ((what, data, {1}) for what, data in MADE.items())
    for path in paths:
        with open(path, "rb") as file:
            good = file.read()
        for at in range(0, len(good), int(step)):
            if how == "prefixes":
                yield f"{path} cut at {at}", good[:at], {0, 1}
            else:
                for byte in (0x7F, 0xFF):
                    yield f"{path} with {byte} at {at}", good[:at] + bytes([byte]) + good[at + 1 :], {0, 1}


def main(program, work, how, step, *paths):
    os.makedirs(work, exist_ok=True)
    path = os.path.join(work, "bad.onnx")
    with Runs(program, SECONDS + 1) as runs:
        for what, data, expected in variants(how, step, paths):
            with open(path, "wb") as file:
                file.write(data)
            check(runs, path, what, expected)
            if how == "made":
                # A model without chains is still valid.
                check(runs, path, what, {0, 1}, "optimize", "-o", os.path.join(work, "made.onnx"))


main(*sys.argv[1:])
