# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# For an unknown name the nearest known one is suggested; later uses are not reported.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s
# RUN: not %{reshapec} check --json %s | grep '"kind"' | grep -v '"note"' | FileCheck --check-prefix=KIND %s

graph values(image: u8[2, 3]) -> (y, z) {
    # KIND: "kind": "unknown_name"
    # CHECK: [[FILE]]:[[#@LINE+1]]:17: error: no value is called 'imag'; did you mean 'image'?
    y = flatten(imag)
    z = flatten(y)
}
graph operators(x: u8[2, 3]) -> (y, z) {
    # KIND-NEXT: "kind": "unknown_name"
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: no operator or graph is called 'transpos'; did you mean 'transpose'?
    y = transpos(x)
    # KIND-NEXT: "kind": "unknown_name"
    # CHECK: [[FILE]]:[[#@LINE+1]]:14: error: no operator or graph is called 'onnx.reshap'; did you mean 'onnx.reshape'?
    z = x |> onnx.reshap([6])
}
graph graphs(x: u8[2, 3]) -> y {
    # KIND-NEXT: "kind": "unknown_name"
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: no operator or graph is called 'opertors'; did you mean 'operators'?
    y = opertors(x)
}
graph sizes(x: u8[Batch, 3]) -> y {
    # KIND-NEXT: "kind": "unknown_name"
    # CHECK: [[FILE]]:[[#@LINE+1]]:21: error: no size is called 'Bach'; did you mean 'Batch'?
    y = reshape(x, [Bach, 3])
}
graph far(x: u8[2, 3]) -> y {
    # KIND-NEXT: "kind": "unknown_name"
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: no operator or graph is called 'quicksort'
    y = quicksort(x)
}
# KIND-NOT: kind
