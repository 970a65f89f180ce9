# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads SARIF from standard input, checks it against rules of its schema, and prints the results.

The rules are those of sarif-schema-2.1.0.json that apply to this output: properties that an object may and must have,
their types and minimums, and unique rule ids.
"""

import json
import re
import sys

TEXT, COUNT, PLACE = str, ("count", 0), ("count", 1)
LEVEL = ("enum", "none", "note", "warning", "error")
MESSAGE = {"text!": TEXT}
URI = ("match", r"([a-z]+://)?([A-Za-z0-9/._~-]|%[0-9A-F]{2})+")
REGION = {"startLine": PLACE, "startColumn": PLACE, "endLine": PLACE, "endColumn": PLACE}
LOCATION = {
    "physicalLocation": {"artifactLocation!": {"uri": URI}, "region": REGION},
    "message": MESSAGE,
}
RESULT = {
    "ruleId": TEXT,
    "ruleIndex": COUNT,
    "level": LEVEL,
    "message!": MESSAGE,
    "locations": [LOCATION],
    "relatedLocations": [LOCATION],
}
RULE = {"id!": TEXT, "shortDescription": {"text!": TEXT}}
INVOCATION = {
    "executionSuccessful!": bool,
    "toolExecutionNotifications": [{"level": LEVEL, "message!": MESSAGE}],
}
RUN = {
    "tool!": {"driver!": {"name!": TEXT, "version": TEXT, "rules": [RULE]}},
    "invocations": [INVOCATION],
    "columnKind": ("enum", "utf16CodeUnits", "unicodeCodePoints"),
    "results": [RESULT],
}
LOG = {"$schema": URI, "version!": ("enum", "2.1.0"), "runs!": [RUN]}


def hold(value, fact, where):
    """Checks a value. A rule is a type, a list of one rule, an object of rules (`!`: required), or a tuple."""
    if isinstance(fact, dict):
        known = {name.rstrip("!"): (f, name.endswith("!")) for name, f in fact.items()}
        assert isinstance(value, dict), where
        assert all(n in value for n, (_, must) in known.items() if must), (where, list(value))
        for name, inner in value.items():
            assert name in known, f"{where} has no {name}"
            hold(inner, known[name][0], f"{where}.{name}")
    elif isinstance(fact, list):
        assert isinstance(value, list), where
        for i, inner in enumerate(value):
            hold(inner, fact[0], f"{where}[{i}]")
    elif isinstance(fact, type):
        assert isinstance(value, fact), where
    elif fact[0] == "count":
        assert isinstance(value, int) and value >= fact[1], (where, value)
    elif fact[0] == "enum":
        assert value in fact[1:], (where, value)
    else:
        assert re.fullmatch(fact[1], value), (where, value)


def text_of(location):
    physical = location["physicalLocation"]
    region = physical.get("region")
    place = (
        ":{startLine}:{startColumn}-{endLine}:{endColumn}".format(**region) if region else ""
    )
    return physical["artifactLocation"]["uri"].split("/")[-1] + place


log = json.load(sys.stdin)
hold(log, LOG, "log")
for run in log["runs"]:
    rules = [r["id"] for r in run["tool"]["driver"]["rules"]]
    assert len(set(rules)) == len(rules), rules
    for r in run["results"]:
        assert rules[r["ruleIndex"]] == r["ruleId"], r
        print(text_of(r["locations"][0]), r["level"], r["ruleId"], r["message"]["text"])
        for related in r.get("relatedLocations", []):
            print("  ", text_of(related), related["message"]["text"])
    for notification in run.get("invocations", [{}])[0].get("toolExecutionNotifications", []):
        print(notification["message"]["text"])
    print(len(run["results"]), "results")
