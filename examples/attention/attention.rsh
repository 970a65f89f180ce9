# The reshapes around attention in BERT-base: 8 sequences of 384 tokens, 12 heads of 64.

# One projection gives queries, keys and values side by side; each head wants its own rows.
graph split_heads(qkv: f32[8, 384, 2304]) -> (q: f32[8, 12, 384, 64], k: f32[8, 12, 384, 64], v: f32[8, 12, 384, 64]) {
    queries, keys, values = split(qkv, axis=-1, parts=3)
    q = queries |> reshape([0, 0, 12, 64]) |> transpose([0, 2, 1, 3])
    k = keys |> reshape([0, 0, 12, 64]) |> transpose([0, 2, 1, 3])
    v = values |> reshape([0, 0, 12, 64]) |> transpose([0, 2, 1, 3])
}

# The way back.
graph merge_heads(x: f32[8, 12, 384, 64]) -> y: f32[8, 384, 768] {
    y = x |> transpose([0, 2, 1, 3]) |> reshape([0, 0, 768])
}

# What the next layer sees are rows of tokens: nothing moves, and `view` holds us to it.
graph token_rows(x: f32[8, 384, 768]) -> view rows: f32[3072, 768] {
    rows = reshape(x, [-1, 768])
}
