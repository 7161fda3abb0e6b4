#!/usr/bin/env bash
# Installs what `make bench` measures Texel against: programs from Debian, Python's libraries into Benchmarks/.venv.
set -euo pipefail
cd "$(dirname "$0")/.."

as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" apt-get install -y -qq --no-install-recommends \
    libvips-tools graphicsmagick imagemagick libjpeg-turbo-progs libheif-examples ffmpeg \
    python3-venv

[ -x Benchmarks/.venv/bin/python ] || python3 -m venv Benchmarks/.venv
Benchmarks/.venv/bin/pip install --quiet --upgrade \
    numpy Pillow opencv-python-headless cykooz-resizer pyvips pyvips-binary pyjpegli
