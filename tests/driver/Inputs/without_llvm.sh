#!/bin/sh
# FOLDER COMPILER OPTION...: what the compiler says of each text here without making objects, in FOLDER. The options are
# for the commands that have a target.
set -u
folder=$1 compiler=$2
shift 2
for file in *.rsh; do
  name=$folder/${file%.rsh}
  echo "== $file"
  for variant in "-O2" "-Os --freestanding" "-Oz --freestanding --libm" "-O3 --parallel --prefix=p_" "-O0 --libc=mem"; do
    words=$(echo "$variant" | tr -d ' =')
    # shellcheck disable=SC2086 # options
    "$compiler" "$file" "$@" $variant --emit=c -o "$name$words.c" --header "$name$words.h"
  done
  "$compiler" explain --cost "$file" "$@" > "$name.txt"
  "$compiler" explain --json "$file" "$@" > "$name.json"
  "$compiler" explain --svg "$file" "$@" > "$name.svg"
  "$compiler" explain --dot "$file" "$@" > "$name.dot"
  "$compiler" "$file" "$@" --dump=plan --dump=code > "$name.plan"
  "$compiler" check "$file" > "$name.check" 2>&1
  cp "$file" "$name.fmt.rsh" && "$compiler" fmt "$name.fmt.rsh"
  sed '$d' "$file" > "$name.broken.rsh"
  "$compiler" check "$name.broken.rsh" 2>&1 | sed "s|$folder/||" > "$name.broken.txt"
  rm "$name.broken.rsh"
done

# C for each machine, of texts that move elements, compute with them, and call the runtime. DESCRIBED_BY_LLVM: features
# that change nothing, so that the target is no row of targets.def and LLVM describes it.
"$compiler" --print-targets | tail -n +2 | while read -r target option _; do
  case $option in -m*) ;; *) option= ;; esac
  same=
  [ "${DESCRIBED_BY_LLVM-}" ] && case $option in -mattr*) option=$option, ;; *) same=-mattr=, ;; esac
  for name in moves numbers programs; do
    for level in -O2 -Os; do
      to=$folder/$name-$target${option%,}$level
      # shellcheck disable=SC2086 # none, or one
      "$compiler" "$name.rsh" "--target=$target" $option $same $level --emit=c --dump=plan -o "$to.c" --header "$to.h" > "$to.plan"
      sed -i 's/ -mattr=,//; s/\(-mattr=+[a-z0-9]*\),\([,"]\)/\1\2/' "$to.c" "$to.h"
    done
    case $option in -mattr*) continue ;; esac # not for explain
    # shellcheck disable=SC2086
    "$compiler" explain --svg "$name.rsh" "--target=$target" $option > "$folder/$name-$target$option.svg"
  done
done
exit 0 # messages about mistakes are compared too
