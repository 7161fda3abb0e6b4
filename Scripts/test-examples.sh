#!/usr/bin/env bash
# Builds the examples that are packages of their own, runs the gallery, and drives the thumbnail server over HTTP.
#
# They are built with the flags and in the folder of `make build`, so that Texel itself is compiled only once.
set -euo pipefail
cd "$(dirname "$0")/.."

programs=$PWD/.build/release
build() { "${SWIFT:-swift}" build --package-path "Examples/$1" --scratch-path .build "${@:2}"; }

build Gallery "$@"
"$programs/Gallery" TestImages | tee "$programs/gallery.txt"
# Two pages of six rows. How many images were decoded on the way depends on the machine.
[ "$(grep -c × "$programs/gallery.txt")" = 12 ]

build ThumbnailServer "$@"
Scripts/test-thumbnail-server.py "$programs/ThumbnailServer"
