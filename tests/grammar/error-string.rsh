# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A string ends on its line, and has four escapes.
# RUN: not %{reshapec} check %s 2> %t.err; grep -c "error:" %t.err | FileCheck %s --check-prefix=COUNT && FileCheck -DFILE=%s %s < %t.err

# COUNT: {{^}}4{{$}}
graph g(x: f32[2]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+3]]:22: error: string is not closed before the end of the line
    # CHECK-NEXT: y = rearrange(x, "a b -> b a)
    # CHECK-NEXT: {{^}}                     ^~~~~~~~~~~~{{$}}
    y = rearrange(x, "a b -> b a)
    # CHECK: [[FILE]]:[[#@LINE+1]]:13: error: unknown escape '\q' (known are \" \\ \n \t)
    z = f("a\qb")
    # CHECK: [[FILE]]:[[#@LINE+1]]:11: error: stray character '{{.}}'; a string is written "..."
    w = f('a')
}
