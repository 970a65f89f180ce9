# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rearrange, repeat, pack and unpack: einops patterns (arogozhnikov/einops), compiled to one kernel for each shape.

A pattern becomes a graph of reshape, transpose and expand with known sizes:

    rearrange(x, "b s (h d) -> b h s d", h=12) of 8x384x768
        reshape(x, [8, 384, 12, 64]) |> transpose([0, 2, 1, 3]) |> reshape([8, 12, 384, 64])
"""
from __future__ import annotations

import keyword
import math
import operator
import warnings
from functools import lru_cache
from itertools import accumulate
from typing import Any, Optional, Sequence

import numpy as np

from reshapec import _core, _gradient
from reshapec._arrays import OTHERS, Taken, call, take
from reshapec._cache import keep
from reshapec._errors import CallError, CompileError, PatternError
from reshapec._kernel import Kernel, _call, threads_of
from reshapec._trace import Tracer, are_traced, concat, stack

ELLIPSIS = "…"
DOTS = (ELLIPSIS,)  # outside of parentheses; inside, it is [ELLIPSIS], one axis
OPAQUE = {1: "u8", 2: "u16", 4: "u32", 8: "u64", 16: "c128"}  # elements that are only moved, by their bytes


# ---- Patterns


def _axis(word: str, pattern: str):
    """An axis: its name, or its size if the word is a number."""
    if word.isdecimal():
        size = int(word)
        if size == 0:
            raise PatternError(f"an axis of size 0 in '{pattern}'")
        return size
    if word in (ELLIPSIS, "_"):
        return word
    if not word.isidentifier() or word.startswith("_") or word.endswith("_"):
        word = word.replace(ELLIPSIS, "...")
        raise PatternError(f"'{word}' in '{pattern}' is not the name of an axis: a name has letters, digits and underscores, but not at its ends")
    if keyword.iskeyword(word):
        warnings.warn(f"'{word}' in '{pattern}' is a Python keyword", RuntimeWarning, stacklevel=2)
    return word


def _side(text: str, pattern: str) -> list[list]:
    """Parses 'b (h d) 1' to [['b'], ['h', 'd'], []]; a size of 1 is not an axis."""
    if "." in text:
        if text.count("...") != 1 or text.count(".") != 3:
            raise PatternError(f"'{pattern}' has dots other than one '...'")
        text = text.replace("...", ELLIPSIS)
    for letter in text:
        if letter.isspace() and letter != " ":  # as in einops and .rsh files
            raise PatternError(f"{pattern!r} contains {letter!r}: only spaces separate axes")
    groups, open_group, seen = [], None, set()
    for word in text.replace("(", " ( ").replace(")", " ) ").split():
        if word == "(":
            if open_group is not None:
                raise PatternError(f"'{pattern}' has nested parentheses")
            open_group = []
        elif word == ")":
            if open_group is None:
                raise PatternError(f"'{pattern}' closes a parenthesis that is not open")
            groups.append(open_group)
            open_group = None
        else:
            axis = _axis(word, pattern)
            if isinstance(axis, str):
                if axis in seen:
                    raise PatternError(f"'{pattern}' has '{word.replace(ELLIPSIS, '...')}' twice on one side")
                seen.add(axis)
            if axis == "_":
                raise PatternError(f"'_' in '{pattern}' is not the name of an axis")
            own = [] if axis == 1 else [axis]
            if open_group is None:
                groups.append(DOTS if axis == ELLIPSIS else own)
            else:
                open_group.extend(own)
    if open_group is not None:
        raise PatternError(f"'{pattern}' does not close a parenthesis")
    return groups


def _names(groups: list[list]) -> set:
    return {axis for group in groups for axis in group if isinstance(axis, str)}


@lru_cache(maxsize=1024)
def _parse(which: str, pattern: str, sizes: tuple) -> tuple[list[list], list[list]]:
    if pattern.count("->") != 1:
        raise PatternError(f"'{pattern}' is not of the form 'left -> right'")
    left, right = (_side(text, pattern) for text in pattern.split("->"))
    a, b = _names(left), _names(right)
    if ELLIPSIS in b and ELLIPSIS not in a:
        raise PatternError(f"'{pattern}' has '...' on the right, but not on the left")
    if any(ELLIPSIS in group for group in left) and not any(group == DOTS for group in left):
        raise PatternError(f"'{pattern}' has '...' in parentheses on the left")
    if which == "rearrange":
        if a != b:
            hint = "rearrange does not reduce" if a - b else "repeat adds axes"
            raise PatternError(f"'{pattern}' has axes on only one side: {_list(a ^ b)}; {hint}")
        for groups in (left, right):
            if any(isinstance(axis, int) for group in groups for axis in group):
                raise PatternError(f"rearrange takes no size other than 1 in '{pattern}': name the axis")
    else:
        if a - b:
            raise PatternError(f"'{pattern}' has axes only on the left: {_list(a - b)}")
        if any(isinstance(axis, int) for group in left for axis in group):
            raise PatternError(f"'{pattern}' has a size other than 1 on the left: name the axis")
        unknown = b - a - set(sizes)
        if unknown:
            raise PatternError(f"'{pattern}' needs the sizes of {_list(unknown)}")
    for name in sizes:
        if name not in a | b:
            raise PatternError(f"'{name}' is not in '{pattern}'")
        _axis(name, pattern)
    return left, right


def _list(names) -> str:
    return ", ".join(sorted("..." if name == ELLIPSIS else str(name) for name in names))


def _solve(groups: list[list], shape: tuple, sizes: dict, pattern: str) -> dict[Any, int]:
    """The size of each axis on the left; those in '...' are named ('…', i)."""
    around = sum(group != DOTS for group in groups)
    if (len(shape) < around) if DOTS in groups else (len(shape) != around):
        raise PatternError(f"'{pattern}' is for {around} axes{' or more' if DOTS in groups else ''}, but the array has {len(shape)}: {shape}")
    known = dict(sizes)
    for group, size in zip(_expand(groups, len(shape) - around), shape):
        product = math.prod(known[axis] for axis in group if axis in known)
        open_axes = [axis for axis in group if axis not in known]
        if len(open_axes) > 1:
            raise PatternError(f"({' '.join(group)}) in '{pattern}' has more than one unknown size: {_list(open_axes)}")
        if open_axes:
            if product == 0 or size % product != 0:
                raise PatternError(f"in '{pattern}', ({' '.join(map(str, group))}) is {size} in the array, which is not a multiple of {product}")
            known[open_axes[0]] = size // product
        elif product != size:
            raise PatternError(f"in '{pattern}', ({' '.join(map(str, group))}) is {product}, but the array has {size}")
    return known


def _expand(groups: list[list], count: int) -> list[list]:
    """Replaces '...' by `count` axes: outside of parentheses, each is a group of its own."""
    dots = [(ELLIPSIS, i) for i in range(count)]
    result = []
    for group in groups:
        if group == DOTS:
            result.extend([dot] for dot in dots)
        else:
            result.append([part for axis in group for part in (dots if axis == ELLIPSIS else [axis])])
    return result


def _check_sizes(sizes: dict, pattern: str) -> dict:
    checked = {}
    for name, size in sizes.items():
        try:
            checked[name] = size.__index__()
        except (AttributeError, TypeError):  # an array of integers has __index__, too
            raise PatternError(f"the size of '{name}' in '{pattern}' is {size!r}, not an integer") from None
        if checked[name] < 0:
            raise PatternError(f"the size of '{name}' in '{pattern}' is {size}, which is below 0")
    return checked


def _axes(which: str, pattern: str, shape: tuple, sizes: dict) -> tuple[list[list], list[list], dict]:
    """The axes of each group on both sides, for arrays of one shape, and their sizes."""
    left, right = _parse(which, pattern, tuple(sizes))
    known = _solve(left, shape, sizes, pattern)
    count = len(shape) - sum(group != DOTS for group in left)
    return _expand(left, count), _expand(_numbered(right, known), count), known


def _steps(which: str, pattern: str, shape: tuple, sizes: dict) -> list[str]:
    """The operators of a pattern for one shape, as text."""
    inner, outer, known = _axes(which, pattern, shape, _check_sizes(sizes, pattern))
    from_axes = [axis for group in inner for axis in group]
    to_axes = [axis for group in outer for axis in group]
    kept = [axis for axis in to_axes if axis in set(from_axes)]
    steps = [f"reshape({[known[axis] for axis in from_axes]}, allowzero=1)"]
    if len(kept) > 1:
        steps.append(f"transpose({[from_axes.index(axis) for axis in kept]})")
    if len(to_axes) > len(kept):
        ones = [known[axis] if axis in set(kept) else 1 for axis in to_axes]
        steps.append(f"reshape({ones}, allowzero=1)")
        steps.append(f"expand({[known[axis] for axis in to_axes]})")
    steps.append(f"reshape({[math.prod(known[axis] for axis in group) for group in outer]}, allowzero=1)")
    return steps


def back(which: str, pattern: str, shape: tuple, sizes: dict) -> tuple[str, dict, bool]:
    """The inverse of a pattern, with all its sizes: that of "a (b c) -> b a c" is "(a1) (a0) (a2) -> (a0) (a1 a2)".

    Axes that repeat added come first, as one axis; True if there are any.
    """
    inner, outer, known = _axes(which, pattern, shape, sizes)
    names: dict[Any, str] = {axis: f"a{i}" for i, axis in enumerate(axis for group in inner for axis in group)}
    added = [axis for group in outer for axis in group if axis not in names]
    names |= {axis: f"a{i}" for i, axis in enumerate(added, len(names))}
    to, of = (" ".join(f"({' '.join(names[axis] for axis in group)})" for group in groups) for groups in (inner, outer))
    first = f"({' '.join(names[axis] for axis in added)}) " if added else ""
    return f"{of} -> {first}{to}", {name: known[axis] for axis, name in names.items()}, bool(added)


def shape_of(which: str, pattern: str, shape: tuple, sizes: dict) -> list:
    """The shape of a pattern's result; sizes may be symbols of PyTorch."""
    _, outer, known = _axes(which, pattern, shape, sizes)
    return [math.prod(known[axis] for axis in group) for group in outer]


def _numbered(groups: list[list], known: dict) -> list[list]:
    """Gives names to sizes on the right of repeat, such as '3'."""
    result = []
    for g, group in enumerate(groups):
        if group == DOTS:
            result.append(DOTS)
            continue
        result.append([])
        for i, axis in enumerate(group):
            if isinstance(axis, int):
                known[("#", g, i)] = axis
                axis = ("#", g, i)
            result[-1].append(axis)
    return result


# ---- Kernels


def _element(dtype: np.dtype) -> str:
    """The element type that elements are moved as."""
    if dtype.hasobject or dtype.itemsize not in OPAQUE:
        raise CallError(f"elements of {dtype} have {dtype.itemsize} bytes{' and are Python objects' if dtype.hasobject else ''}: only elements of 1, 2, 4, 8 or 16 bytes can be moved")
    return OPAQUE[dtype.itemsize]


def _build(text: str, dtype: np.dtype, inputs: int, outputs: int, threads: int) -> Kernel:
    program = _core.Program(text, name="<pattern>", threads=threads)
    return Kernel(program, 0, ((dtype,) * inputs, (dtype,) * outputs))


@lru_cache(maxsize=1024)
def _kernel(which: str, pattern: str, shape: tuple, dtype: np.dtype, sizes: tuple, threads: int) -> Kernel:
    steps = _steps(which, pattern, shape, dict(sizes))
    return _build(f"graph {which}(x: {_element(dtype)}{list(shape) if shape else ''}) -> y {{ y = x |> {' |> '.join(steps)} }}", dtype, 1, 1, threads)


@lru_cache(maxsize=1024)
def _stacked(which: str, pattern: str, count: int, shape: tuple, dtype: np.dtype, sizes: tuple, threads: int) -> Kernel:
    element, dims = _element(dtype), list(shape) if shape else ""
    names = [f"x{i}" for i in range(count)]
    steps = _steps(which, pattern, (count, *shape), dict(sizes))
    return _build(f"graph {which}({', '.join(f'{name}: {element}{dims}' for name in names)}) -> y {{ y = stack({', '.join(names)}, axis=0) |> "
                  f"{' |> '.join(steps)} }}", dtype, count, 1, threads)


def _same_kind(taken: list[Taken], what: str) -> None:
    if any((x.array.dtype, x.element) != (taken[0].array.dtype, taken[0].element) for x in taken):
        raise PatternError(f"the arrays {what}differ in type: {', '.join(OTHERS.get(x.element, str(x.array.dtype)) for x in taken)}")


def _is_traced(x) -> bool:
    """Whether an array, or one of a list, is traced by rs.jit."""
    return any(isinstance(part, Tracer) for part in (x if isinstance(x, (list, tuple)) else [x]))


def _traced(which: str, x, pattern: str, sizes: dict) -> Tracer:
    """A pattern within rs.jit: a part of its graph."""
    if sizes.pop("out", None) is not None:
        raise CallError("rs.jit: out= cannot be given while a function is traced")
    threads_of(sizes.pop("threads", None))
    if isinstance(x, (list, tuple)):
        x = stack(x)
    sizes = _check_sizes(sizes, pattern)
    return x._is(" |> ".join([x._name, *_steps(which, pattern, x.shape, sizes)]), shape_of(which, pattern, x.shape, sizes))


def _apply(which: str, x, pattern: str, sizes: dict):
    if not isinstance(pattern, str):
        first = "; the array comes first" if isinstance(x, str) else ""
        raise PatternError(f"the pattern is of type {type(pattern).__name__}, not a string{first}")
    if _is_traced(x):
        return _traced(which, x, pattern, sizes)
    if _gradient.is_wanted(x):
        return _gradient.moved(which, x, pattern, sizes)
    out, threads = sizes.pop("out", None), threads_of(sizes.pop("threads", None))
    if isinstance(x, (list, tuple)):
        if not x:
            raise PatternError("the list has no array")
        taken = [take(part, f"array {i + 1}") for i, part in enumerate(x)]
        _same_kind(taken, "of the list ")
        shape = taken[0].array.shape
        if any(part.array.shape != shape for part in taken):
            raise PatternError("the arrays of the list differ in shape: " + ", ".join(str(part.array.shape) for part in taken))
        kernel = _stacked(which, pattern, len(taken), shape, taken[0].array.dtype, tuple(_check_sizes(sizes, pattern).items()), threads)
        return call(kernel, taken, out)
    taken = [take(x)]
    array = taken[0].array
    return call(_kernel(which, pattern, array.shape, array.dtype, tuple(_check_sizes(sizes, pattern).items()), threads), taken, out)


def _slowly(which: int, args: tuple, sizes: dict, is_plain: int):
    """Called by the extension for a call that is not in its cache: returns the result, or, for a row-major NumPy array
    and sizes that are integers (`is_plain`), a kernel for it to cache."""
    name = ("rearrange", "repeat")[which]
    if len(args) != 2:
        raise TypeError(f"{name}(x, pattern, out=None, threads=None, **sizes) takes an array and a pattern, not {len(args)} argument{'s' * (len(args) != 1)}")
    x, pattern = args
    if is_plain and not x.dtype.hasobject and "out" not in sizes:
        threads = threads_of(sizes.pop("threads", None))
        return _kernel(name, pattern, x.shape, x.dtype, tuple(sizes.items()), threads)
    return _apply(name, x, pattern, sizes)


_core.set(CompileError, CallError, np.empty, np.ndarray, _slowly, _call, keep)


# The extension's functions: they find the kernel of a repeated call without running any Python.
rearrange = _core.rearrange
repeat = _core.repeat


# ---- pack and unpack


def _packing(pattern: str, what: str) -> tuple[int, int]:
    """The number of axes before and after the '*' of a pattern."""
    if not isinstance(pattern, str):
        raise PatternError(f"{what}: the pattern is of type {type(pattern).__name__}, not a string")
    words = pattern.split()
    if words.count("*") != 1:
        raise PatternError(f"{what}: '{pattern}' does not have one '*'")
    for word in words:
        if word != "*" and (not word.isidentifier() or word.startswith("_") or word.endswith("_")):
            raise PatternError(f"{what}: '{word}' in '{pattern}' is not the name of an axis")
    if len(set(words)) != len(words):
        raise PatternError(f"{what}: '{pattern}' has a name twice")
    at = words.index("*")
    return at, len(words) - at - 1


def pack_shapes(pattern: str, shapes: Sequence[tuple]) -> tuple[tuple, list[tuple], list[tuple]]:
    """The shape of the packed array, those of '*' in each array, and those of the arrays with '*' as one axis."""
    before, after = _packing(pattern, "pack")
    packed, parts = [], []
    for i, shape in enumerate(shapes):
        if len(shape) < before + after:
            raise PatternError(f"pack: array {i + 1} has {len(shape)} axes, but '{pattern}' is for {before + after} or more")
        middle = tuple(shape[before:len(shape) - after])
        packed.append(middle)
        parts.append((*shape[:before], math.prod(middle), *shape[len(shape) - after:]))
        if parts[i][:before] + parts[i][before + 1:] != parts[0][:before] + parts[0][before + 1:]:
            raise PatternError(f"pack: arrays of shapes {shapes[0]} and {shape} do not match in '{pattern}'")
    return (*parts[0][:before], sum(part[before] for part in parts), *parts[0][before + 1:]), packed, parts


@lru_cache(maxsize=1024)
def _pack_kernel(pattern: str, shapes: tuple, dtype: np.dtype, threads: int) -> tuple[Kernel, list[tuple]]:
    _, packed, parts = pack_shapes(pattern, shapes)
    element, axis = _element(dtype), _packing(pattern, "pack")[0]
    names = ", ".join(f"reshape(x{i}, {list(part)}, allowzero=1)" for i, part in enumerate(parts))
    inputs = ", ".join(f"x{i}: {element}{list(shape) if shape else ''}" for i, shape in enumerate(shapes))
    return _build(f"graph pack({inputs}) -> y {{ y = concat({names}, axis={axis}) }}", dtype, len(shapes), 1, threads), packed


def pack(tensors: Sequence[Any], pattern: str, *, threads: Optional[int] = None) -> tuple[Any, list[tuple]]:
    """Joins arrays along the axis `*`, which is any number of axes in each; also returns the shapes of these axes.

    >>> import numpy as np, reshapec as rs
    >>> packed, shapes = rs.pack([np.zeros((2, 3)), np.ones((2, 4, 5))], "b *")
    >>> packed.shape, shapes
    ((2, 23), [(3,), (4, 5)])
    """
    if not isinstance(tensors, (list, tuple)) or not tensors:
        raise PatternError("pack takes a list of arrays")
    if are_traced(tensors, "pack"):
        _, shapes, parts = pack_shapes(pattern, [x.shape for x in tensors])
        return concat([x.reshape(part) for x, part in zip(tensors, parts)], _packing(pattern, "pack")[0]), shapes
    if _gradient.is_wanted(tensors):
        return _gradient.packed(tensors, pattern, threads)
    taken = [take(x, f"array {i + 1}") for i, x in enumerate(tensors)]
    _same_kind(taken, "")
    kernel, packed = _pack_kernel(pattern, tuple(x.array.shape for x in taken), taken[0].array.dtype, threads_of(threads))
    return call(kernel, taken), list(packed)


def unpack_shapes(pattern: str, shape: tuple, packed: Sequence[tuple]) -> tuple[list[list], list]:
    """The shapes of the parts, and the size of each along the packed axis."""
    before, after = _packing(pattern, "unpack")
    if len(shape) != before + 1 + after:
        raise PatternError(f"unpack: '{pattern}' is for {before + 1 + after} axes, but the array has {len(shape)}: {shape}")
    if any(size < -1 for part in packed for size in part):
        raise PatternError(f"unpack: {list(packed)} has a size below -1")
    sizes = [-1 if -1 in part else math.prod(part) for part in packed]
    if sizes.count(-1) > 1 or any(part.count(-1) > 1 for part in packed):
        raise PatternError(f"unpack: more than one -1 in {list(packed)}")
    total, parts = shape[before], [list(part) for part in packed]
    if -1 in sizes:
        at = sizes.index(-1)
        rest, others = total - sum(sizes) - 1, math.prod(size for size in parts[at] if size != -1)
        if rest < 0 or others == 0 or rest % others != 0:
            raise PatternError(f"unpack: -1 in {packed[at]} cannot be inferred: {rest} elements of the axis are left")
        sizes[at] = rest
        parts[at][parts[at].index(-1)] = rest // others
    if sum(sizes) != total:
        raise PatternError(f"unpack: {list(packed)} are {sum(sizes)} elements, but the axis has {total}")
    return [[*shape[:before], *part, *shape[before + 1:]] for part in parts], sizes


@lru_cache(maxsize=1024)
def _unpack_kernel(pattern: str, shape: tuple, packed: tuple, dtype: np.dtype, threads: int) -> Kernel:
    parts, sizes = unpack_shapes(pattern, shape, packed)
    axis, begin, lines = _packing(pattern, "unpack")[0], 0, []
    for i, (part, size) in enumerate(zip(parts, sizes)):
        lines.append(f"  y{i} = slice(x, [{begin}], [{begin + size}], axes=[{axis}]) |> reshape({part}, allowzero=1)\n")
        begin += size
    results = ", ".join(f"y{i}" for i in range(len(parts)))
    return _build(f"graph unpack(x: {_element(dtype)}{list(shape)}) -> ({results}) {{\n{''.join(lines)}}}\n", dtype, 1, len(parts), threads)


def unpack(tensor: Any, packed_shapes: Sequence[Sequence[int]], pattern: str, *, threads: Optional[int] = None) -> list[Any]:
    """Splits what `pack` joined. Contiguous parts are views.

    >>> import numpy as np, reshapec as rs
    >>> [part.shape for part in rs.unpack(np.zeros((2, 23)), [(3,), (4, 5)], "b *")]
    [(2, 3), (2, 4, 5)]
    """
    try:
        packed = tuple(tuple(map(operator.index, shape)) for shape in packed_shapes)
    except TypeError:
        raise PatternError(f"unpack: the shapes are {packed_shapes!r}, not a list like [(3,), (4, 5)]") from None
    if not packed:
        return []
    if isinstance(tensor, Tracer):
        parts, sizes = unpack_shapes(pattern, tensor.shape, packed)
        ends, kept = accumulate(sizes), (slice(None),) * _packing(pattern, "unpack")[0]
        return [tensor[(*kept, slice(end - size, end))].reshape(part) for part, size, end in zip(parts, sizes, ends)]
    if _gradient.is_wanted(tensor):
        return _gradient.unpacked(tensor, packed, pattern, threads)
    taken = take(tensor)
    results = call(_unpack_kernel(pattern, taken.array.shape, packed, taken.array.dtype, threads_of(threads)), [taken])
    return list(results) if isinstance(results, tuple) else [results]
