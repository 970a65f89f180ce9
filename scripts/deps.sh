#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs the missing packages of the lists in the given files.
# A line is a package and a comment. Packages of LLVM 19 are replaced by those of the LLVM that LLVM_CONFIG
# names: llvm-19-dev is llvm-22-dev with llvm-config-22; a self-built LLVM needs none.
# Exit status: 0 all are installed, 2 some are missing and cannot be installed.
set -eu

llvm_config=${LLVM_CONFIG:-llvm-config-19}
case $llvm_config in
llvm-config-[0-9]*) llvm="s/^llvm-19/llvm-${llvm_config#llvm-config-}/" ;;
*) llvm='/^llvm-19/d' ;;
esac

if ! command -v dpkg-query > /dev/null; then
  echo "deps: not a Debian or Ubuntu system; needed are the equivalents of: $*" >&2
  exit 0
fi

missing=
# shellcheck disable=SC2013 # words, not lines
for package in $(cat "$@" | sed -e 's/#.*//' -e "$llvm"); do
  case $(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2> /dev/null || true) in
  ?i*) ;;
  *) missing="$missing $package" ;;
  esac
done
[ -n "$missing" ] || exit 0

echo "deps: missing packages:$missing"
install="apt-get install -y --no-install-recommends$missing"
if [ "$(id -u)" = 0 ]; then
  as_root=
elif command -v sudo > /dev/null && { [ -t 0 ] || sudo -n true 2> /dev/null; }; then
  as_root=sudo
else
  echo "deps: this needs root; run: apt-get update && $install" >&2
  exit 2
fi

# An update can fail for an unrelated source; if it matters, the installation fails.
$as_root apt-get -q update || echo "deps: apt-get update failed, trying to go on" >&2
# shellcheck disable=SC2086 # words on purpose
if ! $as_root env DEBIAN_FRONTEND=noninteractive $install < /dev/null; then
  echo "deps: could not install:$missing" >&2
  exit 2
fi
