# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# With 32-bit pointers, a tensor without elements may have sizes of more than 32 bits. Values derived from such a size
# are computed before the kernel truncates it: this one copies 10 elements of w, not 1.
# RUN: %{reshapec} --emit=c --target=i686-linux-gnu %s -o %t.c --header %t.h
# RUN: FileCheck %s < %t.c
# CHECK-LABEL: static void t_kernel(size_t A, size_t B, size_t S,
# CHECK-SAME:    size_t place)
# CHECK-LABEL: rsh_status t(
# CHECK:         const int64_t [[PLACE:place(_[0-9]+)?]] = {{.*}} < S ? {{.*}} : S;
# CHECK:         t_kernel({{.*}}, (size_t)[[PLACE]]);
graph t(x: u8[A, B], w: u8[S]) -> (z, y) {
    z = w[:B]
    y = flip(x, 0)
}
