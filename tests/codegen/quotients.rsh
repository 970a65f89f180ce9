# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A quotient of several sizes is computed on entry, after the check that there is no remainder: one kernel serves all
# sizes, in an object and in C, and the header's macros divide too.
# RUN: %{reshapec} verify %s | FileCheck --check-prefix=PROOF %s
# RUN: %{reshapec} verify %s --emit=c | FileCheck --check-prefix=PROOF %s
# RUN: %{reshapec} verify %s --parallel | FileCheck --check-prefix=PROOF %s
# PROOF: 15 of 15 graphs verified
# RUN: %{reshapec} explain %s | FileCheck --check-prefix=TEXT %s
# RUN: rm -rf %t && mkdir %t && %{reshapec} %s -fno-verify -o %t/q.o --header %t/q.h && FileCheck %s < %t/q.h
# RUN: %{cc} -std=c99 -Wall -Wextra -pedantic -Werror -fsyntax-only %t/q.h

# TEXT:      graph rows(x: f32[N, 6, M]) -> y: f32[3*(N*M/2), 4]
# TEXT-NEXT:   needs  N*M % 2 == 0
# TEXT-NEXT:   y  alias
# CHECK: #define ROWS_Y_DIMS(N, M) { 3 * (((int64_t)(N) * (int64_t)(M)) / 2), 4 }
graph rows(x: f32[N, 6, M]) -> y where N*M % 2 == 0 { y = reshape(x, [-1, 4]) }

# By a size, which must be positive.
# TEXT:      graph turned(x: f32[N, M], z: u8[K]) -> y: f32[K, N*M/K]
# TEXT-NEXT:   needs  K >= 1 or ambiguous_infer, N*M % K == 0 or not_divisible
# TEXT-NEXT:   y  symbolic
# CHECK: #define TURNED_Y_DIMS(N, M, K) { (int64_t)(K), ((int64_t)(K) < 1 ? 0 : ((int64_t)(N) * (int64_t)(M)) / ((int64_t)(K))) }
graph turned(x: f32[N, M], z: u8[K]) -> y { y = reshape(x, [-1, K]) |> transpose() }

# Of a quotient.
# TEXT:      graph twice(x: i16[N, M]) -> y: i16[6, N*M/2/3]
# TEXT-NEXT:   needs  N*M % 2 == 0 or not_divisible, N*M/2 % 3 == 0 or not_divisible
graph twice(x: i16[N, M]) -> y { y = reshape(x, [2, -1]) |> reshape([-1, 6]) |> transpose() }

# Of a sum.
# TEXT:      graph sum(a: u8[N], b: u8[M], x: f32[N+M, 3]) -> y: f32[2, 3*((N+M)/2)]
graph sum(a: u8[N], b: u8[M], x: f32[N + M, 3]) -> y { y = reshape(x, [-1, 2]) |> transpose() }

# The layout of an input, and a pattern.
# TEXT:      graph stored(a: u8[N, M], x: f32[4*(N*M/4), 3] layout "(a 4) c -> a c 4") -> y: f32[3, 4*(N*M/4)]
# TEXT-NEXT:   needs  N*M % 4 == 0 or not_divisible
graph stored(a: u8[N, M], x: f32[N*M, 3] layout "(a 4) c -> a c 4") -> y { y = transpose(x) }

# TEXT:      graph heads(x: f32[B, S], w: u8[H]) -> y: f32[H, B, S/H]
# TEXT-NEXT:   needs  H >= 1 or ambiguous_infer, S % H == 0 or not_divisible
graph heads(x: f32[B, S], w: u8[H]) -> y { y = rearrange(x, "b (h d) -> h b d", h=H) }

# What an equation says of a product applies to a quotient.
# TEXT:      graph known(x: f32[N, 6, M]) -> y: f32[3, 7, 4]
# TEXT-NEXT:   needs  N*M == 14
graph known(x: f32[N, 6, M]) -> y where N*M == 14 { y = reshape(x, [3, -1, 4]) }

# TEXT:      graph values(s: u8[A], x: u8[4, B]) -> y
graph values(s: u8[A], x: u8[4, B]) -> y where A in [2, 4] { y = reshape(x, [-1, 8]) |> roll(1) |> transpose() }

# Every second element, from both ends, and both halves of rows joined.
# TEXT:      graph thinned(x: f32[S, 3]) -> y: f32[(S+1)//2, 3]
# TEXT-NEXT:   y  symbolic
graph thinned(x: f32[S, 3]) -> y { y = x[::2] }
# TEXT:      graph back(x: f32[S, 3]) -> y: f32[(S+2)//3, 3]
# TEXT-NEXT:   y  symbolic
graph back(x: f32[S, 3]) -> y { y = x[::-3] }
# A quotient that bounds narrow to one value is a constant.
# TEXT:      graph bounded(x: f32[S]) -> y: f32[2]
# TEXT-NEXT:   needs  S >= 4, S <= 5
# TEXT-NEXT:   y  static
graph bounded(x: f32[S]) -> y where S >= 4, S <= 5 { y = x[::3] }
# TEXT:      graph part(x: f32[S, 3], t: u8[T]) -> y: f32[3, (-min(2, S)+max(min(2, S), min(T, S))+2)//3]
# TEXT-NEXT:   y  symbolic
graph part(x: f32[S, 3], t: u8[T]) -> y { y = x[2:T:3] |> transpose() }
# TEXT:      graph halves(x: f32[B, D]) -> y: f32[B, (D+1)//2+(D-min(1, D)+1)//2]
# TEXT-NEXT:   y  symbolic
graph halves(x: f32[B, D]) -> y { y = concat(x[:, ::2], x[:, 1::2], axis=1) }

# c times its quotient is 1: dividing a condition by c terminates.
# TEXT:      graph ones(x: f32[216, 1], w: u8[C, A]) -> y: f32[6*(1/C), C*A, 216/(6*A)]
graph ones(x: f32[216, 1], w: u8[C, A]) -> y { y = rearrange(x, "(a b d) (c h) -> (b h) (c a) d", b=6, c=C, a=A) }

# The condition is about B*e - 2*B, which is not positive: the quotient, a size, divides its negation.
# TEXT:      graph below(x: u8[2, B]) -> y: u8[1, 4, (-B*edge(-B, 2)+2*B)/4, 2]
# TEXT-NEXT:   needs  (B*edge(-B, 2)-2*B) % 4 == 0 or not_divisible
graph below(x: u8[2, B]) -> y { y = tile(x, [1, 2]) |> slice([-B], [6]) |> reshape([1, 4, -1, 2]) }
