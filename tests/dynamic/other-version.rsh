# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tables written by another version of the compiler are refused, before any other part of them is read. The first word
# of a tape is its version.
# RUN: %{reshapec} --emit=c -fno-verify %s -o %t.c --header %t.h
# RUN: sed '/_tape\[/{n;s/ [0-9]*,/ 7,/}; s/&f_\(shape_\)\?parts}/NULL}/; s/&f_\(shape_\)\?parts,/NULL,/' %t.c > %t.old.c
# RUN: echo 'int main(void) { int64_t s[1] = {6}, dims[1] = {9}; uint8_t x[6] = {1}, y[6] = {7}; static _Alignas(8) char plan[F_PLAN_BYTES]; rsh_status run = f(2, 3, x, s, y, dims, plan), shape = f_shape(2, 3, s, dims); printf("%%s %%s %%d %%d\n", rsh_status_name(run), rsh_status_name(shape), y[0], (int)dims[0]); return 0; }' > %t.main.c
# RUN: %{cc} -std=c11 -include stdio.h -include stddef.h -include %t.h %t.main.c %t.old.c %{build}/librsh_runtime.a -o %t.exe && %t.exe | FileCheck %s
# CHECK: unsupported unsupported 7 9
graph f(x: u8[A, B], s: i64[1]) -> y {
    y = reshape(x, s)
}
