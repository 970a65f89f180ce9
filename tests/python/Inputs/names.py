# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the last lines of tracebacks, and an exception sent from another process."""
import pickle
import traceback

import numpy as np
import reshapec as rs


def provoke(call):
    try:
        call()
    except Exception as error:
        print(traceback.format_exception_only(error)[0].splitlines()[0])
        return error
    raise AssertionError("no exception")


wrong = provoke(lambda: rs.compile("graph f(x: f32[2]) -> y { y = transpos(x) }"))
kernel = rs.compile("graph f(x: u8[2, 3]) -> y { y = transpose(x) }")
provoke(lambda: kernel(np.zeros((3, 3), "u1")))
provoke(lambda: rs.rearrange(np.zeros((2, 3)), "a -> a"))
print(type(pickle.loads(pickle.dumps(wrong))).__name__, "after pickle")
