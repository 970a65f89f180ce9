#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ONE OTHER WORK: two builds of the compiler make the same code of every text in the tree. C leaves the order in which
# arguments are evaluated to its compiler: a call with two that each add code made gcc's and clang's builds differ.
set -eu
one=$1 other=$2 work=$3
cd "$(dirname "$0")/../../.."
rm -rf "$work"
mkdir -p "$work"
cat > "$work/compare" <<'END'
set -eu
for options in --dump=code "--emit=llvm-ir -O0 --parallel -o -"; do
  for build in "$1" "$2"; do
    "$build" "$3" $options -fno-verify > "$4/$$.$(basename "$(dirname "$build")")" 2>&1 || true # some texts are refused
  done
  cmp "$4/$$".* || { echo "$3 $options"; exit 1; }
  cat "$4/$$".* | wc -c
  rm "$4/$$".*
done
END
find tests examples -name '*.rsh' | sort | xargs -P 2 -I FILE sh "$work/compare" "$one" "$other" FILE "$work" > "$work/sizes"
awk '$1 > 0 {n++} END {print n, "outputs are the same"; exit n < 600}' "$work/sizes"
