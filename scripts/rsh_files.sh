#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Lists the texts of this repository that are in the layout of `reshapec fmt`: all except those that test
# other layouts or have syntax errors.
set -eu
cd "$(dirname "$0")/.."
find bench examples tests -name '*.rsh' ! -path 'tests/grammar/*' ! -path 'tests/fmt/*' \
  ! -name diag-place.rsh ! -path tests/target/Inputs/debug.rsh | LC_ALL=C sort
