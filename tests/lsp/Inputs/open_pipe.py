# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An editor's use of its pipes: it waits for an answer before it continues; and it may close one of them."""

import json
import os
import subprocess
import sys

server = subprocess.Popen([sys.argv[1], "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def send(**message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    server.stdin.flush()


def receive():
    length = int(server.stdout.readline().split(b":")[1])
    assert server.stdout.readline() == b"\r\n"
    return json.loads(server.stdout.read(length))


send(id=1, method="initialize", params={"capabilities": {}})
assert receive()["id"] == 1
send(method="textDocument/didOpen", params={"textDocument": {"uri": "untitled:a", "version": 3, "text": "graph g("}})
told = receive()
assert told["method"] == "textDocument/publishDiagnostics"
assert told["params"]["uri"] == "untitled:a" and told["params"]["version"] == 3 and len(told["params"]["diagnostics"]) == 1
send(id=2, method="textDocument/hover", params={"textDocument": {"uri": "untitled:a"}, "position": {"line": 0, "character": 0}})
assert receive() == {"jsonrpc": "2.0", "id": 2, "result": None}

# After a large message, the server frees memory; an empty one, whose header was read with it, has the usual error.
EMPTY = b"Content-Length: 0\r\n\r\n"
server.stdin.write(EMPTY)
server.stdin.flush()
usual = receive()
assert usual["error"]["code"] == -32700
large = json.dumps({"jsonrpc": "2.0", "method": "$/large", "params": {"text": "x" * (3 << 20)}}).encode()
server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(large) + large + EMPTY)
server.stdin.flush()
assert receive() == usual

server.stdout.close()
send(id=3, method="shutdown")
assert server.wait(60) != 0
server.stdin.close()
