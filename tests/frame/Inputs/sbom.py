# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""sbom.py DOCUMENT TREE: checks an SPDX document against SPDX 2.3, clauses 6 to 11, and its files against TREE.

Prints what is wrong, and at the end the totals.
"""

import hashlib
import json
import re
import sys
from pathlib import Path

document, tree = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")), Path(sys.argv[2])
wrong = 0

DOCUMENT = ("spdxVersion", "dataLicense", "SPDXID", "name", "documentNamespace", "creationInfo")
PACKAGE = ("SPDXID", "name", "downloadLocation", "filesAnalyzed", "licenseConcluded", "licenseDeclared", "copyrightText")
FILE = ("SPDXID", "fileName", "checksums", "licenseConcluded", "copyrightText")
KINDS = {"DESCRIBES", "CONTAINS", "STATIC_LINK", "DYNAMIC_LINK", "BUILD_DEPENDENCY_OF"}
LICENSES = {"NOASSERTION", "Apache-2.0 WITH LLVM-exception"}


def check(holds, text):
    global wrong
    if not holds:
        print(f"wrong: {text}")
        wrong += 1


def fields(element, names):
    for name in names:
        check(element.get(name) not in (None, ""), f"{element.get('SPDXID')} has no {name}")


fields(document, DOCUMENT)
check(document.get("spdxVersion") == "SPDX-2.3" and document.get("dataLicense") == "CC0-1.0", "version or license of the document")
check(document.get("SPDXID") == "SPDXRef-DOCUMENT", "the identifier of the document")
check(re.fullmatch(r"https?://[^\s#]+", document.get("documentNamespace", "")), "a namespace is a URI without a fragment")
created = document.get("creationInfo", {})
check(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", created.get("created", "")), "the time is UTC, in seconds")
check(created.get("creators") and all(re.match(r"(Tool|Organization|Person): \S", c) for c in created["creators"]), "creators")

packages, files = document.get("packages", []), document.get("files", [])
elements = {"SPDXRef-DOCUMENT": "the document"}
for element in [*packages, *files]:
    identifier = element.get("SPDXID", "")
    check(re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", identifier), f"{identifier}: letters, digits, '.' and '-'")
    check(identifier not in elements, f"{identifier} is there twice")
    elements[identifier] = element

texts = {}
for text in document.get("hasExtractedLicensingInfos", []):
    check(re.fullmatch(r"LicenseRef-[A-Za-z0-9.-]+", text.get("licenseId", "")), f"{text.get('licenseId')} is not an identifier")
    check(text.get("extractedText", "").strip(), f"{text.get('licenseId')} has no text")
    check(text["licenseId"] not in texts, f"{text['licenseId']} is there twice")
    texts[text["licenseId"]] = text["extractedText"]

used = set()
for package in packages:
    fields(package, PACKAGE)
    check(package.get("filesAnalyzed") == ("packageVerificationCode" in package), f"{package['SPDXID']}: verification code")
    for field in ("licenseConcluded", "licenseDeclared"):
        check(package.get(field) in LICENSES or package.get(field) in texts, f"{package['SPDXID']}: {field} {package.get(field)}")
        used.add(package.get(field))
    for reference in package.get("externalRefs", []):
        check(reference["referenceCategory"] == "PACKAGE-MANAGER" and reference["referenceType"] == "purl", f"{package['SPDXID']}: reference")
        check(re.fullmatch(r"pkg:deb/debian/[a-z0-9.%B-]+@[A-Za-z0-9.:%-]+", reference["referenceLocator"]), reference["referenceLocator"])
check(set(texts) <= used, f"licenses of nobody: {sorted(set(texts) - used)}")

digests = []
there = {f"./{p.relative_to(tree)}": p for p in tree.rglob("*") if p.is_file() and not p.is_symlink()}
check([f.get("fileName") for f in files] == sorted(there), "the files are not those of the tree")
for file in files:
    fields(file, FILE)
    data = there[file["fileName"]].read_bytes() if file["fileName"] in there else b""
    sums = {c["algorithm"]: c["checksumValue"] for c in file.get("checksums", [])}
    check(sums.get("SHA1") == hashlib.sha1(data).hexdigest(), f"{file['fileName']}: SHA1")
    check(sums.get("SHA256") == hashlib.sha256(data).hexdigest(), f"{file['fileName']}: SHA256")
    digests.append(sums.get("SHA1", ""))
codes = [p["packageVerificationCode"]["packageVerificationCodeValue"] for p in packages if "packageVerificationCode" in p]
check(codes == [hashlib.sha1("".join(sorted(digests)).encode()).hexdigest()], "the verification code is not that of the files")

kinds, related = {}, {"SPDXRef-DOCUMENT"}
for relation in document.get("relationships", []):
    one, kind, other = relation.get("spdxElementId"), relation.get("relationshipType"), relation.get("relatedSpdxElement")
    check(one in elements and other in elements, f"{one} {kind} {other}: there is no such element")
    check(kind in KINDS, f"{kind} is not one of {sorted(KINDS)}")
    kinds[kind] = kinds.get(kind, 0) + 1
    related |= {one, other}
check(kinds.get("DESCRIBES") == 1, "one package is described")
check(related == set(elements), f"elements without a relationship: {sorted(set(elements) - related)}")

print(f"{len(packages)} packages, {len(files)} files, {len(texts)} licenses, {wrong} faults")
print(" ".join(f"{kind} {count}" for kind, count in sorted(kinds.items())))
sys.exit(wrong > 0)
