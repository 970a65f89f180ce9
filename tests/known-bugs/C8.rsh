# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A number of elements that fits, and a number of bytes that does not; or does until it is rounded up
# (ggml-org/llama.cpp#24759).
# RUN: split-file %s %t
# RUN: not %{reshapec} %t/bad.rsh -o %t/bad.o --header %t/bad.h 2>&1 | FileCheck %t/bad.rsh
# RUN: not ls %t/bad.o && not ls %t/bad.h
# RUN: %{reshapec} check %t/most.rsh
# RUN: timeout 5 %{reshapec} %t/most.rsh -o %t/most.o --header %t/most.h && FileCheck --input-file %t/most.h %t/most.rsh

#--- bad.rsh
# CHECK: bad.rsh:[[#@LINE+1]]:13: error: 'x' has 2305843009213693952 elements of 64 bits: more than
graph wraps(x: f64[2305843009213693952]) -> y {
    y = reshape(x, [2, -1])
}
# CHECK: bad.rsh:[[#@LINE+1]]:15: error: 'x' has 1152921504606846976 elements of 64 bits: more than
graph too_far(x: f64[1152921504606846976]) -> y {
    y = reshape(x, [2, -1])
}
#--- most.rsh
# CHECK: #define MOST_X_BYTES 9223372036854775800
graph most(x: f64[1152921504606846975]) -> y {
    y = reshape(x, [3, -1])
}
