#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compares kernels with memcpy, the runtime's engine and other libraries, in one run: `make bench`. BUILD, CC, CXX and
# PYTHON are as in make; HPTT is the folder of that library, built. With --planner as the first argument: compares the
# planner's choices with the best of its search space.
set -eu
BUILD=${BUILD:-build}
CC=${CC:-cc}
CXX=${CXX:-c++}
PYTHON=${PYTHON:-build/venv/bin/python}
here=$(dirname "$0")
if [ "${1:-}" = --planner ]; then
  shift
  exec "$PYTHON" "$here/planner.py" --reshapec "$BUILD/reshapec" --work "$BUILD/bench/planner" "$@"
fi
exec "$PYTHON" "$here/bench.py" --reshapec "$BUILD/reshapec" --cc "$CC" --cxx "$CXX" ${HPTT:+--hptt "$HPTT"} \
  --runtime "$BUILD/librsh_runtime.a" --work "$BUILD/bench" "$@"
