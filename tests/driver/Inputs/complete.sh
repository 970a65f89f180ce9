# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Prints the completions that bash would offer for the last word: complete.sh SCRIPT WORD ...
compopt() { :; }
. "./$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_reshapec
printf '%s\n' "${COMPREPLY[@]}"
