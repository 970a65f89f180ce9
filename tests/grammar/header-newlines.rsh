# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# From `graph` to `{` newlines have no meaning.
# RUN: %{reshapec} --dump=ast %s | FileCheck %s

# CHECK:      graph g
# CHECK-NEXT:   input x: f32[2]
# CHECK-NEXT:   result view y: f32[2]
# CHECK-NEXT:   where B <= 3
graph
  g
  (x
   : f32
   [2])
  -> # to
  view
  y : f32[2]
  where B
  <= 3
{
}
