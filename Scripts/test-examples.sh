#!/usr/bin/env bash
# Builds the examples that are packages of their own, runs the gallery, and drives the thumbnail server over HTTP.
#
# They use Texel as other packages do, without the flags of `make build`, in one folder for both.
set -euo pipefail
cd "$(dirname "$0")/.."

programs=$PWD/.build-examples/release
build() {
    # The build of one package does not notice that the other one's has compiled Texel anew.
    rm -rf "$programs/$1.build"
    SWIFT_DETERMINISTIC_HASHING=1 "${SWIFT:-swift}" build --package-path "Examples/$1" --scratch-path .build-examples \
        -c release -debug-info-format none
}

build Gallery
"$programs/Gallery" TestImages | tee "$programs/gallery.txt"
# Two pages of six rows. How many images were decoded on the way depends on the machine.
[ "$(grep -c × "$programs/gallery.txt")" = 12 ]

build ThumbnailServer
Scripts/test-thumbnail-server.py "$programs/ThumbnailServer"
