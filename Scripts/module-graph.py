#!/usr/bin/env python3
"""Prints which modules and which folders of a module use each other, and the cycles between folders.

    module-graph.py [--check] [--names] [MODULE…]
    module-graph.py --folders

The modules come from Package.swift. Swift has no imports between the files of one module, so references are found by
name, without a build: a file uses a folder if it contains a name that only this folder declares, outside of strings and
comments. The names are those of types, of global functions and values, and of members of extensions of other types.

With --check, it fails if a module imports another one that Package.swift does not list as its dependency, if folders
of a module use each other, or if docs/design.md does not list a module, or a folder of a module that it lists folders
of. MODULE limits the output to some modules. With --folders, it prints the folders of the Swift modules.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from collections import defaultdict

ROOT = pathlib.Path(__file__).resolve().parent.parent
TYPE_KEYWORDS = {"struct", "class", "enum", "protocol", "actor", "typealias", "extension"}
MEMBER_KEYWORDS = {"func", "var", "let", "case"}
IGNORED = re.compile(r'//[^\n]*|/\*.*?\*/|#+".*?"#+|"""(?:\\.|.)*?"""|"(?:\\.|[^"\\\n])*"', re.DOTALL)
TOKEN = re.compile(r"[A-Za-z_]\w*|[{}.]")


class SwiftFile:
    """What one file declares and which names it contains."""

    def __init__(self, path, folder):
        self.path, self.folder = path, folder
        # Types and values that are declared at the top level, and private ones, which only make a name ambiguous.
        self.globals, self.private = set(), set()
        # Nested types, and members of extensions: (enclosing type, name).
        self.nested, self.extension_members = set(), set()
        self.members = set()  # all of them, to recognise ambiguous names
        text = IGNORED.sub(" ", path.read_text(encoding="utf-8")).replace("`", "")
        self.imports = set(re.findall(r"^[ @\w]*\bimport (?:struct |func |class |enum )?(\w+)", text, re.MULTILINE))
        tokens = TOKEN.findall(text)
        self.words = {word for before, word in zip([""] + tokens, tokens) if before != "."}
        self.used_members = {word for before, word in zip([""] + tokens, tokens) if before == "."}
        self._find_declarations(tokens)

    def _find_declarations(self, tokens):
        scopes = []  # (keyword, name) of each open brace; None for bodies and closures
        pending, is_private = None, False
        for before, token, name in zip([""] + tokens, tokens, tokens[1:] + [""]):
            if token == "{":
                scopes.append(pending)
                pending = None
            elif token == "}":
                scopes and scopes.pop()
            elif token in ("private", "fileprivate"):
                is_private = True
            elif before != "." and token in TYPE_KEYWORDS and name[:1].isupper():
                if token != "extension":
                    self._add(name, scopes, is_private, self.nested)
                pending, is_private = (None if token == "typealias" else (token, name)), False
            elif before != "." and token in MEMBER_KEYWORDS:
                self.members.add(name)
                if not scopes or [scope and scope[0] for scope in scopes] == ["extension"] and not is_private:
                    self._add(name, scopes, is_private, self.extension_members)
                pending, is_private = None, False

    def _add(self, name, scopes, is_private, nested):
        if is_private:
            self.private.add(name)
        elif not scopes:
            self.globals.add(name)
        elif scopes[-1]:
            nested.add((scopes[-1][1], name))


class Module:
    def __init__(self, name, folder):
        self.name, self.files = name, []
        for path in sorted(folder.rglob("*.swift")):
            parts = path.relative_to(folder).parts
            self.files.append(SwiftFile(path, parts[0] if len(parts) > 1 else "(top)"))

    def references(self, place, foreign_members):
        """{(from, to): {name: files that use it}} between places, where `place` maps a file to its place."""
        homes, enclosing_types = defaultdict(set), defaultdict(set)
        member_homes, declared = defaultdict(set), defaultdict(set)
        for file in self.files:
            for name in file.globals | {name for _, name in file.nested}:
                homes[name].add(place(file))
            for name in file.private:
                homes[name] |= {place(file), None}
            for enclosing, name in file.nested:
                enclosing_types[name].add(enclosing)
            for name in file.members:
                declared[name].add(place(file))
        for file in self.files:
            for extended, name in file.extension_members:
                if homes.get(extended) != {place(file)} and name not in foreign_members:
                    member_homes[name].add(place(file))
        uses = defaultdict(lambda: defaultdict(set))
        for file in self.files:
            # A nested type is used if the file also names the type around it.
            found = [(name, homes[name]) for name in (file.words | file.used_members) & homes.keys()
                     if len(homes[name]) == 1
                     and (enclosing_types[name] & file.words if name in enclosing_types else name in file.words)]
            found += [(name, member_homes[name]) for name in file.used_members & member_homes.keys()
                      if len(declared[name]) == 1]
            for name, (home,) in found:
                if home != place(file):
                    uses[place(file), home][name].add(file.path)
        return uses


def components(nodes, edges):
    """The strongly connected components, each after those that it uses (Tarjan)."""
    below = defaultdict(list)
    for start, end in sorted(edges):
        below[start].append(end)
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in below[node]:
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            found.append(stack[stack.index(node):])
            del stack[stack.index(node):]

    for node in sorted(nodes):
        if node not in index:
            visit(node)
    return found


def package_targets():
    """{target: (folder, direct dependencies within the package)}, without those of tests and benchmarks."""
    # In a folder of its own, so that it need not wait for a build.
    with tempfile.TemporaryDirectory() as scratch:
        command = [os.environ.get("SWIFT", "swift"), "package", "--scratch-path", scratch, "dump-package"]
        dump = subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    targets = {target["name"]: target for target in json.loads(dump.stdout)["targets"]}
    result = {}
    for name, target in targets.items():
        if target["type"] != "test" and not (target.get("path") or "").startswith(("Tests", "Benchmarks")):
            values = [next(iter(dependency.values()))[0] for dependency in target["dependencies"]]
            result[name] = (ROOT / (target.get("path") or f"Sources/{name}"), {v for v in values if v in targets})
    return result


def missing_in_design(targets):
    """What docs/design.md does not list."""
    text = (ROOT / "docs/design.md").read_text(encoding="utf-8")
    named, folders, module = set(re.findall(r"`(\w+)`", text)), defaultdict(set), None
    for first, second in re.findall(r"^\|([^|\n]*)\|([^|\n]*)\|$", text, re.MULTILINE):
        if first.strip():
            found = re.fullmatch(r"`(\w+)`", first.strip())
            module = found and found[1]
        if module:
            folders[module] |= set(re.findall(r"`([\w.]+)`", second))
    for name, (root, _) in targets.items():
        if name not in named:
            yield f"docs/design.md: the module {name} is missing"
        own = {folder.name for folder in root.iterdir() if folder.is_dir() and folder.suffix != ".docc"}
        listed = folders[name] & own
        for folder in sorted(own - listed if listed else set()):
            yield f"docs/design.md: the folder {name}/{folder} is missing"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="fail on a cycle or an import upwards")
    parser.add_argument("--folders", action="store_true", help="print the folders of the Swift modules")
    parser.add_argument("--names", action="store_true", help="print the names that make each reference")
    parser.add_argument("modules", nargs="*", metavar="MODULE")
    options = parser.parse_args()
    sys.setrecursionlimit(10_000)
    targets = package_targets()
    if options.folders:
        swift = [folder for folder, _ in targets.values() if next(folder.rglob("*.swift"), None)]
        print(*(folder.relative_to(ROOT) for folder in swift), sep="\n")
        return
    faults = list(missing_in_design(targets))
    modules = [module for name, (folder, _) in targets.items() if (module := Module(name, folder)).files]
    print("modules:")
    for module in modules:
        print(f"  {module.name} → {', '.join(sorted(targets[module.name][1])) or 'nothing'}")
        imported = set().union(*(file.imports for file in module.files)) & targets.keys()
        for other in sorted(imported - targets[module.name][1] - {module.name}):
            faults.append(f"{module.name} imports {other}, which Package.swift does not list as its dependency")

    for module in modules:
        if len(module.files) < 2 or options.modules and module.name not in options.modules:
            continue
        foreign = set().union(*(file.members for other in modules if other is not module for file in other.files))
        by_folder = module.references(lambda file: file.folder, foreign)
        folders = components({file.folder for file in module.files}, by_folder)
        cycles = [", ".join(sorted(folder)) for folder in folders if len(folder) > 1]
        by_file = module.references(lambda file: file.path, foreign)
        largest = max(components({file.path for file in module.files}, by_file), key=len)

        print(f"\n{module.name}: {len(module.files)} files")
        for (start, end), names in sorted(by_folder.items()):
            shown = " (" + ", ".join(sorted(names)) + ")" if options.names else ""
            print(f"  {start} → {end}: {len(set().union(*names.values()))}{shown}")
        print("  order:", ", ".join(" = ".join(sorted(folder)) for folder in reversed(folders)))
        print("  cycles between folders:", "; ".join(cycles) or "none")
        print(f"  largest cycle between files: {len(largest) if len(largest) > 1 else 'none'}")
        faults += [f"{module.name}: these folders use each other: {cycle}" for cycle in cycles]

    if options.check and faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
