# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws a picture of 1080 by 1920 RGB pixels and saves it with NumPy's results: make_picture.py FOLDER.

A sky, a sun, hills and some grain; photo.ppm is the same picture for a viewer.
"""
import sys
from pathlib import Path

import numpy as np

folder = Path(sys.argv[1])
y, x = np.mgrid[0:1080, 0:1920].astype(np.float32)
picture = np.stack([90 + y / 9, 140 + y / 12, 230 - y / 14], axis=-1)
glow = np.exp(-((x - 1400) ** 2 + (y - 330) ** 2) / 30000)[..., None]
picture = picture * (1 - glow) + np.array([255, 235, 170]) * glow
for base, color in ((640, (70, 110, 90)), (760, (50, 90, 60)), (900, (30, 60, 35))):
    hill = base + 60 * np.sin(x / (base / 3.0)) + 25 * np.sin(x / 67 + base)
    picture = np.where((y > hill)[..., None], np.array(color), picture)
grain = np.random.default_rng(2).normal(0, 3, picture.shape)
photo = np.clip(picture + grain, 0, 255).astype(np.uint8)
np.save(folder / "photo.npy", photo)
np.save(folder / "planes.npy", np.ascontiguousarray(photo.transpose(2, 0, 1)))
floats = photo.transpose(2, 0, 1).astype("f4") / np.float32(127.5) - np.float32(1)
np.save(folder / "floats.npy", np.ascontiguousarray(floats))
quantized = np.clip(np.rint(floats / np.float32(0.0078125)) - 1, -128, 127).astype("i1")
np.save(folder / "bytes.npy", np.ascontiguousarray(quantized))
np.save(folder / "top.npy", np.ascontiguousarray(photo[:540]))
(folder / "photo.ppm").write_bytes(b"P6 1920 1080 255\n" + photo.tobytes())
