# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Traces Python functions over arrays to one kernel for each combination of shapes and types.

The function runs once with tracers in place of arrays. Each operation becomes a line of a graph:

    @rs.jit
    def f(x):                                       graph f(x: u8[8, 8, 3]) -> (y0) {
        return x[2:6].transpose(2, 0, 1) / 255.0        v1 = x[2:6:1, 0:8:1, 0:3:1]
                                                        v2 = transpose(v1, [2, 0, 1]) ...
"""
from __future__ import annotations

import functools
import math
import operator
import sys
import types
import weakref
from typing import Any, Callable, Iterable, Optional, Sequence, overload

import numpy as np

from reshapec import _core
from reshapec._arrays import ELEMENTS, Taken, ml_dtype, take
from reshapec._errors import CallError
from reshapec._kernel import Kernel, call_typed, name_of, threads_of

MOST_KERNELS = 1024  # cached for one function


def _axis(axis, ndim: int, what: str = "jit") -> int:
    """An axis counted from the front."""
    at = operator.index(axis)
    if not -ndim <= at < ndim:
        raise CallError(f"rs.{what}: axis {at} is outside of an array of {ndim} axes")
    return at % ndim


def _axes(axes, ndim: int) -> list[int]:
    """The same for one axis or several different ones."""
    found = [_axis(a, ndim) for a in (axes if isinstance(axes, (tuple, list)) else [axes])]
    if len(set(found)) < len(found):
        raise CallError(f"rs.jit: {axes} names an axis twice")
    return found


def _numbers(given) -> Optional[np.ndarray]:
    """A constant as an array of numbers that NumPy has: integers of more than 64 bits are floats, and so are the types of
    ml_dtypes. None: it is something else."""
    array = np.asarray(given)
    if array.dtype.name in ELEMENTS or array.dtype.kind == "O" and all(type(part) is int for part in array.flat):
        try:
            array = array.astype("f8")
        except OverflowError:  # of an integer
            return None
    return array if array.dtype.kind in "biuf" else None


def _is_integer(part) -> bool:
    """Whether a subscript is an integer, and not a bool or an array of elements."""
    return isinstance(part, (int, np.integer)) and not isinstance(part, bool) \
        or isinstance(part, np.ndarray) and part.ndim == 0 and part.dtype.kind in "iu"


class Tracer:
    """An array without elements: its shape, its type, and the line of the graph that computes it."""

    def __init__(self, trace: "_Trace", name: str, shape: tuple, dtype: np.dtype):
        self._trace, self._name, self.shape, self.dtype = trace, name, shape, dtype

    ndim = property(lambda self: len(self.shape))
    size = property(lambda self: math.prod(self.shape))
    T = property(lambda self: self.transpose())

    def __getattr__(self, name: str):
        if not hasattr(np.ndarray, name) or name.startswith("_"):
            raise AttributeError(f"arrays have no attribute '{name}'")
        ours = ", ".join(n for n in vars(Tracer) if hasattr(np.ndarray, n) and not n.startswith("_"))
        raise AttributeError(f"rs.jit: '{name}' of arrays cannot be traced, only {ours}")

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("an array without axes has no length")
        return self.shape[0]

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __bool__(self):
        raise CallError("rs.jit: elements are not known while a function is traced, so no branch can depend on them")

    __int__ = __float__ = __complex__ = __index__ = __bool__

    def __eq__(self, other):
        raise CallError("rs.jit: elements are not known while a function is traced, so they cannot be compared")

    __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __eq__
    __hash__ = object.__hash__

    def __array__(self, *unused, **also_unused):
        raise CallError("rs.jit: the function needs elements of an array while it is traced")

    def __array_function__(self, function, types, args, kwargs):
        ours = FUNCTIONS.get(function)
        if ours is None:
            raise CallError(f"rs.jit: numpy.{function.__name__} cannot be traced, only {', '.join(f.__name__ for f in FUNCTIONS)} and the methods of arrays")
        return ours(*args, **kwargs)

    def __array_ufunc__(self, function, method, *inputs, **kwargs):
        names = ARITHMETIC.get(function)
        if names is None or method != "__call__" or kwargs:
            raise CallError(f"rs.jit: numpy.{function.__name__} cannot be traced, only {', '.join(f.__name__ for f in ARITHMETIC)}, without out= and where=")
        if isinstance(inputs[0], Tracer):
            return getattr(inputs[0], names[0])(*inputs[1:])
        return getattr(inputs[1], names[1])(inputs[0])

    def _is(self, text: str, shape, dtype: Optional[np.dtype] = None) -> "Tracer":
        return self._trace.line(text, tuple(shape), dtype or self.dtype)

    def reshape(self, *shape) -> "Tracer":
        shape = tuple(map(operator.index, shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list, np.ndarray)) else shape))
        if shape.count(-1) == 1:
            others = math.prod(size for size in shape if size != -1)
            if others == 0 or self.size % others:
                raise CallError(f"rs.jit: {self.size} elements cannot be reshaped to {list(shape)}")
            shape = tuple(self.size // others if size == -1 else size for size in shape)
        if math.prod(shape) != self.size or any(size < 0 for size in shape):
            raise CallError(f"rs.jit: {self.size} elements cannot be reshaped to {list(shape)}")
        return self._is(f"reshape({self._name}, {list(shape)}, allowzero=1)", shape)

    def ravel(self) -> "Tracer":
        return self.reshape(-1) if self.size else self.reshape(0)

    flatten = ravel

    def transpose(self, *axes) -> "Tracer":
        if len(axes) == 1 and (axes[0] is None or isinstance(axes[0], (tuple, list, np.ndarray))):
            axes = () if axes[0] is None else axes[0]
        axes = tuple(_axis(a, self.ndim) for a in axes) or tuple(reversed(range(self.ndim)))
        if sorted(axes) != list(range(self.ndim)):
            raise CallError(f"rs.jit: {list(axes)} is not a permutation of {self.ndim} axes")
        return self._is(f"transpose({self._name}, {list(axes)})", (self.shape[a] for a in axes)) if self.ndim > 1 else self

    def swapaxes(self, a: int, b: int) -> "Tracer":
        axes = list(range(self.ndim))
        a, b = _axis(a, self.ndim), _axis(b, self.ndim)
        axes[a], axes[b] = axes[b], axes[a]
        return self.transpose(axes)

    def squeeze(self, axis=None) -> "Tracer":
        dropped = {i for i, size in enumerate(self.shape) if size == 1} if axis is None else set(_axes(axis, self.ndim))
        if any(self.shape[i] != 1 for i in dropped):
            raise CallError(f"rs.jit: axis {axis} of {list(self.shape)} is not of size 1")
        return self.reshape(tuple(size for i, size in enumerate(self.shape) if i not in dropped))

    def repeat(self, repeats: int, axis: Optional[int] = None) -> "Tracer":
        if axis is None:
            return self.ravel().repeat(repeats, 0)
        times = [1] * self.ndim
        times[_axis(axis, self.ndim)] = operator.index(repeats)
        if min(times) < 0:
            raise CallError(f"rs.jit: {repeats} repeats are below 0")
        return self._is(f"repeat({self._name}, {times})", [size * n for size, n in zip(self.shape, times)])

    def astype(self, dtype, copy: bool = True) -> "Tracer":
        dtype = np.dtype(dtype)
        return self if dtype == self.dtype else self._is(f"cast({self._name}, {name_of(dtype)})", self.shape, dtype)

    def __setitem__(self, key, value):
        raise CallError("rs.jit: elements cannot be assigned while a function is traced; join parts with rs.concat")

    def __getitem__(self, key) -> "Tracer":
        key = key if isinstance(key, tuple) else (key,)
        if not all(part is None or part is Ellipsis or isinstance(part, slice) or _is_integer(part) for part in key):
            raise CallError("rs.jit: subscripts must be integers, slices, None or ...")
        used = sum(part is not None and part is not Ellipsis for part in key)
        if used > self.ndim or key.count(Ellipsis) > 1:
            raise CallError(f"rs.jit: too many subscripts for {list(self.shape)}")
        if Ellipsis not in key:
            key += (Ellipsis,)
        at = key.index(Ellipsis)
        key = key[:at] + (slice(None),) * (self.ndim - used) + key[at + 1:]
        starts, ends, steps, sliced, result, axis = [], [], [], [], [], 0
        for part in key:
            if part is None:
                result.append(1)
                continue
            size = self.shape[axis]
            axis += 1
            if isinstance(part, slice):
                start, end, step = part.indices(size)
                count = len(range(start, end, step))
                result.append(count)
            else:
                index = operator.index(part)
                if not -size <= index < size:
                    raise CallError(f"rs.jit: index {index} is outside an axis of size {size}")
                start, step, count = index % size, 1, 1
            sliced.append(count)
            starts.append(start if count else 0)
            last = start + step * count
            # In ONNX, an end before the first element is a very negative number.
            ends.append((last if last >= 0 else -(1 << 62)) if count else 0)
            steps.append(step)
        value = self
        if tuple(sliced) != self.shape or any(step != 1 for step in steps):
            value = self._is(f"slice({self._name}, {starts}, {ends}, axes={list(range(self.ndim))}, steps={steps})", sliced)
        return value.reshape(tuple(result)) if result != sliced else value

    # ---- arithmetic with constants

    def _constant(self, other, name: str, is_reversed: bool = False) -> "Tracer":
        if isinstance(other, Tracer):
            raise CallError("rs.jit: arithmetic takes an array and a constant, not two arrays")
        array = _numbers(other)
        if array is None or array.size > 1 << 16:
            raise CallError(f"rs.jit: {other!r} is not a number or a small array of numbers")
        kind = self.dtype.kind
        if kind == "b" or (kind in "iu" and (array.dtype.kind == "f" or name == "div")):
            raise CallError(f"rs.jit: {self.dtype} with {other!r}: the result has the type of the array; convert the array first, as by .astype('f4')")
        if array.ndim > 0:
            if np.broadcast_shapes(array.shape, self.shape) != self.shape:
                raise CallError(f"rs.jit: a constant of shape {array.shape} cannot be broadcast to {self.shape}")
        if array.size == 0:
            return self  # no elements
        if kind in "iu" and (array.min() < np.iinfo(self.dtype).min or array.max() > np.iinfo(self.dtype).max):
            raise CallError(f"rs.jit: {other!r} is out of range for {self.dtype}")
        return self._is(f"{'r' if is_reversed else ''}{name}({self._name}, {_literal(array, kind)})", self.shape)

    def __add__(self, other): return self._constant(other, "add")
    def __sub__(self, other): return self._constant(other, "sub")
    def __mul__(self, other): return self._constant(other, "mul")
    def __truediv__(self, other): return self._constant(other, "div")
    def __rsub__(self, other): return self._constant(other, "sub", True)
    def __rtruediv__(self, other): return self._constant(other, "div", True)
    def __neg__(self): return self._is(f"neg({self._name})", self.shape)
    def clip(self, min=None, max=None):
        value = self if min is None else self._constant(min, "max")
        return value if max is None else value._constant(max, "min")

    __radd__, __rmul__ = __add__, __mul__

    def _other_operator(self, *unused):
        raise CallError("rs.jit: of the operators, only + - * / with a constant can be traced")

    __matmul__ = __pow__ = __floordiv__ = __mod__ = __and__ = __or__ = __xor__ = __lshift__ = __rshift__ = _other_operator
    __rmatmul__ = __rpow__ = __rfloordiv__ = __rmod__ = __rand__ = __ror__ = __rxor__ = __rlshift__ = __rrshift__ = _other_operator
    __abs__ = __invert__ = _other_operator

    def __repr__(self) -> str:
        return f"<traced {self.dtype}{list(self.shape)}>"


def _literal(array: np.ndarray, kind: str) -> str:
    if array.ndim > 0:
        return "[" + ", ".join(_literal(part, kind) for part in array) + "]"
    number = array.item()
    if kind in "iu":
        return str(int(number))
    number = float(number)
    return repr(number) if math.isfinite(number) else "nan" if number != number else "inf" if number > 0 else "-inf"


class _Trace:
    def __init__(self) -> None:
        self.lines: list[str] = []

    def line(self, text: str, shape: tuple, dtype: np.dtype) -> Tracer:
        name = f"v{len(self.lines)}"
        self.lines.append(f"  {name} = {text}\n")
        return Tracer(self, name, shape, dtype)


def are_traced(arrays: Sequence[Any], what: str) -> bool:
    if not arrays:
        raise CallError(f"rs.{what}: there is no array")
    traced = [isinstance(x, Tracer) for x in arrays]
    if not any(traced):
        return False
    if not all(traced):
        raise CallError(f"rs.{what}: arrays that are traced cannot be joined with others")
    if any(x._trace is not arrays[0]._trace for x in arrays):
        raise CallError(f"rs.{what}: the arrays are of different traced calls; one was kept after its call")
    if any(x.dtype != arrays[0].dtype for x in arrays):
        raise CallError(f"rs.{what}: the arrays differ in type: {', '.join(str(x.dtype) for x in arrays)}")
    return True


def concat(arrays: Iterable[Any], axis: int = 0) -> Any:
    """Joins arrays along an axis, like numpy.concatenate; within rs.jit it is a part of the kernel."""
    arrays = list(arrays)
    if not are_traced(arrays, "concat"):
        return _operator(concat, operator.index(axis))(*arrays)
    first = arrays[0]
    axis = _axis(axis, first.ndim, "concat") if first.ndim else 0
    if any(x.ndim != first.ndim or x.shape[:axis] + x.shape[axis + 1:] != first.shape[:axis] + first.shape[axis + 1:] for x in arrays) or not first.ndim:
        raise CallError(f"rs.concat: shapes {', '.join(str(x.shape) for x in arrays)} cannot be joined along axis {axis}")
    shape = first.shape[:axis] + (sum(x.shape[axis] for x in arrays),) + first.shape[axis + 1:]
    return first._is(f"concat({', '.join(x._name for x in arrays)}, axis={axis})", shape)


def stack(arrays: Iterable[Any], axis: int = 0) -> Any:
    """Joins arrays of one shape along a new axis, like numpy.stack."""
    arrays = list(arrays)
    if not are_traced(arrays, "stack"):
        return _operator(stack, operator.index(axis))(*arrays)
    axis = _axis(axis, arrays[0].ndim + 1, "stack")
    shape = arrays[0].shape
    if any(x.shape != shape for x in arrays):
        raise CallError(f"rs.stack: shapes {', '.join(str(x.shape) for x in arrays)} differ")
    return concat([x.reshape(shape[:axis] + (1,) + shape[axis:]) for x in arrays], axis)


def _check_pad(width, mode, constant_values) -> None:
    try:
        sizes = np.asarray(width)
    except ValueError:  # lists of different lengths
        sizes = np.asarray(None)
    if sizes.dtype.kind not in "iu" and sizes.size:
        raise CallError(f"rs.pad: {width} contains something other than integers")
    if mode not in ("constant", "edge", "reflect", "symmetric", "wrap"):
        raise CallError(f"rs.pad: mode '{mode}' is not 'constant', 'edge', 'reflect', 'symmetric' or 'wrap'")
    constant = _numbers(constant_values)
    if constant is None or constant.ndim > 0:
        raise CallError(f"rs.pad: constant_values is {constant_values!r}, not one real number")


def pad(x: Any, width: Any, mode: str = "constant", constant_values: Any = 0) -> Any:
    """Extends axes, like numpy.pad with modes 'constant', 'edge', 'reflect', 'symmetric' and 'wrap'."""
    _check_pad(width, mode, constant_values)
    if not isinstance(x, Tracer):
        value = _key(constant_values)
        return _operator(_pad_one, _key(width), mode, value, repr(value))(x)  # 0.0 == -0.0, but their texts differ
    sizes = np.asarray(width)
    try:
        pairs = np.broadcast_to(sizes, (x.ndim, 2)).tolist()
    except ValueError:
        raise CallError(f"rs.pad: {width} is not one size, or a pair of sizes for each of {x.ndim} axes") from None
    if any(size < 0 for pair in pairs for size in pair):
        raise CallError(f"rs.pad: {width} has a size below 0")
    kind = x.dtype.kind
    constant = _numbers(constant_values)
    if constant is None or kind in "iu" and not np.isfinite(constant):
        raise CallError(f"rs.pad: constant_values is {constant_values!r}, which is not a value of {x.dtype}")
    value = ("true" if constant else "false") if kind == "b" else _literal(constant, kind)
    shape = [size + before + after for size, (before, after) in zip(x.shape, pairs)]
    pads = [before for before, _ in pairs] + [after for _, after in pairs]
    return x._is(f'pad({x._name}, {pads}, mode="{mode}"{f", value={value}" if mode == "constant" else ""})', shape)


def _pad_one(arrays: Sequence[Any], width, mode: str, value, _: str):
    return pad(arrays[0], width, mode, value)


def _key(numbers) -> Any:
    """Numbers, also in lists or arrays, in a hashable form."""
    numbers = numbers.tolist() if isinstance(numbers, (np.ndarray, np.generic)) else numbers
    return tuple(map(_key, numbers)) if isinstance(numbers, (list, tuple)) else numbers


def _flip(x: Tracer, axis=None) -> Tracer:
    axes = list(range(x.ndim)) if axis is None else _axes(axis, x.ndim)
    return x._is(f"flip({x._name}, {axes})", x.shape) if axes else x


def _roll(x: Tracer, shift, axis=None) -> Tracer:
    if axis is None:
        return _roll(x.ravel(), shift, 0).reshape(x.shape)
    axes = [_axis(a, x.ndim) for a in (axis if isinstance(axis, (tuple, list)) else [axis])]
    shifts = [operator.index(n) for n in (shift if isinstance(shift, (tuple, list)) else [shift] * len(axes))]
    if len(shifts) != len(axes):
        raise CallError(f"rs.jit: {len(shifts)} shifts for {len(axes)} axes")
    return x._is(f"roll({x._name}, {shifts}, {axes})", x.shape) if axes else x


def _tile(x: Tracer, reps) -> Tracer:
    times = [operator.index(n) for n in (reps if isinstance(reps, (tuple, list)) else [reps])]
    if min(times, default=1) < 0:
        raise CallError(f"rs.jit: {reps} has a number below 0")
    times = [1] * (x.ndim - len(times)) + times
    x = x.reshape((1,) * (len(times) - x.ndim) + x.shape)
    return x._is(f"tile({x._name}, {times})", [size * n for size, n in zip(x.shape, times)]) if times else x


def _expand_dims(x: Tracer, axis) -> Tracer:
    rank = x.ndim + (len(axis) if isinstance(axis, (tuple, list)) else 1)
    new, sizes = set(_axes(axis, rank)), iter(x.shape)
    return x.reshape(tuple(1 if i in new else next(sizes) for i in range(rank)))


def _moveaxis(x: Tracer, source, destination) -> Tracer:
    here, there = _axes(source, x.ndim), _axes(destination, x.ndim)
    if len(here) != len(there):
        raise CallError(f"rs.jit: {len(here)} axes cannot be moved to {len(there)} places")
    moved, others = dict(zip(there, here)), (i for i in range(x.ndim) if i not in here)
    return x.transpose([moved[i] if i in moved else next(others) for i in range(x.ndim)])


def _broadcast_to(x: Tracer, shape) -> Tracer:
    wanted = tuple(map(operator.index, shape if isinstance(shape, (tuple, list)) else [shape]))
    ends = wanted[len(wanted) - x.ndim:] if len(wanted) >= x.ndim else ()
    if len(ends) != x.ndim or any(a not in (1, b) for a, b in zip(x.shape, ends)) or min(wanted, default=0) < 0:
        raise CallError(f"rs.jit: {list(x.shape)} cannot be broadcast to {list(wanted)}")
    return x._is(f"expand({x.reshape((1,) * (len(wanted) - x.ndim) + x.shape)._name}, {list(wanted)})", wanted)


# With the names of NumPy's parameters, which methods do not have.


def _pad(x: Tracer, pad_width, mode: str = "constant", constant_values=0):
    return pad(x, pad_width, mode, constant_values)


def _reshape(x: Tracer, shape):
    return x.reshape(shape)


def _transpose(x: Tracer, axes=None):
    return x.transpose(axes)


def _swapaxes(x: Tracer, axis1: int, axis2: int):
    return x.swapaxes(axis1, axis2)


def _clip(x: Tracer, a_min=None, a_max=None, *, min=None, max=None):
    return x.clip(a_min if min is None else min, a_max if max is None else max)


# NumPy functions that a traced function may call.
# Of Tracer: the method of the first operand, and of the second one.
ARITHMETIC = {np.add: ("__add__", "__radd__"), np.subtract: ("__sub__", "__rsub__"), np.multiply: ("__mul__", "__rmul__"),
              np.divide: ("__truediv__", "__rtruediv__"), np.negative: ("__neg__", "__neg__")}

FUNCTIONS = {np.concatenate: concat, np.stack: stack, np.pad: _pad, np.reshape: _reshape, np.transpose: _transpose,
             np.swapaxes: _swapaxes, np.ravel: Tracer.ravel, np.squeeze: Tracer.squeeze, np.clip: _clip,
             np.flip: _flip, np.roll: _roll, np.tile: _tile, np.repeat: Tracer.repeat, np.expand_dims: _expand_dims,
             np.moveaxis: _moveaxis, np.broadcast_to: _broadcast_to}


@functools.lru_cache(maxsize=1024)
def _operator(function: Callable, *options) -> Jit:
    """An operator on actual arrays, as a traced function of its own."""
    def one(*traced):
        return function(traced, *options)

    one.__name__ = function.__name__
    return Jit(one)


def _compile(name: str, function: Callable, kinds: Sequence[tuple[tuple, np.dtype]], threads: int) -> Kernel:
    trace = _Trace()
    inputs = [Tracer(trace, f"x{i}", *kind) for i, kind in enumerate(kinds)]
    results = function(*inputs)
    outputs = list(results) if isinstance(results, (tuple, list)) else [results]
    if not outputs or not all(isinstance(y, Tracer) and y._trace is trace for y in outputs):
        raise CallError(f"rs.jit: the function must return arrays that it made of its arguments, one or a tuple of them, not {results!r:.100}")
    lines = list(trace.lines)
    lines += [f"  y{i} = identity({y._name})\n" for i, y in enumerate(outputs)]
    heads = ", ".join(f"{x._name}: {name_of(x.dtype)}{list(x.shape) if x.shape else ''}" for x in inputs)
    word = name if name.isidentifier() and name.isascii() else "f"
    text = f"graph {word}_({heads}) -> ({', '.join(f'y{i}' for i in range(len(outputs)))}) {{\n{''.join(lines)}}}\n"
    program = _core.Program(text, name=f"<rs.jit {name}>", threads=threads)
    return Kernel(program, 0)


def _take_all(arrays: Sequence[Any], named: dict[str, Any]) -> list[Taken]:
    return [take(x, f"argument {i + 1}") for i, x in enumerate(arrays)] + [take(x, f"argument '{name}'") for name, x in named.items()]


class Jit:
    """The result of rs.jit: a function that is compiled when it is called."""

    def __init__(self, function: Callable, threads: Optional[int] = None):
        if not callable(function) and not isinstance(function, classmethod):
            raise CallError(f"rs.jit takes a function, not {function!r}")
        functools.update_wrapper(self, function)
        self._function, self._threads = function, threads
        self._kernels: dict[tuple, tuple[Kernel, bool]] = {}
        self._kernels_of: dict[int, tuple[weakref.ref, dict]] = {}  # of methods, by the id of the instance

    def __get__(self, instance: Any, owner: Optional[type] = None) -> Jit:
        """In a class: the method of an instance."""
        bind = getattr(type(self._function), "__get__", None)
        bound = bind(self._function, instance, owner) if bind else None
        if not isinstance(bound, types.MethodType):
            return self
        method = Jit(bound, self._threads)
        method._kernels = self._kernels_for(bound.__self__)
        return method

    def __reduce__(self):
        """Pickled like a function: by its name, if it has one; else with its function. Kernels are compiled again."""
        if isinstance(self._function, types.MethodType):
            return getattr, (self._function.__self__, self._function.__name__)
        found: Any = sys.modules.get(getattr(self, "__module__", ""))
        name = getattr(self, "__qualname__", "")
        for part in name.split("."):
            found = getattr(found, part, None)
        return name if found is self else (Jit, (self._function, self._threads))

    def _kernels_for(self, instance: Any) -> dict:
        """The kernels of an instance. An instance is not a key: it may have no hash, or equal another one and then change."""
        key, kernels_of = id(instance), self._kernels_of
        found = kernels_of.get(key)
        if found is None or found[0]() is not instance:
            try:
                found = weakref.ref(instance, lambda _: kernels_of.pop(key, None)), {}
            except TypeError:
                raise CallError(f"rs.jit: a method of '{type(instance).__name__}' cannot be compiled, because instances have no weak references: add '__weakref__' to its __slots__ (of a dataclass: weakref_slot=True), or trace a function") from None
            kernels_of[key] = found
        return found[1]

    def _find(self, taken: Sequence[Taken], threads: Optional[int] = None, names: tuple[str, ...] = ()) -> tuple[Kernel, bool]:
        """The kernel for these arguments, the last of which have names."""
        threads = threads_of(self._threads if threads is None else threads)
        kinds = tuple((x.array.shape, ml_dtype(x.element) if x.element else x.array.dtype) for x in taken)
        found = self._kernels.get((threads, kinds, names))
        if found is None:
            wraps = []

            def function(*traced):
                count = len(traced) - len(names)
                results = self._function(*traced[:count], **dict(zip(names, traced[count:])))
                wraps.append(isinstance(results, (tuple, list)) and len(results) == 1)
                return results

            found = _compile(getattr(self._function, "__name__", "f"), function, kinds, threads), wraps[0]
            while len(self._kernels) >= MOST_KERNELS:
                self._kernels.pop(next(iter(self._kernels)), None)
            self._kernels[threads, kinds, names] = found
        return found

    def __repr__(self) -> str:
        return f"<traced function {getattr(self, '__name__', self._function)}>"

    def __call__(self, *arrays: Any, out: Any = None, threads: Optional[int] = None, **named: Any) -> Any:
        if out is None and any(isinstance(x, Tracer) for x in (*arrays, *named.values())):
            return self._function(*arrays, **named)  # a part of the function that is traced
        taken = _take_all(arrays, named)
        kernel, wraps = self._find(taken, threads, tuple(named))
        results = call_typed(kernel, taken, out)
        return (results,) if wraps else results

    def kernel(self, *arrays: Any, **named: Any) -> Kernel:
        """The kernel for arrays of these shapes and types."""
        return self._find(_take_all(arrays, named), names=tuple(named))[0]

    def explain(self, *arrays: Any, view: str = "text", **named: Any) -> str:
        """Explains how each result is computed, for arrays of these shapes and types."""
        return self.kernel(*arrays, **named).explain(view)


@overload
def jit(function: Callable[..., Any], *, threads: Optional[int] = None) -> Jit: ...


@overload
def jit(function: None = None, *, threads: Optional[int] = None) -> Callable[[Callable[..., Any]], Jit]: ...


def jit(function: Optional[Callable[..., Any]] = None, *, threads: Optional[int] = None) -> Any:
    """Compiles a function of arrays when it is called, to one kernel for each combination of shapes and types.

    The function may use reshape, transpose, T, swapaxes, ravel, squeeze, subscripts, astype, clip, arithmetic with constants,
    rs.concat, rs.stack, rs.pad and the patterns of rs.rearrange, repeat, pack and unpack. It runs once for each
    combination, so its side effects are not repeated.
    With `@rs.jit(threads=4)` the kernel runs on up to four threads; `threads=` of a call overrides that.

    >>> import numpy as np, reshapec as rs
    >>> @rs.jit
    ... def to_network(photo):
    ...     return photo[1:3].transpose(2, 0, 1).astype("f4") / 2.0
    >>> to_network(np.arange(12, dtype="u1").reshape(4, 1, 3)).tolist()
    [[[1.5], [3.0]], [[2.0], [3.5]], [[2.5], [4.0]]]
    """
    return functools.partial(jit, threads=threads) if function is None else Jit(function, threads)
