#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the links of Markdown pages to files, and to headings in them: links.py ROOT PAGE..."""

import re
import sys
from pathlib import Path

FENCE = re.compile(r"^```.*?^```$", re.M | re.S)
CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\]\(([^()\s]+)\)|(?:src|href)=\"([^\"]+)\"")
HEADING = re.compile(r"^#{1,6} (.*?)\s*$", re.M)


def slugs(headings):
    """The anchors of headings on code hosts: `Beyond the caches` is beyond-the-caches, a second one beyond-the-caches-1."""
    seen, made = {}, []
    for text in headings:
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text).replace("`", "")
        slug = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
        seen[slug] = seen.get(slug, -1) + 1
        made.append(f"{slug}-{seen[slug]}" if seen[slug] else slug)
    return made


def anchors(page):
    return slugs(HEADING.findall(FENCE.sub("", page.read_text(encoding="utf-8"))))


def links(page):
    text = CODE.sub("", FENCE.sub("", page.read_text(encoding="utf-8")))
    for found in LINK.finditer(text):
        target = found[1] or found[2]
        if not re.match(r"[a-z]+:", target):
            yield target


def main(root, *pages):
    count, broken = 0, []
    for page in map(Path, pages):
        for target in links(page):
            count += 1
            path, _, anchor = target.partition("#")
            file = (page.parent / path).resolve() if path else page.resolve()
            if not file.exists() or not file.is_relative_to(Path(root).resolve()):
                broken.append(f"{page}: {target}: there is no such file")
            elif anchor and anchor not in anchors(file):
                broken.append(f"{page}: {target}: there is no such heading")
    print(*broken, f"{count} links, {len(broken)} broken", sep="\n")
    return bool(broken) or not count


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
