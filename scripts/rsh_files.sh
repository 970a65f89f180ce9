#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The texts of this repository that stand in the layout of `reshapec fmt`: all but those that are about
# something else, or have syntax errors.
set -eu
cd "$(dirname "$0")/.."
find bench examples tests -name '*.rsh' ! -path 'tests/grammar/*' ! -path 'tests/fmt/*' \
  ! -name diag-place.rsh ! -path tests/target/Inputs/debug.rsh | LC_ALL=C sort
