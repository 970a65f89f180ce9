# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import pathlib
import re
import subprocess
import sys

folder = pathlib.Path(sys.argv[1], "editors", "vscode")
package = json.loads((folder / "package.json").read_text())
program = (folder / package["main"]).read_text()
contributes = package["contributes"]
language, grammar = contributes["languages"][0], contributes["grammars"][0]
configuration = json.loads((folder / language["configuration"]).read_text())
rules = json.loads((folder / grammar["path"]).read_text())

assert grammar["language"] == language["id"] and f'language: "{language["id"]}"' in program
assert grammar["scopeName"] == rules["scopeName"]
assert configuration["comments"]["lineComment"] == "#"
read = {f"reshapec.{name}" for name in re.findall(r'settings\.get\("(\w+)"\)', program)}
assert read == set(contributes["configuration"]["properties"])
version = subprocess.run([sys.argv[2], "--version"], check=True, capture_output=True, text=True).stdout.split()[1]
assert package["version"] == version
module = re.search(r'require\("(vscode-[^/"]+)', program).group(1)
assert module in package["dependencies"]
assert re.search(configuration["indentationRules"]["increaseIndentPattern"], "graph g(x: u8[2]) -> y {  # a")
assert not re.search(configuration["indentationRules"]["increaseIndentPattern"], "    y = f(x)  # [")
assert re.search(configuration["indentationRules"]["decreaseIndentPattern"], "    ])")
