# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""bad.py RESHAPEC: breaks a model in one place at a time, and prints the messages."""
import os
import re
import subprocess
import sys

from ir import Ir

ir = Ir()
x = ir.parameter("x", [2, 3])
y = ir.layer("Transpose", [x, ir.const([1, 0])], [[3, 2]], name="y")
ir.result(ir.layer("ReLU", [y], [[3, 2]], name="z"))
ir.write("good")
GOOD = open("good.xml").read()



def twice(layer, port):
    """Returns the layer with a second port like this one."""
    begin = GOOD.index(f'<layer id="{layer}"')
    text = re.compile(f'<port id="{port}".*?</port>\n', re.S).search(GOOD, begin)[0]
    at = GOOD.index(text, begin)
    return GOOD[:at] + text.replace(f'id="{port}"', 'id="9"') + GOOD[at:]


def changed(layer, port, old, new):
    """Returns the model with a port of a layer changed."""
    at = GOOD.index(f'<port id="{port}"', GOOD.index(f'<layer id="{layer}"'))
    end = GOOD.index("</port>", at)
    assert old in GOOD[at:end]
    return GOOD[:at] + GOOD[at:end].replace(old, new) + GOOD[end:]


NO_INPUTS = re.sub(r'(<layer id="3"[^>]*>\n)<input>.*?</input>\n', r"\1", GOOD, flags=re.S)
NO_INPUTS = re.sub(r'<edge [^>]*to-layer="3"[^>]*>\n', "", NO_INPUTS)
PORT = '<port id="7" precision="FP32"/>\n'
EDGE = '<edge from-layer="3" from-port="1" to-layer="4" to-port="9"/>\n'
CASES = [
    ("cut", GOOD[:300], None),
    ("cut after a tag", GOOD[: GOOD.index("</layers>")], None),
    ("empty", "", None),
    ("end of another", ("</port>", "</layer>"), None),
    ("two documents", GOOD + "<net/>", None),
    ("attribute twice", ("<port id=\"0\"", "<port id=\"0\" id=\"0\""), None),
    ("entity without a definition", ("<dim>3</dim>", "<dim>&three;</dim>"), None),
    ("entity for a number", ("<dim>3</dim>", "<dim>&#51;</dim>"), None),
    ("CDATA for a number", ("<dim>3</dim>", "<dim><![CDATA[3]]></dim>"), None),
    ("elements in a size", ("<dim>3</dim>", "<dim>3<a>4<b/></a></dim>"), None),
    ("deep", GOOD.replace("</net>", "<a>" * 100000 + "</a>" * 100000 + "</net>"), None),
    ("other", "<html/>", None),
    ("version", ("version=\"11\"", "version=\"10\""), None),
    ("no version", (" version=\"11\"", ""), None),
    ("no layers", GOOD.replace("layers>", "others>"), None),
    ("no id", ("layer id=\"3\" ", "layer "), None),
    ("no type", ("type=\"ReLU\" ", ""), None),
    ("id twice", ("layer id=\"3\"", "layer id=\"2\""), None),
    ("word for a size", ("<dim>3</dim>", "<dim>three</dim>"), None),
    ("no such layer", ("from-layer=\"1\"", "from-layer=\"7\""), None),
    ("no such output", ("from-layer=\"1\" from-port=\"0\"", "from-layer=\"1\" from-port=\"5\""), None),
    ("no such input", ("to-layer=\"2\" to-port=\"1\"", "to-layer=\"2\" to-port=\"5\""), None),
    ("two edges", ("to-layer=\"2\" to-port=\"1\"", "to-layer=\"2\" to-port=\"0\""), None),
    ("no edge", ("<edge from-layer=\"1\" from-port=\"0\" to-layer=\"2\" to-port=\"1\"/>", ""), None),
    ("cycle", ("<edge from-layer=\"0\" from-port=\"0\" to-layer=\"2\"", "<edge from-layer=\"3\" from-port=\"1\" "
               "to-layer=\"2\""), None),
    ("no shape", (" shape=\"2,3\"", ""), None),
    ("shape", ("shape=\"2,3\"", "shape=\"2,x\""), None),
    ("type", ("element_type=\"f32\"", "element_type=\"nf4\""), None),
    ("no offset", (" offset=\"0\"", ""), None),
    ("offset below 0", ("offset=\"0\"", "offset=\"-8\""), None),
    ("past the end", ("offset=\"0\"", "offset=\"8\""), None),
    ("far past the end", ("offset=\"0\"", "offset=\"9223372036854775807\""), None),
    ("more elements", ("shape=\"2\"", "shape=\"3\""), None),
    ("more elements in its port, too", GOOD.replace("shape=\"2\"", "shape=\"3\"").replace("I64\"><dim>2", "I64\"><dim>3")
     .replace("\"const_1\"><dim>2", "\"const_1\"><dim>3"), None),
    ("no bin", GOOD, "bin"),
    ("attribute", ("type=\"ReLU\" version=\"opset1\">", "type=\"ReLU\" version=\"opset1\"><data slope=\"1\"/>"), None),
    ("other set", ("type=\"ReLU\" version=\"opset1\"", "type=\"ReLU\" version=\"extension\""), None),
    ("set of no number", ("type=\"ReLU\" version=\"opset1\"", "type=\"ReLU\" version=\"opset18446744073709551617\""), None),
    ("two outputs of a parameter", twice(0, 0), None),
    ("two outputs of a constant", twice(1, 0), None),
    ("two inputs of a result", twice(4, 0).replace("</edges>", EDGE + "</edges>"), None),
    ("shape of a constant", ("shape=\"2\"", "shape=\"x\""), None),
    ("size below 0", ("size=\"16\"", "size=\"-16\""), None),
    ("size of no number", ("size=\"16\"", "size=\"x\""), None),
    ("no size", (" size=\"16\"", ""), None),
    ("no element type", (" element_type=\"i64\"", ""), None),
    ("no type of a parameter", (" element_type=\"f32\"", ""), None),
    ("type of a constant", ("element_type=\"i64\"", "element_type=\"nf4\""), None),
    ("type of a hundred letters", ("element_type=\"f32\"", f"element_type=\"{'f' * 100}\""), None),
    ("size -2", ("shape=\"2,3\"", "shape=\"2,-2\""), None),
    ("range of sizes", ("shape=\"2,3\"", "shape=\"2,1..3\""), None),
    ("any rank", ("shape=\"2,3\"", "shape=\"...\""), None),
    ("id of no number", ("layer id=\"3\"", "layer id=\"x\""), None),
    ("type of no letters", ("type=\"ReLU\"", "type=\"\""), None),
    ("indented", ("<layer id=\"3\"", " \t<layer id=\"x\""), None),
    ("port of no number", ("<port id=\"0\"", "<port id=\"x\""), None),
    ("port without a number", ("<port id=\"0\"", "<port"), None),
    ("size of a port below -1", ("<dim>3</dim>", "<dim>-2</dim>"), None),
    ("no size in a port", ("<dim>3</dim>", "<dim></dim>"), None),
    ("others in a port", ("<dim>3</dim>", "<dim>3</dim><other/>"), None),
    ("spaces around a size", ("<dim>3</dim>", "<dim> 3 </dim>"), None),
    ("letters after a size", ("<dim>3</dim>", "<dim>3x</dim>"), None),
    ("too large a size", ("<dim>3</dim>", "<dim>9223372036854775808</dim>"), None),
    ("edge from no number", ("from-layer=\"1\"", "from-layer=\"x\""), None),
    ("edge from a port of no number", ("from-layer=\"1\" from-port=\"0\"", "from-layer=\"1\" from-port=\"x\""), None),
    ("edge to a port of no number", ("to-layer=\"2\" to-port=\"1\"", "to-layer=\"2\" to-port=\"x\""), None),
    ("no edges", GOOD.replace("edges>", "others>"), None),
    ("no inputs", NO_INPUTS, None),
    ("constant of size -1", ("shape=\"2\"", "shape=\"-1\""), None),
    ("output port twice", twice(2, 2).replace("id=\"9\"", "id=\"2\""), None),
    ("input port twice", twice(2, 0).replace("id=\"9\"", "id=\"0\""), None),
    ("input port twice, after another", changed(2, 1, "id=\"1\"", "id=\"-1\"").replace("</input>", PORT + PORT + "</input>", 1), None),
    ("parameter of another size", ("shape=\"2,3\"", "shape=\"2,4\""), None),
    ("parameter of another type", ("element_type=\"f32\"", "element_type=\"i32\""), None),
    ("constant of another type", ("element_type=\"i64\"", "element_type=\"i32\""), None),
    ("input of another size", changed(2, 0, "<dim>3</dim>", "<dim>4</dim>"), None),
    ("input of another rank", changed(2, 0, "<dim>3</dim>", "<dim>3</dim><dim>1</dim>"), None),
    ("input of many axes", changed(2, 0, "<dim>3</dim>", "<dim>3</dim>" * 100000), None),
    ("input of another type", changed(2, 0, "FP32", "FP16"), None),
    ("input of an unknown size", changed(2, 0, "<dim>3</dim>", "<dim>-1</dim>"), None),
    ("result of another size", GOOD.replace("<dim>3</dim><dim>2</dim>", "<dim>3</dim><dim>4</dim>"), None),
    ("result of another type", re.sub("FP32(.*<dim>3</dim><dim>2)", r"FP16\1", GOOD), None),
    ("entities", ("<net", "<!DOCTYPE net [<!ENTITY a SYSTEM \"good.bin\">]>\n<net"), None),
]

for name, change, missing in CASES:
    text = change if isinstance(change, str) else GOOD.replace(*change, 1)
    assert text != GOOD or missing, name
    with open("bad.xml", "w") as file:
        file.write(text)
    with open("bad.bin", "wb") as file:
        file.write(ir.weights)
    if missing:
        os.remove("bad.bin")
    done = subprocess.run([sys.argv[1], "check", "bad.xml"], capture_output=True, text=True)
    print(f"{done.returncode} {name}: {done.stderr.split(chr(10))[0]}")
