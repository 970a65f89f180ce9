#!/usr/bin/env -S reshapec run
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Converts the weight of a convolution from OIHW to the blocked layout OIhw16i16o, in which blocks of 16 inputs
# and 16 outputs are contiguous for vector units. Channels are padded with 0 to a multiple of 16.
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
