# Elements smaller than a byte, moved as whole bytes.
graph whole(x: i4[3, 2, 4]) -> y { y = transpose(x, [1, 0, 2]) }
graph odd(s: u2[5]) -> t { t = reshape(s, [5, 1]) }
