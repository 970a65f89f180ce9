#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A linker that uses $OTHER instead of the object it is given.
for word; do
  shift
  case $word in */object.o) word=$OTHER ;; esac
  set -- "$@" "$word"
done
exec "$LINKER" "$@"
