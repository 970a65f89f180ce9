# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# --report says how much of its machine an object takes; --max-stack and --max-text refuse what takes more, and leave no
# file. All of it applies to objects.
# RUN: %{reshapec} %s --target=thumbv7em-none-eabi -mcpu=cortex-m4 -Os -o %t.o --report=text | FileCheck %s
# RUN: %{reshapec} %s --target=thumbv7em-none-eabi -mcpu=cortex-m4 -Os -o %t.o --report=json --max-stack=2000 --max-text=2000 | FileCheck %s --check-prefix=JSON
# RUN: rm %t.o && %{python} %{root}/tests/support/exits.py 1 %{reshapec} %s --target=thumbv7em-none-eabi -mcpu=cortex-m4 -Os -o %t.o --max-stack=16 --max-text=60 2>&1 | FileCheck %s --check-prefix=LIMIT --implicit-check-not=error
# RUN: test ! -e %t.o
# RUN: %{python} %{root}/tests/support/exits.py 2 %{reshapec} %s -o - --report=text 2>&1 | FileCheck %s --check-prefix=TWICE
# TWICE: --report and something else cannot both go to standard output
# RUN: %{python} %{root}/tests/support/exits.py 2 %{reshapec} %s --emit=asm --max-text=1 2>&1 | FileCheck %s --check-prefix=ASM
# ASM: measure an object: they need --emit=obj
# RUN: %{python} %{root}/tests/support/exits.py 2 %{reshapec} %s --max-stack=1k 2>&1 | FileCheck %s --check-prefix=NUMBER
# NUMBER: '1k' is not a number of bytes: expected --max-stack=BYTES

# CHECK: thumbv7em-unknown-none-eabi: {{[0-9]+}} bytes of code, {{[0-9]+}} of constants
# CHECK-LABEL: graph chw
# CHECK-NEXT: code       {{[0-9]+}} bytes
# CHECK-NEXT: stack      16 bytes, 1 function deep{{$}}
# CHECK-NEXT: scratch    0 bytes
# CHECK-NEXT: loops      2 deep
# CHECK-NEXT: x          aligned to 1
# CHECK-NEXT: y          aligned to 1
# CHECK-NEXT: 2352 bytes moved
graph chw(x: u8[28, 28, 3]) -> y { y = transpose(x, [2, 0, 1]) }

# CHECK-LABEL: graph sized
# CHECK: shape      {{[0-9]+}} bytes of stack
# CHECK: 4*N*M bytes moved
# LIMIT: [[#@LINE+2]]:7: error: 'sized' takes {{[0-9]+}} bytes of stack on 'thumbv7em-unknown-none-eabi': more than the 16 of --max-stack
# LIMIT: [[#@LINE+1]]:7: error: 'sized' takes {{[0-9]+}} bytes of code on 'thumbv7em-unknown-none-eabi': more than the 60 of --max-text
graph sized(x: f32[N, M]) -> y { y = transpose(x) }

# CHECK-LABEL: graph left
# CHECK: function deep, plus that of rsh_program_run
# LIMIT: [[#@LINE+1]]:7: error: 'left' takes {{[0-9]+}} bytes of stack
graph left(x: f32[4, 6], s: i64[2]) -> y { y = reshape(x, s) }

# JSON: "target": "thumbv7em-unknown-none-eabi"
# JSON: "name": "chw"
# JSON: "stack": 16,
# JSON: "bytes_moved": 2352
# JSON: "outside": "rsh_program_run"
# JSON: "bytes_moved": null
