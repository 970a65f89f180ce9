# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The emitted C divides sizes as 64-bit numbers, and truncates the quotient. An empty x may have N = 2^20 and M = 2^12:
# truncated to 32 bits, N*M is 0, and all of w would be copied instead of nothing.
# RUN: %{reshapec} --target=thumbv7em-none-eabi --emit=c %s -o - --header %t.h | FileCheck %s
graph rest(x: u8[N, 0, M], w: u8[S]) -> (y, z) {
    y = x
    z = w[N*M//2:]
}
# CHECK-LABEL: rsh_status rest(
# CHECK: const int64_t [[HALF:place(_[0-9]+)?]] = (int64_t)count{{(_[0-9]+)?}} / 2;
# CHECK: const int64_t [[FROM:place(_[0-9]+)?]] = {{.*}} < S ? {{.*}} : S;
# CHECK: rest_kernel({{.*}}, (size_t)[[HALF]], (size_t)[[FROM]]);
