# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs each command with standard files closed or full, and with outputs that are not regular files.

usage: places.py RESHAPEC FOLDER [--share N] [--seed N]   (--share: N cases of each command, otherwise all)
A command must exit with 0 and write everything it normally writes, or with 1 or 2, a message, and unchanged files.
"""

import argparse
import os
import random
import shutil
import sys
import threading
import time

from commands import COMMANDS, Bench

options = argparse.ArgumentParser()
options.add_argument("reshapec")
options.add_argument("folder")
options.add_argument("--share", type=int)
options.add_argument("--seed", type=int, default=1)
options = options.parse_args()
bench = Bench(options.reshapec, options.reshapec, options.folder)
generator = random.Random(options.seed)

def judge(run, good, is_printed, is_heard, fails):
    """Returns "" or an error. `is_printed`: standard output is kept; `is_heard`: messages are; `fails`: it must fail."""
    fault = run.untidy(good)
    if fault:
        return fault
    if not fails:
        same = run.end == good.end and run.files == good.files and (not is_printed or run.stdout == good.stdout)
        return "" if same else f"{run.end} {run.stderr!r}"
    if run.end not in ("ended 1", "ended 2") or (is_heard and "error: " not in run.stderr):
        return f"{run.end} {run.stderr!r}"
    return ""


def with_closed(command, good, closed):
    run = bench.plain(command, preexec_fn=lambda: [os.close(file) for file in closed])
    fails = (0 in closed and command.stdin) or (1 in closed and good.stdout)
    return judge(run, good, 1 not in closed, 2 not in closed, fails)


def with_full(command, good, name):
    with open("/dev/full", "wb") as full:
        run = bench.plain(command, **{name: full})
    is_output = name == "stdout"
    return judge(run, good, not is_output, is_output, is_output and good.stdout)


class Reader(threading.Thread):
    """Reads from a pipe that possibly no process opens for writing."""

    def __init__(self, path):
        super().__init__()
        self.file, self.got, self.is_last = os.open(path, os.O_RDONLY | os.O_NONBLOCK), b"", False
        self.start()

    def run(self):
        while True:
            is_last = self.is_last
            try:
                got = os.read(self.file, 1 << 16)
            except BlockingIOError:
                got = b""
            self.got += got
            if not got and is_last:
                break
            if not got:
                time.sleep(0.001)

    def end(self):
        self.is_last = True
        self.join()
        os.close(self.file)
        return self.got


def with_place(title, command, good, name, what):
    """Runs with an output `name` that is not a regular file. A link's target is outside of the command's folder."""
    away = os.path.join(bench.folder, "away")
    shutil.rmtree(away, ignore_errors=True)
    os.mkdir(away)
    bench.put(command)
    path, target = os.path.join(bench.work, name), os.path.join(away, "target")
    os.remove(path)
    old = b"old"
    reader = None
    if what == "a folder":
        os.mkdir(path)
    elif what == "a link to a folder":
        os.symlink(away, path)
    elif what in ("a link to a file", "a second name"):
        with open(target, "wb") as file:
            file.write(old)
        (os.symlink if what == "a link to a file" else os.link)(target, path)
    elif what == "a link to nothing":
        os.symlink(target, path)
    elif what == "a link to itself":
        os.symlink(name, path)
    elif what == "a full device":
        os.symlink("/dev/full", path)
    elif what == "a pipe":
        os.mkfifo(path)
        reader = Reader(path)
    run = bench.plain(command, is_put=True)
    got = reader and reader.end()
    now = b"nothing"
    if os.path.isfile(target):
        with open(target, "rb") as file:
            now = command.mask(file.read())
    there = sorted(os.listdir(away))
    made = good.files[name]
    fails = what in ("a folder", "a link to a folder", "a link to itself", "a full device")
    fails |= what == "a pipe" and "--check" in command.arguments  # it reads what it wrote
    others = {file: content for file, content in run.files.items() if file != name}
    kept = {file: content for file, content in good.files.items() if file != name}
    if fails:
        kept = {file: command.mask(content) if isinstance(content, bytes) else content
                for file, content in command.files().items() if file != name}
        if run.end not in ("ended 1", "ended 2") or name not in run.stderr:
            return f"{run.end} {run.stderr!r}"
    elif run.end != good.end:
        return f"{run.end} {run.stderr!r}"
    if others != kept and not (fails and (title.startswith(("run", "script", "other named")) or "several" in title)):  # one after another
        return f"other files: {[file for file in others if others[file] != kept.get(file)]}"
    if there not in ([], ["target"]) or run.left:
        return f"left behind: {there} {run.left}"
    if what in ("a link to a file", "a link to nothing") and now != made:
        return "the file that is named is not written"
    if what == "a second name" and now != old:
        return "the other name has changed"
    if reader and got != made:
        return "the pipe has other bytes"
    return ""


PLACES = ["a folder", "a link to a folder", "a link to a file", "a second name", "a link to nothing", "a link to itself",
          "a full device", "a pipe"]


def cases(title, command, good):
    for closed in ((0,), (1,), (2,), (0, 1, 2)):
        yield f"closed {closed}", lambda closed=closed: with_closed(command, good, closed)
    for name in ("stdout", "stderr"):
        yield f"full {name}", lambda name=name: with_full(command, good, name)
    for name, content in good.files.items():
        if content != command.files()[name] and name not in ("mine.rsh", "yours.rsh", "old.tuning", "a.bin", "out.gguf"):  # also read
            for what in PLACES:
                yield f"{name} is {what}", lambda name=name, what=what: with_place(title, command, good, name, what)


wrong = tries = 0
for title, command in COMMANDS.items():
    good = bench.plain(command)
    bench.expect(title, command, good)
    chosen = list(cases(title, command, good))
    if options.share and options.share < len(chosen):
        chosen = generator.sample(chosen, options.share)
    for what, attempt in chosen:
        tries += 1
        fault = attempt()
        if fault:
            wrong += 1
            print(f"{title}: {what}: {fault}")
print(f"{tries} places, {wrong} wrong")
sys.exit(wrong > 0)
