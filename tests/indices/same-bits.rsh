# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A cast that does not change the gathered bits copies nothing: the gathered elements are already in the output. A copy
# over itself would be memcpy(y, y, n), which C forbids.
# RUN: %{reshapec} explain %s | FileCheck %s
# RUN: %{reshapec} verify %s | FileCheck %s --check-prefix=VERIFY
# RUN: %{reshapec} verify --emit=c %s | FileCheck %s --check-prefix=VERIFY
# RUN: %{reshapec} -fno-verify --emit=c %s -o %t.c && %{cc} -Wall -Wextra -Werror -c %t.c -o %t.o
# RUN: FileCheck %s --check-prefix=C --input-file=%t.c
# VERIFY: 4 of 4 graphs verified
# C-NOT: (void)memcpy(

# CHECK-LABEL: graph fixed
# CHECK-NEXT: y static
# CHECK-NEXT: moves 64 bytes from x, i
graph fixed(x: i8[64], i: i32[64]) -> y {
    y = cast(gather(x, i), u8)
}
# CHECK-LABEL: graph there_and_back
# CHECK: moves 256 bytes from x, i
graph there_and_back(x: i32[64], i: i32[64]) -> y {
    y = gather(x, i) |> cast(u32) |> cast(i32)
}
# CHECK-LABEL: graph open
# CHECK: moves 2*K bytes from x, i
graph open(x: u16[N], i: i32[K]) -> y {
    y = cast(gather(x, i), i16)
}
# Both outputs have the same bytes, so z is copied from y.
# CHECK-LABEL: graph two
# CHECK: y static
# CHECK: z static
graph two(x: i8[64], i: i32[3]) -> (y, z) {
    v = gather(x, i)
    y = cast(v, u8)
    z = cast(v, f32)
}
