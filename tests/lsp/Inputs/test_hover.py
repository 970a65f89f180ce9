# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import subprocess

import pytest
from lsprotocol import types as lsp

from conftest import start, stop

# A value, what its hover begins with, and what else it says. Bytes are products of sizes.
CARDS = [
    ("graph g(x: u8[2, 3]) -> y { «‸y» = x |> transpose([1, 0]) |> cast(f32) }",
     "y: f32[3, 2]", "static, 24 bytes moved: "),
    ("graph g(x: u8[2, 3]) -> y { y = reshape(«‸x», [6]) }", "x: u8[2, 3]", "input of g"),
    ("graph g(x: u8[8, 3]) -> «‸y» { y = x[2:4] }", "y: u8[2, 3]", "alias of x from element 6 on, 0 bytes moved"),
    ("graph g(x: u8[N, 3]) -> y { «‸y» = transpose(x) }", "y: u8[3, N]", "symbolic, 3*N bytes moved"),
    ("graph g(x: u8[?, 3], s: i64[2]) -> y { «‸y» = reshape(transpose(x), s) }", "y: u8[?, ?]", "dynamic, an unknown number of bytes"),
    # One that is no result: as if it were.
    ("graph g(x: u8[2, 3]) -> y { «‸a» = transpose(x)\n y = transpose(a) }",
     "a: u8[3, 2]", "if it were a result: static, 6 bytes moved"),
    ("graph g(x: u8[2, 3]) -> y { «‸a» = reshape(x, [3, 2])\n y = transpose(a) }",
     "a: u8[3, 2]", "if it were a result: alias of x from element 0 on"),
    # A mistake elsewhere, of the graph or of syntax.
    ("graph g(x: u8[2, 3]) -> (y, z) { «‸a» = transpose(x)\n y = f(a)\n z = a }", "a: u8[3, 2]", "if it were a result: static"),
    ("graph g(x: u8[2, 3]) -> (y, z) { y = f(x)\n «‸z» = transpose(x)\n }", "z: u8[3, 2]", "static, 6 bytes"),
    ("graph g(x: u8[2, 3]) -> y { «‸a» = transpose(x)\n y = a |> (\n }", "a: u8[3, 2]", "static"),
    ("graph g(x: u8[2, 3]) -> y { «‸y» = f(x) }", "y", "stopped before"),
    # Sizes, with what is known of them.
    ("graph g(x: u8[«‸N», 3]) -> y where N % 4 == 0, N < 9 { y = x }", "N", "a size known at run time; where N % 4 == 0, N < 9"),
    # Operators: what the call gives here, and help.
    ("graph g(x: u8[2, 3, 4]) -> y { y = x |> «‸transpose»([2, 0, 1]) |> reshape([-1]) }",
     "transpose -> u8[4, 2, 3]", "transpose(x, [perm])"),
    ("graph g(x: u8[2, 6]) -> y { y = «rearr‸ange»(x, \"a (b c) -> c a b\", b=3) }", "rearrange -> u8[2, 2, 3]", "as in einops"),
    # Graphs, called and declared.
    ("graph h(x: u8[A, B]) -> y: u8[B, A] { y = transpose(x) }\ngraph g(x: u8[2, 3]) -> y { y = «‸h»(x) }",
     "graph h(x: u8[A, B]) -> y: u8[B, A]", "y: symbolic, A*B bytes moved"),
    # Scripts.
    ("«‸a» = load(\"x.npy\")\nprint(a)\n", "a", "a value of the script"),
    ("a = «‸load»(\"x.npy\")\nprint(a)\n", "load(path, [type or name])", "reads a tensor: from a .npy file"),
    # Layouts are those of the declaration.
    ("graph g(«‸x»: u8[1, 3, 2, 2] layout \"n c h w -> n h w c\") -> y { y = x }",
     'x: u8[1, 3, 2, 2] layout "n c h w -> n h w c"', "input of g"),
]


@pytest.mark.parametrize("text, code, prose", CARDS)
async def test_cards(editor, text, code, prose):
    marked = await editor.open(text)
    hover = await editor.ask(lsp.HoverParams, "text_document_hover_async", marked)
    assert hover.contents.kind == lsp.MarkupKind.Markdown
    assert hover.contents.value.startswith(f"```rsh\n{code}\n```\n")
    assert prose in hover.contents.value
    assert hover.range == marked.ranges[0]


@pytest.mark.parametrize("text", [
    "graph g(x: u8[2, 3]) -> y { y = ‸x |> transpose() } # x"[:-3] + "‸x", "# ‸x\n", "graph g(x: u8[2]) -> y { y ‸= x }",
])
async def test_nothing(editor, text):
    marked = await editor.open(text.replace("‸", "", text.count("‸") - 1))
    assert await editor.ask(lsp.HoverParams, "text_document_hover_async", marked) is None


async def test_help_is_that_of_the_command(editor):
    help_text = subprocess.run([os.environ["RESHAPEC"], "help", "pad"], check=True, capture_output=True, text=True).stdout
    marked = await editor.open("graph g(x: u8[2, 3]) -> y { y = ‸pad(x, [0, 1, 0, 1]) }")
    hover = await editor.ask(lsp.HoverParams, "text_document_hover_async", marked)
    assert hover.contents.value == f"```rsh\npad -> u8[2, 5]\n```\n```text\n{help_text}```\n"


async def test_plain_text():
    editor = await start(lsp.ClientCapabilities())
    marked = await editor.open("graph g(x: u8[2, 3]) -> y { ‸y = x }")
    hover = await editor.ask(lsp.HoverParams, "text_document_hover_async", marked)
    assert hover.contents.kind == lsp.MarkupKind.PlainText
    assert hover.contents.value.startswith("y: u8[2, 3]\nalias of x from element 0 on, 0 bytes moved")
    await stop(editor)


async def test_processor_is_an_option():
    editor = await start(arguments=["--target=thumbv7em-none-eabi", "-mcpu=cortex-m4", "-Werror", "--stdio"])
    await editor.open("graph g(x: u8[2, 3]) -> y { a = x\n y = x }")
    assert [d.severity for d in editor.found()] == [lsp.DiagnosticSeverity.Error]
    await stop(editor)
