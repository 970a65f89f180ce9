# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the commands of pages: readme.py --root R --build B --cc CC --work W [--page docs/architecture.md]

A fence with a file name after its language (```rsh first.rsh) is written to that file. Each line after `$ ` in a
```console fence is run, in the order of the page, and must print what the page shows. A line `...` matches any lines,
and timings (`0.93 of memcpy's speed`) may differ. $HOME is a folder of the test. `make quickstart` and `make install`
do not build here.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

FENCE = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.M | re.S)
MASKS = [(re.compile(r"\d+\.\d+ of memcpy's speed"), "# of memcpy's speed")]


def masked(text):
    for pattern, mask in MASKS:
        text = pattern.sub(mask, text)
    return [line.rstrip() for line in text.splitlines()]


def agrees(shown, printed):
    """Whether the printed lines match the shown ones. `...` stands for any number of lines."""
    if not shown:
        return not printed
    if shown[0] == "...":
        return any(agrees(shown[1:], printed[i:]) for i in range(len(printed) + 1))
    return bool(printed) and shown[0] == printed[0] and agrees(shown[1:], printed[1:])


def steps(block):
    """Returns a console block as (command, shown lines)."""
    for line in block.splitlines():
        if line.startswith("$ "):
            command, shown = line[2:], []
            yield command, shown
        else:
            shown.append(line)


def run(command, options):
    path = [options.build, os.path.dirname(sys.executable), os.environ["PATH"]]
    env = dict(os.environ, PATH=":".join(path), CC=options.cc, HOME=os.path.join(options.work, "home"))
    cwd = options.work
    if command.startswith("make install "):
        command = f"make -s -o all -o library -C {options.root} BUILD={options.build} {options.make} {command[len('make '):]} > {options.work}/log"
    if command == "make quickstart":  # runs the script itself, installs nothing
        env["BUILD"], env["PYTHON"], cwd = os.path.relpath(options.build, options.root), sys.executable, options.root
        command = "sh examples/quickstart.sh"
    done = subprocess.run(command, shell=True, cwd=cwd, env=env, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    return done.stdout


def main():
    parser = argparse.ArgumentParser()
    for name in ("root", "build", "cc", "work"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--page", default="README.md")
    parser.add_argument("--make", default="", help="settings of the build, for `make install`")
    options = parser.parse_args()
    options.work = os.path.abspath(options.work)
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)
    ran, wrong = 0, 0
    for language, name, block in FENCE.findall(Path(options.root, options.page).read_text()):
        if name:
            Path(options.work, name).write_text(block)
        if language != "console":
            continue
        for command, shown in list(steps(block)):
            printed = run(command, options)
            ran += 1
            if not agrees(masked("\n".join(shown)), masked(printed)):
                wrong += 1
                print(f"$ {command}\n--- the page shows\n" + "\n".join(shown) + f"\n--- it prints\n{printed}")
    print(f"{ran} commands ran, {wrong} print something else")
    return 1 if wrong or ran == 0 else 0


sys.exit(main())
