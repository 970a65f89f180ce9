#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes the pictures of the documentation: the first graph of README.md, and three chains of real models from
# tests/corpus.
#
#   pictures.sh RESHAPEC PYTHON FOLDER
set -eu
root=$(dirname "$0")/..
# shellcheck disable=SC2016  # backquotes of Markdown
sed -n '/^```rsh to_network.rsh/,/^```$/p' "$root/README.md" | sed '1d;$d' > "$3/to-network.rsh.new"
"$1" explain --svg - < "$3/to-network.rsh.new" > "$3/to-network.svg.new"
mv "$3/to-network.svg.new" "$3/to-network.svg"
rm "$3/to-network.rsh.new"
for chain in bert-q-heads swin-patch-merge-slices txl-rel-shift; do
  "$2" "$root/tests/corpus/corpus.py" --print --only "^$chain\$" > "$3/$chain.rsh.new"
  "$1" explain --svg - < "$3/$chain.rsh.new" > "$3/$chain.svg.new"
  mv "$3/$chain.svg.new" "$3/$chain.svg"
  rm "$3/$chain.rsh.new"
done
