# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sizes that slices clamp are not parameters of a function: macros take only the sizes that are.
# RUN: rm -rf %t && mkdir %t && %{reshapec} %s -o %t/cut.o --header %t/cut.h && FileCheck %s < %t/cut.h
# RUN: %{cc} -std=c99 -Wall -Wextra -pedantic -Werror -fsyntax-only %t/cut.h

# CHECK: rsh_status corner(int64_t N, const float *RSH_RESTRICT x, float *RSH_RESTRICT y);
# CHECK: #define CORNER_Y_DIMS(N) { {{.*}}RSH_EDGE(1, (int64_t)(N), 0){{.*}}, RSH_EDGE(8, (int64_t)(N), 0) }
graph corner(x: f32[N, N, N]) -> y { y = x[-1:7, -1:2, -8:] }
