# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An unnamed size is called by its position among the sizes that callers pass; quotients do not count.
# RUN: %{reshapec} -fno-verify %s -o %t.o --header - | FileCheck %s
# CHECK: rsh_status g(int64_t A, int64_t size_1, int64_t size_2, const uint8_t *RSH_RESTRICT x, uint8_t *RSH_RESTRICT y);
graph g(x: u8[A, A//2, ?, ?]) -> y {
    y = transpose(x)
}
