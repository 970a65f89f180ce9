graph moved(x: f32[B, S]) -> y { y = x |> softmax() |> transpose() }
graph ends(x: f32[N, 3]) -> (head, tail) {
    head = pad(x, [2, 0, 0, 0]) |> softmax() |> transpose()
    tail = x[1:] |> softmax() |> transpose()
}
graph in_place(x: f32[B, S]) -> y { y = softmax(x) }
