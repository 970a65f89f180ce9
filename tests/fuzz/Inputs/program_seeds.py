# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""program_seeds.py FOLDER FILE.rsh ...: each graph of the files, followed by a call."""
import os
import re
import sys

FOLDER, FILES = sys.argv[1], sys.argv[2:]
# Parts of the library that no file there needs: strides, tensors of any rank, guards, indices of picks.
OTHERS = """
graph strided(x: f32[3, 4] strides [8, 2], t: i64[1]) -> y: f32[?, 4] strides [-8, 2] { y = slice(x, t, [3], [0]) }
graph open(x: u8[*], t: i64[?]) -> (y, z) { y = reshape(x, t)
z = transpose(y) |> pad([1, 0], axes=[-1]) }
graph picked(x: i32[N, 3], i: i64[M], t: i64[2]) -> y { y = gather(x, i) |> reshape(t) |> cast(f32) }
graph many(x: i16[*], i: i32[*]) -> y { y = gather(x, i, axis=-1) }
graph guarded(x: f64[N, M], t: i64[1]) -> y where N % 2 == 0, M in [1, 2, 4], N <= 2*M { y = slice(x, [1], t, [0]) }
graph packed(x: u4[N, 2], t: i64[2]) -> y { y = reshape(x, t) |> flip([0]) }
graph edges(x: u8[N], s: i64[1], t: i64[2]) -> (y, z) { y = slice(x, s, [9]) |> reshape(t) |> flatten(0) |> reshape([-1])
z = concat([x[N // 2:], y], axis=0) |> tile([2]) }
"""

os.makedirs(FOLDER, exist_ok=True)
texts = {"others": OTHERS}
for path in FILES:
    with open(path, encoding="utf-8") as file:
        texts[path] = file.read()
for path, text in texts.items():
    graphs = re.findall(r"^graph [^{]*\{[^}]*\}$", text, re.M)
    for number, graph in enumerate(graphs):
        call = bytes((i * 7 + number) % 5 for i in range(64))
        with open(os.path.join(FOLDER, f"{os.path.basename(path)}.{number}"), "wb") as seed:
            seed.write(graph.encode() + b"\0" + call)
