# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Patterns within torch.compile: importing this module registers rearrange, repeat, pack and unpack with PyTorch
(2.4 or newer).

    import reshapec.torch

    @torch.compile(fullgraph=True)
    def heads(x):
        return rs.rearrange(x, "b s (h d) -> b h s d", h=12)

Their kernels become operators of the graph, `reshapec::move`, `pack` and `unpack`, with shapes and gradients that PyTorch can trace.
Gradients of calls that are not compiled need no import.
"""
from __future__ import annotations

from typing import Any, Optional, Sequence

import torch

import reshapec as rs
from reshapec._gradient import apart, undo
from reshapec._pattern import pack_shapes, shape_of, unpack_shapes

__all__: list[str] = []


# ---- rearrange and repeat: reshapec::move


def _move(tensors: Sequence[torch.Tensor], which: str, pattern: str, names: Sequence[str], sizes: Sequence[int], is_list: bool,
          threads: Optional[int]) -> torch.Tensor:
    x = list(tensors) if is_list else tensors[0]
    return apart(getattr(rs, which)(x, pattern, threads=threads, **dict(zip(names, sizes))), tensors)


def _shape(tensors, is_list: bool) -> tuple:
    return (len(tensors), *tensors[0].shape) if is_list else tuple(tensors[0].shape)


def _move_shape(tensors, which, pattern, names, sizes, is_list, threads):
    return tensors[0].new_empty(shape_of(which, pattern, _shape(tensors, is_list), dict(zip(names, sizes))))


def _move_keep(ctx, inputs, output):
    tensors, which, pattern, names, sizes, is_list, threads = inputs
    ctx.call = which, pattern, _shape(tensors, is_list), dict(zip(names, sizes))
    ctx.is_list, ctx.threads = is_list, threads


def _move_back(ctx, gradient):
    result = undo(*ctx.call, gradient, lambda x, pattern, sizes: _in_graph("rearrange", x, pattern, sizes, ctx.threads))
    none = _no_gradients(ctx.call[3])
    return (list(result.unbind(0)) if ctx.is_list else [result]), None, None, none, none, None, None


def _no_gradients(numbers) -> Optional[list]:
    """The gradient of a list that is not of tensors. PyTorch treats an empty list as a list of tensors."""
    return None if numbers else []


def _in_graph(which: str, x, pattern: str, sizes: dict, threads: Optional[int]):
    is_list = isinstance(x, (list, tuple))
    return torch.ops.reshapec.move(list(x) if is_list else [x], which, pattern, list(sizes), list(sizes.values()), is_list, threads)


def _rearrange(x, pattern, *, out=None, threads=None, **sizes):
    _no_out(out)
    return _in_graph("rearrange", x, pattern, sizes, threads)


def _repeat(x, pattern, *, out=None, threads=None, **sizes):
    _no_out(out)
    return _in_graph("repeat", x, pattern, sizes, threads)


def _no_out(out) -> None:
    if out is not None:
        raise rs.CallError("out= cannot be compiled by torch.compile: leave it out")


# ---- pack and unpack


def _pack(tensors: Sequence[torch.Tensor], pattern: str, threads: Optional[int]) -> torch.Tensor:
    return apart(rs.pack(list(tensors), pattern, threads=threads)[0], tensors)


def _pack_shape(tensors, pattern, threads):
    return tensors[0].new_empty(pack_shapes(pattern, [tuple(x.shape) for x in tensors])[0])


def _pack_keep(ctx, inputs, output):
    tensors, pattern, threads = inputs
    ctx.shapes, ctx.pattern, ctx.threads = pack_shapes(pattern, [tuple(x.shape) for x in tensors])[1], pattern, threads


def _pack_back(ctx, gradient):
    return list(_unpack_in_graph(gradient, ctx.shapes, ctx.pattern, threads=ctx.threads)), None, None


def _pack_in_graph(tensors, pattern, *, threads=None):
    shapes = pack_shapes(pattern, [tuple(x.shape) for x in tensors])[1]
    return torch.ops.reshapec.pack(list(tensors), pattern, threads), shapes


def _split(sizes: Sequence[int], ranks: Sequence[int]) -> list[tuple]:
    """Splits a list of concatenated shapes: [3, 4, 5], [1, 2] is [(3,), (4, 5)]."""
    shapes, begin = [], 0
    for rank in ranks:
        shapes.append(tuple(sizes[begin:begin + rank]))
        begin += rank
    return shapes


def _unpack(x: torch.Tensor, sizes: Sequence[int], ranks: Sequence[int], pattern: str, threads: Optional[int]) -> list[torch.Tensor]:
    parts = []
    for part in rs.unpack(x, _split(sizes, ranks), pattern, threads=threads):
        parts.append(apart(part, [x, *parts]))
    return parts


def _unpack_shape(x, sizes, ranks, pattern, threads):
    return [x.new_empty(shape) for shape in unpack_shapes(pattern, tuple(x.shape), _split(sizes, ranks))[0]]


def _unpack_keep(ctx, inputs, output):
    ctx.none, ctx.pattern, ctx.threads = (_no_gradients(inputs[1]), _no_gradients(inputs[2])), inputs[3], inputs[4]


def _unpack_back(ctx, gradients):
    return torch.ops.reshapec.pack(list(gradients), ctx.pattern, ctx.threads), *ctx.none, None, None


def _unpack_in_graph(tensor, packed_shapes, pattern, *, threads=None):
    shapes = [tuple(shape) for shape in packed_shapes]
    sizes = [size for shape in shapes for size in shape]
    return torch.ops.reshapec.unpack(tensor, sizes, [len(shape) for shape in shapes], pattern, threads) if shapes else []


# ---- Registration with PyTorch


def _define(name: str, schema: str, function: Any, shape: Any, keep: Any, back: Any) -> None:
    torch.library.custom_op(f"reshapec::{name}", function, mutates_args=(), device_types="cpu", schema=schema)
    torch.library.register_fake(f"reshapec::{name}", shape)
    torch.library.register_autograd(f"reshapec::{name}", back, setup_context=keep)


_define("move", "(Tensor[] tensors, str which, str pattern, str[] names, SymInt[] sizes, bool is_list, int? threads) -> Tensor",
        _move, _move_shape, _move_keep, _move_back)
_define("pack", "(Tensor[] tensors, str pattern, int? threads) -> Tensor", _pack, _pack_shape, _pack_keep, _pack_back)
_define("unpack", "(Tensor x, SymInt[] sizes, int[] ranks, str pattern, int? threads) -> Tensor[]", _unpack, _unpack_shape,
        _unpack_keep, _unpack_back)
for _theirs, _ours in ((rs.rearrange, _rearrange), (rs.repeat, _repeat), (rs.pack, _pack_in_graph), (rs.unpack, _unpack_in_graph)):
    torch.compiler.substitute_in_graph(_theirs, skip_signature_check=True)(_ours)
