# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An alias was live while the buffer under it was reused (openvinotoolkit/openvino#35396 #35505, apache/tvm#20134).
# Buffers are the caller's, so the header says which one an alias is in.
# RUN: %{reshapec} %s -o %t.o --header %t.h && FileCheck --input-file %t.h %s

# CHECK: graph e2(
# CHECK: x: input, 24 bytes
# CHECK: y: output, 16 bytes
# CHECK-NEXT: may point to element 2 of x: then nothing is copied; otherwise must not overlap an input
# CHECK: #define E2_Y_IS_ALIAS 1
# CHECK-NEXT: #define E2_Y_OFFSET 2
# CHECK-NEXT: static inline const int32_t *e2_y(const int32_t *x) { return x + 2; }
graph e2(x: i32[3, 2]) -> y {
    y = x[1:]
}
