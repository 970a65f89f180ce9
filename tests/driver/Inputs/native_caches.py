# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the machine that `explain --json -mcpu=native` names with Linux's data about the first processor."""

import json
import sys
from pathlib import Path

machine = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))["graphs"][0]["machine"]
stated = {}
for cache in Path("/sys/devices/system/cpu/cpu0/cache").glob("index*"):
    fact = {name: (cache / name).read_text().strip() for name in ("level", "type", "size") if (cache / name).exists()}
    if fact.get("type") in ("Data", "Unified") and "size" in fact:
        stated[fact["level"]] = int(fact["size"].rstrip("KM")) << {"K": 10, "M": 20}[fact["size"][-1]]
for level, name in ("1", "l1"), ("2", "l2"), ("3", "last"):
    if len(stated) == 3:
        assert machine[name] == stated[level], (machine, stated)
