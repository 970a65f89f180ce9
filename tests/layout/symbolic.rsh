# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Layouts and strides of sizes that are known only at run time.
# RUN: %{reshapec} explain %s | FileCheck --match-full-lines --strict-whitespace %s

#      CHECK:graph flat(x: f16[N, C, H, W] layout "n c h w -> n h w c") -> y: f16[N, C*H*W]
# CHECK-NEXT:  y  symbolic
# CHECK-NEXT:      from   x
# CHECK-NEXT:      moves  1, 2*N*C*H*W bytes
# CHECK-NEXT:      nest   N by C*H*W, C by 1, H*W by C
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
# CHECK-NEXT:      from   x
# CHECK-NEXT:      moves  1, 2*N*W bytes
# CHECK-NEXT:      nest   N by W+2, W by 1
graph rows(x: f16[N, W] strides [W + 2, 1]) -> y {
    y = reshape(x, [-1])
}
