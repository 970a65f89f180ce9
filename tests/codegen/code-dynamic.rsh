# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What a dynamic graph passes to the runtime is data, from which both the object and the C are printed: the lists of a
# call, and the call. NAME_shape reads only the elements of targets, so it passes null for x.
# RUN: %{reshapec} --dump=code %s | FileCheck %s
# RUN: %{reshapec} --emit=c -fno-verify %s -o - | FileCheck %s --check-prefix=C

graph f(x: u8[A, B], s: i64[2]) -> y {
    y = reshape(x, s)
}
# CHECK:      code f
# CHECK-NEXT:   give sizes: A, B
# CHECK-NEXT:   give inputs: x, s
# CHECK-NEXT:   give outputs: y
# CHECK-NEXT:   give dims: y_dims
# CHECK-NEXT:   give ranks: none
# CHECK-NEXT:   return_program
# CHECK-NEXT: code f_shape
# CHECK-NEXT:   give sizes: A, B
# CHECK-NEXT:   give inputs: null, s
# CHECK-NEXT:   give outputs: none
# CHECK-NEXT:   give dims: y_dims
# CHECK-NEXT:   give ranks: none
# CHECK-NEXT:   return_program shape in {{[0-9]+}} bytes

# C:      const int64_t sizes[2] = {A, B};
# C-NEXT: const void *const inputs[2] = {NULL, s};
# C-NEXT: int64_t *const dims[1] = {y_dims};
# C:      return rsh_program_shape(f_tape, &call);
# C:      const void *const inputs[2] = {x, s};
# C-NEXT: void *const outputs[1] = {y};
# C:      return rsh_program_run(f_tape, &call);
