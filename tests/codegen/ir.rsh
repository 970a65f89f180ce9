# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The emitted code moves integers and bytes, calls nothing, and assumes only the alignment of an element.
# RUN: %{reshapec} %s --emit=llvm-ir -o - | FileCheck %s
# RUN: %{reshapec} %s --emit=llvm-ir -o - | FileCheck %s --check-prefix=NEVER
# RUN: %{reshapec} %s --dump=llvm | FileCheck %s --check-prefix=BEFORE
# NEVER-NOT: {{load (float|double|half)|store (float|double|half)|@llvm.mem|declare .*@mem|call .*@mem|optnone|"finished"}}

# CHECK: source_filename = "ir.rsh"
# CHECK: define void @turned(ptr {{.*}}noalias{{.*}}readonly {{.*}}align 4{{.*}} %x, ptr {{.*}}noalias{{.*}}align 4{{.*}} %y)
# BEFORE: define void @turned(ptr noalias readonly align 4 %x, ptr noalias writeonly align 4 %y)
# BEFORE: load <4 x i32>, ptr {{.*}}, align 4
# BEFORE: store <4 x i32> {{.*}}, align 4
graph turned(x: f32[100, 300]) -> y { y = transpose(x) }

# A run longer than a vector: the last vector overlaps.
# BEFORE-LABEL: define void @run
# BEFORE: load <64 x i8>, ptr %x, align 1
# BEFORE: getelementptr inbounds i8, ptr %x, i64 36
# BEFORE: load <64 x i8>
# BEFORE-NOT: load
# BEFORE: ret void
graph run(x: u8[200]) -> y: u8[100] { y = x[0:100] |> flip([0]) |> flip([0]) |> reshape([100]) }

# An alias may have the same address: no 'noalias', and a check.
# CHECK-LABEL: define void @view
# CHECK-SAME: ptr noalias readonly align 4{{[^,]*}} %x, ptr writeonly align 4{{[^,]*}} %y)
# CHECK: icmp eq ptr
graph view(x: f32[64]) -> y: f32[8, 8] { y = reshape(x, [8, 8]) }

# CHECK: attributes #0 = { {{.*}}nounwind{{.*}}"no-builtins"
