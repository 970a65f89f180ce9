"""A user's file, for a type checker."""
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import reshapec as rs


class Model:
    """Like onnx.ModelProto."""

    def SerializeToString(self) -> bytes:
        return b""


def models() -> None:
    kernel: rs.Kernel = rs.compile("graph f(x: f32[N, 2]) -> y { y = transpose(x) }")
    turned: npt.NDArray[np.float32] = kernel(np.zeros((3, 2), "f4"), threads=1)
    text: str = kernel.explain()
    code, header = kernel.emit("c", "f.h")
    print(turned, text, code, header, kernel.name)
    rs.compile(Path("model.onnx"), level="s")
    rs.compile(b"", cpu="x86-64-v3")
    rs.compile(Model())
    module: rs.Module = rs.compile("graph f(x: f32[2]) -> y { y = x }\ngraph g(x: f32[2]) -> y { y = flip(x, 0) }")
    print(module.g(np.zeros(2, "f4")), rs.compile("graph f(x: f32[2]) -> y { y = x }")(np.zeros(2, "f4")))


@rs.jit
def plain(photo: Any) -> Any:
    return rs.pad(photo.transpose(2, 0, 1), ((0, 0), (1, 1), (1, 1)))


@rs.jit(threads=2)
def threaded(a: Any, b: Any) -> Any:
    return rs.concat([a, b], axis=1), rs.stack(x for x in (a, b))


class Net:
    @rs.jit
    def forward(self, x: Any) -> Any:
        return x.T


def calls(x: npt.NDArray[np.float32]) -> None:
    print(plain(x), threaded(x, b=x, threads=1), plain.explain(x), threaded.kernel(x, x).outputs, Net().forward(x))
    print(rs.rearrange(x, "b (h d) -> h b d", h=2, out=x), rs.repeat(x, "a -> a b", b=2))
    packed, shapes = rs.pack([x, x], "* b")
    for part in rs.unpack(packed, shapes, "* b"):
        print(part)


def errors() -> None:
    try:
        rs.compile("")
    except rs.CompileError as error:
        for message in error.messages:
            print(message["line"], rs.__version__)
