#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes HTML of the manual: site.py ROOT FOLDER, with the packages of docs/requirements.txt.

Pages have the same paths in FOLDER as in ROOT; README.md becomes index.html. Files and folders that pages link to are
copied too, so that the site is complete. Fails if a link is broken.
"""

import html
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import links  # noqa: E402
from markdown_it import MarkdownIt  # noqa: E402

STYLE = """
:root { color-scheme: light dark; --text: #1f2328; --faint: #59636e; --page: #fff; --box: #f6f8fa; --line: #d1d9e0;
        --link: #0969da }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6edf3; --faint: #9198a1; --page: #0d1117; --box: #151b23; --line: #3d444d; --link: #4493f8 }
}
* { box-sizing: border-box }
body { margin: 0; color: var(--text); background: var(--page); font: 16px/1.55 system-ui, sans-serif; display: flex }
a { color: var(--link); text-decoration: none } a:hover { text-decoration: underline }
nav { flex: 0 0 15rem; padding: 1.5rem 1rem; border-right: 1px solid var(--line); min-height: 100vh }
nav p { margin: 1rem 0 .3rem; color: var(--faint); font-size: .85rem } nav a { display: block; padding: .1rem 0 }
nav a.here { font-weight: 600; color: var(--text) }
main { flex: 1; min-width: 0; max-width: 60rem; padding: 1rem 2rem 4rem }
h1, h2, h3 { line-height: 1.25; margin: 1.8em 0 .6em } h1 { margin-top: .4em }
h2 { border-bottom: 1px solid var(--line); padding-bottom: .2em }
code, pre { font: .88em/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
code { background: var(--box); padding: .1em .3em; border-radius: 4px }
pre { background: var(--box); border: 1px solid var(--line); border-radius: 6px; padding: .8em 1em; overflow-x: auto }
pre code { background: none; padding: 0 }
.table { overflow-x: auto } table { border-collapse: collapse } th, td { border: 1px solid var(--line); padding: .3em .6em }
th { background: var(--box); text-align: left } img { max-width: 100%; height: auto }
@media (max-width: 50rem) {
  body { display: block } nav { min-height: 0; border-right: 0; border-bottom: 1px solid var(--line); padding: 1rem }
  nav a { display: inline-block; margin-right: .8rem } main { padding: 1rem }
}
"""
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" href="{up}style.css">
</head>
<body>
<nav>
{nav}
</nav>
<main>
{body}
</main>
</body>
</html>
"""


def place(path):
    """The path in the site for a page of the sources."""
    return Path("index.html") if path == Path("README.md") else path.with_suffix(".html")


def up_from(path):
    return "../" * (len(path.parts) - 1)


def tracked(root, path):
    listed = subprocess.run(["git", "ls-files", "-z", "--", str(path)], cwd=root, capture_output=True, text=True, check=True)
    return [Path(p) for p in listed.stdout.split("\0") if p]


class Site:
    def __init__(self, root, out):
        self.root, self.out, self.copied = root, out, set()
        self.pages = [*sorted(p.relative_to(root) for pattern in ("*.md", "docs/*.md") for p in root.glob(pattern)),
                      Path("grammar/language.md")]
        self.markdown = MarkdownIt("commonmark", {"html": True}).enable("table")
        self.menu = self.read_menu()

    def read_menu(self):
        """Returns a list of (caption, [(title, page)]) in the order of docs/index.md."""
        menu = [("", [("reshapec", Path("README.md"))])]
        for line in (self.root / "docs/index.md").read_text(encoding="utf-8").splitlines():
            found = re.search(r"\[([^\]]+)\]\(([^)#]+\.md)\)", line)
            if found:
                page = (self.root / "docs" / found[2]).resolve().relative_to(self.root)
                menu[-1][1].append((found[1], page))
            elif line.endswith(":"):
                menu.append((line[:-1], []))
        return menu

    def nav(self, here):
        lines = []
        for caption, entries in self.menu:
            lines += [f"<p>{html.escape(caption)}</p>"] if caption else []
            for title, page in entries:
                mark = ' class="here"' if page == here else ""
                lines.append(f'<a{mark} href="{up_from(here)}{place(page)}">{html.escape(title)}</a>')
        return "\n".join(lines)

    def copy(self, path):
        for file in tracked(self.root, path):
            if file not in self.copied:
                self.copied.add(file)
                (self.out / file.parent).mkdir(parents=True, exist_ok=True)
                shutil.copyfile(self.root / file, self.out / file)

    def list_folder(self, path):
        self.copy(path)
        files = [p.relative_to(path) for p in tracked(self.root, path)]
        body = "\n".join(f'<li><a href="{f}">{html.escape(str(f))}</a></li>' for f in files)
        self.write(path / "index.html", str(path), f"<h1>{path}</h1>\n<ul>\n{body}\n</ul>", path / "index.md")

    def target(self, page, target):
        """The new target of a link in a page; copies the file that it names."""
        if re.match(r"[a-z]+:|#", target):
            return target
        path, hash_, anchor = target.partition("#")
        full = ((self.root / page).parent / path).resolve().relative_to(self.root)
        if full in self.pages:
            return f"{up_from(page)}{place(full)}{hash_}{anchor}"
        if (self.root / full).is_dir():
            self.list_folder(full)
            return f"{up_from(page)}{full}/index.html"
        self.copy(full)
        return f"{up_from(page)}{full}"

    def write(self, path, title, body, page):
        (self.out / path).parent.mkdir(parents=True, exist_ok=True)
        text = PAGE.format(title=html.escape(title), up=up_from(path), nav=self.nav(page), body=body)
        (self.out / path).write_text(text, encoding="utf-8")

    def make(self, page):
        tokens = self.markdown.parse((self.root / page).read_text(encoding="utf-8"))
        names = iter(links.slugs(t.content for i, t in enumerate(tokens) if tokens[i - 1].type == "heading_open"))
        title = str(page)
        for i, token in enumerate(tokens):
            if token.type == "heading_open":
                token.attrSet("id", next(names))
                title = tokens[i + 1].content if token.tag == "h1" else title
            for child in token.children or []:
                for name in ("href", "src"):
                    if child.attrGet(name):
                        child.attrSet(name, self.target(page, child.attrGet(name)))
        body = self.markdown.renderer.render(tokens, self.markdown.options, {})
        body = re.sub(r'(<img src=")([^"]+)', lambda m: m[1] + self.target(page, m[2]), body) if page.name == "README.md" else body
        body = body.replace("<table>", '<div class="table"><table>').replace("</table>", "</table></div>")
        self.write(place(page), title, body, page)


def broken_links(out):
    """Links of the site to files or headings that do not exist."""
    ids = {}
    for file in out.rglob("*.html"):
        ids[file] = set(re.findall(r' id="([^"]+)"', file.read_text(encoding="utf-8")))
    for file in ids:
        for target in re.findall(r'(?:href|src)="([^"]+)"', file.read_text(encoding="utf-8")):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = html.unescape(target).partition("#")
            other = (file.parent / path).resolve() if path else file
            if not other.is_file() or (anchor and anchor not in ids.get(other, ())):
                yield f"{file}: {target} leads nowhere"


def main(root, out):
    root, out = Path(root).resolve(), Path(out).resolve()
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    (out / "style.css").write_text(STYLE.lstrip(), encoding="utf-8")
    site = Site(root, out)
    for page in site.pages:
        site.make(page)
    broken = list(broken_links(out))
    print(*broken, f"{len(site.pages)} pages, {len(site.copied)} files, {len(broken)} broken links: {out}/index.html", sep="\n")
    return bool(broken)


sys.exit(main(*sys.argv[1:]))
