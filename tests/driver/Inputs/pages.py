# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pages.py COMMAND...: runs a command and prints how many pages of memory it touched."""
import resource
import subprocess
import sys

subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt)
