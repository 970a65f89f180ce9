#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the contents of an installation as an SPDX 2.3 document in JSON:

    sbom.py --version 0.1.0 --epoch SECONDS --tree FOLDER --held "libonnx-dev uthash-dev" \\
      --linked bin/reshapec reshapec.map > reshapec.spdx.json

Our files are those of FOLDER, with their checksums. Debian packages are linked into the programs after --linked,
according to the linker's map, or have text that the sources include or are generated from (--held). Their licenses are
their copyright files, word for word. The same files and packages give the same bytes.
"""

import argparse
import datetime
import hashlib
import json
import re
import sys
from pathlib import Path

from linked import packages, query

OURS = "Apache-2.0 WITH LLVM-exception"
LINKS = {"static": "STATIC_LINK", "shared": "DYNAMIC_LINK"}


def named(text):
    """The text with only the characters that SPDX allows in identifiers."""
    return re.sub(r"[^A-Za-z0-9.-]+", "-", text)


class Document:
    def __init__(self, options):
        self.options = options
        self.files, self.packages, self.licenses, self.relations = [], {}, {}, []

    def relate(self, one, kind, other):
        self.relations.append({"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other})

    def add_files(self):
        """Adds the files of the tree. Returns the identifier of each by its path."""
        found = {}
        files = (p for p in self.options.tree.rglob("*") if p.is_file() and not p.is_symlink())
        for name, path in sorted((str(p.relative_to(self.options.tree)), p) for p in files):
            data = path.read_bytes()
            found[name] = f"SPDXRef-File-{len(found)}-{named(name)}"
            is_ours = name not in self.options.linked and path.name != "third-party.txt"
            self.files.append({
                "SPDXID": found[name],
                "fileName": f"./{name}",
                "checksums": [{"algorithm": a, "checksumValue": hashlib.new(a, data).hexdigest()} for a in ("SHA1", "SHA256")],
                "licenseConcluded": OURS if is_ours else "NOASSERTION",
                "copyrightText": "NOASSERTION",
            })
        return found

    def license(self, package):
        """The identifier of a package's copyright file; packages of one source share a text."""
        path = Path("/usr/share/doc", package, "copyright")
        if not path.is_file():
            return "NOASSERTION", None
        text = path.read_text(encoding="utf-8", errors="replace")
        found = self.licenses.setdefault(text, {
            "licenseId": f"LicenseRef-{named(package)}",
            "name": f"the copyright file of {package}",
            "extractedText": text,
        })
        names = sorted(set(re.findall(r"^License: *(\S.*?) *$", text, re.MULTILINE)))
        return found["licenseId"], f"fields: {', '.join(names)}" if names else None

    def package(self, name, version):
        """The identifier of a Debian package, which is added if it is new."""
        identifier = f"SPDXRef-Package-{named(name)}"
        if identifier in self.packages:
            return identifier
        entry = {
            "SPDXID": identifier,
            "name": name,
            "versionInfo": version,
            "supplier": "Organization: Debian" if version != "-" else "NOASSERTION",
            "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False,
            "licenseConcluded": "NOASSERTION",
            "copyrightText": "NOASSERTION",
        }
        entry["licenseDeclared"], fields = self.license(name)
        if fields:
            entry["licenseComments"] = fields
        if version != "-":
            source, of = query("-W", "-f", "${source:Package}\n${source:Version}\n", name)[:2]
            entry["sourceInfo"] = f"source package {source} {of}"
            purl = f"pkg:deb/debian/{name}@{version}".replace("+", "%2B").replace("~", "%7E")
            entry["externalRefs"] = [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}]
        self.packages[identifier] = entry
        return identifier

    def write(self):
        ours, file_of = "SPDXRef-reshapec", self.add_files()
        digests = sorted(f["checksums"][0]["checksumValue"] for f in self.files)
        self.relate("SPDXRef-DOCUMENT", "DESCRIBES", ours)
        for identifier in file_of.values():
            self.relate(ours, "CONTAINS", identifier)
        for program, map_file in self.options.linked.items():
            for name, version, how in packages(str(self.options.tree / program), map_file):
                self.relate(file_of[program], LINKS[how], self.package(name, version))
        for name in self.options.held:
            version = query("-W", "-f", "${Version}\n", name)
            self.relate(self.package(name, version[0] if version else "-"), "BUILD_DEPENDENCY_OF", ours)
        code = hashlib.sha1("".join(digests).encode()).hexdigest()
        created = datetime.datetime.fromtimestamp(self.options.epoch, datetime.timezone.utc)
        body = {
            "packages": [{
                "SPDXID": ours,
                "name": "reshapec",
                "versionInfo": self.options.version,
                "supplier": "NOASSERTION",
                "downloadLocation": "NOASSERTION",
                "filesAnalyzed": True,
                "packageVerificationCode": {"packageVerificationCodeValue": code},
                "licenseConcluded": OURS,
                "licenseDeclared": OURS,
                "licenseInfoFromFiles": [OURS],
                "copyrightText": "NOASSERTION",
            }, *(self.packages[k] for k in sorted(self.packages))],
            "files": self.files,
            "relationships": self.relations,
            "hasExtractedLicensingInfos": sorted(self.licenses.values(), key=lambda one: one["licenseId"]),
        }
        whole = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
        json.dump({
            "spdxVersion": "SPDX-2.3",
            "dataLicense": "CC0-1.0",
            "SPDXID": "SPDXRef-DOCUMENT",
            "name": f"reshapec-{self.options.version}",
            "documentNamespace": f"https://spdx.org/spdxdocs/reshapec-{self.options.version}-{whole}",
            "creationInfo": {"created": created.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": [f"Tool: sbom.py-{self.options.version}"]},
            **body,
        }, sys.stdout, indent=1)
        print()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--version", required=True)
    parser.add_argument("--epoch", type=int, required=True)
    parser.add_argument("--tree", type=Path, required=True)
    parser.add_argument("--held", type=str.split, default=[])
    parser.add_argument("--linked", nargs=2, action="append", default=[], metavar=("PROGRAM", "MAP"))
    options = parser.parse_args()
    options.linked = dict(options.linked)
    Document(options).write()


main()
