# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Without an operating system there may be no libm: code that needs it is an error that names the function, for every
# kind of output; code that does not is inline. --libm says that there is one.
# RUN: rm -f %t.o && %{python} %{root}/tests/support/exits.py 1 %{reshapec} %s --target=aarch64-none-elf -o %t.o 2>&1 | FileCheck %s -DMACHINE=aarch64-unknown-none-elf
# RUN: %{python} %{root}/tests/support/exits.py 1 %{reshapec} %s --target=riscv64-unknown-elf -mattr=+m,+f,+d --emit=asm -o %t.o 2>&1 | FileCheck %s -DMACHINE=riscv64-unknown-unknown-elf
# RUN: %{python} %{root}/tests/support/exits.py 1 %{reshapec} %s --target=x86_64-elf --emit=bc -o %t.o 2>&1 | FileCheck %s -DMACHINE=x86_64-unknown-unknown-elf
# RUN: %{python} %{root}/tests/support/exits.py 1 %{reshapec} %s --target=x86_64-linux-gnu --freestanding -o %t.o 2>&1 | FileCheck %s -DMACHINE=x86_64-unknown-linux-gnu
# RUN: test ! -e %t.o
# RUN: for machine in aarch64-none-elf "x86_64-linux-gnu --freestanding" x86_64-unknown-none; do %{reshapec} %s --target=$machine --libm -o %t.o && llvm-nm --undefined-only --format=just-symbols %t.o | FileCheck %s --check-prefix=LIBM --implicit-check-not={{.}} || exit 1; done
# RUN: %{reshapec} %s --target=aarch64-linux-gnu -o %t.o && llvm-nm --undefined-only --format=just-symbols %t.o | FileCheck %s --check-prefix=LIBM --implicit-check-not={{.}}
# RUN: sed -n '/^graph inlined/,/^}/p' %s > %t.inlined.rsh
# RUN: for machine in aarch64-none-elf "x86_64-linux-gnu --freestanding" "riscv64-unknown-elf -mattr=+m,+f,+d"; do %{reshapec} %t.inlined.rsh --target=$machine -o %t.o && llvm-nm --undefined-only %t.o | count 0 || exit 1; done

# LIBM-DAG: {{^}}expf
# LIBM-DAG: {{^}}log1pf
# LIBM-DAG: {{^}}tanhf
# LIBM-DAG: {{^}}tanh{{$}}

# CHECK-NOT: error
# CHECK: [[#@LINE+2]]:39: error: 'tanh' needs tanhf from libm, but code for '[[MACHINE]]' must not need a library: give --libm if the program has a libm
graph needing(x: f32[4, 6], h: f16[8], d: f64[3]) -> (a, b, c, e, f) {
    a = x |> relu() |> transpose() |> tanh()
    # CHECK: [[#@LINE+1]]:9: error: 'softmax' needs expf from libm
    b = softmax(x)
    # CHECK: [[#@LINE+1]]:39: error: 'softplus' needs expf and log1pf from libm
    c = paddle.reshape(h, [2, 4], act="softplus")
    # CHECK: [[#@LINE+1]]:9: error: 'tanh_shrink' needs tanh from libm
    e = tanh_shrink(d)
    f = sqrt(x)
}
# CHECK: [[#@LINE+2]]:9: error: 'tanh' needs tanhf from libm
graph sized(x: f32[B, 4]) -> y {
    y = tanh(transpose(x))
}
# CHECK-NOT: error
graph inlined(x: f32[4, 6], d: f64[5]) -> (a, b, c, e, f, g) {
    a = x |> relu() |> relu6() |> leaky_relu() |> brelu() |> thresholded_relu() |> transpose()
    b = x |> hard_sigmoid() |> hard_swish() |> hard_shrink() |> softshrink() |> softsign()
    c = d |> abs() |> ceil() |> floor() |> round() |> pow()
    e = x |> square() |> reciprocal()
    f = x |> sqrt() |> rsqrt()
    g = paddle.reshape(x, [24], act="relu")
}
