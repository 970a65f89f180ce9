# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Columns count characters, and a tab as one; the caret line keeps tabs, and ~ underlines to the end of the line.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck --strict-whitespace --match-full-lines -DFILE=%s %s
#CHECK:[[FILE]]:[[#@LINE+4]]:20: error: expected end of line before 'twice'
#CHECK-NEXT:	y = f("größe 大小") twice
#CHECK-NEXT:	                  ^~~~~
graph g(x: f32[2]) -> y {
	y = f("größe 大小") twice
#CHECK:[[FILE]]:[[#@LINE+3]]:13: error: string is not closed before the end of the line
#CHECK-NEXT:    z = f(x,"cut it
#CHECK-NEXT:            ^~~~~~~
    z = f(x,"cut it
}
