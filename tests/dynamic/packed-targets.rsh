# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# OpenVINO's target may have any integer type, including those that share bytes: 2, -1, 2 in i4 are f2 02.
# RUN: %{reshapec} verify %s | FileCheck %s --check-prefix=PROVED
# RUN: %{reshapec} verify --emit=c %s | FileCheck %s --check-prefix=PROVED
# PROVED: 8 of 8 graphs verified
# RUN: mkdir -p %t && cd %t
# RUN: %{python} -c "import numpy as n; n.save('x', n.arange(24.).reshape(2, 3, 4)); n.save('i', n.array([2, -1, 2], 'i1')); n.save('u', n.array([4, 6], 'u1')); n.save('n', n.array(3, 'u1')); n.save('row', n.arange(3.).reshape(1, 3)); n.save('b', n.array([1, 0, 1], 'u1'))"
# RUN: %{reshapec} run %s signed x=x.npy s=i.npy y=signed.npy
# RUN: %{reshapec} run %s unsigned x=x.npy s=u.npy y=unsigned.npy
# RUN: %{reshapec} run %s entries x=x.npy s=i.npy n=n.npy y=entries.npy
# RUN: %{reshapec} run %s any x=x.npy s=u.npy y=any.npy
# RUN: %{reshapec} run %s bits x=row.npy s=b.npy y=bits.npy
# RUN: %{python} -c "import numpy as n; print(*(n.load(f'{f}.npy').shape for f in ('signed', 'unsigned', 'entries', 'any', 'bits')))" | FileCheck %s
# CHECK: (2, 6, 2) (4, 6) (3, 8) (4, 6) (1, 3, 1)

graph signed(x: f64[2, 3, 4], s: i4[3]) -> y {
    y = openvino.reshape(x, s, special_zero=true)
}
graph unsigned(x: f64[2, 3, 4], s: u4[2]) -> y {
    y = openvino.reshape(x, s, special_zero=true)
}
graph entries(x: f64[2, 3, 4], s: i4[3], n: u4) -> y {
    t = openvino.reshape(x, [s[0], s[1]], special_zero=true)
    y = openvino.reshape(t, [n, 8], special_zero=true)
}
# Tensors of any rank are passed as DLPack's, with strides.
graph any(x: f64[*], s: u4[*]) -> y {
    y = openvino.reshape(x, s, special_zero=true)
}
graph two_bits(x: f64[2, 3, 1], s: u2[2]) -> y {
    y = openvino.reshape(x, s, special_zero=true)
}
# With bits, each size is 1 or copied.
graph bits(x: f64[1, 3], s: u1[3]) -> y {
    y = openvino.reshape(x, s, special_zero=true)
}
# In an unsigned type -1 is the largest number.
graph not_inferred(x: f64[2, 3, 4], s: u8[2]) -> y {
    y = openvino.reshape(x, s, special_zero=true)
}
# A target may also be moved to an output.
graph moved(x: f64[2, 3, 4], s: i4[3]) -> (y, r) {
    y = openvino.reshape(x, s, special_zero=true)
    r = flip(s, 0)
}
