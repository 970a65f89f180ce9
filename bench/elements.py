# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Chains that also change elements: `make bench BENCH="--table elements"`.

Each row is a graph, its meaning in NumPy, and what a user of the other libraries would write. Speeds are relative to
memcpy of the larger side; `the move` is the same graph with unchanged elements. Results of the kernel are compared with
NumPy's bit for bit, those of peers up to rounding.
"""
import ctypes
import importlib
import json
import os
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
MEAN, SCALE = (123.675, 116.28, 103.53), (0.01712475, 0.0175070, 0.01742919)
GAMMA = [min(255, round(255*(i/255)**0.45)) for i in range(256)]
NIBBLES = [0, 1, 3, 7, 13, 21, 31, 43, 58, 75, 95, 118, 144, 174, 207, 255]
TYPES = {"u8": "u1", "i8": "i1", "u16": "u2", "i32": "i4", "f16": "f2", "f32": "f4", "u1": "u1", "u4": "u1"}
RGB888 = """    bits = bitcast(x, u1)
    r = concat(bits[:, :, 13:], bits[:, :, 11:], axis=2)
    g = concat(bits[:, :, 9:11], bits[:, :, 5:11], axis=2)
    b = concat(bits[:, :, 2:5], bits[:, :, :5], axis=2)
    y = stack(r, g, b, axis=2) |> bitcast(u8)
"""


class Row:
    """The `body` of a graph of x, whose type is `source`; the same as a NumPy function; and the peers: functions of
    (module, x, y) that return a function without arguments, which may return the result in memory of its own."""

    def __init__(self, name, source, body, wanted, move=None, **peers):
        self.name, self.body, self.wanted, self.move, self.peers = name, body, wanted, move, peers
        self.dtype, dims = re.fullmatch(r"(\w+)\[(.*)\]", source).groups()
        self.source, self.shape = source, [int(d) for d in dims.split(",")]

    def text(self):
        graphs = f"graph k_{self.name}(x: {self.source}) -> y {{\n{self.body}}}\n"
        return graphs + (f"graph m_{self.name}(x: {self.source}) -> y {{\n{self.move}}}\n" if self.move else "")

    def given(self, rng):
        """Elements, and their bytes in memory."""
        bits = {"u1": 1, "u4": 4}.get(self.dtype)
        if bits:
            x = rng.integers(0, 1 << bits, self.shape, np.uint8)
            flat = x.reshape(-1, 8 // bits).astype(int)
            return x, (flat << np.arange(0, 8, bits)).sum(1).astype(np.uint8)
        size = int(np.prod(self.shape)) * np.dtype(TYPES[self.dtype]).itemsize
        if self.dtype == "i32":  # in the range of sums of products of i8
            x = rng.integers(-200000, 200000, self.shape).astype(np.int32)
        elif self.dtype in ("f16", "f32"):
            x = rng.uniform(-300, 300, self.shape).astype(TYPES[self.dtype])
        else:
            x = rng.integers(0, 256, size, np.uint8).view(TYPES[self.dtype]).reshape(self.shape)
        return x, x


def one_node(nodes, constants=()):
    """A peer for onnxruntime from a list of (operator, inputs, outputs, attributes)."""
    def peer(modules, x, y):
        runtime, onnx = modules
        helper = onnx.helper
        made = [helper.make_node(op, i, o, **attributes) for op, i, o, attributes in nodes]
        values = [onnx.numpy_helper.from_array(np.asarray(v), name) for name, v in constants]
        kind = helper.np_dtype_to_tensor_dtype
        graph = helper.make_graph(made, "peer", [helper.make_tensor_value_info("x", kind(x.dtype), x.shape)],
                                  [helper.make_tensor_value_info("y", kind(y.dtype), y.shape)], values)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9)
        options = runtime.SessionOptions()
        options.intra_op_num_threads = 1
        session = runtime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        binding = session.io_binding()
        binding.bind_input("x", "cpu", 0, x.dtype, x.shape, x.ctypes.data)
        binding.bind_output("y", "cpu", 0, y.dtype, y.shape, y.ctypes.data)
        return lambda: session.run_with_iobinding(binding)
    return peer


def of_torch(function):
    """Two peers from a function of (torch, x): eager and compiled."""
    def eager(torch, x, y):
        given, result = torch.from_numpy(x), torch.from_numpy(y)
        return lambda: result.copy_(function(torch, given))

    def compiled(torch, x, y):
        given, result = torch.from_numpy(x), torch.from_numpy(y)
        torch._dynamo.reset()  # its limit counts the functions of all rows together
        made = torch.compile(lambda a, out: out.copy_(function(torch, a)))
        return lambda: made(given, result)
    return {"torch": eager, "compiled": compiled}


def of_numpy(function):
    return lambda _, x, y: lambda: np.copyto(y, function(x))


def tensor(torch, values, shape=(1, 1, 3)):
    return torch.tensor(values, dtype=torch.float32).reshape(shape)


def normalized(x):
    return (x.astype("f4") - np.float32(MEAN)) * np.float32(SCALE)


def blob(cv2, x, y):
    """blobFromImage takes only one scale for all channels."""
    scale = SCALE[0]
    return lambda: cv2.dnn.blobFromImage(x, scale, (x.shape[1], x.shape[0]), MEAN)


def unpacked(x):
    r, g, b = x >> 11, x >> 5 & 63, x & 31
    return np.stack([r << 3 | r >> 2, g << 2 | g >> 4, b << 3 | b >> 2], 2).astype("u1")


def packed(x):
    return (x[..., 0].astype("u2") >> 3 << 11) | (x[..., 1].astype("u2") >> 2 << 5) | x[..., 2] >> 3


def torch_unpacked(torch, x):
    x = x.to(torch.int32)
    r, g, b = x >> 11 & 31, x >> 5 & 63, x & 31
    return torch.stack([r << 3 | r >> 2, g << 2 | g >> 4, b << 3 | b >> 2], 2)


def torch_packed(torch, x):
    x = x.to(torch.int32)
    return (x[..., 0] >> 3 << 11 | x[..., 1] >> 2 << 5 | x[..., 2] >> 3).to(torch.uint16)


def normalize_row(height, width):
    entries = f"cast(x, f32) - {list(MEAN)}"
    return Row(
        f"pixels_f32_{height}x{width}", f"u8[{height},{width},3]",
        f"    y = ({entries})*{list(SCALE)} |> transpose([2, 0, 1])\n",
        lambda x: normalized(x).transpose(2, 0, 1), "    y = cast(x, f32) |> transpose([2, 0, 1])\n",
        numpy=of_numpy(lambda x: normalized(x).transpose(2, 0, 1)),
        onnxruntime=one_node([("Cast", ["x"], ["f"], {"to": 1}), ("Sub", ["f", "mean"], ["s"], {}),
                              ("Mul", ["s", "scale"], ["m"], {}), ("Transpose", ["m"], ["y"], {"perm": [2, 0, 1]})],
                             [("mean", np.float32(MEAN)), ("scale", np.float32(SCALE))]),
        opencv=blob,
        **of_torch(lambda torch, x: ((x.float() - tensor(torch, MEAN)) * tensor(torch, SCALE)).permute(2, 0, 1)))


def requantized(x):
    """Rounds the doubled product's high half and the division by a power of two like gemmlowp and TFLite."""
    product = x.astype("i8") * 1518500250
    nudged = product + np.where(product >= 0, 1 << 30, 1 - (1 << 30))
    high = np.sign(nudged) * (np.abs(nudged) >> 31)
    rest = high & 511
    scaled = (high >> 9) + (rest > 255 + (high < 0))
    return np.clip(scaled - 5, -128, 127).astype("i1").reshape(64, 64, 4, 16).transpose(0, 2, 1, 3)


def rows():
    yield normalize_row(224, 224)
    yield normalize_row(1080, 1920)
    yield Row(
        "pixels_i8_1080x1920", "u8[1080,1920,3]", "    y = bitcast(x ^ 128, i8) |> transpose([2, 0, 1])\n",
        lambda x: (x ^ 128).view("i1").transpose(2, 0, 1), "    y = transpose(x, [2, 0, 1])\n",
        numpy=of_numpy(lambda x: (x ^ 128).view("i1").transpose(2, 0, 1)),
        **of_torch(lambda torch, x: (x ^ 128).view(torch.int8).permute(2, 0, 1)))
    for name, shape in (("zero_point_512", "512,512"), ("zero_point_2048", "2048,2048")):
        yield Row(
            name, f"i8[{shape}]", "    y = transpose(x) + 3\n", lambda x: x.T + np.int8(3), "    y = transpose(x)\n",
            numpy=of_numpy(lambda x: x.T + np.int8(3)), **of_torch(lambda torch, x: x.T + 3),
            onnxruntime=one_node([("Transpose", ["x"], ["t"], {"perm": [1, 0]}), ("Add", ["t", "three"], ["y"], {})],
                                 [("three", np.int8(3))]))
    yield Row(
        "dequantize_f32", "i8[512,768]", "    y = dequantize(x, 0.5, zero_point=3) |> transpose()\n",
        lambda x: ((x.astype("i4") - 3).astype("f4") * np.float32(0.5)).T, "    y = cast(x, f32) |> transpose()\n",
        numpy=of_numpy(lambda x: ((x.astype("i4") - 3).astype("f4") * np.float32(0.5)).T),
        onnxruntime=one_node([("DequantizeLinear", ["x", "s", "z"], ["d"], {}), ("Transpose", ["d"], ["y"], {"perm": [1, 0]})],
                             [("s", np.float32(0.5)), ("z", np.int8(3))]),
        **of_torch(lambda torch, x: ((x.to(torch.int32) - 3).float() * 0.5).T))
    yield Row(
        "planes_u8_224x224", "f32[3,224,224]", "    y = clip(x, 0, 255) |> cast(u8) |> transpose([1, 2, 0])\n",
        lambda x: np.clip(x, 0, 255).astype("u1").transpose(1, 2, 0), "    y = cast(x, u8) |> transpose([1, 2, 0])\n",
        numpy=of_numpy(lambda x: np.clip(x, 0, 255).astype("u1").transpose(1, 2, 0)),
        onnxruntime=one_node([("Clip", ["x", "least", "most"], ["c"], {}), ("Cast", ["c"], ["b"], {"to": 2}),
                              ("Transpose", ["b"], ["y"], {"perm": [1, 2, 0]})],
                             [("least", np.float32(0)), ("most", np.float32(255))]),
        **of_torch(lambda torch, x: x.clamp(0, 255).to(torch.uint8).permute(1, 2, 0)))
    yield Row(
        "transposed_f16", "f32[1024,768]", "    y = cast(x, f16) |> transpose()\n", lambda x: x.astype("f2").T,
        "    y = bitcast(x, u32) |> transpose()\n", numpy=of_numpy(lambda x: x.astype("f2").T),
        onnxruntime=one_node([("Cast", ["x"], ["h"], {"to": 10}), ("Transpose", ["h"], ["y"], {"perm": [1, 0]})]),
        **of_torch(lambda torch, x: x.half().T))
    yield Row(
        "relu_f16", "f16[1024,768]", "    y = relu(x)\n", lambda x: np.maximum(x, np.float16(0)),
        numpy=of_numpy(lambda x: np.maximum(x, np.float16(0))),
        onnxruntime=one_node([("Relu", ["x"], ["y"], {})]), **of_torch(lambda torch, x: torch.relu(x)))
    yield Row(
        "requantize_shuffle", "i32[64,64,64]",
        "    y = requantize(x, 1518500250, -9, zero_point=-5, dtype=i8) |> reshape([64, 64, 4, 16]) |> transpose([0, 2, 1, 3])\n",
        requantized, "    y = cast(x, i8) |> reshape([64, 64, 4, 16]) |> transpose([0, 2, 1, 3])\n",
        numpy=of_numpy(requantized))
    yield Row(
        "gamma_lookup", "u8[1080,1920,3]", f"    y = lookup(x, {GAMMA}) |> transpose([2, 0, 1])\n",
        lambda x: np.uint8(GAMMA)[x].transpose(2, 0, 1), "    y = transpose(x, [2, 0, 1])\n",
        numpy=of_numpy(lambda x: np.take(np.uint8(GAMMA), x).transpose(2, 0, 1)),
        opencv=lambda cv2, x, y: lambda: np.copyto(y, cv2.LUT(x, np.uint8(GAMMA)).transpose(2, 0, 1)),
        **of_torch(lambda torch, x: torch.tensor(GAMMA, dtype=torch.uint8)[x.int()].permute(2, 0, 1)))
    yield Row("nibble_lookup", "u4[1000,1024]", f"    y = lookup(x, {NIBBLES}, u8)\n", lambda x: np.uint8(NIBBLES)[x],
              "    y = cast(x, u8)\n", numpy=of_numpy(lambda x: np.uint8(NIBBLES)[x]))
    for height, width in ((240, 320), (1080, 1920)):
        yield Row(f"rgb565_to_888_{height}", f"u16[{height},{width}]", RGB888, unpacked, numpy=of_numpy(unpacked),
                  opencv=lambda cv2, x, y: lambda: cv2.cvtColor(x.view("u1").reshape(*x.shape, 2), cv2.COLOR_BGR5652BGR),
                  **of_torch(torch_unpacked))
        yield Row(f"rgb888_to_565_{height}", f"u8[{height},{width},3]",
                  "    bits = bitcast(x, u1)\n"
                  "    y = concat(bits[:, :, 2, 3:], bits[:, :, 1, 2:], bits[:, :, 0, 3:], axis=2) |> bitcast(u16)\n",
                  packed, numpy=of_numpy(packed), opencv=lambda cv2, x, y: lambda: cv2.cvtColor(x, cv2.COLOR_BGR2BGR565),
                  **of_torch(torch_packed))
    yield Row("bit_planes", "u8[65536]", "    y = bitcast(x, u1) |> transpose() |> reshape([8, 8192, 8]) |> bitcast(u8)\n",
              lambda x: np.packbits(np.unpackbits(x[:, None], axis=1, bitorder="little").T, axis=1, bitorder="little"),
              numpy=of_numpy(lambda x: np.packbits(np.unpackbits(x[:, None], axis=1, bitorder="little").T, axis=1, bitorder="little")))


def find_peers(asked):
    found = {"numpy": None}
    for name, modules in (("torch", "torch"), ("onnxruntime", "onnxruntime onnx"), ("opencv", "cv2")):
        try:
            made = [importlib.import_module(m) for m in modules.split()]
        except ImportError:
            continue
        found[name] = made[0] if len(made) == 1 else made
    if "torch" in found:
        found["torch"].set_num_threads(1)
        found["compiled"] = found["torch"]
    if "opencv" in found:
        found["opencv"].setNumThreads(1)
    if "onnxruntime" in found:
        importlib.import_module("onnx.numpy_helper")
    return {name: found[name] for name in ("numpy", "torch", "compiled", "onnxruntime", "opencv")
            if name in found and (name in asked or name in ("compiled", "opencv"))}


def compile_rows(all_rows, options):
    work = Path(options.work)
    work.mkdir(parents=True, exist_ok=True)
    (work / "elements.rsh").write_text("".join(row.text() for row in all_rows))
    subprocess.run([options.reshapec, work / "elements.rsh", "-O3", "-mcpu=native", "-o", work / "elements.o"], check=True)
    subprocess.run([*options.cc.split(), "-shared", "-o", work / "elements.so", work / "elements.o"], check=True)
    return ctypes.CDLL(os.path.abspath(work / "elements.so"))


def timed(run, calls):
    begin = time.perf_counter()
    for _ in range(calls):
        run()
    return (time.perf_counter() - begin) / calls


def medians(runners, seconds):
    """Median seconds of each runner; all take turns."""
    counts = {}
    for name, run in runners.items():
        run()
        counts[name] = max(1, int(5e-4 / max(1e-7, timed(run, 3))))
    once = sum(timed(run, counts[name]) * counts[name] for name, run in runners.items())
    samples = {name: [] for name in runners}
    for _ in range(max(5, min(51, int(seconds / once)))):
        for name, run in runners.items():
            samples[name].append(timed(run, counts[name]))
    return {name: statistics.median(times) for name, times in samples.items()}


def caller(function, source, result):
    given = ctypes.c_void_p(source.ctypes.data), ctypes.c_void_p(result.ctypes.data)
    return lambda: function(*given)


def is_close(found, wanted):
    if found.dtype.kind == "f":
        return np.allclose(found, wanted, rtol=1e-5, atol=1e-5)
    return np.array_equal(found, wanted)


def measure(row, library, found, options):
    from bench import aligned  # which imports this file
    x, memory = row.given(np.random.default_rng(3))
    source = aligned(memory.nbytes).view(memory.dtype).reshape(memory.shape)
    source[...] = memory
    if memory is x:
        x = source
    wanted = np.ascontiguousarray(row.wanted(x))
    result = aligned(wanted.nbytes).view(wanted.dtype).reshape(wanted.shape)
    runners = {"kernel": caller(getattr(library, f"k_{row.name}"), source, result)}
    runners["kernel"]()
    if not np.array_equal(result.view(np.uint8), wanted.view(np.uint8)):
        raise SystemExit(f"bench.py: {row.name} is wrong")
    larger = max(source.nbytes, result.nbytes)
    here, there = (aligned(larger) for _ in range(2))
    here[:] = 1
    runners["memcpy"] = lambda: ctypes.memmove(there.ctypes.data, here.ctypes.data, larger)
    if row.move:
        other = aligned(max(larger, 4 * source.size))
        runners["the move"] = caller(getattr(library, f"m_{row.name}"), source, other)
    for name, module in found.items():
        if name not in row.peers:
            continue
        made = np.zeros_like(wanted)
        try:
            run = row.peers[name](module, x, made)
            own = run()
        except Exception as failed:  # a peer that does not support it is left out
            print(f"bench.py: {name} cannot do {row.name}: {str(failed).splitlines()[0][:120]}", file=sys.stderr)
            continue
        if own is None and not is_close(made, wanted):
            print(f"bench.py: the result of {name} for {row.name} is wrong, so it is left out", file=sys.stderr)
            continue
        runners[name] = run
    return medians(runners, options.seconds), larger


def main(options):
    every = [row for row in rows() if re.search(options.only, row.name)]
    library = compile_rows(every, options)
    found = find_peers(options.peers.split(","))
    columns = ["kernel", "the move", *found]
    print(f"{'case':24} {'memcpy us':>10}" + "".join(f" {c:>11}" for c in columns) + "   kernel to the move, to the best peer")
    report = []
    for row in every:
        seconds, size = measure(row, library, found, options)
        line = "".join(f" {seconds['memcpy']/seconds[c]:11.2f}" if c in seconds else f" {'-':>11}" for c in columns)
        best = min((c for c in found if c in seconds), key=seconds.get, default=None)
        print(f"{row.name:24} {seconds['memcpy']*1e6:10.1f}{line}" +
              (f"   {seconds['kernel']/seconds['the move']:.2f}" if "the move" in seconds else "   -") +
              (f", {seconds[best]/seconds['kernel']:.1f} times as fast as {best}" if best else ""), flush=True)
        report.append({"case": row.name, "bytes": size, "seconds": seconds})
    (Path(options.work) / "elements-1.json").write_text(json.dumps({"table": "elements", "cases": report}, indent=1) + "\n")
    return 0
