#!/usr/bin/env bash
# Compares what Texel decodes with the reference decoders, over public test images.
#
#   Scripts/test-conformance.sh FOLDER
#
# FOLDER has a subfolder for each format; docs/conformance.md says which, and where their files come from. Formats whose
# subfolder or reference decoder is missing are skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ $# -ne 1 ] || [ ! -d "$1" ]; then
    echo "usage: Scripts/test-conformance.sh FOLDER" >&2
    exit 64
fi
folder=$(cd "$1" && pwd)
TEXEL_CORPORA=$folder exec make test FILTER=ConformanceTests
