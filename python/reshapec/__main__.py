# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line: `reshapec`, and `python -m reshapec`. It runs the compiler's executable in the package."""
import os
import sys


def main() -> None:
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "reshapec")
    sys.stdout.flush()
    os.execv(program, ["reshapec", *sys.argv[1:]])


if __name__ == "__main__":
    main()
