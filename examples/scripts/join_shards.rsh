#!/usr/bin/env -S reshapec run
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Joins a weight that was sharded by columns, from any number of files.
#
#   join_shards.rsh whole.npy shard0.npy shard1.npy ...

shards = load(args[1:])
assert(len(shards) > 0, "give the files of the shards after the name of the whole")
whole = concat(shards, axis=1)
assert(shape(whole)[0] == len(shards[0]))
save(whole, args[0])
print(len(shards), "shards of", shape(shards[0]), "to", dtype(whole), shape(whole))
