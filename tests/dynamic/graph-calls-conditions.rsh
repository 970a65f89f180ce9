# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A condition of a called graph is checked where that graph checks it: before the operators after it, and after those
# before it. It also applies through two calls, to a size that only the call in between computes.
# RUN: split-file %s %t && cd %t

# RUN: %{reshapec} run -e 'save(arange(6, u8), "x.npy")'
# RUN: %{reshapec} run -e 'save(reshape(load("x.npy"), [2, 3]), "x.npy")'
# RUN: %{reshapec} run -e 'save(arange(3)[2:] * 3, "six.npy")'
# RUN: not %{reshapec} run through.rsh top x=x.npy t=six.npy y=y.npy 2>&1 | FileCheck --check-prefix=THROUGH %s
# THROUGH: graph 'top' cannot take these arguments: guard_failed
#--- through.rsh
graph small(x: u8[N]) -> y where N <= 4 {
    y = flip(x, 0)
}
graph middle(x: u8[A, B], t: i64[1]) -> y {
    v = reshape(x, t)
    y = small(v)
}
graph top(x: u8[C, D], t: i64[1]) -> y {
    y = middle(x, t)
}

# The called graph divides a size of a tensor by 2, which its condition allows. Before that, the size is any number.
# RUN: %{reshapec} run -e 'save(arange(3, u8), "three.npy")'
# RUN: not %{reshapec} run multiple.rsh outer s=three.npy x=x.npy y=y.npy 2>&1 | FileCheck --check-prefix=MULTIPLE %s
# MULTIPLE: graph 'outer' cannot take these arguments: guard_failed
#--- multiple.rsh
graph inner(s: u8[A], x: u8[*]) -> y where A in [2, 4] {
    y = reshape(x, [A])
}
graph outer(s: u8[A], x: u8[*]) -> y {
    y = inner(s, x)
}

# The condition precedes the target's number of elements; the size of `expand` precedes that of the pattern.
# RUN: %{reshapec} order.rsh --emit=c -o order.c --header order.h && FileCheck %s --check-prefix=ORDER < order.c
# ORDER:      rsh_status before_reshape_shape(
# ORDER:        /* A <= B */
# ORDER-NEXT:   if (A > B) {
# ORDER-NEXT:     return RSH_guard_failed;
# ORDER:        return RSH_overflow;
# ORDER:      rsh_status in_order_shape(
# ORDER:        /* B-1 >= 0 */
# ORDER-NEXT:   if (left < 0) {
# ORDER-NEXT:     return RSH_bad_dim;
#--- order.rsh
graph squares(s: u8[A, B], x: u8[1]) -> y where A <= B {
    y = reshape(x, [-1, A, A])
}
graph before_reshape(s: u8[A, B], x: u8[1]) -> y {
    y = squares(s, x)
}
graph pattern(s: u8[2, B], x: u8[2, 1, 1]) -> y {
    v = expand(x, [1, 2, B - 1, 1])
    y = rearrange(v, "a b c (k d) -> c a b d k", k=1)
}
graph in_order(s: u8[2, B], x: u8[2, 1, 1]) -> y {
    y = pattern(s, x)
}

# So may it after an operator whose own conditions are checked only at run time.
# RUN: %{reshapec} run -e 'save(arange(4, u8), "four.npy"); save(arange(2, u8), "two.npy"); save(arange(1, u8), "one.npy")'
# RUN: %{reshapec} run after.rsh outer s=four.npy x=two.npy z=three.npy y=y.npy w=w.npy
# RUN: %{reshapec} run -e 'print(load("y.npy"))' | FileCheck --check-prefix=AFTER %s
# AFTER: [0 0 1 0 0 0 0]
# RUN: not %{reshapec} run after.rsh outer s=three.npy x=one.npy z=three.npy y=y.npy w=w.npy 2>&1 | FileCheck --check-prefix=ODD %s
# ODD: graph 'outer' cannot take these arguments: guard_failed
#--- after.rsh
graph inner(s: u8[A], x: u8[A//2]) -> y where A % 2 == 0 {
    y = pad(x, [1, A])
}
graph outer(s: u8[A], x: u8[A//2], z: u8[B]) -> (w, y) {
    w = roll(z, [1, 1], axes=[0, 0])
    y = inner(s, x)
}
