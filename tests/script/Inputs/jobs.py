# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scripts with loops in one process and in four, which must do the same.
usage: jobs.py RESHAPEC FOLDER"""
import glob
import os
import shutil
import subprocess

import numpy as np
from scripts import RESHAPEC, in_folder

COUNT = 24


def run(script, *options, stdin=None):
    """Returns a script's output, messages, exit status and files."""
    for name in glob.glob("out*"):
        shutil.rmtree(name) if os.path.isdir(name) else os.remove(name)
    os.mkdir("out")
    with open("script.rsh", "w", encoding="utf-8") as file:
        file.write(script)
    made = subprocess.run([RESHAPEC, "run", *options, "script.rsh"], stdin=stdin, capture_output=True, text=True, check=False)
    files = {}
    for name in sorted(glob.glob("out/*") + glob.glob("out.*")):
        with open(name, "rb") as file:
            files[name] = file.read()
    assert not glob.glob("**/.reshapec-*", recursive=True)
    return made.returncode, made.stdout, made.stderr, files


def same(script, status=0, only_first=None):
    """The same in one process and in four; only_first: so many files are certain, those of later iterations may be there."""
    one, four = run(script), run(script, "-j", "4")
    assert one[0] == status and one[:3] == four[:3], (script, one[:3], four[:3])
    if only_first is None:
        assert one[3] == four[3], script
    else:
        assert len(one[3]) == only_first and all(four[3][name] == data for name, data in one[3].items()), script
        assert all(np.load(name) is not None for name in four[3])  # each is complete
    return one


def loops():
    for i in range(COUNT):
        np.save(f"in{i:02}.npy", np.arange(6 * (1 + i % 3), dtype="f4").reshape(2, -1) + i)
    ended = same('for f in glob("in*.npy") {\n    x = load(f)\n    print(f, x)\n    transpose(x) |> save("out/" + f)\n}\nprint("end", len(glob("out/*")))\n')
    assert ended[1].endswith(f"end {COUNT}\n") and len(ended[3]) == COUNT
    for name, data in ended[3].items():
        with open(name.replace("out/", ""), "rb") as file:
            assert np.load(file).T.tolist() == np.load(name).tolist() and data
    same("for i in range(300) {\n    for k in range(2) { print(i, k) }\n}\n")
    same("for i in range(1) { print(i) }\nfor i in range(0) { print(i) }\n")


def carried():
    """Data that iterations pass on: in a name, in a file of several tensors, in standard input and output."""
    assert same("n = 0\nfor i in range(40) { n = n + i }\nprint(n)\n")[1] == "780\n"
    same('for i in range(9) { arange(i) |> save("out.npz", "" + i) }\n')
    same('for i in range(9) { for k in range(i) { arange(k) |> save("out.npz", i + "." + k) } }\n')
    same("i = 7\nfor i in range(9) { print(i) }\nprint(i)\n")
    for options in ((), ("-j", "4")):
        with open("in00.npy", encoding="latin1") as stdin:
            ended = run('for f in ["in01.npy", "in02.npy", "-"] { print(load(f)[0, :1]) }\n', *options, stdin=stdin)
        assert ended[:3] == (0, "f32[1]\n[1.]\nf32[1]\n[2.]\nf32[1]\n[0.]\n", ""), ended


def mistakes():
    """The first error is that of one process, with its position; output before it is kept, none follows it."""
    script = 'for i in range(24) {{\n    print(i)\n    arange(i + 1) |> save("out/" + i + ".npy")\n    assert(i < {}, "too many")\n}}\nprint("not here")\n'
    for last in (0, 1, 2, 13, 23):
        ended = same(script.format(last), status=1, only_first=last + 1)
        assert f"script.rsh:4:12: error: assertion failed: too many: {last} < {last}" in ended[2] and ended[1].endswith(f"{last}\n")
    with open("in09.npy", "wb") as file:
        file.write(b"broken")
    ended = same('for f in glob("in*.npy") { load(f) |> transpose() |> save("out/" + f) }\n', status=1, only_first=9)
    assert "script.rsh:1:33: error: in09.npy: not a .npy file" in ended[2]


def together():
    """Iteration 1 waits for what is written only when iteration 2 has begun to read: one process would wait for ever."""
    for name in ("pipe1", "pipe2"):
        os.mkfifo(name)
    with open("script.rsh", "w", encoding="utf-8") as file:
        file.write('for f in ["in00.npy", "pipe1", "pipe2"] { print(f, load(f)[0, :1]) }\n')
    made = subprocess.Popen([RESHAPEC, "run", "-j", "2", "script.rsh"], stdout=subprocess.PIPE, text=True)
    for name, data in (("pipe2", "in02.npy"), ("pipe1", "in01.npy")):
        with open(name, "wb") as pipe, open(data, "rb") as file:
            pipe.write(file.read())
    assert made.communicate(timeout=60)[0] == "".join(f"{n} f32[1]\n[{v}.]\n" for n, v in (("in00.npy", 0), ("pipe1", 1), ("pipe2", 2)))


def wrong():
    for value in ("x", "-1", "1000000000000"):
        made = subprocess.run([RESHAPEC, "run", "-j", value, "script.rsh"], capture_output=True, text=True, check=False)
        assert made.returncode == 2 and f"'{value}' is not a number of processes: expected -j N" in made.stderr, made


in_folder(loops, carried, together, mistakes, wrong)
