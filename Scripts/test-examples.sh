#!/usr/bin/env bash
# Builds the examples that are packages of their own, lets the gallery run, and drives the thumbnail server over HTTP.
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=$PWD/.build-examples

build() {
    # Both take Texel from one folder; but the plan of the one is not the other's.
    rm -f "$scratch/debug.yaml" "$scratch/debug/description.json"
    swift build --package-path "Examples/$1" --scratch-path "$scratch"
}

build Gallery
"$scratch/debug/Gallery" TestImages | tee "$scratch/gallery.txt"
# Two pages of six; how much was decoded on the way depends on how fast the machine is.
[ "$(grep -c × "$scratch/gallery.txt")" = 12 ]

build ThumbnailServer
Scripts/test-thumbnail-server.py "$scratch/debug/ThumbnailServer"
