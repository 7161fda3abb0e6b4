#!/usr/bin/env python3
"""Checks what texts say about the repository, so that they do not become stale. Prints each fault as FILE:LINE.

- Lines of Swift and C have at most 120 columns.
- Links between pages lead to files that exist.
- No text says that Texel reads or writes only PNG and JPEG.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CODE = (".swift", ".c", ".h", "Makefile")
COLUMNS = 120
FORMATS = re.compile(r"\b(PNG (or|and) JPEG|JPEG (or|and) PNG) (file|image)s?\b|auto, png or jpeg")
LINK = re.compile(r"\]\(([^)#\s]+)(#[^)]*)?\)")

faults = []


def fault(path, line, text):
    faults.append(f"{path}:{line}: {text}")


def check_code(path, lines):
    for number, line in enumerate(lines, 1):
        if len(line) > COLUMNS:
            fault(path, number, f"{len(line)} columns; at most {COLUMNS}")


def check_formats(path, lines):
    for number, line in enumerate(lines, 1):
        if found := FORMATS.search(line):
            fault(path, number, f"“{found[0]}”: Texel has more formats")


def check_links(path, lines):
    for number, line in enumerate(lines, 1):
        for target, _ in LINK.findall(line):
            if re.match(r"\w+:", target):
                continue
            if not (ROOT / path).parent.joinpath(target).exists():
                fault(path, number, f"the link leads nowhere: {target}")


listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
for name in filter(None, listing.split("\0")):
    if name == "Scripts/check-texts.py" or not (name.endswith((*CODE, ".md"))) or not (ROOT / name).is_file():
        continue
    content = (ROOT / name).read_text(encoding="utf-8").splitlines()
    if name.endswith(CODE):
        check_code(name, content)
    if not name.startswith(("Tests/", "CHANGELOG")):
        check_formats(name, content)
    if name.endswith(".md"):
        check_links(name, content)
print("\n".join(faults))
sys.exit(1 if faults else 0)
