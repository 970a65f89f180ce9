#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RESHAPEC FILE POINTER-BYTES TRIPLE OPTIONS...: compiles kinds.rsh, and checks the object and the header.
set -eu
reshapec=$1 file=$2 bytes=$3
shift 3
sh "$(dirname "$0")/freestanding.sh" "$reshapec" "$file" "$@"
# Of the runtime: only the rules of the two operators in dynamic graphs.
printf '%s\n' rsh_fold_activation rsh_fold_reshape rsh_program_copies rsh_program_moves rsh_program_run rsh_program_shape \
  rsh_rule_activation rsh_rule_reshape | diff - undefined
grep -q '^\.text\.turned ' sections
grep -q '^\.rodata\.target\.tape ' sections
grep -q "sizeof(void \*) == $bytes," firmware.h
