# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Converts arrays of other libraries to NumPy arrays, and back."""
from __future__ import annotations

import functools
import sys
from typing import Any, NamedTuple, Optional

import numpy as np

from reshapec import _core
from reshapec._errors import CallError

CPU = 1  # kDLCPU of dlpack.h

# Element types that NumPy lacks, and their names in ml_dtypes, PyTorch and JAX. Kernels get unsigned integers of their
# width.
OTHERS = {"bf16": "bfloat16", "f8e4m3fn": "float8_e4m3fn", "f8e4m3fnuz": "float8_e4m3fnuz", "f8e5m2": "float8_e5m2",
          "f8e5m2fnuz": "float8_e5m2fnuz", "f8e8m0": "float8_e8m0fnu"}
ELEMENTS = {theirs: ours for ours, theirs in OTHERS.items()}


def unsigned(element: str) -> np.dtype:
    """The dtype that elements of a type that NumPy lacks are passed as."""
    return np.dtype("u2" if element == "bf16" else "u1")


def ml_dtype(element: str) -> np.dtype:
    """The dtype of ml_dtypes for such an element type."""
    try:
        import ml_dtypes
    except ImportError:
        raise CallError(f"elements of {OTHERS[element]} need the package ml_dtypes here: pip install ml_dtypes") from None
    return np.dtype(getattr(ml_dtypes, OTHERS[element]))


@functools.cache
def has_ml_dtypes() -> bool:
    try:
        import ml_dtypes  # noqa: F401
    except ImportError:
        return False
    return True


class Taken(NamedTuple):
    """An argument as a NumPy array, its element type if NumPy lacks it, and the library that it came from."""
    array: np.ndarray
    element: Optional[str]
    library: Any


class _Numpy:
    """NumPy arrays, and objects with the buffer protocol."""

    @staticmethod
    def take(x, what):
        if not isinstance(x, np.ndarray):
            try:
                x = np.asarray(memoryview(x))
            except TypeError:
                if hasattr(x, "_trace"):
                    raise CallError(f"{what} is traced by rs.jit and has no elements yet: use operators that can be traced, or call kernels outside") from None
                becomes_array = hasattr(x, "__array__") or hasattr(x, "__array_interface__") or isinstance(x, (list, tuple))
                hint = "; out= takes an array, or a tuple of one for each result" if what == "out" else ": numpy.asarray makes an array of it" if becomes_array else ""
                raise CallError(f"{what} is of type {type(x).__name__}, which supports neither the buffer protocol nor DLPack{hint}") from None
        if isinstance(x, np.ma.MaskedArray):
            raise CallError(f"{what} is a masked array, whose mask kernels do not move: give x.filled(), or x.data and x.mask")
        if x.dtype.hasobject:
            raise CallError(f"{what} contains Python objects, not elements that can be copied")
        # A plain ndarray: a subclass may give its elements another meaning.
        return x.view(np.ndarray), ELEMENTS.get(x.dtype.name)

    @staticmethod
    def give(array, element):
        return array.view(ml_dtype(element)) if element and has_ml_dtypes() else array


class _Torch:
    """Tensors of PyTorch."""

    @staticmethod
    def take(x, what):
        torch = sys.modules["torch"]
        if not x.is_cpu:
            raise CallError(f"{what} is on the device '{x.device}': kernels run on the CPU; copy it there first")
        if x.requires_grad:
            if torch.is_grad_enabled():
                raise CallError("kernels have no gradients here: give x.detach()")
            x = x.detach()
        element = ELEMENTS.get(str(x.dtype)[6:])  # torch.bfloat16
        try:
            if element == "bf16":
                return x.view(torch.int16).numpy().view("u2"), element
            return (x.view(torch.uint8) if element else x).numpy(), element
        except (RuntimeError, TypeError) as error:
            if x.layout == torch.strided and (x.is_conj() or x.is_neg()):  # lazily: the memory has the plain values
                return _Torch.take(x.resolve_conj().resolve_neg(), what)
            raise CallError(f"NumPy cannot take {what}, a tensor of {x.dtype} and {x.layout}: {error}") from None

    @staticmethod
    def give(array, element):
        torch = sys.modules["torch"]
        if not array.flags.writeable:  # a view of a read-only array, but tensors cannot be read-only
            array = array.copy()
        if element:
            return torch.from_numpy(array.view("i2" if element == "bf16" else "u1")).view(getattr(torch, OTHERS[element]))
        try:
            return torch.from_numpy(array)
        except TypeError as error:
            raise CallError(f"PyTorch takes no result of {array.dtype}: {error}") from None


class _Jax:
    """Arrays of JAX."""

    @staticmethod
    def take(x, what):
        jax = sys.modules["jax"]
        if isinstance(x, jax.core.Tracer):
            raise CallError(f"{what} is traced by JAX and has no elements yet: call kernels outside of jit, grad and vmap, or by jax.pure_callback")
        if any(device.platform != "cpu" for device in x.devices()):
            raise CallError(f"{what} is on {', '.join(sorted(map(str, x.devices())))}: kernels run on the CPU; copy it there first")
        array = np.asarray(x)
        return array, ELEMENTS.get(array.dtype.name)

    @staticmethod
    def give(array, element):
        return sys.modules["jax"].numpy.asarray(_Numpy.give(array, element))


class _DLPack:
    """Arrays of any other library with DLPack; the library's from_dlpack converts results."""

    def __init__(self, module):
        self.from_dlpack = getattr(module, "from_dlpack", None)

    def take(self, x, what):
        kind = int(x.__dlpack_device__()[0])
        if kind != CPU:
            raise CallError(f"{what} is on a device (DLPack type {kind}): kernels run on the CPU; copy it there first")
        try:
            array = np.from_dlpack(x)
        except (BufferError, RuntimeError, TypeError) as error:
            raise CallError(f"NumPy cannot take the {type(x).__name__} by DLPack: {error}") from None
        return array, None

    def give(self, array, element):
        if self.from_dlpack is None:
            return _Numpy.give(array, element)
        return self.from_dlpack(array if array.flags.writeable else array.copy())


_libraries: dict[type, Any] = {np.ndarray: _Numpy}


def library_of(x) -> Any:
    """The class that converts arrays of this type."""
    kind = type(x)
    if kind not in _libraries:
        torch, jax = sys.modules.get("torch"), sys.modules.get("jax")
        if torch and isinstance(x, torch.Tensor):
            _libraries[kind] = _Torch
        elif jax and isinstance(x, jax.Array):
            _libraries[kind] = _Jax
        elif not isinstance(x, np.ndarray) and hasattr(x, "__dlpack_device__"):
            _libraries[kind] = _DLPack(sys.modules.get(kind.__module__.split(".")[0]))
        else:
            return _Numpy
    return _libraries[kind]


def take(x, what: str = "the argument", align: int = 1) -> Taken:
    """Takes an argument, in row-major order. Copies it only if its elements are in another order, have gaps or are not
    aligned to their own size and to `align` bytes."""
    library = library_of(x)
    array, element = library.take(x, what)
    # (ascontiguousarray makes scalars 1-D.)
    return Taken(array if _core.is_plain(array, align) else np.array(array, order="C"), element, library)


def call(kernel, taken: list[Taken], out=None, threads: Optional[int] = None, elements: Optional[list] = None, is_unsigned: bool = False) -> Any:
    """Calls a kernel with arguments from `take`. Results belong to the library of the first argument that is not from
    NumPy; `elements` are their element types, if not the first argument's. With `out`, returns its arrays.
    If `is_unsigned`, results of NumPy are unsigned integers, not of types that NumPy lacks."""
    library = _Numpy
    for x in taken:
        if x.library is not _Numpy:
            library = x.library
            break
    if elements is None:
        elements = [taken[0].element if library is not _Numpy else None] * len(kernel.outputs)
    elif is_unsigned and library is _Numpy:
        elements = [None] * len(elements)
    arrays = [x.array for x in taken]
    if out is not None:
        return _call_out(kernel, arrays, out, threads, elements, library)
    results = kernel.exact(*arrays, threads=threads)
    if len(elements) == 1:
        return library.give(results, elements[0])
    return tuple([library.give(y, element) for y, element in zip(results, elements)])


def _call_out(kernel, arrays, out, threads, elements, library):
    """The same with arrays for results. These are never copied, because the kernel would fill the copy instead."""
    outs = list(out) if isinstance(out, tuple) else [out]
    given = []
    for x, kind in zip(outs, kernel._types[1]):
        array, element = (None, None) if x is None else library_of(x).take(x, "out")
        # A kernel with element types takes unsigned integers for types that NumPy lacks.
        given.append(array.view(kind) if element and kind == unsigned(element) else array)
    results = kernel.exact(*arrays, out=tuple(given), threads=threads)
    results = results if isinstance(results, tuple) else (results,)
    results = tuple([x if x is not None else library.give(y, element) for x, y, element in zip(outs, results, elements)])
    return results if isinstance(out, tuple) or len(results) > 1 else results[0]
