# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""huge_sizes.py: reads names of operators, one per line; prints one or a few graphs for each of them, with sizes near
2**63 elements or bytes. An operator not listed below is called with only its input."""

import re
import sys

CHAINS = """
u8[4611686018427387904]         reshape([4194304, -1])
u8[2, 4611686018427387903]      onnx.reshape([0, -1], opset=5)
u8[2, 4611686018427387903]      openvino.reshape([-1, 2], special_zero=false)
f32[2, 1152921504606846975]     onednn.static_reshape(shape=[-1], special_zero=false)
f32[2, 1152921504606846975]     onednn.dynamic_reshape([-1], special_zero=false)
f32[2, 1152921504606846975]     paddle.reshape(shape=[-1], act="relu")
u8[2, 4611686018427387903]      transpose() |> flatten()
u8[1, 9223372036854775807]      squeeze([0])
u8[9223372036854775807]         unsqueeze([1])
u8[2147483648, 4294967295]      transpose()
u8[3, 3074457345618258602]      transpose()
u8[3074457345618258602, 3]      transpose()
f32[768614336404564650, 3]      transpose()
f32[2, 384307168202282325, 3]   transpose([0, 2, 1])
i4[2, 4611686018427387903]      transpose()
u2[2, 4611686018427387903]      transpose()
u2[9223372036854775806, 1]      reshape([1, -1])
f64[16, 349524, 4294967296, 7]  transpose([1, 3, 0, 2])
u2[2, 4611686018427387903]      slice([1], [1000], [1]) |> flip(0)
u8[9223372036854775807]         slice([9223372036854775807], [-9223372036854775807], [0], [-2])
u8[9223372036854775807]         slice([-9223372036854775807], [9223372036854775807], [0], [9223372036854775807])
u8[9223372036854775807]         slice([9223372036854775807], [-9223372036854775807], [0], [-9223372036854775807])
i4[9223372036854775807]         slice([1], [9223372036854775807])
u8[9223372036854775807]         flip(0)
i4[9223372036854775807]         flip(0)
f64[2, 576460752303423487]      flip([0, 1])
c128[576460752303423487]        flip(0)
u8[1]                           expand([9223372036854775807])
u8[3, 1]                        expand([3, 3074457345618258602])
u8[2, 4611686018427387903]      rearrange("a b -> b a")
u8[4611686018427387903]         concat(x, axis=0)
u8[4611686018427387903]         stack(x, axis=1)
u8[1, 4, 2147483648, 536870911] depth_to_space(2)
u8[1, 4, 2147483648, 536870911] depth_to_space(2, mode="CRD")
u8[1, 1, 4294967296, 1073741822] space_to_depth(2)
u8[1]                           pad([9223372036854775806, 0])
u8[4611686018427387904]         pad([2305843009213693952, 2305843009213693951])
u8[4611686018427387904]         pad([2305843009213693952, 2305843009213693951], mode="edge")
u8[4611686018427387904]         pad([2305843009213693952, 2305843009213693951], mode="reflect")
u8[4611686018427387904]         pad([2305843009213693952, 2305843009213693951], mode="wrap")
u8[9223372036854775807]         pad([-4611686018427387904, -4611686018427387902])
u8[9223372036854775807]         center_crop_pad([5])
u8[5]                           center_crop_pad([9223372036854775807])
u8[3]                           tile([3074457345618258602])
u8[3074457345618258602]         tile([3])
u8[3]                           repeat([3074457345618258602])
u8[3074457345618258602]         repeat([3])
u8[9223372036854775807]         roll(9223372036854775806, axes=0)
u8[9223372036854775807]         roll(-9223372036854775807)
u8[3, 3074457345618258602]      roll([1, -1], axes=[0, 1])
u8[4611686018427387903]         gather([4611686018427387902, 0, -1, -4611686018427387903])
u8[9223372036854775807]         gather([-1, -1, 0, 4611686018427387903]) |> flip(0)
u8[4611686018427387903, 2]      gather([1, 0], axis=1)
u8[4611686018427387903, 2]      reverse_sequence([4611686018427387903, 4611686018427387902])
u8[2305843009213693951]         flip(0) |> cast(f32)
f32[2305843009213693951]        bitcast(i32)
f32[768614336404564650, 3]      transpose() |> softmax()
u8[9223372036854775807]         add(1) |> sub(2) |> rsub(3) |> mul(5) |> div(7) |> mod(9) |> rem(8) |> min(5) |> max(1) |> flip(0)
i16[4611686018427387903]        clip(1, 3) |> neg() |> bitwise_and(7) |> bitwise_or(1) |> bitwise_xor(9) |> bitwise_not() |> flip(0)
u2[2305843009213693951]         flip(0) |> lookup([0, 1, 2, 3], dtype=f32)
u32[2305843009213693951]        shift_left(3) |> shift_right(2) |> flip(0)
f32[2305843009213693951]        rdiv(2.0) |> round_even() |> flip(0) |> quantize(0.5)
u8[2305843009213693951]         flip(0) |> dequantize(0.5)
i32[2305843009213693951]        flip(0) |> requantize(1518500250, -8)
"""

OTHERS = """
graph halves(x: u8[9223372036854775807]) -> (y, z) { y, z = split(flip(x, 0), sizes=[1, 9223372036854775806]) }
graph blocks(x: u8[9223372036854775807]) -> y { y = rearrange(x[7:], "(a b) -> b a", a=100) }
graph apart(x: u8[4611686018427387904] strides [2]) -> y { y = identity(x) }
graph far(x: u8[2] strides [9223372036854775806]) -> y { y = identity(x) }
graph picked(x: u8[4611686018427387903], i: i64[1152921504606846975]) -> y { y = gather(x, i) }
graph elements(x: u8[2, 4611686018427387903], i: i32[1, 2305843009213693951]) -> y { y = gather_elements(x, i, axis=1) }
graph entries(x: u8[4611686018427387903], i: i64[1152921504606846975, 1]) -> y { y = gather_nd(x, i) }
graph beside(a: u8[4611686018427387904] placed, z: u8[4611686018427387903]) -> y { y = concat(a, flip(z, 0), axis=0) }
"""


def main():
    names = sys.stdin.read().split()
    called = set(re.findall(r"([\w.]+)\(", CHAINS + OTHERS))
    count = 0
    for line in CHAINS.strip().splitlines():
        kind, chain = re.fullmatch(r"(\w+\[.*?\]) +(.*)", line).groups()
        print(f"graph chain_{count}(x: {kind}) -> y {{ y = x |> {chain} }}")
        count += 1
    for name in sorted(set(names) - called):
        print(f"graph chain_{count}(x: f32[2305843009213693951]) -> y {{ y = flip({name}(x), 0) }}")
        count += 1
    print(OTHERS.strip())


main()
