# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients of patterns for PyTorch: the gradient of a pattern is another pattern, so it also has gradients."""
from __future__ import annotations

import sys
from functools import cache
from typing import Any, Optional


def is_wanted(x) -> bool:
    """True if an array, or one in a list, is a tensor that requires a gradient."""
    if not isinstance(x, (list, tuple)):
        if getattr(x, "requires_grad", False) is not True:
            return False
        torch = sys.modules.get("torch")
        return torch is not None and isinstance(x, torch.Tensor) and torch.is_grad_enabled()
    return any(map(is_wanted, x))


def undo(which: str, pattern: str, shape: tuple, sizes: dict, gradient, rearrange):
    """The gradient for a pattern's argument of this shape: gradients of elements that were repeated are added."""
    from reshapec._pattern import back

    pattern, sizes, is_sum = back(which, pattern, shape, sizes)
    result = rearrange(gradient, pattern, sizes)
    return result.sum(0) if is_sum else result


def apart(result, tensors):
    """A result that is not a view, cloned if necessary: PyTorch tracks views, but not those made here."""
    begin, end = _place(result)
    return result.clone() if any(of_begin < end and begin < of_end for of_begin, of_end in map(_place, tensors)) else result


def _place(x) -> tuple[int, int]:
    return x.data_ptr(), x.data_ptr() + x.numel() * x.element_size()


@cache
def _functions() -> tuple:
    import torch

    import reshapec as rs

    class Moved(torch.autograd.Function):
        @staticmethod
        def forward(ctx, which, pattern, sizes, options, is_list, *tensors):
            ctx.call = which, pattern, tensors[0].shape, sizes
            ctx.is_list = is_list
            return apart(getattr(rs, which)(list(tensors) if is_list else tensors[0], pattern, **sizes, **options), tensors)

        @staticmethod
        def backward(ctx, gradient):
            which, pattern, shape, sizes = ctx.call
            shape = (len(ctx.needs_input_grad) - 5, *shape) if ctx.is_list else shape
            result = undo(which, pattern, tuple(shape), sizes, gradient, lambda x, pattern, sizes: rs.rearrange(x, pattern, **sizes))
            return None, None, None, None, None, *(result.unbind(0) if ctx.is_list else (result,))

    class Packed(torch.autograd.Function):
        @staticmethod
        def forward(ctx, pattern, threads, shapes, *tensors):
            result, found = rs.pack(tensors, pattern, threads=threads)
            shapes.extend(found)
            ctx.pattern, ctx.shapes = pattern, found
            return apart(result, tensors)

        @staticmethod
        def backward(ctx, gradient):
            return None, None, None, *rs.unpack(gradient, ctx.shapes, ctx.pattern)

    class Unpacked(torch.autograd.Function):
        @staticmethod
        def forward(ctx, pattern, threads, shapes, tensor):
            ctx.pattern = pattern
            return tuple(apart(part, [tensor]) for part in rs.unpack(tensor, shapes, pattern, threads=threads))

        @staticmethod
        def backward(ctx, *gradients):
            return None, None, None, rs.pack(gradients, ctx.pattern)[0]

    return Moved, Packed, Unpacked


def moved(which: str, x, pattern: str, given: dict) -> Any:
    """rearrange and repeat."""
    from reshapec._errors import CallError

    if given.get("out") is not None:
        raise CallError("out= has no gradients: leave it out, or give x.detach()")
    options = {name: given[name] for name in ("out", "threads") if name in given}
    sizes = {name: size for name, size in given.items() if name not in options}
    is_list = isinstance(x, (list, tuple))
    return _functions()[0].apply(which, pattern, sizes, options, is_list, *(x if is_list else (x,)))


def packed(tensors, pattern: str, threads: Optional[int]) -> tuple[Any, list[tuple]]:
    shapes: list[tuple] = []
    return _functions()[1].apply(pattern, threads, shapes, *tensors), shapes


def unpacked(tensor, shapes, pattern: str, threads: Optional[int]) -> list:
    return list(_functions()[2].apply(pattern, threads, shapes, tensor))
