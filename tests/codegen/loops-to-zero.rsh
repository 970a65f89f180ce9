# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# On x86-64 a loop over single elements is emitted in its final form: its index counts up to 0, which needs no
# comparison, relative to the end of the loop. A stride that no addressing mode scales (here 5) is added to a pointer
# instead. Elsewhere LLVM chooses.
# RUN: %{reshapec} %s --target=x86_64-linux-gnu --dump=llvm | FileCheck %s
# RUN: %{reshapec} %s --target=aarch64-linux-gnu --dump=llvm | FileCheck %s --check-prefix=OTHER
# RUN: %{reshapec} %s --target=x86_64-linux-gnu --emit=asm -o - | FileCheck %s --check-prefix=ASM
# CHECK-LABEL: define void @each_fifth(
# CHECK:         %[[END:.*]] = getelementptr inbounds i8, ptr %y, i64 1000
# CHECK:         %[[I:.*]] = phi i64 [ -1000, %{{.*}} ], [ %[[NEXT:.*]], %i ]
# CHECK:         %[[SRC:.*]] = phi ptr [ %x, %{{.*}} ], [ %[[ON:.*]], %i ]
# CHECK:         getelementptr inbounds i8, ptr %[[END]], i64 %[[I]]
# CHECK:         %[[ON]] = getelementptr inbounds i8, ptr %[[SRC]], i64 5
# CHECK:         %[[NEXT]] = add nsw i64 %[[I]], 1
# CHECK:         icmp eq i64 %[[NEXT]], 0
# OTHER-LABEL: define void @each_fifth(
# OTHER:         phi i64 [ 0, %{{.*}} ]
# ASM-LABEL: each_fifth:
# ASM:         addq $5, %rdi
# ASM-NOT:     cmp
# ASM:         jne
graph each_fifth(x: u8[5000]) -> y {
    y = x[::5]
}
