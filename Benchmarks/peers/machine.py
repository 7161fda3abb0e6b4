"""Describes the machine and the versions that were measured, without the names of the machine or its user."""

import os
import platform
import re
from pathlib import Path

from .tools import ROOT, TEXEL, Tools, said

SAME = {"vipsthumbnail", "cjpeg", "tjbench", "NumPy"}
"""Programs that are not listed: of the same package as another, or not a peer."""


def description() -> str:
    cores = os.cpu_count() or 1
    level = texel_facts().get("processor level", "unknown")
    system = next(
        iter(re.findall(r'^PRETTY_NAME="?([^"\n]+)', read("/etc/os-release"), re.MULTILINE)), platform.system()
    )
    return f"{cores} {'core' if cores == 1 else 'cores'} of {processor()} (level {level}), {system}"


def processor() -> str:
    models = re.findall(r"^model name\s*:\s*(.+)$", read("/proc/cpuinfo"), re.MULTILINE)
    return (
        models[0].strip()
        if models
        else said(["sysctl", "-n", "machdep.cpu.brand_string"]).strip() or platform.machine()
    )


def commit() -> str:
    name = said(["git", "-C", str(ROOT), "rev-parse", "--short=10", "HEAD"]).strip()
    # Changes of documents, some of which the report writes, do not change the programs.
    parts = ["Sources", "Package.swift", ":(exclude)*.md"]
    changed = said(["git", "-C", str(ROOT), "status", "--porcelain", "--", *parts]).strip()
    return f"{name} with changes" if changed else name


def versions(tools: Tools) -> list[str]:
    texel = [f"{name} {version}" for name, version in texel_facts().items() if name != "processor level"]
    return texel + [f"{tool.name} {tool.version}" for tool in tools.found.values() if tool.name not in SAME]


def texel_facts() -> dict[str, str]:
    """The versions of texel and its libraries, and the processor level, by name."""
    lines = said([str(TEXEL), "--version", "-v"]).splitlines()
    return {name: version for name, _, version in (line.rpartition(" ") for line in lines)}


def read(path: str) -> str:
    file = Path(path)
    return file.read_text() if file.exists() else ""
