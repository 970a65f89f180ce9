#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks that files include only files of their own folder and of those above it in scripts/layers.txt, by paths from
# the root, that the runtime includes no system header that a freestanding compiler may lack, and that only codegen/llvm
# includes LLVM headers.
# usage: layers.sh [ROOT]; prints FILE:LINE of each wrong include, and fails if there is one.
set -eu
layers=$(grep -v '^#' "$(dirname "$0")/layers.txt" | tr '\n' ' ')
cd "${1:-$(dirname "$0")/..}"

# shellcheck disable=SC2016 # the dollars are awk's
find runtime frontend grammar codegen include library driver '(' -name '*.[chyl]' -o -name '*.def' ')' |
  LC_ALL=C sort | xargs awk -v layers="$layers" '
  function wrong(why) {
    printf "%s:%d: error: %s\n", FILENAME, FNR, why
    bad = 1
  }
  function layer_of(path) {
    while (!(path in rank) && sub(/\/[^\/]*$/, "", path))
      ;
    return path
  }
  BEGIN {
    count = split(layers, name, " ")
    for (i = 1; i <= count; i++) rank[name[i]] = i
    freestanding["<stdint.h>"] = freestanding["<stddef.h>"] = freestanding["<stdbool.h>"] = 1
  }
  /^[ \t]*#[ \t]*include[^a-z_]/ {
    what = $0
    sub(/^[ \t]*#[ \t]*include[ \t]*/, "", what)
    sub(/[ \t]*(\/[\/*].*)?\r?$/, "", what)
    here = layer_of(FILENAME)
    there = layer_of(substr(what, 2, length(what) - 2))
    if (there in rank) {
      if (rank[there] > rank[here]) wrong(here " must not include " what)
    } else if (what !~ /^</)
      wrong(what " is no path from the root into one of the layers")
    else if (here == "runtime" && !(what in freestanding))
      wrong("runtime is freestanding and must not include " what)
    else if (here != "codegen/llvm" && what ~ /^<llvm/)
      wrong(here " is built without LLVM too and must not include " what)
  }
  END { exit bad }'
