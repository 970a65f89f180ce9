# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled graphs."""
from __future__ import annotations

import functools
import os
import warnings
from typing import Any, Iterator, NoReturn, Optional, Protocol, Union

import numpy as np

from reshapec import _core
from reshapec._arrays import ELEMENTS, OTHERS, Taken, call, take, unsigned
from reshapec._errors import CallError

# Element types in NumPy. Types that it lacks are unsigned integers of their width, or types of ml_dtypes.
TYPES = {"bool": "?", "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8", "u8": "u1", "u16": "u2", "u32": "u4", "u64": "u8",
         "f16": "f2", "f32": "f4", "f64": "f8", "c64": "c8", "c128": "c16"}
MOST_ALIGN = 16  # bytes, of memory that NumPy allocates
NAMES = {np.dtype(code): name for name, code in TYPES.items()}


def dtype_of(name: str) -> np.dtype:
    """The NumPy dtype of arrays with an element type."""
    if name in TYPES:
        return np.dtype(TYPES[name])
    if name in OTHERS:
        return unsigned(name)
    raise CallError(f"elements of type {name} cannot be passed from Python: compile such graphs to C")


def name_of(dtype: np.dtype) -> str:
    """The element type of a NumPy dtype."""
    name = NAMES.get(dtype) or ELEMENTS.get(dtype.name)
    if name is None:
        own = dtype.newbyteorder("=")
        hint = f"; in the byte order of this machine it is x.astype('{own}')" if own in NAMES else ""
        raise CallError(f"no element type corresponds to {dtype}{hint}")
    return name


@functools.cache
def _default_threads() -> int:
    given = os.environ.get("RESHAPEC_THREADS", "1")
    try:
        return _core.threads(int(given) if given.isdecimal() else given)
    except CallError as error:
        raise CallError(f"RESHAPEC_THREADS: {error}") from None


def threads_of(threads: Optional[int]) -> int:
    """The number of threads from the caller, or if None from the environment, which is read once."""
    return _default_threads() if threads is None else _core.threads(threads)


class Kernel(_core.Kernel):
    """A compiled graph. Calling it runs it; `out=`, an array or a tuple of arrays, receives the results, and `threads=`
    runs it on fewer or more threads than it was compiled for.

    Arrays are NumPy arrays, or any objects with the buffer protocol or DLPack on the CPU. A result that is a contiguous
    part of an input is a view of it, unless `out` is given.

    >>> import numpy as np, reshapec as rs
    >>> halves = rs.compile("graph halves(x: f32[N, 4]) -> (a, b) { a, b = split(x, axis=1, parts=2) }")
    >>> a, b = halves(np.arange(8, dtype="f4").reshape(2, 4))
    >>> b.tolist()
    [[2.0, 3.0], [6.0, 7.0]]
    """

    name: str
    inputs: list[dict[str, Any]]
    outputs: list[dict[str, Any]]

    def __new__(cls, program: _core.Program, index: int, types: Optional[tuple] = None):
        graph = program.graphs()[index]
        for tensor in graph["inputs"] + graph["outputs"]:
            if tensor["align"] > MOST_ALIGN:
                raise CallError(f"'{tensor['name']}: {tensor['text']}' is aligned to {tensor['align']} bytes: NumPy aligns arrays to {MOST_ALIGN}, so such graphs cannot be called from Python")
            if not tensor["is_plain"]:
                raise CallError(f"'{tensor['name']}: {tensor['text']}' is not a row-major array: such graphs cannot be called from Python")
        if types is None:
            types = tuple(tuple(dtype_of(t["type"]) for t in graph[side]) for side in ("inputs", "outputs"))
        if _lacks(graph["outputs"]) and not _lacks(graph["inputs"]):
            cls = _Named
        self = super().__new__(cls, program, index, *types)
        self.name, self.inputs, self.outputs = graph["name"], graph["inputs"], graph["outputs"]
        self._program, self._types = program, types
        return self

    def explain(self, view: str = "text") -> str:
        """Explains how each result is computed, and why: as 'text', 'json', 'svg', 'dot' or 'plan'.

        >>> import reshapec as rs
        >>> print(rs.compile("graph f(x: u8[4, 6]) -> y { y = reshape(x, [24]) }").explain())
        graph f(x: u8[4, 6]) -> y: u8[24]
          y  alias
              is     x from element 0 on; nothing moves
              why    reshape keeps the order: element i of y is element i of x
        <BLANKLINE>
        """
        return self._program.explain(view)

    def _repr_svg_(self) -> str:
        return self.explain("svg")

    def emit(self, kind: str = "obj", header_name: str = "kernel.h") -> tuple[bytes, str]:
        """Returns the code, as 'obj', 'asm', 'llvm-ir', 'bc' or 'c', and its C header."""
        return self._program.emit(kind, header_name)

    def __copy__(self) -> Kernel:
        return self  # nothing of it changes

    def __deepcopy__(self, memo: dict) -> Kernel:
        return self

    def __reduce__(self):
        raise TypeError("a kernel contains machine code and cannot be pickled: send the source or the model, and call rs.compile there")

    def __repr__(self) -> str:
        sides = (", ".join(f"{t['name']}: {t['text']}" for t in side) for side in (self.inputs, self.outputs))
        return "<kernel {}({}) -> ({})>".format(self.name, *sides)


def _lacks(tensors: list[dict[str, Any]]) -> bool:
    """Whether NumPy lacks the type of one."""
    return any(tensor["type"] in OTHERS for tensor in tensors)


class _Named(Kernel):
    """A kernel that only results tell to have a type that NumPy lacks: the extension would return unsigned integers."""

    def __call__(self, *arrays, **keywords):
        if len(arrays) != len(self.inputs):
            return self.exact(*arrays)  # refuses the number
        return _call(self, arrays, keywords)


def call_typed(kernel: Kernel, taken: list[Taken], out=None, threads: Optional[int] = None) -> Any:
    """Calls a kernel whose graph has the actual element types. Unsigned integers that stand for types that NumPy lacks
    give such integers."""
    is_unsigned = _lacks(kernel.inputs) and not any(x.element for x in taken)
    for i, (x, tensor) in enumerate(zip(taken, kernel.inputs)):
        if not x.array.dtype.isnative:
            raise CallError(f"argument {i + 1} is not in the byte order of this machine: give x.astype('{x.array.dtype.newbyteorder('=')}')")
        if tensor["type"] in OTHERS and not x.element and x.array.dtype != unsigned(tensor["type"]):
            raise CallError(f"argument {i + 1} is {x.array.dtype}, but the kernel takes {tensor['type']}")
        if x.element:
            if x.element != tensor["type"]:
                raise CallError(f"argument {i + 1} is {OTHERS[x.element]}, but the kernel takes {tensor['type']}")
            taken[i] = x._replace(array=x.array.view(unsigned(x.element)))
    return call(kernel, taken, out, threads, [tensor["type"] if tensor["type"] in OTHERS else None for tensor in kernel.outputs], is_unsigned)


def _call(kernel: Kernel, arrays: tuple, keywords: Optional[dict]) -> Any:
    """Called by the extension for arrays that a kernel does not take directly: converts them."""
    return call_typed(kernel, [take(x, f"argument {i + 1}", tensor["align"]) for i, (x, tensor) in enumerate(zip(arrays, kernel.inputs))], **(keywords or {}))


class Module:
    """The graphs of a file or model with more than one, as attributes and by name."""

    def __init__(self, program: _core.Program):
        self._program = program
        self._index = {graph["name"]: i for i, graph in enumerate(program.graphs())}
        self._kernel: dict[str, Kernel] = {}

    def __getitem__(self, name: str) -> Kernel:
        if name not in self._kernel:
            self._kernel[name] = Kernel(self._program, self._index[name])
        return self._kernel[name]

    def __getattr__(self, name: str) -> Kernel:
        if name.startswith("_") or name not in self._index:
            raise AttributeError(f"no graph is called '{name}'; there are {', '.join(self._index)}")
        return self[name]

    def __call__(self, *_: Any, **__: Any) -> NoReturn:
        first = next(iter(self._index))
        raise TypeError(f"there are {len(self)} graphs: call one, as in module.{first}(x) or module['{first}'](x)")

    __copy__, __deepcopy__, __reduce__ = Kernel.__copy__, Kernel.__deepcopy__, Kernel.__reduce__

    def __iter__(self) -> Iterator[str]:
        return iter(self._index)

    def __len__(self) -> int:
        return len(self._index)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._index]

    def __repr__(self) -> str:
        return f"<module of {', '.join(self._index)}>"

    def explain(self, view: str = "text") -> str:
        """Explains how each result is computed, and why."""
        return self._program.explain(view)

    def _repr_svg_(self) -> str:
        return self.explain("svg")


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


class _Model(Protocol):
    """An onnx.ModelProto."""

    def SerializeToString(self) -> bytes: ...


# A Kernel or a Module. As a union of both, type checkers would refuse to call it, and to take a graph of it by name.
def compile(source: Union[str, bytes, bytearray, memoryview, "os.PathLike[str]", _Model], *, cpu: Optional[str] = None,
            features: Optional[str] = None, level: str = "2", threads: Optional[int] = None) -> Any:
    """Compiles source text, an ONNX model (its bytes, or the result of onnx.load), or a file of either or of
    OpenVINO IR, for this machine. One graph is a Kernel, several are a Module.

    A string that ends with '.rsh', '.onnx' or '.xml' and contains no line break and no brace is a path; any other is source text.
    Kernels run on up to `threads` threads if that is faster; the default is RESHAPEC_THREADS of the environment, or 1.
    Messages about the source that are not errors are warnings of Python.

    >>> import reshapec as rs
    >>> rs.compile("graph f(x: f32[2, 3]) -> y { y = transpose(x) }")
    <kernel f(x: f32[2, 3]) -> (y: f32[3, 2])>
    """
    name, is_model, weights = "<text>", False, {}
    if isinstance(source, os.PathLike) or (isinstance(source, str) and source.endswith((".rsh", ".onnx", ".xml")) and not set(source) & set("\n{}")):
        name = os.fsdecode(source)
        is_model = name.endswith(".onnx")
        source = _read(name)
        if name.endswith(".xml"):
            path = name[:-4] + ".bin"  # which a model without constants does not have
            weights = {"weights": _read(path) if os.path.exists(path) else b""}
    elif isinstance(source, (bytes, bytearray, memoryview)):
        source, name, is_model = bytes(source), "<model>", True
    elif hasattr(source, "SerializeToString"):
        source, name, is_model = source.SerializeToString(), "<model>", True
    elif isinstance(source, str):
        if source and not set(source) & set(" \n{}"):  # every text has a brace
            raise CallError(f"rs.compile: {source!r} is neither source text nor the path of a .rsh, .onnx or .xml file")
        source = source.encode(errors="surrogatepass")
    else:
        raise CallError(f"rs.compile takes source text, a model or the path of a file, not {source!r}")
    if not isinstance(level, str):
        raise CallError(f"level is {level!r}: it must be '0', '1', '2', '3', 's' or 'z'")
    program = _core.Program(source, name=name, cpu=cpu, features=features, level=level, threads=threads_of(threads), is_model=is_model, **weights)
    text = program.warnings()
    if text:
        warnings.warn(text, stacklevel=2)
    module = Module(program)
    return module[next(iter(module))] if len(module) == 1 else module
