#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Prints the licenses of the third-party code in a program, from the copyright files of the Debian packages that it is
# built from. usage: notices.sh PROGRAM PACKAGES...; of the packages in one argument, the first installed one counts
set -eu
echo "$1 holds code of the projects below. Their licenses follow, as their packages state them."
shift
for packages in "$@"; do
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
