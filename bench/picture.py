# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The results of bench.py as SVG: bars for each case, and curves over sizes."""
import math
from xml.sax.saxutils import escape

RUNNERS = "kernel", "kernel on 2", "memcpy", "memcpy on 2", "stream", "best peer"
FONT = 'font-family="sans-serif" font-size="12"'
COLORS = {"kernel": "#2458a8", "kernel on 2": "#2458a8", "memcpy": "#777777", "memcpy on 2": "#777777",
           "stream": "#3b8a5a", "best peer": "#c9a227", "numpy": "#c9a227", "torch": "#c0532b",
           "onnxruntime": "#8a4fa3", "einops": "#7a8a2a", "onednn": "#2aa3b5", "eigen": "#b03a6b", "hptt": "#222222"}


def text(x, y, words, anchor="start"):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {FONT}>{escape(words)}</text>'


def line(x1, y1, x2, y2, color="#bbbbbb"):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{color}"/>'


def page(width, height, parts):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}">\n'
            f'<rect width="{width}" height="{height}" fill="white"/>\n' + "\n".join(parts) + "\n</svg>\n")


def legend(names, x, y):
    parts = []
    for name in names:
        parts += [f'<rect x="{x}" y="{y - 9}" width="10" height="10" fill="{COLORS[name]}"/>', text(x + 14, y, name)]
        x += 24 + 8 * len(name)
    return parts


def bars(report, kernel):
    """Speeds relative to memcpy; the line is memcpy."""
    left, scale, row = 240, 220, 16
    most = max(1.5, min(3, max(r["speeds"][kernel] for r in report)))
    height = 60 + row * len(report)
    parts = [text(left, 16, "speed as a part of memcpy's (line: memcpy)")] + legend([kernel, "best peer"], left, 34)
    for i, result in enumerate(report):
        y = 44 + i * row
        parts.append(text(left - 8, y + row / 2 + 2, result["case"], "end"))
        for k, name in enumerate((kernel, result.get("best"))):
            if name:
                part = min(most, result["speeds"][name])
                color = COLORS["best peer" if k else kernel]
                parts.append(f'<rect x="{left}" y="{y + 5 * k}" width="{part * scale:.1f}" height="5" fill="{color}"/>')
        parts.append(text(left + most * scale + 8, y + row / 2 + 2, result.get("best", "")))
    parts.append(line(left + scale, 40, left + scale, height - 12, "#000000"))
    return page(left + int(most * scale) + 100, height, parts)


def size_words(size):
    return f"{size >> 20} MiB" if size >= 1 << 20 else f"{size >> 10} KiB"


def curve(report, kernel):
    """Gigabytes read and written per second, over the bytes of the result."""
    both = [kernel, kernel.replace("kernel", "memcpy"), "stream"]
    names = both + [n for n in COLORS if n not in RUNNERS and all(n in r["seconds"] for r in report)]
    left, top, width, height = 60, 50, 560, 300
    speeds = {n: [2e-9 * r["bytes"] / r["seconds"][n] for r in report] for n in names}
    most = max(max(s) for s in speeds.values())
    x = [left + width * i / max(1, len(report) - 1) for i in range(len(report))]

    def y(speed):
        return top + height * (1 - max(0.0, math.log(speed)) / math.log(most))
    parts = [text(left, 16, "transposing a square of f32: GB/s read and written, over its bytes")]
    parts += legend(names, left, 34)
    for mark in (1, 2, 5, 10, 20, 50, 100, 200):
        if mark <= most:
            parts += [line(left, y(mark), left + width, y(mark)), text(left - 6, y(mark) + 4, str(mark), "end")]
    for at, result in zip(x, report):
        parts.append(text(at, top + height + 18, size_words(result["bytes"]), "middle"))
    for name in names:
        points = " ".join(f"{at:.1f},{y(s):.1f}" for at, s in zip(x, speeds[name]))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{COLORS[name]}" stroke-width="2"/>')
    named = left + sum(24 + 8 * len(name) for name in names)
    return page(max(left + width + 60, named), top + height + 34, parts)
