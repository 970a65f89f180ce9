# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Strings hold UTF-8 and four escapes; `#` does not start a comment in them.
# RUN: %{reshapec} --dump=ast %s | FileCheck %s

# CHECK:      list
# CHECK-NEXT:   string ""
# CHECK-NEXT:   string "h w -> w h"
# CHECK-NEXT:   string "\"quoted\" \\ \n \t"
# CHECK-NEXT:   string "größe 大小"
# CHECK-NEXT:   string "# no comment"
graph g(x: f32[2]) -> y {
    y = f(["", "h w -> w h", "\"quoted\" \\ \n \t", "größe 大小", "# no comment"])  # "a comment
}
