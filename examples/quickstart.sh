#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles the graphs of two examples to objects, links them with C programs, runs these, and compares the
# results with NumPy's. `make quickstart` calls it with BUILD, CC and PYTHON set.
set -eu

BUILD=${BUILD:-build}
CC=${CC:-cc}
PYTHON=${PYTHON:-build/venv/bin/python}
here=$(dirname "$0")
out=$BUILD/examples
mkdir -p "$out/attention" "$out/image"

run() {
    echo "\$ $*"
    "$@"
}

"$PYTHON" "$here/attention/make_data.py" "$out/attention"
"$PYTHON" "$here/image/make_picture.py" "$out/image"

for name in attention image; do
    run "$BUILD/reshapec" "$here/$name/$name.rsh" -O3 -mcpu=native -fverify -o "$out/$name.o" --header "$out/$name.h"
    run "$CC" -O2 -I "$out" "$here/$name/main.c" "$here/common/example.c" "$out/$name.o" -o "$out/$name/$name"
    run "$out/$name/$name" "$out/$name"
done
