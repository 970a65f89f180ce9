#!/usr/bin/env -S reshapec run
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sound as sound cards deliver it, one sample of each channel after the other, to one file a channel of a
# stereo recording, and all planes in one; between two programs by way of standard input if the file is "-".
#
#   deinterleave_audio.rsh stereo.npy left.npy right.npy planes.npy

samples = load(args[0])
planes = rearrange(samples, "(t c) -> c t", c=2)
save(planes[0], args[1])
save(planes[1], args[2])
save(planes, args[3])
