# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the scripts of a folder on arrays of their kind and compares what they write with numpy.
usage: compare_examples.py FOLDER, in a folder for the arrays"""
import os
import subprocess
import sys

import numpy as np

rng = np.random.default_rng(1)
ran = set()


def run(name, *args):
    ran.add(name)
    subprocess.run([os.path.join(sys.argv[1], name), *args], check=True)


def save(name, array):
    np.save(name, array)
    return array


def check(name, wanted):
    found = np.load(name)
    assert found.dtype == wanted.dtype and found.shape == wanted.shape, (name, found.dtype, found.shape)
    assert (found == wanted).all(), name


images = [save(f"{i}.npy", rng.integers(0, 256, (5, 4, 3), "u1")) for i in range(3)]
run("images_to_network.rsh", "batch.npy", "0.npy", "1.npy", "2.npy")
check("batch.npy", np.stack(images).transpose(0, 3, 1, 2).astype("f4"))

fused = save("qkv.npy", rng.standard_normal((3 * 4 * 6, 10)).astype("f2"))
run("split_qkv.rsh", "qkv.npy", "4", ".")
for name, part in zip("qkv", fused.reshape(3, 4, 6, 10), strict=True):
    check(f"{name}.npy", part)

weight = save("oihw.npy", rng.standard_normal((40, 20, 3, 3)).astype("f4"))
run("pack_weights.rsh", "oihw.npy", "packed.npy")
padded = np.pad(weight, ((0, 8), (0, 12), (0, 0), (0, 0)))
check("packed.npy", padded.reshape(3, 16, 2, 16, 3, 3).transpose(0, 2, 4, 5, 3, 1))

sound = save("stereo.npy", rng.integers(-30000, 30000, 2000, "i2"))
run("deinterleave_audio.rsh", "stereo.npy", "left.npy", "right.npy", "planes.npy")
check("left.npy", sound[::2])
check("right.npy", sound[1::2])
check("planes.npy", sound.reshape(-1, 2).T)

pages = save("pages.npy", rng.standard_normal((7, 2, 4, 3, 8)).astype("f2"))
table = save("table.npy", np.array([5, 0, 3]))
run("kv_cache.rsh", "pages.npy", "table.npy", "keys.npy", "values.npy")
tokens = pages[table].transpose(1, 0, 2, 3, 4).reshape(2, 12, 3, 8)
check("keys.npy", tokens[0].transpose(1, 2, 0))
check("values.npy", tokens[1].transpose(1, 0, 2))

shards = [save(f"shard{i}.npy", rng.integers(0, 65536, (6, 4), "u2")) for i in range(3)]
run("join_shards.rsh", "whole.npy", "shard0.npy", "shard1.npy", "shard2.npy")
check("whole.npy", np.concatenate(shards, 1))
assert ran == set(os.listdir(sys.argv[1])), ran
