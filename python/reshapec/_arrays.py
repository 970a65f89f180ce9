# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of other libraries to arrays of numpy, and back."""
import numpy as np

from reshapec._errors import CallError

CPU = 1  # kDLCPU of dlpack.h


def to_numpy(x, what="the argument"):
    """An array of numpy in row-major order, and what makes a result the kind of array that x is.

    Arrays of numpy and buffers stay in numpy; others come by DLPack. Nothing is copied, unless the elements are not in
    row-major order without gaps.
    """
    back = None
    if not isinstance(x, np.ndarray):
        device = getattr(x, "__dlpack_device__", None)
        if device is not None:
            kind = int(device()[0])
            if kind != CPU:
                raise CallError(f"{what} is on a device (DLPack type {kind}): kernels run on the processor, copy it there first")
            back = _from_numpy_of(x)
            x = _by_dlpack(x)
        else:
            try:
                x = np.asarray(memoryview(x))
            except TypeError:
                raise CallError(f"{what} is a {type(x).__name__}, which is neither a buffer nor knows DLPack") from None
    if x.dtype.hasobject:
        raise CallError(f"{what} holds Python objects, not elements that can be copied")
    # An exact array: what a subclass means by its elements is not known here. (ascontiguousarray makes scalars 1-D.)
    x = x.view(np.ndarray)
    return (x if x.flags.c_contiguous else np.array(x, order="C")), back


def _by_dlpack(x):
    if getattr(x, "requires_grad", False):
        raise CallError("there are no gradients here: give x.detach()")
    try:
        return np.from_dlpack(x)
    except (BufferError, RuntimeError, TypeError) as error:
        raise CallError(f"numpy cannot take the {type(x).__name__} by DLPack: {error}") from None


def _from_numpy_of(x):
    import importlib

    name = type(x).__module__.split(".")[0]
    module = importlib.import_module({"jaxlib": "jax.numpy", "jax": "jax.numpy"}.get(name, name))
    from_dlpack = getattr(module, "from_dlpack", None)
    if from_dlpack is None:
        return None
    return from_dlpack


def give_back(results, back):
    """The results, of which there are several in a tuple, as arrays of the library that the inputs came from."""
    if back is None:
        return results
    return tuple(map(back, results)) if isinstance(results, tuple) else back(results)
