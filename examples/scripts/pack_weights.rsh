#!/usr/bin/env -S reshapec run
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The weight of a convolution, OIHW, to the blocked layout OIhw16i16o, in which sixteen outputs of sixteen
# inputs lie together for vector units. Channels that are missing to a multiple of sixteen are filled with 0.
#
#   pack_weights.rsh oihw.npy packed.npy

weight = load(args[0])
O, I, H, W = shape(weight)
padded = pad(weight, [0, 0, -O % 16, -I % 16], axes=[0, 1])
packed = rearrange(padded, "(o a) (i b) h w -> o i h w b a", a=16, b=16)
save(packed, args[1])

back = rearrange(packed, "o i h w b a -> (o a) (i b) h w")
assert(back[:O, :I] == weight)
print(shape(weight), "to", shape(packed))
