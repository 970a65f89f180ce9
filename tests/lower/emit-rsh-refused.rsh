# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A size that only the runtime computes cannot be written as text: that is an error, and no file is written.
# RUN: rm -f %t.rsh
# RUN: not %{reshapec} %s --emit=rsh -o %t.rsh 2>&1 | FileCheck %s
# RUN: not test -e %t.rsh
# CHECK: [[#@LINE+2]]:{{[0-9]+}}: error: sizes here are computed only at run time, which the language cannot express
graph heads(x: f32[B, S], w: u8[H]) -> y {
    y = rearrange(x, "b (h d) -> h b d", h=H)
}

# A sum that is divided exactly cannot be written either: whatever conditions say, (A + B)/2 does not parse.
# CHECK: [[#@LINE+2]]:{{[0-9]+}}: error: sizes here are computed only at run time, which the language cannot express
graph sum(x: u8[A, B, A + B]) -> y {
    y = rearrange(x, "a b (c d) -> c a b d", d=2)
}

# CHECK: [[#@LINE+2]]:{{[0-9]+}}: error: sizes here are computed only at run time, which the language cannot express
graph remainder(x: u8[A, A % 3]) -> y {
    y = rearrange(x, "a (b c) -> b a c", c=2)
}
