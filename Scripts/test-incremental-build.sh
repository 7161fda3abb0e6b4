#!/usr/bin/env bash
# Runs a build command, and fails if it compiles or links anything.
#
# Usage: test-incremental-build.sh COMMAND…
set -euo pipefail

start=$SECONDS
output=$("$@" 2>&1) || { echo "$output"; exit 1; }
# SwiftPM names plugins in each build.
if work=$(grep -E '^\[[0-9/]+\] (Compiling|Emitting|Linking|Merging)' <<<"$output" | grep -v ' plugin '); then
    echo "a build without changes has done this again:"
    echo "$work"
    exit 1
fi
echo "$* compiles nothing ($((SECONDS - start)) s)"
