# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Where the elements go when rearrange merges, splits and repeats.
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} "%{cc}" %t.dir %s

graph joined(a: f32[2, 3], b: f32[2, 5]) -> (c, d, e) {
    # EXPECT c static [2, 8] = np.concatenate([a, b], 1)
    c = rearrange(a, b, "n q, n k -> n (q + k)")
    # EXPECT d static [8, 2] = np.concatenate([b.T, a.T], 0)
    d = rearrange(a, b, "n q, n k -> (k + q) n")
    # EXPECT e static [16] = np.concatenate([b.reshape(-1), a.T.reshape(-1)])
    e = rearrange(a, b, "n q, n k -> (n k + q n)")
}

graph repeated(a: f32[2, 3], b: f32[3]) -> (c, d) {
    # EXPECT c static [2, 6] = np.concatenate([a, np.stack([b, b])], 1)
    c = rearrange(a, b, "n q, q -> n (q + q)")
    # EXPECT d static [3, 3] = np.concatenate([a, b[None]], 0)
    d = rearrange(a, b, "n q, q -> (n + 1) q")
}

graph cut(x: f32[4, 6, 10]) -> (q, k, v, m, n) {
    # EXPECT q static [4, 6, 4] = x[:, :, :4]
    # EXPECT k static [6, 24] = x[:, :, 4:].transpose(2, 0, 1)
    q, k = rearrange(x, "a b (q + k) -> a b q, k (a b)", q=4)
    # EXPECT v static [4, 2, 10] = x[:, :2]
    # EXPECT m static [2, 40] = x[:, 2:4].transpose(1, 0, 2)
    # EXPECT n static [10, 4, 2] = x[:, 4:].transpose(2, 0, 1)
    v, m, n = rearrange(x, "a (h + h + h) b -> a h b, h (a b), b a h")
}

graph rows(x: f32[6, 4]) -> (top, low) {
    # EXPECT top alias [2, 4] = x[:2]
    # EXPECT low alias [4, 4] = x[2:]
    top, low = rearrange(x, "(a + b) c -> a c, b c", a=2)
}

graph quarters(x: f32[4, 6]) -> y {
    # EXPECT y static [4, 6] = np.block([[x[1:, 2:], x[1:, :2]], [x[:1, 2:], x[:1, :2]]])
    y = rearrange(x, "(b + c) (d + e) -> (c + b) (e + d)", b=1, d=2)
}

graph there_and_back(x: f32[4, 6]) -> y {
    q, k = rearrange(x, "n (q + k) -> n q, k n", q=2)
    # EXPECT y alias [4, 6] = x
    y = rearrange(q, k, "n q, k n -> n (q + k)")
}

graph numbers(x: f32[4, 6, 3]) -> (a, b, c) {
    # EXPECT a static [3, 4, 6] = x.transpose(2, 0, 1)
    a = rearrange(x, "h w 3 -> 3 h w")
    # EXPECT b static [2, 3, 2, 2, 3] = x.reshape(2, 2, 3, 2, 3).transpose(0, 2, 1, 3, 4)
    b = rearrange(x, "(h 2) (w 2) c -> h w 2 2 c")
    # EXPECT c static [2, 3, 2, 2, 3] = x.reshape(2, 2, 3, 2, 3).transpose(0, 2, 3, 1, 4)
    c = rearrange(x, "(h p=2) (w q=2) c -> h w q p c")
}
