#!/usr/bin/env -S reshapec run
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Gathers the paged key-value cache of a language model, [page, 2, slot, head, d], for attention over whole
# sequences: keys as [head, d, token], values as [head, token, d]. The table lists the pages in use, in order.
#
#   kv_cache.rsh pages.npy table.npy keys.npy values.npy

pages = load(args[0])
table = ints(load(args[1]))

used = gather(pages, table)
save(keys(used[:, 0]), args[2])
save(values(used[:, 1]), args[3])

graph keys(cache: f16[P, S, N, D]) -> y: f16[N, D, P*S] {
    y = rearrange(cache, "p s n d -> n d (p s)")
}

graph values(cache: f16[P, S, N, D]) -> y: f16[N, P*S, D] {
    y = rearrange(cache, "p s n d -> n (p s) d")
}
