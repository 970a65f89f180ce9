# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the names in the report of chains --json, from standard input, with the calls that they are in."""

import json
import sys


def names(parts, key="name"):
    return ", ".join(part[key] + (f" of {part['in']}" if "in" in part else "") for part in parts)


report = json.load(sys.stdin)
for chain in report["chains"]:
    print(f"chain: {names(chain['nodes'], 'operator')}: {names(chain['inputs'])} -> {names(chain['outputs'])}")
print("tensors:", names(report["tensors"]))
