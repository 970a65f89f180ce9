#!/usr/bin/env -S reshapec run
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Splits interleaved stereo samples into a file per channel, and a file with both channels as planes. The input
# may be "-" for standard input.
#
#   deinterleave_audio.rsh stereo.npy left.npy right.npy planes.npy

samples = load(args[0])
planes = rearrange(samples, "(t c) -> c t", c=2)
save(planes[0], args[1])
save(planes[1], args[2])
save(planes, args[3])
