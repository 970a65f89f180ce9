# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks HTML pages: well-formed, in one file, with the lines of the report and a picture of each chain or graph.

    page.py RESHAPEC FOLDER    writes a model with hostile names to FOLDER; prints the number of pictures on each page
"""
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

from onnx import TensorProto, helper, save

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</pre><script>alert(1)</script>&amp;\"'"


def model(path):
    x = helper.make_tensor_value_info(HOSTILE, TensorProto.FLOAT, ["N", 3, 4])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    z = helper.make_tensor_value_info("z", TensorProto.FLOAT, None)
    nodes = [
        helper.make_node("Transpose", [HOSTILE], ["t"], name=HOSTILE, perm=[0, 2, 1]),
        helper.make_node("Unsqueeze", ["t", "axes"], ["y"]),
        helper.make_node("Made<b>", [HOSTILE], ["u"], name=HOSTILE, domain="other"),
        helper.make_node("Transpose", ["u"], ["z"]),
    ]
    axes = helper.make_tensor("axes", TensorProto.INT64, [1], [0])
    graph = helper.make_graph(nodes, HOSTILE, [x], [y, z], [axes])
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18), helper.make_opsetid("other", 1)]), path)


def check(reshapec, *command):
    def printed(*options):
        return subprocess.run([reshapec, *command, *options], capture_output=True, text=True, check=True).stdout

    page = printed("--html")
    root = xml.fromstring(page)
    assert page.startswith("<!DOCTYPE html>\n") and root.tag == "html"
    used = {e.tag.replace(SVG, "svg:") for e in root.iter()}
    assert used <= set("html head meta title style body h1 pre ul li a figure".split()) | {
        f"svg:{tag}" for tag in "svg style rect text path".split()
    }, used
    assert root.find("head/title").text == root.find("body/h1").text == command[-1]
    assert root.find("body/pre").text.lstrip("\n") == printed().lstrip("\n")
    figures = {f"#{figure.get('id')}": figure for figure in root.iter("figure")}
    links = {link.get("href"): link.text for link in root.iter("a")}
    assert links.keys() == figures.keys(), (links, figures.keys())
    drawn = xml.fromstring(printed("--svg"))
    of_drawn = [text.text for text in drawn.iter(SVG + "text")]
    of_page = [text.text for text in root.iter(SVG + "text")]
    assert of_page == of_drawn, (of_page, of_drawn)
    for place, title in links.items():
        assert figures[place].find(f"{SVG}svg/{SVG}text").text == title
    assert not any(name.split("}")[-1] in ("src", "onload", "style") for e in root.iter() for name in e.attrib)
    print(f"{command[0]}: {len(figures)} pictures")
    return page


def main():
    reshapec, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir()
    hostile = folder / "a<b>&.onnx"
    model(hostile)
    page = check(reshapec, "chains", str(hostile))
    assert "Made&lt;b&gt;" in page and "&lt;/pre&gt;" in page
    text = folder / "a<b>.rsh"
    text.write_text("graph a(x: u8[N, 4]) -> y { y = transpose(x) }\ngraph b(x: u8[4]) -> y { y = reshape(x, [2, 2]) }\n")
    check(reshapec, "explain", str(text))


main()
