# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kept code: keep.py FOLDER first|second|folders, in that order; FOLDER/given is RESHAPEC_CACHE of the first two."""
import os
import pathlib
import stat
import sys
import warnings

import numpy as np

import reshapec as rs
from reshapec import _cache, _core

top = pathlib.Path(sys.argv[1])
given = top / "given"
x = np.arange(24, dtype="f4").reshape(2, 3, 4)
TEXT = "graph turn(x: u8[N, 3]) -> y { y = transpose(x) }"


def files(folder=given):
    return sorted(folder.iterdir()) if folder.exists() else []


def use():
    """Runs three programs that move data, and one that does not and so has no code."""
    a = np.arange(6, dtype="u1").reshape(2, 3)
    assert np.array_equal(rs.rearrange(x, "a b c -> c b a"), x.T)
    assert np.array_equal(rs.compile(TEXT)(a), a.T) and np.array_equal(rs.compile(TEXT)(a), a.T)
    assert np.array_equal(rs.jit(lambda x: x[:, ::2] + 1)(x), x[:, ::2] + 1)
    assert np.shares_memory(rs.rearrange(x, "a b c -> a (b c)"), x)


class Program:
    """A program whose code must not be compiled: it has no save()."""

    def __init__(self, program):
        self.key, self.restore, self.save = program.key, program.restore, None


def first():
    use()
    assert len(files()) == 3 and all(len(file.name) == 64 for file in files()), files()
    assert stat.S_IMODE(given.stat().st_mode) == 0o700


def second():
    """Runs as another process, which uses the kept code and writes nothing."""
    before = [(file, file.stat().st_mtime_ns, file.read_bytes()) for file in files()]
    _cache.keep(Program(_core.Program(TEXT)))
    use()
    assert before == [(file, file.stat().st_mtime_ns, file.read_bytes()) for file in files()]
    # Damaged files are found, and written again.
    for file in files():
        file.write_bytes(file.read_bytes()[:-1] + b"?")
    rs.compile(TEXT)
    assert sum(file.read_bytes() == bytes for file, _, bytes in before) == 1
    # A call that is interrupted while it writes leaves no file.
    def interrupt(*_):
        raise KeyboardInterrupt

    os.replace, kept = interrupt, os.replace
    try:
        rs.compile("graph g(x: u8[9, 9]) -> y { y = transpose(x) }")
    except KeyboardInterrupt:
        os.replace = kept
    assert os.replace is kept and len(files()) == 3, files()
    # Above MOST_FILES, the oldest quarter is removed.
    _cache.MOST_FILES = 7
    for n in range(8):
        rs.compile(f"graph g(x: u8[{n + 2}, 3]) -> y {{ y = transpose(x) }}")
    assert 5 < len(files()) <= 7, files()


def folders():
    """Tests the location of the cache, and folders in which nothing is kept."""
    home = top / "home"
    compile = lambda n: rs.compile(f"graph f(x: u8[{n}, 3]) -> y {{ y = transpose(x) }}")
    compile(2)
    assert len(files(home / ".cache" / "reshapec")) == 1
    os.environ["XDG_CACHE_HOME"] = str(top / "xdg")
    compile(3)
    assert len(files(top / "xdg" / "reshapec")) == 1
    os.environ["RESHAPEC_CACHE"] = ""
    compile(4)
    assert len(files(home / ".cache" / "reshapec")) == 1 and len(files(top / "xdg" / "reshapec")) == 1
    shared, file = top / "shared", top / "file"
    shared.mkdir()
    shared.chmod(0o770)
    file.write_text("")
    for folder, why in ((shared, "others can write to it, and it contains machine code"), (file, "File exists")):
        os.environ["RESHAPEC_CACHE"] = str(folder)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            compile(5)
        assert [str(w.message) for w in caught] == [f"RESHAPEC_CACHE: no code is kept in '{folder}': {why}"], caught
    assert not files(shared)


def model():
    """The graph of a model has the name of its file, so code kept for one name does not serve another."""
    import onnx

    content = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 18]>
    turn (float[2, 3, 4] x) => (float[4, 3, 2] y) { y = Transpose (x) }""").SerializeToString()
    for name in ("one.onnx", "two.onnx"):
        (top / name).write_bytes(content)
    for source in (top / "one.onnx", top / "two.onnx", content, top / "one.onnx"):
        assert np.array_equal(rs.compile(source)(x), x.T)
    assert len(files(top / "model")) == 3


{"first": first, "second": second, "folders": folders, "model": model}[sys.argv[2]]()
