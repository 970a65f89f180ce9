# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What is known before run time if a target shape, or a rank, is not: the rest is "?".
# RUN: %{reshapec} explain --json %s | %{python} -c "import json, sys; [print(g['name'], *(json.dumps(o['dims']) + ' ' + o['tier'] for o in g['outputs'])) for g in json.load(sys.stdin)['graphs']]" | FileCheck %s

# CHECK: whole ["?", "?"] dynamic
graph whole(x: f32[2, 3, 4], s: i64[2]) -> y {
    y = reshape(x, s)
}
# CHECK-NEXT: in_parts [2, 3, "?"] dynamic
graph in_parts(x: f32[2, 3, 4], d: i64[1]) -> y {
    y = reshape(x, [0, 3, d])
}
# CHECK-NEXT: inferred [3, "?", "?"] dynamic
graph inferred(x: f32[2, 3, 4], n: i64) -> y {
    y = reshape(x, [n, -1, 3]) |> transpose([2, 0, 1])
}
# The list must resolve by itself; then the tensor takes precedence.
# CHECK-NEXT: actual ["?", "?", "?"] dynamic
graph actual(x: f32[6, 20], s: i32[3]) -> y {
    y = paddle.reshape(x, [0, -1, 20], actual_shape=s)
}
# CHECK-NEXT: not_actual [6, "?", 20] dynamic
graph not_actual(x: f32[6, 20], n: i32[1], s: i32[2]) -> y {
    y = paddle.reshape(x, [0, n, 20], actual_shape=s)
}
# CHECK-NEXT: length "*" dynamic
graph length(x: f32[2, 3], s: i64[N]) -> y {
    y = reshape(x, s)
}
# CHECK-NEXT: any_rank ["?", "?"] dynamic ["?", "?", "?"] dynamic "*" dynamic "*" dynamic
graph any_rank(x: f32[*]) -> (a, b, c, d) {
    a = flatten(x)
    b = transpose(x, [2, 0, 1])
    c = relu(x)
    d = slice(x, 0, 1)
}
# CHECK-NEXT: target_of_any_rank [2, "?", "?"] dynamic
graph target_of_any_rank(x: f32[*]) -> y {
    y = reshape(x, [2, -1, 0])
}
# squeeze drops the axes that turn out to be 1.
# CHECK-NEXT: squeezed "*" dynamic
graph squeezed(x: f32[B, 1]) -> y {
    y = squeeze(x)
}
# Unknown sizes get names if arguments have to be expressed in terms of them.
# CHECK-NEXT: rearranged ["?", "?"] dynamic
graph rearranged(x: f32[2, 3, 4], s: i64[2]) -> y {
    t = reshape(x, s)
    y = rearrange(t, "a b -> b a")
}
# Joined tensors must agree, so what is known of one is known of all.
# CHECK-NEXT: joined [5, 4] dynamic
graph joined(x: f32[2, 4], z: f32[12], n: i64) -> y {
    y = concat(x, reshape(z, [3, n]), axis=0)
}
# The call compares a result's declared sizes, so they are known.
# CHECK-NEXT: declared ["?", 4] dynamic [3, "?"] dynamic
graph declared(x: f32[*], s: i64[2]) -> (y: f32[?, 4], z: f32[3, ?]) {
    y = reshape(x, s)
    z = relu(x)
}
# CHECK-NOT: {{.}}
