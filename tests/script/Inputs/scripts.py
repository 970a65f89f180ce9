# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs scripts written in a test, in a folder of its own.
usage: TEST.py RESHAPEC FOLDER"""
import os
import shutil
import subprocess
import sys

RESHAPEC, FOLDER = os.path.abspath(sys.argv[1]), sys.argv[2]


def run(script, *arguments):
    with open("script.rsh", "w", encoding="utf-8") as file:
        file.write(script)
    return subprocess.run([RESHAPEC, "run", *arguments, "script.rsh"], capture_output=True, text=True, check=False)


def done(script):
    made = run(script)
    assert made.returncode == 0 and not made.stderr, (script, made)
    return made.stdout


def warned(script, text):
    made = run(script)
    assert made.returncode == 0 and text in made.stderr, (script, text, made)


def refused(script, text):
    made = run(script)
    assert made.returncode == 1 and text in made.stderr, (script, text, made)


def same(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def in_folder(*checks):
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    os.chdir(FOLDER)
    for check in checks:
        check()
    print("done")
