# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from lsprotocol import types as lsp

from conftest import URI

LINES = [
    # One mistake a text: what is marked, and the message as `reshapec check` prints it.
    ("graph g(x: f32[2, 3]) -> y { y = «transpos»(x) }",
     "no operator or graph is called 'transpos'; did you mean 'transpose'?"),
    ("graph g(x: «float32»[2, 3]) -> y { y = transpose(x) }", "unknown element type 'float32'; did you mean 'f32'?"),
    ("# größe 😀 €\ngraph g(x: f32[2]) -> y {\n    # 😀😀\n    y = cast(«z», f16) # 😀\n}\n", "no value is called 'z'"),
    ("graph g(x: f32[2]) -> y { y = rearrange(x, \"größe -> größe\") + «z» }", None),
]


async def test_places(editor):
    for text, message in LINES:
        marked = await editor.open(text)
        found = editor.found()
        assert len(found) >= 1, text
        if message:
            assert [found[0].range] == marked.ranges, text
            assert found[0].message == message
        assert found[0].severity == lsp.DiagnosticSeverity.Error
        assert found[0].source == "reshapec"
    await editor.open("graph g(x: f32[2]) -> y { y = x[::-1] }")
    assert editor.found() == []


async def test_after_wide_characters_of_one_line(editor):
    # Two code units, one, and three bytes of UTF-8: the column of UTF-16 is none of those of other encodings.
    marked = await editor.open('y = load("😀é€.npy") |> «transpos»([1, 0])\n')
    assert [d.range for d in editor.found()] == marked.ranges


async def test_notes(editor):
    marked = await editor.open("graph g(«x»: f32[2, 3]) -> y {\n    y = transpose(x, «[0, 1, 2]»)\n}\n")
    (found,) = editor.found()
    assert found.range == marked.ranges[1] and found.code == "bad_perm"
    (note,) = found.related_information
    assert note.location == lsp.Location(URI, marked.ranges[0])
    assert note.message == "'x' is declared here: f32[2, 3]"


async def test_warning(editor):
    marked = await editor.open("graph g(x: f32[2, 3]) -> y {\n    «a» = x[1:]\n    y = x\n}\n")
    (found,) = editor.found()
    assert found.severity == lsp.DiagnosticSeverity.Warning and found.range == marked.ranges[0]
    assert list(found.tags) == [lsp.DiagnosticTag.Unnecessary]


async def test_scripts(editor):
    marked = await editor.open('a = load("x.npy")\nprint(«b»)\n')
    (found,) = editor.found()
    assert found.range == marked.ranges[0] and found.message.startswith("nothing is called 'b' here")


async def test_crlf_and_empty(editor):
    marked = await editor.open("graph g(x: f32[2]) -> y {\r\n  y = «f»(x)\r\n}\r\n")
    assert [d.range for d in editor.found()] == marked.ranges
    await editor.open("")
    assert [d.message for d in editor.found()] == ["there is no graph in this file"]


async def test_many(editor):
    names = "".join(f" y{i} = f(x)\n" for i in range(150))
    await editor.open("graph g(x: f32[2]) -> y {\n" + names + " y = x }\n")
    assert len(editor.found()) == 101 and editor.found()[100].message == "and 50 more errors"
