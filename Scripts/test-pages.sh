#!/usr/bin/env bash
# Opens the gallery and the report that the built program writes in a headless Chromium, and uses them as people do.
# The long report is made of the pictures in the folder PAGES_PICTURES; by default of TestImages.
set -euo pipefail
cd "$(dirname "$0")/.."

texel=${1:-.build/release/texel}
[ -x "$texel" ] || { echo "There is no $texel; run: make build" >&2; exit 1; }
exec python3 Scripts/pages/test_pages.py "$texel" TestImages ${PAGES_PICTURES:+--many "$PAGES_PICTURES"} "${@:2}"
