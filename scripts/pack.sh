#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Packs a folder reproducibly: the same files give the same bytes for any user, time and place. Names are sorted; owners
# and times are fixed. usage: pack.sh FOLDER ARCHIVE.tar.xz EPOCH
set -eu
plain=${2%.xz}
tar --create --file="$plain" --format=ustar --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime="@$3" \
  --directory "$(dirname "$1")" "$(basename "$1")"
xz -T1 --force "$plain"
