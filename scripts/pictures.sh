#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The pictures of README.md: three chains of real models, from tests/corpus.
#
#   pictures.sh RESHAPEC PYTHON FOLDER
set -eu
root=$(dirname "$0")/..
for chain in bert-q-heads swin-patch-merge-slices txl-rel-shift; do
  "$2" "$root/tests/corpus/corpus.py" --print --only "^$chain\$" > "$3/$chain.rsh.new"
  "$1" explain --svg - < "$3/$chain.rsh.new" > "$3/$chain.svg.new"
  mv "$3/$chain.svg.new" "$3/$chain.svg"
  rm "$3/$chain.rsh.new"
done
