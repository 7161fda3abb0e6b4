#!/usr/bin/env python3
"""Checks what texts say about the repository, so that they do not become stale. Prints each fault as FILE:LINE.

- Lines of Swift and C have at most 120 columns.
- docs/design.md lists every module of Sources/, and every folder of a module that it lists folders of.
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


def check_design():
    path = "docs/design.md"
    text = (ROOT / path).read_text(encoding="utf-8")
    named = set(re.findall(r"`(\w+)`", text))
    folders, module = {}, None
    for first, second in re.findall(r"^\|([^|\n]*)\|([^|\n]*)\|$", text, re.MULTILINE):
        if first.strip():
            found = re.fullmatch(r"`(\w+)`", first.strip())
            module = found and found[1]
        if module:
            folders.setdefault(module, set()).update(re.findall(r"`([\w.]+)`", second))
    for source in sorted((ROOT / "Sources").iterdir()):
        if source.name not in named:
            fault(path, 1, f"the module {source.name} is missing")
        own = {folder.name for folder in source.iterdir() if folder.is_dir() and folder.suffix != ".docc"}
        listed = folders.get(source.name, set()) & own
        for folder in sorted(own - listed if listed else set()):
            fault(path, 1, f"the folder {source.name}/{folder} is missing")


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
check_design()
print("\n".join(faults))
sys.exit(1 if faults else 0)
