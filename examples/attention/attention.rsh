# The reshapes around attention in BERT-base: 8 sequences of 384 tokens, 12 heads of 64.

# A fused projection computes queries, keys and values in one row; they are split into heads.
graph split_heads(qkv: f32[8, 384, 2304]) -> (q: f32[8, 12, 384, 64], k: f32[8, 12, 384, 64], v: f32[8, 12, 384, 64]) {
    queries, keys, values = split(qkv, axis=-1, parts=3)
    q = queries |> reshape([0, 0, 12, 64]) |> transpose([0, 2, 1, 3])
    k = keys |> reshape([0, 0, 12, 64]) |> transpose([0, 2, 1, 3])
    v = values |> reshape([0, 0, 12, 64]) |> transpose([0, 2, 1, 3])
}

# The inverse: joins the heads.
graph merge_heads(x: f32[8, 12, 384, 64]) -> y: f32[8, 384, 768] {
    y = x |> transpose([0, 2, 1, 3]) |> reshape([0, 0, 768])
}

# The next layer reads rows of tokens: an alias, which `view` guarantees.
graph token_rows(x: f32[8, 384, 768]) -> view rows: f32[3072, 768] {
    rows = reshape(x, [-1, 768])
}
