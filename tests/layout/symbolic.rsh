# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Layouts and strides of sizes known only at run time.
# RUN: %{reshapec} explain %s | FileCheck --match-full-lines --strict-whitespace %s

#      CHECK:graph flat(x: f16[N, C, H, W] layout "n c h w -> n h w c") -> y: f16[N, C*H*W]
# CHECK-NEXT:  y  symbolic
# CHECK-NEXT:      moves  2*N*C*H*W bytes from x
# CHECK-NEXT:      why    the layout changes the order, with sizes known only at run time
# CHECK-NEXT:      loops  x to y
# CHECK-NEXT:               for N        x + C*H*W  y + C*H*W
# CHECK-NEXT:                 for C      x + 1      y + H*W
# CHECK-NEXT:                   for H*W  x + C      y + 1
graph flat(x: f16[N, C, H, W] layout "n c h w -> n h w c") -> y: f16[N, C*H*W] {
    y = flatten(x)
}

#      CHECK:graph same(x: f16[N, C, H, W] layout "n c h w -> n h w c") -> y: f16[N, C, H, W] layout "n c h w -> n h w c"
# CHECK-NEXT:  y  alias
graph same(x: f16[N, C, H, W] layout "n c h w -> n h w c") -> view y: f16[N, C, H, W] layout "n c h w -> n h w c" {
    y = x
}

#      CHECK:graph rows(x: f16[N, W] strides [W+2, 1]) -> y: f16[N*W]
# CHECK-NEXT:  y  symbolic
# CHECK-NEXT:      moves  2*N*W bytes from x
# CHECK-NEXT:      why    elements are copied, with sizes known only at run time
# CHECK-NEXT:      loops  x to y
# CHECK-NEXT:               for N  x + (W+2)  y + W
# CHECK-NEXT:                 copy W elements
graph rows(x: f16[N, W] strides [W + 2, 1]) -> y {
    y = reshape(x, [-1])
}
