# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of JAX: all element types, views, refusals."""
import os

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np

import reshapec as rs
from refused import refused

for name in ("bool", "uint8", "int8", "int16", "int32", "uint32", "float16", "bfloat16", "float32", "complex64", "int4", "float8_e4m3fn",
             "float8_e5m2", "float8_e4m3fnuz"):
    x = jnp.arange(24).reshape(4, 6).astype(name)
    y = rs.rearrange(x, "a (b c) -> c b a", c=2)
    assert isinstance(y, jax.Array) and y.dtype == x.dtype and (np.asarray(y) == np.asarray(x).reshape(4, 3, 2).T).all(), name

x = jnp.arange(6.0).reshape(2, 3)
assert (rs.rearrange(x, "a b -> (a b)") == x.reshape(-1)).all()  # a view of what cannot be written to
packed, shapes = rs.pack([x, x], "a *")
assert all((part == x).all() for part in rs.unpack(packed, shapes, "a *"))
assert (rs.repeat(x, "a b -> a (b 2)") == jnp.repeat(x, 2, 1)).all()
assert (rs.jit(lambda a: a.T * 2.0)(x) == x.T * 2).all()
assert (rs.concat([x, x], axis=1) == jnp.concatenate([x, x], 1)).all()

b = x.astype("bfloat16")
y, z = rs.compile("graph f(x: bf16[2, 3]) -> (y, z: f32[2, 3]) { y = transpose(x)\n z = cast(x, f32) }")(b)
assert y.dtype == b.dtype and (y == b.T).all() and (z == x).all()
assert (rs.jit(lambda a: a.T.astype("f4"))(b) == x.T).all()

# In a graph of JAX, as its own documents advise: a call of the host.
outside = jax.ShapeDtypeStruct((3, 2), x.dtype)
assert (jax.jit(lambda a: jax.pure_callback(lambda a: rs.rearrange(a, "a b -> b a"), outside, a) + 1)(x) == x.T + 1).all()
refused(rs.CallError, "traced by JAX", jax.jit(lambda a: rs.rearrange(a, "a b -> b a")), x)
refused(rs.CallError, "traced by JAX", jax.grad(lambda a: rs.rearrange(a, "a b -> b a").sum()), x)
refused(ValueError, "read-only", rs.rearrange, x, "a b -> b a", out=jnp.zeros((3, 2)))
