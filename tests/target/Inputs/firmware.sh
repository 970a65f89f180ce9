#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RESHAPEC FILE POINTER-BYTES TRIPLE OPTIONS...: compiles, and looks at the object and the header.
set -eu
reshapec=$1 file=$2 bytes=$3
shift 3
"$reshapec" "$file" --target="$@" -o firmware.o --header firmware.h
llvm-nm --undefined-only --format=just-symbols firmware.o > undefined
printf 'rsh_program_run\nrsh_program_shape\n' | sort | diff - undefined
# Flags of sections: W is writable.
llvm-readelf -SW firmware.o | sed -n 's/^ *\[ *[0-9]*\] //p' | awk '$2 != "NULL"' > sections
if awk '$7 ~ /W/' sections | grep .; then exit 1; fi
if grep -E '^\.(text|rodata|data|bss|eh_frame)' sections | awk '$5 != "000000"' | grep -E '^\.(text|rodata) '; then exit 1; fi
grep -q '^\.text\.turned ' sections
grep -q '^\.rodata\.target\.tape ' sections
grep -q "sizeof(void \*) == $bytes," firmware.h
