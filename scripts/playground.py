#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the playground's page with the recipes of the cookbook and the targets: playground.py PAGE COOKBOOK TARGETS

@EXAMPLES@ in the page becomes a group for each section, with an option for each recipe; @TARGETS@ becomes an option for
each row of targets.def, in its order.
"""

import html
import re
import sys
from pathlib import Path


def recipes(cookbook):
    """(section, title, text) of each graph, from the headings above it; repeated titles have the file name added."""
    section = title = ""
    seen = set()
    text = None
    for line in cookbook.splitlines():
        if text is not None:
            if line == "```":
                yield section, f"{title} ({name})" if title in seen else title, "\n".join(text) + "\n"
                seen.add(title)
                text = None
            else:
                text.append(line)
        elif line.startswith("## "):
            section = line[3:]
        elif line.startswith("### "):
            title = line[4:]
        elif line.startswith("```rsh "):
            name, text = line.split()[1], []


def options(cookbook):
    last = None
    for section, title, text in recipes(cookbook):
        if section != last:
            if last is not None:
                yield "</optgroup>"
            yield f'<optgroup label="{html.escape(section)}">'
            last = section
        # Newlines in an attribute value are preserved.
        yield f'<option value="{html.escape(text)}">{html.escape(title)}</option>'
    yield "</optgroup>"


def targets(rows):
    """Values are for the command line, "thumbv7em-none-eabi -mcpu=cortex-m4"; labels: "cortex-m4 (thumbv7em-...)"."""
    for triple, more, text in re.findall(r'^RSH_TARGET\("([^"]*)",\s*"([^"]*)",\s*"([^"]*)"', rows, re.M):
        name = html.escape(f"{triple} {more}".strip())
        cpu, features = more.removeprefix("-mcpu="), more.removeprefix("-mattr=")
        label = f"{cpu} ({triple})" if cpu != more else f"{triple} {features}".strip()
        yield f'<option value="{name}" title="{html.escape(text)}">{html.escape(label)}</option>'


if __name__ == "__main__":
    page, cookbook, rows = (Path(path).read_text(encoding="utf-8") for path in sys.argv[1:])
    page = page.replace("@EXAMPLES@", "\n".join(options(cookbook)))
    sys.stdout.write(page.replace("@TARGETS@", "\n".join(targets(rows))))
