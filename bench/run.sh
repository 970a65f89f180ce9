#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Kernels against memcpy and the runtime's engine, in one run: `make bench`. BUILD, CC and PYTHON as in make.
set -eu
BUILD=${BUILD:-build}
CC=${CC:-cc}
PYTHON=${PYTHON:-build/venv/bin/python}
here=$(dirname "$0")
exec "$PYTHON" "$here/bench.py" --reshapec "$BUILD/reshapec" --cc "$CC" \
  --runtime "$BUILD/librsh_runtime.a" --work "$BUILD/bench" "$@"
