#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RESHAPEC FILE TRIPLE OPTIONS...: compiles to firmware.o and firmware.h, and inspects the object as a linker would. It
# leaves the undefined symbols in `undefined`, and the sections in `sections`.
set -eu
reshapec=$1 file=$2
shift 2
"$reshapec" "$file" --target="$@" -o firmware.o --header firmware.h 2> messages || { cat messages; exit 1; }
llvm-nm --undefined-only --format=just-symbols firmware.o > undefined
# "[ 3] .text.turned PROGBITS 00000000 000034 00006c 00 AX ..." as ".text.turned PROGBITS ...". Flags: W is writable.
llvm-readelf -SW firmware.o | sed -n 's/^ *\[ *[0-9]*\] //p' | awk '$1 != "NULL"' > sections
fail() {
  echo "$*"
  exit 1
}
! awk '$7 ~ /W/' sections | grep . || fail "this can be written to"
! grep -vE '^\.(text|s?rodata|ARM\.exidx|rel|rela)(\.| )|^\.(ARM\.attributes|riscv\.attributes|comment|note\.GNU-stack|symtab|strtab|llvm_addrsig) ' sections ||
  fail "firmware has no use for this"
! awk '/^\.(text|rodata|data|bss) / && $5 != "000000"' sections | grep . || fail "this is of no function"
