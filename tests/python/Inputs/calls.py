# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Properties of calls: views, out=, wrong arrays, other libraries' arrays, open sizes, models, threads, pictures."""
import copy
import pickle
import subprocess
import sys
import threading
import types
import warnings

import numpy as np
import onnx.parser

import reshapec as rs
from refused import refused


def views():
    x = np.arange(24, dtype="f4").reshape(2, 3, 4)
    flat = rs.rearrange(x, "a b c -> (a b) c")
    assert np.shares_memory(flat, x) and flat.flags.writeable
    x.flags.writeable = False
    assert not rs.rearrange(x, "a b c -> a (b c)").flags.writeable
    second = rs.compile("graph f(x: f32[2, 3, 4]) -> y { y = x[1] }")
    assert np.shares_memory(second(x), x) and (second(x) == x[1]).all()
    out = np.empty((3, 4), "f4")
    assert second(x, out=out) is out and (out == x[1]).all()
    # A view of an array without elements begins inside it.
    backwards = rs.compile("graph f(x: f32[A, B]) -> y where A <= 1 { y = x[::-1] }")
    assert backwards(np.empty((0, 3), "f4")).shape == (0, 3)


def outs():
    x = np.arange(6, dtype="u1").reshape(2, 3)
    flip = rs.compile("graph f(x: u8[2, 3]) -> (y, z) { y = transpose(x)\n z = flip(x, axis=1) }")
    z = np.empty((2, 3), "u1")
    y, also = flip(x, out=(None, z))
    assert also is z and (y == x.T).all() and (z == x[:, ::-1]).all()
    refused(rs.CallError, "shape (2, 3)", flip, x, out=(None, np.empty((3, 2), "u1")))
    refused(rs.CallError, "of type uint8", flip, x, out=(None, np.empty((2, 3), "i1")))
    refused(rs.CallError, "row-major", flip, x, out=(None, np.empty((3, 2), "u1").T))
    refused(rs.CallError, "out must be row-major, without gaps; it has other strides", flip, x, out=(None, np.empty((2, 6), "u1")[:, ::2]))
    refused(rs.CallError, "overlaps", flip, x, out=(None, x))
    refused(TypeError, "tuple of 2", flip, x, out=z)
    refused(rs.CallError, "out is of type int, which supports neither the buffer protocol nor DLPack", flip, x, out=(None, 5))
    both = np.zeros(11, "u1")
    refused(rs.CallError, "arrays 1 and 2 of out overlap", flip, x, out=(both[:6].reshape(3, 2), both[5:].reshape(2, 3)))
    assert not both.any()
    frozen = np.empty((2, 3), "u1")
    frozen.flags.writeable = False
    refused(rs.CallError, "out is read-only", flip, x, out=(None, frozen))


def in_place():
    """A result may be an array at its place in the input that the header names."""
    flip = rs.compile("graph f(x: u8[N, 4]) -> inplace y { y = flip(x, axis=1) }")
    x = np.arange(12, dtype="u1").reshape(3, 4)
    want = x[:, ::-1].copy()
    assert flip(x, out=x) is x and (x == want).all()
    other = np.empty((3, 4), "u1")
    assert flip(x, out=other) is other and (x == want).all() and (other == want[:, ::-1]).all()
    memory = np.arange(16, dtype="u1").reshape(4, 4)
    refused(rs.CallError, "out overlaps an input", flip, memory[:3], out=memory[1:])
    refused(rs.CallError, "shape (3, 4)", flip, memory[:3], out=memory)
    assert (memory.ravel() == np.arange(16)).all()
    scattered = np.arange(24, dtype="u1").reshape(3, 8)[:, ::2]
    refused(rs.CallError, "row-major", flip, scattered, out=scattered)

    slide = rs.compile("graph f(x: i8[4, 2], row: i8[1, 2]) -> inplace y: i8[4, 2] { y = concat(x[1:], row, axis=0) }")
    x = np.arange(8, dtype="i1").reshape(4, 2)
    assert slide(x, np.full((1, 2), 9, "i1"), out=x) is x and x.ravel().tolist() == [2, 3, 4, 5, 6, 7, 9, 9]
    refused(rs.CallError, "out overlaps an input", slide, x, x[:1], out=x)
    tail = rs.compile("graph f(x: f32[4, 2]) -> inplace y { y = relu(x[2:]) }")  # begins at element 4
    x = np.float32([[1, -1], [2, -2], [3, -3], [-4, 4]])
    tail(x, out=x[2:])
    assert x.ravel().tolist() == [1, -1, 2, -2, 3, 0, 0, 4]
    refused(rs.CallError, "out overlaps an input", tail, x, out=x[:2])
    grow = rs.compile("graph f(x: u8[2, 2]) -> inplace y: u8[2, 3] { y = pad(x, [0, 0, 0, 1]) }")
    memory = np.arange(6, dtype="u1")
    grow(memory[:4].reshape(2, 2), out=memory.reshape(2, 3))
    assert memory.tolist() == [0, 1, 0, 2, 3, 0]
    view = rs.compile("graph f(x: u8[4, 2]) -> (y, z) { y = x[1]\n z = x }")
    x = np.arange(8, dtype="u1").reshape(4, 2)
    y, z = view(x, out=(x[1], None))
    assert y.tolist() == [2, 3] and np.shares_memory(z, x) and x.ravel().tolist() == list(range(8))
    assert view(x, out=(None, x))[1] is x and x.ravel().tolist() == list(range(8))
    refused(rs.CallError, "out overlaps an input", view, x, out=(x[0], None))


def wrong_arrays():
    f = rs.compile("graph f(x: f32[N, 4], w: f32[4, N]) -> y where N % 2 == 0 { y = concat(x, transpose(w), axis=0) }")
    x, w = np.ones((2, 4), "f4"), np.ones((4, 2), "f4")
    assert f(x, w).shape == (4, 4)
    refused(rs.CallError, "argument 2 is float64, but the kernel takes float32: give x.astype('float32')", f, x, w.astype("f8"))
    refused(rs.CallError, "argument 2 is not in the byte order of this machine: give x.astype('float32')", f, x, w.astype(">f4"))
    refused(rs.CallError, "argument 1 is of type list, which supports neither the buffer protocol nor DLPack: numpy.asarray makes an array of it", f, [1.0], w)
    refused(rs.CallError, "numpy.asarray makes an array of it", f, types.SimpleNamespace(__array_interface__=w.__array_interface__), w)
    # The kernel would fill an array that numpy.asarray makes of a list.
    refused(rs.CallError, "out is of type list, which supports neither the buffer protocol nor DLPack; out= takes an array, or a tuple of one for each result", f, x, w, out=[x])
    refused(rs.CallError, "argument 1 is float32, but the kernel takes bf16", rs.compile("graph f(x: bf16[2, 4]) -> y { y = transpose(x) }"), x)
    two = rs.compile("graph f(x: u8[2, 3]) -> y { y = transpose(x) }\n graph g(x: u8[2, 3]) -> y { y = flatten(x) }")
    refused(TypeError, "there are 2 graphs: call one, as in module.f(x) or module['f'](x)", two, x)
    refused(rs.CallError, "elements of type string cannot be passed from Python", rs.compile, "graph f(x: string[2]) -> y { y = x }")
    refused(rs.CallError, "size 'N' is 2", f, x, np.ones((4, 6), "f4"))
    refused(rs.CallError, "N % 2 == 0", f, np.ones((3, 4), "f4"), np.ones((4, 3), "f4"))
    refused(rs.CallError, "'x' is f32[N, 4]", f, np.ones((2, 5), "f4"), w)
    refused(TypeError, "expected 2 arrays, not 1", f, x)
    refused(TypeError, "the only keywords are out= and threads=; arrays are passed by position", f, x=x, w=w)
    refused(rs.CallError, "out must be row-major, of type float32 and shape (4, 4); it is of type float64 and shape (4, 4)", f, x, w, out=np.empty((4, 4)))
    refused(rs.PatternError, "the pattern is of type ndarray, not a string; the array comes first", rs.rearrange, "a b -> b a", x)
    refused(rs.PatternError, "(a b) is 4 in the array, which is not a multiple of 3", rs.rearrange, np.ones((4, 2)), "(a b) c -> a b c", a=3)
    refused(rs.CallError, "is of type list", f, [1, 2], w)
    refused(rs.CallError, "argument 1 is a masked array, whose mask kernels do not move", f, np.ma.masked_array(x, mask=True), w)
    any_rank = rs.compile("graph f(x: f32[*]) -> y { y = transpose(x) }")
    refused(rs.CallError, "argument 1 has 17 axes: the most is 16", any_rank, np.zeros((1,)*17, "f4"))
    refused(rs.CallError, "Python objects", rs.rearrange, np.array([[None]]), "a b -> b a")
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        rs.compile("graph f(x: f32[2]) -> y { z = flip(x, 0); y = x }")
    assert [(w.category, w.filename) for w in seen] == [(UserWarning, __file__)]
    assert str(seen[0].message).startswith("<text>:1:27: warning: value 'z' is never used"), seen[0].message
    error = refused(rs.CompileError, "^~~", rs.compile, "graph f(x: f32[2]) -> y { y = transpos(x) }")
    assert error.messages[0]["kind"] == "unknown_name" and error.messages[0]["column"] == 31


def wrong_options():
    text = "graph f(x: f32[2, 3]) -> y { y = transpose(x) }"
    for level in ("9", "", "22", 2):
        refused(rs.CallError, f"level is {level!r}: it must be '0', '1', '2', '3', 's' or 'z'", rs.compile, text, level=level)
    refused(rs.CallError, "name has a quote or a line break", rs.compile(text).emit, "c", 'a"b.h')
    refused(rs.CallError, "takes source text, a model or the path of a file, not 5", rs.compile, 5)


def forgotten_options():
    """A module compiles when a graph is first used: its options may be gone from Python by then."""
    text = "graph f(x: u8[N, 3]) -> y { y = transpose(x) }\ngraph g(x: u8[N, 4]) -> y { y = transpose(x) }"
    module = rs.compile(text, cpu="".join(["nat", "ive"]))
    others = [f"another text {i}" for i in range(10000)]  # in the memory of the options, if that is free
    x = np.arange(8, dtype="u1").reshape(2, 4)
    assert others and (module.g(x) == x.T).all()


class Elsewhere:
    """An array of another library, with only DLPack."""

    def __init__(self, array, device=1):
        self.array, self.device = array, device

    def __dlpack_device__(self):
        return self.device, 0

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)


def from_dlpack(x):
    return Elsewhere(np.from_dlpack(x))


def other_libraries():
    x = np.arange(6, dtype="f4").reshape(2, 3)
    here = rs.rearrange(Elsewhere(x), "a b -> b a")
    assert isinstance(here, Elsewhere) and (here.array == x.T).all()  # as this module's from_dlpack made it
    flip = rs.jit(lambda a: a.T * 2.0)
    assert (flip(Elsewhere(x)).array == x.T * 2).all()
    refused(rs.CallError, "on a device (DLPack type 2)", rs.rearrange, Elsewhere(x, 2), "a b -> b a")
    assert rs.rearrange(memoryview(b"abcdef"), "(a b) -> b a", a=2).tobytes() == b"adbecf"
    out = Elsewhere(np.empty((3, 2), "f4"))
    assert rs.rearrange(Elsewhere(x), "a b -> b a", out=out) is out and (out.array == x.T).all()
    refused(rs.CallError, "row-major", rs.rearrange, Elsewhere(x), "a b -> b a", out=Elsewhere(np.empty((2, 3), "f4").T))
    strided = np.arange(12, dtype="f4").reshape(3, 4)[:, ::2]
    assert (rs.rearrange(strided, "a b -> b a") == strided.T).all()


def outs_of_others():
    """An `out` that is not a plain NumPy array, with arguments that the extension takes and with others."""
    x = np.arange(6, dtype="f4").reshape(2, 3)
    turn = rs.compile("graph f(x: f32[2, 3]) -> y { y = transpose(x) }")
    for given in (x, x.copy(order="F"), Elsewhere(x)):
        refused(rs.CallError, "out is a masked array", turn, given, out=np.ma.masked_all((3, 2), "f4"))
        out = Elsewhere(np.empty((3, 2), "f4"))
        assert turn(given, out=out) is out and (out.array == x.T).all()
        y = np.empty((3, 2), "f4")
        turn(given, out=memoryview(y))
        assert (y == x.T).all()


def at_address(x, offset):
    """A copy of an array whose memory begins `offset` bytes after a multiple of 64."""
    memory = np.zeros(x.nbytes + 128, "u1")
    at = -memory.ctypes.data % 64 + offset
    y = memory[at:at + x.nbytes].view(x.dtype).reshape(x.shape)
    y[...] = x
    return y


def unaligned():
    """Elements at addresses that are not multiples of their size: copied as arguments, refused as out."""
    x = np.arange(1 << 22, dtype="f4").reshape(2048, 2048)  # so large that stores bypass the caches
    turn = rs.compile("graph f(x: f32[N, M]) -> y { y = transpose(x) }")
    for offset in (1, 2, 6):
        odd = at_address(x, offset)
        assert (rs.rearrange(odd, "a b -> b a") == x.T).all() and (turn(odd) == x.T).all()
        assert (rs.rearrange(Elsewhere(odd), "a b -> b a").array == x.T).all()
        refused(rs.CallError, "not a multiple of 4 bytes", turn, x, out=odd)
        refused(rs.CallError, "not a multiple of 4 bytes", rs.rearrange, x, "a b -> b a", out=odd)
    assert (turn(x, out=at_address(x, 4)) == x.T).all()
    wide = rs.compile("graph f(x: f32[N, M] align 16) -> y: f32[M, N] align 16 { y = transpose(x) }")
    assert (wide(at_address(x, 4)) == x.T).all()
    refused(rs.CallError, "not a multiple of 16 bytes", wide, x, out=at_address(x, 4))
    refused(rs.CallError, "'y: f32[2, 2]' is aligned to 64 bytes", rs.compile, "graph f(x: f32[2, 2]) -> y: f32[2, 2] align 64 { y = transpose(x) }")
    words = at_address(np.array([[b"ab", b"cd", b"ef"]]), 1)  # aligned for NumPy
    assert rs.rearrange(words, "a b -> b a").tolist() == [[b"ab"], [b"cd"], [b"ef"]]


class Words(str):
    """A pattern that is not exactly a str."""


def uncached_patterns():
    """Calls that the extension does not cache: results, too, and not kernels."""
    x = np.arange(512)
    sizes = dict.fromkeys("abcdefghi", 2)
    assert (rs.rearrange(x, "(a b c d e f g h i) -> (i h g f e d c b a)", **sizes) == x.reshape((2,) * 9).T.ravel()).all()
    x = np.arange(6).reshape(2, 3)
    assert (rs.rearrange(x, Words("a b -> b a")) == x.T).all()
    assert (rs.repeat(x, Words("a b -> a b c"), c=2) == np.stack([x, x], 2)).all()


def open_sizes():
    f = rs.compile("graph f(x: u16[B, S]) -> y { y = transpose(x) }")
    for n in range(60):  # more than are remembered
        x = np.arange(n * (n + 1), dtype="u2").reshape(n, n + 1)
        assert (f(x) == x.T).all()
    assert "symbolic" in f.explain() and f.explain("svg").startswith("<svg") and f._repr_svg_() == f.explain("svg")
    code, header = f.emit("c", "f.h")
    assert b'#include "f.h"' in code and "rsh_status f(" in header


def models():
    model = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 18]>
    heads (float[2, 6, 8] x) => (float[2, 2, 6, 4] y) {
        target = Constant <value_ints = [0, 0, 2, 4]> ()
        split = Reshape (x, target)
        y = Transpose <perm = [0, 2, 1, 3]> (split)
    }""")
    x = np.arange(96, dtype="f4").reshape(2, 6, 8)
    for source in (model, model.SerializeToString()):
        assert (rs.compile(source)(x) == x.reshape(2, 6, 2, 4).transpose(0, 2, 1, 3)).all()
    two = rs.compile("graph a(x: u8[2]) -> y { y = flip(x, axis=0) }\ngraph b(x: u8[4]) -> y { y = x[1:3] }")
    assert list(two) == ["a", "b"] and two.b(np.arange(4, dtype="u1")).tolist() == [1, 2]
    refused(AttributeError, "there are a, b", getattr, two, "c")
    assert {"a", "b", "explain"} <= set(dir(two))
    refused(rs.CompileError, "is not an ONNX model", rs.compile, b"nothing")


def bfloat():
    import ml_dtypes

    x = np.arange(6).reshape(2, 3).astype(ml_dtypes.bfloat16)
    f = rs.compile("graph f(x: bf16[2, 3]) -> y: f32[3, 2] { y = transpose(x) |> cast(f32) }")
    assert (f(x) == x.T.astype("f4")).all()
    turned = rs.rearrange(x, "a b -> b a")
    assert turned.dtype == x.dtype and (turned == x.T).all()
    same = rs.compile("graph f(x: bf16[2, 3]) -> y { y = transpose(x) }")
    assert same(x).dtype == x.dtype and same(x.view("u2")).dtype == np.uint16
    out = np.empty((3, 2), x.dtype)
    assert same(x, out=out) is out and (out == x.T).all()
    traced = rs.jit(lambda a: (a.T, a.astype("f4") / 2))
    assert traced(x)[0].dtype == x.dtype and (traced(x)[0] == x.T).all() and (traced(x)[1] == x.astype("f4") / 2).all()
    # Without an argument of such a type, the results have the types of ml_dtypes.
    f = rs.compile("graph f(x: f32[2, 3]) -> (y, z, w) { y = transpose(x) |> cast(bf16)\n z = cast(x, f8e4m3fn)\n w = x + 1.0 }")
    x = np.arange(6, dtype="f4").reshape(2, 3)
    y, z, w = f(x)
    assert y.dtype == ml_dtypes.bfloat16 and z.dtype == ml_dtypes.float8_e4m3fn and w.dtype == x.dtype
    assert (y == x.T.astype(y.dtype)).all() and (z == x.astype(z.dtype)).all() and (w == x + 1).all()
    for kind in (ml_dtypes.bfloat16, np.uint16):
        out = np.empty((3, 2), kind)
        assert f(x, out=(out, None, None))[0] is out and (out.view(ml_dtypes.bfloat16) == y).all()
    refused(TypeError, "expected 1 array, not 2", f, x, x)
    bits = rs.compile("graph f(x: u16[2, 3]) -> y { y = bitcast(x, bf16) }")(out.T.copy())
    assert bits.dtype == ml_dtypes.bfloat16 and (bits == x).all()
    refused(rs.CallError, "argument 1 is bfloat16, but the kernel takes f16", rs.compile("graph f(x: f16[2, 3]) -> y { y = transpose(x) }"), y)


def without_ml_dtypes():
    """Unsigned integers stand for what NumPy lacks."""
    code = "import sys; sys.modules['ml_dtypes'] = None\n" \
        "import numpy as np, reshapec as rs\n" \
        "y, z = rs.compile('graph f(x: f32[2]) -> (y, z) { y = cast(x, bf16)\\n z = x + 1.0 }')(np.array([1, -2], 'f4'))\n" \
        "assert y.dtype == 'u2' and y.tolist() == [0x3F80, 0xC000] and z.tolist() == [2, -1]"
    subprocess.run([sys.executable, "-c", code], check=True)


def packs():
    """Wrong shapes and patterns of pack and unpack, and more arrays than a kernel takes."""
    x = np.zeros((2, 12))
    for shapes in ([(3.7,), (9,)], [("3",), (9,)], [3, 9], None):
        refused(rs.PatternError, "not a list like [(3,), (4, 5)]", rs.unpack, x, shapes, "b *")
    refused(rs.PatternError, "has a size below -1", rs.unpack, x, [(-3,), (-1,)], "b *")
    refused(rs.PatternError, "the pattern is of type NoneType, not a string", rs.unpack, x, [(12,)], None)
    refused(rs.PatternError, "the pattern is of type int, not a string", rs.pack, [x], 3)
    refused(rs.PatternError, "the size of 'b' in 'a (b c) -> b a c' is array([2]), not an integer", rs.rearrange, x, "a (b c) -> b a c", b=np.array([2]))
    refused(rs.PatternError, "differ in type: float64, >f8", rs.pack, [x, x.astype(">f8")], "b *")
    refused(rs.CallError, "takes at most 64 arrays", rs.concat, [x] * 65)
    assert rs.pack([x] * 64, "b *")[0].shape == (2, 768)


def pads():
    """The value of rs.pad: its sign, its type, and values that are not numbers."""
    import ml_dtypes

    x = np.ones(1, "f4")
    assert [bool(np.signbit(rs.pad(x, 1, constant_values=value)[0])) for value in (0.0, -0.0, 0, 0.0)] == [False, True, False, False]
    for kind in (ml_dtypes.bfloat16, ml_dtypes.float8_e5m2):
        assert rs.pad(np.ones(1, kind), 1, constant_values=2.5).tolist() == [2.5, 1, 2.5]
    assert rs.pad(np.ones(1, "u1"), 1, constant_values=2.5).tolist() == [2, 1, 2]
    refused(rs.CallError, "constant_values is (1, 2), not one real number", rs.pad, x, 1, constant_values=(1, 2))
    refused(rs.CallError, "constant_values is 2j, not one real number", rs.pad, np.ones(1, "c8"), 1, constant_values=2j)
    for value in (np.nan, np.inf, -np.inf):
        refused(rs.CallError, f"constant_values is {value!r}, which is not a value of int32", rs.pad, np.ones(1, "i4"), 1, constant_values=value)
    for width in ({0: 1}, [[1, 2], [3]], "1"):
        refused(rs.CallError, "contains something other than integers", rs.pad, x, width)
    refused(rs.CallError, "mode '['edge']' is not 'constant'", rs.pad, x, 1, mode=["edge"])
    refused(rs.CallError, "1.5 contains something other than integers", rs.pad, x, 1.5)
    refused(rs.CallError, "(1, 2, 3) is not one size, or a pair of sizes for each of 1 axes", rs.pad, x, (1, 2, 3))


def joins():
    """rs.concat and rs.stack of any iterable, and of nothing."""
    x = np.arange(6).reshape(2, 3)
    assert (rs.concat(part for part in (x, x)) == np.concatenate([x, x])).all()
    assert (rs.stack(iter([x, x]), axis=1) == np.stack([x, x], axis=1)).all()
    refused(rs.CallError, "rs.concat: there is no array", rs.concat, [])
    refused(rs.CallError, "rs.stack: there is no array", rs.stack, ())
    refused(rs.CallError, "rs.concat: axis 2 is outside of an array of 2 axes", rs.concat, [x, x], axis=2)
    refused(rs.CallError, "rs.stack: axis 3 is outside of an array of 3 axes", rs.stack, [x, x], axis=3)


def names():
    """What an interactive session shows."""
    @rs.jit
    def turned(x):
        return x.T
    assert repr(turned) == "<traced function turned>"
    two = rs.compile("graph f(x: f32[2]) -> y { y = x }\ngraph g(x: f32[2]) -> y { y = flip(x, 0) }")
    assert repr(two) == "<module of f, g>"
    assert repr(two.f) == "<kernel f(x: f32[2]) -> (y: f32[2])>"


def jit_as_numpy():
    """Keywords of NumPy's functions, subscripts and constants that are arrays, types that NumPy lacks, callable objects."""
    import functools
    import ml_dtypes

    x = np.arange(12, dtype="f4").reshape(3, 4)
    for f in (lambda a: np.transpose(a, axes=(1, 0)), lambda a: np.swapaxes(a, axis1=0, axis2=1), lambda a: np.pad(a, pad_width=1),
              lambda a: np.clip(a, a_min=2, a_max=5), lambda a: np.reshape(a, (2, 6)), lambda a: a.reshape(np.array([4, 3])),
              lambda a: a[np.array(1)], lambda a: a[np.int8(-1), None], lambda a: a.astype(ml_dtypes.bfloat16),
              lambda a: np.add(1, a), lambda a: np.subtract(1, a), lambda a: np.multiply(a, 2), lambda a: np.divide(a, 4), lambda a: np.negative(a),
              lambda a: np.float32(3) - a, lambda a: np.arange(4, dtype="f4") * a):
        y = rs.jit(f)(x)
        assert y.dtype == f(x).dtype and np.array_equal(y, f(x))
    empty = np.zeros((2, 0), "i4")
    assert rs.jit(lambda a: a + np.zeros(0, "i4"))(empty).shape == (2, 0)
    assert rs.jit(functools.partial(lambda n, a: a.reshape(n, -1), 2))(x).shape == (2, 6)
    refused(rs.CallError, "rs.jit takes a function, not 3", rs.jit, 3)
    for f in (lambda a: a @ a.T, lambda a: a ** 2, lambda a: 2 ** a, lambda a: a // 2, lambda a: a % 2, lambda a: a ^ 128, lambda a: a << 1, abs):
        refused(rs.CallError, "rs.jit: of the operators, only + - * / with a constant can be traced", rs.jit(f), x)
    refused(rs.CallError, "subscripts must be integers", rs.jit(lambda a: a[np.array([True, False, True])]), x)
    refused(rs.CallError, "elements cannot be assigned", rs.jit(lambda a: a.__setitem__(0, 1)), x)
    refused(rs.CallError, "traced by rs.jit and has no elements yet", rs.jit(rs.compile("graph f(x: f32[N]) -> y { y = x[::-1] }")), x)


def jit_constants():
    """Large integers, and constants of types that NumPy lacks."""
    import ml_dtypes

    x = np.arange(6, dtype="f4").reshape(2, 3)
    for large in (2**64, 10**30):
        assert (rs.jit(lambda a: a * large)(x) == x * np.float32(large)).all()
        assert rs.pad(x, 1, constant_values=large)[0, 0] == np.float32(large)
        for kind in ("u8", "i4"):
            refused(rs.CallError, "the result has the type of the array", rs.jit(lambda a: a + large), x.astype(kind))
    refused(rs.CallError, "is not a number", rs.jit(lambda a: a * 10**400), x)
    refused(rs.CallError, "is not a number", rs.jit(lambda a: a * None), x)
    assert (rs.jit(lambda a: a * ml_dtypes.bfloat16(2.5))(x) == x * 2.5).all()
    assert (rs.jit(lambda a: a + np.array([1, 2, 0.5], ml_dtypes.bfloat16))(x) == x + np.array([1, 2, 0.5], "f4")).all()
    assert rs.pad(x, 1, constant_values=ml_dtypes.bfloat16(2.5))[0, 0] == 2.5


def jit_arguments():
    """Arrays by name, and traced functions in traced functions."""
    x, w = np.arange(6, dtype="f4").reshape(2, 3), np.ones((1, 3), "f4")

    @rs.jit
    def joined(a, *, b):
        return rs.concat([a, b])

    for _ in range(2):
        assert (joined(x, b=w) == np.concatenate([x, w])).all() and (joined(b=x, a=w) == np.concatenate([w, x])).all()
    assert joined.kernel(x, b=w)(x, w).shape == (3, 3) and "graph joined_(" in joined.explain(x, b=w)
    assert (rs.jit(lambda a: joined(a, b=a) * 2.0)(x) == np.concatenate([x, x]) * 2).all()
    assert (rs.jit(rs.jit(lambda a: a.T))(x) == x.T).all()
    refused(rs.CallError, "argument 'b' is of type int", joined, x, b=3)
    refused(TypeError, "'c'", joined, x, c=x)
    refused(rs.CallError, "one or a tuple of them, not {'y': <traced float32[3, 2]>}", rs.jit(lambda a: {"y": a.T}), x)
    assert (rs.jit(lambda a: a.transpose(np.array([1, 0])))(x) == x.T).all()


@rs.jit
def by_name(a):
    return a.T


def twice(a):
    return a * 2


class Halves:
    @rs.jit
    def half(self, a):
        return a / 2


def copies():
    """Traced functions are pickled and copied like functions, also after a call; kernels are only copied."""
    x = np.arange(6, dtype="f4").reshape(2, 3)
    for function, by_numpy in ((by_name, x.T), (rs.jit(twice, threads=2), x * 2), (Halves().half, x / 2)):
        assert (function(x) == by_numpy).all()
        for other in (pickle.loads(pickle.dumps(function)), copy.copy(function), copy.deepcopy(function)):
            assert (other(x) == by_numpy).all()
    assert pickle.loads(pickle.dumps(by_name)) is by_name and copy.deepcopy(by_name) is by_name
    module = rs.compile("graph f(x: f32[2, 3]) -> y { y = transpose(x) }\ngraph g(x: f32[2]) -> y { y = flip(x, axis=0) }")
    for kernel in (module.f, module):
        assert copy.copy(kernel) is kernel and copy.deepcopy([kernel])[0] is kernel
        refused(TypeError, "send the source or the model, and call rs.compile there", pickle.dumps, kernel)


def jit_refusals():
    x = np.arange(6, dtype="i4").reshape(2, 3)
    refused(rs.CallError, "not two arrays", rs.jit(lambda a: a + a), x)
    refused(rs.CallError, "int32 with 2: the result has the type of the array; convert the array first, as by .astype('f4')", rs.jit(lambda a: a / 2), x)
    refused(rs.CallError, "no branch can depend on them", rs.jit(lambda a: a if a[0, 0] else a), x)
    for compare in (lambda a: a if a == 3 else a.T, lambda a: a if a != 3 else a.T, lambda a: a if a < 3 else a.T, lambda a: a if 3 in a else a.T):
        refused(rs.CallError, "cannot be compared", rs.jit(compare), x)
    refused(rs.CallError, "it is x.astype('int32')", rs.jit(lambda a: a.T), x.astype(">i4"))
    for function in (np.sqrt, lambda a: np.float32(2) > a, lambda a: np.add(a, 1, out=x), lambda a: np.add.reduce(a)):
        refused(rs.CallError, "cannot be traced, only add, subtract, multiply, divide, negative, without out= and where=", rs.jit(function), x)
    refused(rs.CallError, "numpy.sum cannot be traced", rs.jit(lambda a: np.sum(a)), x)
    refused(AttributeError, "'copy' of arrays cannot be traced, only ndim, size, T, reshape,", rs.jit(lambda a: a.copy()), x)
    refused(rs.CallError, "axis 2 is outside of an array of 2 axes", rs.jit(lambda a: np.concatenate([a, a], axis=2)), x)
    refused(rs.CallError, "axis -4 is outside of an array of 3 axes", rs.jit(lambda a: np.stack([a, a], axis=-4)), x)
    refused(rs.CallError, "[0, -2] names an axis twice", rs.jit(lambda a: np.flip(a, [0, -2])), x)
    refused(rs.CallError, "2 shifts for 1 axes", rs.jit(lambda a: np.roll(a, [1, 2], 0)), x)
    refused(rs.CallError, "1 axes cannot be moved to 2 places", rs.jit(lambda a: np.moveaxis(a, 0, [0, 1])), x)
    refused(rs.CallError, "cannot be broadcast to [3, 1]", rs.jit(lambda a: np.broadcast_to(a, [3, 1])), x)
    joined = rs.jit(lambda a: np.pad(np.concatenate([a, np.transpose(a, (1, 0)).reshape(2, 3)], axis=1), 1))
    assert (joined(x) == np.pad(np.concatenate([x, x.T.reshape(2, 3)], axis=1), 1)).all()
    refused(rs.CallError, "must return arrays", rs.jit(lambda a: 1), x)


def many_threads():
    x = np.arange(1 << 16, dtype="f4").reshape(256, 256)
    wrong = []

    def work(n):
        for i in range(40):
            y = rs.rearrange(x, "(a b) c -> c (b a)", a=2 ** (1 + (i + n) % 7))
            a = 2 ** (1 + (i + n) % 7)
            if not (y == x.reshape(a, 256 // a, 256).transpose(2, 1, 0).reshape(256, 256)).all():
                wrong.append((n, i))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong, wrong


def dynamic_graphs():
    """Results whose sizes are data, tensors of any rank, indices."""
    asked = rs.compile("graph f(x: f32[B, 6], s: i64[2]) -> y { y = reshape(x, s) |> transpose([1, 0]) }")
    x = np.arange(12, dtype="f4").reshape(2, 6)
    for _ in range(2):  # the second time with the plan of the first
        for s in ([4, -1], [3, -1], [-1, 1]):
            assert np.array_equal(asked(x, np.array(s)), x.reshape(s).T)
    refused(rs.CallError, "not_divisible", asked, x, np.array([5, -1]))
    refused(rs.CallError, "'x' is f32[B, 6]", asked, x.T, np.array([5, -1]))
    out = np.empty((3, 4), "f4")
    assert asked(x, np.array([4, -1]), out=out) is out and np.array_equal(out, x.reshape(4, 3).T)
    refused(rs.CallError, "shape (6, 2)", asked, x, np.array([2, -1]), out=out)
    turn = rs.compile("graph f(x: f32[*]) -> (y, z) { y = transpose(x)\n z = x |> cast(i16) }")
    for rank in range(6):
        x = np.arange(np.prod(range(1, 1 + rank)), dtype="f4").reshape(range(1, 1 + rank))
        y, z = turn(x)
        assert y.shape == x.T.shape and np.array_equal(y, x.T) and np.array_equal(z, x.astype("i2"))
    assert turn(np.empty((3, 0, 2), "f4"))[0].shape == (2, 0, 3)
    embed = rs.compile("graph f(table: f32[*], ids: i64[*]) -> y { y = gather(table, ids) }")
    table, ids = np.arange(15, dtype="f4").reshape(5, 3), np.array([[1, -1], [4, 0]])
    assert np.array_equal(embed(table, ids), table[ids]) and np.array_equal(embed(table, ids[0, 0]), table[1])
    refused(rs.CallError, "graph 'f' cannot take these arguments: bad_index: index outside the axis", embed, table, ids + 1)
    wrong = []

    def work(n):
        mine = np.arange(n * 300, dtype="f4").reshape(n, 300)
        for _ in range(60):  # of one shape in two threads at a time: one of them has no plan to use again
            if not np.array_equal(turn(mine)[0], mine.T):
                wrong.append(n)

    threads = [threading.Thread(target=work, args=(100 + n // 2,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong, wrong


def references():
    x = np.arange(6, dtype="f4").reshape(2, 3)
    kernel = rs.compile("graph f(x: f32[2, 3]) -> y { y = transpose(x) }")
    before = sys.getrefcount(x), sys.getrefcount(x.dtype), sys.getrefcount(kernel)
    for _ in range(1000):
        rs.rearrange(x, "a b -> b a"), rs.rearrange(x, "a b -> (a b)"), kernel(x)
    after = sys.getrefcount(x), sys.getrefcount(x.dtype), sys.getrefcount(kernel)
    assert all(b - a < 10 for a, b in zip(before, after)), (before, after)


for check in (views, outs, in_place, wrong_arrays, wrong_options, forgotten_options, other_libraries, outs_of_others, unaligned, uncached_patterns, open_sizes, models, bfloat, without_ml_dtypes, packs, pads, joins, names, jit_as_numpy, jit_constants, jit_arguments, copies, jit_refusals, many_threads, dynamic_graphs, references):
    check()
print("done")
