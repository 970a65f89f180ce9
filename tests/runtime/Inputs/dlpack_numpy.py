"""Random numpy arrays of random strides through the runtime's DLPack functions, compared with numpy's own copy."""
import ctypes
import random
import sys

import numpy as np


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


class Managed(ctypes.Structure):
    _fields_ = [("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
pointer_of.restype = ctypes.POINTER(Managed)
pointer_of.argtypes = [ctypes.py_object, ctypes.c_char_p]
TYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]


def any_view(array):
    """Returns the array reversed, sliced, broadcast, and with its axes transposed."""
    cuts = []
    for size in array.shape:
        step = random.choice([1, 1, 1, 2, -1, -3])
        cuts.append(slice(None, None, step))
        assert size >= 0
    array = array[(*cuts, ...)]
    return array.transpose(random.sample(range(array.ndim), array.ndim))


def main():
    library = ctypes.CDLL(sys.argv[1])
    random.seed(5)
    rng = np.random.default_rng(5)
    for _ in range(3000):
        shape = [random.choice([0, 1, 1, 2, 3, 5, 17]) for _ in range(random.randrange(6))]
        dtype = np.dtype(random.choice(TYPES))
        whole = rng.integers(0, 2 if dtype == "?" else 100, shape).astype(dtype)
        source = any_view(whole)
        room = np.zeros([2 * size + 1 for size in source.shape], dtype)
        result = room[(*(slice(1, None, 2) for _ in source.shape), ...)]
        if random.random() < 0.5 and result.ndim:
            result = result[::-1]
        capsules = source.__dlpack__(), result.__dlpack__()
        tensors = [pointer_of(capsule, b"dltensor").contents.tensor for capsule in capsules]
        status = library.copy(*(ctypes.byref(tensor) for tensor in tensors))
        assert status == 0, status
        assert np.array_equal(result, source)
        result[...] = 0
        assert not room.any()  # nothing next to it was written
        dims, strides, view = (ctypes.c_int64 * 16)(), (ctypes.c_int64 * 16)(), Tensor()
        status = library.view(ctypes.byref(tensors[0]), dims, strides, ctypes.byref(view))
        assert status == 0, status
        if source.size:
            steps = [stride * dtype.itemsize for stride in strides[:view.ndim]]
            assert view.data + view.byte_offset == source.ctypes.data
            assert tuple(dims[:view.ndim]) == source.shape
            assert all(a == b or n == 1 for a, b, n in zip(steps, source.strides, source.shape))


main()
