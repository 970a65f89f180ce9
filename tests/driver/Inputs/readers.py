# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints of each pipe that is named whether a process reads from it."""

import errno
import os
import sys

for pipe in sys.argv[1:]:
    try:
        os.close(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))
        print(f"{pipe} is read")
    except OSError as error:
        print(f"{pipe} is not read" if error.errno == errno.ENXIO else error)
