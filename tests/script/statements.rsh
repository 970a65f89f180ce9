#!/usr/bin/env -S reshapec run
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A script from its first line: arguments, sizes as integers, graphs of the file, lists, text; a name may be
# reassigned.
# RUN: rm -rf %t && mkdir %t && cd %t && cp %s script && chmod +x script && ln -s %{reshapec} reshapec
# RUN: %{python} -c 'import numpy as n; n.save("in.npy", n.arange(48, dtype="u1").reshape(2, 4, 2, 3))'
# RUN: PATH="%t:$PATH" ./script in.npy out.npy 12 | FileCheck %s --match-full-lines --strict-whitespace
# RUN: %{python} -c 'import numpy as n; x = n.load("in.npy"); y = n.load("out.npy"); assert y.dtype == "f4" and (y == x.transpose(0, 3, 1, 2)).all()'
# RUN: %{python} -c 'import numpy as n; x = n.load("in.npy"); assert (n.load("first.npy") == x[0]).all() and (n.load("both.npy") == n.concatenate([x, x[::-1]], 1)).all()'

x = load(args[0])
N, H, W, C = shape(x)

#      CHECK:2 4 2 3 [4, 2] u8 48 3
print(N, H, W, C, shape(x)[1:3], dtype(x), size(x), len(args))

y = nchw(x)
assert(shape(y) == [N, C, H, W], "the graph below")
save(y, args[1])

# CHECK-NEXT:[2, 24] [4, 12] n2.npy 4 true false
pixels = [N, size(x)/N]
print(pixels, shape(reshape(x, [-1, int(args[2])])), "n" + N + ".npy", -7 % 4 + 3, 3 < 4, pixels == [1])

# the right-hand side of a reassignment uses the old value
kept = [x, 0]
x = x[0]
save(x, "first.npy")
x |> flip(axis=0) |> save("unused.npy")
load(["in.npy", args[0]])[0] |> concat(flip(kept[0], axis=0), axis=1) |> save("both.npy")

# CHECK-NEXT:bool
# CHECK-NEXT:true
print(cast(x[0, 0, 0], bool) |> dtype())
print(load("both.npy") == concat(kept[0], flip(kept[0], axis=0), axis=1))

# CHECK-NEXT:[0, 1, 2] 5
print(ints(x[0, 0]), ints(x[0, 1, 2]))

# a graph may follow the statements
graph nchw(x: u8[N, H, W, 3]) -> y: f32[N, 3, H, W] where W % 2 == 0 {
    y = transpose(x, [0, 3, 1, 2]) |> cast(f32)
}
