# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pytest
from lsprotocol import types as lsp

from conftest import URI, applied

ALL = lsp.Range(lsp.Position(0, 0), lsp.Position(1000, 0))


async def actions(editor, span=ALL, only=None):
    return list(await editor.client.text_document_code_action_async(lsp.CodeActionParams(
        text_document=lsp.TextDocumentIdentifier(URI), range=span, context=lsp.CodeActionContext(diagnostics=[], only=only))))


# A text with one mistake, and the text that the only fix makes of it: which has none.
FIXES = [
    ("graph g(x: u8[2, 3]) -> y { y = transpos(x) }", "transpos(", "transpose("),
    ("graph g(x: u8[2, 3]) -> y { y = TransPose(x) }", "TransPose", "transpose"),
    ("graph f(x: u8[2, 3]) -> y { y = x }\ngraph g(picture: u8[2, 3]) -> y { y = f(pictur) }", "pictur)", "picture)"),
    ("graph f(x: uint8_t[2, 3]) -> y { y = x }", "uint8_t", "u8"),
    ("graph f(x: u8[2, 3]) -> y { y = cast(x, float32) }", "float32", "f32"),
    ("graph f(x: u8[2, 3]) -> y { y = concat(x, x, axs=0) }", "axs", "axis"),
    ('graph f(x: u8[2, 6]) -> y { y = rearrange(x, "a (width c) -> c width a", widht=3) }', "widht", "width"),
    ("graph f(x: u8[Height, 3]) -> y { y = reshape(x, [Heigt, 3]) }", "Heigt", "Height"),
    ('graph f(x: f32[2]) -> y { y = paddle.reshape(x, [1, 2], act="rulu") }', '"rulu"', '"relu"'),
    ("grahp f(x: f32[2]) -> y { y = x }", "grahp", "graph"),
    ("graph f(x: f32[2, 3]) -> y { y = x -> transpose() }", "-> transpose", "|> transpose"),
    ("graph f(x: f32[2, 3], z: f32[2]) -> y { y = x | transpose() }", "| transpose", "|> transpose"),
    ("graph f(x: f32[N, 3]) -> y where N = 2 { y = x }", "N = 2", "N == 2"),
    ("graph f(x: f32[2, 3]) -> y { a = x\n y = x }", "a = x", "_a = x"),
    ("graph f(x: f32[W, 3]) -> y { # {\n y = reshape(x, [W/16, 48]) }", "-> y {", "-> y where W % 16 == 0 {"),
    ("graph f(x: f32[W, 3]) -> (y: # {\n  f32[W/16, 48]) { y = reshape(x, [W/16, 48]) }", "48]) {", "48]) where W % 16 == 0 {"),
    ("graph f(x: f32[W, 3]) -> y where W > 16 { # 😀\n y = reshape(x, [W/16, 48]) }", "16 {", "16, W % 16 == 0 {"),
    ("graph f(x: f32[W, 3]) -> y where W > 16, { y = reshape(x, [W/16, 48]) }", "16, {", "16, W % 16 == 0, {"),
    ("graph f(x: f32[A, 8]) -> y { y = reshape(x, [3*A/2, -1]) }".replace("A, 8", "A, 3"), "-> y {", "-> y where 3*A % 2 == 0 {"),
]


@pytest.mark.parametrize("text, wrong, right", FIXES)
async def test_fixes(editor, text, wrong, right):
    assert text.count(wrong) == 1
    marked = await editor.open(text)
    assert len(editor.found()) == 1
    (one,) = await actions(editor)
    assert one.kind == lsp.CodeActionKind.QuickFix and one.is_preferred
    assert [(d.range, d.message) for d in one.diagnostics] == [(d.range, d.message) for d in editor.found()]
    fixed = applied(marked.text, one.edit.changes[URI])
    assert fixed == text.replace(wrong, right)
    await editor.open(fixed)
    assert editor.found() == []


async def test_only_those_of_the_range(editor):
    marked = await editor.open("graph g(x: u8[2, 3]) -> y {\n a = «transpos»(x)\n y = «flipp»(a, [0])\n}\n")
    assert [one.title for one in await actions(editor, marked.ranges[1])] == ["Change to 'flip'"]
    assert len(await actions(editor)) == 2
    assert await actions(editor, only=[lsp.CodeActionKind.Refactor]) == []
    assert len(await actions(editor, only=[lsp.CodeActionKind.QuickFix])) == 2


async def test_message_that_quotes_a_hint(editor):
    # What a user writes is no hint.
    await editor.open('graph g(x: u8[2, 3]) -> y { y = rearrange(x, "did you mean \'a b\'?") }')
    assert len(editor.found()) == 1 and await actions(editor) == []


async def test_condition_for_a_dynamic_graph(editor):
    text = "graph g(x: u8[S, 1]) -> y {\n y = squeeze(x)\n}"
    marked = await editor.open(text)
    assert editor.found() == []
    (one,) = await actions(editor)
    assert one.kind == lsp.CodeActionKind.RefactorRewrite and one.title == "Add 'where S >= 2'"
    assert await actions(editor, lsp.Range(lsp.Position(0, 0), lsp.Position(0, 5))) == []
    await editor.open(applied(marked.text, one.edit.changes[URI]))
    assert editor.found() == [] and await actions(editor) == []


async def test_nothing_to_do(editor):
    await editor.open("graph g(x: u8[2, 3]) -> y { y = x }")
    assert await actions(editor) == []
