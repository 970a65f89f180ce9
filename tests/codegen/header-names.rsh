# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Names reserved in C or C++ get an underscore, in the object as well as in the header; names that collide get a
# number.
# RUN: %{reshapec} %s -o %t.o --header %t.h && FileCheck %s < %t.h && llvm-nm %t.o | FileCheck %s --check-prefix=OBJECT
# RUN: %{cc} -fsyntax-only -x c %t.h
# RUN: %{reshapec} %s --emit=llvm-ir -o - | FileCheck %s --check-prefix=IR

# CHECK: void int_(const float *RSH_RESTRICT for_, float *RSH_RESTRICT class_);
# OBJECT-DAG: T int_{{$}}
# IR-DAG: define void @int_(
graph int(for: f32[2, 3]) -> class { class = transpose(for) }

# CHECK: void int__2(
# OBJECT-DAG: T int__2{{$}}
graph int_(x: f32[2, 3]) -> y { y = transpose(x) }

# Libraries define these; a program that links the object must not get ours.
# CHECK: void memcpy_(
# CHECK: void main_(
# CHECK: void cosf_(
# OBJECT-NOT: T {{memcpy|main|cosf}}{{$}}
graph memcpy(x: f32[2, 3]) -> y { y = transpose(x) }
graph main(x: f32[2, 3]) -> y { y = transpose(x) }
graph cosf(x: f32[2, 3]) -> y { y = transpose(x) }

# Macros are upper case, so names that differ only in case collide.
# CHECK: #define A_B_C_RANK
# CHECK: #define A_B_C_2_RANK
# CHECK: #define A_B_C_3_RANK
graph a(b_c: f32[2, 3], B_c: f32[2]) -> y { y = transpose(b_c) }
graph a_b(c: f32[2, 3]) -> y { y = transpose(c) }

# The function of an alias gives way to a graph.
# CHECK: void lines_y(
# CHECK: static inline const float *lines_y_2(const float *x)
graph lines_y(x: f32[2, 3]) -> y { y = transpose(x) }
graph lines(x: f32[2, 3]) -> y { y = flatten(x) }

# Types and macros of the header.
# CHECK: void f(const float *RSH_RESTRICT int32_t_, const float *RSH_RESTRICT INT8_MAX_, const float *RSH_RESTRICT F_Y_RANK_, float *RSH_RESTRICT y);
graph f(int32_t: f32[2, 3], INT8_MAX: f32[2, 3], F_Y_RANK: f32[2, 3]) -> y {
    y = concat(int32_t, INT8_MAX, F_Y_RANK, axis=0)
}

# Others of these: of placed inputs, sequences, scratch memory, and of how the header was made.
# CHECK: void g(const float *RSH_RESTRICT G_Z_LOD_, const float *RSH_RESTRICT G_SCRATCH_ALIGN_, float *RSH_RESTRICT G_Z_PLACE_STRIDES_);
# CHECK: void HEADER_NAMES_RSH_TMP_VERSION_(const float *RSH_RESTRICT HEADER_NAMES_RSH_TMP_TARGET_, const float *RSH_RESTRICT HEADER_NAMES_RSH_TMP_OPTIONS_, float *RSH_RESTRICT HEADER_NAMES_RSH_TMP_SOURCE_SHA256_);
graph g(z: f32[2, 3] placed, G_Z_LOD: f32[2, 3] lod, G_SCRATCH_ALIGN: f32[2, 3]) -> G_Z_PLACE_STRIDES {
    G_Z_PLACE_STRIDES = concat(z, G_Z_LOD, G_SCRATCH_ALIGN, axis=0)
}
graph HEADER_NAMES_RSH_TMP_VERSION(HEADER_NAMES_RSH_TMP_TARGET: f32[2, 3], HEADER_NAMES_RSH_TMP_OPTIONS: f32[2, 3],)
    -> HEADER_NAMES_RSH_TMP_SOURCE_SHA256 {
    HEADER_NAMES_RSH_TMP_SOURCE_SHA256 = concat(HEADER_NAMES_RSH_TMP_TARGET, HEADER_NAMES_RSH_TMP_OPTIONS, axis=0)
}
