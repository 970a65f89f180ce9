# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from lsprotocol import types as lsp

from conftest import URI, index_of

ALL = lsp.Range(lsp.Position(0, 0), lsp.Position(1000, 0))


async def hints(editor, marked, span=ALL):
    found = await editor.client.text_document_inlay_hint_async(
        lsp.InlayHintParams(text_document=lsp.TextDocumentIdentifier(URI), range=span))
    text = marked.text
    for hint in sorted(found, key=lambda h: index_of(text, h.position), reverse=True):
        assert hint.kind == lsp.InlayHintKind.Type
        at = index_of(text, hint.position)
        text = text[:at] + hint.label + text[at:]
    return text


async def test_bindings(editor):
    # The sizes are those that numpy has.
    x = np.zeros((4, 6, 3), np.uint8)
    a, b = np.split(x.transpose(2, 0, 1), [1])
    marked = await editor.open("""graph g(x: u8[4, 6, 3]) -> (p, q: u8[6, 2, 4]) {
    a, b = x |> transpose([2, 0, 1]) |> split(0, sizes=[1, 2])  # 😀
    p = a
    q = transpose(b, [2, 0, 1])
}
""")
    def of(array):
        return f": u8{list(array.shape)}"
    assert await hints(editor, marked) == f"""graph g(x: u8[4, 6, 3]) -> (p{of(a)}, q: u8[6, 2, 4]) {{
    a{of(a)}, b{of(b)} = x |> transpose([2, 0, 1]) |> split(0, sizes=[1, 2])  # 😀
    p{of(a)} = a
    q{of(b.transpose(2, 0, 1))} = transpose(b, [2, 0, 1])
}}
"""


async def test_a_broken_graph_and_one_of_open_sizes(editor):
    marked = await editor.open("""graph g(x: u8[H, 4]) -> y {
    a = reshape(x, [H, 2, 2])
    b = f(a)
    y = b |> transpose()
}
graph h(x: u8[N, 3]) -> y { y = x[::2] |>
""")
    assert await hints(editor, marked) == """graph g(x: u8[H, 4]) -> y {
    a: u8[H, 2, 2] = reshape(x, [H, 2, 2])
    b = f(a)
    y = b |> transpose()
}
graph h(x: u8[N, 3]) -> y { y = x[::2] |>
"""


async def test_range(editor):
    marked = await editor.open("graph g(x: u8[2]) -> y {\n    a = x\n    b = a\n    y = b\n}\n")
    line = lsp.Range(lsp.Position(2, 0), lsp.Position(2, 9))
    assert (await hints(editor, marked, line)).splitlines()[1:4] == ["    a = x", "    b: u8[2] = a", "    y = b"]
