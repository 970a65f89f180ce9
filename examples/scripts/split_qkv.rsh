#!/usr/bin/env -S reshapec run
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Splits the weight of a fused attention projection, [3 * heads * d, hidden], into those of queries, keys and values:
# q.npy, k.npy and v.npy of [heads, d, hidden], written in one pass over the input.
#
#   split_qkv.rsh qkv.npy HEADS FOLDER

fused = load(args[0])
heads = int(args[1])
rows, hidden = shape(fused)
assert(rows % (3*heads) == 0, "the rows are those of queries, keys and values for each head")

q, k, v = rearrange(fused, "(3 n d) h -> 3 n d h", n=heads) |> split(axis=0, parts=3)
save(q[0], args[2] + "/q.npy")
save(k[0], args[2] + "/k.npy")
save(v[0], args[2] + "/v.npy")
