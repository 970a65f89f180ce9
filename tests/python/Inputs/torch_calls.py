# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors of PyTorch against its own reshape, permute, expand, cat and split: elements, gradients, compiled graphs."""
import sys

import numpy as np
import torch

import reshapec as rs
from refused import refused


def rearranged(x):
    return rs.rearrange(x, "a (b c) d -> c (d a) b", c=2)


def rearranged_by_torch(x):
    a, bc, d = x.shape
    return x.reshape(a, bc // 2, 2, d).permute(2, 3, 0, 1).reshape(2, d * a, bc // 2)


def dotted(x):
    return rs.rearrange(x, "a ... c -> c (... a)")


def dotted_by_torch(x):
    return x.permute(x.dim() - 1, *range(1, x.dim() - 1), 0).reshape(x.shape[-1], -1)


def flat(x):
    return rs.rearrange(x, "a b c -> (a b) c")


def flat_by_torch(x):
    return x.reshape(-1, x.shape[2])


def repeated(x):
    return rs.repeat(x, "a b c -> a r b (c 3)", r=2)


def repeated_by_torch(x):
    a, b, c = x.shape
    return x[:, None, :, :, None].expand(a, 2, b, c, 3).reshape(a, 2, b, c * 3)


def listed(x, y):
    return rs.rearrange([x, y], "n a b c -> a (n c) b")


def listed_by_torch(x, y):
    return torch.stack([x, y]).permute(1, 0, 3, 2).reshape(x.shape[0], -1, x.shape[1])


def packed(x, y):
    return rs.pack([x, rs.repeat(y, "a b c -> a b 2 c")], "a * c")[0]


def packed_by_torch(x, y):
    return torch.cat([x, y[:, :, None].expand(-1, -1, 2, -1).reshape(y.shape[0], -1, y.shape[2])], 1)


def unpacked(x):
    return rs.unpack(x, [(2,), (), (-1,)], "a * c")


def unpacked_by_torch(x):
    return [x[:, :2], x[:, 2], x[:, 3:]]


CASES = [(rearranged, rearranged_by_torch, 1), (dotted, dotted_by_torch, 1), (flat, flat_by_torch, 1), (repeated, repeated_by_torch, 1),
         (listed, listed_by_torch, 2), (packed, packed_by_torch, 2), (unpacked, unpacked_by_torch, 1)]


def parts(x):
    return list(x) if isinstance(x, (list, tuple)) else [x]


def element_types():
    names = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64", "complex128",
             "uint16", "uint32", "uint64", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu"]
    for name in names:
        dtype = getattr(torch, name, None)
        if dtype is None or (name in ("uint16", "uint32", "uint64") and not hasattr(torch, "float8_e4m3fn")):
            continue
        x = torch.arange(24).reshape(4, 6).to(torch.float32).to(dtype)
        y = rs.rearrange(x, "a (b c) -> c b a", c=2)
        assert y.dtype == dtype and y.shape == (2, 3, 4), name
        assert torch.equal(y.to(torch.float64 if not x.is_complex() else x.dtype),
                           x.to(torch.float64 if not x.is_complex() else x.dtype).reshape(4, 3, 2).permute(2, 1, 0)), name
        out = torch.empty(2, 3, 4, dtype=dtype)
        assert rs.rearrange(x, "a (b c) -> c b a", c=2, out=out) is out and torch.equal(out.view(torch.uint8), y.view(torch.uint8))
    x = torch.arange(6).reshape(2, 3).to(torch.bfloat16)
    kernel = rs.compile("graph f(x: bf16[2, 3]) -> (y, z: f32[2, 3]) { y = transpose(x)\n z = cast(x, f32) }")
    y, z = kernel(x)
    assert y.dtype == torch.bfloat16 and torch.equal(y, x.T) and z.dtype == torch.float32 and torch.equal(z, x.float())
    into = torch.empty(3, 2, dtype=torch.bfloat16)
    assert kernel(x, out=(into, None))[0] is into and torch.equal(into, x.T)
    refused(rs.CallError, "argument 1 is bfloat16, but the kernel takes f16", rs.compile("graph f(x: f16[2, 3]) -> y { y = transpose(x) }"), x)
    refused(rs.PatternError, "differ in type: bfloat16, float16", lambda: rs.pack([x, x.half()], "a *"))


def kinds_of_tensors():
    x = torch.arange(12.0).reshape(3, 4)
    assert torch.equal(rs.rearrange(x[:, ::2], "a b -> b a"), x[:, ::2].T)
    assert torch.equal(rs.rearrange(torch.tensor(3.0), "-> 1"), torch.tensor([3.0]))
    assert rs.rearrange(torch.zeros(0, 3), "a b -> b a").shape == (3, 0)
    z = torch.complex(x, x + 1).conj()
    assert torch.equal(rs.rearrange(z, "a b -> b a"), z.T) and torch.equal(rs.rearrange(z.imag, "a b -> b a"), z.imag.T)
    assert rs.rearrange(x, "a b -> (a b)").data_ptr() == x.data_ptr()
    # A result's array is filled in place, or refused: never copied.
    refused(rs.CallError, "out must be row-major", rs.rearrange, x, "a b -> b a", out=torch.empty(3, 4).T)
    fixed = np.arange(6.0).reshape(2, 3)
    fixed.flags.writeable = False
    same = rs.compile("graph f(a: f64[2, 3], b: f64[1]) -> y { y = a }")(fixed, torch.zeros(1, dtype=torch.float64))
    same += 1
    assert fixed[0, 0] == 0, "a read-only array was written to by a tensor"
    refused(rs.CallError, "is on the device 'meta'", rs.rearrange, torch.zeros(2, 2, device="meta"), "a b -> b a")
    refused(rs.CallError, "torch.sparse_coo", rs.rearrange, torch.eye(3).to_sparse(), "a b -> b a")
    double = rs.jit(lambda a: a.T * 2.0)
    assert torch.equal(double(x), x.T * 2) and torch.equal(rs.concat([x, x]), torch.cat([x, x]))


def gradients():
    torch.manual_seed(0)
    for function, by_torch, count in CASES:
        xs = [torch.randn(4, 6, 2, dtype=torch.float64, requires_grad=True) for _ in range(count)]
        for y, z in zip(parts(function(*xs)), parts(by_torch(*xs))):
            assert torch.equal(y, z), function.__name__
        weights = [torch.randn_like(y) for y in parts(function(*xs))]
        ours, theirs = (torch.autograd.grad(sum((y * w).sum() for y, w in zip(parts(f(*xs)), weights)), xs) for f in (function, by_torch))
        assert all(map(torch.allclose, ours, theirs)), function.__name__
        assert torch.autograd.gradcheck(function, xs) and torch.autograd.gradgradcheck(function, xs), function.__name__
    x = torch.randn(4, 6, requires_grad=True)
    y = rs.rearrange(x, "a b -> (a b)")
    y.data.zero_()
    assert x.abs().sum() > 0, "a result with gradients is a view that PyTorch does not know of"
    with torch.no_grad():
        assert not rs.rearrange(x, "a b -> b a").requires_grad
    refused(rs.CallError, "out= has no gradients", rs.rearrange, x, "a b -> b a", out=torch.empty(6, 4))
    refused(rs.CallError, "give x.detach()", rs.compile("graph f(x: f32[4, 6]) -> y { y = transpose(x) }"), x)
    refused(rs.PatternError, "is for 3 axes", rs.rearrange, x, "a b c -> c b a")


def compiled():
    import reshapec.torch

    for function, _, count in CASES:
        for dynamic in (False, True):
            torch._dynamo.reset()
            whole = torch.compile(lambda *xs: [y * 2 for y in parts(function(*[x + 1 for x in xs]))], fullgraph=True, dynamic=dynamic)
            for shape in ((4, 6, 2), (6, 8, 3)):
                xs = [torch.randn(shape, requires_grad=True) for _ in range(count)]
                ours, theirs = whole(*xs), [y * 2 for y in parts(function(*[x + 1 for x in xs]))]
                assert all(map(torch.equal, ours, theirs)), function.__name__
                ours, theirs = (torch.autograd.grad(sum((y * y).sum() for y in ys), xs) for ys in (ours, theirs))
                assert all(map(torch.allclose, ours, theirs)), function.__name__
    x = torch.randn(4, 6, 2, requires_grad=True)
    torch.library.opcheck(torch.ops.reshapec.move, ([x], "repeat", "a b c -> c b a 2 r", ["r"], [3], False, None))
    torch.library.opcheck(torch.ops.reshapec.pack, ([x, x], "a *", None))
    torch.library.opcheck(torch.ops.reshapec.unpack, (x, [2, 4], [1, 1], "a * b", None))


element_types()
kinds_of_tensors()
gradients()
if hasattr(torch.library, "custom_op"):
    compiled()
    print(f"PyTorch {torch.__version__}: good")
else:
    print(f"PyTorch {torch.__version__}: good, but too old for torch.compile")
