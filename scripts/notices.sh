#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Prints the licences of what the compiler and its library hold of others, from the copyright files that Debian installs
# with what they are built from. usage: notices.sh LLVM_VERSION
set -eu
echo "reshapec holds code of the projects below. Their licences follow, as their packages state them."
for packages in "llvm-$1-dev libllvm$1" "libstdc++-14-dev libstdc++-13-dev libstdc++-12-dev libstdc++6" \
  "libonnx-dev" "uthash-dev"; do
  found=
  for package in $packages; do
    file=/usr/share/doc/$package/copyright
    if [ -z "$found" ] && [ -r "$file" ]; then
      found=$package
      printf '\n==== %s\n\n' "$package"
      cat "$file"
    fi
  done
  [ -n "$found" ] || printf '\n==== %s\n\nNo copyright file is installed: see the source of the project.\n' "${packages%% *}"
done
