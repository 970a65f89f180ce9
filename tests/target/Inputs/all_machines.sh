#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RESHAPEC FILE: static kernels as objects for machines without an operating system, without undefined symbols.
set -eu
for machine in "thumbv6m-none-eabi -Os" "thumbv7em-none-eabi -mcpu=cortex-m4 -Os" "thumbv7em-none-eabihf -mcpu=cortex-m7" \
  "thumbv8.1m.main-none-eabihf -mcpu=cortex-m55" "riscv32-unknown-elf -Os" "riscv32-unknown-elf -mattr=+f" \
  riscv64-unknown-elf aarch64-none-elf; do
  # shellcheck disable=SC2086 # words
  sh "$(dirname "$0")/freestanding.sh" "$1" "$2" $machine
  if grep . undefined; then
    echo "$machine: these are not there"
    exit 1
  fi
done
