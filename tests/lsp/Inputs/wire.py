# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sends bytes to `reshapec lsp` and checks its answers, without a library.

wire.py RESHAPEC cases              the cases below: LSP 3.17, base protocol and lifecycle
wire.py RESHAPEC fuzz COUNT         so many spoilt messages, from a fixed seed
wire.py RESHAPEC texts ROOT COUNT   each text of the tree, whole and cut off at random, asked for everything at random places
"""

import json
import os
import pathlib
import random
import subprocess
import sys

RESHAPEC = sys.argv[1]
URI = "file:///nowhere/text.rsh"
TEXT = "graph g(x: u8[2, 3]) -> y {\n    y = transpose(x)\n}\n"
PARSE_ERROR, INVALID_REQUEST, NO_METHOD, INVALID_PARAMS = -32700, -32600, -32601, -32602
NOT_INITIALIZED, CANCELED, FAILED = -32002, -32800, -32803


def frame(body, header=""):
    body = body if isinstance(body, bytes) else json.dumps(body).encode()
    return f"{header}Content-Length: {len(body)}\r\n\r\n".encode() + body


def ask(number, method, **params):
    return frame({"jsonrpc": "2.0", "id": number, "method": method, "params": params})


def tell(method, **params):
    return frame({"jsonrpc": "2.0", "method": method, "params": params})


HELLO = ask(0, "initialize", processId=None, rootUri=None, capabilities={}) + tell("initialized")
OPEN = tell("textDocument/didOpen", textDocument={"uri": URI, "languageId": "rsh", "version": 1, "text": TEXT})
BYE = ask(99, "shutdown") + tell("exit")


def hover(number, line, character, uri=URI):
    return ask(number, "textDocument/hover", textDocument={"uri": uri}, position={"line": line, "character": character})


def messages(output):
    """Reads the server's frames, which must have exactly the required form."""
    while output:
        head, output = output.split(b"\r\n\r\n", 1)
        name, length = head.split(b": ")
        assert name == b"Content-Length", head
        body, output = output[:int(length)], output[int(length):]
        assert len(body) == int(length)
        yield json.loads(body)


def talk(*parts, one_by_one=False):
    """Returns answers without notifications as (id, error code or None, result), and the exit status."""
    with subprocess.Popen([RESHAPEC, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as server:
        try:
            if one_by_one:
                for byte in b"".join(parts):
                    server.stdin.write(bytes([byte]))
                    server.stdin.flush()
            out, err = server.communicate(b"" if one_by_one else b"".join(parts), timeout=120)
        except subprocess.TimeoutExpired:
            server.kill()
            raise
    assert not err or server.returncode == 1, err
    assert server.returncode in (0, 1), (server.returncode, err.decode())
    answers = [m for m in messages(out) if "id" in m]
    for m in answers:
        assert m["jsonrpc"] == "2.0" and ("result" in m) != ("error" in m), m
    return [(m["id"], m.get("error", {}).get("code"), m.get("result")) for m in answers], server.returncode


def codes(*parts, **how):
    answers, status = talk(*parts, **how)
    return [(number, code) for number, code, _ in answers], status


CASES = [
    # ---- lifecycle
    ("a session", HELLO + BYE, [(0, None), (99, None)], 0),
    ("exit without shutdown", HELLO + tell("exit"), [(0, None)], 1),
    ("exit before anything", tell("exit"), [], 1),
    ("an end without exit", HELLO, [(0, None)], 1),
    ("nothing", b"", [], 1),
    ("an end after shutdown", HELLO + ask(1, "shutdown"), [(0, None), (1, None)], 1),
    ("before initialize", hover(1, 0, 0) + OPEN + hover(2, 0, 0) + HELLO + hover(3, 0, 0) + BYE,
     [(1, NOT_INITIALIZED), (2, NOT_INITIALIZED), (0, None), (3, INVALID_PARAMS), (99, None)], 0),
    ("initialize twice", HELLO + ask(1, "initialize", capabilities={}) + BYE, [(0, None), (1, INVALID_REQUEST), (99, None)], 0),
    ("after shutdown", HELLO + OPEN + ask(1, "shutdown") + hover(2, 0, 0) + ask(3, "shutdown") + OPEN + tell("exit"),
     [(0, None), (1, None), (2, INVALID_REQUEST), (3, INVALID_REQUEST)], 0),
    ("after exit", HELLO + BYE + hover(1, 0, 0), [(0, None), (99, None)], 0),
    # ---- methods
    ("unknown methods", HELLO + ask(1, "textDocument/moniker") + ask("two", "$/x") + tell("$/x") + tell("x/y") + BYE,
     [(0, None), (1, NO_METHOD), ("two", NO_METHOD), (99, None)], 0),
    ("a notification that is asked", HELLO + ask(1, "textDocument/didOpen") + ask(2, "initialized") + ask(3, "exit") + BYE,
     [(0, None), (1, NO_METHOD), (2, NO_METHOD), (3, NO_METHOD), (99, None)], 0),
    ("a request that is told", HELLO + OPEN + tell("textDocument/hover") + tell("shutdown") + tell("exit"), [(0, None)], 1),
    ("answers to nothing", HELLO + frame({"jsonrpc": "2.0", "id": 1, "result": 1}) + BYE, [(0, None), (99, None)], 0),
    ("ids are strings, and any integer", HELLO + OPEN + hover("a", 1, 4) + hover(-5, 1, 4) + hover(2**62, 1, 4) + BYE,
     [(0, None), ("a", None), (-5, None), (2**62, None), (99, None)], 0),
    # ---- params
    ("a text that is not open", HELLO + hover(1, 0, 0) + BYE, [(0, None), (1, INVALID_PARAMS), (99, None)], 0),
    ("no params", HELLO + OPEN + frame({"jsonrpc": "2.0", "id": 1, "method": "textDocument/hover"}) + BYE,
     [(0, None), (1, INVALID_PARAMS), (99, None)], 0),
    ("params of other kinds", HELLO + OPEN + b"".join(
        frame({"jsonrpc": "2.0", "id": 1, "method": "textDocument/hover", "params": p})
        for p in (1, "a", [], [1], None, {"textDocument": 1}, {"textDocument": {"uri": URI}}, {"textDocument": {"uri": URI}, "position": 1},
                  {"textDocument": {"uri": URI}, "position": {"line": "0", "character": 0}},
                  {"textDocument": {"uri": URI}, "position": {"line": 1.5, "character": 0}})) + BYE,
     [(0, None)] + [(1, INVALID_PARAMS)] * 10 + [(99, None)], 0),
    ("positions before the text", HELLO + OPEN + hover(1, -1, 0) + hover(2, 0, -1) + BYE,
     [(0, None), (1, INVALID_PARAMS), (2, INVALID_PARAMS), (99, None)], 0),
    ("positions after it", HELLO + OPEN + hover(1, 10**18, 0) + hover(2, 0, 10**18) + hover(3, 3, 5) + BYE,
     [(0, None), (1, None), (2, None), (3, None), (99, None)], 0),
    ("no range", HELLO + OPEN + ask(1, "textDocument/inlayHint", textDocument={"uri": URI})
     + ask(2, "textDocument/codeAction", textDocument={"uri": URI}, range={}) + BYE,
     [(0, None), (1, INVALID_PARAMS), (2, INVALID_PARAMS), (99, None)], 0),
    ("notifications of other kinds", HELLO + OPEN + tell("textDocument/didOpen") + tell("textDocument/didChange", textDocument=5)
     + tell("textDocument/didChange", textDocument={"uri": URI, "version": "x"}, contentChanges=[{"text": 5}])
     + tell("textDocument/didChange", textDocument={"uri": URI}, contentChanges=[])
     + tell("textDocument/didChange", textDocument={"uri": "x"}, contentChanges=[{"text": ""}])
     + tell("textDocument/didClose") + tell("textDocument/didClose", textDocument={"uri": "x"})
     + tell("textDocument/didOpen", textDocument={"uri": URI}) + hover(1, 1, 4) + BYE, [(0, None), (1, None), (99, None)], 0),
    ("closed twice", HELLO + OPEN + 2 * tell("textDocument/didClose", textDocument={"uri": URI}) + hover(1, 0, 0) + BYE,
     [(0, None), (1, INVALID_PARAMS), (99, None)], 0),
    # ---- messages
    ("no JSON", HELLO + frame(b"{") + frame(b"") + frame(b"\xff") + frame(b'"\\ud800"') + BYE,
     [(0, None)] + [(None, PARSE_ERROR)] * 4 + [(99, None)], 0),
    ("too deep", HELLO + frame(b"[" * 100000) + frame(b'{"a":' * 100000) + BYE, [(0, None)] + [(None, PARSE_ERROR)] * 2 + [(99, None)], 0),
    ("no message", HELLO + frame([]) + frame([{"jsonrpc": "2.0", "id": 1, "method": "shutdown"}]) + frame(1) + frame(b"null")
     + frame({"id": 4, "method": "shutdown"}) + frame({"jsonrpc": "1.0", "id": "e", "method": "shutdown"})
     + frame({"jsonrpc": 2, "method": "exit"}) + frame({"jsonrpc": "2.0", "id": 5}) + frame({"jsonrpc": "2.0", "id": 6, "method": 7})
     + frame({"jsonrpc": "2.0", "id": [], "method": "shutdown"}) + frame({"jsonrpc": "2.0", "id": 1.5, "method": "shutdown"}) + BYE,
     [(0, None)] + [(None, INVALID_REQUEST)] * 4 + [(4, INVALID_REQUEST), ("e", INVALID_REQUEST), (None, INVALID_REQUEST),
                                                   (5, INVALID_REQUEST), (6, INVALID_REQUEST)] + [(None, INVALID_REQUEST)] * 2 + [(99, None)], 0),
    # ---- headers
    ("more fields", frame({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {}},
                          "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nX: y\r\n") + BYE.replace(b"Content-Length", b"content-LENGTH"),
     [(0, None), (99, None)], 0),
    ("no length", HELLO + b"Content-Type: x\r\n\r\n{}" + BYE, [(0, None), (None, INVALID_REQUEST)], 1),
    ("no header", b"{}\r\n\r\n", [(None, INVALID_REQUEST)], 1),
    ("an empty header", HELLO + b"\r\n\r\n" + BYE, [(0, None), (None, INVALID_REQUEST)], 1),
    ("no number", HELLO + b"Content-Length: 1x\r\n\r\n{}", [(0, None), (None, INVALID_REQUEST)], 1),
    ("below 0", HELLO + b"Content-Length: -1\r\n\r\n{}", [(0, None), (None, INVALID_REQUEST)], 1),
    ("no digits", HELLO + b"Content-Length: \r\n\r\n{}", [(0, None), (None, INVALID_REQUEST)], 1),
    ("a header without an end", HELLO + b"a" * 10000, [(0, None), (None, INVALID_REQUEST)], 1),
    ("half a header", HELLO + b"Content-Len", [(0, None)], 1),
    ("half a body", HELLO + frame({"jsonrpc": "2.0", "id": 1, "method": "shutdown"})[:-3], [(0, None)], 1),
    ("too long for any memory", HELLO + b"Content-Length: " + b"9" * 40 + b"\r\n\r\n{}" + BYE, [(0, None), (None, INVALID_REQUEST)], 1),
    ("longer than is read", HELLO + b"Content-Length: 134217729\r\n\r\n" + b" " * 134217729 + BYE,
     [(0, None), (None, INVALID_REQUEST), (99, None)], 0),
    # ---- canceled: what waits is not answered otherwise
    ("canceled", HELLO + OPEN + hover(1, 1, 4) + hover("b", 1, 4) + hover(2, 1, 4) + tell("$/cancelRequest", id="b")
     + tell("$/cancelRequest", id=1) + BYE, [("b", CANCELED), (1, CANCELED), (0, None), (2, None), (99, None)], 0),
    ("canceled wrongly", HELLO + OPEN + tell("$/cancelRequest", id=7) + tell("$/cancelRequest") + tell("$/cancelRequest", id=None)
     + hover(1, 1, 4) + BYE, [(0, None), (1, None), (99, None)], 0),
]


def cases():
    for name, sent, expected, status in CASES:
        assert codes(sent) == (expected, status), (name, codes(sent))
    small = HELLO + OPEN + hover(1, 1, 4) + BYE
    assert codes(small, one_by_one=True) == codes(small) == ([(0, None), (1, None), (99, None)], 0)
    print(f"{len(CASES)} cases")


METHODS = ["hover", "completion", "signatureHelp", "definition", "references", "documentHighlight", "documentSymbol", "prepareRename",
           "rename", "formatting", "inlayHint", "codeAction"]


def request(number, method, line, character, uri=URI):
    place = {"line": line, "character": character}
    return ask(number, f"textDocument/{method}", textDocument={"uri": uri}, position=place, newName="other", options={},
               context={"diagnostics": [], "includeDeclaration": True},
               range={"start": {"line": 0, "character": 0}, "end": {"line": line, "character": character}})


def spoilt(choose, message):
    """Returns a frame with one error in its body."""
    body = bytearray(message.split(b"\r\n\r\n", 1)[1])
    for _ in range(choose.randrange(1, 4)):
        at = choose.randrange(len(body))
        kind = choose.randrange(4)
        if kind == 0:
            body[at] = choose.randrange(256)
        elif kind == 1:
            del body[at:at + choose.randrange(1, 9)]
        elif kind == 2:
            body[at:at] = choose.choice([b"null", b"-1", b"1e999", b"[]", b"{}", b'"', b"\\u0000", b"9999999999999999999", b"\xf0\x9f"])
        else:
            other = choose.randrange(len(body))
            body[at:at + 8] = body[other:other + 8]
        if not body:
            break
    return frame(bytes(body))


def fuzz(count):
    choose = random.Random(1)
    sound = [HELLO, OPEN] + [request(2, method, 1, 8) for method in METHODS] + [tell(
        "textDocument/didChange", textDocument={"uri": URI, "version": 2}, contentChanges=[{"text": TEXT}])]
    sent = 0
    for _ in range(max(1, count // 100)):
        wrong = b"".join(spoilt(choose, choose.choice(sound)) for _ in range(100))
        if b'"exit"' in wrong or b'"shutdown"' in wrong:
            continue
        answers, _ = codes(HELLO + OPEN + wrong)
        # The next message is understood in any case.
        more, _ = codes(HELLO + OPEN + wrong + ask("last", "$/nothing"))
        assert len(more) == len(answers) + 1 and more[-1] == ("last", NO_METHOD), more[-3:]
        sent += 100
    for _ in range(max(1, count // 50)):
        stream = bytearray(HELLO + OPEN + hover(1, 1, 4) + BYE)
        for _ in range(choose.randrange(1, 4)):
            stream[choose.randrange(len(stream))] = choose.randrange(256)
        codes(bytes(stream))
        sent += 1
    print(f"{sent} messages")


def texts(root, count):
    choose = random.Random(2)
    files = sorted(str(path.relative_to(root)) for folder in ("bench", "examples", "tests") for path in pathlib.Path(root, folder).rglob("*.rsh"))
    for path in files if count >= len(files) else choose.sample(files, count):
        with open(os.path.join(root, path), "rb") as file:
            text = file.read(1 << 16).decode(errors="replace")
        name = f"file://{root}/{path}".replace(" ", "%20")
        parts, asked = [HELLO], 0
        for version in range(4):
            cut = text if version == 0 else text[:choose.randrange(len(text) + 1)] + choose.choice(["", "(", "}", " |> ", "x", "\0", "\u2028"])
            if version == 0:
                parts.append(tell("textDocument/didOpen", textDocument={"uri": name, "version": 0, "text": cut}))
            else:
                parts.append(tell("textDocument/didChange", textDocument={"uri": name, "version": version}, contentChanges=[{"text": cut}]))
            lines = cut.split("\n")
            for method in METHODS:
                line = choose.randrange(len(lines))
                asked += 1
                parts.append(request(asked, method, line, choose.randrange(len(lines[line]) + 1), name))
        answers, status = talk(*parts, BYE)
        assert status == 0 and len(answers) == asked + 2, (path, status, len(answers))
        assert all(code in (None, INVALID_PARAMS, FAILED) for _, code, _ in answers), (path, answers)
    print(f"{min(count, len(files))} texts")


{"cases": cases, "fuzz": fuzz, "texts": texts}[sys.argv[2]](
    *[int(word) if word.isdigit() else word for word in sys.argv[3:]])
