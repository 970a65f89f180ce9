# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Packed elements move where whole bytes move; single ones are refused.
# RUN: %{python} %{root}/tests/support/exits.py 1 %{reshapec} explain %s 2>&1 | FileCheck %s
# RUN: %{reshapec} %S/Inputs/packed.rsh --dump=plan | FileCheck %s --check-prefix=PACKED

# CHECK: [[#@LINE+1]]:{{[0-9]+}}: error: 'y' needs a copy that moves single i4 elements; copies of 4-bit elements are supported where they move whole bytes
graph single(x: i4[2, 6]) -> y { y = transpose(x) }

# CHECK: [[#@LINE+1]]:{{[0-9]+}}: error: 'y' needs a copy that moves single u2 elements; copies of 2-bit elements
graph half(x: u2[3, 2, 2, 3]) -> y { y = transpose(x, [1, 0, 2, 3]) }

# PACKED-LABEL: graph whole
# PACKED: y: i4[2, 3, 4]: static, 12 bytes
# PACKED-NEXT: from x+0 to 0
# PACKED-NEXT:   for 2: dst 6, src 2
# PACKED-NEXT:     for 3: dst 2, src 4
# PACKED-NEXT:       copy 2, align 1

# PACKED-LABEL: graph odd
# PACKED-NEXT: t: u2[5, 1]: alias of s+0, 2 bytes
