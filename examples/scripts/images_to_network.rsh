#!/usr/bin/env -S reshapec run
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Converts pictures with interleaved pixels to a batch of planes for a network: files of u8[H, W, 3] become
# one f32[N, 3, H, W].
#
#   images_to_network.rsh batch.npy 1.npy 2.npy ...

images = stack(load(args[1:]))
N, H, W, C = shape(images)
assert(C == 3, "pictures have a last axis of red, green and blue")

batch = rearrange(images, "n h w c -> n c h w") |> cast(f32)
save(batch, args[0])
print(N, "pictures of", H, "x", W, "to", shape(batch))
