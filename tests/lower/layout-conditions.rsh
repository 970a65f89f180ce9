# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sizes that layout patterns fix or divide are checked on entry.
# RUN: %{reshapec} explain %s | FileCheck --match-full-lines %s

# CHECK-LABEL: graph input(x: f32[1, C, W] layout {{.*}}
#  CHECK-NEXT:   needs  N == 1 or bad_pattern, C % 16 == 0 or not_divisible
graph input(x: f32[N, C, W] layout "1 (c 16) w -> c w 16") -> y {
    y = identity(x)
}

# CHECK-LABEL: graph result(x: f32[N, C, 1]) -> y: {{.*}}
#  CHECK-NEXT:   needs  C % 16 == 0 or not_divisible, W == 1 or bad_pattern
graph result(x: f32[N, C, W]) -> y: f32[N, C, W] layout "n (c 16) 1 -> n c 16" {
    y = x
}
