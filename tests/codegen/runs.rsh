# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The plan says how runs are copied and filled without vectors.
# RUN: %{reshapec} %s --dump=plan --target=thumbv7em-none-eabi -Os | FileCheck %s --check-prefixes=CHECK,SMALL
# RUN: %{reshapec} %s --dump=plan --target=thumbv7em-none-eabi -O2 | FileCheck %s --check-prefixes=CHECK,FAST
# RUN: %{reshapec} %s --dump=plan --target=thumbv6m-none-eabi -Os | FileCheck %s --check-prefixes=CHECK,STRICT
# RUN: %{reshapec} %s --dump=plan --target=thumbv7em-none-eabi -mattr=+strict-align -Os | FileCheck %s --check-prefixes=CHECK,STRICT
# RUN: %{reshapec} %s --dump=plan --target=riscv32-none-elf -Os | FileCheck %s --check-prefixes=CHECK,STRICT
# RUN: %{reshapec} %s --dump=plan --target=riscv32-none-elf -mattr=+unaligned-scalar-mem -Os | FileCheck %s --check-prefixes=CHECK,SMALL
# RUN: %{reshapec} %s --dump=plan --target=riscv32-none-elf -mattr=+unaligned-scalar-mem,+strict-align -Os | FileCheck %s --check-prefixes=CHECK,STRICT
# RUN: %{reshapec} %s --dump=plan --target=thumbv7em-none-eabi -Os --libc=mem | FileCheck %s --check-prefixes=CHECK,LIBRARY

# All runs of an object share one routine to copy and one to fill, without external symbols; the header says what is
# expected of the core.
# RUN: %{reshapec} %s --target=thumbv7em-none-eabi -Os -o %t.o --header %t.h && llvm-nm --format=just-symbols %t.o | FileCheck %s --check-prefix=SHARED --implicit-check-not=.run && FileCheck %s --check-prefix=ANY < %t.h
# SHARED: copy.run
# SHARED: fill.run
# ANY: /* Loads and stores of up to 4 bytes may be unaligned
# RUN: %{reshapec} %s --target=thumbv6m-none-eabi -Os -o %t.o --header %t.h && FileCheck %s --check-prefix=ALIGNED < %t.h
# ALIGNED: /* All loads and stores are aligned
# RUN: %{reshapec} %s --target=x86_64-linux-gnu -o %t.o --header %t.h && not grep -i "loads and stores" %t.h

# With --libc=mem it may and does use memcpy and memset; the header says so.
# RUN: %{reshapec} %s --target=thumbv7em-none-eabi -Os --libc=mem -o %t.o --header %t.h && llvm-nm -u --format=just-symbols %t.o | FileCheck %s --check-prefix=OUTSIDE && grep -q "by the program's memcpy and memset" %t.h
# OUTSIDE: memcpy
# OUTSIDE-NEXT: memset
# OUTSIDE-NOT: {{.}}
# RUN: not %{reshapec} %s --libc=all 2>&1 | FileCheck %s --check-prefix=WRONG
# WRONG: unknown value 'all': expected --libc=mem

# CHECK-LABEL: graph pixels
# SMALL:   copy 8, align 1, walked by 4{{$}}
# FAST:    copy 8, align 1, walked by 4{{$}}
# STRICT:  copy 8, align 1, walked{{$}}
# LIBRARY: copy 8, align 1, walked by 4{{$}}
graph pixels(x: i8[32, 32, 8]) -> y { y = x[::2, ::2] }

# CHECK-LABEL: graph slide
# SMALL:   copy 1920, align 1, walked, the run by a call
# SMALL:   copy 40, align 1, walked, the run by a call
# FAST:    copy 1920, align 1, walked, the run by a call
# FAST:    copy 40, align 1, walked by 4{{$}}
# STRICT:  copy 1920, align 1, walked, the run by a call
# LIBRARY: copy 1920, align 1, walked, the run by memcpy
graph slide(x: i8[49, 40], f: i8[1, 40]) -> y { y = concat(x[1:], f, axis=0) }

# Elements half a word apart, in word-aligned tensors, stay so: they move one by one if words must be aligned.
# CHECK-LABEL: graph window
# SMALL:   copy 494, align 2, walked, the run by a call
# STRICT:  copy 494, align 2, walked{{$}}
graph window(x: i16[20, 13]) -> y { y = concat(x[1:], x[:1], axis=0) }

# CHECK-LABEL: graph border
# Small code fills everything first.
# SMALL:   fill 660, align 1, walked, the run by a call
# STRICT:  fill 660, align 1, walked, the run by a call
# LIBRARY: fill 660, align 1, walked, the run by memset
graph border(x: i8[8, 64]) -> y { y = pad(x, [1, 1, 1, 1]) }

# Two elements a byte.
# CHECK-LABEL: graph unpacked
# CHECK: element cast i4 to i8, align 1, walked, 2 of a byte at once{{$}}
graph unpacked(x: i4[64]) -> y { y = cast(x, i8) }
