# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""exits.py STATUS COMMAND...: runs the command and succeeds if it ends with that exit status.

A signal never matches.
"""

import subprocess
import sys

done = subprocess.run(sys.argv[2:], check=False)
if done.returncode != int(sys.argv[1]):
    what = f"signal {-done.returncode}" if done.returncode < 0 else f"exit {done.returncode}"
    sys.exit(f"exits.py: {what} in place of exit {sys.argv[1]}: {' '.join(sys.argv[2:])}")
