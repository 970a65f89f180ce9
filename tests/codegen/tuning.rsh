# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# --tuning: each move is done the way that the file lists for it and the processor; all others the way the planner
# chooses. Either way the bytes are the same, and the same files make the same object.
# RUN: %{reshapec} %s -mcpu=x86-64-v3 --tuning=%S/Inputs/tuning.tuning --dump=plan | FileCheck %s
# RUN: %{reshapec} %s -mcpu=x86-64-v3 --tuning=%S/Inputs/tuning.tuning -o %t.a.o --report=text | FileCheck %s --check-prefix=REPORT
# RUN: %{reshapec} %s -mcpu=x86-64-v3 --tuning=%S/Inputs/tuning.tuning -o %t.b.o --report=json -MD | FileCheck %s --check-prefix=JSON
# RUN: cmp %t.a.o %t.b.o && FileCheck %s --check-prefix=RULE < %t.b.d
# RUN: sed "s/x86-64-v3/generic/" %S/Inputs/tuning.tuning > %t.tuning && %{reshapec} verify %s --tuning=%t.tuning | FileCheck %s --check-prefix=PROOF
# REPORT: tuning for x86_64 x86-64-v3: 6 of 7 moves
# JSON: "tuning": {
# JSON-NEXT: "processor": "x86_64 x86-64-v3",
# JSON-NEXT: "moves": 7,
# JSON-NEXT: "found": 6
# RULE: tuning.rsh {{.*}}tuning.tuning
# PROOF: 7 of 7 graphs verified

# CHECK-LABEL: graph tiles
# CHECK:      for 300: dst 400, src 4
# CHECK-NEXT:   for 100: dst 4, src 1200
# CHECK-NEXT:     transpose 4 in blocks of 64 by 256, align 4
graph tiles(x: f32[100, 300]) -> y { y = transpose(x) }

# CHECK-LABEL: graph packed
# CHECK:      for 96: dst 256, src 4
# CHECK-NEXT:   for 64: dst 4, src 384
# CHECK-NEXT:     transpose 4 in packed prefetched blocks of 128 by 64, in strips, align 4, streamed
graph packed(x: f32[64, 96]) -> y { y = transpose(x) }

# The long loop is innermost, without interleaving in registers.
# CHECK-LABEL: graph planes
# CHECK:      for 3: dst 784, src 1
# CHECK-NEXT:   for 784: dst 1, src 3
# CHECK-NEXT:     shuffle 1, align 1
graph planes(x: u8[28, 28, 3]) -> y { y = transpose(x, [2, 0, 1]) }

# CHECK-LABEL: graph runs
# CHECK:      for 6: dst 128, src 512
# CHECK-NEXT:   for 4: dst 768, src 128
# CHECK-NEXT:     copy 128, align 4, streamed
graph runs(x: f32[6, 4, 32]) -> y { y = transpose(x, [1, 0, 2]) }

# A loop in blocks of 8, and the remaining two.
# CHECK-LABEL: graph cut
# CHECK:      for 5: dst 96, src 3840
# CHECK-NEXT:   for 40: dst 504, src 12
# CHECK-NEXT:     for 8: dst 12, src 480
# CHECK-NEXT:       copy 12, align 4
# CHECK-NEXT: from x+19200 to 480
# CHECK-NEXT:   for 40: dst 504, src 12
# CHECK-NEXT:     for 2: dst 12, src 480
graph cut(x: f32[42, 40, 3]) -> y { y = transpose(x, [1, 0, 2]) }

# Columns in blocks of 48, outermost, and the remaining 16; blocks of 32 rows around two loops.
# CHECK-LABEL: graph lines
# CHECK:      from x+0 to 0
# CHECK-NEXT:   for 2: dst 36864, src 192
# CHECK-NEXT:     for 2: dst 128, src 43008
# CHECK-NEXT:       for 3: dst 256, src 448
# CHECK-NEXT:         for 48: dst 768, src 4
# CHECK-NEXT:           for 32: dst 4, src 1344
# CHECK-NEXT:             transpose 4 in prefetched blocks of 64 by 128, near, align 4, streamed
# CHECK-NEXT: from x+384 to 73728
# CHECK-NEXT:   for 2: dst 128, src 43008
# CHECK-NEXT:     for 3: dst 256, src 448
# CHECK-NEXT:       for 16: dst 768, src 4
# CHECK-NEXT:         for 32: dst 4, src 1344
graph lines(x: f32[64, 3, 112]) -> y { y = transpose(x) }

# Measured for another processor.
# CHECK-LABEL: graph other
# CHECK: transpose 1, align 1
graph other(x: u8[64, 64]) -> y { y = transpose(x) }
