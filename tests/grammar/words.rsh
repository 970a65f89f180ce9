# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Words with a meaning in one place are ordinary names everywhere else.
# RUN: %{reshapec} --dump=ast %s | FileCheck %s

# CHECK:      graph layout
# CHECK-NEXT:   input view: f32[strides] strides [in]
# CHECK-NEXT:   input in: layout layout "a"
# CHECK-NEXT:   input lod: lod lod
# CHECK-NEXT:   result view view
# CHECK-NEXT:   result strides: view
# CHECK-NEXT:   where in in [in]
# CHECK-NEXT:   let view, view in
# CHECK-NEXT:     call view
# CHECK-NEXT:       name in
# CHECK-NEXT:   let layout
# CHECK-NEXT:     call view.in
# CHECK-NEXT:       layout =
# CHECK-NEXT:         name strides
graph layout(view: f32[strides] strides [in], in: layout layout "a", lod: lod lod) -> (view view, strides: view)
    where in in [in] {
    view, view in = view(in)
    layout = view.in(layout=strides)
}
