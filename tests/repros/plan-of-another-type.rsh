# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The plan of the last call is reused only for tensors of the same sizes, strides and types. The types were not compared,
# so tensors of another type were read as the type of the graph.
# RUN: %{reshapec} -fno-verify %s -o %t.o --header %t.h && %{cc} -I%{root} -include %t.h -x c %S/Inputs/plan_of_another_type.c -x none %t.o %{build}/librsh_runtime.a -o %t && %t | FileCheck %s
# CHECK: ok ok type_mismatch type_mismatch ok
graph g(x: f64[*]) -> y {
    y = transpose(x, [1, 0])
}
