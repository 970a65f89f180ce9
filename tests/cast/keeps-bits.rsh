# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A cast that only changes the signedness of integers moves bytes, in runs; in place, it does
# nothing.
# RUN: %{reshapec} %s --dump=plan --target=x86_64-linux-gnu -mcpu=x86-64-v2 | FileCheck %s
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} "%{cc}" %t.dir %s
# RUN: %{reshapec} %s --emit=asm --target=x86_64-linux-gnu -o - | FileCheck %s --check-prefix=ASM

# CHECK-LABEL: graph signs
# CHECK: copy 120, align 1
graph signs(x: u8[8, 15]) -> y: i8[8, 15] {
    # EXPECT y static [8, 15] = x
    y = cast(x, i8)
}

# CHECK-LABEL: graph turned
# CHECK: weave 1, align 1
graph turned(x: u8[4, 10, 3]) -> y: i8[3, 4, 10] {
    # EXPECT y static [3, 4, 10] = x.transpose(2, 0, 1)
    y = transpose(x, [2, 0, 1]) |> cast(i8)
}

# CHECK-LABEL: graph over
# CHECK: copy 120, align 1
# ASM-LABEL: over:
# ASM: cmpq
# ASM-NEXT: je [[DONE:.*]]
# ASM: [[DONE]]:
# ASM-NEXT: {{retq|vzeroupper}}
graph over(x: u8[8, 15]) -> inplace y: i8[8, 15] {
    # EXPECT y static [8, 15] = x
    y = cast(x, i8)
}

# RUN: %{reshapec} verify %s | FileCheck %s --check-prefix=VERIFY
# VERIFY: same {{ *}}sampled
# VERIFY: 4 of 4 graphs verified
graph same(x: i32[40]) -> y {
    # EXPECT y alias [40] = x
    y = x |> cast(u32) |> cast(i32)
}
