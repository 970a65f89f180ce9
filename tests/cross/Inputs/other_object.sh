#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A linker that takes $OTHER in place of the object that it is given.
for word; do
  shift
  case $word in */object.o) word=$OTHER ;; esac
  set -- "$@" "$word"
done
exec "$LINKER" "$@"
