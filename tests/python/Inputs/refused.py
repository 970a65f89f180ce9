# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that a call is refused."""


def refused(kind, text, function, *args, **kwargs):
    try:
        function(*args, **kwargs)
    except kind as error:
        assert text in str(error), f"'{error}' does not say '{text}'"
        return error
    raise AssertionError(f"nothing was raised that says '{text}'")
