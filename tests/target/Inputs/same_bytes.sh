#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ONE OTHER FOLDER: two builds of the compiler give the same bytes, the second in a different environment: folder,
# language, time zone, umask, home, size of the environment, addresses of memory, time.
set -eu
one=$1 other=$2 work=$3
inputs=$(cd "$(dirname "$0")/../../cross/Inputs" && pwd)
rm -rf "$work"
mkdir -p "$work/one" "$work/the other one/deeper"
cp "$inputs"/*.rsh "$work/one"
cp "$inputs"/*.rsh "$work/the other one/deeper"

# COMPILER...: all outputs that it makes of the files here.
cat > "$work/make.sh" <<'END'
set -eu
for file in moves sizes numbers programs; do
  "$@" $file.rsh --target=x86_64-linux-gnu -mcpu=x86-64-v3 -g -o $file-x86.o --header $file-x86.h
  "$@" $file.rsh --target=x86_64-linux-gnu --emit=c -o $file.c --header $file.h
  "$@" $file.rsh --target=thumbv7em-none-eabihf -mcpu=cortex-m4 -Os -o $file-arm.o --header $file-arm.h --report=json > $file.json
done
END
(cd "$work/one" && sh ../make.sh "$one")
(cd "$work/the other one/deeper" && umask 077 &&
  env -i PATH="$PATH" LC_ALL=tr_TR.UTF-8 LANG=de_DE.ISO-8859-1 TZ=Pacific/Kiritimati HOME=/nowhere COLUMNS=40 TERM=xterm \
    LONG="$(seq 2000 | tr '\n' ' ')" sh ../../make.sh "$other")
diff -r "$work/one" "$work/the other one/deeper"
ls "$work/one" | grep -c '\.[och]$'
