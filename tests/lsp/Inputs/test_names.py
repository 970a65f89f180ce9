# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from conftest import URI, applied, start, stop

GRAPHS = """graph heads(«a»: u8[«N», 4], b: u8[N]) -> y where N % 2 == 0 {
    y = reshape(a, [N/2, 8])  # a 😀 N
}
graph «twice»(x: u8[M, 4], z: u8[M]) -> (p, q) {
    «p» = heads(x, b=z)
    q = heads(b=z, a=x) |> transpose()
}
"""


@pytest.mark.parametrize("text, at", [
    ("graph g(«x»: u8[2]) -> y { y = ‸x }", 0),
    ("graph g(x: u8[«N», 3], z: u8[2, N]) -> y where ‸N > 1 { y = x }", 0),
    ("graph g(x: u8[2]) -> ‸y { «y» = x }", 0),
    ("graph «f»(x: u8[2]) -> y { y = x }\ngraph g(x: u8[2]) -> y { y = x |> ‸f() }", 0),
    ("graph f(«x»: u8[2]) -> y { y = x }\ngraph g(a: u8[2]) -> y { y = f(‸x=a) }", 0),
    ('«a» = load("x.npy")\nprint(‸a)\na = 1\n', 0),
    ('a = load("x.npy")\n«a» = a[0]\nprint(‸a)\n', 0),
    ("graph g(x: u8[2]) -> y { # 😀\n «a» = x # 😀\n y = cast(‸a, f16) }", 0),
])
async def test_definition(editor, text, at):
    marked = await editor.open(text)
    found = await editor.ask(lsp.DefinitionParams, "text_document_definition_async", marked)
    assert found == lsp.Location(URI, marked.ranges[at])


async def test_operators_have_no_definition(editor):
    marked = await editor.open("graph g(x: u8[2]) -> y { y = ‸cast(x, f16) }")
    assert await editor.ask(lsp.DefinitionParams, "text_document_definition_async", marked) is None


async def test_references_and_highlight(editor):
    marked = await editor.open("graph g(«‸x»: u8[2]) -> (y, z) { y = «x»\n z = cast(«x», f16) # x\n }\ngraph h(x: u8[2]) -> y { y = x }")
    uses = lsp.ReferenceContext(include_declaration=False)
    found = await editor.ask(lsp.ReferenceParams, "text_document_references_async", marked, context=uses)
    assert [place.range for place in found] == marked.ranges[1:]
    every = lsp.ReferenceContext(include_declaration=True)
    found = await editor.ask(lsp.ReferenceParams, "text_document_references_async", marked, context=every)
    assert sorted(str(place.range) for place in found) == sorted(str(span) for span in marked.ranges)
    found = await editor.ask(lsp.DocumentHighlightParams, "text_document_document_highlight_async", marked)
    assert len(found) == 3


async def test_symbols(editor):
    await editor.open(GRAPHS)
    found = await editor.client.text_document_document_symbol_async(
        lsp.DocumentSymbolParams(text_document=lsp.TextDocumentIdentifier(URI)))
    assert [(one.name, [child.name for child in one.children]) for one in found] == [("heads", ["y"]), ("twice", ["p", "q"])]


async def rename(editor, marked, name, uri=URI):
    return await editor.ask(lsp.RenameParams, "text_document_rename_async", marked, uri, new_name=name)


@pytest.mark.parametrize("old, new, changed", [
    ("graph heads(‸a:", "row", lambda t: t.replace("(a:", "(row:").replace("reshape(a,", "reshape(row,").replace("a=x", "row=x")),
    ("graph heads(a: u8[‸N", "Rows",
     lambda t: t.replace("u8[N", "u8[Rows").replace("where N", "where Rows").replace("[N/2", "[Rows/2")),
    ("graph ‸heads", "halves", lambda t: t.replace("heads", "halves")),
    ("-> (‸p", "left", lambda t: t.replace("(p,", "(left,").replace(" p =", " left =")),
])
async def test_rename(editor, old, new, changed):
    plain = GRAPHS.replace("«", "").replace("»", "")
    marked = await editor.open(plain.replace(old.replace("‸", ""), old, 1))
    edit = await rename(editor, marked, new)
    assert list(edit.changes) == [URI]
    assert applied(marked.text, edit.changes[URI]) == changed(plain)
    await editor.open(applied(marked.text, edit.changes[URI]))
    assert editor.found() == []


async def test_rename_of_a_variable(editor):
    marked = await editor.open('a = load("x.npy")\n‸a = a[0]\nprint(a)\n')
    edit = await rename(editor, marked, "b")
    assert applied(marked.text, edit.changes[URI]) == 'b = load("x.npy")\nb = b[0]\nprint(b)\n'


REFUSED = [
    ("‸x", "3d", "'3d' is not a name: a name has letters, digits and underscores, and does not begin with a digit"),
    ("‸x", "größe", "'größe' is not a name"),
    ("‸x", "", "'' is not a name"),
    ("‸x", "a b", "'a b' is not a name"),
    ("‸x", "where", "'where' is a keyword"),
    ("‸x", "f32", "'f32' is a keyword"),
    ("‸x", "N", "'N' is already the name of a size"),
    ("‸x", "y", "'y' is already the name of a value"),
    ("‸N", "x", "'x' is already the name of an input"),
    ("‸g", "reshape", "'reshape' is an operator"),
    ("‸g", "f", "'f' is already the name of a graph"),
    ("‸g", "load", "'load' is a function of scripts"),
    ("‸x", "_", "'_' is not a name"),
]


@pytest.mark.parametrize("old, new, message", REFUSED)
async def test_rename_refused(editor, old, new, message):
    text = "graph f(q: u8[2]) -> y { y = q }\ngraph g(x: u8[N]) -> y { y = x }"
    old = {"‸x": "(‸x:", "‸N": "[‸N", "‸g": "graph ‸g("}[old]
    marked = await editor.open(text.replace(old.replace("‸", ""), old, 1))
    with pytest.raises(JsonRpcException) as refused:
        await rename(editor, marked, new)
    assert message in refused.value.message


async def test_rename_of_nothing(editor):
    marked = await editor.open("graph g(x: u8[2]) -> y { y = ‸cast(x, f16) }")
    with pytest.raises(JsonRpcException, match="there is no name that can be changed here"):
        await rename(editor, marked, "z")
    with pytest.raises(JsonRpcException):
        await editor.ask(lsp.PrepareRenameParams, "text_document_prepare_rename_async", marked)


async def test_rename_that_changes_the_meaning(editor):
    # There is no z, but it is used: after the change it would be x.
    marked = await editor.open("graph g(‸x: u8[2]) -> y { y = concat(x, z, axis=0) }")
    with pytest.raises(JsonRpcException, match="the new name 'z': the text would change its meaning"):
        await rename(editor, marked, "z")


async def test_prepare(editor):
    marked = await editor.open("graph g(x: u8[2]) -> y { y = «x‸» }")
    found = await editor.ask(lsp.PrepareRenameParams, "text_document_prepare_rename_async", marked)
    assert found.range == marked.ranges[0] and found.placeholder == "x"


# ---- imports


def uri_of(path):
    return pathlib.Path(path).as_uri()


async def test_imports(editor, tmp_path):
    (tmp_path / "größe b").mkdir()
    part, main = tmp_path / "größe b" / "part.rsh", tmp_path / "main.rsh"
    part.write_text("graph turn(x: u8[A, B]) -> y { y = transpose(x) }\n")
    text = 'import «"größe b/part.rsh"»\ngraph g(x: u8[2, 3]) -> y { y = ‸turn(x) }\n'
    marked = await editor.open(text, uri_of(main))
    assert editor.found(uri_of(main)) == []
    found = await editor.ask(lsp.DefinitionParams, "text_document_definition_async", marked, uri_of(main))
    assert found.uri == uri_of(part) and found.range == lsp.Range(lsp.Position(0, 6), lsp.Position(0, 10))

    # What the editor has of the other file counts, once it has it; its mistakes are told at the import.
    inner = await editor.open("# 😀\ngraph other(x: u8[A, B]) -> y { y = transpos(x) }\n", uri_of(part), told=[uri_of(main)])
    found = editor.found(uri_of(main))
    texts = [d.message for d in found]
    assert texts[0].startswith("part.rsh:2:37: no operator or graph is called 'transpos'")
    assert len(texts) == 2 and texts[1].startswith("no operator or graph is called 'turn'")
    assert found[0].range == lsp.Range(lsp.Position(0, 0), lsp.Position(0, 25))

    # The name of the graph changes in both.
    inner = await editor.open("graph ‸turn(x: u8[A, B]) -> y { y = transpose(x) }\n", uri_of(part), told=[uri_of(main)])
    edit = await rename(editor, inner, "swap", uri_of(part))
    assert applied(inner.text, edit.changes[uri_of(part)]).startswith("graph swap(")
    assert "y = swap(x)" in applied(marked.text, edit.changes[uri_of(main)])
    edit = await rename(editor, marked, "swap", uri_of(main))
    assert set(edit.changes) == {uri_of(part), uri_of(main)}

    # Closed: the file on the disk is what counts again.
    async with editor.telling(uri_of(part), uri_of(main)):
        editor.client.text_document_did_close(lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(uri_of(part))))
    assert editor.found(uri_of(main)) == [] and editor.found(uri_of(part)) == []


async def test_definition_of_an_import(editor, tmp_path):
    (tmp_path / "part.rsh").write_text("graph turn(x: u8[A, B]) -> y { y = transpose(x) }\n")
    uri = uri_of(tmp_path / "main.rsh")
    marked = await editor.open('import "./x/../part‸.rsh"\ngraph g(x: u8[2, 3]) -> y { y = turn(x) }\n', uri)
    found = await editor.ask(lsp.DefinitionParams, "text_document_definition_async", marked, uri)
    assert found.uri == uri_of(tmp_path / "part.rsh")


async def test_a_text_without_a_file(tmp_path, monkeypatch):
    # It imports from the folder of the server; no other folder is its own.
    (tmp_path / "part.rsh").write_text("# a\ngraph turn(x: u8[A, B]) -> y { y = transpos(x) }\n")
    monkeypatch.chdir(tmp_path)
    editor = await start()
    marked = await editor.open('import "part.rsh"\ngraph g(x: u8[2, 3]) -> y { y = ‸turn(x) }\n', "untitled:Text-1")
    found = await editor.ask(lsp.DefinitionParams, "text_document_definition_async", marked, "untitled:Text-1")
    assert found.uri == uri_of(tmp_path / "part.rsh") and found.range.start == lsp.Position(1, 6)
    assert editor.found("untitled:Text-1")[0].message.startswith("part.rsh:2:36: no operator or graph is called 'transpos'")
    await stop(editor)


async def test_rename_in_files_that_are_not_open(tmp_path):
    part, main, user, other, hidden = (tmp_path / name for name in ("part.rsh", "a/main.rsh", "a/b/user.rsh", "other.rsh", ".git/x.rsh"))
    for path in (main, user, hidden):
        path.parent.mkdir(exist_ok=True, parents=True)
    (tmp_path / "circle").symlink_to(tmp_path)
    part.write_text("graph turn(x: u8[A, B]) -> y { y = transpose(x) }\n")
    main.write_text('import "../part.rsh"\ngraph g(x: u8[2, 3]) -> y { y = turn(x) }\na = turn(load("a.npy"))\nprint(g(a))\n')
    user.write_text('import "../main.rsh"\n# turn 😀\ngraph h(z: u8[2, 3]) -> y { y = turn(x=z) |> g() }\n')
    other.write_text('graph turn(x: u8[2]) -> y { y = x }\nimport "none"\n')
    hidden.write_text(user.read_text())
    editor = await start(root=uri_of(tmp_path))
    marked = await editor.open(part.read_text().replace("turn", "‸turn"), uri_of(part))
    edit = await rename(editor, marked, "swap", uri_of(part))
    assert set(edit.changes) == {uri_of(path) for path in (part, main, user)}
    assert applied(main.read_text(), edit.changes[uri_of(main)]) == main.read_text().replace("turn(", "swap(")
    assert applied(user.read_text(), edit.changes[uri_of(user)]) == user.read_text().replace("turn(", "swap(")
    with pytest.raises(JsonRpcException, match="'g' is already the name of a graph in '.*(main|user).rsh'"):
        await rename(editor, marked, "g", uri_of(part))
    marked = await editor.open(part.read_text().replace("(x:", "(‸x:"), uri_of(part))
    edit = await rename(editor, marked, "rows", uri_of(part))
    assert set(edit.changes) == {uri_of(path) for path in (part, user)}
    assert applied(user.read_text(), edit.changes[uri_of(user)]) == user.read_text().replace("x=z", "rows=z")
    await stop(editor)
