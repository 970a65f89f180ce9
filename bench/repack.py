# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Repacks a large safetensors file by a script, and compares that with `cp`: repack.py --reshapec R --work W [--mib 2048] [--warm]

The file has matrices of bf16, 32 MiB each. One script copies each tensor unchanged, the other transposes it. Every run
begins with a cold page cache if the machine allows dropping it (root), and ends when the result is on disk (`sync`);
`cp` is measured in the same way, alternately. Speeds are bytes of the file by median times. Memory is the peak of
anonymous memory (RssAnon): pages of mapped files belong to the cache.
"""
import argparse
import json
import mmap
import os
import statistics
import struct
import subprocess
import time
from pathlib import Path

ROWS, COLUMNS = 4096, 4096  # of bf16: 32 MiB
SCRIPTS = {
    "copied": 'for name in names("in.safetensors") { load("in.safetensors", name) |> save("out.safetensors", name) }\n',
    "transposed": 'for name in names("in.safetensors") { transpose(load("in.safetensors", name)) |> save("out.safetensors", name) }\n',
}


def make_file(path, mib):
    """Writes a safetensors file of about `mib` MiB: an 8-byte length, a JSON header, the elements."""
    size, count = ROWS * COLUMNS * 2, max(1, mib * (1 << 20) // (ROWS * COLUMNS * 2))
    header = json.dumps({f"layer.{i}": {"dtype": "BF16", "shape": [ROWS, COLUMNS], "data_offsets": [i * size, (i + 1) * size]}
                         for i in range(count)})
    header += " " * (-len(header) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(header)) + header.encode())
        for i in range(count):
            file.write(os.urandom(size))
        os.fsync(file.fileno())


def tensors(data):
    """The name and elements of each tensor in a mapped file."""
    size = struct.unpack("<Q", data[:8])[0]
    for name, entry in json.loads(data[8:8 + size]).items():
        if name != "__metadata__":
            begin, end = entry["data_offsets"]
            yield name, memoryview(data)[8 + size + begin:8 + size + end]


def equal(*paths):
    maps = []
    for path in paths:
        with open(path, "rb") as file:
            maps.append(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    ours, theirs = map(dict, map(tensors, maps))
    return ours.keys() == theirs.keys() and all(ours[name] == theirs[name] for name in ours)


def drop_cache():
    os.sync()
    try:
        Path("/proc/sys/vm/drop_caches").write_text("3\n")
        return True
    except OSError:
        return False


def peak_of(process):
    """Waits for a process. Returns its peak of anonymous memory in MiB, sampled every 10 ms."""
    most = 0
    while process.poll() is None:
        try:
            status = Path(f"/proc/{process.pid}/status").read_text()
            most = max([most] + [int(line.split()[1]) for line in status.splitlines() if line.startswith("RssAnon")])
        except OSError:
            pass
        time.sleep(0.01)
    return most / 1024


def measure(command, work, warm):
    (work / "out.safetensors").unlink(missing_ok=True)
    cold = not warm and drop_cache()
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=work)
    peak = peak_of(process)
    if not warm:
        os.sync()
    seconds = time.perf_counter() - start
    if process.returncode != 0:
        raise SystemExit(f"{command[0]} ended with {process.returncode}")
    return seconds, peak, cold


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--reshapec", required=True, type=os.path.abspath)
    parser.add_argument("--work", required=True, type=Path)
    parser.add_argument("--mib", type=int, default=2048)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--warm", action="store_true", help="keep the page cache, and do not wait for the disk")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    source = options.work / "in.safetensors"
    make_file(source, options.mib)
    commands = {"cp": ["cp", "in.safetensors", "out.safetensors"]}
    for name, text in SCRIPTS.items():
        (options.work / f"{name}.rsh").write_text(text)
        commands[name] = [options.reshapec, "run", f"{name}.rsh"]
    seconds, peaks, cold = {name: [] for name in commands}, dict.fromkeys(commands, 0), True
    for _ in range(options.runs):
        for name, command in commands.items():
            taken, peak, cold = measure(command, options.work, options.warm)
            if name == "copied" and not equal(source, options.work / "out.safetensors"):
                raise SystemExit("the copy is not its source")
            seconds[name].append(taken)
            peaks[name] = max(peaks[name], peak)
    size = source.stat().st_size
    base = statistics.median(seconds["cp"])
    print(f"{size / 2**20:.0f} MiB, {options.runs} runs each, {'cold' if cold else 'warm'} page cache{'' if options.warm else ', result on disk at the end'}")
    for name in commands:
        median = statistics.median(seconds[name])
        print(f"{name:<11} {size / 2**20 / median:6.0f} MiB/s, {base / median:.2f} of cp, {peaks[name]:.0f} MiB of its own")
    for path in (source, options.work / "out.safetensors"):
        path.unlink(missing_ok=True)


main()
