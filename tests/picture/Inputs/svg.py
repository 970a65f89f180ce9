# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks SVG pictures.

    svg.py sound FILE...         each is XML, drawn inside its page with classes of its style sheet
    svg.py walk RESHAPEC         numbers in cells of small chains against numpy
"""

import re
import subprocess
import sys
import xml.etree.ElementTree as tree

import numpy as np

SVG = "{http://www.w3.org/2000/svg}"


def check_sound(path):
    root = tree.parse(path).getroot()
    width, height = int(root.get("width")), int(root.get("height"))
    assert root.tag == SVG + "svg" and root.get("viewBox") == f"0 0 {width} {height}", path
    known = set(re.findall(r"\.([a-z]+)", root.find(SVG + "style").text)) | {"arrow"}
    for mark in root.iter():
        assert set(mark.get("class", "").split()) <= known, (path, mark.attrib)
        if mark.tag == SVG + "rect":
            x, y, w, h = (int(mark.get(name)) for name in ("x", "y", "width", "height"))
            assert 0 <= x and 0 <= y and x + w <= width and y + h <= height, (path, mark.attrib)
        elif mark.tag == SVG + "text":
            assert 0 <= int(mark.get("x")) <= width and 0 < int(mark.get("y")) <= height, path
            assert mark.text and "(null)" not in mark.text, (path, mark.attrib)
        elif mark.tag == SVG + "path":
            assert re.fullmatch(r"[MClhz\d -]+", mark.get("d")), (path, mark.attrib)


def strips(picture):
    """Returns the numbers in cells, a list per strip, from left to right."""
    rows = {}
    for mark in tree.fromstring(picture).iter(SVG + "text"):
        if mark.get("class") in ("on small", "off small"):
            rows.setdefault(int(mark.get("y")), []).append((int(mark.get("x")), int(mark.text)))
    return [[step for _, step in sorted(row)] for _, row in sorted(rows.items())]


# Chains whose every element is one step, and all steps are drawn.
WALKS = {
    "transpose(x)": (np.s_[:], lambda x: x.T),
    "transpose(x[:, ::-1])": (np.s_[:], lambda x: x[:, ::-1].T),
    "x |> transpose() |> reshape([2, 6]) |> transpose()": (np.s_[:], lambda x: x.T.reshape(2, 6).T),
    "x[::-1, ::-1]": (np.s_[:], lambda x: x[::-1, ::-1]),
    "transpose(x[1:, 1:])": (np.s_[1:, 1:], lambda x: x[1:, 1:].T),
}


def check_walk(compiler, chain, used, function):
    text = f"graph g(x: f32[3, 4]) -> y {{ y = {chain} }}"
    picture = subprocess.run(
        [compiler, "explain", "--svg", "-"], input=text, text=True, capture_output=True, check=True
    ).stdout
    x = np.arange(12).reshape(3, 4)
    source, destination = strips(picture)
    element = dict(zip(source, np.sort(x[used].ravel())))  # read at each step
    assert sorted(source) == sorted(destination) == list(range(len(source))), (chain, source)
    assert [element[step] for step in destination] == list(function(x).ravel()), (chain, source)


if sys.argv[1] == "sound":
    for name in sys.argv[2:]:
        check_sound(name)
else:
    for text, (part, reference) in WALKS.items():
        check_walk(sys.argv[2], text, part, reference)
print(len(sys.argv[2:]) if sys.argv[1] == "sound" else len(WALKS), "looked at")
