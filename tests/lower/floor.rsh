# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# '//' rounds down, '%' is the remainder: of numbers as in Python, of open sizes when the function is called.
# RUN: split-file %s %t
# RUN: %{reshapec} explain %t/good.rsh | FileCheck %t/good.rsh
# RUN: %{reshapec} verify %t/good.rsh | FileCheck --check-prefix=PROOF %t/good.rsh
# RUN: %{reshapec} verify %t/good.rsh --emit=c | FileCheck --check-prefix=PROOF %t/good.rsh
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh --implicit-check-not=error:
# RUN: echo 'print(7//2, -7//2, 7//-2, -7//-1, -7 %% 4, 7 %% -4)' > %t/numbers.rsh
# RUN: %{reshapec} run %t/numbers.rsh | FileCheck --check-prefix=NUMBERS %s
# NUMBERS: 3 -4 -4 7 1 -1

#--- good.rsh
# PROOF: 13 of 13 graphs verified
# CHECK:      graph swapped(x: f32[N, S]) -> y: f32[N, S]
# CHECK-NEXT:   y  symbolic
graph swapped(x: f32[N, S]) -> y {
    y = concat(x[:, S//2:], x[:, :S//2], axis=1)
}

# CHECK:      graph windows(x: f32[N, S]) -> y: f32[S//4+1, N, 4]
graph windows(x: f32[N, S]) -> y where N >= 1 {
    y = pad(x, [0, 0, 0, 4 - S % 4]) |> reshape([0, -1, 4]) |> transpose([1, 0, 2])
}

# CHECK:      graph blocks(x: f32[S], z: u8[K]) -> y: f32[K, S//K]
graph blocks(x: f32[S], z: u8[K]) -> y where K >= 1 {
    y = x[:S//K*K] |> reshape([S//K, K]) |> transpose()
}

# A sign before '//' would be part of the dividend.
# CHECK:      graph middle(x: f32[S]) -> y: f32[-(S//2)+max(S//2, min(5, S))]
graph middle(x: f32[S]) -> y {
    y = x[S//2:5]
}

# CHECK:      graph numbers(x: f32[3, 4, 1]) -> y: f32[3, 4, 1]
graph numbers(x: f32[7//2, -7//2 + 8, -7 % 4]) -> y {
    y = x
}

# In the type of an input, before sizes that the text introduces later; the slice and the roll have edges of their own.
# CHECK:      graph types(x: f32[A, A//3, B]) -> y: f32[A-min(3, A), A//3, B-B//2]
# CHECK-NEXT:   y  symbolic
graph types(x: f32[A, A//3, B]) -> y {
    y = x[3:, :, B//2:]
}

# CHECK:      graph same(x: f32[A, A//3, A//3, A//2]) -> y: f32[A, A//3, A//3, A//2]
# CHECK-NEXT:   needs  A//3 == B
# CHECK-NEXT:   y  symbolic
graph same(x: f32[A, A//3, B, A//2]) -> y where A//3 == B {
    y = roll(x, 1, axes=0)
}

# A remainder is never below 0: only the condition of the split is checked.
# CHECK:      graph rest(x: u8[A, A-3*(A//3)]) -> y: u8[A+2, 6]
# CHECK-NEXT:   needs  8 == 3*A-3*(A//3)+2 or bad_parts{{$}}
# CHECK-NEXT:   y  symbolic
graph rest(x: u8[A, A % 3]) -> y {
    _, y = pad(x, [0, 2*A, 2, 2]) |> split(1, sizes=[2, 6])
}

# A divisor that is a quotient gets parentheses: S//K//2 would be something else.
# CHECK:      graph nested(x: f32[S], z: u8[K]) -> y: f32[S+S//(K//2)]
graph nested(x: f32[S], z: u8[K]) -> y where K >= 2 {
    y = pad(x, [0, S//(K//2)])
}

# A quotient of a quotient is a single quotient.
# CHECK:      graph halves(x: f32[S, (S+1)//2, (S+3)//4, (S+11)//12+1]) -> y: f32[S, (S+3)//4, (S+1)//2, (S+11)//12+1]
graph halves(x: f32[S, (S + 1)//2, ((S + 1)//2 + 1)//2, (((S + 1)//2 + 1)//2 + 5)//3]) -> y {
    y = transpose(x, [0, 2, 1, 3])
}

# A dividend below 0, as in the number of elements up to a multiple.
# CHECK:      graph blocked(w: f32[N, K]) -> y: f32[16*((N+15)//16), 4*((K+3)//4)]
graph blocked(w: f32[N, K]) -> y: f32[-(-N//16)*16, -(-K//4)*4] {
    y = pad(w, [0, 0, -N % 16, -K % 4])
}

# CHECK:      graph distance(x: f32[H, W]) -> y: f32[2*H-W+4*((W+3)//4)-4*((H-W+4*((W+3)//4))//4), W]
graph distance(x: f32[H, W]) -> y {
    y = pad(x, [0, 0, (H - W) % 4, 0])
}

# CHECK:      graph by_size(x: f32[S], z: u8[K]) -> y: f32[K*((S+K-1)//K)]
graph by_size(x: f32[S], z: u8[K]) -> y where K >= 1 {
    y = pad(x, [0, -S % K])
}

#--- bad.rsh
# CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: S is not divisible by 2; add 'where S % 2 == 0', or use '//', which rounds down
graph exact(x: f32[S]) -> y { y = x[:S/2] }
# CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: S+1 is not divisible by 2; use '//', which rounds down
graph exact_sum(x: f32[S]) -> y { y = x[:(S + 1)/2] }
# CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: S // K: if sizes are known only at run time, the right must be at least 1
graph by_nothing(x: f32[S], z: u8[K]) -> y { y = x[:S//K] }
# CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: (S-4) % (K-1): if sizes are known only at run time, the right must be at least 1
graph negative(x: f32[S], z: u8[K]) -> y where K >= 1 { y = pad(x, [0, (S - 4) % (K - 1)]) }
# CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: division by 0
graph zero(x: f32[4//0]) -> y { y = x }
