# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import subprocess

import pytest
from lsprotocol import types as lsp

from conftest import URI, applied

FILES = subprocess.run(["sh", "scripts/rsh_files.sh"], cwd=os.environ["ROOT"], check=True, capture_output=True,
                       text=True).stdout.split()


async def edits(editor):
    found = await editor.client.text_document_formatting_async(lsp.DocumentFormattingParams(
        text_document=lsp.TextDocumentIdentifier(URI), options=lsp.FormattingOptions(tab_size=8, insert_spaces=False)))
    return None if found is None else list(found)


def formatted(text):
    return subprocess.run([os.environ["RESHAPEC"], "fmt", "-"], input=text.encode(), check=True, capture_output=True).stdout.decode()


@pytest.mark.parametrize("text", [
    "graph   g(x:u8[2,3])->y{y=transpose(x)}",
    "graph g(x: u8[2, 3]) -> y {\n    y = transpose(x)\n}\n\n\n\n# 😀 größe\ngraph h(x: u8[2]) -> y {\n  y = x   # 😀\n}\n",
    "\ufeffgraph g(x: u8[2]) -> y { y = x  }\r\n# a\r\n",
    "a=load(\"x.npy\")\n\n\n\nprint(a)", "", "\n\n\n",
])
async def test_as_fmt(editor, text):
    marked = await editor.open(text)
    assert applied(marked.text, await edits(editor)) == formatted(text)
    await editor.open(formatted(text))
    assert await edits(editor) == []


async def test_lines_that_stay_are_not_touched(editor):
    await editor.open("# a\ngraph g(x: u8[2]) -> y {\n  y = x\n}\n# b\n")
    (one,) = await edits(editor)
    assert one.range == lsp.Range(lsp.Position(2, 0), lsp.Position(3, 0)) and one.new_text == "    y = x\n"


async def test_a_text_with_mistakes_stays(editor):
    await editor.open("graph g(x: u8[2] -> y { y = x }")
    assert await edits(editor) is None


async def test_files_of_the_tree_are_formatted(editor):
    assert len(FILES) > 50
    for path in FILES:
        with open(os.path.join(os.environ["ROOT"], path), encoding="utf-8", newline="") as file:
            text = file.read()
        if "‸" not in text and "«" not in text:
            await editor.open(text)
            assert not await edits(editor), path
