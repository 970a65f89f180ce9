# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Layouts in explain and in the header.
# RUN: %{reshapec} explain %s | FileCheck --check-prefix=EXPLAIN --match-full-lines --strict-whitespace %s
# RUN: %{reshapec} %s -o %t.o --header %t.h && FileCheck --check-prefix=HEADER --match-full-lines --strict-whitespace %s < %t.h
# RUN: %{cc} -std=c99 -Wall -Wextra -Wconversion -pedantic -Werror -x c -c -include %t.h -o %t.h.o /dev/null
# RUN: %{reshapec} explain --json %s | FileCheck --check-prefix=JSON %s

#      EXPLAIN:graph pack(x: f32[2, 32, 4, 5]) -> y: f32[2, 32, 4, 5] layout "n (c 16) h w -> n c h w 16"
# EXPLAIN-NEXT:  y  static
# EXPLAIN-NEXT:      moves  5120 bytes from x
# EXPLAIN-NEXT:      why    the layout changes the order: 4 x 20 x 16 elements
# EXPLAIN-NEXT:      loops  x to y
# EXPLAIN-NEXT:               for 4       x + 320  y + 320
# EXPLAIN-NEXT:                 for 20    x + 1    y + 16
# EXPLAIN-NEXT:                   for 16  x + 20   y + 1
# HEADER: * graph pack(x: f32[2, 32, 4, 5]) -> y: f32[2, 32, 4, 5] layout "n (c 16) h w -> n c h w 16"
# HEADER: *   y: output, 5120 bytes, aligned to 4 bytes,
# HEADER-NEXT: *     in memory [2, 2, 4, 5, 16],
# HEADER:#define PACK_Y_RANK 4
# HEADER-NEXT:#define PACK_Y_DIMS { 2, 32, 4, 5 }
# HEADER-NEXT:#define PACK_Y_BYTES 5120
graph pack(x: f32[2, 32, 4, 5]) -> y: f32[2, 32, 4, 5] layout "n (c 16) h w -> n c h w 16" {
    y = x
}

#      EXPLAIN:graph pitched(x: u8[4, 6] strides [-8, 1]) -> y: u8[4, 6] strides [10, 1]
# EXPLAIN-NEXT:  y  static
# EXPLAIN-NEXT:      moves  24 bytes from x
# EXPLAIN-NEXT:      why    elements are copied: 4 runs of 6 bytes
# EXPLAIN-NEXT:      loops  x + 24 to y
# EXPLAIN-NEXT:               for 4  x - 8  y + 10
# EXPLAIN-NEXT:                 copy 6 elements
# HEADER: *   x: input, 30 bytes, any alignment,
# HEADER-NEXT: *     in memory [4, 6] at strides of [-8, 1] elements, the first being element 24
# HEADER: *   y: output, 36 bytes, any alignment,
# HEADER-NEXT: *     in memory [4, 6] at strides of [10, 1] elements, the gaps are not written,
# HEADER:#define PITCHED_X_DIMS { 4, 6 }
# HEADER-NEXT:#define PITCHED_X_BYTES 30
# HEADER:#define PITCHED_Y_DIMS { 4, 6 }
# HEADER-NEXT:#define PITCHED_Y_BYTES 36
# JSON: "name": "pitched",
# JSON: "bytes_moved": 24
graph pitched(x: u8[4, 6] strides [-8, 1]) -> y: u8[4, 6] strides [10, 1] {
    y = x
}

#      EXPLAIN:graph through(x: f32[2, 3, 5] layout "n c w -> n w c") -> y: f32[2, 3, 5] layout "n c w -> n w c"
# EXPLAIN-NEXT:  y  alias
# EXPLAIN-NEXT:      is     x from element 0 on; nothing moves
# EXPLAIN-NEXT:      why    identity and the layouts cancel: element i of y in memory is element i of x
# JSON: "name": "through",
graph through(x: f32[2, 3, 5] layout "n c w -> n w c") -> y: f32[2, 3, 5] layout "n c w -> n w c" {
    y = x
}
