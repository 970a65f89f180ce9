# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Implements every operator in plain numpy, as the reference for the compiler.

It shares nothing with the compiler. Operators work on arrays of element numbers, so the result of a chain is its
element map: entry j is the number of the input element that is copied to output element j. The rules are those of the
operators' own specifications (ONNX, OpenVINO, oneDNN, Paddle).
"""

import itertools
import math
import re

import numpy as np

import casts

INT64_MAX = 2**63 - 1
INT64_MIN = -(2**63)

# Their indices are a tensor. Random chains do not cover these; the net and tests/indices/random_picks.py do.
INDICES_ARE_DATA = ("gather_elements", "gather_nd")


class Refused(Exception):
    """The call is invalid; `kind` is the status that the compiler must report."""

    def __init__(self, kind, message=""):
        super().__init__(f"{kind}: {message}" if message else kind)
        self.kind = kind


# ---- reshape: the shape arithmetic of the four systems -------------------------------------------

ONNX_SINCE = {
    1: "f16 f32 f64",
    5: "u8 u16 u32 u64 i8 i16 i32 i64 string bool c64 c128",
    13: "bf16",
    19: "f8e4m3fn f8e4m3fnuz f8e5m2 f8e5m2fnuz",
    21: "u4 i4",
    23: "f4e2m1",
    24: "f8e8m0",
    25: "u2 i2",
}
INTEGERS = "i2 i4 i8 i16 i32 i64 u2 u4 u8 u16 u32 u64".split()
ONEDNN_TYPES = "f32 f16 bf16".split()
PADDLE_TYPES = "f16 f32 f64 i16 i32 i64 bool bf16".split()


def onnx_types(opset):
    """Returns the element types that Reshape supports in this opset."""
    return [t for since, names in ONNX_SINCE.items() if since <= opset for t in names.split()]


def volume(dims):
    """Returns the number of elements. The product of non-zero sizes must fit 64 bits, whatever the order of sizes."""
    if math.prod(d for d in dims if d) > INT64_MAX:
        raise Refused("overflow", f"volume of {dims}")
    return math.prod(dims)


def reshape_dims(dims, target, copy_zero=True, forbid_zero_infer=False, drop_copied=False):
    """Resolves `target` for an input of sizes `dims`: -1 is inferred, 0 copies if `copy_zero`.

    [2,3,4] to [0,-1] is [2,12]. `forbid_zero_infer` refuses a literal 0 next to a -1.
    `drop_copied` omits copied sizes from the division (OpenVINO with special_zero).
    """
    out, infer, copied = [], None, set()
    for i, size in enumerate(target):
        if size < -1:
            raise Refused("bad_dim", f"{size}")
        if size == -1:
            if infer is not None:
                raise Refused("multiple_infer")
            infer = i
        if size == 0 and copy_zero:
            if i >= len(dims):
                raise Refused("zero_out_of_range", f"index {i}")
            copied.add(i)
            size = dims[i]
        out.append(size)
    if forbid_zero_infer and infer is not None and 0 in out and not copy_zero:
        raise Refused("zero_with_infer")
    have = volume(dims)
    known = volume([d for i, d in enumerate(out) if i != infer])
    if infer is None:
        if have != known:
            raise Refused("volume_mismatch", f"{dims} to {out}")
        return out
    if drop_copied:
        have = volume([d for i, d in enumerate(dims) if i not in copied])
        known = volume([d for i, d in enumerate(out) if i != infer and i not in copied])
    if known == 0:
        raise Refused("ambiguous_infer")
    if have % known:
        raise Refused("not_divisible", f"{have} over {known}")
    out[infer] = have // known
    return out


def reshape_dialect(
    dialect,
    dims,
    target,
    dtype="f32",
    target_dtype="i64",
    target_rank=1,
    opset=14,
    allowzero=None,
    special_zero=None,
    bad_argument=False,
):
    """Returns the result's sizes in one dialect ("onnx", "openvino", "onednn", "paddle").

    `target` is None if none was given. A 0-D or 2-D target is passed flattened, with its rank.
    """
    if dialect == "onnx":
        if dtype not in onnx_types(opset) or (opset >= 5 and target_dtype != "i64"):
            raise Refused("bad_type")
        if allowzero is not None and (opset < 14 or allowzero not in (0, 1)):
            raise Refused("bad_attr")
    elif dialect == "openvino" and target_dtype not in INTEGERS:
        raise Refused("bad_type")
    elif dialect == "onednn" and (dtype not in ONEDNN_TYPES or target_dtype not in ("i64", "i32")):
        raise Refused("bad_type")
    elif dialect == "paddle" and (dtype not in PADDLE_TYPES or target_dtype not in ("i32", "i64")):
        raise Refused("bad_type")
    if bad_argument:
        raise Refused("bad_arg")
    if target is None:
        raise Refused("missing_shape")
    if dialect == "paddle" and not target:
        raise Refused("empty_shape")
    if target_rank != 1:
        raise Refused("bad_shape_rank", f"{target_rank}")
    limit = {"onednn": 12, "paddle": 9}.get(dialect, 16)  # 16: reshapec's own limit
    if max(len(target), len(dims)) > limit:
        raise Refused("rank_limit")
    if dialect == "onnx":
        return reshape_dims(
            dims, target, copy_zero=not allowzero, forbid_zero_infer=bool(allowzero)
        )
    if dialect == "openvino":
        return reshape_dims(dims, target, copy_zero=special_zero, drop_copied=special_zero)
    if dialect == "onednn":
        return reshape_dims(
            dims, target, copy_zero=special_zero, forbid_zero_infer=not special_zero
        )
    return reshape_dims(dims, target)


# ---- operators on one or several arrays ----------------------------------------------------------


def axis_of(axis, rank):
    if not -rank <= axis < rank:
        raise Refused("bad_axis", f"{axis} in rank {rank}")
    return axis + rank if axis < 0 else axis


def reshape(x, dims, allowzero=0):
    sizes = reshape_dims(
        list(x.shape), dims, copy_zero=not allowzero, forbid_zero_infer=bool(allowzero)
    )
    return np.ascontiguousarray(x).reshape(sizes)


def transpose(x, perm=None):
    if perm is None:
        perm = list(range(x.ndim))[::-1]
    if sorted(perm) != list(range(x.ndim)):
        raise Refused("bad_perm", f"{perm}")
    return x.transpose(perm)


def flatten(x, axis=1):
    if not -x.ndim <= axis <= x.ndim:
        raise Refused("bad_axis", f"{axis}")
    axis += x.ndim if axis < 0 else 0
    rows, columns = math.prod(x.shape[:axis]), math.prod(x.shape[axis:])
    return np.ascontiguousarray(x).reshape(rows, columns)


def squeeze(x, axes=None):
    if axes is None:
        axes = [i for i, d in enumerate(x.shape) if d == 1]
    axes = {axis_of(a, x.ndim) for a in axes}
    if any(x.shape[a] != 1 for a in axes):
        raise Refused("not_one")
    return x.reshape([d for i, d in enumerate(x.shape) if i not in axes])


def unsqueeze(x, axes):
    rank = x.ndim + len(axes)
    places = {axis_of(a, rank) for a in axes}
    if len(places) != len(axes):
        raise Refused("duplicate_axis")
    sizes = iter(x.shape)
    return x.reshape([1 if i in places else next(sizes) for i in range(rank)])


def flip(x, axes):
    axes = [axis_of(a, x.ndim) for a in axes]
    if len(set(axes)) != len(axes):
        raise Refused("duplicate_axis")
    return np.flip(x, axes) if axes else x


def expand(x, dims):
    if any(d < 0 for d in dims):
        raise Refused("bad_dim")
    try:
        return np.broadcast_to(x, np.broadcast_shapes(x.shape, tuple(dims)))
    except ValueError as bad:
        raise Refused("not_broadcastable") from bad


def slice_indices(size, start, end, step):
    """Returns the indices that ONNX Slice keeps on one axis. None is an omitted bound."""
    if step == 0:
        raise Refused("bad_step")
    if start is None:
        start = 0 if step > 0 else INT64_MAX
    if end is None:
        end = INT64_MAX if step > 0 else INT64_MIN
    start += size if start < 0 else 0
    end += size if end < 0 else 0
    if step > 0:
        start, end = min(max(start, 0), size), min(max(end, 0), size)
    else:
        start, end = min(max(start, 0), size - 1), min(max(end, -1), size - 1)
    return range(start, end, step) if size else range(0)


def kept_of(x, axis, kept):
    """Takes these indices along an axis. They may be too many for a list if another size is 0."""
    end = kept.stop if kept.stop >= 0 else None
    return x[(*(slice(None),) * axis, slice(kept.start, end, kept.step) if kept else slice(0))].copy()


def slice_(x, starts, ends, axes=None, steps=None):
    axes = list(range(len(starts))) if axes is None else axes
    steps = [1] * len(axes) if steps is None else steps
    if len({len(starts), len(ends), len(axes), len(steps)}) != 1:
        raise Refused("bad_length")
    axes = [axis_of(a, x.ndim) for a in axes]
    if len(set(axes)) != len(axes):
        raise Refused("duplicate_axis")
    for i, axis in enumerate(axes):
        kept = slice_indices(x.shape[axis], starts[i], ends[i], steps[i])
        x = kept_of(x, axis, kept)
    return x


def split(x, axis=0, sizes=None, parts=None):
    axis = axis_of(axis, x.ndim)
    size = x.shape[axis]
    if sizes is None:
        chunk = -(-size // parts)
        sizes = [chunk] * (parts - 1) + [size - chunk * (parts - 1)]
    total = 0
    for n in sizes:
        total += min(n, INT64_MAX)  # a larger u64 need not be exact
        if n < 0:
            raise Refused("bad_parts", f"{sizes} of {size}")
        if total > INT64_MAX:
            raise Refused("overflow")
    if total != size:
        raise Refused("bad_parts", f"{sizes} of {size}")
    ends = np.cumsum(sizes)
    return [kept_of(x, axis, range(int(end - n), int(end))) for n, end in zip(sizes, ends)]


def concat(*xs, axis):
    axis = axis_of(axis, xs[0].ndim)
    try:
        return np.concatenate(xs, axis=axis)
    except ValueError as bad:
        raise Refused("shape_mismatch") from bad


def stack(*xs, axis=0):
    return concat(*[unsqueeze(x, [axis]) for x in xs], axis=axis)


def depth_to_space(x, block, mode="DCR"):
    if x.ndim != 4:
        raise Refused("bad_rank")
    n, c, h, w = x.shape
    if block < 1 or c % (block * block):
        raise Refused("bad_block")
    depth = c // (block * block)
    out = np.empty((n, depth, h * block, w * block), x.dtype)
    for i in range(block):
        for j in range(block):
            at = i * block + j
            picked = (
                x[:, at * depth : (at + 1) * depth] if mode == "DCR" else x[:, at :: block * block]
            )
            out[:, :, i::block, j::block] = picked
    return out


def space_to_depth(x, block, mode="DCR"):
    if x.ndim != 4:
        raise Refused("bad_rank")
    n, c, h, w = x.shape
    if block < 1 or h % block or w % block:
        raise Refused("bad_block")
    out = np.empty((n, c * block * block, h // block, w // block), x.dtype)
    for i in range(block):
        for j in range(block):
            at = i * block + j
            places = slice(at * c, (at + 1) * c) if mode == "DCR" else slice(at, None, block * block)
            out[:, places] = x[:, :, i::block, j::block]
    return out


def padded(size, before, after, mode="constant", crop_last=False):
    """Returns the size of a padded axis. Values below 0 crop; modes that copy elements need one to copy."""
    crops_last = crop_last and mode != "constant" and max(before, after) > 0
    if crops_last and size + before + after < 0:
        raise Refused("bad_dim", f"{before} and {after} of {size}")
    kept = size if crops_last else size - max(0, -before) - max(0, -after)
    if kept < 0 or (kept == 0 and mode != "constant" and max(before, after) > 0):
        raise Refused("bad_dim", f"{before} and {after} of {size}")
    if size + before + after > INT64_MAX:
        raise Refused("overflow", f"{before} and {after} of {size}")
    return size + before + after


def pad(x, pads, mode="constant", value=None, crop_last=False):
    """Pads: `pads` maps an axis to (before, after). A fill element has the number -1 for any value."""
    if crop_last and mode != "constant":
        for axis, (before, after) in pads.items():
            if padded(x.shape[axis], before, after, mode, True) > 0:
                x = pad(x, {axis: (max(before, 0), max(after, 0))}, mode)
            kept = slice(max(0, -before), max(0, x.shape[axis] + min(0, after)))
            x = x[(slice(None),) * axis_of(axis, x.ndim) + (kept,)]
        return x
    for axis, (before, after) in pads.items():
        axis = axis_of(axis, x.ndim)
        size = x.shape[axis]
        padded(size, before, after, mode)
        x = x[(slice(None),) * axis + (slice(max(0, -before), size + min(0, after)),)]
        before, after, size = max(before, 0), max(after, 0), x.shape[axis]
        if x.size == 0:  # no elements: numpy would take long
            x = np.full([before + d + after if i == axis else d for i, d in enumerate(x.shape)], -1)
            continue
        at = np.arange(-before, size + after)
        if mode == "constant":
            shape = [-1 if i == axis else 1 for i in range(x.ndim)]
            inside = ((at >= 0) & (at < size)).reshape(shape)
            x = np.where(inside, np.take(x, at.clip(0, size - 1), axis=axis), -1)
            continue
        if mode == "edge":
            at = at.clip(0, size - 1)
        elif mode == "wrap":
            at = at % size
        elif mode == "symmetric":
            at = at % (2 * size)
            at = np.where(at >= size, 2 * size - 1 - at, at)
        else:
            period = max(2 * (size - 1), 1)
            at = at % period
            at = np.where(at >= size, period - at, at)
        x = np.take(x, at, axis=axis)
    return x


def center_crop_pad(x, shape, axes=None):
    axes = range(x.ndim) if axes is None else [axis_of(a, x.ndim) for a in axes]
    if len(set(axes)) != len(axes):
        raise Refused("duplicate_axis")
    if len(shape) != len(axes):
        raise Refused("bad_length")
    for axis, size in zip(axes, shape):
        if size < 0:
            raise Refused("bad_dim")
        more = size - x.shape[axis]
        half = abs(more) // 2 * (-1 if more < 0 else 1)
        x = pad(x, {axis: (half, more - half)})
    return x


def tile(x, repeats):
    if len(repeats) != x.ndim:
        raise Refused("bad_length")
    if any(r < 0 for r in repeats):
        raise Refused("bad_dim")
    volume([d * r for d, r in zip(x.shape, repeats)])
    return np.tile(x, repeats) if repeats else x


def repeat(x, repeats):
    tile(x, repeats)  # raises the same errors
    if x.size == 0:  # NumPy would count up to `times`
        return np.empty([d * r for d, r in zip(x.shape, repeats)], x.dtype)
    for axis, times in enumerate(repeats):
        x = np.repeat(x, times, axis=axis)
    return x


def roll(x, shifts, axes=None):
    if axes is None:
        return np.roll(x, sum(shifts))
    axes = [axis_of(a, x.ndim) for a in axes]
    if len(axes) != len(shifts) and 1 not in (len(axes), len(shifts)):
        raise Refused("bad_length")
    return np.roll(x, shifts, axes) if shifts and axes else x


def reverse_sequence(x, lengths, time_axis=0, batch_axis=1):
    if x.ndim < 2:
        raise Refused("bad_rank")
    if time_axis not in (0, 1) or batch_axis not in (0, 1):
        raise Refused("bad_axis")
    if time_axis == batch_axis:
        raise Refused("duplicate_axis")
    if len(lengths) != x.shape[batch_axis]:
        raise Refused("bad_length")
    if any(not 0 <= n <= x.shape[time_axis] for n in lengths):
        raise Refused("bad_index")
    y = x.swapaxes(0, time_axis).copy()
    for batch, length in enumerate(lengths):
        y[:length, batch] = y[:length, batch][::-1].copy()
    return y.swapaxes(0, time_axis)


def take(x, indices, axis):
    """Like numpy.take, which takes hours for a tensor without elements whose other sizes are large."""
    return x[(slice(None),) * axis + (np.asarray(indices, dtype=np.int64),)]


def gather(x, indices, axis=0):
    if x.ndim < 1:
        raise Refused("bad_rank")
    axis = axis_of(axis, x.ndim)
    if any(not -x.shape[axis] <= i < x.shape[axis] for i in np.ravel(indices)):
        raise Refused("bad_index")
    return take(x, indices, axis)


def identity(x):
    return x


def cast(x, to, **rules):
    """Returns x: element numbers do not change with the element type."""
    del to, rules
    return x


# ---- rearrange: the patterns of einops and the sums of einx ---------------------------------------


def pattern_side(text):
    """Parses one side of a pattern: the axes of each tensor, the terms of each axis, the names of each term.

    "b (h 2) 1, (q + k)" is [[[["b"]], [["h", "#2.0"]], [[]]], [[["q"], ["k"]]]]. Axes of 1 have no
    name. Other numbers get a name from their value and a counter. `...` stands for the axes "...0", "...1" and so on.
    """
    tensors, seen = [[]], {}
    group = None  # the axis whose bracket is open
    for token in re.findall(r"\.\.\.|[(),+]|\w+(?:=\d+)?", text):
        if token == ",":
            tensors.append([])
            seen = {}
        elif token == "(":
            group = [[]]
        elif token == ")":
            tensors[-1].append(group)
            group = None
        elif token == "+":
            group.append([])
            seen = {}
        else:
            name = token.split("=")[0]
            if name.isdigit() and name != "1":
                count = seen[name] = seen.get(name, -1) + 1
                name = f"#{name}.{count}"
            names = [] if name == "1" else [name]
            if group is not None:
                group[-1] += names
            elif name == "...":
                tensors[-1].append("...")
            else:
                tensors[-1].append([names])
    return tensors


def open_dots(tensors, rank):
    """Replaces `...` by names: one axis with all of them in brackets, else an axis for each."""
    dots = [f"...{i}" for i in range(rank)]
    for groups in tensors:
        for g, terms in reversed(list(enumerate(groups))):
            if terms == "...":
                groups[g : g + 1] = [[[d]] for d in dots]
            else:
                groups[g] = [
                    [n for t in term for n in (dots if t == "..." else [t])] for term in terms
                ]
    return tensors


def pieces_of(groups):
    """Splits a tensor with sums into pieces without: one for each choice of terms, the last axis varying fastest."""
    return [list(choice) for choice in itertools.product(*groups)]


def solve_sizes(tensors, xs, sizes):
    """Computes the sizes of all names on the left from the given sizes and those of the tensors."""

    def product(names):
        known = [sizes[n] for n in names if n in sizes]
        return math.prod(known), [n for n in names if n not in sizes]

    for _ in range(4):
        for groups, x in zip(tensors, xs):
            if len(groups) != x.ndim:
                raise Refused("bad_pattern")
            for terms, extent in zip(groups, x.shape):
                open_terms = [t for t in terms if product(t)[1]]
                if len(open_terms) != 1:
                    continue
                known, unknown = product(open_terms[0])
                rest = extent - sum(product(t)[0] for t in terms if t is not open_terms[0])
                if len(unknown) == 1:
                    if rest < 0:
                        raise Refused("bad_parts")
                    if known == 0:
                        raise Refused("ambiguous_infer")
                    if rest % known:
                        raise Refused("not_divisible")
                    sizes[unknown[0]] = rest // known
    for groups, x in zip(tensors, xs):
        for terms, extent in zip(groups, x.shape):
            if any(n not in sizes for t in terms for n in t):
                raise Refused("bad_pattern")
            if sum(product(t)[0] for t in terms) != extent:
                raise Refused("bad_pattern")


def rearrange_piece(x, left, right, sizes):
    """Rearranges one piece: "a (b c)" to "c (a b)". Names that are only on the right repeat."""
    have = [n for names in left for n in names]
    want = [n for names in right for n in names]
    x = np.ascontiguousarray(x).reshape([sizes[n] for n in have] + [1] * (len(want) - len(have)))
    new = iter(range(len(have), len(want)))
    x = x.transpose([have.index(n) if n in have else next(new) for n in want])
    x = np.broadcast_to(x, [sizes[n] for n in want])
    return np.ascontiguousarray(x).reshape([math.prod(sizes[n] for n in names) for names in right])


def join_pieces(pieces, groups):
    """Inverts pieces_of: concatenates pieces along each axis with several terms."""
    for axis in reversed(range(len(groups))):
        n = len(groups[axis])
        pieces = [
            np.concatenate(pieces[i : i + n], axis=axis) if n > 1 else pieces[i]
            for i in range(0, len(pieces), n)
        ]
    return pieces[0]


def rearrange(*xs, pattern, **sizes):
    """Rearranges: each piece on the right uses the first on the left with the same names, or with some of them."""
    texts = pattern.split("->")
    sizes = {**sizes, **{n: int(k) for n, k in re.findall(r"(\w+)=(\d+)", pattern)}}
    left, right = (pattern_side(t) for t in texts)
    for n in {n for groups in left + right for terms in groups for term in terms for n in term}:
        if n.startswith("#"):
            sizes[n] = int(n[1:].split(".")[0])
    axes = [n.ndim - (len(g) - 1) for g, n in zip(left, xs) if "..." in g]
    rank = axes[0] if axes else 0
    left, right = open_dots(left, rank), open_dots(right, rank)
    solve_sizes(left, xs, sizes)
    have = []
    for groups, x in zip(left, xs):
        values = [x]
        for axis, terms in enumerate(groups):
            ends = np.cumsum([math.prod(sizes[n] for n in t) for t in terms])
            values = [part for v in values for part in np.split(v, ends[:-1], axis=axis)]
        have += list(zip(pieces_of(groups), values))
    results = []
    for groups in right:
        made = []
        for piece in pieces_of(groups):
            want = {n for names in piece for n in names}
            sets = [{n for names in p for n in names} for p, _ in have]
            found = [i for i, s in enumerate(sets) if s == want] + [
                i for i, s in enumerate(sets) if s < want
            ]
            if not found:
                raise Refused("bad_pattern")
            names, x = have.pop(found[0])
            made.append(rearrange_piece(x, names, piece, sizes))
        results.append(join_pieces(made, groups))
    if have:
        raise Refused("bad_pattern")
    return results if len(results) > 1 else results[0]


def dialect_reshape(dialect):
    """Returns the reshape of one system as an operator, with its flags and, if it has one, its activation."""

    def reshape_as(x, dims, act=None, inplace=None, **flags):
        del act, inplace  # these do not change element numbers
        sizes = reshape_dialect(dialect, list(x.shape), dims, **flags)
        return np.ascontiguousarray(x).reshape(sizes)

    return reshape_as


DIALECTS = {
    "onnx.reshape": "onnx",
    "openvino.reshape": "openvino",
    "onednn.static_reshape": "onednn",
    "onednn.dynamic_reshape": "onednn",
    "paddle.reshape": "paddle",
}

OPERATORS = {
    "reshape": reshape,
    "transpose": transpose,
    "flatten": flatten,
    "squeeze": squeeze,
    "unsqueeze": unsqueeze,
    "flip": flip,
    "expand": expand,
    "slice": slice_,
    "split": split,
    "concat": concat,
    "stack": stack,
    "depth_to_space": depth_to_space,
    "space_to_depth": space_to_depth,
    "identity": identity,
    "rearrange": rearrange,
    "pad": pad,
    "center_crop_pad": center_crop_pad,
    "tile": tile,
    "repeat": repeat,
    "roll": roll,
    "reverse_sequence": reverse_sequence,
    "gather": gather,
    "cast": cast,
    "bitcast": cast,
    **{name: dialect_reshape(dialect) for name, dialect in DIALECTS.items()},
    **{name: identity for name in casts.EXACT},  # element numbers do not change with the elements
}


# ---- element maps --------------------------------------------------------------------------------


def element_numbers(shapes):
    """Returns an array of numbers for each input, consecutive over all inputs, and the first number of each."""
    arrays, bases, base = [], [], 0
    for dims in shapes:
        count = math.prod(dims)
        arrays.append(np.arange(base, base + count, dtype=np.int64).reshape(dims))
        bases.append(base)
        base += count
    return arrays, bases


def view_of(numbers, bases):
    """Returns (input index, offset) if the map is one contiguous run of one input, else None.

    [4,5,6,7] over inputs that begin at 0 and 3 is (1, 1); an empty map is (None, 0).
    """
    flat = numbers.reshape(-1)
    if flat.size == 0:
        return None, 0
    if flat[0] < 0 or not np.array_equal(flat, np.arange(flat[0], flat[0] + flat.size)):
        return None
    owners = np.searchsorted(bases, [flat[0], flat[-1]], side="right") - 1
    if owners[0] != owners[1]:
        return None
    return int(owners[0]), int(flat[0] - bases[owners[0]])


def checksum(numbers):
    """Returns the corpus's checksum of an element map: sum of m_j * (2j+1) mod 2^64, where m_j is a mix of s_j + 1."""
    with np.errstate(over="ignore"):
        mixed = (numbers.reshape(-1).astype(np.int64) + 1).astype(np.uint64)
        mixed *= np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(32)
        weights = np.arange(mixed.size, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
        total = np.sum(mixed * weights, dtype=np.uint64)
    return f"{int(total):016x}"
