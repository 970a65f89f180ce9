# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# For an output that is left to run time, explain says which `where` condition would help. The advice is right: each
# graph gets the suggested condition, repeatedly until nothing is suggested.
# RUN: %{python} %S/Inputs/advice.py %{reshapec} %s %t.rsh | FileCheck --match-full-lines %s
# RUN: %{reshapec} explain %s | FileCheck --check-prefix=TEXT %s

# TEXT: graph squeezed(x: f32[S, 1]) -> y: f32[*]
# TEXT-NEXT: y  dynamic
# TEXT-NEXT: why    squeeze depends on sizes known only at run time; `where S >= 2` would help
# CHECK: squeezed S >= 2 alias
graph squeezed(x: f32[S, 1]) -> y { y = squeeze(x) }
# Quotients need no help.
# CHECK-NEXT: step nothing symbolic
graph step(x: f32[S]) -> y { y = x[::2] }
# CHECK-NEXT: product nothing alias
graph product(x: f32[B, S]) -> y { y = reshape(x, [-1, 4]) }
# CHECK-NEXT: parts nothing alias
graph parts(x: f32[S]) -> (a, b) { a, b = split(x, parts=2) }
# CHECK-NEXT: broadcast S == 4 alias
graph broadcast(x: f32[S]) -> y { y = expand(x, [4]) }
# CHECK-NEXT: padded S-4 >= 0 symbolic
graph padded(x: f32[S]) -> y { y = pad(x, [S - 4, 0]) }
# A choice between two sizes is not a condition that helps.
# CHECK-NEXT: two_sizes nothing dynamic
graph two_sizes(x: f32[S], t: f32[T]) -> (y, z) {
    y = x[T::-3]
    z = t
}
# While the rank is unknown there are no sizes to compare, and no common divisors to remove; the search terminates.
# CHECK-NEXT: any_expanded nothing dynamic
graph any_expanded(x: f32[*], t: f32[S]) -> y { y = expand(x, [S, 4]) }
# CHECK-NEXT: any_blocks nothing dynamic
graph any_blocks(x: f32[*], t: f32[S]) -> y { y = depth_to_space(x, 2) }
