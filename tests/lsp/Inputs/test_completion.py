# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import sys

import pytest
from lsprotocol import types as lsp

from conftest import applied

sys.path.insert(0, os.path.join(os.environ["ROOT"], "tests", "support"))
from operators import names  # noqa: E402

OPERATORS = names(os.environ["RESHAPEC"])
TYPES = ["i2", "i4", "i8", "i16", "i32", "i64", "u1", "u2", "u4", "u8", "u16", "u32", "u64", "f16", "bf16", "f32", "f64",
         "f8e4m3fn", "f8e4m3fnuz", "f8e5m2", "f8e5m2fnuz", "f8e8m0", "f4e2m1", "bool", "c64", "c128", "string"]


async def complete(editor, text):
    marked = await editor.open(text)
    found = await editor.ask(lsp.CompletionParams, "text_document_completion_async", marked)
    assert not found.is_incomplete
    return marked, {item.label: item for item in found.items}


async def test_in_a_body(editor):
    marked, items = await complete(
        editor, "graph f(x: u8[2]) -> y { y = x }\ngraph g(a: u8[H, 3]) -> y {\n    b = transpose(a)\n    y = b |> tran‸\n}\ngraph h(x: u8[2]) -> y { y = x }\n")
    assert set(OPERATORS) <= set(items)
    assert {"a", "b", "H", "f", "true", "None"} | set(TYPES) <= set(items)
    assert not {"h", "g", "y", "x"} & set(items)  # below, itself, not yet, of another graph
    assert items["b"].detail == "u8[3, H]" and items["a"].detail == "u8[H, 3]"
    assert items["f"].detail == "graph f(x: u8[2]) -> y"
    one = items["transpose"]
    assert one.kind == lsp.CompletionItemKind.Function and one.detail == "transpose(x, [perm])"
    assert one.documentation == "result axis i is input axis perm[i]; without perm, reversed"
    assert "    y = b |> transpose\n" in applied(marked.text, [one.text_edit])


async def test_dotted_name_is_one_word(editor):
    marked, items = await complete(editor, "graph g(x: u8[2]) -> y { y = onnx.re‸ }")
    assert "y = onnx.reshape }" in applied(marked.text, [items["onnx.reshape"].text_edit])


async def test_arguments_of_the_call(editor):
    _, items = await complete(editor, "graph g(x: u8[2, 2]) -> y { y, z = split(x, ‸) }")
    assert {"axis=", "parts=", "sizes="} <= set(items)
    _, items = await complete(editor, "graph g(x: u8[2, 2]) -> y { y = x |> pad([1, ‸]) }")
    assert {"pads=", "mode="} <= set(items)
    _, items = await complete(editor, "graph g(x: u8[2, 2]) -> y { y = split(x) |> ‸ }")
    assert "axis=" not in items


@pytest.mark.parametrize("text, has, lacks", [
    ("graph g(x: ‸", TYPES, ["where", "reshape"]),
    ("graph g(x: u8[N, M], y: f32[‸", ["N", "M"], ["u8", "x"]),
    ("graph g(x: u8[N, M]) -> y where N < ‸ { y = x }", ["N", "M", "in"], ["u8", "x"]),
    ("graph g(x: u8[N, M] ‸", ["layout", "strides", "align", "placed", "lod"], ["reshape"]),
    ("graph g(x: u8[N, M]) -> y ‸", ["where"], ["reshape"]),
    ("‸", ["graph", "import", "for", "load", "save", "print", "reshape"], ["layout"]),
    ('a = load("x.npy")\nprint(‸', ["a", "shape", "transpose"], ["layout"]),
    ("for i in range(3) {\n    twice = 2 * i\n    print(‸\n}", ["i", "twice", "shape"], ["layout"]),
])
async def test_by_place(editor, text, has, lacks):
    _, items = await complete(editor, text)
    assert set(has) <= set(items)
    assert not set(lacks) & set(items)


@pytest.mark.parametrize("text", [
    "# y = tra‸", 'import "tra‸', 'a = load("tra‸npy")', "graph g(x: u8[2]) -> y { y = x[12‸] }",
    "graph g(x: u8[2]) -> y { y = x # 😀 tra‸\n}",
])
async def test_not_in_comments_strings_and_numbers(editor, text):
    _, items = await complete(editor, text)
    assert items == {}


@pytest.mark.parametrize("text, label, active", [
    ("graph g(x: u8[2]) -> y { y = slice(‸", "slice(x, starts, ends, [axes], [steps])", "x"),
    ("graph g(x: u8[2]) -> y { y = slice(x, [1, 2], ‸", "slice(x, starts, ends, [axes], [steps])", "ends"),
    ("graph g(x: u8[2]) -> y { y = x |> slice([1,‸", "slice(x, starts, ends, [axes], [steps])", "starts"),
    ("graph g(x: u8[2]) -> y { y = x\n |> slice([1], [2], steps=[‸1], axes=[0])", "slice(x, starts, ends, [axes], [steps])", "[steps]"),
    ("graph g(x: u8[2]) -> y { y = concat(x, x, x,‸", "concat(x, ..., axis)", "..."),
    ("graph g(x: u8[2]) -> y { y = concat(x, x, x, axis=‸", "concat(x, ..., axis)", "axis"),
    ("graph h(a: u8[N, M], b: u8[N]) -> y { y = a }\ngraph g(x: u8[2]) -> y { y = h(x, ‸ }",
     "h(a: u8[N, M], b: u8[N]) -> y", "b: u8[N]"),
    ('print(load("x.npy", ‸', "load(path, [type or name])", "[type or name]"),
])
async def test_signatures(editor, text, label, active):
    marked = await editor.open(text)
    found = await editor.ask(lsp.SignatureHelpParams, "text_document_signature_help_async", marked)
    (one,) = found.signatures
    assert one.label == label
    begin, end = one.parameters[found.active_parameter].label
    assert label[begin:end] == active


@pytest.mark.parametrize("text", ["graph g(‸x: u8[2]) -> y { y = x }", "graph g(x: u8[2]) -> y { y = ‸x }", "x = (1, ‸2)"])
async def test_no_signature(editor, text):
    marked = await editor.open(text)
    assert await editor.ask(lsp.SignatureHelpParams, "text_document_signature_help_async", marked) is None
