# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A target that only moves elements of inputs is read from the inputs: none of its elements are computed at run
# time.
# RUN: %{reshapec} explain --json %s | %{python} -c "import json, sys; [print(g['name'], *(json.dumps(o['dims']) + ' ' + o['tier'] for o in g['outputs'])) for g in json.load(sys.stdin)['graphs']]" | FileCheck %s
# RUN: %{reshapec} --emit=rsh -o - %s | FileCheck --check-prefix=TEXT %s
# RUN: %{reshapec} verify %s | FileCheck --check-prefix=PROOF %s
# PROOF: 7 of 7 graphs verified

# CHECK: first_two ["?", "?"] dynamic
# TEXT: y = reshape(x, shape=[s[0], s[1]])
graph first_two(x: f32[2, 3, 4], s: i64[3]) -> y { y = reshape(x, s[0:2]) }
# CHECK: joined ["?", "?", "?"] dynamic
# TEXT: reshape(x, shape=[s[1], s[2], t[0]])
graph joined(x: f32[2, 3, 4], s: i64[3], t: i64[2]) -> y {
    y = reshape(x, concat(s[1:], t[:1], axis=0)) |> transpose()
}
# CHECK: entries ["?", "?", "?"] dynamic
# TEXT: y = reshape(x, shape=[s[2], -1, s[0]])
graph entries(x: f32[2, 3, 4], s: i64[3]) -> y { y = reshape(x, [s[2], -1, s[0]]) }
# CHECK: turned ["?", "?", "?"] dynamic
# TEXT: y = reshape(x, shape=[s[2], s[1], s[0]])
graph turned(x: f32[2, 3, 4], s: i64[3]) -> y {
    t = flip(s, [0])
    y = reshape(x, t)
}
# CHECK: inner ["?", "?"] dynamic
graph inner(x: f32[2, 3, 4], s: i64[2]) -> y { y = reshape(x, s) }
# CHECK: called ["?", "?"] dynamic
# TEXT: y = reshape(x, shape=[s[1], s[2]])
graph called(x: f32[2, 3, 4], s: i64[3]) -> y { y = inner(x, s[1:]) }
# CHECK: other_dialect ["?", "?"] dynamic
graph other_dialect(x: f32[2, 3, 4], s: i32[3]) -> y {
    y = onednn.dynamic_reshape(x, s[::2], special_zero=true)
}
