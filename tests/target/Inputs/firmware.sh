#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RESHAPEC FILE POINTER-BYTES TRIPLE OPTIONS...: compiles kinds.rsh, and looks at the object and the header.
set -eu
reshapec=$1 file=$2 bytes=$3
shift 3
sh "$(dirname "$0")/freestanding.sh" "$reshapec" "$file" "$@"
printf 'rsh_program_run\nrsh_program_shape\n' | sort | diff - undefined
grep -q '^\.text\.turned ' sections
grep -q '^\.rodata\.target\.tape ' sections
grep -q "sizeof(void \*) == $bytes," firmware.h
