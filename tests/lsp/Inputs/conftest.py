# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An editor with `reshapec lsp`, for each test. The client is pytest-lsp's, which reads answers by the types of the
protocol. Positions in texts are marked: "y = «transpos»(x)" is a range, "y = ‸x" a position; Python's own encoder
converts them to UTF-16 here."""

import asyncio
import contextlib
import os

import pytest_asyncio
from lsprotocol import types as lsp
from pytest_lsp import LanguageClient, client_capabilities, make_test_lsp_client

URI = "file:///nowhere/text.rsh"


def position(text, index):
    line = text.count("\n", 0, index)
    begin = text.rfind("\n", 0, index) + 1
    return lsp.Position(line, len(text[begin:index].encode("utf-16-le")) // 2)


def index_of(text, place):
    line = sum(len(one) for one in text.splitlines(keepends=True)[:place.line])
    units = text[line:].encode("utf-16-le")[:2 * place.character]
    return line + len(units.decode("utf-16-le"))


class Marked:
    """Returns a text without its marks, and their positions."""

    def __init__(self, text):
        self.text, self.points, self.ranges, begin = "", [], [], 0
        places = []
        for c in text:
            if c == "‸":
                self.points.append(len(self.text))
            elif c == "«":
                begin = len(self.text)
            elif c == "»":
                places.append((begin, len(self.text)))
            else:
                self.text += c
        self.ranges = [lsp.Range(position(self.text, a), position(self.text, b)) for a, b in places]
        self.points = [position(self.text, at) for at in self.points]


def applied(text, edits):
    """Returns the text after edits that do not overlap."""
    spans = sorted(((index_of(text, e.range.start), index_of(text, e.range.end), e.new_text) for e in edits), reverse=True)
    for begin, end, new in spans:
        text = text[:begin] + new + text[end:]
    return text


class Editor:
    def __init__(self, client):
        self.client = client
        self.versions = {}

    async def open(self, text, uri=URI, told=()):
        """Opens or changes a text; gives it without marks, once its diagnostics are there, and those of others."""
        marked = Marked(text)
        version = self.versions[uri] = self.versions.get(uri, 0) + 1
        async with self.telling(uri, *told):
            if version == 1:
                self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(
                    lsp.TextDocumentItem(uri, "rsh", version, marked.text)))
            else:
                self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(
                    lsp.VersionedTextDocumentIdentifier(version, uri), [lsp.TextDocumentContentChangeWholeDocument(marked.text)]))
        return marked

    @contextlib.asynccontextmanager
    async def telling(self, *uris):
        """Waits at its end for new diagnostics of these."""
        for uri in uris:
            self.client.diagnostics.pop(uri, None)
        yield
        for _ in range(6000):
            if all(uri in self.client.diagnostics for uri in uris):
                return
            await asyncio.sleep(0.01)
        raise TimeoutError(f"no diagnostics of all of {uris}")

    def found(self, uri=URI):
        return list(self.client.diagnostics[uri])

    async def ask(self, kind, method, marked, uri=URI, **more):
        """A request about the first point of a text."""
        return await asyncio.wait_for(getattr(self.client, method)(
            kind(text_document=lsp.TextDocumentIdentifier(uri), position=marked.points[0], **more)), 60)


async def start(capabilities=client_capabilities("visual-studio-code"), arguments=(), root="file:///nowhere"):
    client = make_test_lsp_client()
    await client.start_io(os.environ["RESHAPEC"], "lsp", *arguments)
    answer = await client.initialize_session(
        lsp.InitializeParams(capabilities=capabilities, root_uri=root))
    editor = Editor(client)
    editor.capabilities = answer.capabilities
    return editor


async def stop(editor):
    """Sanitizers speak at the end: it must be a good one."""
    server = editor.client._server
    await editor.client.shutdown_session()
    assert await asyncio.wait_for(server.wait(), 60) == 0
    await editor.client.stop()


@pytest_asyncio.fixture
async def editor():
    one = await start()
    yield one
    await stop(one)
