# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# inplace=True with an activation: one pass over the caller's buffer, if it is passed as both pointers. The header says
# if this is allowed; it is not if other results read the input, or elements move.
# RUN: %{reshapec} %s -o %t.o --header %t.h && FileCheck %s < %t.h
# RUN: %{cc} %{cflags} -D HEADER='"%t.h"' %S/Inputs/in-place.c %t.o -o %t && %t
# RUN: %{reshapec} -O0 %s -o %t.o0.o && %{cc} %{cflags} -D HEADER='"%t.h"' %S/Inputs/in-place.c %t.o0.o -o %t && %t
# RUN: %{reshapec} %s --emit=llvm-ir -o - | FileCheck --check-prefix=IR %s

# CHECK:       *   y: output, 4000 bytes, aligned to 4 bytes,
# CHECK-NEXT:  *     may point to element 0 of x, which is then overwritten; otherwise must not overlap an input
# CHECK-NEXT:  *     relu: 1000 elements
# CHECK:      void act(const float *x, float *y);
# CHECK:      #define ACT_Y_IS_ALIAS 0
# IR-LABEL: define void @act(ptr
# IR-NOT:   noalias
# IR-SAME:  {
graph act(x: f32[10, 100]) -> y: f32[1000] {
    y = paddle.reshape(x, [-1], act="relu", inplace=True)
}

# Under another name, in two steps, and with a type of the same size.
# CHECK:       *     may point to element 0 of x, which is then overwritten; otherwise must not overlap an input
# CHECK:      void steps(const float *x, int32_t *y);
graph steps(x: f32[6, 50]) -> y: i32[300] {
    a = x
    b = paddle.reshape(a, [50, 6], inplace=True)
    y = paddle.reshape(b, [-1], act="abs", inplace=True) |> cast(i32)
}

# CHECK-NOT:  overwritten
# CHECK:      void asked_by_none(const float *RSH_RESTRICT x, float *RSH_RESTRICT y);
graph asked_by_none(x: f32[6]) -> y {
    y = paddle.reshape(x, [2, 3], act="relu")
}
# CHECK:      void moved(const float *RSH_RESTRICT x, float *RSH_RESTRICT y);
graph moved(x: f32[2, 3]) -> y {
    y = flip(x, 0) |> paddle.reshape([6], act="relu", inplace=True)
}
# The buffer given away here is square's result, not x.
# CHECK:      void between(const float *RSH_RESTRICT x, float *RSH_RESTRICT y);
graph between(x: f32[2, 3]) -> y {
    y = square(x) |> paddle.reshape([6], act="relu", inplace=True)
}
# CHECK:      void narrower(const float *RSH_RESTRICT x, uint16_t *RSH_RESTRICT y);
graph narrower(x: f32[2, 3]) -> y {
    y = paddle.reshape(x, [6], act="relu", inplace=True) |> cast(f16)
}
# Nothing to compute: an alias, as always.
# CHECK:       *     may point to element 0 of x: then nothing is copied; otherwise must not overlap an input
# CHECK:      #define NOTHING_Y_IS_ALIAS 1
graph nothing(x: f32[2, 3]) -> y {
    y = paddle.reshape(x, [6], inplace=True)
}
